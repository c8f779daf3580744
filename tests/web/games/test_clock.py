"""The clock publishes what is due, when it is due, and does what the game's terms say of the others."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError

from talleyrand.web.games import clock, inbox, referee, running
from talleyrand.web.games.inbox import NotTaken
from talleyrand.web.games.models import Game, Revision, State
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
    assert clock.sweep(due(game) + SECOND) == 0
    assert clock.sweep(due(game) + 2 * SECOND) == 1
    assert fresh(game).phase == "F1901M"
    assert published(game, 1).sheets["FRANCE"] == ["A PAR-BUR"]


def test_dates_do_not_creep_with_the_clock() -> None:
    game = table(rhythm=SLOW)
    for number in (1, 2):
        all_hand_in(game, lines=[])
        assert due(game) == BEGUN + number * 72 * HOUR
        sweep_at_deadline(game, 30 * SECOND)


def test_never_early_where_it_was_agreed_so() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game, final=True)
    assert clock.sweep(due(game) - SECOND) == 0


def test_early_when_all_who_are_waited_for_are_final() -> None:
    game = table(rhythm=EARLY)
    all_hand_in(game, but=["TURKEY"], final=True)
    hand_in(game, "TURKEY")
    assert clock.sweep(BEGUN + HOUR) == 0
    inbox.set_final(game, "TURKEY", 1, final=True, at=BEGUN + 2 * HOUR)
    assert clock.sweep(BEGUN + 2 * HOUR) == 1
    assert due(game) == BEGUN + 2 * HOUR + 72 * HOUR


def test_a_final_taken_back_is_waited_for() -> None:
    game = table(rhythm=EARLY)
    all_hand_in(game, final=True)
    inbox.set_final(game, "TURKEY", 1, final=False, at=BEGUN)
    assert clock.sweep(BEGUN + HOUR) == 0
    hand_in(game, "TURKEY", final=True)
    assert clock.sweep(BEGUN + HOUR) == 1


def test_a_sheet_that_is_not_final_takes_the_flag_away() -> None:
    game = table(rhythm=EARLY)
    all_hand_in(game, final=True)
    hand_in(game, "ITALY", ["A VEN-PIE"])
    assert clock.sweep(BEGUN + HOUR) == 0
    sweep_at_deadline(game)
    assert published(game, 1).sheets["ITALY"] == ["A VEN-PIE"]


def test_those_with_nothing_to_decide_are_not_waited_for() -> None:
    game = table(rhythm=EARLY)
    for lines in ({"AUSTRIA": ["A VIE-TYR"]}, {"AUSTRIA": ["A TYR-VEN", "F TRI S A TYR-VEN"]}):
        for power in PLAYERS:
            hand_in(game, power, lines.get(power, []), final=True)
        clock.sweep(BEGUN + HOUR)
    assert fresh(game).phase == "F1901R"
    hand_in(game, "ITALY", ["A VEN-TUS"], final=True)
    assert clock.sweep(BEGUN + HOUR) == 1
    assert fresh(game).phase == "W1901A"


# the four failures of other sites, by name


def test_confirmed_but_empty_is_not_absent() -> None:
    game = table(rhythm=EARLY, absent="disorder", patience=1)
    all_hand_in(game, but=["RUSSIA"], final=True)
    hand_in(game, "RUSSIA", [], final=True)
    assert clock.sweep(BEGUN + HOUR) == 1
    first = published(game, 1)
    assert first.sheets["RUSSIA"] == []
    assert first.absent == []
    assert not seat(game, "RUSSIA").disorder
    assert seat(game, "RUSSIA").missed == 0


def test_adjudicated_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever judged the same sheets a moment later keeps nothing, and says so."""
    game = table(rhythm=SLOW)
    all_hand_in(game)
    mine, other = referee.snapshot(game, 1, due(game)), referee.snapshot(game, 1, due(game))
    assert mine.digest == other.digest
    answer = mine.judged()
    assert referee.publish(mine, answer, due(game)) is not None
    assert referee.publish(other, answer, due(game)) is None
    assert clock.sweep(due(game) - SECOND) == 0
    with pytest.raises(referee.Overtaken):
        referee.adjudicate(game, 1, due(game))
    assert fresh(game).number == 2
    assert Revision.objects.filter(game=game).count() == 2
    assert len(told(game, "published")) == 10


