"""One question judged by several books: where their results differ, and which options make them differ.

The books that give the same results form a group. What a group gives otherwise than the first one is
traced to options: the fewest which, changed in the first book to the other's values, give the other's
result.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any

from talleyrand import notation, rulebooks
from talleyrand.engine.board import province_of
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.orders import Hold, Move
from talleyrand.engine.step_budget import StepBudget
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import LANGUAGES

from .adjudication import AnswerJson, failure_answer, resolve_question
from .adjudication_answer import AdjudicatedQuestion
from .answer_errors import Languages
from .json_checks import Json
from .question_input import read_question, read_rulebook

NamedRulebooks = Mapping[str, LoadedRulebook]
AnswerEntry = Mapping[str, Any]
OptionNames = tuple[str, ...]


@dataclass(frozen=True)
class ComparisonRow:
    """What books can judge differently.

    `kind` is `unit` (with its province in `name`), `line` (of a sheet, for no unit), `balance` (of a
    power after an adjustment of ownership) or `game` (who is out, who has won).
    """

    kind: str
    power: str = ""
    name: str = ""


@dataclass(frozen=True)
class ComparisonCell:
    """What a book says of a row: its entries of the answer, and facts of its own."""

    entries: tuple[AnswerEntry, ...] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)

    @cached_property
    def result(self) -> Hashable:
        """Equal where two books give the same result, whatever their reasons."""
        told = [_result(entry) for entry in self.entries if entry["error"] is None]
        return tuple(sorted(told)) or bool(self.entries), _frozen(self.facts)


ComparisonTable = Mapping[ComparisonRow, ComparisonCell]
EMPTY_CELL = ComparisonCell()


@dataclass(frozen=True)
class AgreeingGroups:
    """The groups, by their numbers, that give a row the same result."""

    groups: tuple[int, ...]
    cell: ComparisonCell


@dataclass(frozen=True)
class DifferenceReason:
    """Why a group judges rows otherwise than the first group.

    Each set of `options`, changed in the first book of the first group to the values of the first book
    of the other, gives the other's result. No set means that none was looked for any more.
    """

    group: int
    rows: tuple[ComparisonRow, ...]
    options: tuple[OptionNames, ...]


@dataclass(frozen=True)
class RulebookComparison:
    """What the books make of a question: which agree, and the answer of each group's first book.

    `steps` is the effort of one judgement.
    """

    asked: Json
    books: NamedRulebooks
    groups: tuple[tuple[str, ...], ...]
    answers: tuple[AnswerJson, ...]
    steps: int = 0

    @cached_property
    def skipped_rulebooks(self) -> tuple[str, ...]:
        """The books that were not asked any more."""
        asked = set(chain.from_iterable(self.groups))
        return tuple(name for name in self.books if name not in asked)

    @cached_property
    def tables(self) -> tuple[ComparisonTable, ...]:
        """The rows of each group."""
        return tuple(map(comparison_table, self.answers))

    @cached_property
    def rows(self) -> tuple[ComparisonRow, ...]:
        """Every row, as the answers list them."""
        return tuple(dict.fromkeys(chain.from_iterable(self.tables)))

    @cached_property
    def differing(self) -> tuple[ComparisonRow, ...]:
        return tuple(row for row in self.rows if len(self.parts(row)) > 1)

    @cached_property
    def same(self) -> tuple[ComparisonRow, ...]:
        return tuple(row for row in self.rows if row not in self.differing)

    def entry(self, row: ComparisonRow) -> AnswerEntry | None:
        """The first entry of a row, for the name of its unit or its line."""
        entries = (entry for cells in self.tables for entry in cells.get(row, EMPTY_CELL).entries)
        return next(entries, None)

    def parts(self, row: ComparisonRow) -> tuple[AgreeingGroups, ...]:
        """The results of a row, each with the groups that give it."""
        found: dict[Hashable, list[int]] = {}
        for number, cells in enumerate(self.tables):
            found.setdefault(cells.get(row, EMPTY_CELL).result, []).append(number)
        return tuple(
            AgreeingGroups(tuple(groups), self.tables[groups[0]].get(row, EMPTY_CELL))
            for groups in found.values()
        )


def compare_rulebooks(
    asked: Json,
    books: NamedRulebooks,
    effort: StepBudget | None = None,
    languages: Languages = LANGUAGES,
) -> RulebookComparison:
    """Ask each book; raises TalleyrandError for a question that cannot be answered.

    Books for which not enough is left of `effort` are not asked; all answers share it for their reasons.
    Without it all is done, however long that takes.
    """
    effort = effort or StepBudget(sys.maxsize)
    judged: dict[Hashable, tuple[AdjudicatedQuestion, list[str]]] = {}
    steps = 0
    for name, book in books.items():
        if not effort.try_spend(steps):
            break
        found = resolve_question(read_question(asked, book), effort)
        steps = found.steps
        judged.setdefault(_results(_bare(found)), (found, []))[1].append(name)
    return RulebookComparison(
        asked,
        books,
        tuple(tuple(names) for _, names in judged.values()),
        tuple(replace(found, languages=languages).answer() for found, _ in judged.values()),
        steps,
    )


def explain_differences(
    comparison: RulebookComparison, effort: StepBudget | None = None
) -> tuple[DifferenceReason, ...]:
    """For each further group, the options that set it apart from the first, row by row.

    Trials go on while there is enough left of `effort`.
    """
    effort = effort or StepBudget(sys.maxsize)
    return tuple(
        because
        for group in range(1, len(comparison.groups))
        for because in _RulebookTrials(comparison, group, effort).reasons()
    )


def _bare(judged: AdjudicatedQuestion) -> ComparisonTable:
    """What a book makes of a question, without looking for what would have been enough, or a sentence."""
    return comparison_table(replace(judged, with_reasons=False, languages=()).answer())


# rows


def comparison_table(answer: AnswerJson) -> dict[ComparisonRow, ComparisonCell]:
    """An answer by what may differ in it."""
    found: dict[ComparisonRow, list[AnswerEntry]] = {}
    facts: dict[ComparisonRow, dict[str, Json]] = {}
    entries: Any = answer["orders"]
    for entry in entries:
        found.setdefault(_row(entry), []).append(entry)
    for row, fact in _facts(answer):
        facts.setdefault(row, {}).update(fact)
    return {row: ComparisonCell(tuple(found.get(row, ())), facts.get(row, {})) for row in {**found, **facts}}


def _row(entry: AnswerEntry) -> ComparisonRow:
    if entry["unit"] is None:
        return ComparisonRow("line", entry["power"], f"{entry['sheet']}.{entry['line_no']} {entry['line']}")
    return ComparisonRow("unit", entry["power"], _province(entry["unit"]))


def _province(unit: str) -> str:
    return province_of(unit.partition(" ")[2])


def _facts(answer: Mapping[str, Any]) -> Iterator[tuple[ComparisonRow, dict[str, Json]]]:
    """What an answer says beside its entries: retreats, balances, the end of powers and of the game."""
    for power, fallen in answer["dislodged"].items():
        for one in fallen:
            yield ComparisonRow("unit", power, _province(one["unit"])), {"retreats": one["retreats"]}
    for power, due in answer.get("adjustments", {}).items():
        centres = answer["centers"].get(power, [])
        if centres or any(due.values()) or answer["units"].get(power):
            yield ComparisonRow("balance", power), {**due, "centers": centres}
    ended = {name: answer[name] for name in ("eliminated", "winner") if answer.get(name)}
    if ended:
        yield ComparisonRow("game"), ended


def _result(entry: AnswerEntry) -> tuple[str, ...]:
    return _does(entry["order"]), entry["to"] or "", *entry["results"]


def _does(order: str | None) -> str:
    """An order by what it wants, not by how it is written: a unit without order holds."""
    if order is None:
        return ""
    try:
        read = notation.parse_normal(order)
    except TalleyrandError:
        return order
    if isinstance(read, Hold):
        return ""
    return f"- {province_of(read.to)}" if isinstance(read, Move) else order


def _frozen(value: Json) -> Hashable:
    if isinstance(value, Mapping):
        return tuple((name, _frozen(part)) for name, part in value.items())
    return tuple(value) if isinstance(value, list) else value


def _results(cells: ComparisonTable) -> Hashable:
    return frozenset((row, cell.result) for row, cell in cells.items())


# reasons


class _RulebookTrials:
    """Judgements by books between the first group's and another's."""

    def __init__(self, comparison: RulebookComparison, group: int, effort: StepBudget) -> None:
        self.asked, self.group = comparison.asked, group
        self.effort, self.steps = effort, comparison.steps
        first, second = (comparison.books[comparison.groups[number][0]] for number in (0, group))
        self.first, self.second = first, second
        self.apart = tuple(name for name in rulebooks.options() if first.value(name) != second.value(name))
        before, self.wanted = comparison.tables[0], comparison.tables[group]
        self.rows = [row for row in comparison.differing if _differ(before, self.wanted, row)]
        self.tried: dict[frozenset[str], ComparisonTable | None] = {}

    def reasons(self) -> Iterator[DifferenceReason]:
        """The rows with the same reason together."""
        found: dict[tuple[OptionNames, ...], list[ComparisonRow]] = {}
        for row in self.rows:
            found.setdefault(self._sets(row), []).append(row)
        for options, rows in found.items():
            yield DifferenceReason(self.group, tuple(rows), options)

    def _sets(self, row: ComparisonRow) -> tuple[OptionNames, ...]:
        try:
            return tuple(self._smallest(row))
        except _TrialEffortExhausted:
            return ()

    def _smallest(self, row: ComparisonRow) -> list[OptionNames]:
        """Every single option that will do; else a pair; else a set of which no option can be spared."""
        singles = [(name,) for name in self.apart if self._gives(row, (name,))]
        if singles:
            return [*singles]
        least = self._reduced(row)
        return [least if len(least) <= 2 else self._pair(row) or least]

    def _reduced(self, row: ComparisonRow) -> OptionNames:
        left = self.apart
        for name in self.apart:
            fewer = tuple(other for other in left if other != name)
            if self._gives(row, fewer):
                left = fewer
        return left

    def _pair(self, row: ComparisonRow) -> OptionNames | None:
        try:
            return next((pair for pair in combinations(self.apart, 2) if self._gives(row, pair)), None)
        except _TrialEffortExhausted:
            return None

    def _gives(self, row: ComparisonRow, options: OptionNames) -> bool:
        """Whether the first book, with these options of the other, gives a row the other's result."""
        cells = self._table(frozenset(options))
        return cells is not None and not _differ(cells, self.wanted, row)

    def _table(self, options: frozenset[str]) -> ComparisonTable | None:
        """The rows of a trial; None where the options of the two books contradict each other."""
        if options not in self.tried:
            if not self.effort.try_spend(self.steps):
                raise _TrialEffortExhausted
            self.tried[options] = self._try(options)
        return self.tried[options]

    def _try(self, options: frozenset[str]) -> ComparisonTable | None:
        try:
            book = mix_rulebooks(self.first, self.second, options)
            return _bare(resolve_question(read_question(self.asked, book)))
        except TalleyrandError:
            return None


