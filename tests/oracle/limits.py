"""The facts that may be claimed of an order that is refused: what a unit can reach, support and convoy.

Each public method that gives a truth is one. Units come as they are written ("F STP/SC"), places as codes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.orders import Convoy, Move
from talleyrand.engine.position import Position, UnitName
from talleyrand.engine.rulebook import Rulebook
from tests.oracle.reading import Reading


@dataclass(frozen=True)
class Limits:
    """What the board and the units allow, whatever the others do."""

    board: Board
    position: Position

    @cached_property
    def reading(self) -> Reading:
        return Reading(self.board, self.position, {}, Rulebook())

    def known(self, unit: str) -> bool:
        """A refusal may name a unit that is not there."""
        return bool(unit)

    def _steps(self, unit: str) -> frozenset[str]:
        name = UnitName.parse(unit)
        return self.board.adjacent_locations[name.kind].get(name.location, frozenset())

    def nobody_there(self, unit: str) -> bool:
        """No such unit is on the board."""
        there = self.position.units_by_province.get(_at(unit))
        return there is None or there.kind != unit[0]

    def cannot_reach(self, unit: str, place: str) -> bool:
        """Neither by a step nor over any chain of the fleets on the board."""
        locations = self.board.provinces[province_of(place)].locations
        moves = [Move(UnitName.parse(unit), one) for one in (province_of(place), *locations)]
        return not any(map(self.reading.possible, moves))

    def reaches_only_by(self, unit: str, place: str, fleet: str) -> bool:
        """Every chain of fleets that leads there needs this fleet."""
        others = tuple(one for one in self.position.units if one.province != _at(fleet))
        without = Limits(self.board, replace(self.position, units=others))
        return without.cannot_reach(unit, place) and not self.cannot_reach(unit, place)

    def not_next_to(self, unit: str, place: str) -> bool:
        """No step leads there, and it is not there already."""
        return province_of(place) not in map(province_of, self._steps(unit)) and _at(unit) != province_of(
            place
        )

    def is_in(self, unit: str, place: str) -> bool:
        return _at(unit) == province_of(place)

    def is_itself(self, unit: str, other: str) -> bool:
        return _at(unit) == _at(other)

    def no_fleet_at_sea(self, unit: str) -> bool:
        """It is not a fleet on open sea."""
        return _at(unit) not in self.reading.waters.fleets

    def not_carried(self, unit: str) -> bool:
        """No unit of its kind goes by convoy."""
        return not self.board.kinds[unit[0]].convoyable

    def on_no_route(self, unit: str, army: str, place: str) -> bool:
        order = Convoy(UnitName.parse(unit), UnitName.parse(army), province_of(place))
        return not self.reading.possible(order)

    def another_power(self, unit: str, power: str) -> bool:
        there = self.position.units_by_province.get(_at(unit))
        return there is not None and there.power == power

    def two_coasts(self, unit: str, places: tuple[str, ...]) -> bool:
        """It can step to each of these coasts, and there is more than one."""
        return len(places) > 1 and {*places} <= self._steps(unit)


def _at(unit: str) -> str:
    """The province in which a unit stands."""
    return province_of(unit.partition(" ")[2])