def test_adjudicated_never() -> None:
    """Whatever made the clock forget a game, a claim that nobody ended among it, it comes to it."""
    game = table(rhythm=SLOW)
    all_hand_in(game)
    now = due(game) + HOUR
    Game.objects.filter(pk=game.pk).update(worker="gone", worker_until=now + 30 * SECOND, attempts=1)
    assert clock.sweep(now) == 0
    assert clock.sweep(now + 31 * SECOND) == 1
    row = fresh(game)
    assert (row.number, row.worker, row.attempts) == (2, "", 0)


def test_order_write_racing_with_adjudication() -> None:
    """A sheet that was acknowledged between the snapshot and the publication is in the phase."""
    game = table(rhythm=SLOW)
    all_hand_in(game)
    taken = referee.snapshot(game, 1, due(game))
    answer = taken.judged()
    hand_in(game, "FRANCE", ["A PAR-PIC"], at=due(game))
    assert referee.publish(taken, answer, due(game)) is None
    assert clock.sweep(due(game) + 2 * SECOND) == 1
    assert published(game, 1).sheets["FRANCE"] == ["A PAR-PIC"]


def test_a_draft_racing_with_adjudication() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game, but=["FRANCE"])
    taken = referee.snapshot(game, 1, due(game))
    draft(game, "FRANCE", "A PAR-PIC", at=due(game))
    assert referee.publish(taken, taken.judged(), due(game)) is None
    taken = referee.snapshot(game, 1, due(game))
    draft(game, "FRANCE", "A PAR-GAS", at=due(game))
    assert referee.publish(taken, taken.judged(), due(game)) is None
    assert clock.sweep(due(game) + 2 * SECOND) == 1
    assert published(game, 1).sheets["FRANCE"] == ["A PAR-GAS"]


# drafts


def test_a_draft_stands_for_a_sheet_that_was_never_handed_in() -> None:
    game = second_phase()
    all_hand_in(game, but=["FRANCE"], lines=[])
    draft(game, "FRANCE", "A BUR-MUN")
    assert inbox.standing(game, 2)["FRANCE"] == "draft"
    sweep_at_deadline(game)
    assert published(game, 2).sheets["FRANCE"] == ["A BUR-MUN"]
    assert published(game, 2).absent == []
    assert inbox.counting(game, 2)["FRANCE"].origin == "draft"
    assert seat(game, "FRANCE").draft == []


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
    assert (game.trouble, game.number) == ("", 3)
    assert inbox.counting(game, 2)["FRANCE"].lines == ["A BUR-MUN"]


def test_a_draft_counts_not_where_it_was_agreed_so() -> None:
    game = second_phase(drafts_count=False, absent="disorder")
    all_hand_in(game, but=["FRANCE"], lines=[])
    draft(game, "FRANCE", "A BUR-MUN")
    sweep_at_deadline(game)
    assert published(game, 2).absent == ["FRANCE"]


def test_what_was_drafted_after_the_sheet_does_not_count() -> None:
    game = second_phase()
    all_hand_in(game, lines=[])
    draft(game, "FRANCE", "A BUR-MUN")
    sweep_at_deadline(game)
    assert published(game, 2).sheets["FRANCE"] == []


def test_a_draft_for_another_phase_is_none() -> None:
    game = table(rhythm=SLOW, absent="disorder")
    draft(game, "FRANCE", "A PAR-PIC")
    all_hand_in(game)
    sweep_at_deadline(game)
    all_hand_in(game, but=["FRANCE"], lines=[])
    sweep_at_deadline(game)
    assert published(game, 2).absent == ["FRANCE"]


# grace


def test_grace_is_for_those_without_a_sheet_alone() -> None:
    game = second_phase(rhythm=GRACE)
    all_hand_in(game, but=["FRANCE", "ITALY"], lines=[])
    draft(game, "ITALY", "A TYR-MUN")
    late = due(game) + HOUR
    assert sweep_at_deadline(game).number == 2
    assert inbox.counting(game, 2)["ITALY"].origin == "draft"
    for power in ("GERMANY", "ITALY"):
        with pytest.raises(NotTaken) as refused:
            hand_in(game, power, ["A MUN H"], at=late)
        assert refused.value.code == "late"
    hand_in(game, "FRANCE", ["A BUR-MUN"], at=late)
    assert clock.sweep(late) == 1
    assert published(game, 2).sheets["FRANCE"] == ["A BUR-MUN"]


