"""The orders a power can give, and their normal form (`str(order)`).

`bare` marks a form without a closing sign ("A Brest S A Paris"), weaker than any other order for
the same unit (bare_support_competition). It takes no part in comparisons: the same order written
twice is one order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from .errors import TalleyrandError
from .position import UnitName

_UNIT = r"([A-Z]) ([A-Z0-9]{2,}(?:/[A-Z]{2})?)"
_PLACE = r"([A-Z0-9]{2,}(?:/[A-Z]{2})?)"
_PATH = r"((?:- [A-Z0-9]{2,} )*)"
_NORMAL = re.compile(
    rf"{_UNIT} (?:(H|D|B)|{_PATH}- {_PLACE}( VIA)?|R {_PLACE}|([SC]) {_UNIT}(?: - {_PLACE})?)"
)


@dataclass(frozen=True, slots=True)
class Hold:
    """The unit stays."""

    unit: UnitName
    bare: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True, slots=True)
class Move:
    """The unit attacks `to` (a location; a province where the coast is not said); `via`: by convoy;
    `path`: through these seas, in this order."""

    unit: UnitName
    to: str
    via: bool = False
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        way = " - ".join((*self.path, self.to)) if self.path else self.to
        return f"{self.unit} - {way} VIA" if self.via else f"{self.unit} - {way}"


@dataclass(frozen=True, slots=True)
class Support:
    """Help for `target`, where it stands (`to` None) or in its attack on `to`."""

    unit: UnitName
    target: UnitName
    to: str | None = None
    bare: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.unit} S {self.target}" + (f" - {self.to}" if self.to else "")


@dataclass(frozen=True, slots=True)
class Convoy:
    """Passage for the army `target` to `to`."""

    unit: UnitName
    target: UnitName
    to: str

    def __str__(self) -> str:
        return f"{self.unit} C {self.target} - {self.to}"


@dataclass(frozen=True, slots=True)
class Retreat:
    """A dislodged unit goes to `to`."""

    unit: UnitName
    to: str

    def __str__(self) -> str:
        return f"{self.unit} R {self.to}"


@dataclass(frozen=True, slots=True)
class Disband:
    """A unit leaves the board: instead of a retreat, or as an adjustment."""

    unit: UnitName

    def __str__(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True, slots=True)
class Build:
    """A new unit."""

    unit: UnitName

    def __str__(self) -> str:
        return f"{self.unit} B"


@dataclass(frozen=True, slots=True)
class Waive:
    """A build given up."""

    unit: None = None

    def __str__(self) -> str:
        return "WAIVE"


@dataclass(frozen=True, slots=True)
class PoliticalOrder:
    """Something a variant's own rules know and no unit does: a proposal, a ballot, a permission.

    `text` is its normal form; only those rules look inside (`politics_protocol.Politics`). `partial`: a
    name in it
    was not understood; `irrevocable`: no later sheet takes it back. Neither takes part in comparisons.
    """

    text: str
    unit: None = None
    partial: bool = field(default=False, compare=False)
    irrevocable: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self.text


Order = Hold | Move | Support | Convoy | Retreat | Disband | Build | Waive | PoliticalOrder


def parse_normal(text: str) -> Order:
    """The order of a normal form: the strict inverse of `str(order)`.

    Raises TalleyrandError (`not_normal_form`).
    """
    if text == str(Waive()):
        return Waive()
    match = _NORMAL.fullmatch(text)
    if match is None:
        raise TalleyrandError("not_normal_form", text=text)
    order = _order_from_match(match)
    if str(order) != text:
        raise TalleyrandError("not_normal_form", text=text)
    return order


def _order_from_match(match: re.Match[str]) -> Order:
    letter, place, alone, path, to, via, away, help_sign, other, other_place, other_to = match.groups()
    unit = _unit_name(letter, place)
    if to:
        return Move(unit, to, bool(via), tuple(path.replace("-", " ").split()))
    if away:
        return Retreat(unit, away)
    if help_sign:
        target = _unit_name(other, other_place)
        convoy = help_sign == "C" and other_to
        return Convoy(unit, target, other_to) if convoy else Support(unit, target, other_to)
    return _ALONE[alone](unit)


_unit_name = lru_cache(maxsize=1 << 10)(UnitName)  # orders that are kept share the names of their units
_ALONE: dict[str, type[Hold] | type[Disband] | type[Build]] = {"H": Hold, "D": Disband, "B": Build}
