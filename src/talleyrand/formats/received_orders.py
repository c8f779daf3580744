"""From the sheets of a question to the orders the judge receives, each still tied to its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from talleyrand import notation
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import RefusedOrder
from talleyrand.engine.position import Phase
from talleyrand.engine.step_budget import StepBudget
from talleyrand.notation import READING_EFFORT, NoteKind, OptionCount, ReadingContext, folded_words
from talleyrand.variants import Variant

from .json_checks import clip_json
from .order_settlement import (
    ReceivedLine,
    SheetNote,
    add_implied_orders,
    resolve_by_other_orders,
    settle_sheets,
)
from .phase_heading_parser import read_phase_heading
from .question_input import Question, SheetLines


@dataclass(frozen=True)
class ReceivedOrders:
    """All lines of a question, and what the game master should know of the sheets.

    `steps` is the effort that it took to read them; with more, they might be `cut_short` no longer.
    """

    entries: tuple[ReceivedLine, ...]
    notes: tuple[SheetNote, ...] = ()
    steps: int = 0
    cut_short: bool = False

    def orders(self) -> dict[str, list[Order]]:
        """What the judge receives."""
        received: dict[str, list[Order]] = {}
        for entry in self.entries:
            if entry.order_number is not None and entry.line.order is not None:
                received.setdefault(entry.power, []).append(entry.line.order)
        return received

    def refusals(self, refused: Iterable[RefusedOrder]) -> dict[int, OrderRefusal]:
        """By the entry's place: why it does not count, told by the reader or by the judge."""
        judged = {(power, index): refusal for power, index, _, refusal in refused}
        found: dict[int, OrderRefusal] = {}
        for place, entry in enumerate(self.entries):
            refusal = entry.line.refusal
            if refusal is None and entry.order_number is not None:
                refusal = judged.get((entry.power, entry.order_number))
            if refusal is not None:
                found[place] = refusal
        return found


def read_received_orders(
    question: Question,
    *,
    apart: bool = False,
    count_options: OptionCount | None = None,
    known: Mapping[str, int] = MappingProxyType({}),
) -> ReceivedOrders:
    """Read every sheet of every power, settle which count, and complete them as the book allows.

    No power's sheets use up the effort of another's: all share EFFORT, the shortest read first, each with its
    part of what is left. With `apart`, for sheets of different people, each power has all of EFFORT.
    `count_options` is that of `ReadingContext`. What is `known` of sheets that need not be read is the most
    that reading them would take; nothing of them is received.
    """
    found: dict[str, list[list[ReceivedLine]]] = {}
    steps, cut_short = 0, False
    for place, power in enumerate(sorted(question.sheets, key=lambda one: _length(question.sheets[one]))):
        left = READING_EFFORT if apart else (READING_EFFORT - steps) // (len(question.sheets) - place)
        effort, found[power] = StepBudget(left), []
        if power in known:
            effort.try_spend(known[power])
        else:
            found[power] = _received_lines(question, power, effort, count_options)
        steps, cut_short = steps + left - effort.remaining, cut_short or effort.cut_short
    entries: list[ReceivedLine] = []
    notes: list[SheetNote] = []
    led = question.variant.definition.led_position(question.position)
    for power in question.sheets:
        read, told = settle_sheets(found[power], _option(question, "order_sheets"), led)
        entries += read
        notes += (*told, *_other_seasons(question, read))
    if _option(question, "order_context") == "as_a_set":
        entries = list(resolve_by_other_orders(entries))
    settled = _numbered(question, add_implied_orders(question, entries))
    return ReceivedOrders(settled, tuple(notes), steps, cut_short)


def _length(sheets: Sequence[SheetLines]) -> int:
    return sum(len(line) for sheet in sheets for line in sheet)


def _option(question: Question, name: str) -> str:
    return question.rulebook.reading_options.get(name, "")


def _received_lines(
    question: Question, power: str, effort: StepBudget, count_options: OptionCount | None
) -> list[list[ReceivedLine]]:
    """The lines of each sheet of a power, in order of arrival, as if each gave the judge an order."""
    context = ReadingContext(
        *(question.variant, question.position, power, question.rulebook, question.naming, effort),
        count_options=count_options,
    )
    return [
        [
            ReceivedLine(power, line, number, line.number, place)
            for place, line in enumerate(notation.read_lines(sheet, context))
        ]
        for number, sheet in enumerate(question.sheets[power], 1)
    ]


def _other_seasons(question: Question, entries: Iterable[ReceivedLine]) -> Iterator[SheetNote]:
    """Sheets whose title names another phase than the one they are read in."""
    for entry in entries:
        notes = entry.line.notes
        titled = notes and any(one.kind == NoteKind.HEADING for one in notes)
        named = _dated(entry.line.text, question.variant) if titled else None
        if named is not None and not _may_be(named, question):
            facts = (("power", entry.power), ("written", clip_json(entry.line.text)))
            yield SheetNote("other_season", facts)


def _dated(title: str, variant: Variant) -> Phase | None:
    """The phase a title names, whatever else it names."""
    seasons = {
        word for names in variant.seasons.values() for name in names.values() for word in folded_words(name)
    }
    dated = " ".join(word for word in folded_words(title) if word.isdigit() or word in seasons)
    return read_phase_heading(title, variant) or read_phase_heading(dated, variant)


def _may_be(named: Phase, question: Question) -> bool:
    """Whether a title fits the phase: a season fits its retreats too, and winter those just before it."""
    phase, calendar = question.position.phase, question.variant.definition.calendar
    beside = phase == calendar.next_phase(named) or named == calendar.next_phase(phase)
    return phase == named or (phase.kind == "R" and beside)


def _numbered(question: Question, entries: Iterable[ReceivedLine]) -> tuple[ReceivedLine, ...]:
    """Give each order the judge receives its place among those of its power."""
    numbered: list[ReceivedLine] = []
    places: dict[str, int] = {}
    for entry in entries:
        power, line, sheet, number, supposed = entry
        place: int | None = None
        if line.order is not None and (line.refusal is None or _is_impossible(question, entry)):
            place = places.get(power, 0)
            places[power] = place + 1
        numbered.append(entry if place == supposed else ReceivedLine(power, line, sheet, number, place))
    return tuple(numbered)


def _is_impossible(question: Question, entry: ReceivedLine) -> bool:
    """Whether a refused order goes to the judge all the same: a book may let an impossible one annul the
    others of its unit."""
    order, judge = entry.line.order, question.rulebook.adjudication_rules
    if order is None or entry.superseded:
        return False
    rules = question.variant.definition.rules_for(question.position.phase)
    checked = rules.check_order(question.variant.board, question.position, entry.power, order, judge)
    return isinstance(checked, OrderRefusal)
