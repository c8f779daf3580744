"""Ambiguous orders in the light of the power's other orders (row M63, DATC 2.x 4.E.2 b).

An ambiguous order is read as the one of its legal readings that another order of the same power goes
with: a support or a convoy with the move it helps. Where none does, or several, it stays ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from talleyrand.engine.board import province_of
from talleyrand.engine.errors import OrderAmbiguous
from talleyrand.engine.orders import Convoy, Hold, Move, Order, Support
from talleyrand.notation import (
    NoteKind,
    OrderLine,
    RefusalReason,
    make_note,
    parse_normal,
)

from .order_settlement import ReceivedLine


def resolve_by_other_orders(entries: Sequence[ReceivedLine]) -> Iterator[ReceivedLine]:
    """The entries, each ambiguous line read as one other order of its power has it, where one does."""
    orders: dict[str, list[Order]] = {}
    for entry in entries:
        if entry.line.order and not entry.line.refusal:
            orders.setdefault(entry.power, []).append(entry.line.order)
    for entry in entries:
        yield replace(entry, line=_settled(entry.line, orders.get(entry.power, [])))


def _settled(line: OrderLine, others: Sequence[Order]) -> OrderLine:
    refusal = line.refusal
    if not isinstance(refusal, OrderAmbiguous) or refusal.code == RefusalReason.ALTERNATIVES:
        return line
    readings = [parse_normal(candidate) for candidate in refusal.candidates]
    matched = [(reading, other) for reading in readings if (other := _partner(reading, others))]
    if len(matched) != 1:
        return line
    ((order, other),) = matched
    told = make_note(NoteKind.READ_WITH, written=line.text.strip(), order=str(order), other=str(other))
    return replace(line, order=order, unit=order.unit, refusal=None, notes=(*line.notes, told))


def _partner(order: Order, others: Iterable[Order]) -> Order | None:
    """The first of the other orders that a reading goes with."""
    return next((other for other in others if _helps(order, other) or _helps(other, order)), None)


def _helps(helper: Order, helped: Order) -> bool:
    """Whether one order is a support or a convoy of what another does."""
    if not isinstance(helper, Support | Convoy) or helped.unit is None:
        return False
    if helper.target.province != helped.unit.province:
        return False
    if isinstance(helped, Move):
        return helper.to is not None and province_of(helper.to) == province_of(helped.to)
    return helper.to is None and isinstance(helped, Hold | Support | Convoy)
