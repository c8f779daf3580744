"""Scores by a two-entry table: one's own centres, and the most of anybody else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from .game_ending import GameEnding
from .score_parts import ScoreLine, ScoreLines


@dataclass(frozen=True)
class TwoEntryRow:
    """The points of one count of centres, as printed from the column `first` on.

    `ahead`: while the others have fewer; `behind`: from the first printed column where one of them has more.
    """

    own_centres: int
    first: int
    ahead: tuple[Fraction, ...] = ()
    behind: tuple[Fraction, ...] = ()

    def points_at(self, others: int) -> Fraction | None:
        """The points of a column; those of the first printed one for columns before, None after the last."""
        printed, start = self.ahead, self.first
        if others > self.own_centres:
            printed, start = self.behind, max(self.first, self.own_centres + 1)
        place = max(others - start, 0)
        return printed[place] if place < len(printed) else None


@dataclass(frozen=True)
class TwoEntryTable:
    """A two-entry table. Centres that somebody eliminated still holds are nobody's: Anjou Feu, VI, note 1.

    `ties`: by the centres of those who lead together, the points for two of them, three, and so on. What is
    not printed is worth at least `floor` to one who leads alone, and `tie_floors` to two, three and more who
    lead together; nothing to others. Source of the shape: Anjou Feu, VI, the Baf.
    """

    kind: ClassVar[str] = "table"
    rows: Mapping[int, TwoEntryRow]
    ties: Mapping[int, tuple[Fraction, ...]]
    floor: Fraction
    tie_floors: tuple[Fraction, ...]

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line for everybody who is alive."""
        return {power: self._line(end, power) for power in end.alive}

    def _line(self, end: GameEnding, power: str) -> ScoreLine:
        held = end.centres[power]
        others = max((end.centres[other] for other in end.alive if other != power), default=0)
        facts = {"centres": Fraction(held), "others": Fraction(others)}
        if held != others:
            return ScoreLine("table", self._untied(held, others), facts)
        tied = sum(end.centres[other] == held for other in end.alive)
        return ScoreLine("table_tied", self._tied(held, tied), {**facts, "shared": Fraction(tied)})

    def _tied(self, held: int, tied: int) -> Fraction:
        printed, column = self.ties.get(held, ()), tied - 2
        if column < len(printed):
            return printed[column]
        return self.tie_floors[min(column, len(self.tie_floors) - 1)]

    def _untied(self, held: int, others: int) -> Fraction:
        row = self.rows.get(min(held, max(self.rows)))
        found = row.points_at(others) if row else None
        least = self.floor if held > others else Fraction(0)
        return max(found or Fraction(0), least)
