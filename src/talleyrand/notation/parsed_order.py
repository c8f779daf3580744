"""What a line says, as written: places, units, and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .vocabulary import OrderVerb


class PlaceRef(NamedTuple):
    """A place as written: the provinces it may mean, and the coast's form."""

    codes: tuple[str, ...]
    text: str
    coast: str = ""
    guessed: bool = False


class UnitRef(NamedTuple):
    """A unit as written; `kind` and `power` None where left out."""

    place: PlaceRef
    kind: str | None = None
    power: str | None = None
    power_text: str = ""


@dataclass(frozen=True, slots=True)
class ParsedOrder:
    """An order as written. `verb` None: the unit alone. `hold_written`: the other unit's hold is written.

    `guessed`: the words in which a sign was misspelt or left out.
    """

    verb: OrderVerb | None
    unit: UnitRef | None = None
    target: UnitRef | None = None
    to: PlaceRef | None = None
    hold_written: bool = False
    marker: str = ""
    path: tuple[PlaceRef, ...] = ()
    guessed: str = ""
    verb_missing: bool = False


@dataclass(slots=True)
class ParseFailure:
    """How far a line made sense: the token reached, what should have followed, the unit read by then."""

    at: int = 0
    wanted: str = "unit"
    unit: UnitRef | None = None
    verb: OrderVerb | None = None
