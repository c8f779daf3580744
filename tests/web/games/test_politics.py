"""A game on line of a variant with votes: 21 states, the seat without land, and its phases by deadlines."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from talleyrand import variants
from talleyrand.web.boards import adjudicator as boards_referee
from talleyrand.web.games import (
    binding_orders,
    deadline_clock,
    open_seats,
    phase_adjudication,
    power_assignments,
)
from talleyrand.web.games.endings import end_texts, game_results, game_scores
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_settings import GameSettings, LandlessSeatRule
from talleyrand.web.games.lobby import game_start, membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameRole, GameState, OrderSet, PhaseRevision
from talleyrand.web.games.viewer_permissions import GameViewer
from tests.web.cast import BEGUN, MASTER, person
from tests.web.games.states import NAME, STATES, UN, begun, fresh, gathered, hand_in, played, player

pytestmark = pytest.mark.django_db
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
PACE: dict[str, Any] = {"movement": {"seconds": 259200}, "proposals": {"seconds": 86400}, "early": False}


def politics(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = (GameHistory(game).situation(fresh(game).phase_number) or {}).get("politics", {})
    return found


def swept(game: Game) -> Game:
    due = fresh(game).deadline
    assert due is not None
    deadline_clock.check_due_games(due + 2 * SECOND)
    return fresh(game)


# the table


def test_a_seat_for_each_state_and_for_the_secretary_general() -> None:
    game = gathered()
    assert list(game.seats.values_list("power", flat=True)) == [*STATES, UN]
    with pytest.raises(LobbyRefusal, match="full"):
        membership_actions.join_game(game, person("De trop"))


@pytest.mark.long
def test_lots_give_states_alone_and_the_game_master_presides() -> None:
    game = game_start.start_game(gathered(), BEGUN)
    held = power_assignments.players_by_power(game)
    assert held[UN] == person(MASTER).pk
    assert len({held[state] for state in STATES}) == 21
    assert GameViewer(game, person(MASTER)).orderable_powers == (UN,)
    assert game.phase == "S2001P"


@pytest.mark.long
def test_a_twenty_second_player_may_preside() -> None:
    game = gathered(chair=LandlessSeatRule.PLAYER)
    membership_actions.join_game(game, person("Secrétaire"), wishes=[UN])
    held = power_assignments.players_by_power(game_start.start_game(game, BEGUN))
    assert held[UN] == person("Secrétaire").pk


@pytest.mark.long
@pytest.mark.parametrize("chair", [LandlessSeatRule.MASTER, LandlessSeatRule.PLAYER, LandlessSeatRule.NOBODY])
def test_it_begins_by_itself_once_every_seat_is_taken(chair: LandlessSeatRule) -> None:
    game = gathered(led=False, chair=chair)
    if chair == LandlessSeatRule.PLAYER:
        assert not game_start.start_game_if_full(game, BEGUN)
        membership_actions.join_game(game, person("Secrétaire"))
    assert game_start.start_game_if_full(game, BEGUN)
    assert fresh(game).state == GameState.PLAYING
    assert (power_assignments.players_by_power(game)[UN] is not None) == (chair == LandlessSeatRule.PLAYER)
    assert open_seats.open_powers(fresh(game)) == ()


def test_fewer_people_play_several_states_each() -> None:
    game = gathered(players=STATES[:3])
    members = list(game.memberships.filter(role=GameRole.PLAYER).order_by("pk"))
    chosen = {state: members[place % 3].pk for place, state in enumerate(STATES)}
    game = game_start.start_game(game, BEGUN, chosen=chosen)
    assert len(GameViewer(game, members[0].person).orderable_powers) == 7
    assert open_seats.open_powers(game) == ()


# the phases


def test_proposals_then_orders_each_with_their_deadline() -> None:
    game = begun(rhythm=PACE)
    assert (game.phase, game.deadline) == ("S2001P", BEGUN + DAY)
    hand_in(game, "UMAR", "2 : M MOR ×××")
    game = swept(game)
    assert (game.phase, game.deadline) == ("S2001M", BEGUN + 4 * DAY)
    assert politics(game)["proposals"] == {"UMAR": ["2 M MOR H"]}


@pytest.mark.long
def test_nobody_is_waited_for_with_proposals() -> None:
    """Nobody is late, nothing is extended, and nobody is said to be in civil disorder."""
    game = swept(begun(rhythm=PACE, absent="wait"))
    assert game.phase == "S2001M"
    told = PhaseRevision.objects.get(game=game, phase_number=1)
    assert told.powers_without_orders == []
    assert not game.seats.filter(missed_phases__gt=0).exists()


def test_nobody_waits_for_the_secretary_general() -> None:
    game = swept(begun(rhythm=PACE))
    for state in STATES:
        hand_in(game, state)
    game = swept(game)
    assert game.phase == "F2001P"
    assert PhaseRevision.objects.get(game=game, phase_number=2).powers_without_orders == []


def test_a_year_with_everything() -> None:
    """Proposals with the Secretary-General's amount, ballots, a mission, aid, subversion, a winter."""
    game = begun(rhythm=PACE)
    played(game, {"UMAR": ["2 : M ABE - ATE / M MOR S F ROU"], UN: ["pInt : PYO"]})
    assert politics(game)["intervention"]["target"] == "PYO"
    played(game, {"CHIN": ["2) UMAR"], "MCCA": ["AS : BOG"], "ETUN": ["Aide : 1 : MEXI"]})
    assert fresh(game).phase == "F2001P"
    told = politics(game)
    assert told["ballots"]["2"]["adopted"] == ["UMAR"]
    assert told["aid"] == {"ETUN": ["MEXI", None, None]}
    assert told["subversion"] == ["MCCA", UN]
    played(game, {"UMAR": ["1A : RUSS", "3A : OPTO"], UN: ["UMAR 1A : 10 pV pour RUSS"]})
    assert politics(game)["proposals"] == {"UMAR": ["1A RUSS 10", "3A OPTO"]}
    played(game, {"RUSS": ["1) UMAR / 3) UMAR"]})
    assert fresh(game).phase == "W2001A"
    told = politics(game)
    assert (told["adjustment"], told["imf"]) == ({"RUSS": 10}, "OPTO")
    assert told["allowance"]["MEXI"]["allowed"] == told["allowance"]["MEXI"]["centres"] + 1
    played(game, {"MEXI": ["V MEX"], "OPTO": ["M BOG"], "CAOR": ["M (OPTO) BOG"]})
    assert fresh(game).phase == "S2002P"


