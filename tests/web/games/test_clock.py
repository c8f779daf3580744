"""The clock publishes what is due, when it is due, and does what the game's terms say of the others."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from talleyrand.web.games import deadline_clock, game_lifecycle, order_submission, phase_adjudication
from talleyrand.web.games.models import Game, GameState, PhaseRevision
from talleyrand.web.games.order_submission import OrdersRefusal
from tests.web.cast import ASSISTANT, BEGUN, MASTER, PLAYERS, person, table
from tests.web.games.phases import EARLY, GRACE, SLOW, published, second_phase

from .acting import (
    DAY,
    HOUR,
    SECOND,
    all_hand_in,
    draft,
    due,
    fresh,
    hand_in,
    people_told,
    seat,
    sweep_at_deadline,
    told,
)

pytestmark = pytest.mark.django_db


# in time


def test_a_full_table_is_published_at_its_hour_and_not_before() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    assert deadline_clock.check_due_games(due(game) + SECOND) == 0
    assert deadline_clock.check_due_games(due(game) + 2 * SECOND) == 1
    assert fresh(game).phase == "F1901M"
    assert published(game, 1).order_lines["FRANCE"] == ["A PAR-BUR"]


def test_a_clock_hears_of_what_is_due_and_nobody_works_at() -> None:
    game = table(rhythm=SLOW)
    rows, now = Game.objects.filter(pk=game.pk), timezone.now()
    for due_at, claimed, heard in (
        (now - SECOND, None, True),
        (now - SECOND, now - SECOND, True),
        (now - SECOND, now + HOUR, False),
        (now + HOUR, None, False),
        (None, None, False),
    ):
        rows.update(next_check_at=due_at, claimed_until=claimed)
        assert deadline_clock.is_game_due() == heard
    rows.update(next_check_at=now, state=GameState.PAUSED)
    assert not deadline_clock.is_game_due()


def test_dates_do_not_creep_with_the_clock() -> None:
    game = table(rhythm=SLOW)
    for number in (1, 2):
        all_hand_in(game, lines=[])
        assert due(game) == BEGUN + number * 72 * HOUR
        sweep_at_deadline(game, 30 * SECOND)


def test_never_early_where_it_was_agreed_so() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game, final=True)
    assert deadline_clock.check_due_games(due(game) - SECOND) == 0


def test_early_when_all_who_are_waited_for_are_final() -> None:
    game = table(rhythm=EARLY)
    all_hand_in(game, but=["TURKEY"], final=True)
    hand_in(game, "TURKEY")
    assert deadline_clock.check_due_games(BEGUN + HOUR) == 0
    order_submission.set_ready(game, "TURKEY", 1, final=True, at=BEGUN + 2 * HOUR)
    assert deadline_clock.check_due_games(BEGUN + 2 * HOUR) == 1
    assert due(game) == BEGUN + 2 * HOUR + 72 * HOUR


def test_a_final_taken_back_is_waited_for() -> None:
    game = table(rhythm=EARLY)
    all_hand_in(game, final=True)
    order_submission.set_ready(game, "TURKEY", 1, final=False, at=BEGUN)
    assert deadline_clock.check_due_games(BEGUN + HOUR) == 0
    hand_in(game, "TURKEY", final=True)
    assert deadline_clock.check_due_games(BEGUN + HOUR) == 1


def test_a_sheet_that_is_not_final_takes_the_flag_away() -> None:
    game = table(rhythm=EARLY)
    all_hand_in(game, final=True)
    hand_in(game, "ITALY", ["A VEN-PIE"])
    assert deadline_clock.check_due_games(BEGUN + HOUR) == 0
    sweep_at_deadline(game)
    assert published(game, 1).order_lines["ITALY"] == ["A VEN-PIE"]


def test_those_with_nothing_to_decide_are_not_waited_for() -> None:
    game = table(rhythm=EARLY)
    for lines in ({"AUSTRIA": ["A VIE-TYR"]}, {"AUSTRIA": ["A TYR-VEN", "F TRI S A TYR-VEN"]}):
        for power in PLAYERS:
            hand_in(game, power, lines.get(power, []), final=True)
        deadline_clock.check_due_games(BEGUN + HOUR)
    assert fresh(game).phase == "F1901R"
    hand_in(game, "ITALY", ["A VEN-TUS"], final=True)
    assert deadline_clock.check_due_games(BEGUN + HOUR) == 1
    assert fresh(game).phase == "W1901A"


# the four failures of other sites, by name


def test_confirmed_but_empty_is_not_absent() -> None:
    game = table(rhythm=EARLY, absent="disorder", patience=1)
    all_hand_in(game, but=["RUSSIA"], final=True)
    hand_in(game, "RUSSIA", [], final=True)
    assert deadline_clock.check_due_games(BEGUN + HOUR) == 1
    first = published(game, 1)
    assert first.order_lines["RUSSIA"] == []
    assert first.powers_without_orders == []
    assert not seat(game, "RUSSIA").in_civil_disorder
    assert seat(game, "RUSSIA").missed_phases == 0


def test_adjudicated_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever judged the same sheets a moment later keeps nothing, and says so."""
    game = table(rhythm=SLOW)
    all_hand_in(game)
    mine, other = (
        phase_adjudication.take_snapshot(game, 1, due(game)),
        phase_adjudication.take_snapshot(game, 1, due(game)),
    )
    assert mine.digest == other.digest
    answer = mine.adjudicate()
    assert phase_adjudication.publish_phase(mine, answer, due(game)) is not None
    assert phase_adjudication.publish_phase(other, answer, due(game)) is None
    assert deadline_clock.check_due_games(due(game) - SECOND) == 0
    with pytest.raises(phase_adjudication.PhaseOvertaken):
        phase_adjudication.adjudicate_phase(game, 1, due(game))
    assert fresh(game).phase_number == 2
    assert PhaseRevision.objects.filter(game=game).count() == 2
    assert len(told(game, "published")) == 10


