"""What is to be drawn, and where things are: the one source of places, sizes, colours and signs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.orders import Order, PoliticalOrder
from talleyrand.engine.outcome import Verdict
from talleyrand.engine.position import Position, Unit, UnitName, province_of
from talleyrand.variants import Variant

from . import captions, map_style
from .geometry import Point

Orders = Mapping[str, Sequence[Order]] | Iterable[Order]
UNKNOWN_COLOUR = "#cccccc"
USUAL_LABEL = 11.5  # the label size, in board units, for which the symbols are dimensioned
SMALLEST, LARGEST = 0.5, 1.5
LONGEST_SIGN = 4
SIGN = 2  # letters that tell a power, more where two begin alike


@dataclass(frozen=True)
class DrawnOrder:
    """An order with what is known of it: `results` is empty until it is adjudicated."""

    unit: UnitName | None
    power: str
    order: Order | None
    results: tuple[str, ...] = ()
    verdict: Verdict | None = None


@dataclass(frozen=True, eq=False)
class MapScene:
    """A position on a variant's map, for a reader of one language."""

    variant: Variant
    position: Position
    language: str

    @cached_property
    def scale(self) -> float:
        """The size of the symbols: a map with large labels has room for large symbols."""
        sizes = [place["label"][2] for place in self.variant.anchors.values() if "label" in place]
        return min(max(median(sizes or [USUAL_LABEL]) / USUAL_LABEL, SMALLEST), LARGEST)

    @cached_property
    def signs(self) -> Mapping[str, str]:
        """For each power the shortest beginning of its name that no other has; its code if that is long."""
        names = [
            (code, captions.power_caption(self.variant, self.language, code))
            for code in self.variant.board.seats
        ]
        found = {
            code: _shortest(name, [other for _, other in names if other != name]) for code, name in names
        }
        return (
            found
            if max(map(len, found.values()), default=0) <= LONGEST_SIGN
            else {code: code for code in found}
        )

    @cached_property
    def dislodged_units(self) -> Mapping[UnitName, Unit]:
        """The dislodged units of the position by their names."""
        return {entry.unit.name: entry.unit for entry in self.position.dislodged}

    def sign(self, power: str) -> str:
        return self.signs.get(power, power[:SIGN].capitalize())

    def colour(self, power: str) -> str:
        """The variant's own colour of a power, or that of the palette which a page or a picture chooses."""
        own = self.variant.colours.get(power, UNKNOWN_COLOUR)
        rank = self.rank(power)
        return (
            map_style.css_variable(f"power-{rank}", own)
            if rank <= map_style.PALETTE_SIZE >= len(self.ranks)
            else own
        )

    def unit_colour(self, unit: Unit) -> str:
        """The colour of a unit: its power's, or that of the seat under which its kind stands."""
        kind = self.variant.board.kinds.get(unit.kind)
        return self.colour(kind.drawn_as_seat if kind and kind.drawn_as_seat else unit.power)

    def rank(self, power: str) -> int:
        """The place of a power in the variant's order, from 1; beyond the last for one it does not know."""
        return self.ranks.get(power, len(self.ranks)) + 1

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        return {code: rank for rank, code in enumerate(self.variant.board.powers)}

    def point(self, location: str, what: str = "unit") -> Point | None:
        """An anchor of a location, or of its province where the location has none of its own."""
        for place in (location, province_of(location)):
            anchor = self.variant.anchors.get(place, {}).get(what)
            if anchor:
                return complex(anchor[0], anchor[1])
        return None

    def spots_of_location(self, location: str) -> tuple[Point, ...]:
        """Where a location's unit is drawn: twice if it lies at both edges of a map of the whole world."""
        first = self.point(location)
        again = self.point(location, "repeat")
        return tuple(spot for spot in (first, again) if spot is not None)

    def home(self, unit: Unit) -> Point:
        """Where a unit of the position stands; raises InvalidPosition (`unknown_place`) off the map."""
        spot = self.point(unit.location)
        if spot is None:
            raise InvalidPosition("unknown_place", place=unit.location)
        return spot

    def spot(self, named: UnitName) -> Point | None:
        """Where the unit of an order stands: the coast of the unit there, if the order doesn't say it."""
        return next(iter(self.spots(named)), None)

    def spots(self, named: UnitName) -> tuple[Point, ...]:
        """All the places where the unit of an order is drawn."""
        unit = self.position.units_by_province.get(named.province)
        at_home = unit and unit.kind == named.kind and "/" not in named.location
        return self.spots_of_location(unit.location if unit and at_home else named.location)

    def retreat_spot(self, named: UnitName) -> Point | None:
        """Where the dislodged unit of an order lies."""
        return self.point(named.location, "retreat") or self.point(named.location)

    def owner_of(self, named: UnitName) -> str:
        """The power of the unit an order is for, "" where there is no such unit."""
        unit = self.dislodged_units.get(named) or self.position.units_by_province.get(named.province)
        return unit.power if unit else ""

    def drawn_orders(self, orders: Orders, verdicts: Iterable[Verdict]) -> tuple[DrawnOrder, ...]:
        """What is to be drawn: the verdicts, then the last order of each unit that has none."""
        judged = [
            DrawnOrder(v.unit if v.unit.location else None, v.power, v.order, v.results, v)
            for v in verdicts
            if not isinstance(v.order, PoliticalOrder)
        ]
        known = {(task.power, task.unit) for task in judged}
        written = self._orders_by_power(orders)
        given = {(power, one.unit): one for power, one in written if not isinstance(one, PoliticalOrder)}
        left = [
            DrawnOrder(unit, power, order)
            for (power, unit), order in given.items()
            if (power, unit) not in known
        ]
        return (*judged, *left)

    def _orders_by_power(self, orders: Orders) -> list[tuple[str, Order]]:
        if isinstance(orders, Mapping):
            return [(power, order) for power, lines in orders.items() for order in lines]
        return [(self.owner_of(order.unit) if order.unit else "", order) for order in orders]


def _shortest(name: str, others: Sequence[str]) -> str:
    for size in range(SIGN, len(name)):
        if not any(other.startswith(name[:size]) for other in others):
            return name[:size]
    return name
