"""From the sheets of a question to the orders the judge receives, each still tied to its line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from talleyrand import notation
from talleyrand.engine.errors import NotAllowed, Refusal
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import Refused
from talleyrand.notation import Context, Line

from .asking import Question, Sheet
from .completion import complete
from .sentences import note_value


@dataclass(frozen=True)
class Entry:
    """A line received: whose, where it stands, what it was read as.

    `index` is its order's place among those the judge receives from that power, None where it sends none.
    """

    power: str
    line: Line
    sheet: int | None
    number: int | None
    index: int | None = None

    @property
    def written(self) -> str | None:
        """The line as received; None for an order the reader supplied."""
        return None if self.number is None else self.line.text


@dataclass(frozen=True)
class Reading:
    """All lines of a question, and what the game master should know of the sheets."""

    entries: tuple[Entry, ...]
    notes: tuple[Mapping[str, str], ...] = ()

    def orders(self) -> dict[str, list[Order]]:
        """What the judge receives."""
        received: dict[str, list[Order]] = {}
        for entry in self.entries:
            if entry.index is not None and entry.line.order is not None:
                received.setdefault(entry.power, []).append(entry.line.order)
        return received

    def refusals(self, refused: Iterable[Refused]) -> dict[int, Refusal]:
        """By the entry's place: why it does not count, told by the reader or by the judge."""
        judged = {(power, index): refusal for power, index, _, refusal in refused}
        found: dict[int, Refusal] = {}
        for place, entry in enumerate(self.entries):
            refusal = entry.line.refusal
            if refusal is None and entry.index is not None:
                refusal = judged.get((entry.power, entry.index))
            if refusal is not None:
                found[place] = refusal
        return found


def read_question(question: Question) -> Reading:
    """Read every sheet of every power, and complete them as the book allows."""
    entries: list[Entry] = []
    notes: list[Mapping[str, str]] = []
    for power, sheets in question.sheets.items():
        found = _Power(question, power).read(sheets)
        entries += found.entries
        notes += found.notes
    counted = [(entry.power, entry.line) for entry in entries if not _is_superseded(entry)]
    entries += (Entry(power, line, None, None) for power, line in complete(question, counted))
    return Reading(_numbered(question, entries), tuple(notes))


def _numbered(question: Question, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Give each order the judge receives its place among those of its power."""
    numbered: list[Entry] = []
    places: Counter[str] = Counter()
    for entry in entries:
        received = _is_for_the_judge(question, entry)
        numbered.append(replace(entry, index=places[entry.power]) if received else entry)
        places[entry.power] += received
    return tuple(numbered)


def _is_for_the_judge(question: Question, entry: Entry) -> bool:
    """Accepted; or impossible, for a book may let an impossible order annul the others of its unit."""
    order, judge = entry.line.order, question.book.judge
    if order is None or entry.line.refusal is None:
        return order is not None
    if _is_superseded(entry):
        return False
    rules = question.variant.setting.rules(question.position.phase)
    checked = rules.check(question.variant.board, question.position, entry.power, order, judge)
    return isinstance(checked, Refusal)


class _Power:
    """The sheets of one power being read."""

    def __init__(self, question: Question, power: str) -> None:
        self.power = power
        self.context = Context(
            variant=question.variant,
            position=question.position,
            power=power,
            book=question.book,
            naming=question.naming,
        )
        self.merge = question.book.reading.get("order_sheets") == "merge"

    def read(self, sheets: Sequence[Sheet]) -> Reading:
        """Earlier sheets are superseded by the last, or all count together, as the book says."""
        if not sheets:
            return Reading(())
        counted = len(sheets) if self.merge else 1
        earlier = [
            entry
            for number, sheet in enumerate(sheets[:-counted], 1)
            for entry in self._entries([(number, place, text) for place, text in enumerate(sheet, 1)])
        ]
        first = len(sheets) - counted + 1
        last = self._entries(
            [
                (number, place, text)
                for number, sheet in enumerate(sheets[-counted:], first)
                for place, text in enumerate(sheet, 1)
            ]
        )
        return Reading((*map(_superseded, earlier), *last), self._forgotten(earlier, last))

    def _entries(self, lines: Sequence[tuple[int, int, str]]) -> list[Entry]:
        found = []
        for line in notation.read_lines([text for _, _, text in lines], self.context):
            sheet, number = lines[line.number - 1][:2] if line.number else (None, None)
            found.append(Entry(self.power, line, sheet, number))
        return found

    def _forgotten(self, earlier: Iterable[Entry], last: Iterable[Entry]) -> tuple[Mapping[str, str], ...]:
        """Units that only an earlier sheet speaks of."""
        named = {entry.line.unit for entry in last}
        units = dict.fromkeys(
            str(entry.line.unit) for entry in earlier if entry.line.unit and entry.line.unit not in named
        )
        return (note_value("earlier_sheets", power=self.power, units=", ".join(units)),) if units else ()


def _superseded(entry: Entry) -> Entry:
    refusal = NotAllowed("superseded", text=entry.line.text)
    return replace(entry, line=replace(entry.line, refusal=refusal))


def _is_superseded(entry: Entry) -> bool:
    return entry.line.refusal is not None and entry.line.refusal.reason == "superseded"