def test_adjudicated_never() -> None:
    """Whatever made the clock forget a game, a claim that nobody ended among it, it comes to it."""
    game = table(rhythm=SLOW)
    all_hand_in(game)
    now = due(game) + HOUR
    Game.objects.filter(pk=game.pk).update(claimed_by="gone", claimed_until=now + 30 * SECOND, attempts=1)
    assert deadline_clock.check_due_games(now) == 0
    assert deadline_clock.check_due_games(now + 31 * SECOND) == 1
    row = fresh(game)
    assert (row.phase_number, row.claimed_by, row.attempts) == (2, "", 0)


def test_order_write_racing_with_adjudication() -> None:
    """A sheet that was acknowledged between the snapshot and the publication is in the phase."""
    game = table(rhythm=SLOW)
    all_hand_in(game)
    taken = phase_adjudication.take_snapshot(game, 1, due(game))
    answer = taken.adjudicate()
    hand_in(game, "FRANCE", ["A PAR-PIC"], at=due(game))
    assert phase_adjudication.publish_phase(taken, answer, due(game)) is None
    assert deadline_clock.check_due_games(due(game) + 2 * SECOND) == 1
    assert published(game, 1).order_lines["FRANCE"] == ["A PAR-PIC"]


def test_a_draft_racing_with_adjudication() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game, but=["FRANCE"])
    taken = phase_adjudication.take_snapshot(game, 1, due(game))
    draft(game, "FRANCE", "A PAR-PIC", at=due(game))
    assert phase_adjudication.publish_phase(taken, taken.adjudicate(), due(game)) is None
    taken = phase_adjudication.take_snapshot(game, 1, due(game))
    draft(game, "FRANCE", "A PAR-GAS", at=due(game))
    assert phase_adjudication.publish_phase(taken, taken.adjudicate(), due(game)) is None
    assert deadline_clock.check_due_games(due(game) + 2 * SECOND) == 1
    assert published(game, 1).order_lines["FRANCE"] == ["A PAR-GAS"]


# drafts


def test_a_draft_stands_for_a_sheet_that_was_never_handed_in() -> None:
    game = second_phase()
    all_hand_in(game, but=["FRANCE"], lines=[])
    draft(game, "FRANCE", "A BUR-MUN")
    assert order_submission.order_states(game, 2)["FRANCE"] == "draft"
    sweep_at_deadline(game)
    assert published(game, 2).order_lines["FRANCE"] == ["A BUR-MUN"]
    assert published(game, 2).powers_without_orders == []
    assert order_submission.counting_order_sets(game, 2)["FRANCE"].origin == "draft"
    assert seat(game, "FRANCE").draft_orders == []


