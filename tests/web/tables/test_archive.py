"""A table that loses its laptop goes on from its archive on another: nothing lost, nothing secret told."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any, cast

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from talleyrand.web.games.models import Game, GameState, OrderSet, PhaseRevision
from talleyrand.web.tables.models import Table
from talleyrand.web.tables.referee.table_archive import DIGEST, archive_digest

from .phones import fresh_game, started
from .test_referee import act, bell_has_rung, said, seat_of, submit

pytestmark = pytest.mark.django_db
SECRET = "A PAR - PIC"
OPENING = {
    "FRANCE": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"],
    "GERMANY": ["A MUN - BUR", "A BER - KIE", "F KIE - DEN"],
    "ITALY": ["A VEN - TRI", "A ROM - VEN", "F NAP - ION"],
    "AUSTRIA": ["A VIE - TRI", "F TRI - ALB", "nonsense"],
}


def played() -> tuple[Table, Client, dict[str, Client]]:
    """A table in its second phase, with orders of it submitted and in preparation."""
    table, laptop, phones = started()
    for power, lines in OPENING.items():
        submit(phones[power], table, power, *lines)
    bell_has_rung(table)
    act(laptop, table, "read-on", number=1)
    act(laptop, table, "mark", seat=str(seat_of(table, "ITALY").number), mark="beginner")
    submit(phones["FRANCE"], table, "FRANCE", SECRET, key="n" * 24)
    game = fresh_game(table)
    game.seats.filter(power="ITALY").update(
        draft_orders=["A VEN - APU"], draft_phase_number=game.phase_number, drafted_at=timezone.now()
    )
    return table, laptop, phones


def archive_of(laptop: Client, table: Table) -> bytes:
    answer = laptop.get(f"/tables/{table.game.key}/referee/archive/")
    assert answer.status_code == 200
    return bytes(answer.content)


def restored(content: bytes, client: Client | None = None, submission: str = "r" * 24) -> HttpResponse:
    file = SimpleUploadedFile("table.json", content)
    answer = (client or Client()).post("/tables/restore/", {"file": file, "submission": submission})
    return cast(HttpResponse, answer)


def signed(told: dict[str, Any]) -> bytes:
    """An archive by somebody who knows how its digest is made."""
    return json.dumps({**told, DIGEST: archive_digest(told)}).encode()


def same_history(one: Table, other: Table) -> None:
    """Every phase began, was ordered, judged and left as at the other table."""
    fields = ("phase_number", "phase", "situation", "order_lines", "powers_without_orders", "next_situation")
    mine, theirs = (
        list(PhaseRevision.objects.filter(game=table.game, is_current=True).values(*fields, "answer"))
        for table in (one, other)
    )
    assert len(mine) == len(theirs)
    for phase in (*mine, *theirs):  # units without an order stand in no order of their own
        if phase["answer"]:
            phase["answer"]["orders"].sort(
                key=lambda one: (one["power"], one["unit"] or "", one["line"] or "")
            )
    for left, right in zip(mine, theirs, strict=True):
        for name, value in left.items():
            assert value == right[name], (left["phase"], name)


def test_the_archive_is_the_referees_and_holds_no_secret() -> None:
    table, laptop, phones = played()
    text = archive_of(laptop, table).decode()
    people = table.players.values_list("seat_token", "phone_digest")
    secrets = {SECRET, "A VEN - APU", table.game.seed, *(key for pair in people for key in pair if key)}
    assert [one for one in secrets if one in text] == []
    for stranger in (phones["ITALY"], Client()):
        assert stranger.get(f"/tables/{table.game.key}/referee/archive/").status_code == 404


def test_the_table_goes_on_with_its_history_its_seats_and_its_time() -> None:
    table, laptop, _phones = played()
    Game.objects.filter(pk=table.game.pk).update(
        state=GameState.PLAYING, deadline=timezone.now() + timedelta(seconds=500), is_waiting=False
    )
    other = Client()
    answer = restored(archive_of(laptop, table), other)
    assert answer.status_code == 302
    new = Table.objects.select_related("game").latest("pk")
    assert answer["Location"] == f"/tables/{new.game.key}/referee/codes/"
    same_history(new, table)
    game = fresh_game(new)
    before = fresh_game(table)
    assert (game.phase_number, game.phase, game.variant) == (2, before.phase, "classic")
    assert game.state == GameState.PAUSED
    assert game.time_left_when_paused is not None
    assert 200 < game.time_left_when_paused.total_seconds() <= 500
    assert new.code != table.code
    for power in OPENING:
        one, two = seat_of(table, power), seat_of(new, power)
        assert (one.number, one.is_beginner) == (two.number, two.is_beginner)
        assert one.person.name.partition(" ·")[0] == two.person.name.partition(" ·")[0]
        assert one.seat_token != two.seat_token
    assert OrderSet.objects.filter(game=new.game, phase_number=2).count() == 0
    assert "A MUN - BUR" in said(other, new, "received/")


def test_phones_come_back_and_the_next_phase_is_played() -> None:
    table, laptop, _phones = played()
    other = Client()
    restored(archive_of(laptop, table), other)
    new = Table.objects.latest("pk")
    seat = seat_of(new, "FRANCE")
    assert seat.seat_token in said(other, new, "referee/codes/")
    phone = Client()
    assert phone.post(f"/tables/{new.game.key}/seats/{seat.number}/{seat.seat_token}/").status_code == 302
    submit(phone, new, "FRANCE", SECRET)
    act(other, new, "start-clock")
    bell_has_rung(new)
    act(other, new, "read-on", number=2)
    assert fresh_game(new).phase_number == 3
    again = restored(archive_of(other, new), Client(), "z" * 24)
    assert again.status_code == 302
    same_history(Table.objects.latest("pk"), new)


def test_the_same_file_sent_twice_is_one_table() -> None:
    table, laptop, _phones = played()
    content, other = archive_of(laptop, table), Client()
    assert restored(content, other)["Location"] == restored(content, other)["Location"]
    assert Table.objects.count() == 2


def test_a_file_that_is_no_archive_makes_no_table() -> None:
    table, laptop, _phones = played()
    content = archive_of(laptop, table)
    told = json.loads(content)
    wrong: list[bytes] = [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe\x00",
        b"{" * 5000,
        content[:-200],
        content.replace(b"Anna", b"Anne"),
        content + b" " * (2 << 20),
        content.decode().encode("utf-16"),
        signed({**told, "version": 2}),
        signed({**told, "version": "1"}),
        signed({**told, "format": "talleyrand tournament"}),
        signed({name: value for name, value in told.items() if name != "people"}),
        signed({**told, "people": told["people"] * 9}),
        signed({**told, "people": [{**told["people"][0], "name": "a\u202eb"}]}),
        signed({**told, "people": [{**one, "number": 1} for one in told["people"]]}),
        signed({**told, "powers": {"ATLANTIS": {"seats": [1], "bot": "", "disorder": False, "missed": 0}}}),
        signed({**told, "powers": {"ITALY": {"seats": [77], "bot": "", "disorder": False, "missed": 0}}}),
        signed({**told, "stands": None}),
        signed({**told, "stands": {"phase": "F1901M", "units": {"FRANCE": ["A ATL"]}}}),
        signed({**told, "record": {**told["record"], "variant": "nowhere"}}),
        signed({**told, "record": {**told["record"], "rulebook": "nowhere"}}),
        signed({**told, "record": {**told["record"], "phases": told["record"]["phases"] * 400}}),
        signed({**told, "settings": {**told["settings"], "scoring": "nowhere"}}),
        signed({**told, "settings": {**told["settings"], "patience": "many"}}),
        signed({**told, "settings": {**told["settings"], "passive": ["ATLANTIS"]}}),
        signed({**told, "clock": {"first": -1}}),
        signed({**told, "clock": {"first": 10**30}}),
        signed({**told, "seconds_left": "soon"}),
        signed({**told, "seconds_left": 10**40}),
        signed({**told, "phase_opened": "yesterday"}),
        signed({**told, "received": [{"phase_number": 1}]}),
        signed({**told, "received": told["received"] * 2}),
        signed({**told, "proposals": [{"phase_number": 1, "state": "won"}]}),
        signed({**told, "scripted": ["nowhere", 3]}),
    ]
    for at, one in enumerate(wrong):
        answer = restored(one)
        assert answer.status_code == 400, at
        assert 'role="alert"' in answer.content.decode(), at
    assert Client().post("/tables/restore/").status_code == 400
    assert Table.objects.count() == 1


def test_a_game_that_is_not_in_progress_has_no_archive() -> None:
    table, laptop, _phones = started()
    Game.objects.filter(pk=table.game.pk).update(state=GameState.ENDED)
    assert laptop.get(f"/tables/{table.game.key}/referee/archive/").status_code == 404