# what cannot be taken back


def test_a_proposal_of_an_earlier_sheet_stands() -> None:
    game = begun(rhythm=PACE)
    hand_in(game, "UMAR", "2 : M MOR ×××")
    hand_in(game, "UMAR")
    hand_in(game, "UMAR", "2 : M MOR - ROU")
    game = swept(game)
    assert politics(game)["proposals"] == {"UMAR": ["2 M MOR H"]}


def test_what_is_proposed_is_public_at_once_and_nothing_else() -> None:
    game = begun(rhythm=PACE)
    hand_in(game, "UMAR", "2 : M MOR ×××", "un secret")
    question = GameHistory(game).question(1)
    assert question is not None
    told = binding_orders.announced_so_far(fresh(game), question)
    assert told is not None
    assert told["politics"]["proposals"] == {"UMAR": ["2 M MOR H"]}
    game = swept(game)
    question = GameHistory(game).question(2)
    assert question is not None
    assert binding_orders.announced_so_far(game, question) is None


ODD = [(f"2 : M MOR - Xyzzy{number} Qyongxang " * 9)[:290] for number in range(40)]


@pytest.mark.long
def test_sheets_of_one_player_make_no_page_of_another_dearer(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun(rhythm=PACE)
    hand_in(game, "UMAR", "2 : M MOR ×××")
    for number in range(6):
        hand_in(game, "UMAR", *ODD, f"1A : RUSS {number}")
    asked: list[str] = []

    def counting(name: str) -> Any:
        taken = getattr(boards_referee, name)

        def noted(*rest: Any, **more: Any) -> Any:
            asked.append(name)
            return taken(*rest, **more)

        return noted

    for name in ("adjudicate", "read_order_sets"):
        monkeypatch.setattr(boards_referee, name, counting(name))
    question = GameHistory(game).question(1)
    assert question is not None
    for _ in range(3):
        told = binding_orders.announced_so_far(fresh(game), question)
        assert told is not None
        assert told["politics"]["proposals"] == {"UMAR": ["2 M MOR H"]}
    assert asked == ["adjudicate"]
    hand_in(game, "INDE", "2 : M MOR - ROU")
    told = binding_orders.announced_so_far(fresh(game), question)
    assert told is not None
    assert set(told["politics"]["proposals"]) == {"INDE", "UMAR"}
    assert asked.count("adjudicate") == 2


def test_a_proposal_stands_though_whoever_took_it_died_before_it_was_settled() -> None:
    game = begun(rhythm=PACE)
    for line in ("2 : M MOR ×××", "2 : M MOR - ROU", "1A : RUSS"):
        hand_in(game, "UMAR", line)
    OrderSet.objects.filter(game=game).update(binding_lines=None)
    hand_in(game, "UMAR")
    assert OrderSet.objects.filter(game=game, binding_lines__isnull=True).count() == 0
    OrderSet.objects.filter(game=game).update(binding_lines=None)
    game = swept(game)
    assert politics(game)["proposals"] == {"UMAR": ["2 M MOR H"]}


# what the text leaves out


def test_a_state_that_is_late() -> None:
    """Its ballot is withheld, its aid stays, its M obey the vote, its other units are in disorder."""
    game = begun(rhythm=PACE)
    played(game)
    played(game, {"ETUN": ["Aide : 1 : MEXI"]})
    played(game, {"UMAR": ["2 : M WAS - ABE"]})
    for state in STATES:
        if state != "ETUN":
            hand_in(game, state, *(["2) UMAR"] if state == "CHIN" else []))
    taken = fresh(game)
    phase_adjudication.adjudicate_phase(taken, taken.phase_number, BEGUN + 40 * DAY)
    told = politics(game)
    last = PhaseRevision.objects.filter(game=game).order_by("phase_number").last()
    assert last is not None
    assert last.powers_without_orders == ["ETUN"]
    assert told["ballots"]["2"]["cast"] == {"CHIN": ["UMAR"]}
    assert told["aid"] == {"ETUN": ["MEXI", None, None]}
    assert "M ABE" in (last.answer or {})["units"]["ETUN"]
    assert open_seats.open_powers(fresh(game)) == ()


def test_a_state_without_player_is_offered_and_the_rest_goes_on() -> None:
    game = begun(rhythm=PACE)
    membership_actions.leave_game(game, person(player("INDE")))
    assert open_seats.open_powers(fresh(game)) == ("INDE",)
    game = swept(game)
    assert game.phase == "S2001M"


def test_the_game_master_leaves_and_another_presides() -> None:
    game = begun(rhythm=PACE)
    power_assignments.end_assignment(game, UN)
    assert swept(game).phase == "S2001M"
    power_assignments.assign_power(fresh(game), UN, person(MASTER))
    assert power_assignments.players_by_power(game)[UN] == person(MASTER).pk


def test_those_who_win_at_once_share_the_victory() -> None:
    variant = variants.load(NAME)
    answer: dict[str, Any] = {
        "phase": "F2003M",
        "winner": ["INDE", "RUSS"],
        "next": None,
        "centers": {},
        "units": {},
    }
    told = game_results.result_after_phase(GameSettings(), variant.definition, answer, None)
    assert told is not None
    assert (told["kind"], told["powers"]) == ("joint", ["INDE", "RUSS"])
    scores = game_scores.game_scores(GameSettings(), variant, told)
    assert [scores[power].points for power in ("INDE", "RUSS")] == [50, 50]
    assert "Victoire commune" in end_texts.game_result_text(variant, told)
    alone = game_results.result_after_phase(
        GameSettings(), variant.definition, {**answer, "winner": ["INDE"]}, None
    )
    assert alone is not None
    assert alone["kind"] == "solo"
