"""Escalation on line: turn by turn, lists that wait in secret, and the phases that only it has."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from talleyrand.engine.position import Phase
from talleyrand.formats.phase_heading_parser import phase_sort_key
from talleyrand.web.boards import order_requests
from talleyrand.web.games import deadline_clock, game_lifecycle, order_submission, phase_adjudication
from talleyrand.web.games.endings import game_scores
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.game_master.action_base import ExpectedRevision, GameMasterActor
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import game_creation, game_start, membership_actions
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import Game, GameRole, PhaseRevision
from talleyrand.web.practice import practice_records
from talleyrand.web.press import press_rules
from talleyrand.web.tournaments import linked_game
from tests.web.cast import BEGUN, MASTER, client_of, person

pytestmark = pytest.mark.django_db
POWERS = ("BLUE", "GREEN", "PINK", "RED", "YELLOW")


def player(power: str) -> str:
    return f"Joueur {power.title()}"


def begun(submission: str = "", **terms: Any) -> Game:
    plan = GamePlan(
        "Montée",
        "escalation_5",
        "anjou_feu",
        GameSettings(**terms),
        is_listed=True,
        role=GameRole.GAME_MASTER,
    )
    game = game_creation.create_game(plan, person(MASTER), submission)
    for power in POWERS:
        membership_actions.join_game(game, person(player(power)))
    known = {power: game.memberships.get(person=person(player(power))).pk for power in POWERS}
    return game_start.start_game(game, BEGUN, chosen=known)


def hand_in(game: Game, power: str, *lines: str) -> None:
    game.refresh_from_db()
    order_submission.submit_orders(
        game,
        power,
        lines,
        number=game.phase_number,
        key="",
        origin="text",
        at=BEGUN + timedelta(hours=game.phase_number),
        by=person(player(power)),
    )
    deadline_clock.check_due_games(BEGUN + timedelta(hours=game.phase_number))
    game.refresh_from_db()


def picked(game: Game, number: int) -> list[str]:
    """Who chose or gave back what in a phase, as everybody reads it."""
    revision = PhaseRevision.objects.get(game=game, phase_number=number, is_current=True)
    told = (revision.answer or {})["politics"]["chosen"]
    return [f"{one['power']} {one['centre']} {one['by']}" for one in told]


def everything_written(game: Game, name: str) -> str:
    """All that somebody may read of a game: pages of its phases, and its record."""
    client = client_of(name)
    paths = [f"/parties/{game.key}/", *(f"/parties/{game.key}/{n}/" for n in range(1, game.phase_number))]
    pages = [*paths, f"/parties/{game.key}/game.json"]
    return " ".join(client.get(path).content.decode() for path in pages)


def drafted(submission: str = "", **terms: Any) -> Game:
    """A game in which everybody has handed in lists enough for the whole draft."""
    game = begun(submission, **terms)
    lists = {
        "YELLOW": "ANK CON SMY SEV RUM",
        "RED": "ROM VEN NAP TUN TRI",
        "PINK": "BER MUN KIE VIE BUD",
        "GREEN": "LON EDI LVP NWY SWE",
        "BLUE": "PAR BRE MAR BEL SPA",
    }
    for power, codes in lists.items():
        hand_in(game, power, f"choose {codes}", f"give back {codes.split()[-1]}")
    return game


def test_a_turn_is_played_as_soon_as_it_is_written_and_lists_wait_in_secret() -> None:
    game = begun(rhythm={"hours": 72, "early": False})
    assert game.phase == "W1900D"
    assert game.deadline == BEGUN + timedelta(hours=24)
    hand_in(game, "GREEN", "choisir Londres, Édimbourg, Norvège")
    assert game.phase_number == 1
    hand_in(game, "BLUE", "Belgique")
    assert (game.phase, game.phase_number) == ("W1900D", 2)
    assert picked(game, 1) == ["BLUE BEL list", "GREEN LON list"]
    waiting = order_submission.counting_order_sets(game, 2)
    assert {power: one.lines for power, one in waiting.items()} == {"GREEN": ["PICK EDI NWY"]}
    for name in (player("BLUE"), player("RED"), "Zoé"):
        told = everything_written(game, name)
        assert "Londres" in told
        assert "PICK EDI" not in told
        assert "Édimbourg, Norvège" not in told
    assert "PICK EDI" in everything_written(game, player("GREEN"))


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("parties", ["Centres choisis", "Vert · Londres", "est dit à la fin de la partie"]),
        ("en/games", ["Centres chosen", "Green · London", "is told when the game is over"]),
    ],
)
def test_the_text_of_a_running_draft_tells_what_was_taken_and_what_is_secret(
    folder: str, told: list[str]
) -> None:
    game = begun()
    hand_in(game, "GREEN", "choisir Londres, Édimbourg, Norvège")
    hand_in(game, "BLUE", "Belgique")
    text = client_of("Zoé").get(f"/{folder}/{game.key}/game.txt").content.decode()
    assert [words for words in told if words not in text] == [], text
    assert not {"Édimbourg", "Edinburgh", "EDI"} & set(re.findall(r"\w+", text))
    assert len(practice_records.import_game(text).turns) == 1


def test_who_is_absent_gets_the_usual_centre_at_the_deadline_and_nobody_waits_longer() -> None:
    game = begun(rhythm={"hours": 72})
    assert game.deadline is not None
    deadline_clock.check_due_games(game.deadline + timedelta(minutes=1))
    game.refresh_from_db()
    assert game.phase_number == 2
    assert [line.rpartition(" ")[2] for line in picked(game, 1)] == ["default"]


def test_a_list_that_names_what_is_gone_does_not_count_and_may_be_mended_in_time() -> None:
    game = begun(rhythm={"hours": 24})
    hand_in(game, "BLUE", "Belgique")
    hand_in(game, "GREEN", "Belgique")
    assert game.phase_number == 2  # nothing of it is to be had: there is time for another
    hand_in(game, "GREEN", "Hollande")
    assert picked(game, 2) == ["GREEN HOL list"]
    hand_in(game, "PINK", "Hollande")
    assert game.deadline is not None
    deadline_clock.check_due_games(game.deadline + timedelta(minutes=1))
    assert picked(game, 3)[0].endswith("default")


def test_a_list_in_preparation_waits_for_its_own_turn_and_goes_on_through_the_others() -> None:
    game = begun(rhythm={"hours": 24}, drafts_count=True)
    lists = {"GREEN": ["PICK LON"], "PINK": ["PICK BER"]}
    for power, lines in lists.items():
        change = order_requests.change_from_json({"lines": {power: lines}}, power)
        order_submission.change_draft(game, power, 1, change, BEGUN)
    assert game.deadline is not None
    deadline_clock.check_due_games(game.deadline + timedelta(minutes=30))
    game.refresh_from_db()
    assert picked(game, 1)[0].endswith("default")
    assert len(picked(game, 1)) == 1
    drafts = {seat.power: order_submission.draft_lines(seat, 2) for seat in game.seats.all()}
    assert {power: lines for power, lines in drafts.items() if lines} == lists
    assert game.deadline is not None
    deadline_clock.check_due_games(game.deadline + timedelta(minutes=30))
    assert picked(game, 2) == ["GREEN LON list"]


@pytest.mark.long
def test_who_has_only_said_what_to_give_back_is_waited_for_in_the_turns_to_choose() -> None:
    game = begun()
    hand_in(game, "BLUE", "Belgique", "rendre Espagne")
    for power, centre in zip(POWERS[1:], ("LON", "BER", "ROM", "ANK"), strict=True):
        hand_in(game, power, centre)
    assert game.phase_number == 6
    hand_in(game, "GREEN", "choisir Édimbourg")  # the clock looks at the game
    assert game.phase_number == 6
    hand_in(game, "BLUE", "Paris", "rendre Belgique")
    assert picked(game, 6) == ["BLUE PAR list", "GREEN EDI list"]


def test_lists_of_all_make_the_draft_in_one_phase_and_the_year_1900_is_silent() -> None:
    game = drafted()
    assert (game.phase, game.phase_number) == ("W1900A", 2)
    assert len(picked(game, 1)) == 30
    assert press_rules.press_mode(press_rules.press_situation(game)) == "between"
    for power in POWERS:
        hand_in(game, power, *(["F BRE B", "WAIVE", "A PAR B"] if power == "BLUE" else []))
    phase_adjudication.adjudicate_phase(game, 2, BEGUN + timedelta(days=9))
    game.refresh_from_db()
    assert game.phase == "S1901M"
    assert press_rules.press_mode(press_rules.press_situation(game)) == "full"
    situation = PhaseRevision.objects.get(game=game, phase_number=2).next_situation or {}
    assert situation["units"]["BLUE"] == ["F BRE", "A PAR"]
    assert situation["units"]["RED"] == ["A NAP", "A ROM", "A TUN", "A VEN"]


@pytest.mark.long
def test_homes_are_named_after_the_autumn_and_the_lists_are_told_when_the_game_is_over() -> None:
    game = drafted()
    for day in (9, 12, 15):
        phase_adjudication.adjudicate_phase(game, game.phase_number, BEGUN + timedelta(days=day))
        game.refresh_from_db()
    assert game.phase == "W1901N"
    hand_in(game, "BLUE", "nationaux Brest, Belgique, Paris")
    phase_adjudication.adjudicate_phase(game, game.phase_number, BEGUN + timedelta(days=20))
    game.refresh_from_db()
    last = PhaseRevision.objects.filter(game=game, is_current=True).latest("phase_number")
    homes = (last.next_situation or {})["homes"]
    assert homes["BLUE"] == ["BEL", "BRE", "PAR"]
    assert homes["YELLOW"] == ["ANK", "CON", "SMY"]
    assert "PICK PAR" not in everything_written(game, player("RED"))
    game_lifecycle.end_game(game, {"kind": "draw", "powers": list(POWERS)}, BEGUN + timedelta(days=30))
    game.refresh_from_db()
    assert "PICK PAR BRE" in everything_written(game, player("RED"))


@pytest.mark.long
@pytest.mark.parametrize("over", [False, True])
def test_a_draft_is_taken_out_and_read_again_turn_by_turn(over: bool) -> None:
    game = begun()
    for power, centre in zip(POWERS, ("PAR", "LON", "BER", "ROM", "ANK"), strict=True):
        hand_in(game, power, f"choose {centre}")
    for day in (9, 10):
        phase_adjudication.adjudicate_phase(game, game.phase_number, BEGUN + timedelta(days=day))
        game.refresh_from_db()
    last = GameHistory(game).situation(game.phase_number) or {}
    if over:
        game_lifecycle.end_game(game, {"kind": "draw", "powers": list(POWERS)}, BEGUN + timedelta(days=30))
    for form in ("json", "txt") if over else ("json",):
        told = client_of(player("RED")).get(f"/parties/{game.key}/game.{form}").content.decode()
        turns = practice_records.import_game(told).turns
        assert [turn.phase for turn in turns] == ["W1900D"] * 7
        assert turns[-1].answer["politics"]["picks"] == last["politics"]["picks"]


def test_a_winter_comes_after_its_year_though_the_game_begins_with_one() -> None:
    calendar = GameHistory(begun()).variant.definition.calendar
    codes = ["W1900D", "W1900A", "S1901M", "F1901R", "W1901N", "W1901A", "S1902M"]
    phases = [Phase.parse(code) for code in codes]
    assert sorted(phases, key=lambda phase: phase_sort_key(phase, calendar)) == phases


def test_its_first_year_is_that_of_its_first_moves() -> None:
    game = begun()
    variant = GameHistory(game).variant
    assert linked_game.years_later(game) == 0
    later = Game(variant="escalation_5", settings_json=GameSettings(first_year=2001).as_json())
    assert linked_game.years_later(later) == -100
    before = GameSettings(start=GameHistory(game).situation(1) or {})
    assert game_scores.first_year_played(variant, before) == 1901
    client = client_of(MASTER)
    sent = {"name": "Montée", "variant": "escalation_5", "first_year": "1901", "submission": "montee-1901"}
    assert client.post("/parties/nouvelle/", sent).status_code == 302
    assert Game.objects.latest("pk").settings.first_year == 0


def test_the_year_before_the_first_moves_is_silent_in_whichever_year_they_are() -> None:
    game = begun()

    def mode(phase: str, year: int) -> str:
        game.phase, game.settings_json = phase, GameSettings(first_year=year).as_json()
        return str(press_rules.press_mode(press_rules.press_situation(game)))

    assert {mode("W1900A", 0), mode("W1999A", 2000), mode("W1800D", 1801)} == {"between"}
    assert {mode("W1901A", 0), mode("W2000A", 2000), mode("W1801A", 1801)} == {"full"}


def test_a_turn_taken_back_waits_for_its_player() -> None:
    game = begun()
    hand_in(game, "GREEN", "choose London")
    hand_in(game, "BLUE", "choose Belgium")
    assert game.phase_number == 2
    last = GameHistory(game).revision(1)
    assert last is not None
    master = GameMasterActor(person(MASTER), GameRole.GAME_MASTER)
    at = BEGUN + timedelta(hours=3)
    phase_corrections.roll_back_phase(game, ExpectedRevision.from_revision(last), hand=master, now=at)
    hand_in(game, "RED", "choose Rome")
    assert (game.phase, game.phase_number) == ("W1900D", 1)
    hand_in(game, "BLUE", "choose Paris")
    assert picked(game, 1)[:2] == ["BLUE PAR list", "GREEN LON list"]
