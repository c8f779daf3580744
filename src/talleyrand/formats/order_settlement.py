"""Several sheets of one power: which of them count (row M40, DATC 4.D.1).

Sheets are taken in order of arrival, each with regard to those that count so far: it replaces them,
adds to them, or corrects them (then its orders stand instead of theirs, unit by unit).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from talleyrand import notation
from talleyrand.engine.errors import OrderNotAllowed
from talleyrand.engine.orders import PoliticalOrder
from talleyrand.engine.position import Position
from talleyrand.notation import NoteKind, OrderLine, SheetRelation

from .answer_errors import note_json


@dataclass(frozen=True)
class ReceivedLine:
    """A line received: whose, where it stands, what it was read as.

    `index` is its order's place among those the judge receives from that power, None where it sends none.
    """

    power: str
    line: OrderLine
    sheet: int | None
    number: int | None
    index: int | None = None

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


SheetEntries = Sequence[ReceivedLine]
SheetNotes = tuple[Mapping[str, str], ...]


def settle_sheets(
    sheets: Sequence[SheetEntries], rule: str, position: Position
) -> tuple[tuple[ReceivedLine, ...], SheetNotes]:
    """Every entry, those that do not count marked as superseded, and what the game master should know."""
    counted: list[ReceivedLine] = []
    gone: list[ReceivedLine] = []
    notes: list[Mapping[str, str]] = []
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
) -> list[Mapping[str, str]]:
    """A ruling on what is evident; the units of which only replaced sheets speak."""
    power = next((entry.power for entry in (*sheet, *lost)), "")
    found: list[Mapping[str, str]] = []
    if rule in ("merge_unless_replaced", "last_unless_clear") and power:
        found.append(note_json(step.value, power=power))
    units = _forgotten(lost, sheet) if step is SheetEffect.REPLACES else ""
    if units:
        found.append(note_json("earlier_sheets", power=power, units=units))
    return found


def _forgotten(lost: Iterable[ReceivedLine], sheet: SheetEntries) -> str:
    named = {entry.line.unit for entry in sheet}
    units = [entry.line.unit for entry in lost if entry.line.unit and entry.line.unit not in named]
    return ", ".join(dict.fromkeys(map(str, units)))


def _superseded(entry: ReceivedLine) -> ReceivedLine:
    refusal = OrderNotAllowed("superseded", text=entry.line.text)
    return replace(entry, line=replace(entry.line, refusal=refusal))
