"""Where everybody stands after the moves, by the oracle's own word."""

from __future__ import annotations

from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Move
from talleyrand.engine.position import DislodgedUnit, Unit
from tests.oracle.resolutions import Judged


def units_after(judged: Judged) -> set[Unit]:
    """Everybody who is not dislodged, where he stands."""
    orders, world = judged.orders, judged.world
    after = set()
    for at, unit in orders.units.items():
        order = orders.given.get(at)
        if at in world.moved and isinstance(order, Move):
            after.add(unit._replace(location=order.to))
        elif not orders.dislodger(at, world):
            after.add(unit)
    return after


def contested(judged: Judged) -> frozenset[str]:
    """The provinces empty after the moves where an attack that kept others out failed."""
    orders, world = judged.orders, judged.world
    full = {unit.province for unit in units_after(judged)}
    return frozenset(
        goal
        for mover, goal in orders.goals.items()
        if goal not in full and mover not in world.moved and orders.prevention(mover, world)
    )


def dislodged(judged: Judged) -> list[DislodgedUnit]:
    """The dislodged, with the places they may retreat to."""
    orders, world = judged.orders, judged.world
    closed = {unit.province for unit in units_after(judged)} | contested(judged)
    found = []
    for at, unit in orders.units.items():
        by = orders.dislodger(at, world)
        if by:
            sea = orders.by_sea(by, world)
            allowed = sea and orders.book.retreat_to_convoy_origin == "allowed"
            barred = closed if allowed else closed | {by}
            steps = orders.board.adjacent_locations[unit.kind].get(unit.location, ())
            places = sorted(place for place in steps if province_of(place) not in barred)
            found.append(DislodgedUnit(unit, by, sea, tuple(places)))
    return found
