"""What one power may propose to another, so that a bot can keep it and orders show whether it was kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.orders import Support
from talleyrand.engine.position import Phase, UnitName

PEACE, DEMILITARISED, ALLIANCE, SUPPORT, DRAW = "peace", "demilitarised", "alliance", "support", "draw"
KINDS = (PEACE, DEMILITARISED, ALLIANCE, SUPPORT, DRAW)
LASTING = (PEACE, DEMILITARISED, ALLIANCE)
MOST_YEARS, USUAL_YEARS = 5, 2


@dataclass(frozen=True)
class HelpedUnit:
    """A unit to support, where it stands (`to` None) or in its move."""

    unit: UnitName
    to: str | None = None

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}" if self.to else str(self.unit)

    def is_helped_by(self, order: object) -> bool:
        """Whether an order is the support that was meant; which coast was said does not matter."""
        if not isinstance(order, Support) or order.target.province != self.unit.province:
            return False
        return (order.to and province_of(order.to)) == (self.to and province_of(self.to))


@dataclass(frozen=True)
class Proposal:
    """What a power proposes: `asked` is what the other is to support, `offered` what the proposer supports
    in turn; `years` how many it lasts, the current one included.
    """

    kind: str
    province: str = ""
    third: str = ""
    asked: HelpedUnit | None = None
    offered: HelpedUnit | None = None
    years: int = USUAL_YEARS

    def as_json(self) -> dict[str, Any]:
        """What `read_proposal` reads."""
        told = {"province": self.province, "third": self.third}
        helped = {"asked": self.asked, "offered": self.offered}
        lasting = {"years": self.years} if self.kind in LASTING else {}
        found = {name: value for name, value in told.items() if value}
        return {"kind": self.kind, **found, **{k: str(v) for k, v in helped.items() if v}, **lasting}


class NoProposal(ValueError):
    """Something that was read as a proposal and is none."""


def read_proposal(value: Mapping[str, Any], board: Board) -> Proposal:
    """A proposal from its JSON; raises NoProposal for what is none on this board."""
    kind, province, third = (str(value.get(name, "")) for name in ("kind", "province", "third"))
    years = value.get("years", USUAL_YEARS)
    asked, offered = (_read_help(str(value.get(name, "")), board) for name in ("asked", "offered"))
    complete = {
        DEMILITARISED: province in board.provinces,
        ALLIANCE: third in board.powers,
        SUPPORT: bool(asked or offered),
    }
    if kind not in KINDS or not complete.get(kind, True):
        raise NoProposal(kind)
    if not isinstance(years, int) or not 1 <= years <= MOST_YEARS:
        raise NoProposal(years)
    return Proposal(
        kind,
        province if kind == DEMILITARISED else "",
        third if kind == ALLIANCE else "",
        asked if kind == SUPPORT else None,
        offered if kind == SUPPORT else None,
        years if kind in LASTING else USUAL_YEARS,
    )


def _read_help(text: str, board: Board) -> HelpedUnit | None:
    unit, dash, to = text.partition(" - ")
    try:
        name = UnitName.parse(unit) if unit else None
    except TalleyrandError as error:
        raise NoProposal(text) from error
    if name and not (board.can_stand(*name) and (not dash or to in board.locations)):
        raise NoProposal(text)
    return name and HelpedUnit(name, to or None)


@dataclass(frozen=True)
class Agreement:
    """A proposal that was accepted in a phase: it binds both until the end of a year, or in that phase."""

    proposal: Proposal
    proposer: str
    bot: str
    made: Phase
    until: int

    @property
    def powers(self) -> tuple[str, str]:
        """Both powers."""
        return self.proposer, self.bot

    def partner_of(self, power: str) -> str:
        """The other one."""
        return self.bot if power == self.proposer else self.proposer

    def extends(self, before: Agreement) -> bool:
        """Whether it was made to last longer than `before`, which says the same and still ran."""
        said = replace(self.proposal, years=before.proposal.years)
        same = self.powers == before.powers and said == before.proposal and before.until <= self.until
        is_over = before.until == self.made.year and self.made.kind != "M"
        return same and self.proposal.kind in LASTING and before.until >= self.made.year and not is_over

    def binds_in(self, phase: Phase) -> bool:
        """Whether it says anything of the orders of a phase."""
        if self.proposal.kind == SUPPORT:
            return phase == self.made
        return phase.kind == "M" and self.made.year <= phase.year <= self.until

    def is_over_at(self, phase: Phase | None) -> bool:
        """Whether its time has passed when a phase begins; None: the game is over."""
        if phase is None:
            return True
        return phase != self.made if self.proposal.kind == SUPPORT else phase.year > self.until

    def support_due_from(self, power: str) -> HelpedUnit | None:
        """What a power is to support."""
        return self.proposal.asked if power == self.bot else self.proposal.offered
