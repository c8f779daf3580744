"""Events made in a line or two, for tests of standings."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from talleyrand.tournament.model import (
    BoardResult,
    Bye,
    ByeReason,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    Office,
    PowerSeat,
    RoundState,
)

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
CENTRES = (12, 8, 6, 4, 3, 1, 0)
BAF = ("58.143", "20.899", "18.626", "16.354", "15.267", "12.994", "0")  # what these centres give
POINTS = dict(zip(POWERS, map(Fraction, BAF), strict=True))


def table(
    *people: int | PowerSeat | None, centres: tuple[int, ...] = CENTRES, confirmed: str = "desk", **told: Any
) -> EventBoard:
    """A board: who plays Austria, England… to Turkey; `result` fields that are not the board's in `ends`."""
    seats = {
        power: one if isinstance(one, PowerSeat) else PowerSeat(one)
        for power, one in zip(POWERS, people, strict=False)
    }
    ends = told.pop("ends", {})
    result = BoardResult(dict(zip(POWERS, centres, strict=True)), confirmed=confirmed, **ends)
    return EventBoard(seats=seats, **{"result": result, **told})


def survivor(*people: int | PowerSeat | None, **told: Any) -> EventBoard:
    """A board of six; a seventh, Turkey's, is a latecomer."""
    return table(*people, *((None,) if len(people) == 6 else ()), variant="survivor_turkey", **told)


def intimate(first: int, second: int, winner: int | None) -> EventBoard:
    """A game of two: the first plays Austria, the second England."""
    who = {first: "AUSTRIA", second: "ENGLAND"}
    result = BoardResult({"AUSTRIA": 10, "ENGLAND": 10}, winner=who.get(winner or 0, ""), confirmed="desk")
    return EventBoard("intimate", {power: PowerSeat(one) for one, power in who.items()}, result=result)


def closed(*boards: EventBoard, rest: tuple[int, ...] = (), **told: Any) -> EventRound:
    """A round that is over; `rest`: who stood down because he was asked."""
    resting = {one: Bye(ByeReason.LOT) for one in rest}
    return EventRound(RoundState.CLOSED, boards=dict(enumerate(boards, 1)), **{"resting": resting, **told})


def event(*rounds: EventRound, offices: Mapping[int, Office] | None = None, **told: Any) -> Event:
    """An event of forty people of the Anjou Feu, its rounds in order."""
    offices = offices or {}
    people = {
        number: EventPerson(f"P{number}", office=offices.get(number, Office.NONE)) for number in range(1, 41)
    }
    return Event("Event", people=people, rounds=dict(enumerate(rounds, 1)), **told)