class _TrialEffortExhausted(Exception):
    pass


def _differ(first: ComparisonTable, second: ComparisonTable, row: ComparisonRow) -> bool:
    return first.get(row, EMPTY_CELL).result != second.get(row, EMPTY_CELL).result


def mix_rulebooks(first: LoadedRulebook, second: LoadedRulebook, options: Iterable[str]) -> LoadedRulebook:
    """A book with some options of another; raises ImpossibleCombination."""
    known = rulebooks.options()
    chosen = {name: second.value(name) for name in options}
    judged = {name: value for name, value in chosen.items() if known[name].is_for_adjudication}
    read = {name: value for name, value in chosen.items() if not known[name].is_for_adjudication}
    return replace(
        first,
        adjudication_rules=first.adjudication_rules.with_options(judged),
        reading_options={**first.reading_options, **read},
    )


# as JSON


EMBEDDED_RULEBOOK = "question"  # what the book that a question carries within itself is called


def comparison_answer(asked: Json, books: NamedRulebooks, languages: Languages = LANGUAGES) -> AnswerJson:
    """A comparison with its reasons as JSON, or the failure of a question that cannot be answered; its
    sentences in `languages`.

    A book that the question carries within itself is compared too, the first of all.
    """
    try:
        comparison = compare_rulebooks(asked, {**_carried(asked), **books}, languages=languages)
    except TalleyrandError as error:
        return failure_answer(asked, error, languages)
    return comparison_json(comparison, explain_differences(comparison))


