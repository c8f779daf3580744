"""Letters that are opened after the end: by all who had a part in them, and never more than those."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.games import game_lifecycle, power_assignments
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.models import Game
from talleyrand.web.press.models import OpenedLetters
from tests.web import cast
from tests.web.games.playing import running
from tests.web.press.post import address, send, texts

pytestmark = pytest.mark.django_db
PAIR, OTHER, TO_MASTER = "zz-pair", "zz-other", "zz-master"


def corresponded(*, over: bool = True, **terms: Any) -> Game:
    game = running(**terms)
    send(game, "Flora", "GERMANY", PAIR)
    send(game, "Flora", "RUSSIA", OTHER)
    send(game, "Flora", "@", TO_MASTER)
    assert len(texts(game)) == 3
    return finished(game) if over else game


def finished(game: Game) -> Game:
    game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    game.refresh_from_db()
    return game


def agree(game: Game, *names: str, do: str = "open") -> list[int]:
    path = address(game, "ouvrir/")
    return [cast.client_of(name).post(path, {"do": do}).status_code for name in names]


def read_by(game: Game, who: str = "") -> set[str]:
    text = (cast.client_of(who) if who else Client()).get(address(game, "letters.txt")).text
    return {mark for mark in (PAIR, OTHER, TO_MASTER) if mark in text}


def test_both_parties_have_to_agree() -> None:
    game = corresponded()
    assert read_by(game) == set()
    agree(game, "Flora")
    assert read_by(game) == set()
    agree(game, "Gaspard")
    assert read_by(game) == read_by(game, cast.STRANGER) == read_by(game, "Agathe") == {PAIR}
    page = Client().get(f"/parties/{game.key}/fin/").text
    assert "1 message privé, ouvert par ses joueurs" in page
    agree(game, "Gaspard", do="close")
    assert read_by(game) == set()


def test_what_is_for_the_game_master_stays_closed() -> None:
    game = corresponded()
    assert agree(game, "Flora", "Gaspard", "Roman") == [302] * 3
    assert agree(game, cast.MASTER, cast.OBSERVER, cast.STRANGER) == [404] * 3
    assert read_by(game) == {PAIR, OTHER}
    assert Client().post(address(game, "ouvrir/")).status_code == 404


def test_nothing_is_opened_while_a_game_is_played() -> None:
    game = corresponded(over=False)
    assert agree(game, "Flora", "Gaspard") == [404] * 2
    for name in ("Flora", "Gaspard"):
        OpenedLetters.objects.create(game=game, person=cast.person(name))
    assert read_by(game) == set()
    assert read_by(finished(game)) == {PAIR}


def test_whoever_played_before_and_after_has_a_part_in_it() -> None:
    """A stand-in and a successor have read the letters; who left has written them."""
    game = corresponded(over=False)
    membership_actions.leave_game(game, cast.person("Gaspard"))
    cast.member(game, "Greta", "player")
    power_assignments.assign_power(game, "GERMANY", cast.person("Greta"))
    finished(game)
    agree(game, "Flora", "Greta")
    assert read_by(game) == set()
    agree(game, "Gaspard")
    assert read_by(game) == {PAIR}


def test_an_account_that_is_gone_agrees_no_more() -> None:
    game = corresponded()
    agree(game, "Flora", "Gaspard")
    told = personal_data.export_personal_data(cast.person("Flora"))["opened_letters"]
    assert [one["game"] for one in told] == [game.key]
    personal_data.delete_account(cast.person("Gaspard"))
    assert read_by(game) == set()


def test_an_opened_room_is_read_and_not_written_in() -> None:
    game = corresponded()
    agree(game, "Flora", "Gaspard")
    rooms = Client().get(address(game)).text
    assert PAIR in rooms
    assert OTHER not in rooms
