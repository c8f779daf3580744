"""The facts that may be claimed of retreats and of winters, by their definitions alone.

Each public method that gives a truth is one. Units come as they are written ("F STP/SC"), one or several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.orders import Build, Disband, Order, Retreat, Waive
from talleyrand.engine.position import DislodgedUnit, Position, Unit
from talleyrand.engine.rulebook import Rulebook
from tests.oracle.winters import Sheet, Winter

Units = str | tuple[str, ...]


@dataclass(frozen=True)
class RetreatFacts:
    """One retreat phase: `given` are the orders that name a dislodged unit of their power, in their order."""

    position: Position
    given: Mapping[str, Sequence[Order]]
    book: Rulebook

    @cached_property
    def fallen(self) -> dict[str, DislodgedUnit]:
        return {str(one.unit): one for one in self.position.dislodged}

    def known(self, unit: str) -> bool:
        """Whether such a unit is dislodged."""
        return unit in self.fallen

    def _possible(self, unit: str) -> list[Order]:
        """Its different orders that could be followed: to leave the board, or to one of its retreats."""
        fallen = self.fallen[unit]
        orders = self.given.get(fallen.unit.province, ())
        fit = [one for one in orders if isinstance(one, Disband) or self._goal(one) in fallen.retreats]
        return list(dict.fromkeys(fit))

    @staticmethod
    def _goal(order: Order | None) -> str:
        return order.to if isinstance(order, Retreat) else ""

    def _order(self, unit: str) -> Order | None:
        """The one that counts."""
        fit = self._possible(unit)
        if len(fit) > 1 and self.book.multiple_retreats == "disband":
            return None
        return (fit[-1] if self.book.multiple_retreats == "last" else fit[0]) if fit else None

    def _alone(self, unit: str) -> bool:
        """Whether nobody else wants the place a unit goes to."""
        goal = province_of(self._goal(self._order(unit)))
        others = [one for one in self.fallen if one != unit]
        if any(province_of(self._goal(self._order(other))) == goal for other in others):
            return False
        literal = self.book.single_retreat_space == "explicit_disband_of_other"
        single = len(self.fallen[unit].retreats) == 1
        return not (literal and single and any(self._stuck(other, goal) for other in others))

    def _stuck(self, unit: str, goal: str) -> bool:
        """Whether a unit has one retreat, this one, and no order."""
        places = {province_of(place) for place in self.fallen[unit].retreats}
        return places == {goal} and self._order(unit) is None

    def result(self, unit: str) -> str:
        """What became of a unit."""
        order = self._order(unit)
        if isinstance(order, Retreat):
            return "retreats" if self._alone(unit) else "destroyed"
        several = len(self._possible(unit)) > 1 and order is None
        return "disbanded" if isinstance(order, Disband) or several else "destroyed"

    def retreats_to(self, unit: str, place: str) -> bool:
        return self.result(unit) == "retreats" and self._goal(self._order(unit)) == place

    def clash(self, others: Units, place: str, unit: str) -> bool:
        """All of them are ordered to that place."""
        goals = [province_of(self._goal(self._order(one))) for one in (*_all(others), unit)]
        return self.result(unit) == "destroyed" and set(goals) == {province_of(place)}

    def clash_all(self, units: Units, place: str) -> bool:
        return all(self.clash(units, place, unit) for unit in _all(units))

    def same_retreat(self, others: Units, place: str, unit: str) -> bool:
        """The others are ordered there, or can go nowhere else and are not ordered off the board."""
        goal = province_of(place)
        wanted = [
            province_of(self._goal(self._order(one))) == goal or self._stuck(one, goal)
            for one in _all(others)
        ]
        return self.result(unit) == "destroyed" and all(wanted) and self.retreat_is(unit, place)

    def only_retreat(self, others: Units, place: str) -> bool:
        return all(
            {province_of(one) for one in self.fallen[unit].retreats} == {province_of(place)}
            for unit in _all(others)
        )

    def retreat_is(self, unit: str, place: str) -> bool:
        """It is ordered there."""
        return self._goal(self._order(unit)) == place

    def lost(self, unit: str) -> bool:
        """It leaves the board, ordered to or not."""
        return self.result(unit) != "retreats"

    def without_retreat_order(self, unit: str) -> bool:
        return self._order(unit) is None

    def nowhere(self, unit: str) -> bool:
        return not self.fallen[unit].retreats

    def several_orders(self, unit: str) -> bool:
        return len(self._possible(unit)) > 1

    def ordered_off(self, unit: str) -> bool:
        return isinstance(self._order(unit), Disband)


@dataclass(frozen=True)
class WinterFacts:
    """One winter: `given` are the orders of each power, in their order."""

    board: Board
    position: Position
    given: Mapping[str, Sequence[Order]]
    book: Rulebook

    @cached_property
    def outcome(self) -> dict[str, Winter]:
        return {power: self._sheet(power).outcome() for power in self.board.powers}

    def _sheet(self, power: str) -> Sheet:
        return Sheet(self.board, self.position, power, self.given.get(power, ()), self.book)

    def _due(self, power: str) -> tuple[int, int]:
        return self._sheet(power).due()

    def _written(self, power: str, kind: type[Order]) -> list[Order]:
        return [order for order in self.given.get(power, ()) if isinstance(order, kind)]

    def known(self, unit: str) -> bool:
        """Whether there may be such a unit; one that is to be built need not be on the board."""
        return province_of(unit.partition(" ")[2]) in self.board.provinces

    def _on_board(self, unit: str) -> Unit | None:
        at = self.position.units_by_province.get(province_of(unit.partition(" ")[2]))
        return at if at is not None and str(at) == unit else None

    def result(self, power: str, unit: str) -> str:
        """Whether it is built, removed, or neither."""
        letter, _, place = unit.partition(" ")
        if (letter, place) in self.outcome[power].built:
            return "builds"
        return "removed" if self._on_board(unit) in self.outcome[power].removed else ""

    def builds(self, power: str, unit: str) -> bool:
        return self.result(power, unit) == "builds"

    def removed(self, power: str, unit: str) -> bool:
        return self.result(power, unit) == "removed"

    def same(self, who: str, power: str) -> bool:
        return who == power

    def not_built(self, power: str, unit: str) -> bool:
        return self.result(power, unit) != "builds"

    def keeps(self, power: str, unit: str) -> bool:
        """It is on the board, and stays."""
        there = self._on_board(unit)
        return there is not None and there not in self.outcome[power].removed

    def inland(self, unit: str) -> bool:
        return self.board.provinces[unit.partition(" ")[2]].terrain == "inland"

    def no_more_builds(self, power: str) -> bool:
        """All the builds that are due are made or given up."""
        waived = len(self._written(power, Waive))
        return len(self.outcome[power].built) + waived >= self._due(power)[0]

    def more_builds_than_due(self, power: str) -> bool:
        wanted = [*self._written(power, Build), *self._written(power, Waive)]
        return len(wanted) > self._due(power)[0]

    def no_more_removals(self, power: str) -> bool:
        return len(self.outcome[power].removed) >= self._due(power)[1]

    def no_removal_due(self, power: str) -> bool:
        return self._due(power)[1] == 0

    def more_removals_than_due(self, power: str) -> bool:
        return len(set(self._written(power, Disband))) > self._due(power)[1]

    def too_few_removals_count(self, power: str, unit: str) -> bool:
        """The rule takes it: nobody's order does."""
        sheet = self._sheet(power)
        orders = () if power in self.position.passive else self.given.get(power, ())
        lines = [order for order in orders if isinstance(order, Disband)]
        counted = sheet.written(lines, self._due(power)[1])
        return self._on_board(unit) not in counted and len(counted) < self._due(power)[1]

    def by_lot(self) -> bool:
        return self.book.missing_removals == "random"

    def occupied_by(self, place: str, unit: str) -> bool:
        there = self._on_board(unit)
        return there is not None and there.province == province_of(place)

    def other_build_there(self, power: str, place: str) -> bool:
        """More than one build is ordered for that centre."""
        places = [province_of(order.unit.location) for order in self._written(power, Build) if order.unit]
        return places.count(province_of(place)) > 1

    def not_owned(self, power: str, place: str) -> bool:
        return province_of(place) not in self._sheet(power).owned

    def no_home(self, power: str, place: str) -> bool:
        homes = self.position.homes.get(power, self.board.homes[power])
        return province_of(place) not in homes

    def cannot_stand(self, place: str, unit: str) -> bool:
        letter = unit[0]
        return not any(self.board.can_stand(letter, one) for one in self._locations(place))

    def needs_coast(self, place: str, unit: str) -> bool:
        return sum(self.board.can_stand(unit[0], one) for one in self._locations(place)) > 1

    def _locations(self, place: str) -> tuple[str, ...]:
        return self.board.provinces[province_of(place)].locations

    def in_disorder(self, power: str) -> bool:
        return power in self.position.powers_in_disorder | self.position.torn

    def waives(self, power: str) -> bool:
        return bool(self._written(power, Waive)) and self._due(power)[0] > 0

    def keeps_right(self, power: str) -> bool:
        return self.waives(power) and self.outcome[power].kept > 0

    def written_twice(self, power: str, unit: str) -> bool:
        lines = [str(order.unit) for order in self._written(power, Disband)]
        same = [
            one for one in lines if province_of(one.partition(" ")[2]) == province_of(unit.partition(" ")[2])
        ]
        return len(same) > 1


def _all(units: Units) -> tuple[str, ...]:
    return (units,) if isinstance(units, str) else units
