"""Rows of a file of columns in numbers: what became of every unit in a phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.reduced_phase import FATE_RESULTS
from talleyrand.simulation.board_arrays import board_names

NULL = -1
Rows = NDArray[np.int32]  # (field, row)
# What stands in a row, each a number; the texts of `RowTexts` say what they mean. `place` sorts the rows of a
# phase: the number of the unit's province.
FIELDS = (
    *("game", "phase", "place", "power", "unit", "location", "order", "target_unit", "target", "destination"),
    *("via", "result", "by_sea", "dislodged_by", "retreats"),
)
FIELD = {name: number for number, name in enumerate(FIELDS)}
ORDER_WORDS = ("hold", "move", "support", "convoy", "retreat", "disband", "build", "waive", "political")
ORDER_NUMBER = {word: number for number, word in enumerate(ORDER_WORDS)}
RESULT_WORDS = (
    *(*FATE_RESULTS, OrderResult.RETREATS, OrderResult.DESTROYED, OrderResult.DISBANDED, OrderResult.BUILDS),
    *(OrderResult.REMOVED, OrderResult.WAIVED),
)
RESULT_NUMBER = {result: number for number, result in enumerate(RESULT_WORDS)}


class FileColumn(NamedTuple):
    """A column of the file: its name, its type in Parquet, and the field of a row that says its value."""

    name: str
    type_: str  # `int`, `text` or `flag`
    field: str


FILE_COLUMNS = (
    FileColumn("game", "int", "game"),
    FileColumn("id", "text", "game"),
    FileColumn("phase", "text", "phase"),
    FileColumn("year", "int", "phase"),
    FileColumn("season", "text", "phase"),
    FileColumn("phase_kind", "text", "phase"),
    FileColumn("power", "text", "power"),
    FileColumn("unit", "text", "unit"),
    FileColumn("location", "text", "location"),
    FileColumn("order_kind", "text", "order"),
    FileColumn("target_unit", "text", "target_unit"),
    FileColumn("target", "text", "target"),
    FileColumn("destination", "text", "destination"),
    FileColumn("via", "flag", "via"),
    FileColumn("result", "text", "result"),
    FileColumn("by_sea", "flag", "by_sea"),
    FileColumn("dislodged_by", "text", "dislodged_by"),
    FileColumn("retreats", "text", "retreats"),
)


class RowTexts:
    """What the numbers of rows stand for, on one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.phases: dict[str, int] = {}
        self.retreats: dict[str, int] = {}
        self.results = {str(result): number for result, number in RESULT_NUMBER.items()}

    def result(self, result: str) -> int:
        """The number of a result, which may be a word of the variant's own rules."""
        return self.results.setdefault(str(result), len(self.results))

    def phase(self, phase: str) -> int:
        """The number of a phase."""
        return self.phases.setdefault(phase, len(self.phases))

    def retreat_list(self, places: Sequence[str]) -> int:
        """The number of the places to which a dislodged unit may retreat."""
        return self.retreats.setdefault(" ".join(places), len(self.retreats))

    def values(
        self, lines: Sequence[int], identities: Sequence[str | None]
    ) -> dict[str, Sequence[int | str | None]]:
        """For each column of the file but flags, what each number of its field stands for."""
        called, phases = board_names(self.board), list(self.phases)
        return {
            "game": lines,
            "id": identities,
            "phase": phases,
            "year": [int(phase[1:-1]) for phase in phases],
            "season": [phase[0] for phase in phases],
            "phase_kind": [phase[-1] for phase in phases],
            "power": called.powers,
            "unit": called.kinds,
            "location": called.locations,
            "order_kind": ORDER_WORDS,
            "target_unit": called.kinds,
            "target": called.locations,
            "destination": called.locations,
            "result": list(self.results),
            "dislodged_by": called.provinces,
            "retreats": list(self.retreats),
        }


def blank_rows(count: int) -> Rows:
    """So many rows in which nothing is said."""
    return np.full((len(FIELDS), count), NULL, np.int32)