def _carried(asked: Json) -> NamedRulebooks:
    own = asked.get("rulebook") if isinstance(asked, dict) else None
    return {EMBEDDED_RULEBOOK: read_rulebook(own)} if isinstance(own, dict) else {}


def comparison_json(comparison: RulebookComparison, reasons: Iterable[DifferenceReason] = ()) -> AnswerJson:
    """A comparison as JSON; the reference of the command line says what the fields mean."""
    asked = comparison.asked
    return {
        "id": asked.get("id") if isinstance(asked, dict) else None,
        "phase": comparison.answers[0]["phase"],
        "groups": [list(books) for books in comparison.groups],
        "differences": [_difference(comparison, row) for row in comparison.differing],
        "because": [_because(comparison, reason) for reason in reasons],
        "same": [_row_names(comparison, row) for row in comparison.same],
    }


def _row_names(comparison: RulebookComparison, row: ComparisonRow) -> dict[str, Json]:
    """A row by its unit or its line."""
    entry = comparison.entry(row)
    names: dict[str, Json] = {"kind": row.kind}
    names |= {"power": row.power} if row.power else {}
    return names | ({row.kind: entry[row.kind]} if entry is not None else {})


def _difference(comparison: RulebookComparison, row: ComparisonRow) -> dict[str, Json]:
    parts = [{"groups": list(part.groups), **_cell_json(part.cell)} for part in comparison.parts(row)]
    return {**_row_names(comparison, row), "results": parts}


def _cell_json(cell: ComparisonCell) -> dict[str, Json]:
    return {"orders": [dict(entry) for entry in cell.entries], **cell.facts}


def _because(comparison: RulebookComparison, reason: DifferenceReason) -> dict[str, Json]:
    first, second = (comparison.books[comparison.groups[number][0]] for number in (0, reason.group))
    return {
        "groups": [0, reason.group],
        "differences": [comparison.differing.index(row) for row in reason.rows],
        "options": [
            {name: [option_choice_json(first, name), option_choice_json(second, name)] for name in options}
            for options in reason.options
        ],
    }


def option_choice_json(book: LoadedRulebook, option: str) -> dict[str, Json]:
    """What a book chooses, and where it says so, or where its value comes from."""
    return {
        "value": book.value(option),
        "source": book.sources.get(option) or None,
        "settled": option not in book.silent_options,
        "supplied": option_origin(book, option),
    }


def option_origin(book: LoadedRulebook, option: str) -> str | None:
    """Where the value of a silent point comes from; `compatible`: from the choices it must agree with."""
    if option not in book.silent_options:
        return None
    supplied = rulebooks.silent_default(option)
    return supplied.origin if supplied.value == book.value(option) else "compatible"
