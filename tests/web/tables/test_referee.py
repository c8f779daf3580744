"""What a referee does at a table, who may not, and what nobody sees."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from typing import cast

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from talleyrand.web.games.models import Game, GameLogEntry, GameState, OrderSet
from talleyrand.web.games.order_submission import counting_order_set
from talleyrand.web.tables.clock_control import clock_mark
from talleyrand.web.tables.models import LateOrders, Table, TablePlayer
from talleyrand.web.tables.referee.referee_acts import ACTS
from tests.web.cast import client_of

from .phones import NAMES, fresh_game, open_table, phone_of, player_named, started

pytestmark = pytest.mark.django_db
SECRET = "A PAR - PIC"


def act(client: Client, table: Table, word: str, **sent: object) -> HttpResponse:
    """An act of the referee, confirmed."""
    answer = client.post(f"/tables/{table.game.key}/referee/act/{word}/", {"confirmed": "1", **sent})
    return cast(HttpResponse, answer)


def said(client: Client, table: Table, path: str = "referee/") -> str:
    return str(client.get(f"/tables/{table.game.key}/{path}").content.decode()).replace("\u00a0", " ")


def submit(phone: Client, table: Table, power: str, *lines: str, key: str = "k" * 24) -> None:
    sent = json.dumps({"lines": {power: list(lines)}, "action": "hand_in", "submission": key})
    number = fresh_game(table).phase_number
    path = f"/parties/{table.game.key}/{number}/orders/{power}/"
    answer = phone.post(path, sent, content_type="application/json")
    assert answer.status_code == 200, answer.content


def seat_of(table: Table, power: str) -> TablePlayer:
    return table.players.get(person__tenures__seat__power=power, person__tenures__ended_at=None)


def bell_has_rung(table: Table) -> None:
    """The time of the open phase is up, and somebody is missing."""
    Game.objects.filter(pk=table.game.pk).update(
        state=GameState.PLAYING,
        deadline=timezone.now() - timedelta(seconds=30),
        time_left_when_paused=None,
        is_waiting=True,
    )


def late_orders(table: Table, power: str, written: float | None = -20, came: float = 10) -> LateOrders:
    """Orders that came `came` seconds after the bell, written so many after it."""
    bell = fresh_game(table).deadline
    assert bell is not None
    return LateOrders.objects.create(
        player=seat_of(table, power),
        phase_number=fresh_game(table).phase_number,
        power=power,
        idempotency_key=f"{power}{came}",
        lines=[SECRET],
        written_at=None if written is None else bell + timedelta(seconds=written),
        received_at=bell + timedelta(seconds=came),
    )


def kinds_of_log(table: Table) -> list[str]:
    return list(GameLogEntry.objects.filter(game=table.game).values_list("kind", flat=True))


def test_the_page_is_for_referees_alone() -> None:
    table, laptop, phones = started()
    key = table.game.key
    seat = seat_of(table, "ITALY")
    pages = ("", f"seats/{seat.number}/", f"seats/{seat.number}/vote/", "orders/ITALY/")
    for stranger in (phones["FRANCE"], Client()):
        for page in pages:
            assert stranger.get(f"/tables/{key}/referee/{page}").status_code == 404
        for word in ACTS:
            assert act(stranger, table, word).status_code == 404
    assert laptop.get(f"/tables/{key}/referee/").status_code == 200
    assert laptop.get(f"/tables/{key}/referee/seats/{seat.number}/").status_code == 200
    assert act(laptop, table, "nonsense").status_code == 404


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"power": "ATLANTIS", "late": "99", "seat": "99", "other": "99", "number": "99", "who": "99"},
        {
            "power": "\x00",
            "late": "x" * 9000,
            "seat": "é\u202e",
            "mark": "<b>",
            "on": "-1",
            "revision": "1e9",
        },
        {"seat": "0", "other": "0", "power": "ITALY", "who": "new", "name": "\u202e", "answer": "maybe"},
    ],
)
def test_an_act_without_sense_changes_nothing(sent: dict[str, str]) -> None:
    table, laptop, phones = started()
    submit(phones["ITALY"], table, "ITALY", "A ROM H")
    before = (seats(table), list(OrderSet.objects.values_list("withdrawn_at", "lines")))
    need_nothing = ("start-clock", "stop-clock", "add-minute", "ring-bell", "ask-consent", "drop-consent")
    for word in sorted(set(ACTS).difference(need_nothing)):
        told = {name: value for name, value in sent.items() if (word, value) != ("tear", "ITALY")}
        assert act(laptop, table, word, **told).status_code == 302, word
        found = (seats(table), list(OrderSet.objects.values_list("withdrawn_at", "lines")))
        assert found == before, word


def seats(table: Table) -> list[tuple[object, ...]]:
    return list(
        table.players.values_list(
            "number", "person", "powers", "is_referee", "is_beginner", "is_on_paper", "phone_digest"
        )
    )


def test_the_clock_starts_and_stops_and_has_a_minute_more() -> None:
    table, laptop, _phones = started()
    if fresh_game(table).state == GameState.PAUSED:
        act(laptop, table, "start-clock")
    before = fresh_game(table).deadline
    assert before is not None
    act(laptop, table, "add-minute", mark="1.yesterday")
    assert fresh_game(table).deadline == before
    act(laptop, table, "add-minute", mark=clock_mark(fresh_game(table)))
    assert fresh_game(table).deadline == before + timedelta(minutes=1)
    act(laptop, table, "stop-clock")
    assert fresh_game(table).state == GameState.PAUSED
    act(laptop, table, "start-clock")
    assert fresh_game(table).state == GameState.PLAYING
    asked = laptop.post(f"/tables/{table.game.key}/referee/act/ring-bell/")
    assert "Italie" in asked.content.decode()
    act(laptop, table, "ring-bell", mark=clock_mark(fresh_game(table)))
    deadline = fresh_game(table).deadline
    assert deadline is not None
    assert deadline <= timezone.now() + timedelta(seconds=2)


def test_the_table_reads_on_after_the_bell_though_one_is_missing() -> None:
    table, laptop, phones = started()
    for power, phone in phones.items():
        if power != "ITALY":
            submit(phone, table, power)
    act(laptop, table, "read-on", number=1)
    assert fresh_game(table).phase_number == 1  # before the bell nobody reads
    bell_has_rung(table)
    asked = laptop.post(f"/tables/{table.game.key}/referee/act/read-on/", {"number": 1}).content.decode()
    assert "Italie" in asked
    assert "désordre civil" in asked
    act(laptop, table, "read-on", number=1)
    game = fresh_game(table)
    assert game.phase_number == 2
    assert game.revisions.get(phase_number=1, is_current=True).powers_without_orders == ["ITALY"]
    act(laptop, table, "read-on", number=1)  # pressed twice
    assert fresh_game(table).phase_number == 2


def test_late_orders_written_in_time_count_by_the_rule_and_never_show() -> None:
    table, laptop, _phones = started()
    bell_has_rung(table)
    late = late_orders(table, "FRANCE")
    page = said(laptop, table)
    assert "10 secondes après" in page
    assert "20 secondes avant" in page
    assert SECRET not in page
    act(laptop, table, "count-late", late=late.pk)
    sheet = counting_order_set(fresh_game(table), "FRANCE", 1)
    assert sheet is not None
    assert (sheet.lines, sheet.origin, sheet.received_at) == ([SECRET], "late", late.received_at)
    act(laptop, table, "count-late", late=late.pk)
    act(laptop, table, "tear-late", late=late.pk)
    assert OrderSet.objects.count() == 1
    late.refresh_from_db()
    assert late.decision == "counted"
    assert SECRET not in said(laptop, table) + said(laptop, table, "received/")


def test_late_orders_are_torn_and_may_count_after_all() -> None:
    table, laptop, _phones = started()
    bell_has_rung(table)
    late = late_orders(table, "FRANCE", written=5)
    assert "désordre civil" in said(laptop, table)
    act(laptop, table, "tear-late", late=late.pk)
    late.refresh_from_db()
    assert late.decision == "torn"
    assert counting_order_set(fresh_game(table), "FRANCE", 1) is None
    act(laptop, table, "count-late", late=late.pk)
    assert counting_order_set(fresh_game(table), "FRANCE", 1) is not None
    assert kinds_of_log(table)[-2:] == ["late_torn", "late_counted"]


def test_late_orders_of_another_table_or_of_a_resolved_phase_do_not_count() -> None:
    table, laptop, _phones = started()
    bell_has_rung(table)
    late = late_orders(table, "FRANCE")
    act(laptop, table, "read-on", number=1)
    act(laptop, table, "count-late", late=late.pk)
    late.refresh_from_db()
    assert late.decision == ""
    assert "résolue" in said(laptop, table)
    _other, other_laptop = open_table(name="Une autre", submission="o" * 24)
    act(other_laptop, Table.objects.latest("pk"), "count-late", late=late.pk)
    late.refresh_from_db()
    assert late.decision == ""


def test_a_torn_sheet_counts_no_more_and_comes_back() -> None:
    table, laptop, phones = started()
    submit(phones["ITALY"], table, "ITALY", "A ROM H")
    seat = seat_of(table, "ITALY")
    act(laptop, table, "tear", power="ITALY", seat=seat.number)
    assert counting_order_set(fresh_game(table), "ITALY", 1) is None
    assert table.game.seats.get(power="ITALY").draft_orders == []
    act(laptop, table, "put-back", power="ITALY", seat=seat.number)
    act(laptop, table, "put-back", power="ITALY", seat=seat.number)
    sheet = counting_order_set(fresh_game(table), "ITALY", 1)
    assert sheet is not None
    act(laptop, table, "tear", power="ITALY")
    submit(phones["ITALY"], table, "ITALY", "A ROM - APU", key="n" * 24)
    act(laptop, table, "put-back", power="ITALY")
    sheet = counting_order_set(fresh_game(table), "ITALY", 1)
    assert sheet is not None
    assert sheet.lines == ["A ROM - APU"]


def test_the_last_phase_is_rolled_back_from_the_page_that_showed_it() -> None:
    table, laptop, _phones = started()
    bell_has_rung(table)
    act(laptop, table, "read-on", number=1)
    act(laptop, table, "roll-back", on=1, revision=2)
    assert fresh_game(table).phase_number == 2
    asked = laptop.post(f"/tables/{table.game.key}/referee/act/roll-back/", {"on": 1, "revision": 1})
    assert 'name="revision" value="1"' in asked.content.decode()
    act(laptop, table, "roll-back", on=1, revision=1)
    assert fresh_game(table).phase_number == 1


# paper


def typed(client: Client, table: Table, power: str, text: str, **more: str) -> HttpResponse:
    sent = {"sheet": text, "number": "1", "submission": "p" * 24, "action": "submit", **more}
    answer = client.post(f"/tables/{table.game.key}/referee/orders/{power}/", sent)
    return cast(HttpResponse, answer)


def test_a_paper_sheet_is_typed_and_shows_what_was_typed_alone() -> None:
    table, laptop, phones = started()
    submit(phones["FRANCE"], table, "FRANCE", SECRET)
    path = f"/tables/{table.game.key}/referee/orders/FRANCE/"
    assert SECRET not in laptop.get(path).content.decode()
    shown = typed(laptop, table, "FRANCE", "A MAR - SPA\nF BRE - MAO", action="preview")
    page = shown.content.decode()
    assert "2 sur 3" in page
    assert SECRET not in page
    assert OrderSet.objects.count() == 1
    assert typed(laptop, table, "FRANCE", "A MAR - SPA\nF BRE - MAO").status_code == 302
    sheet = counting_order_set(fresh_game(table), "FRANCE", 1)
    assert sheet is not None
    assert (sheet.lines, sheet.origin, sheet.is_ready) == (["A MAR - SPA", "F BRE - MAO"], "master", True)
    assert "entered" in kinds_of_log(table)
    assert "A MAR" not in said(laptop, table) + laptop.get(path).content.decode()


def test_doubtful_lines_are_shown_before_they_are_submitted() -> None:
    table, laptop, _phones = started()
    answer = typed(laptop, table, "ITALY", "A ROM - MOON")
    assert answer.status_code == 200
    assert not OrderSet.objects.exists()
    assert typed(laptop, table, "ITALY", "A ROM - MOON", seen="A ROM - MOON").status_code == 302
    assert OrderSet.objects.get().lines == ["A ROM - MOON"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 200),
        ("A PAR H\nENGLAND\nF LON H", 400),
        ("x" * 2000, 400),
        ("\n" * 900, 400),
        ("A ROM \x07", 400),
    ],
)
def test_a_sheet_that_is_none_is_not_taken(text: str, status: int) -> None:
    table, laptop, _phones = started()
    assert typed(laptop, table, "ITALY", text).status_code == status
    assert not OrderSet.objects.exists()


def test_a_sheet_for_another_phase_or_no_power_is_not_taken() -> None:
    table, laptop, _phones = started()
    assert typed(laptop, table, "ITALY", "A ROM H", number="7").status_code == 409
    assert typed(laptop, table, "ATLANTIS", "A ROM H").status_code == 404
    assert not OrderSet.objects.exists()
    typed(laptop, table, "ITALY", "A ROM H")
    typed(laptop, table, "ITALY", "A ROM H")  # the same form twice
    assert OrderSet.objects.count() == 1


# what was received


def test_what_was_received_is_read_word_for_word_once_it_is_resolved() -> None:
    table, laptop, phones = started()
    submit(phones["FRANCE"], table, "FRANCE", "A PAR H")
    submit(phones["FRANCE"], table, "FRANCE", SECRET, key="n" * 24)
    bell_has_rung(table)
    late_orders(table, "ITALY")
    for reader in (laptop, *phones.values()):
        page = said(reader, table, "received/")
        assert "v2" in page
        assert SECRET not in page
    assert Client().get(f"/tables/{table.game.key}/received/").status_code == 404
    assert laptop.get(f"/tables/{table.game.key}/received/7/").status_code == 404
    act(laptop, table, "read-on", number=1)
    page = said(phones["ITALY"], table, "received/")
    assert page.count(SECRET) == 2
    assert "A PAR H" in page
    assert "remplacé" in page


def test_orders_set_aside_by_rolling_back_are_nobodys_business() -> None:
    table, laptop, phones = started()
    bell_has_rung(table)
    act(laptop, table, "read-on", number=1)
    submit(phones["FRANCE"], table, "FRANCE", SECRET)
    act(laptop, table, "roll-back", on=1, revision=1)
    for number in (1, 2):
        bell_has_rung(table)
        act(laptop, table, "read-on", number=number)
    assert SECRET not in said(laptop, table, "received/2/")


# seats


def test_seats_are_swapped_before_the_start_alone() -> None:
    table, laptop = open_table(dealing="seated")
    phone_of(table, "Anna")
    bela = phone_of(table, "Bela")
    first, second = table.players.get(number=1), table.players.get(number=2)
    act(laptop, table, "swap", seat="1", other="2")
    assert player_named(table, "Anna").number == 2
    assert player_named(table, "Anna").powers == second.powers
    assert player_named(table, "Bela").seat_token == first.seat_token
    assert bela.get(f"/tables/{table.game.key}/").status_code == 200
    for wrong in ({"seat": "1", "other": "1"}, {"seat": "0", "other": "1"}, {"seat": "1", "other": "44"}):
        act(laptop, table, "swap", **wrong)
    assert player_named(table, "Anna").number == 2
    laptop.post(f"/tables/{table.game.key}/start/")
    act(laptop, table, "swap", seat="1", other="2")
    assert player_named(table, "Anna").number == 2


def test_a_newcomer_stands_in_with_a_code_of_its_own_and_goes() -> None:
    table, laptop, phones = started()
    seat = seat_of(table, "ITALY")
    mark = table.game.seats.get(power="ITALY").tenures.get(ended_at=None).pk
    sent = {"power": "ITALY", "who": "new", "name": "Hugo", "how": "stand_in", "player_mark": mark}
    asked = laptop.post(f"/tables/{table.game.key}/referee/act/replace/", sent)
    assert "Hugo" in asked.content.decode()
    act(laptop, table, "replace", **sent)
    act(laptop, table, "replace", **sent)  # pressed twice: no second newcomer
    hugo = player_named(table, "Hugo")
    assert table.players.filter(person__name__startswith="Hugo").count() == 1
    page = said(laptop, table, f"referee/seats/{hugo.number}/")
    assert hugo.seat_token in page
    newcomer = Client()
    newcomer.post(f"/tables/{table.game.key}/seats/{hugo.number}/{hugo.seat_token}/")
    submit(newcomer, table, "ITALY", "A ROM H")
    path = f"/parties/{table.game.key}/1/orders/ITALY/"
    refused = phones["ITALY"].post(path, json.dumps({"lines": {}}), content_type="application/json")
    assert refused.status_code == 404
    mark = table.game.seats.get(power="ITALY").tenures.get(ended_at=None, is_stand_in=True).pk
    act(laptop, table, "end-stand-in", power="ITALY", player_mark=mark)
    submit(phones["ITALY"], table, "ITALY", "A ROM - APU", key="n" * 24)
    assert seat_of(table, "ITALY") == seat
    assert "Roma" not in said(newcomer, table, "")
    assert "Rien pour vous" in said(newcomer, table, "")


def test_who_is_replaced_goes_on_watching_and_does_not_find_out_orders_by_guesses() -> None:
    table, laptop, phones = started()
    former = phones["FRANCE"]
    mark = table.game.seats.get(power="FRANCE").tenures.get(ended_at=None).pk
    act(laptop, table, "replace", power="FRANCE", who="new", name="Zoé", how="for_good", player_mark=mark)
    new = player_named(table, "Zoé")
    phone = Client()
    phone.post(f"/tables/{table.game.key}/seats/{new.number}/{new.seat_token}/")
    submit(phone, table, "FRANCE", SECRET)
    page = former.get(f"/tables/{table.game.key}/")
    assert page.status_code == 200
    assert SECRET not in page.content.decode()
    guess = json.dumps({"lines": [SECRET], "submission": "g" * 24})
    path = f"/tables/{table.game.key}/1/late/FRANCE/"
    for when in ("before", "after"):
        told, other = (
            former.post(path, one, content_type="application/json").json()
            for one in (guess, guess.replace("PIC", "BUR"))
        )
        for answer in (told, other):  # they may fall into two seconds
            answer["message"] = re.sub(r"\d\d:\d\d:\d\d", "then", answer.get("message", ""))
        assert told == other, when
        bell_has_rung(table)
    assert "v1" in phone.post(path, guess, content_type="application/json").json()["message"]


def test_whoever_plays_another_power_does_not_replace() -> None:
    table, laptop, _phones = started()
    mark = table.game.seats.get(power="ITALY").tenures.get(ended_at=None).pk
    france = seat_of(table, "FRANCE")
    act(laptop, table, "replace", power="ITALY", who=france.number, how="for_good", player_mark=mark)
    assert table.game.seats.get(power="ITALY").tenures.get(ended_at=None).pk == mark


def test_an_referee_names_another_and_the_last_one_stays() -> None:
    table, laptop, phones = started()
    seat = seat_of(table, "FRANCE")
    act(laptop, table, "end-referee", seat="0")
    assert laptop.get(f"/tables/{table.game.key}/referee/").status_code == 200
    act(laptop, table, "name-referee", seat=seat.number)
    act(phones["FRANCE"], table, "end-referee", seat="0")
    assert laptop.get(f"/tables/{table.game.key}/referee/").status_code == 404
    assert phones["FRANCE"].get(f"/tables/{table.game.key}/referee/").status_code == 200


def test_an_referee_who_plays_sees_no_orders_but_the_own() -> None:
    table, laptop, phones = started()
    act(laptop, table, "name-referee", seat=seat_of(table, "FRANCE").number)
    submit(phones["ITALY"], table, "ITALY", "A ROM - APU")
    bell_has_rung(table)
    late_orders(table, "GERMANY")
    key, italy = table.game.key, seat_of(table, "ITALY").number
    for path in ("referee/", f"referee/seats/{italy}/", "referee/orders/ITALY/", "received/", "consents/"):
        page = said(phones["FRANCE"], table, path)
        assert "APU" not in page
        assert SECRET not in page
    for path in ("desk/", "desk/orders/ITALY/", "1/receipts/ITALY/1/"):
        assert phones["FRANCE"].get(f"/parties/{key}/{path}").status_code == 404


def test_marks_of_a_seat() -> None:
    table, laptop = open_table()
    for mark in ("beginner", "paper", "nonsense"):
        act(laptop, table, "mark", seat="3", mark=mark)
    seat = table.players.get(number=3)
    assert (seat.is_beginner, seat.is_on_paper) == (True, True)
    for mark in ("experienced", "phone"):
        act(laptop, table, "mark", seat="3", mark=mark)
    seat.refresh_from_db()
    assert (seat.is_beginner, seat.is_on_paper) == (False, False)


# agreement


def test_all_players_without_exception_agree_to_electronic_orders() -> None:
    table, laptop = open_table()
    phones = {name: phone_of(table, name) for name in NAMES[:6]}  # the seventh writes on paper
    path = f"/tables/{table.game.key}/consents/"
    phones["Anna"].post(path, {"answer": "yes"})
    table.refresh_from_db()
    assert table.consents == {}  # nobody has asked
    act(laptop, table, "ask-consent")
    for name, phone in phones.items():
        phone.post(path, {"answer": "yes" if name != "Emil" else "no"})
    assert "sur papier" in said(laptop, table, "consents/")
    phones["Emil"].post(path, {"answer": "yes"})
    act(laptop, table, "note-consent", seat=player_named(table, "Anna").number, answer="no")
    assert "Tous les joueurs sont d’accord" not in said(phones["Anna"], table, "consents/")
    act(laptop, table, "note-consent", seat="7", answer="yes")
    assert "Tous les joueurs sont d’accord" in said(phones["Anna"], table, "consents/")
    assert Client().get(path).status_code == 404


def test_a_seat_without_a_phone_votes_on_the_referees_device_and_nobody_sees_it() -> None:
    table, laptop = open_table()
    for name in NAMES[:6]:
        phone_of(table, name)
    laptop.post(f"/tables/{table.game.key}/start/")
    table.refresh_from_db()
    paper = table.players.get(number=7)
    power = table.game.seats.get(tenures__person=paper.person).power
    bell_has_rung(table)
    act(laptop, table, "read-on", number=1)
    proposer = player_named(table, "Anna")
    other = table.game.seats.get(tenures__person=proposer.person).power
    path = f"/tables/{table.game.key}/referee/seats/7/vote/"
    assert laptop.get(f"/tables/{table.game.key}/referee/seats/{proposer.number}/vote/").status_code == 404
    assert laptop.post(path, {"power": other, "number": 2, "counts": "last_adjustments"}).status_code == 404
    sent = {"power": power, "number": 2, "counts": "last_adjustments"}
    assert laptop.post(path, sent).status_code == 302
    assert fresh_game(table).proposals.get().proposer == power
    assert 'name="act" value="start"' in said(laptop, table, "referee/seats/7/")
    assert laptop.get(path).status_code == 200
    client_of("Roman").post(f"/tables/{table.game.key}/seats/7/{paper.seat_token}/account/")
    assert laptop.get(path).status_code == 404, "an account votes by itself"


def test_the_reading_is_turned_from_the_page_and_a_screen_shows_what_was_received() -> None:
    table, laptop, phones = started()
    submit(phones["FRANCE"], table, "FRANCE", SECRET)
    bell_has_rung(table)
    act(laptop, table, "read-on", number=1)
    key, device = table.game.key, Client()
    found = re.search(r'name="mark" value="([^"]+)"', said(laptop, table))
    assert found is not None
    sent = {"mark": found[1], "next": f"/tables/{key}/referee/"}
    assert laptop.post(f"/tables/{key}/reading/next/", sent)["Location"] == sent["next"]
    assert "Un pas en arrière" in said(laptop, table)
    assert device.get(f"/tables/{key}/received/").status_code == 404
    device.get(f"/tables/screen/{table.screen_code}/")
    assert SECRET in said(device, table, "received/")
    assert device.get(f"/tables/{key}/referee/").status_code == 404


def test_a_result_is_corrected_with_a_reason_that_everyone_reads() -> None:
    table, laptop, phones = started()
    submit(phones["FRANCE"], table, "FRANCE", "A PAR - BUR")
    bell_has_rung(table)
    act(laptop, table, "read-on", number=1)
    submit(phones["ITALY"], table, "ITALY", SECRET)
    path = f"/tables/{table.game.key}/referee/correct/"
    page = laptop.get(path).content.decode()
    written = re.search(r'<textarea id="text"[^>]*>\s*(.*?)</textarea>', page, re.DOTALL)
    assert written is not None
    answer = table.game.revisions.get(phase_number=1, is_current=True).answer or {}
    orders = answer["orders"]
    at = next(at for at, one in enumerate(orders) if one["order"] == "A PAR - BUR")
    sent = {"on": "1", "revision": "1", "text": html.unescape(written[1]), f"result-{at}": "bounces"}
    assert laptop.post(path, {**sent, "action": "save", "reason": "Misread"}).status_code == 400
    shown = laptop.post(path, {**sent, "action": "look", "reason": "Misread"}).content.decode()
    seen = re.search(r'name="seen" value="([^"]+)"', shown)
    assert seen is not None
    assert SECRET not in shown
    told = {**sent, "action": "save", "seen": seen[1]}
    assert laptop.post(path, {**told, "reason": " "}).status_code == 400
    assert laptop.post(path, {**told, "reason": "Misread"})["Location"].endswith("/referee/")
    made = table.game.revisions.get(phase_number=1, is_current=True)
    assert (made.kind, made.reason) == ("override", "Misread")
    assert phones["ITALY"].get(path).status_code == 404
    assert phones["ITALY"].get(f"/tables/{table.game.key}/referee/position/").status_code == 404
    assert laptop.get(f"/tables/{table.game.key}/referee/position/").status_code == 200
