"""What a power's lines come to: sheets that count, ambiguous orders, orders left out.

Several sheets of one power (row M40, DATC 4.D.1): they are taken in order of arrival, each with regard to
those that count so far: it replaces them, adds to them, or corrects them (then its orders stand instead of
theirs, unit by unit).

An ambiguous order (row M63, DATC 2.x 4.E.2 b) is read as the one of its legal readings that another order of
the same power goes with: a support or a convoy with the move it helps. Where none does, or several, it stays
ambiguous.

Orders that a sheet leaves out and that its other orders imply, where the book accepts them (M64, M65): a
unit whose order is missing or stops short, of its coast alone even, follows the one move that its own power's
supports and convoys speak of; a fleet without order convoys where its own army could not go otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from talleyrand import notation
from talleyrand.engine.board import province_of
from talleyrand.engine.convoys import can_convoy, has_route
from talleyrand.engine.errors import OrderAmbiguous, OrderNotAllowed, OrderRefusal
from talleyrand.engine.orders import Convoy, Hold, Move, Order, PoliticalOrder, Support
from talleyrand.engine.outcome import AdjudicationNote
from talleyrand.engine.position import Position, Unit
from talleyrand.notation import NoteKind, OrderLine, RefusalReason, SheetRelation, make_note, parse_normal

from .question_input import Question


class ReceivedLine(NamedTuple):
    """A line received: whose, where it stands, what it was read as.

    `order_number`: its order's place among those the judge receives from that power, None if it sends none.
    """

    power: str
    line: OrderLine
    sheet: int | None
    number: int | None
    order_number: int | None = None

    @property
    def text_received(self) -> str | None:
        """The line as received; None for an order the reader supplied."""
        return None if self.number is None else self.line.text

    @property
    def superseded(self) -> bool:
        """Whether a later sheet took its place."""
        return self.line.refusal is not None and self.line.refusal.code == "superseded"


class SheetEffect(Enum):
    """What a sheet does to those before it."""

    REPLACES = "sheet_replaces"
    ADDS = "sheet_adds"
    CORRECTS = "sheet_corrects"


class SheetNote(NamedTuple):
    """What the game master should know of a sheet: a `note.` of this package's sentences, and its facts."""

    kind: str
    facts: tuple[tuple[str, str], ...]


SheetEntries = Sequence[ReceivedLine]
SheetNotes = tuple[SheetNote, ...]


def settle_sheets(
    sheets: Sequence[SheetEntries], rule: str, position: Position
) -> tuple[tuple[ReceivedLine, ...], SheetNotes]:
    """Every entry, those that do not count marked as superseded, and what the game master should know."""
    counted: list[ReceivedLine] = []
    gone: list[ReceivedLine] = []
    notes: list[SheetNote] = []
    for place, sheet in enumerate(sheets):
        if place:
            step = _step(counted, sheet, rule, position)
            lost = _lost(counted, sheet, step)
            gone += lost
            counted = [entry for entry in counted if entry not in lost]
            notes += _notes(lost, sheet, step, rule)
        counted += sheet
    return (*map(_superseded, gone), *counted), tuple(notes)


def _step(before: Iterable[ReceivedLine], sheet: SheetEntries, rule: str, position: Position) -> SheetEffect:
    if rule == "merge":
        return SheetEffect.ADDS
    if rule == "merge_unless_replaced":
        replaces = _says(sheet, SheetRelation.REPLACES) or _is_whole(sheet, position)
        return SheetEffect.REPLACES if replaces else SheetEffect.ADDS
    if rule == "last_unless_clear" and not _says(sheet, SheetRelation.REPLACES):
        if not _ordered(sheet) & _ordered(before):
            return SheetEffect.ADDS
        if _says(sheet, SheetRelation.ADDS):
            return SheetEffect.CORRECTS
    return SheetEffect.REPLACES


def _says(sheet: SheetEntries, relation: SheetRelation) -> bool:
    """Whether a title or a comment of a sheet says what it is to the earlier ones."""
    titles = [entry.line.text for entry in sheet if _is_title(entry.line)]
    return any(notation.announced_relation(title) is relation for title in titles)