def test_no_key_of_a_program_stands_in_the_way_of_a_draft() -> None:
    """A program names its sheets as it likes; none of its names may park a game."""
    game = table(rhythm=SLOW)
    all_hand_in(game)
    for receipts in range(40):
        hand_in(game, "FRANCE", key=f"draft 2 {receipts}")
    sweep_at_deadline(game)
    all_hand_in(game, but=["FRANCE"], lines=[])
    draft(game, "FRANCE", "A BUR-MUN")
    game = sweep_at_deadline(game)
    assert (game.adjudication_error, game.phase_number) == ("", 3)
    assert order_submission.counting_order_sets(game, 2)["FRANCE"].lines == ["A BUR-MUN"]


def test_a_draft_counts_not_where_it_was_agreed_so() -> None:
    game = second_phase(drafts_count=False, absent="disorder")
    all_hand_in(game, but=["FRANCE"], lines=[])
    draft(game, "FRANCE", "A BUR-MUN")
    sweep_at_deadline(game)
    assert published(game, 2).powers_without_orders == ["FRANCE"]


def test_what_was_drafted_after_the_sheet_does_not_count() -> None:
    game = second_phase()
    all_hand_in(game, lines=[])
    draft(game, "FRANCE", "A BUR-MUN")
    sweep_at_deadline(game)
    assert published(game, 2).order_lines["FRANCE"] == []


def test_a_draft_for_another_phase_is_none() -> None:
    game = table(rhythm=SLOW, absent="disorder")
    draft(game, "FRANCE", "A PAR-PIC")
    all_hand_in(game)
    sweep_at_deadline(game)
    all_hand_in(game, but=["FRANCE"], lines=[])
    sweep_at_deadline(game)
    assert published(game, 2).powers_without_orders == ["FRANCE"]


# grace


def test_grace_is_for_those_without_a_sheet_alone() -> None:
    game = second_phase(rhythm=GRACE)
    all_hand_in(game, but=["FRANCE", "ITALY"], lines=[])
    draft(game, "ITALY", "A TYR-MUN")
    late = due(game) + HOUR
    assert sweep_at_deadline(game).phase_number == 2
    assert order_submission.counting_order_sets(game, 2)["ITALY"].origin == "draft"
    for power in ("GERMANY", "ITALY"):
        with pytest.raises(OrdersRefusal) as refused:
            hand_in(game, power, ["A MUN H"], at=late)
        assert refused.value.code == "late"
    hand_in(game, "FRANCE", ["A BUR-MUN"], at=late)
    assert deadline_clock.check_due_games(late) == 1
    assert published(game, 2).order_lines["FRANCE"] == ["A BUR-MUN"]


def test_what_is_in_preparation_during_the_grace_is_not_done_before_its_end() -> None:
    game = second_phase(rhythm=GRACE, absent="disorder")
    all_hand_in(game, but=["FRANCE", "ITALY"], lines=[])
    end = due(game) + 6 * HOUR
    sweep_at_deadline(game)
    draft(game, "FRANCE", "A BUR-MUN", at=end - HOUR)
    hand_in(game, "ITALY", [], at=end - HOUR)
    assert deadline_clock.check_due_games(end - HOUR) == 0
    draft(game, "FRANCE", "A BUR-PIC", at=end)
    with pytest.raises(OrdersRefusal):
        draft(game, "FRANCE", "A BUR-BEL", at=end + SECOND)
    assert deadline_clock.check_due_games(end + SECOND) == 0
    assert deadline_clock.check_due_games(end + 2 * SECOND) == 1
    assert published(game, 2).order_lines["FRANCE"] == ["A BUR-PIC"]


def test_after_the_grace_nobody_is_waited_for() -> None:
    game = second_phase(rhythm=GRACE, absent="disorder")
    all_hand_in(game, but=["FRANCE"], lines=[])
    end = due(game) + 6 * HOUR
    sweep_at_deadline(game)
    assert deadline_clock.check_due_games(end + 2 * SECOND) == 1
    assert published(game, 2).powers_without_orders == ["FRANCE"]
    assert due(game) == end + 72 * HOUR


# pause, other dates


def test_a_paused_game_rests_and_takes_sheets() -> None:
    game = table(rhythm=SLOW)
    left = due(game) - (BEGUN + DAY)
    game_lifecycle.pause_game(game, BEGUN + DAY)
    assert deadline_clock.check_due_games(BEGUN + 30 * DAY) == 0
    all_hand_in(game, at=BEGUN + 30 * DAY)
    game_lifecycle.resume_game(game, BEGUN + 31 * DAY)
    assert due(game) == BEGUN + 31 * DAY + left
    assert sweep_at_deadline(game).phase_number == 2


