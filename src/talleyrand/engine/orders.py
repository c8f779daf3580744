"""The orders a power can give, and their normal form (`str(order)`).

`bare` marks a form without a closing sign ("A Brest S A Paris"), weaker than any other order for
the same unit (bare_support_competition). It takes no part in comparisons: the same order written
twice is one order.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .position import UnitName


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
