"""Seats that the computer plays: its sheets, when a game waits for it, what becomes of what fails."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.bots import bot_players, bot_queue, bot_threads
from talleyrand.web.games import deadline_clock, game_bots, open_seats, order_queries, power_assignments
from talleyrand.web.games.endings import end_proposals
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import action_base, phase_corrections
from talleyrand.web.games.game_master.action_base import GameMasterActor
from talleyrand.web.games.game_settings import LandlessSeatRule
from talleyrand.web.games.lobby import game_start, membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameBotTask, GameRole, PhaseRevision
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.practice import practice_bot_tasks
from talleyrand.web.server import low_priority_worker
from tests.web.cast import BEGUN, MASTER, person
from tests.web.claims.claiming import go_on

from . import states
from .acting import HOUR, SECOND, due, fresh, hand_in, people_told, seat, told
from .computing import BOTS, TWO, answer, begun, claim, sheets
from .computing import gathered as two_gathered

pytestmark = pytest.mark.django_db


def people_hand_in(game: Game, **more: Any) -> None:
    for power in TWO:
        hand_in(game, power, [], final=True, **more)


def test_two_people_begin_and_the_computer_plays_the_others() -> None:
    game = begun()
    assert power_assignments.bots_by_power(game) == dict.fromkeys(BOTS, "random")
    assert power_assignments.unplayed_powers(game) == open_seats.open_powers(game) == ()
    assert not game.seats.filter(in_civil_disorder=True).exists()
    assert answer() == 1
    found = sheets(game)
    assert set(found) == set(BOTS)
    assert all(len(lines) == (4 if power == "RUSSIA" else 3) for power, lines in found.items())
    assert set(game.seats.filter(is_ready=True).values_list("power", flat=True)) == set(BOTS)
    assert answer() == 0, "once answered, nothing is due"


def test_all_ready_publishes_and_the_next_phase_is_asked() -> None:
    game = begun()
    now = BEGUN + HOUR
    people_hand_in(game, at=now)
    assert deadline_clock.check_due_games(now) == 0, "the computer has not answered yet"
    answer()
    assert deadline_clock.check_due_games(timezone.now()) == 1
    published = PhaseRevision.objects.get(game=game, phase_number=1, is_current=True)
    assert set(published.order_lines) == {*TWO, *BOTS}
    assert published.powers_without_orders == []
    assert answer() == 1
    assert fresh(game).phase_number == 2


def test_it_waits_for_the_computer_for_a_while_only() -> None:
    game = begun()
    now = BEGUN + HOUR
    people_hand_in(game, at=now)
    assert deadline_clock.check_due_games(now) == 0
    assert deadline_clock.check_due_games(now + game_bots.LONGEST_BOT_WAIT - SECOND) == 0
    assert deadline_clock.check_due_games(now + game_bots.LONGEST_BOT_WAIT) == 1
    published = PhaseRevision.objects.get(game=game, phase_number=1, is_current=True)
    assert set(published.powers_without_orders) == set(BOTS)
    assert not game.seats.filter(power__in=BOTS, missed_phases__gt=0).exists(), "the computer misses nothing"


def test_at_the_deadline_nothing_is_extended_for_the_computer() -> None:
    game = begun(absent="extend", extensions=2)
    before = due(game)
    people_hand_in(game)
    game.seats.update(is_ready=False)
    end = before + 2 * SECOND
    deadline_clock.check_due_games(end)
    deadline_clock.check_due_games(before + HOUR)
    assert fresh(game).extension_count == 0
    deadline_clock.check_due_games(before + HOUR + game_bots.LONGEST_BOT_WAIT)
    assert fresh(game).phase_number == 2


def test_the_computer_is_told_nothing_and_waited_for_by_nobody() -> None:
    game = begun()
    assert people_told(game, "given") == {*TWO.values()}
    answer()
    assert not told(game, "due_soon")
    deadline_clock.check_due_games(due(game) - HOUR)
    assert people_told(game, "due_soon") <= set(TWO.values())


def test_whoever_does_it_again_comes_to_the_same_orders() -> None:
    game = begun()
    answer()
    first = sheets(game)
    game.sheets.filter(power__in=BOTS[2:]).delete()
    game.seats.filter(power__in=BOTS[2:]).update(is_ready=False)
    GameBotTask.objects.update(
        answered_count=0, claimed_by="dead", claimed_until=timezone.now() - bot_queue.CLAIM_LENGTH
    )
    assert answer() == 1
    assert sheets(game) == first
    assert game.sheets.filter(power=BOTS[0]).count() == 1, "what stood is not handed in again"


def test_a_crash_after_the_sheet_is_found_again() -> None:
    game = begun()
    answer()
    game.seats.filter(power="ITALY").update(is_ready=False)
    GameBotTask.objects.update(answered_count=0)
    answer()
    assert game.sheets.filter(power="ITALY").count() == 1
    assert seat(game, "ITALY").is_ready


def test_a_process_that_begins_again_takes_up_what_the_dead_one_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = begun()
    assert claim() is not None
    assert answer() == 0, "whoever has it may still be at work"
    monkeypatch.setattr(bot_threads, "wake_bots", lambda: None)
    low_priority_worker._begin()
    assert answer() == 1
    assert set(sheets(game)) == set(BOTS)


def test_another_seed_another_play() -> None:
    one, other = begun(), begun()
    answer()
    assert sheets(one) != sheets(other)


def test_it_is_given_the_position_and_nobodys_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def think(question: Any, power: str, *more: Any) -> list[str]:
        given.append((question, power, *more))
        return []

    monkeypatch.setattr(practice_bot_tasks, "bot_orders", think)
    game = begun()
    hand_in(game, "FRANCE", ["A PAR-GAS", "zz-secret"])
    answer()
    assert len(given) == len(BOTS)
    assert "GAS" not in str(given)
    assert "zz" not in str(given)


def test_what_fails_is_as_absent_and_the_game_master_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real = practice_bot_tasks.bot_orders

    def think(question: Any, power: str, *more: Any) -> list[str]:
        if power == "ITALY":
            raise ZeroDivisionError
        return real(question, power, *more)

    monkeypatch.setattr(practice_bot_tasks, "bot_orders", think)
    game = begun()
    people_hand_in(game, at=BEGUN + HOUR)
    assert answer() == 1
    assert set(sheets(game)) == set(BOTS) - {"ITALY"}
    assert people_told(game, "computer_failed") == {MASTER}
    assert game.log.get(kind="computer_failed").facts["powers"] == ["ITALY"]
    assert deadline_clock.check_due_games(timezone.now()) == 1, "nobody waits for it"
    assert PhaseRevision.objects.get(game=game, phase_number=1, is_current=True).powers_without_orders == [
        "ITALY"
    ]
    monkeypatch.undo()
    answer()
    assert "ITALY" in sheets(game) or "ITALY" not in GameHistory(fresh(game)).deciding_powers(2)


def test_a_power_that_ends_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        """As if the process were gone."""

    def think(question: Any, power: str, *more: Any) -> list[str]:
        if power == BOTS[0]:
            raise Killed
        return []

    monkeypatch.setattr(practice_bot_tasks, "bot_orders", think)
    game = begun()
    for _ in range(game_bots.MOST_WORKER_DEATHS):
        task = claim()
        assert task is not None
        with pytest.raises(Killed):
            go_on(task)
        assert claim() is None, "the dead one may still be at work"
        GameBotTask.objects.update(claimed_until=timezone.now() - bot_queue.CLAIM_LENGTH)
    assert answer() == 1
    assert set(sheets(game)) == set(BOTS[1:])


def test_a_game_that_cannot_be_read_does_not_keep_the_computer_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_row: GameBotTask) -> None:
        raise ZeroDivisionError

    game = begun()
    with monkeypatch.context() as faulty:
        faulty.setattr(game_bots, "_phase", broken)
        for _ in range(game_bots.MOST_WORKER_DEATHS + 1):
            assert answer() == 1
            GameBotTask.objects.update(claimed_until=timezone.now() - bot_queue.CLAIM_LENGTH)
    assert answer() == 0
    people_hand_in(game, at=BEGUN + HOUR)
    assert deadline_clock.check_due_games(timezone.now()) == 1


def hand() -> GameMasterActor:
    return GameMasterActor(person(MASTER), GameRole.GAME_MASTER)


@pytest.mark.long
def test_a_phase_taken_back_is_asked_again() -> None:
    game = begun()
    people_hand_in(game, at=BEGUN + HOUR)
    answer()
    first = sheets(game)
    assert deadline_clock.check_due_games(timezone.now()) == 1
    answer()
    second = sheets(game)
    now = fresh(game)
    ground = action_base.ExpectedRevision.from_revision(
        PhaseRevision.objects.get(game=game, phase_number=1, is_current=True)
    )
    phase_corrections.roll_back_phase(now, ground, hand=hand(), now=timezone.now())
    assert fresh(game).phase_number == 1
    assert not game.seats.filter(is_ready=True).exists()
    assert answer() == 1
    assert sheets(game) == first
    assert game.seats.filter(is_ready=True).count() == len(BOTS)
    people_hand_in(game, at=timezone.now())
    assert deadline_clock.check_due_games(timezone.now()) == 1
    answer()
    assert fresh(game).phase_number == 2
    assert sheets(game) == second


def test_somebody_who_sits_down_meanwhile_is_not_overruled(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun()
    real = practice_bot_tasks.bot_orders

    def think(question: Any, power: str, *more: Any) -> list[str]:
        if power == "ITALY":
            power_assignments.assign_power(game, "ITALY", person("Irène"))
        return real(question, power, *more)

    monkeypatch.setattr(practice_bot_tasks, "bot_orders", think)
    answer()
    assert set(sheets(game)) == set(BOTS) - {"ITALY"}
    assert power_assignments.bots_by_power(game).keys() == set(BOTS) - {"ITALY"}
    assert not told(game, "computer_failed")
    with pytest.raises(OrdersRefusal) as refused:
        hand_in(game, "ITALY", [], origin=order_queries.BOT)
    assert refused.value.code == "not_yours"


def test_one_person_is_enough_nobody_is_not() -> None:
    game = two_gathered(led=True)
    game.memberships.filter(role=GameRole.PLAYER).update(left_at=timezone.now())
    with pytest.raises(LobbyRefusal) as refused:
        game_start.start_game(game, BEGUN)
    assert refused.value.code == "alone"
    game.memberships.filter(person__name="Flora").update(left_at=None)
    assert len(power_assignments.bots_by_power(game_start.start_game(game, BEGUN))) == 6
    with pytest.raises(LobbyRefusal) as twice:
        game_start.start_game(game, BEGUN)
    assert twice.value.code == "started"


def test_without_players_of_its_own_a_site_begins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_players, "bots_available", lambda: False)
    with pytest.raises(LobbyRefusal) as refused:
        begun()
    assert refused.value.code == "no_computer"
    assert not Game.objects.filter(phase_number__gt=0).exists()


def test_a_game_at_rest_or_over_asks_for_nothing() -> None:
    game = begun()
    Game.objects.filter(pk=game.pk).update(state="ended")
    assert answer() == 0
    Game.objects.filter(pk=game.pk).update(state="paused")
    assert answer() == 1


def test_the_clock_calls_the_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    monkeypatch.setattr(bot_threads, "wake_bots_elsewhere", lambda: called.append("call"))
    begun()
    deadline_clock.DeadlineClock().tick(BEGUN + SECOND)
    assert called == ["call"]
    answer()
    deadline_clock.DeadlineClock().tick(BEGUN + 2 * SECOND)
    assert called == ["call"]


def test_an_ending_asks_people_alone() -> None:
    game = begun(draw="unanimous")
    answer()
    asked = end_proposals.propose_end(game, "FRANCE", 1, "now", BEGUN + HOUR)
    assert set(end_proposals.EndProposalState(fresh(game)).voters(asked)) <= set(TWO)
    end_proposals.answer_end_proposal(game, asked.pk, "ENGLAND", "yes", BEGUN + HOUR)
    deadline_clock.check_due_games(timezone.now())
    assert fresh(game).state == "ended"


def test_the_computer_does_not_play_alone() -> None:
    game = begun()
    for name in TWO.values():
        membership_actions.leave_game(game, person(name))
    answer()
    assert deadline_clock.check_due_games(timezone.now()) == 0
    for _ in range(5):
        deadline_clock.check_due_games(due(game) + 2 * SECOND)
    assert fresh(game).phase_number == 1


def test_a_seat_without_land_hears_the_computers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: dict[str, Any] = {}

    def think(
        question: Any, power: str, code: str, seed: str, report: Any, said: Any, _owed: Any
    ) -> list[str]:
        heard[power] = said
        return ["2 M MOR - CAI"]

    monkeypatch.setattr(practice_bot_tasks, "bot_orders", think)
    game = states.gathered(players=["UMAR", "RUSS"], chair=LandlessSeatRule.PLAYER, bots="values:normal")
    members = dict(game.memberships.filter(role=GameRole.PLAYER).values_list("person__name", "pk"))
    chosen = {state: members[states.player(state)] for state in ("UMAR", "RUSS")}
    game = game_start.start_game(game, BEGUN, chosen=chosen)
    hand_in(game, "UMAR", ["2 M MOR H", "zz-secret"])
    answer()
    assert list(heard)[-1] == "ONU"
    assert set(heard["ONU"]) == set(heard) - {"ONU"}
    assert "UMAR" not in heard["ONU"]
    assert not any(heard[state] for state in heard if state != "ONU")


def test_a_seat_without_land_that_is_the_game_masters_is_not_the_computers() -> None:
    for chair in (LandlessSeatRule.MASTER, LandlessSeatRule.NOBODY):
        game = states.gathered(players=["UMAR", "RUSS"], chair=chair, bots="values:normal")
        bots = power_assignments.bots_by_power(game_start.start_game(game, BEGUN))
        assert len(bots) == 19
        assert "ONU" not in bots
