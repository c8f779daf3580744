"""From the sheets of a question to the orders the judge receives, each still tied to its line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from talleyrand import notation
from talleyrand.engine.errors import NotAllowed, Refusal
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import Refused
from talleyrand.engine.rulebook import OneLegal
from talleyrand.notation import Context, Line

from .asking import Question, Sheet
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
    """Read every sheet of every power."""
    entries: list[Entry] = []
    notes: list[Mapping[str, str]] = []
    for power, sheets in question.sheets.items():
        found = _Power(question, power).read(sheets)
        entries += found.entries
        notes += found.notes
    return Reading(tuple(entries), tuple(notes))


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
        return Reading((*map(_superseded, earlier), *self._numbered(last)), self._forgotten(earlier, last))

    def _entries(self, lines: Sequence[tuple[int, int, str]]) -> list[Entry]:
        found = []
        for line in notation.read_lines([text for _, _, text in lines], self.context):
            sheet, number = lines[line.number - 1][:2] if line.number else (None, None)
            found.append(Entry(self.power, line, sheet, number))
        return found

    def _numbered(self, entries: Iterable[Entry]) -> list[Entry]:
        """Give each order the judge receives its place among those of the power."""
        numbered, place = [], 0
        for entry in entries:
            received = self._is_for_the_judge(entry.line)
            numbered.append(replace(entry, index=place) if received else entry)
            place += received
        return numbered

    def _is_for_the_judge(self, line: Line) -> bool:
        """Accepted; or impossible, where the book lets an impossible order annul the others of its unit."""
        board, judge = self.context.variant.board, self.context.book.judge
        if line.order is None or line.refusal is None:
            return line.order is not None
        if judge.multiple_one_legal is not OneLegal.NONE_HOLDS:
            return False
        checked = self.context.rules.check(board, self.context.position, self.power, line.order, judge)
        return isinstance(checked, Refusal)

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