def test_what_is_in_preparation_during_the_grace_is_not_done_before_its_end() -> None:
    game = second_phase(rhythm=GRACE, absent="disorder")
    all_hand_in(game, but=["FRANCE", "ITALY"], lines=[])
    end = due(game) + 6 * HOUR
    sweep_at_deadline(game)
    draft(game, "FRANCE", "A BUR-MUN", at=end - HOUR)
    hand_in(game, "ITALY", [], at=end - HOUR)
    assert clock.sweep(end - HOUR) == 0
    draft(game, "FRANCE", "A BUR-PIC", at=end)
    with pytest.raises(NotTaken):
        draft(game, "FRANCE", "A BUR-BEL", at=end + SECOND)
    assert clock.sweep(end + SECOND) == 0
    assert clock.sweep(end + 2 * SECOND) == 1
    assert published(game, 2).sheets["FRANCE"] == ["A BUR-PIC"]


def test_after_the_grace_nobody_is_waited_for() -> None:
    game = second_phase(rhythm=GRACE, absent="disorder")
    all_hand_in(game, but=["FRANCE"], lines=[])
    end = due(game) + 6 * HOUR
    sweep_at_deadline(game)
    assert clock.sweep(end + 2 * SECOND) == 1
    assert published(game, 2).absent == ["FRANCE"]
    assert due(game) == end + 72 * HOUR


# pause, other dates


def test_a_paused_game_rests_and_takes_sheets() -> None:
    game = table(rhythm=SLOW)
    left = due(game) - (BEGUN + DAY)
    running.pause(game, BEGUN + DAY)
    assert clock.sweep(BEGUN + 30 * DAY) == 0
    all_hand_in(game, at=BEGUN + 30 * DAY)
    running.resume(game, BEGUN + 31 * DAY)
    assert due(game) == BEGUN + 31 * DAY + left
    assert sweep_at_deadline(game).number == 2


def test_all_final_while_it_rested_is_played_when_it_goes_on() -> None:
    game = table(rhythm=EARLY)
    running.pause(game, BEGUN + DAY)
    all_hand_in(game, at=BEGUN + 2 * DAY, final=True)
    assert clock.sweep(BEGUN + 2 * DAY) == 0
    running.resume(game, BEGUN + 3 * DAY)
    assert clock.sweep(BEGUN + 3 * DAY) == 1


def test_a_phase_published_at_rest_opens_one_at_rest() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    running.pause(game, BEGUN + DAY)
    referee.adjudicate(game, 1, BEGUN + 2 * DAY)
    row = fresh(game)
    assert (row.state, row.number, row.due) == (State.PAUSED, 2, None)
    running.resume(game, BEGUN + 5 * DAY)
    assert due(game) == BEGUN + 5 * DAY + 72 * HOUR


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda game: running.extend(game, due(game), BEGUN), "earlier"),
        (lambda game: running.set_due(game, BEGUN, BEGUN), "past"),
        (lambda game: running.resume(game, BEGUN), "not_paused"),
        (lambda game: running.unpark(game, BEGUN), "not_parked"),
        (lambda game: (running.pause(game, BEGUN), running.pause(game, BEGUN)), "not_playing"),
        (lambda game: (running.pause(game, BEGUN), running.resume(game, BEGUN, BEGUN)), "past"),
        (lambda game: (running.pause(game, BEGUN), running.extend(game, due(game), BEGUN)), "not_playing"),
    ],
)
def test_what_is_not_possible_changes_nothing(act: Any, code: str) -> None:
    game = table(rhythm=SLOW)
    before = due(game)
    with pytest.raises((running.NotPossible, AssertionError)) as refused:
        act(game)
    if isinstance(refused.value, running.NotPossible):
        assert refused.value.code == code
        assert fresh(game).due in (before, None)


def test_extended_by_hand() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    before = due(game)
    running.extend(game, before + DAY, before - HOUR)
    assert clock.sweep(before + 2 * SECOND) == 0
    assert people_told(game, "extended") >= set(PLAYERS.values())
    assert sweep_at_deadline(game).number == 2


def test_by_hand_alone_nothing_is_due() -> None:
    game = table(rhythm={"hours": 0, "early": False})
    all_hand_in(game, final=True)
    assert fresh(game).due is None
    assert clock.sweep(BEGUN + 400 * DAY) == 0
    referee.adjudicate(game, 1, BEGUN + DAY, person(MASTER))
    assert fresh(game).number == 2


def test_by_hand_but_early() -> None:
    game = table(rhythm={"hours": 0, "early": True})
    all_hand_in(game, final=True)
    assert clock.sweep(BEGUN + HOUR) == 1


# troubles


