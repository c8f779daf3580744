"""Centres year by year on pages: a telephone at the board, the desk, a game on this site."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from talleyrand.tournament.model import EventBoard, PowerSeat
from talleyrand.web.games import phase_adjudication
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.tournaments import linked_game
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.cast import BEGUN
from tests.web.tournaments import hall

pytestmark = pytest.mark.django_db

BOARD = (1, 1)
FIRST = dict(zip(hall.POWERS, (5, 4, 5, 5, 4, 6, 5), strict=True))


def year(told: int | str = 1901, **other: str) -> dict[str, str]:
    sent = {f"centres_{power}": str(count) for power, count in FIRST.items()}
    return {"year": str(told), "neutral": "0", "submission": "one", **sent, **other}


def post(made: Tournament, who: int, **sent: Any) -> Any:
    return hall.phone(made, who).post(hall.path(made, "count_years", *BOARD), sent)


def board(made: Tournament) -> EventBoard:
    return hall.event(made).rounds[1].boards[1]


def desk(made: Tournament, press: str, **sent: Any) -> Any:
    client = cast.client_of(cast.MASTER)
    return client.post(hall.path(made, "desk_board", *BOARD), {"press": press, **sent})


def page(made: Tournament, who: int = 0, asked: str = "") -> str:
    return hall.text(hall.phone(made, who).get(hall.path(made, "board", *BOARD) + asked))


def test_a_telephone_of_the_board_writes_a_year_down_once() -> None:
    made = hall.playing()
    for _again in range(2):
        assert post(made, 1, **year()).status_code == 302
    assert board(made).years == {1901: FIRST}
    assert made.entries.count() == 1
    shown = page(made, 2)
    assert "<polyline" in shown
    assert 'name="year" value="1902"' in shown
    assert 'value="1901"' in page(made, 2, "?year=1901")
    assert "<polyline" not in page(made)  # how it stands is the board's until the desk shows it
    assert post(made, 3, year="1901", neutral="0").status_code == 302  # struck out
    assert board(made).years == {}


REFUSED = [
    {},
    {"year": "1901"},
    year("1899"),
    year("x" * 40),
    year("٣"),
    year("1901", centres_FRANCE="-1"),
    year("1901", centres_FRANCE="\0"),
    year("1901", centres_FRANCE="6"),
    year("1901", neutral="1"),
    year("1901", centres_FRANCE=""),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sent", REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_comes_back_as_it_was_typed(sent: dict[str, str]) -> None:
    made = hall.playing()
    answer = post(made, 1, **sent)
    assert answer.status_code == 409
    shown = hall.text(answer)
    assert 'role="alert"' in shown
    if sent.get("centres_RUSSIA"):
        assert 'name="centres_RUSSIA" value="6"' in shown
    assert board(made).years == {}


@pytest.mark.parametrize("asked", ["?year=", "?year=x", "?year=99999999", "?year=1901&year=1902", "?year=٣"])
def test_any_year_may_be_asked_for(asked: str) -> None:
    assert "1901" in page(hall.playing(), 1, asked)


def test_nobody_elsewhere_writes_anything() -> None:
    made = hall.playing()
    assert post(made, 8, **year()).status_code == 409
    assert post(made, 0, **year()).status_code == 302  # nobody's phone is led to the door
    other = hall.phone(made, 1).post(hall.path(made, "count_years", 1, 9), year())
    assert other.status_code == 404
    assert board(made).years == {}


def test_the_desk_writes_corrects_and_takes_back() -> None:
    made = hall.playing()
    assert desk(made, "years_counted", **year()).status_code == 302
    assert desk(made, "years_counted", **year(1902, centres_TURKEY="x")).status_code == 409
    assert desk(made, "years_counted", **year(centres_TURKEY="4", centres_RUSSIA="7")).status_code == 302
    assert board(made).years[1901]["RUSSIA"] == 7
    client = cast.client_of(cast.MASTER)
    shown = hall.text(client.get(hall.path(made, "desk_board", *BOARD)))
    assert "<polyline" in shown
    log = hall.text(client.get(hall.path(made, "desk_log")))
    assert "Centres de 1901 mis à jour, table 1 de la ronde 1." in log


def begun(made: Tournament, phases: int) -> Game:
    """Board 1 as a game on this site, in which nobody writes anything."""
    game = cast.table()
    for number in range(1, phases + 1):
        game.refresh_from_db()
        phase_adjudication.adjudicate_phase(game, game.phase_number, BEGUN + timedelta(days=number))
    now = board(made)
    played = EventBoard(seats=now.seats, game=game.key)
    hall.with_round(made, 1, boards={1: played})
    game.refresh_from_db()
    return game


def test_years_of_a_game_on_this_site() -> None:
    made = hall.playing()
    assert desk(made, "years_taken").status_code == 409  # no game
    game = begun(made, 2)  # spring and autumn
    assert desk(made, "years_taken").status_code == 302
    start = {"AUSTRIA": 3, "ENGLAND": 3, "FRANCE": 3, "GERMANY": 3, "ITALY": 3, "RUSSIA": 4, "TURKEY": 3}
    assert board(made).years == {1901: start}
    assert linked_game.years_of(board(made)) == {1901: start}
    Game.objects.filter(pk=game.pk).update(key="elsewhere")
    assert linked_game.years_of(board(made)) == {}


def test_a_latecomer_has_missed_the_seasons_of_his_board_s_own_game() -> None:
    made = hall.playing()
    seats = {**board(made).seats, "TURKEY": PowerSeat()}
    game = begun(made, 3)  # two seasons, and the winter after them
    held = EventBoard("survivor_turkey", seats, game=game.key)
    hall.with_round(made, 1, boards={1: held})
    for phase, over in (
        ("S1901M", 0),
        ("S1901R", 1),
        ("F1901M", 1),
        ("F1901R", 2),
        ("W1901A", 2),
        ("F1904M", 7),
    ):
        Game.objects.filter(pk=game.pk).update(phase=phase)
        assert linked_game.seasons_over(held) == over
    client = cast.client_of(cast.MASTER)
    sent = {"press": "late", "seat": "1 TURKEY", "person": "9", "missed": ""}
    answer = client.post(hall.path(made, "desk_boards", 1), sent)
    assert answer.status_code == 302, hall.text(answer)
    assert (board(made).seats["TURKEY"].person, board(made).seats["TURKEY"].missed) == (9, 7)
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED)
    assert linked_game.seasons_over(held) is None
