"""A crowd without the units that a finding does not need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.oracle.scenes import Crowd


def shrink(crowd: Crowd, found: Callable[[Crowd], bool]) -> Crowd:
    """The crowd with units, then orders, left out one by one as long as the finding stands."""
    before = None
    while crowd != before:
        before, crowd = crowd, _shrink_once(crowd, found)
    return crowd


def _shrink_once(crowd: Crowd, found: Callable[[Crowd], bool]) -> Crowd:
    for unit in crowd.position.units:
        fewer = _without(crowd, unit.province)
        if found(fewer):
            crowd = fewer
    for key in list(crowd.orders):
        fewer = crowd._replace(orders={at: order for at, order in crowd.orders.items() if at != key})
        if found(fewer):
            crowd = fewer
    return crowd


def _without(crowd: Crowd, province: str) -> Crowd:
    """Without a unit and its order; what others ordered for it is impossible then."""
    units = tuple(unit for unit in crowd.position.units if unit.province != province)
    orders = {key: order for key, order in crowd.orders.items() if key[1] != province}
    return Crowd(replace(crowd.position, units=units), orders)