def test_a_poisoned_game_parks_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    games = [table(rhythm=SLOW) for _ in range(5)]
    for game in games:
        all_hand_in(game)
    judged = referee.Snapshot.judged

    def poisoned(taken: referee.Snapshot) -> Any:
        if taken.game.pk == games[1].pk:
            raise ZeroDivisionError
        return judged(taken)

    monkeypatch.setattr(referee.Snapshot, "judged", poisoned)
    assert clock.sweep(due(games[0]) + 2 * SECOND) == 4
    assert [fresh(game).number for game in games] == [2, 1, 2, 2, 2]
    bad = fresh(games[1])
    assert (bad.trouble, bad.sweep, bad.worker) == ("fault", None, "")
    assert people_told(bad, "parked") == {MASTER, ASSISTANT}
    assert "ZeroDivisionError" in caplog.text
    assert bad.key in caplog.text
    monkeypatch.undo()
    assert clock.sweep(due(bad) + DAY) == 0, "it waits for its game master"
    running.unpark(bad, due(bad) + DAY)
    assert clock.sweep(due(bad) + DAY) == 1


def test_a_game_that_cannot_even_be_told_of_parks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    Revision.objects.filter(game=games[0]).update(after={"phase": "S1901M", "units": {"FRANCE": ["?"]}})

    def silent(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(running, "park", silent)
    assert clock.sweep(due(games[0]) + 2 * SECOND) == 2
    assert fresh(games[0]).trouble == "refused"


def test_a_game_that_cost_several_clocks_is_parked() -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    now = due(games[0]) + HOUR
    Game.objects.filter(pk=games[1].pk).update(worker="gone", worker_until=now - SECOND, attempts=4)
    Game.objects.filter(pk=games[2].pk).update(worker="gone", worker_until=now - SECOND, attempts=1)
    assert clock.sweep(now) == 2
    assert fresh(games[1]).trouble == "fault"
    clock.retry_faults(now)
    assert fresh(games[1]).trouble == "fault", "not before somebody says so"
    running.unpark(games[1], now)
    assert clock.sweep(now) == 1


def test_what_failed_by_our_fault_is_tried_again_when_a_clock_begins() -> None:
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    for game, trouble in zip(games, ("fault", "refused"), strict=True):
        running.park(game, trouble)
    now = due(games[0]) + HOUR
    assert clock.sweep(now) == 0
    clock.retry_faults(now)
    assert clock.sweep(now) == 1
    assert fresh(games[1]).trouble == "refused"


def test_what_a_broken_off_sweep_had_claimed_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    own, now = clock.Clock(), due(games[0]) + HOUR
    judged, broken = referee.Snapshot.judged, [OperationalError("gone")] * 3

    def broken_off(taken: referee.Snapshot) -> Any:
        if broken:
            raise broken.pop()
        return judged(taken)

    monkeypatch.setattr(referee.Snapshot, "judged", broken_off)
    with pytest.raises(OperationalError):
        own.sweep(now)
    assert own.sweep(now + SECOND) == 3


def test_a_game_that_the_database_alone_refuses_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    judged, now = referee.Snapshot.judged, due(games[0]) + HOUR

    def refusing(taken: referee.Snapshot) -> Any:
        if taken.game.pk == games[0].pk:
            raise OperationalError("too big")
        return judged(taken)

    monkeypatch.setattr(referee.Snapshot, "judged", refusing)
    assert clock.sweep(now) == 2
    assert clock.sweep(now + SECOND) == 0
    monkeypatch.undo()
    assert clock.sweep(now + 31 * SECOND) == 1


def test_the_oldest_is_first() -> None:
    late, early = table(rhythm={**SLOW, "hours": 73}), table(rhythm=SLOW)
    for game in (late, early):
        all_hand_in(game)
    clock.sweep(due(late) + timedelta(days=3))
    first, second = Revision.objects.filter(number=1).order_by("pk")
    assert (first.game_id, second.game_id) == (early.pk, late.pk)


def test_a_game_that_ends_is_told_once_and_never_looked_at_again() -> None:
    game = second_phase(last_year=1901, last_after="R")
    all_hand_in(game, lines=[])
    row = sweep_at_deadline(game)
    assert (row.state, row.due, row.sweep) == (State.ENDED, None, None)
    assert row.result is not None
    assert row.result["kind"] == "last_year"
    assert len(told(game, "ended")) == 10
    with pytest.raises(NotTaken) as refused:
        hand_in(game, "FRANCE", [], at=BEGUN)
    assert refused.value.code == "over"
