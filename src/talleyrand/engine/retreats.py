"""The retreat phase: dislodged units step aside or leave the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .board import Board, province_of
from .errors import OrderNotAllowed, OrderRefusal
from .legality import eliminated_power_refusal, landing_location, settle_retreat_orders
from .orders import Disband, Order, Retreat
from .outcome import Cause, CauseCode, OrderResult, PhaseOutcome, Verdict
from .position import DislodgedUnit, Position, Unit
from .rulebook import Rulebook


def check_retreat(
    board: Board, position: Position, power: str, order: Order, book: Rulebook
) -> Order | OrderRefusal:
    """A retreat order as it will be followed, or why it is impossible."""
    if power in position.passive:
        return eliminated_power_refusal(power)
    if not isinstance(order, Retreat | Disband):
        return OrderNotAllowed("wrong_phase", text=str(order))
    fallen = _fallen(position, order)
    if fallen is None:
        return OrderNotAllowed("not_dislodged", units=(str(order.unit),))
    if fallen.unit.power != power:
        return OrderNotAllowed("foreign_unit", units=(str(fallen.unit),), candidates=(fallen.unit.power,))
    if isinstance(order, Disband):
        return Disband(fallen.unit.name)
    return _retreat(board, fallen, order, book)


def _fallen(position: Position, order: Retreat | Disband) -> DislodgedUnit | None:
    for fallen in position.dislodged:
        if fallen.unit.province == order.unit.province and fallen.unit.kind == order.unit.kind:
            return fallen
    return None


def _retreat(board: Board, fallen: DislodgedUnit, order: Retreat, book: Rulebook) -> Order | OrderRefusal:
    unit, goal = fallen.unit, province_of(order.to)
    if goal not in board.provinces:
        return OrderNotAllowed("unknown_place", text=order.to)
    open_here = [place for place in fallen.retreats if province_of(place) == goal]
    to = landing_location(board, unit.kind, unit.location, order.to, book) if open_here else order.to
    if isinstance(to, OrderRefusal):
        return to
    if to not in open_here:
        return OrderNotAllowed(
            "retreat_closed", units=(str(unit),), places=(goal,), candidates=fallen.retreats
        )
    return Retreat(unit.name, to)


def adjudicate(
    board: Board, position: Position, orders: Mapping[str, Sequence[Order]], book: Rulebook
) -> PhaseOutcome:
    """Carry out the retreats; units ordered to the same space, and those without order, are lost."""

    def verify(power: str, order: Order) -> Order | OrderRefusal:
        return check_retreat(board, position, power, order, book)

    settled = settle_retreat_orders(verify, orders, book)
    several = {
        (entry.power, entry.order.unit.province)
        for entry in settled.refused
        if entry.order.unit and entry.refusal.code == "multiple_orders"
    }
    units = [fallen.unit for fallen in position.dislodged]
    chosen = {unit.province: settled.accepted.get((unit.power, unit.province)) for unit in units}
    verdicts = tuple(_verdict(position, fallen, chosen, several, book) for fallen in position.dislodged)
    after = replace(
        position, units=(*position.units, *_arrived(verdicts)), dislodged=(), contested=frozenset()
    )
    return PhaseOutcome(settled.number_verdicts(verdicts), after, refused=settled.refused)


def _arrived(verdicts: Sequence[Verdict]) -> tuple[Unit, ...]:
    return tuple(
        Unit(verdict.unit.kind, verdict.to, verdict.power)
        for verdict in verdicts
        if OrderResult.RETREATS in verdict.results and verdict.to
    )


def _verdict(
    position: Position,
    fallen: DislodgedUnit,
    chosen: Mapping[str, Order | None],
    several: set[tuple[str, str]],
    book: Rulebook,
) -> Verdict:
    unit = fallen.unit
    order = chosen[unit.province]

    def verdict(result: OrderResult, cause: Cause, to: str | None = None) -> Verdict:
        return Verdict(unit.name, unit.power, order, (result,), cause, to, cause.units)

    if isinstance(order, Disband):
        return verdict(OrderResult.DISBANDED, Cause(CauseCode.CHOSEN))
    if isinstance(order, Retreat):
        rivals = _rivals(position, fallen, order, chosen, book)
        if rivals:
            clash = all(isinstance(chosen[rival.province], Retreat) for rival in rivals)
            option = None if clash else "single_retreat_space"
            conflict = Cause(CauseCode.RETREAT_CONFLICT, rivals, (order.to,), option)
            return verdict(OrderResult.DESTROYED, conflict, order.to)
        return verdict(OrderResult.RETREATS, Cause(CauseCode.RETREAT_FREE, places=(order.to,)), order.to)
    if (unit.power, unit.province) in several:
        return verdict(OrderResult.DISBANDED, Cause(CauseCode.RETREAT_MISSING, option="multiple_retreats"))
    missing = CauseCode.RETREAT_MISSING if fallen.retreats else CauseCode.NO_RETREAT
    return verdict(OrderResult.DESTROYED, Cause(missing))


def _rivals(
    position: Position,
    fallen: DislodgedUnit,
    order: Retreat,
    chosen: Mapping[str, Order | None],
    book: Rulebook,
) -> tuple[Unit, ...]:
    """The other units that go to the same space, or, under the literal old rule, could go nowhere
    else and were not disbanded (row M80)."""
    goal = province_of(order.to)
    literal = book.single_retreat_space == "explicit_disband_of_other"
    return tuple(
        other.unit
        for other in position.dislodged
        if other != fallen
        and _contends(chosen[other.unit.province], other, goal, literal=literal and len(fallen.retreats) == 1)
    )


def _contends(order: Order | None, other: DislodgedUnit, goal: str, *, literal: bool) -> bool:
    if isinstance(order, Retreat):
        return province_of(order.to) == goal
    return literal and order is None and {province_of(place) for place in other.retreats} == {goal}


def powers_with_choices(board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG001
    """The powers with a dislodged unit that has somewhere to go."""
    have = {fallen.unit.power for fallen in position.dislodged if fallen.retreats} - position.passive
    return tuple(power for power in board.powers if power in have)


def legal_orders(board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:  # noqa: ARG001
    """Every retreat and disbandment a power may order."""
    found: list[Order] = []
    for fallen in position.dislodged:
        if fallen.unit.power == power and power not in position.passive:
            found += (Retreat(fallen.unit.name, place) for place in fallen.retreats)
            found.append(Disband(fallen.unit.name))
    return tuple(found)
