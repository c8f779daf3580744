"""A button of the desk: where it is, at which moment, what is typed, and what is so afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from talleyrand.tournament import regulations
from talleyrand.tournament.model import BoardResult, Event, RoundState
from tests.web.tournaments.desk import stages

Typed = Mapping[str, Any]


@dataclass(frozen=True)
class Button:
    """`typed`: what is typed, or what makes it of the event; `done`: what is so once it is pressed.

    `helps`: an assistant may press it; `needs`: fields without which it is refused.
    """

    name: str
    stage: str
    page: str
    args: tuple[int, ...]
    typed: Typed | Callable[[Event], Typed]
    done: Callable[[Event], Any]
    helps: bool = True
    needs: tuple[str, ...] = field(default=())

    def fields(self, event: Event) -> dict[str, Any]:
        """What the form sends."""
        return dict(self.typed(event) if callable(self.typed) else self.typed)


def centres(event: Event, *, board: int = 1) -> dict[str, Any]:
    """A result that adds up, as a form sends it."""
    told = stages.result(event, board).centres
    return {f"result.centres.{power}": str(count) for power, count in told.items()} | {
        "result.neutral": "0",
        "result.ended": "time",
        "result.year": "1906",
        "result.reached.TURKEY": "Picardie",
    }


def corrected(event: Event) -> dict[str, Any]:
    """Two powers change a centre."""
    told = centres(event)
    return told | {
        "result.centres.AUSTRIA": "5",
        "result.centres.TURKEY": "5",
        "press": "result_corrected",
        "look": "1",
        "sure": "1",
    }


def asking(_event: Event) -> dict[str, Any]:
    """France asks for the end, Italy has lost everything."""
    held = {"centres": 5, "homes": 3, "units": 5, "free": 5, "abroad": 0}
    powers = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY")
    table = {f"table.{power}.{name}": str(count) for power in powers for name, count in held.items()}
    table |= {f"table.ITALY.{name}": "0" for name in held}
    return {**table, "press": "vote_asked", "power": "FRANCE", "when": "F1903R"}


def ballot(event: Event) -> dict[str, Any]:
    """Austria names England for the first voted prize."""
    prizes = regulations.read_regulations(event.regulations).prizes
    voted = next(key for key, prize in prizes.items() if prize.kind == "vote")
    return {
        "press": "ballot",
        "voter": str(seat(event, "AUSTRIA")),
        f"names.{voted}": str(seat(event, "ENGLAND")),
    }


def seat(event: Event, power: str, board: int = 1) -> int | None:
    """Who sits there."""
    return event.rounds[1].boards[board].seats[power].person


def result(event: Event) -> BoardResult:
    """Of board 1."""
    found = event.rounds[1].boards[1].result
    assert found is not None
    return found


def swapped(event: Event) -> bool:
    """Whether the two seats of the table below have changed their people."""
    before = stages.drafted()
    return seat(event, "AUSTRIA") == seat(before, "FRANCE", 2)


def state(event: Event) -> RoundState:
    """Of the first round."""
    return event.rounds[1].state


def person_form(event: Event) -> dict[str, Any]:
    """The whole form of Bastien, with a mail address."""
    known = event.people[2]
    return {
        "press": "person_changed",
        "number": "2",
        "person.name": known.name,
        "person.club": "Nantes",
        "person.office": "volunteer",
        "person.beginner": ["", "1"],
        "person.rounds": ["", "1", "2"],
        "person.private.mail": "bastien@example.org",
        "person.private.note": "Ne mange pas de viande.",
    }


ONE, BOARD = (1,), (1, 1)
R1 = {"round": "1"}
B1 = {"round": "1", "board": "1"}