def test_all_final_while_it_rested_is_played_when_it_goes_on() -> None:
    game = table(rhythm=EARLY)
    game_lifecycle.pause_game(game, BEGUN + DAY)
    all_hand_in(game, at=BEGUN + 2 * DAY, final=True)
    assert deadline_clock.check_due_games(BEGUN + 2 * DAY) == 0
    game_lifecycle.resume_game(game, BEGUN + 3 * DAY)
    assert deadline_clock.check_due_games(BEGUN + 3 * DAY) == 1


def test_a_phase_published_at_rest_opens_one_at_rest() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    game_lifecycle.pause_game(game, BEGUN + DAY)
    phase_adjudication.adjudicate_phase(game, 1, BEGUN + 2 * DAY)
    row = fresh(game)
    assert (row.state, row.phase_number, row.deadline) == (GameState.PAUSED, 2, None)
    game_lifecycle.resume_game(game, BEGUN + 5 * DAY)
    assert due(game) == BEGUN + 5 * DAY + 72 * HOUR


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda game: game_lifecycle.extend_deadline(game, due(game), BEGUN), "earlier"),
        (lambda game: game_lifecycle.replace_deadline(game, BEGUN, BEGUN), "past"),
        (lambda game: game_lifecycle.resume_game(game, BEGUN), "already_running"),
        (lambda game: game_lifecycle.unpark_game(game, BEGUN), "not_parked"),
        (
            lambda game: (game_lifecycle.pause_game(game, BEGUN), game_lifecycle.pause_game(game, BEGUN)),
            "already_paused",
        ),
        (
            lambda game: (
                game_lifecycle.pause_game(game, BEGUN),
                game_lifecycle.resume_game(game, BEGUN, BEGUN),
            ),
            "past",
        ),
        (
            lambda game: (
                game_lifecycle.pause_game(game, BEGUN),
                game_lifecycle.extend_deadline(game, due(game), BEGUN),
            ),
            "paused",
        ),
    ],
)
def test_what_is_not_possible_changes_nothing(act: Any, code: str) -> None:
    game = table(rhythm=SLOW)
    before = due(game)
    with pytest.raises((game_lifecycle.LifecycleRefusal, AssertionError)) as refused:
        act(game)
    if isinstance(refused.value, game_lifecycle.LifecycleRefusal):
        assert refused.value.code == code
        assert fresh(game).deadline in (before, None)


def test_extended_by_hand() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    before = due(game)
    game_lifecycle.extend_deadline(game, before + DAY, before - HOUR)
    assert deadline_clock.check_due_games(before + 2 * SECOND) == 0
    assert people_told(game, "extended") >= set(PLAYERS.values())
    assert sweep_at_deadline(game).phase_number == 2


def test_by_hand_alone_nothing_is_due() -> None:
    game = table(rhythm={"hours": 0, "early": False})
    all_hand_in(game, final=True)
    assert fresh(game).deadline is None
    assert deadline_clock.check_due_games(BEGUN + 400 * DAY) == 0
    phase_adjudication.adjudicate_phase(game, 1, BEGUN + DAY, person(MASTER))
    assert fresh(game).phase_number == 2


def test_by_hand_but_early() -> None:
    game = table(rhythm={"hours": 0, "early": True})
    all_hand_in(game, final=True)
    assert deadline_clock.check_due_games(BEGUN + HOUR) == 1


# troubles


def test_a_poisoned_game_parks_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    games = [table(rhythm=SLOW) for _ in range(5)]
    for game in games:
        all_hand_in(game)
    judged = phase_adjudication.PhaseSnapshot.adjudicate

    def poisoned(taken: phase_adjudication.PhaseSnapshot) -> Any:
        if taken.game.pk == games[1].pk:
            raise ZeroDivisionError
        return judged(taken)

    monkeypatch.setattr(phase_adjudication.PhaseSnapshot, "adjudicate", poisoned)
    assert deadline_clock.check_due_games(due(games[0]) + 2 * SECOND) == 4
    assert [fresh(game).phase_number for game in games] == [2, 1, 2, 2, 2]
    bad = fresh(games[1])
    assert (bad.adjudication_error, bad.next_check_at, bad.claimed_by) == ("fault", None, "")
    assert people_told(bad, "parked") == {MASTER, ASSISTANT}
    assert "ZeroDivisionError" in caplog.text
    assert bad.key in caplog.text
    monkeypatch.undo()
    assert deadline_clock.check_due_games(due(bad) + DAY) == 0, "it waits for its game master"
    game_lifecycle.unpark_game(bad, due(bad) + DAY)
    assert deadline_clock.check_due_games(due(bad) + DAY) == 1


