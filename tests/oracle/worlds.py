"""A movement phase as the oracle resolves it: what became of each unit, and what would without others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from talleyrand.engine.orders import Convoy, Move, Support
from tests.oracle.aftermath import dislodged
from tests.oracle.definitions import Orders
from tests.oracle.reading import Reading
from tests.oracle.resolutions import resolve

GOOD = ("moves", "support_given", "convoys", "holds")


class Fate(NamedTuple):
    """What became of a unit: its order's result, what else befell it, whether its order counted."""

    result: str
    dislodged: bool
    destroyed: bool
    counted: bool

    @property
    def well(self) -> bool:
        """Whether the unit did what it was told."""
        lost = self.dislodged and self.result in ("holds", "convoys")
        return self.result in GOOD and self.counted and not lost


class World:
    """One phase as the oracle resolves it; raises TooMany."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        orders = Orders(reading.board, reading.position, reading.written, reading.book)
        self.judged = resolve(orders)
        self.orders, self.world = self.judged.orders, self.judged.world
        self._without: dict[frozenset[str], World] = {}

    def without(self, gone: Iterable[str]) -> World:
        """The same phase with some provinces' units taken away, and their orders."""
        places = frozenset(gone)
        if places not in self._without:
            position = self.reading.position
            units = tuple(unit for unit in position.units if unit.province not in places)
            written = {at: order for at, order in self.reading.written.items() if at not in places}
            fewer = replace(self.reading, position=replace(position, units=units), written=written)
            self._without[places] = World(fewer)
        return self._without[places]

    def fate(self, at: str) -> Fate:
        """What became of the unit of a province."""
        fallen = self.orders.dislodger(at, self.world) is not None
        destroyed = fallen and (self._leaderless(at) or not self.retreats[at])
        return Fate(self.result(at), fallen, destroyed, at in self.orders.given)

    def _leaderless(self, at: str) -> bool:
        """Whether nobody may lead a unit in its retreat."""
        position, power = self.orders.position, self.orders.units[at].power
        silent = power in position.powers_in_disorder | position.passive
        return silent and self.orders.book.civil_disorder_retreat == "destroyed"

    @cached_property
    def retreats(self) -> dict[str, tuple[str, ...]]:
        """Where each dislodged unit may go, by its province."""
        return {fallen.unit.province: fallen.retreats for fallen in dislodged(self.judged)}

    def result(self, at: str) -> str:
        """What became of the order of a province's unit."""
        order = self.orders.given.get(at)
        if isinstance(order, Move):
            if at in self.world.moved:
                return "moves"
            return "bounces" if self.orders.arrives(at, self.world) else "convoy_disrupted"
        if isinstance(order, Support):
            if at not in self.orders.supports:
                return "support_void"
            return "support_given" if self.orders.counts(at, self.world) else "support_cut"
        return self._convoy(at, order) if isinstance(order, Convoy) else "holds"

    def _convoy(self, at: str, order: Convoy) -> str:
        army = order.target.province
        offered = at in self.orders.offered.get(army, ()) and bool(self.orders.routes[army])
        relief = offered and self.orders.carried(army) and self.orders.book.route_fallback == "to_sea"
        if not offered or (self.orders.travel[army] == "land" and not relief):
            return "convoy_void"
        broken = self.orders.dislodger(at, self.world) or self.paradoxical(army)
        return "convoy_disrupted" if broken else "convoys"

    def paradoxical(self, army: str) -> bool:
        """Whether a rule for paradoxes alone kept a convoy from taking place."""
        by_sea = self.orders.travel[army] != "land" and army not in self.world.sailed
        return by_sea and self.orders.convoy_stands(army, self.world)

    def winner(self, goal: str) -> str:
        """The province of the unit that entered this one, or ""."""
        return next((at for at in self.orders.against.get(goal, ()) if at in self.world.moved), "")

    def faced(self, at: str) -> str:
        """The province of the unit that a mover meets half-way, or ""."""
        return self.orders.goals[at] if self.orders.faces(at, self.world) else ""
