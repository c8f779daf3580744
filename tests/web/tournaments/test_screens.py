"""Screens of the room: the clock by the server's hour, draw, absentees, standings, and whose they are."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from talleyrand.tournament.model import (
    BoardResult,
    Bye,
    ByeReason,
    ClockState,
    DirectorRuling,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    PowerSeat,
    RoundState,
)
from talleyrand.web.tournaments import access_tokens, tournament_creation
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.screens import projector_clocks, screen_contents, screen_rotation
from tests.web import cast
from tests.web.tournaments.scene import NAMES, director

pytestmark = pytest.mark.django_db
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
NOW = datetime(2026, 7, 4, 18, 0, 0, tzinfo=UTC)
FIRST, SECOND = 18 * 60, 16 * 60


def at(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def board(first: int, **more: Any) -> EventBoard:
    seats = {power: PowerSeat(first + place) for place, power in enumerate(POWERS)}
    return EventBoard(**{"seats": seats, **more})


def event(state: RoundState = RoundState.PLAYING, **more: Any) -> Event:
    """Fifteen people: two boards, one who stands down, one who is missing."""
    planned = tournament_creation.event_from_preset("Angers 2026", "anjou_feu")
    people = {number: EventPerson(name, rounds=(1,)) for number, name in enumerate(NAMES[:16], 1)}
    survivor = board(8, variant="survivor_turkey")
    survivor = replace(survivor, seats={**survivor.seats, "TURKEY": PowerSeat()})
    one = EventRound(
        state=state,
        present={number: at(NOW) for number in people if number != 16},
        resting={14: Bye(ByeReason.LOT)},
        boards={1: board(1), 2: survivor}
        if state in (RoundState.PLAYING, RoundState.CLOSED, RoundState.DRAFT)
        else {},
        **more,
    )
    return replace(planned, people=people, rounds={**planned.rounds, 1: one})


def kept(made: Event, *, listed: bool = True) -> Tournament:
    row = tournament_creation.create_tournament(made, director())
    Tournament.objects.filter(pk=row.pk).update(is_listed=listed)
    return Tournament.objects.get(pk=row.pk)


def way(row: Tournament, rest: str = "", language: str = "") -> str:
    return (
        f"{language}/tournois/{row.key}/ecrans/{rest}"
        if not language
        else f"/en/tournaments/{row.key}/screens/{rest}"
    )


def desk() -> Client:
    client = Client()
    client.force_login(director())
    return client


def test_what_a_room_looks_at_stays_in_the_language_of_its_link(client: Client) -> None:
    row, browser = kept(running()), {"Accept": "text/html", "Accept-Language": "en"}
    assert 'lang="fr"' in client.get(way(row, "clock/"), headers=browser).text
    assert client.get(way(row), headers=browser)["Location"] == way(row, language="en")


# the clock


def running(**more: Any) -> Event:
    return event(clock=ClockState(started=at(NOW)), **more)


def test_the_clock_before_it_begins() -> None:
    [face] = projector_clocks.projector_clocks(event(), 1, NOW)
    assert (face.state, face.season, face.digits, face.next) == ("waiting", "Printemps 1901", "18:00", "")


def test_the_clock_runs_from_season_to_season() -> None:
    [face] = projector_clocks.projector_clocks(running(), 1, NOW + timedelta(seconds=60))
    assert (face.state, face.season, face.digits, face.next) == (
        "running",
        "Printemps 1901",
        "17:00",
        "Automne 1901",
    )
    assert [one.left for one in face.seasons[:3]] == [
        FIRST - 60,
        FIRST - 60 + SECOND,
        2 * FIRST - 60 + SECOND,
    ]
    assert face.last_year == 1906
    assert len(face.seasons) == 12
    [later] = projector_clocks.projector_clocks(running(), 1, NOW + timedelta(seconds=FIRST - 100))
    assert (later.state, later.left) == ("writing", 100)
    [autumn] = projector_clocks.projector_clocks(running(), 1, NOW + timedelta(seconds=FIRST))
    assert (autumn.season, autumn.digits) == ("Automne 1901", "16:00")
    [over] = projector_clocks.projector_clocks(running(), 1, NOW + timedelta(days=1))
    assert (over.state, over.seasons) == ("over", ())


def test_a_paused_clock_tells_nothing_of_later_seasons() -> None:
    [face] = projector_clocks.projector_clocks(event(clock=ClockState(season=2, elapsed=60)), 1, NOW)
    assert (face.state, face.season, face.digits) == ("paused", "Printemps 1902", "17:00")
    assert len(face.seasons) == 1


def test_merged_seasons_are_one() -> None:
    [face] = projector_clocks.projector_clocks(
        event(clock=ClockState(started=at(NOW), lengths={1: 0})), 1, NOW
    )
    assert [one.title for one in face.seasons[:2]] == ["Printemps 1901 + Automne 1901", "Printemps 1902"]


def test_a_board_ahead_has_a_clock_of_its_own() -> None:
    made = running()
    one = made.rounds[1]
    boards = {**one.boards, 2: replace(one.boards[2], offset=FIRST)}
    [face, ahead] = projector_clocks.projector_clocks(
        replace(made, rounds={**made.rounds, 1: replace(one, boards=boards)}), 1, NOW
    )
    assert (face.boards, face.season) == ((), "Printemps 1901")
    assert (ahead.boards, ahead.season, ahead.label) == ((2,), "Automne 1901", "Table 2")


def test_what_a_script_is_told(client: Client) -> None:
    started = datetime.now(UTC) - timedelta(seconds=30)
    row = kept(event(clock=ClockState(started=at(started))))
    told = json.loads(client.get(way(row, "clock.json?round=1")).content)
    [face] = told["clocks"]
    assert face["running"]
    assert face["writing"] == 120
    passed = told["now"] / 1000 - started.replace(microsecond=0).timestamp()
    assert face["seasons"][0]["left"] == FIRST - int(passed)


# pages


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", screen_rotation.SCREENS)
@pytest.mark.parametrize("language", ["", "en"])
def test_every_screen_of_every_state(name: str, language: str) -> None:
    client = desk()
    for state in RoundState:
        row = kept(results() if state is RoundState.CLOSED else event(state))
        page = client.get(way(row, f"{name}/", language))
        assert page.status_code == 200
        assert b'class="screen screen-' in page.content
        part = client.get(way(row, f"{name}/", language), headers={"X-Talleyrand-Part": "screen"})
        assert part.content.strip().startswith(b"<section")


def test_an_event_without_rounds_has_screens_too() -> None:
    row = kept(Event("Rien", rounds={}))
    for name in screen_rotation.SCREENS:
        assert desk().get(way(row, f"{name}/")).status_code == 200


def test_the_draw_by_name_and_by_board(client: Client) -> None:
    row = kept(event())
    page = client.get(way(row, "draw/")).content.decode()
    assert page.index("Agathe Oriol") < page.index("Bastien Quéré") < page.index("Élodie Marchand")
    assert "Ne jouent pas" in page
    tables = client.get(way(row, "draw/?order=board")).content.decode()
    assert "Table 1" in tables
    assert "suit son script" in tables


@pytest.mark.parametrize("name", ["draw", "clock", "standings"])
def test_a_draft_is_nobodys_business(client: Client, name: str) -> None:
    row = kept(event(RoundState.DRAFT))
    for visitor in (client, desk()):  # the desk projects it by mistake
        assert "Turquie" not in visitor.get(way(row, f"{name}/")).content.decode()


def test_who_is_still_expected(client: Client) -> None:
    row = kept(event(RoundState.OPEN))
    page = client.get(way(row, "arrivals/")).content.decode()
    assert NAMES[15] in page
    assert NAMES[0] not in page
    assert "<strong>15</strong> / 16" in page


def results(**more: Any) -> Event:
    made = event(RoundState.CLOSED)
    one = made.rounds[1]
    centres = dict(zip(POWERS, (10, 8, 6, 5, 3, 2, 0), strict=True))
    boards = {
        at: replace(held, result=BoardResult(centres, confirmed="desk")) for at, held in one.boards.items()
    }
    return replace(made, rounds={**made.rounds, 1: replace(one, boards=boards, **more)})


def test_standings_with_three_decimals(client: Client) -> None:
    page = client.get(way(kept(results()), "standings/")).content.decode()
    assert page.count("<tr>") == 14
    assert NAMES[0] in page
    assert "," in page[page.index("total") :]
    hidden = client.get(way(kept(results(revealed=False)), "standings/")).content.decode()
    assert "<tr>" not in hidden


def test_rulings_that_are_shown(client: Client) -> None:
    made = replace(
        event(),
        rulings={
            1: DirectorRuling(at(NOW), "Le convoi compte.", round=1, board=2, shown=True),
            2: DirectorRuling(at(NOW), "Entre nous.", round=1),
        },
    )
    for visitor in (client, desk()):
        page = visitor.get(way(kept(made), "rulings/")).content.decode()
        assert "Le convoi compte." in page
        assert "Ronde 1, table 2" in page
        assert "Entre nous." not in page


def test_the_door_is_the_desks(client: Client) -> None:
    row = kept(event())
    code = access_tokens.room_code(row)
    page = desk().get(way(row, "door/")).content.decode()
    assert code[:3] in page
    assert "<svg" in page
    player = Client()
    player.force_login(cast.person("Flora"))
    for visitor in (client, player):
        assert visitor.get(way(row, "door/")).status_code == 404
        assert code[:3] not in visitor.get(way(row)).content.decode()
        assert visitor.get(way(row, "clock/?tour=door,clock,draw")).content.decode().count("door") == 0


@pytest.mark.parametrize("name", ["", "clock/", "draw/", "standings/", "clock.json"])
def test_a_tournament_that_is_not_listed_does_not_exist(client: Client, name: str) -> None:
    row = kept(event(), listed=False)
    assert client.get(way(row, name)).status_code == 404
    assert desk().get(way(row, name)).status_code == 200


@pytest.mark.parametrize(
    "asked",
    [
        "nothing/",
        "CLOCK/",
        "clock/?round=99",
        "clock/?round=-1",
        "clock/?round=%D9%A1",
        "clock/?seconds=99999999999",
        "clock/?tour=,,x,clock",
        "clock/?order=%00&seconds=%C3%A9",
        "?screen=door&screen=nothing",
        "?round=" + "9" * 5000,
    ],
)
def test_what_means_nothing_in_an_address(client: Client, asked: str) -> None:
    row = kept(event())
    status = client.get(way(row, asked)).status_code
    assert status == (404 if asked in ("nothing/", "CLOCK/") else 200)
    assert client.post(way(row, asked)).status_code == 405


def test_several_in_turn() -> None:
    row = kept(event())
    answer = desk().get(way(row, "?screen=clock&screen=standings&screen=door&seconds=2&round=1"))
    assert answer.status_code == 302
    page = desk().get(answer["Location"]).content.decode()
    assert 'data-seconds="5"' in page
    tour = screen_rotation.ScreenRotation(row.key, 1, ("clock", "standings", "door"), 5)
    chosen = replace(tour, chosen=True)
    assert tour.next_url("clock") == tour.screen_url("standings")
    assert tour.next_url("door") == tour.screen_url("clock")
    assert "round=" not in tour.screen_url("clock")  # it follows the room into the next round
    assert "round=1" in answer["Location"]
    assert tour.previous_url("clock") == tour.screen_url("door")
    assert tour.next_url("rulings") == tour.screen_url("clock")
    assert screen_rotation.ScreenRotation(row.key, 1, ("clock",)).next_url("clock") == ""
    assert f'content="5;url={chosen.screen_url("standings").replace("&", "&amp;")}"' in page


@pytest.mark.parametrize(
    ("states", "found"),
    [
        ((RoundState.CLOSED, RoundState.PLAYING, RoundState.PLANNED), 2),
        ((RoundState.CLOSED, RoundState.CLOSED, RoundState.PLANNED), 2),
        ((RoundState.PLANNED, RoundState.PLANNED), 1),
        ((RoundState.CLOSED, RoundState.OPEN), 2),
        ((), 0),
    ],
)
def test_the_round_that_concerns_the_room(states: tuple[RoundState, ...], found: int) -> None:
    made = Event("x", rounds={number: EventRound(state=one) for number, one in enumerate(states, 1)})
    assert screen_contents.shown_round(made) == found


# the script of a power that nobody plays


@pytest.mark.parametrize(
    ("asked", "status", "shown"),
    [
        ("", 200, "Printemps 1901"),
        ("?moment=SM&year=1903&units=F+Con,+A+Bul", 200, "F Con S A Bul"),
        ("?moment=WA&year=1901&units=F+Con,A+Bul,A+Ank&centres=Con,Bul,Ank,Smy", 200, "A Smyrne construite"),
        ("?moment=SM&year=1903&units=", 200, "Aucun ordre."),
        ("?moment=WA&year=1903&units=A+Bul", 409, 'value="A Bul"'),
        ("?moment=SM&year=demain&units=A+Bul", 409, 'value="demain"'),
        ("?moment=SM&year=1903&units=Z+Nulle-part", 409, 'value="Z Nulle-part"'),
        ("?moment=XX&year=%00&units=%00&centres=" + "x" * 3000, 409, "refusal"),
        ("?moment=SM&year=1903&units=%3Cscript%3E", 409, "&lt;script&gt;"),
    ],
)
def test_what_the_script_does_now(client: Client, asked: str, status: int, shown: str) -> None:
    answer = client.get(way(kept(event()), f"script/{asked}"))
    assert answer.status_code == status
    assert shown in answer.content.decode()


def test_the_script_in_english(client: Client) -> None:
    page = client.get(
        way(kept(event()), "script/?moment=FM&year=1902&units=A+Smyrna,A+Ankara", "en")
    ).content.decode()
    assert "A Smyrna supports A Ankara" in page
    assert "Every season after that" in page
