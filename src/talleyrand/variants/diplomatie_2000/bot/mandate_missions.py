"""Programmes for the units under mandate: what each could do for a seat, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.normal_form import parse_normal
from talleyrand.engine.orders import Move, Order, Support
from talleyrand.engine.position import Unit

from .seat_outlook import SeatOutlook

LEAST = 0.4
"""The gain below which a unit may as well stay."""


def best_programme(view: SeatOutlook) -> str | None:
    """The programme that helps a seat most, in normal form; None where it gains nothing by one."""
    orders: dict[str, Order] = {}
    for unit in _mandates(view):
        if unit.province in orders:
            continue
        gain, order = max(
            ((_gain(view, order), order) for order in _choices(view, unit, orders)),
            key=lambda one: (one[0], str(one[1])),
            default=(0.0, None),
        )
        if order is not None and gain >= LEAST:
            orders[unit.province] = order
            _second(view, order, orders)
    if not orders:
        return None
    return "2 " + " / ".join(str(order) for _, order in sorted(orders.items()))


def programme_value(view: SeatOutlook, text: str) -> float:
    """What a programme in normal form is worth to a seat."""
    return sum(_gain(view, order) for order in _read(text))


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[Order, ...]:
    """The missions of a programme, as far as they can be read."""
    found = []
    for part in text.removeprefix("2 ").split(" / "):
        try:
            found.append(parse_normal(part))
        except TalleyrandError:
            continue
    return tuple(found)


def _mandates(view: SeatOutlook) -> list[Unit]:
    return sorted(unit for unit in view.position.units if unit.kind == "M")


def _choices(view: SeatOutlook, unit: Unit, taken: Mapping[str, Order]) -> Iterator[Order]:
    """What a unit could do beside standing: help a neighbour, or go where nobody else of them goes."""
    goals = {order.to for order in taken.values() if isinstance(order, Move)}
    for code in sorted(view.board.adjacent_locations["M"][unit.location]):
        standing = view.position.units_by_province.get(code)
        if standing is not None and standing.kind != "M":
            yield Support(unit.name, standing.name)
        if code not in goals and (standing is None or standing.kind != "M"):
            yield Move(unit.name, code)


def _gain(view: SeatOutlook, order: Order) -> float:
    """What one mission is worth: help for those in need, harm to those who are not liked."""
    if isinstance(order, Support):
        helped = view.position.units_by_province.get(order.target.province)
        if helped is None or order.to is not None:
            return 0.0
        need = view.rivals(helped.province, helped.power)
        return 0.5 * view.goodwill(helped.power) * min(need, 3)
    if isinstance(order, Move):
        standing = view.position.units_by_province.get(order.to)
        owner = view.situation.owner.get(order.to)
        hurt = standing.power if standing is not None else owner
        return -0.5 * view.goodwill(hurt) if hurt is not None else 0.0
    return 0.0


def _second(view: SeatOutlook, order: Order, orders: dict[str, Order]) -> None:
    """Have a second one help a move against a unit."""
    if not isinstance(order, Move) or order.to not in view.position.units_by_province:
        return
    for unit in _mandates(view):
        if unit.province not in orders and order.to in view.board.adjacent_locations["M"][unit.location]:
            orders[unit.province] = Support(unit.name, order.unit, order.to)
            return
