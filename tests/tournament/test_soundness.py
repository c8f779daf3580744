"""What can never be so, whoever wrote it: restored, undone, or made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import invariants
from talleyrand.tournament.event_errors import InconsistentEvent
from talleyrand.tournament.model import (
    AdjustmentEffect,
    BoardResult,
    Bye,
    ByeReason,
    ClockState,
    DirectorRuling,
    EndVote,
    Event,
    EventBoard,
    EventPerson,
    EventTeam,
    PowerSeat,
    PrizeBallot,
    RideOffer,
    RoundState,
    ScoreAdjustment,
    SeatReplacement,
)

from .moments import assert_said
from .room import AT, CENTRES, closed, ended, gathered, listed, playing, sits


def with_round(event: Event, **facts: Any) -> Event:
    return replace(event, rounds={**event.rounds, 1: replace(event.rounds[1], **facts)})


def with_board(event: Event, **facts: Any) -> Event:
    boards = event.rounds[1].boards
    return with_round(event, boards={**boards, 1: replace(boards[1], **facts)})


def with_france(seat: PowerSeat, event: Event | None = None) -> Event:
    start = event or playing()
    return with_board(start, seats={**start.rounds[1].boards[1].seats, "FRANCE": seat})


def with_result(**facts: Any) -> Event:
    return with_board(ended(), result=replace(BoardResult(CENTRES, year=1906), confirmed="desk", **facts))


def threefold() -> Event:
    event = playing(21)
    boards = {
        at: replace(board, seats={**board.seats, "FRANCE": PowerSeat(1), **out(board, 1)})
        for at, board in event.rounds[1].boards.items()
    }
    return with_round(event, boards=boards)


def out(board: EventBoard, who: int) -> dict[str, PowerSeat]:
    return {
        power: PowerSeat() for power, seat in board.seats.items() if seat.person == who and power != "FRANCE"
    }


def adjusted(who: int, number: int) -> Event:
    return replace(listed(), adjustments={1: ScoreAdjustment(who, number, AdjustmentEffect.ADD, "1", "A")})


NOBODY = 99
FRANCE = sits(playing(), 1, 1, "FRANCE")
OTHER = sits(playing(), 1, 2, "ITALY")
ITALY = sits(playing(), 1, 1, "ITALY")

WRONG: list[tuple[str, Callable[[], Event]]] = [
    ("sound_name", lambda: replace(listed(), people={1: EventPerson(" ")})),
    ("sound_name", lambda: replace(listed(), people={0: EventPerson("Desk")})),
    ("sound_signed_up", lambda: replace(listed(), people={1: EventPerson("A", rounds=(9,))})),
    ("sound_present", lambda: with_round(gathered(), present={NOBODY: AT})),
    ("sound_present", lambda: with_round(gathered(), resting={NOBODY: Bye(ByeReason.LOT)})),
    ("sound_seated", lambda: with_france(PowerSeat(NOBODY))),
    ("sound_seated", lambda: with_france(PowerSeat(ITALY, reliefs=(SeatReplacement(NOBODY, 3),)))),
    ("sound_result_by", lambda: with_result(by="99")),
    ("sound_result_by", lambda: with_result(by="somebody")),
    ("sound_result_by", lambda: with_result(by="9" * 5_000)),
    ("sound_team", lambda: replace(listed(), teams={1: EventTeam("A", (NOBODY,))})),
    ("sound_two_teams", lambda: replace(listed(), teams={1: EventTeam("A", (1,)), 2: EventTeam("B", (1,))})),
    ("sound_two_teams", lambda: replace(listed(), teams={1: EventTeam("A", (1, 1))})),
    ("sound_team_powers", lambda: replace(listed(), teams={1: EventTeam("A", (1,), ((2, "ITALY"),))})),
    (
        "sound_team_powers",
        lambda: replace(listed(), teams={1: EventTeam("A", (1, 2), ((1, "ITALY"), (2, "ITALY")))}),
    ),
    ("sound_team", lambda: replace(listed(), teams={1: EventTeam("A", asking=(NOBODY,))})),
    ("sound_team_asking", lambda: replace(listed(), teams={1: EventTeam("A", (1,), asking=(1,))})),
    (
        "sound_asks_twice",
        lambda: replace(listed(), teams={1: EventTeam("A", asking=(1,)), 2: EventTeam("B", asking=(1,))}),
    ),
    ("sound_apart", lambda: replace(listed(), apart=((1, NOBODY),))),
    ("sound_apart_self", lambda: replace(listed(), apart=((2, 2),))),
    (
        "sound_adjusted",
        lambda: adjusted(NOBODY, 0),
    ),
    ("sound_note_round", lambda: adjusted(1, 9)),
    ("sound_note_round", lambda: replace(listed(), rulings={1: DirectorRuling(AT, "A", round=9)})),
    ("sound_time", lambda: replace(listed(), rulings={1: DirectorRuling("now", "A")})),
    ("sound_ballot", lambda: replace(closed(), ballots={1: PrizeBallot(1, 1, NOBODY, {})})),
    ("sound_ballot_self", lambda: replace(closed(), ballots={1: PrizeBallot(1, 1, 1, {"angers": 1})})),
    ("sound_note_board", lambda: replace(closed(), ballots={1: PrizeBallot(1, 9, 1, {})})),
    ("sound_ride", lambda: replace(listed(), rides={1: RideOffer(NOBODY, "A")})),
    ("sound_time", lambda: with_round(gathered(), present={1: "yesterday"})),
    ("sound_time", lambda: with_round(gathered(), starts="2026-11-21")),
    ("sound_time", lambda: with_round(playing(), clock=ClockState(started="soon"))),
    ("sound_boards_early", lambda: with_round(playing(), state=RoundState.OPEN)),
    ("sound_result_early", lambda: with_round(ended(), state=RoundState.DRAFT)),
    ("sound_result_missing", lambda: with_round(playing(), state=RoundState.CLOSED)),
    ("sound_result_missing", lambda: with_board(closed(), result=BoardResult(CENTRES))),
    ("sound_resting_absent", lambda: with_round(gathered(), present={}, resting={1: Bye(ByeReason.LOT)})),
    ("sound_boards", threefold),
    ("sound_twice", lambda: with_france(PowerSeat(ITALY))),
    ("sound_twice", lambda: with_france(PowerSeat(None, reliefs=(SeatReplacement(ITALY, 3),)))),
    ("sound_seated_absent", lambda: with_round(playing(), present={})),
    ("sound_seated_resting", lambda: with_round(playing(), resting={ITALY: Bye(ByeReason.LOT)})),
    ("sound_few_powers", lambda: with_board(playing(), seats={"FRANCE": PowerSeat()})),
    ("sound_power", lambda: with_board(playing(), variant="sandad")),
    ("sound_final", lambda: with_board(playing(), final=True)),
    (
        "sound_value",
        lambda: replace(listed(), adjustments={1: ScoreAdjustment(1, 0, AdjustmentEffect.ADD, "1/0", "A")}),
    ),
    ("sound_clock", lambda: with_round(playing(), clock=ClockState(lengths={0: 10**9}))),
    ("sound_round", lambda: replace(listed(), rounds={**listed().rounds, 9_999_999: listed().rounds[1]})),
    ("sound_clock", lambda: with_round(playing(), clock=ClockState(season=-1))),
    ("sound_clock", lambda: with_round(playing(), clock=ClockState(lengths={3: -60}))),
    ("sound_seasons", lambda: with_france(PowerSeat(FRANCE, missed=-1))),
    (
        "sound_seasons",
        lambda: with_france(PowerSeat(FRANCE, reliefs=(SeatReplacement(OTHER, 99),))),
    ),
    ("sound_last_year", lambda: with_board(playing(), last_year=19)),
    ("sound_centres", lambda: with_result(centres={**CENTRES, "TURKEY": -1, "ITALY": 4})),
    ("sound_vote", lambda: with_board(playing(), votes={1: EndVote("NARNIA", "S1904R")})),
    ("sound_centres", lambda: with_board(ended(), result=BoardResult({"FRANCE": 34}))),
    ("sound_centres_total", lambda: with_result(neutral=1)),
    ("sound_confirmed_own", lambda: with_board(ended(), result=BoardResult(CENTRES, by="1", confirmed="1"))),
]


@pytest.mark.parametrize(("code", "made"), WRONG, ids=[f"{row[0]}-{at}" for at, row in enumerate(WRONG)])
def test_a_contradiction_is_found(code: str, made: Callable[[], Event]) -> None:
    event = made()
    with pytest.raises(InconsistentEvent) as found:
        invariants.check_invariants(event)
    assert found.value.code == code
    assert_said(found.value)


@pytest.mark.parametrize("event", [listed(), gathered(), playing(), ended(), closed(13, 2), closed(4)])
def test_what_the_desk_makes_is_sound(event: Event) -> None:
    invariants.check_invariants(event)


@pytest.mark.parametrize(
    "regulations", ["house_rules", {"extends": "anjou_feu", "system": "none"}, {"system": {"parts": 5}}]
)
def test_regulations_that_cannot_be_read_are_found(regulations: Any) -> None:
    with pytest.raises(TalleyrandError):
        invariants.check_invariants(replace(listed(), regulations=regulations))
