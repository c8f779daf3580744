"""Orders that a sheet leaves out and that its other orders imply, where the book accepts them (M64, M65).

A unit whose order is missing or stops short, of its coast alone even, follows the one move that its own
power's supports and convoys speak of; a fleet without order convoys where its own power's army could not
go otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from talleyrand.engine.board import province_of
from talleyrand.engine.convoys import can_convoy, has_route
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.orders import Convoy, Move, Order, Support
from talleyrand.engine.outcome import AdjudicationNote
from talleyrand.engine.position import Unit
from talleyrand.notation import OrderLine, RefusalReason

from .order_settlement import ReceivedLine
from .question_input import Question

COAST_MISSING = "coast_missing"
PowerLine = tuple[str, OrderLine]


def add_implied_orders(question: Question, entries: Sequence[ReceivedLine]) -> list[ReceivedLine]:
    """The entries with what they leave out, each noted as completed from the line that implies it.

    A line that stops short is completed where it stands; for a unit without a line one is added.
    """
    moves = question.rulebook.reading_options.get("implicit_orders") == "allowed"
    convoys = question.rulebook.reading_options.get("implicit_convoy") == "if_only_possible"
    found = list(entries)
    if question.position.phase.kind != "M" or not (moves or convoys):
        return found
    if moves:
        found = _with(found, _ImpliedOrderSearch(question, found).moves())
    if convoys:
        found = _with(found, _ImpliedOrderSearch(question, found).convoys())
    return found


def _with(entries: Sequence[ReceivedLine], supplied: Iterable[PowerLine]) -> list[ReceivedLine]:
    """The entries with the orders supplied: in the place of what stops short, else behind all others."""
    found = list(entries)
    orders: dict[tuple[str, str], OrderLine] = {}
    for power, line in supplied:
        orders.setdefault((power, str(line.order)), line)
    for (power, _), line in orders.items():
        short = [place for place, entry in enumerate(found) if _lacks(entry, power, line)]
        for place in short:
            found[place] = replace(found[place], line=_completed(found[place].line, line))
        if not short:
            found.append(ReceivedLine(power, line, None, None))
    return found


def _lacks(entry: ReceivedLine, power: str, line: OrderLine) -> bool:
    """Whether an entry stops short of such an order."""
    return entry.power == power and _stops_short(entry.line) and _spoken_of(entry.line) == _spoken_of(line)


def _completed(short: OrderLine, whole: OrderLine) -> OrderLine:
    return replace(
        short, order=whole.order, unit=whole.unit, refusal=None, notes=(*short.notes, *whole.notes)
    )


class _ImpliedOrderSearch:
    """All lines of a phase, searched for what they leave out."""

    def __init__(self, question: Question, entries: Iterable[ReceivedLine]) -> None:
        self.question = question
        self.board, self.position = question.variant.board, question.position
        received = [(entry.power, entry.line) for entry in entries if not entry.superseded]
        self.accepted = [
            (power, line, line.order) for power, line in received if line.order and not line.refusal
        ]
        self.spoken = {(power, _spoken_of(line)) for power, line in received if not _stops_short(line)}
        self.begun = {
            (power, _spoken_of(line)): province_of(line.order.to)
            for power, line in received
            if _stops_short(line) and isinstance(line.order, Move)
        }

    def silent(self, unit: Unit) -> bool:
        """Whether a unit's order is missing or incomplete."""
        return (unit.power, unit.province) not in self.spoken

    def moves(self) -> Iterator[PowerLine]:
        for unit in filter(self.silent, self.position.units):
            implied = {str(move): (move, line) for move, line in self._implied(unit)}
            if len(implied) == 1:
                ((move, line),) = implied.values()
                yield unit.power, _added(move, line)

    def _implied(self, unit: Unit) -> Iterator[tuple[Order, OrderLine]]:
        """The legal moves of a unit that the orders of its power help, each with the line that does."""
        rules = self.question.variant.definition.rules_for(self.position.phase)
        judge = self.question.rulebook.adjudication_rules
        begun = self.begun.get((unit.power, unit.province))
        for power, line, order in self.accepted:
            to = _helped(order, unit)
            if power == unit.power and to is not None and begun in (None, province_of(to)):
                move = rules.check_order(self.board, self.position, power, Move(unit.name, to), judge)
                if not isinstance(move, OrderRefusal):
                    yield move, line

    def convoys(self) -> Iterator[PowerLine]:
        for power, line, order in self.accepted:
            if isinstance(order, Move) and self._by_sea_only(order):
                for fleet in self._missing(power, order):
                    convoy = Convoy(fleet.name, order.unit, province_of(order.to))
                    yield power, _added(convoy, line)

    def _by_sea_only(self, move: Move) -> bool:
        reach = self.board.adjacent_provinces[move.unit.kind].get(move.unit.location, frozenset())
        convoyable = self.board.kinds[move.unit.kind].convoyable
        return convoyable and (move.via or province_of(move.to) not in reach)

    def _missing(self, power: str, move: Move) -> list[Unit]:
        """The silent fleets of a power without which, and with which, an army's convoy is possible."""
        origin, goal = move.unit.province, province_of(move.to)
        ordered = {
            order.unit.province
            for _, _, order in self.accepted
            if isinstance(order, Convoy) and (order.target.province, province_of(order.to)) == (origin, goal)
        }
        free = {
            unit.province: unit
            for unit in self.position.units
            if unit.power == power and self.silent(unit) and can_convoy(self.board, unit)
        }
        every = ordered | free.keys()
        needed = [code for code in sorted(free) if not has_route(self.board, every - {code}, origin, goal)]
        if has_route(self.board, ordered | set(needed), origin, goal):
            return [free[code] for code in needed]
        return []


def _helped(order: Order, unit: Unit) -> str | None:
    """Where an order helps a unit to go, if it does."""
    if isinstance(order, Support | Convoy) and order.target.province == unit.province:
        return order.to
    return None


def _stops_short(line: OrderLine) -> bool:
    """Whether a line says no more than the beginning of an order: it may lack the coast alone."""
    if line.refusal is None:
        return False
    lacks_coast = line.refusal.code == COAST_MISSING and isinstance(line.order, Move)
    return lacks_coast or line.refusal.code == RefusalReason.INCOMPLETE


def _spoken_of(line: OrderLine) -> str:
    """The province whose unit a line is about; "" where it names none."""
    unit = line.order.unit if line.order else line.unit
    return unit.province if unit else ""


def _added(order: Order, source: OrderLine) -> OrderLine:
    note = AdjudicationNote("completed_from", (("written", source.text or str(source.order)),))
    return OrderLine("", 0, order=order, unit=order.unit, notes=(note,))