def test_a_game_that_cannot_even_be_told_of_parks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    PhaseRevision.objects.filter(game=games[0]).update(
        next_situation={"phase": "S1901M", "units": {"FRANCE": ["?"]}}
    )

    def silent(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(game_lifecycle, "park_game", silent)
    assert deadline_clock.check_due_games(due(games[0]) + 2 * SECOND) == 2
    assert fresh(games[0]).adjudication_error == "refused"


def test_a_game_that_cost_several_clocks_is_parked() -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    now = due(games[0]) + HOUR
    Game.objects.filter(pk=games[1].pk).update(claimed_by="gone", claimed_until=now - SECOND, attempts=4)
    Game.objects.filter(pk=games[2].pk).update(claimed_by="gone", claimed_until=now - SECOND, attempts=1)
    assert deadline_clock.check_due_games(now) == 2
    assert fresh(games[1]).adjudication_error == "fault"
    deadline_clock.retry_failed_games(now)
    assert fresh(games[1]).adjudication_error == "fault", "not before somebody says so"
    game_lifecycle.unpark_game(games[1], now)
    assert deadline_clock.check_due_games(now) == 1


def test_what_failed_by_our_fault_is_tried_again_when_a_clock_begins() -> None:
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    for game, trouble in zip(games, ("fault", "refused"), strict=True):
        game_lifecycle.park_game(game, trouble)
    now = due(games[0]) + HOUR
    assert deadline_clock.check_due_games(now) == 0
    deadline_clock.retry_failed_games(now)
    assert deadline_clock.check_due_games(now) == 1
    assert fresh(games[1]).adjudication_error == "refused"


def test_what_a_broken_off_sweep_had_claimed_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    own, now = deadline_clock.DeadlineClock(), due(games[0]) + HOUR
    judged, broken = phase_adjudication.PhaseSnapshot.adjudicate, [OperationalError("gone")] * 3

    def broken_off(taken: phase_adjudication.PhaseSnapshot) -> Any:
        if broken:
            raise broken.pop()
        return judged(taken)

    monkeypatch.setattr(phase_adjudication.PhaseSnapshot, "adjudicate", broken_off)
    with pytest.raises(OperationalError):
        own.check_due(now)
    assert own.check_due(now + SECOND) == 3


def test_a_game_that_the_database_alone_refuses_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    judged, now = phase_adjudication.PhaseSnapshot.adjudicate, due(games[0]) + HOUR

    def refusing(taken: phase_adjudication.PhaseSnapshot) -> Any:
        if taken.game.pk == games[0].pk:
            raise OperationalError("too big")
        return judged(taken)

    monkeypatch.setattr(phase_adjudication.PhaseSnapshot, "adjudicate", refusing)
    assert deadline_clock.check_due_games(now) == 2
    assert deadline_clock.check_due_games(now + SECOND) == 0
    monkeypatch.undo()
    assert deadline_clock.check_due_games(now + 31 * SECOND) == 1


def test_the_oldest_is_first() -> None:
    late, early = table(rhythm={**SLOW, "hours": 73}), table(rhythm=SLOW)
    for game in (late, early):
        all_hand_in(game)
    deadline_clock.check_due_games(due(late) + timedelta(days=3))
    first, second = PhaseRevision.objects.filter(phase_number=1).order_by("pk")
    assert (first.game_id, second.game_id) == (early.pk, late.pk)


def test_a_game_that_ends_is_told_once_and_never_looked_at_again() -> None:
    game = second_phase(last_year=1901, last_after="R")
    all_hand_in(game, lines=[])
    row = sweep_at_deadline(game)
    assert (row.state, row.deadline, row.next_check_at) == (GameState.ENDED, None, None)
    assert row.result is not None
    assert row.result["kind"] == "last_year"
    assert len(told(game, "ended")) == 10
    with pytest.raises(OrdersRefusal) as refused:
        hand_in(game, "FRANCE", [], at=BEGUN)
    assert refused.value.code == "over"
