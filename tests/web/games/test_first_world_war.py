"""Two people play the First World War on line: the sides, neutral Italy, the toss, and who leads it then."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from django.utils.translation import override

from talleyrand import variants
from talleyrand.formats import game_record
from talleyrand.web.common.model_fields import json_text
from talleyrand.web.games import power_assignments
from talleyrand.web.games.endings import agreed_end, end_proposals, game_results, game_scores
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import phase_corrections, position_changes, seat_actions
from talleyrand.web.games.game_master.action_base import GameMasterRefusal
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameLogEntry
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.subscriptions import report_texts
from talleyrand.web.notifications.models import Notification
from tests.web.api.asking import program
from tests.web.cast import STRANGER, client_of, person

from .acting import fresh, hand_in
from .tables import words
from .test_corners import ground, hand
from .wars import POWERS, SIDES, TWO, begun, played, player, to_winter

pytestmark = pytest.mark.django_db


def page(game: Game, name: str, path: str = "") -> str:
    return words(client_of(name).get(f"/parties/{game.key}/{path}"))


def side_of_italy(game: Game) -> str:
    situation = GameHistory(game).situation(game.phase_number) or {}
    return str(situation["politics"]["italy"])


def told_of_italy(name: str) -> bool:
    given = Notification.objects.filter(person=person(name), kind="given")
    return given.annotate(power=json_text("facts__power")).filter(power="ITALY").exists()


def test_two_players_have_three_powers_each_and_nobody_has_italy() -> None:
    game = begun()
    held = {name: power_assignments.powers_played_by(game, person(name)) for name in TWO}
    assert sorted(held.values()) == [("AUSTRIA", "GERMANY", "TURKEY"), ("ENGLAND", "FRANCE", "RUSSIA")]
    assert player(game, "ITALY") == ""
    assert not game.seats.get(power="ITALY").in_civil_disorder
    assert game.phase == "S1914M"
    with pytest.raises(LobbyRefusal):
        membership_actions.join_game(game, person(STRANGER), power="ITALY")
    assert "Printemps 1914" in page(game, "Flora")
    assert "neutre" in page(game, "Flora", "infos/")
    assert membership_actions.valid_preferences(game, ["ITALY", "FRANCE"]) == ["FRANCE"]


def test_nobody_waits_for_neutral_italy() -> None:
    game = begun()
    played(game, {power: [] for power in POWERS})
    revision = game.revisions.get(phase_number=1)
    assert revision.powers_without_orders == []
    assert fresh(game).phase == "F1914M"


def test_the_toss_is_told_and_whoever_plays_the_side_leads_italy() -> None:
    game = to_winter(begun())
    assert game.phase == "W1914A"
    side = side_of_italy(game)
    leader = player(game, "FRANCE" if side == "ENTENTE" else "AUSTRIA")
    assert player(game, "ITALY") == leader
    loser = next(name for name in TWO if name != leader)
    told = page(game, loser, "2/")
    assert "l’Italie rejoint l" in told
    assert "SHA-256" in told
    assert GameLogEntry.objects.filter(game=game, kind="given_seat").count() == 1
    assert told_of_italy(leader)
    assert not told_of_italy(loser)
    game = played(game, {"ENGLAND": ["A LVP"], "TURKEY": ["A CON"]})
    assert game.phase == "S1915M"
    hand_in(game, "ITALY", ["A VEN - PIE"])
    played(game)
    assert "PIE" in str(GameHistory(game).situation(fresh(game).phase_number)["units"]["ITALY"])  # type: ignore[index]


@pytest.mark.long
def test_either_side_may_win_it_by_the_seed() -> None:
    found = {side_of_italy(to_winter(begun(seed))) for seed in ("a", "b", "c", "d", "e", "f")}
    assert found == {"ENTENTE", "CENTRAL"}


@pytest.mark.long
def test_the_record_of_a_running_game_tells_the_toss_though_not_the_seed() -> None:
    found = set()
    for seed in ("a", "b", "c", "d"):
        game = to_winter(begun(seed))
        game = played(game)
        told = client_of(TWO[0]).get(f"/parties/{game.key}/game.json").json()
        assert told["seed"] == ""
        *_, last = game_record.replay(game_record.read_game_record(told))
        after = last.judged.answer()["politics"]
        assert isinstance(after, dict)
        assert after["italy"] == side_of_italy(game)
        found.add(after["italy"])
    assert len(found) == 2


def test_a_phase_that_is_taken_back_tosses_the_same_again() -> None:
    game = to_winter(begun())
    side, leader = side_of_italy(game), player(game, "ITALY")
    phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=timezone.now())
    assert fresh(game).phase == "F1914M"
    again = played(game)
    assert side_of_italy(again) == side
    assert player(again, "ITALY") == leader
    assert GameLogEntry.objects.filter(game=game, kind="given_seat").count() == 1


def test_italy_goes_with_the_player_who_leads_its_side_by_then() -> None:
    game = begun()
    side_player = player(game, "FRANCE")
    seat = game.seats.get(power="FRANCE")
    seat_actions.replace_player(
        game,
        "FRANCE",
        person(STRANGER),
        seat_actions.seat_player_mark(seat),
        hand=hand(),
        now=timezone.now(),
    )
    game = to_winter(game)
    heir = player(game, "ENGLAND" if side_of_italy(game) == "ENTENTE" else "AUSTRIA")
    assert player(game, "ITALY") == heir
    assert side_player in TWO


def test_whoever_comes_after_the_toss_has_italy_with_its_side_at_once() -> None:
    game = to_winter(begun())
    leader = player(game, "ITALY")
    membership_actions.leave_game(game, person(leader))
    heir = "FRANCE" if side_of_italy(game) == "ENTENTE" else "AUSTRIA"
    membership_actions.join_game(fresh(game), person(STRANGER), power=heir)
    assert power_assignments.player_of(game, "ITALY") == person(STRANGER).pk
    assert not game.seats.get(power="ITALY").in_civil_disorder


@pytest.mark.long
def test_a_game_that_begins_after_the_toss_gives_italy_from_the_start() -> None:
    situation = GameHistory(played(to_winter(begun()))).situation(4) or {}
    side = situation["politics"]["italy"]
    game = begun(submission="later", start=situation)
    assert game.phase == "S1915M"
    assert player(game, "ITALY") == player(game, "FRANCE" if side == "ENTENTE" else "AUSTRIA")
    units = {power: some for power, some in situation["units"].items() if power != "ITALY"}
    centers = {power: some for power, some in situation["centers"].items() if power != "ITALY"}
    last = begun(submission="last", start={**situation, "units": units, "centers": centers})
    assert not last.seats.filter(power="ITALY").exists()
    assert played(last).phase == "F1915M"


def test_nobody_shares_out_italy() -> None:
    sides = [["ENGLAND", "FRANCE", "RUSSIA"], ["AUSTRIA", "GERMANY", "TURKEY"]]
    wrong = [
        {"shares": sides, "passive": ["ITALY"]},
        {"shares": sides, "disordered": ["ITALY"]},
        {"shares": [sides[0], [*sides[1], "ITALY"]]},
    ]
    for terms in wrong:
        sent = {"name": "Deux camps", "variant": "first_world_war", "terms": terms}
        answer = program(TWO[0]).ask("POST", "/games", sent)
        assert answer.status_code == 422
        assert "Italie" in answer.content.decode()
    sent = {"name": "Deux camps", "variant": "first_world_war", "terms": {"shares": sides}}
    assert program(TWO[0]).ask("POST", "/games", sent).status_code == 201


def test_a_program_reads_the_toss_and_orders_italy() -> None:
    game = to_winter(begun())
    leader = player(game, "ITALY")
    asking = program(leader)
    told = asking.get(f"/games/{game.key}/phases/2").json()
    assert told["answer"]["politics"]["toss"]["for"] == "ITALY1914"
    assert told["answer"]["politics"]["toss"]["drawn"] == side_of_italy(game)
    game = played(game)
    path = f"/games/{game.key}/phases/{game.phase_number}/orders"
    assert asking.ask("POST", f"{path}/ITALY/sheets", {"lines": ["A VEN H"]}).status_code == 201
    other = program(next(name for name in TWO if name != leader))
    assert other.ask("POST", f"{path}/ITALY/sheets", {"lines": ["A VEN H"]}).status_code in (403, 404)


def test_nobody_orders_neutral_italy_by_any_door() -> None:
    game = begun()
    path = f"/games/{game.key}/phases/{game.phase_number}/orders/ITALY/sheets"
    for name in (*TWO, STRANGER):
        assert program(name).ask("POST", path, {"lines": ["A VEN - TYR"]}).status_code in (403, 404)
    played(game, {"ITALY": ["A VEN - TYR", "F NAP H"]})
    told = game.revisions.get(phase_number=1).answer
    assert told is not None
    assert {one["error"]["kind"] for one in told["orders"] if one["power"] == "ITALY" and one["line"]} == {
        "illegal"
    }
    assert "A VEN" in told["units"]["ITALY"]


def test_a_side_that_has_24_units_has_won_where_its_winter_is_corrected() -> None:
    game = played(to_winter(begun()))
    after = GameHistory(game).situation(4) or {}
    board = GameHistory(game).variant.board
    turkish, *places = [f"A {code}" for code in sorted(board.centres)][:25]
    units = {"FRANCE": places, "TURKEY": [turkish]}
    won = position_changes.winners_in_position(game, "W1914A", {**after, "units": units})
    assert {"ENGLAND", "FRANCE", "RUSSIA"} <= set(won)
    units["FRANCE"].pop()
    assert not position_changes.winners_in_position(game, "W1914A", {**after, "units": units})
    assert not position_changes.winners_in_position(game, "F1914M", {**after, "phase": "W1914A"})


def test_two_people_agree_on_a_draw() -> None:
    game = played(to_winter(begun()))
    now = timezone.now()
    proposal = end_proposals.propose_end(game, "FRANCE", game.phase_number, "now", now)
    talks = end_proposals.EndProposalState(fresh(game))
    for power in talks.voters(proposal):
        end_proposals.answer_end_proposal(game, proposal.pk, power, "yes", now)
    assert agreed_end.end_game_if_agreed(game, now)
    assert fresh(game).result["kind"] == "draw"  # type: ignore[index]


def ended(game: Game) -> dict[str, Any]:
    return dict(fresh(game).result or {})


def test_a_war_that_ends_with_its_last_year_puts_a_side_first_by_its_units() -> None:
    game = played(to_winter(begun(last_year=1914)), {"ENGLAND": ["F LON"]})
    told = ended(game)
    side = (
        {"ENGLAND", "FRANCE", "RUSSIA"} if "ENGLAND" in told["powers"] else {"AUSTRIA", "GERMANY", "TURKEY"}
    )
    assert told["kind"] == "last_year"
    assert set(told["powers"]) == side | {"ITALY"}
    assert sorted(map(len, told["sides"])) == [3, 4]
    points = told["points"]
    assert len({points[power] for power in told["powers"]}) == 1
    assert len({points[power] for power in points.keys() - set(told["powers"])}) == 1
    told_page = page(game, "Flora", "fin/")
    assert "Dernière année jouée ; le camp qui a le plus d’unités" in told_page
    assert "Chaque puissance a les points de son camp." in told_page


def test_a_side_that_wins_has_all_the_points_and_neutral_italy_none() -> None:
    variant, terms = variants.load("first_world_war"), begun().settings
    at = {
        "phase": "W1914A",
        "centers": {"ENGLAND": ["LON"], "AUSTRIA": ["VIE", "TRI"], "ITALY": ["ROM"]},
        "units": {
            "ENGLAND": ["A LON", "F NTH"],
            "RUSSIA": ["A MOS"],
            "AUSTRIA": ["A VIE", "A TRI"],
            "ITALY": ["A ROM", "A NAP"],
        },
    }
    by_units = game_results.result_by_centres("agreed", variant.definition, at)
    assert by_units["powers"] == ["ENGLAND", "FRANCE", "RUSSIA"]
    shared = game_results.shared_draw(variant.definition, at)
    assert shared["powers"] == ["AUSTRIA", "ENGLAND", "RUSSIA"]
    halves = game_scores.game_scores(terms, variant, shared)
    assert {power: str(score.points) for power, score in halves.items()} == dict.fromkeys(POWERS, "50")
    won = game_results.make_result("joint", variant.definition, at, ["AUSTRIA", "GERMANY", "TURKEY"])
    points = game_scores.game_scores(terms, variant, won)
    assert {power for power, score in points.items() if score.points == 100} == {
        "AUSTRIA",
        "GERMANY",
        "TURKEY",
    }
    level = game_results.result_by_centres(
        "agreed", variant.definition, {**at, "politics": {"italy": "CENTRAL"}}
    )
    assert level["powers"] == ["AUSTRIA", "GERMANY", "ITALY", "TURKEY"]


def test_a_war_that_ends_at_its_date_puts_the_side_with_ten_units_first() -> None:
    game = begun(ends_at=timezone.now())
    assert agreed_end.end_game_if_agreed(game, timezone.now())
    told = ended(game)
    assert told["kind"] == "date"
    assert told["powers"] == ["ENGLAND", "FRANCE", "RUSSIA"]
    assert "ITALY" not in told["points"]
    told_page = page(game, "Gaspard", "fin/")
    assert "le camp qui a le plus d’unités" in told_page
    assert told_page.count("<details><summary>") == len(POWERS)
    with override("fr"):
        parts = report_texts.end_report(GameViewer(fresh(game), person("Gaspard")))
    mail = [line for part in parts for line in part]
    assert "| Italie : centres 3, unités 3" in [line.replace("\u00a0", " ") for line in mail]
    assert not any(line.strip().endswith(":") for line in mail)


def replaced(game: Game, power: str, name: str) -> None:
    mark = seat_actions.seat_player_mark(game.seats.get(power=power))
    seat_actions.replace_player(game, power, person(name), mark, hand=hand(), now=timezone.now())


def after_the_toss() -> tuple[Game, tuple[str, ...], str]:
    """A game, the powers of the side that Italy has joined, and their player."""
    game = to_winter(begun())
    powers = SIDES[0] if side_of_italy(game) == "ENTENTE" else SIDES[1]
    return game, powers, player(game, powers[0])


@pytest.mark.long
def test_italy_follows_when_the_player_of_its_side_is_replaced() -> None:
    game, powers, leader = after_the_toss()
    for power in powers[:2]:
        replaced(game, power, STRANGER)
        assert player(game, "ITALY") == leader
    replaced(game, powers[2], STRANGER)
    assert power_assignments.player_of(game, "ITALY") == person(STRANGER).pk
    assert power_assignments.powers_played_by(game, person(leader)) == ()
    assert told_of_italy(STRANGER)
    assert "Italie suit le joueur de son camp" in page(game, "Flora", "infos/")
    hand_in(game, "ITALY", ["A VEN H"])
    with pytest.raises(GameMasterRefusal):
        replaced(game, powers[2], STRANGER)


@pytest.mark.long
def test_italy_is_left_with_its_side_and_goes_to_whoever_takes_a_power_of_it() -> None:
    game, powers, leader = after_the_toss()
    for power in powers:
        membership_actions.resign_power(game, person(leader), power)
    assert power_assignments.player_of(game, "ITALY") is None
    assert game.seats.get(power="ITALY").in_civil_disorder
    membership_actions.join_game(game, person(STRANGER), power=powers[1])
    assert power_assignments.player_of(game, "ITALY") == person(STRANGER).pk
    assert not game.seats.get(power="ITALY").in_civil_disorder
    membership_actions.leave_game(game, person(STRANGER))
    assert power_assignments.player_of(game, "ITALY") is None


@pytest.mark.long
def test_italy_is_back_with_its_player_after_a_stand_in() -> None:
    game, powers, leader = after_the_toss()
    for power in powers:
        mark = seat_actions.seat_player_mark(game.seats.get(power=power))
        seat_actions.replace_player(
            game, power, person(STRANGER), mark, stand_in=True, hand=hand(), now=timezone.now()
        )
    assert power_assignments.player_of(game, "ITALY") == person(STRANGER).pk
    for power in powers:
        mark = seat_actions.seat_player_mark(game.seats.get(power=power))
        seat_actions.end_stand_in(game, power, mark, hand=hand(), now=timezone.now())
    assert player(game, "ITALY") == leader


def test_a_player_of_the_other_side_changes_nothing_for_italy() -> None:
    game, powers, leader = after_the_toss()
    replaced(game, next(power for power in POWERS if power not in powers), STRANGER)
    assert player(game, "ITALY") == leader
    assert not GameLogEntry.objects.filter(game=game, kind="seat_followed").exists()
