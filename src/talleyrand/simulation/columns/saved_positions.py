"""The positions that are saved with the phases of a game of the package `diplomacy`, as rows of arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from talleyrand.engine.position import Unit, UnitName, province_of
from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import NONE
from talleyrand.simulation.game_batch import GameBatch
from talleyrand.simulation.phase_encoding import board_numbers, steps_of_unit
from talleyrand.variants import Variant

Placed = tuple[int, int, int]  # province, kind, location


class SavedPosition(NamedTuple):
    """Units and centres: columns of numbers (province, kind, power, location; for those dislodged a bit for
    each retreat; province, owner)."""

    units: Sequence[tuple[int, int, int, int]]
    dislodged: Sequence[tuple[int, int, int, int, int]]
    centres: Sequence[tuple[int, int]]

    def write(self, games: GameBatch, at: int) -> None:
        """Put a game there; what the position does not tell stays as it was."""
        row = games.places[at]
        told = slice(code.KIND, code.BEFORE)
        row[told], games.retreat_options[at] = NONE, 0
        row[[code.DISLODGED_BY_SEA, code.STANDOFF]] = 0
        if self.units:
            provinces, *unit = np.array(self.units, np.uint16).T
            row[code.KIND : code.LOCATION + 1, provinces] = unit
        for province, kind, power, location, retreats in self.dislodged:
            fallen = kind, power, location, province
            row[code.DISLODGED_KIND : code.DISLODGED_BY + 1, province] = fallen
            games.retreat_options[at, province] = np.uint64(retreats).astype(np.int64)
        if self.centres:
            provinces, owners = np.array(self.centres, np.uint16).T
            row[code.CENTRE, provinces] = owners


class SavedPositions:
    """Reads the states of one variant."""

    def __init__(self, variant: Variant) -> None:
        self._board, self._number = variant.board, board_numbers(variant.board)
        self._centres = {name: self._number.provinces[name] for name in variant.board.centres}
        self._homes = {power: sorted(codes) for power, codes in variant.board.homes.items()}
        self._placed: dict[str, Placed] = {}

    def read(self, phase: str, state: Mapping[str, Any]) -> SavedPosition | None:
        """The position of a phase; None of one that is not as usual, or that cannot stand.

        Raises AttributeError, KeyError, TypeError and ValueError where a state is none at all.
        """
        if any(self._homes[power] != sorted(codes) for power, codes in (state.get("homes") or {}).items()):
            return None
        powers = self._number.powers
        units = [
            (province, kind, powers[power], location)
            for power, names in state["units"].items()
            for province, kind, location in [self._place(name) for name in names if not name.startswith("*")]
        ]
        centres = [
            (self._centres[name], powers[power])
            for power, names in state["centers"].items()
            for name in dict.fromkeys(names)
        ]
        fallen = [*self._dislodged(state.get("retreats") or {})] if phase.endswith("R") else []
        sound = all(len({one[0] for one in listed}) == len(listed) for listed in (units, fallen, centres))
        return SavedPosition(units, fallen, centres) if sound else None

    def _place(self, name: str) -> Placed:
        placed = self._placed.get(name)
        if placed is None:
            kind, location = name.split(" ")
            if not self._board.can_stand(kind, location):
                raise ValueError(name)
            province = self._number.provinces[province_of(location)]
            placed = province, self._number.kinds[kind], self._number.locations[location]
            self._placed[name] = placed
        return placed

    def _dislodged(self, retreats: Mapping[str, Any]) -> list[tuple[int, int, int, int, int]]:
        found = []
        for power, units in retreats.items():
            for name, places in units.items():
                province, kind, location = self._place(name)
                steps = steps_of_unit(self._board, Unit(*UnitName.parse(name), power))
                bits = sum(1 << steps.index(place) for place in set(places))
                found.append((province, kind, self._number.powers[power], location, bits))
        return found