def _is_title(line: OrderLine) -> bool:
    return any(note.kind in (NoteKind.HEADING, NoteKind.REMARK) for note in line.notes)


def _ordered(entries: Iterable[ReceivedLine]) -> set[str]:
    """The provinces whose units some lines speak of."""
    return {entry.line.unit.province for entry in entries if entry.line.unit}


def _is_whole(sheet: SheetEntries, position: Position) -> bool:
    """Whether a sheet orders every unit of its power."""
    powers = {entry.power for entry in sheet}
    units = {unit.province for unit in position.units if unit.power in powers}
    return bool(units) and units <= _ordered(sheet)


def _lost(counted: Iterable[ReceivedLine], sheet: SheetEntries, step: SheetEffect) -> list[ReceivedLine]:
    if step is SheetEffect.REPLACES:
        return [entry for entry in counted if not _lasts(entry.line)]
    if step is SheetEffect.CORRECTS:
        again = _ordered(sheet)
        return [entry for entry in counted if entry.line.unit and entry.line.unit.province in again]
    return []


def _lasts(line: OrderLine) -> bool:
    """Whether what a line says cannot be taken back."""
    return isinstance(line.order, PoliticalOrder) and line.order.irrevocable


def _notes(
    lost: Iterable[ReceivedLine], sheet: SheetEntries, step: SheetEffect, rule: str
) -> list[SheetNote]:
    """A ruling on what is evident; the units of which only replaced sheets speak."""
    power = next((entry.power for entry in (*sheet, *lost)), "")
    found: list[SheetNote] = []
    if rule in ("merge_unless_replaced", "last_unless_clear") and power:
        found.append(SheetNote(step.value, (("power", power),)))
    units = _forgotten(lost, sheet) if step is SheetEffect.REPLACES else ""
    if units:
        found.append(SheetNote("earlier_sheets", (("power", power), ("units", units))))
    return found


def _forgotten(lost: Iterable[ReceivedLine], sheet: SheetEntries) -> str:
    named = {entry.line.unit for entry in sheet}
    units = [entry.line.unit for entry in lost if entry.line.unit and entry.line.unit not in named]
    return ", ".join(dict.fromkeys(map(str, units)))


def _superseded(entry: ReceivedLine) -> ReceivedLine:
    refusal = OrderNotAllowed("superseded", text=entry.line.text)
    return entry._replace(line=replace(entry.line, refusal=refusal))


def resolve_by_other_orders(entries: Sequence[ReceivedLine]) -> Iterator[ReceivedLine]:
    """The entries, each ambiguous line read as one other order of its power has it, where one does."""
    orders: dict[str, list[Order]] = {}
    for entry in entries:
        if entry.line.order and not entry.line.refusal:
            orders.setdefault(entry.power, []).append(entry.line.order)
    for entry in entries:
        line = _settled(entry.line, orders.get(entry.power, []))
        yield entry if line is entry.line else entry._replace(line=line)


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
        found = _with_supplied(found, _ImpliedOrderSearch(question, found).moves())
    if convoys:
        found = _with_supplied(found, _ImpliedOrderSearch(question, found).convoys())
    return found


def _with_supplied(entries: Sequence[ReceivedLine], supplied: Iterable[PowerLine]) -> list[ReceivedLine]:
    """The entries with the orders supplied: in the place of what stops short, else behind all others."""
    found = list(entries)
    orders: dict[tuple[str, str], OrderLine] = {}
    for power, line in supplied:
        orders.setdefault((power, str(line.order)), line)
    for (power, _), line in orders.items():
        short = [place for place, entry in enumerate(found) if _lacks(entry, power, line)]
        for place in short:
            found[place] = found[place]._replace(line=_completed(found[place].line, line))
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
        self.units = question.variant.definition.led_position(question.position).units
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
        for unit in filter(self.silent, self.units):
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
            for unit in self.units
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
