"""What a winter owes each power: builds, removals, or both (rows M48 and M59)."""

from __future__ import annotations

from typing import NamedTuple

from .board import Board
from .civil_disorder import may_build
from .position import Position
from .rulebook import Rulebook


class AdjustmentCount(NamedTuple):
    """`adjustment_count` is builds less removals; `possible` the builds that free home centres allow.

    The balance is centres minus units, unless the book lets a power keep an old right to build.
    """

    balance: int
    possible: int
    removals: int = 0

    @property
    def builds(self) -> int:
        """The units a power may build, free home centres or not."""
        return self.balance + self.removals


def adjustment_counts(board: Board, position: Position, book: Rulebook) -> dict[str, AdjustmentCount]:
    """Every power's balance."""
    return {power: adjustment_count(board, position, power, book) for power in board.powers}


def adjustment_count(board: Board, position: Position, power: str, book: Rulebook) -> AdjustmentCount:
    """One power's balance."""
    removals = _removals(position, power, book)
    builds = len(position.owned_by(power)) - _count(position, power) + removals
    if book.unused_builds == "kept" and not removals:
        builds = max(builds, position.kept_builds.get(power, 0))
    free = len(free_home_centres(board, position, power)) if may_build(position, power, book) else 0
    return AdjustmentCount(builds - removals, min(builds, free), removals)


def _removals(position: Position, power: str, book: Rulebook) -> int:
    """The units that must go: those beyond the centres; under the gross rule, one for each centre lost in
    the year as well, while there are units."""
    units, owned, before = _count(position, power), position.owned_by(power), position.centres_before
    if book.adjust_balance == "net" or before is None:
        return max(0, units - len(owned))
    had = before.get(power, ())
    lost = len(set(had) - set(owned))
    return min(units, lost + max(0, units - len(had)))


def _count(position: Position, power: str) -> int:
    return sum(unit.power == power for unit in position.units)


def free_home_centres(board: Board, position: Position, power: str) -> tuple[str, ...]:
    """The home centres a power still owns and nobody stands on."""
    owned = position.owned_by(power)
    return tuple(
        code
        for code in position.homes_of(board, power)
        if code in owned and code not in position.units_by_province
    )


def kept_build_rights(power: str, book: Rulebook, unused: int, removals: int) -> dict[str, int]:
    """The right to build that a power takes into the next winter (row M48): none once it must remove."""
    keeps = book.unused_builds == "kept" and unused > 0 and not removals
    return {power: unused} if keeps else {}
