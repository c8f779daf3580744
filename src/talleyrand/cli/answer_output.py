"""Answers, for people: what became of each order and why, and the position that comes of it.

The judgements of several books side by side: what differs first, and why.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from talleyrand import messages, notation, rulebooks
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase
from talleyrand.formats.question_input import read_variant
from talleyrand.variants import Variant

from .console import CliSentences

PrintedAnswer = Mapping[str, Any]
_WIDTH = 34


def print_answer(question: PrintedAnswer, answer: PrintedAnswer, say: CliSentences) -> None:
    """One phase: its orders power by power, then where everybody stands."""
    variant = read_variant(question.get("variant"))
    page = AnswerPrinter(variant, say)
    if "phase" in answer:
        print(page.phase(answer["phase"]))
    for line in page.orders(answer["orders"]):
        print(line)
    for line in (*page.after(answer), *page.notes(answer["notes"])):
        print(line)
    print()


def print_lines_without_power(lines: Iterable[str], say: CliSentences) -> None:
    """Lines of a text that stand under no power's name."""
    for line in lines:
        print(say("show.loose", text=line[:120]))


def print_refused_lines(
    variant: Variant, entries: Iterable[PrintedAnswer], loose: Iterable[str], say: CliSentences
) -> None:
    """The lines that count for nothing, and why, beside what a command gives."""
    page = AnswerPrinter(variant, say)
    for entry in entries:
        if entry["error"] is not None:
            said = f"{page.heading(entry)} – {entry['error']['message'][say.language]}"
            print(page.with_power(entry["power"], said), file=sys.stderr)
    for line in loose:
        print(say("show.loose", text=line[:120]), file=sys.stderr)


class AnswerPrinter:
    """Names and words of one variant in one language."""

    def __init__(self, variant: Variant, say: CliSentences) -> None:
        self.variant, self.say = variant, say
        self.names = variant.names(say.language)

    def phase(self, code: str) -> str:
        text = messages.phase_name(Phase.parse(code), self.variant, self.say.language)
        return text[:1].upper() + text[1:]

    def power(self, code: str) -> str:
        return self.names.powers[code].name

    def with_power(self, power: str, text: str) -> str:
        return self.say("show.power", power=self.power(power), text=text)

    def unit(self, text: str) -> str:
        return messages.unit_name(text, self.variant, self.say.language)

    def orders(self, entries: list[PrintedAnswer]) -> Iterator[str]:
        for power in self.variant.board.seats:
            own = [entry for entry in entries if entry["power"] == power]
            if own:
                yield f"\n{self.power(power)}"
            # those who wrote nothing and to whom nothing happened
            idle = [
                entry
                for entry in own
                if entry.get("results") == ["holds"] and entry["cause"]["code"] == "no_order"
            ]
            for entry in own:
                if entry not in idle:
                    yield from self._entry(entry)
            if idle:
                names = ", ".join(self.unit(entry["unit"]) for entry in idle)
                yield f"  {self.say('show.idle', units=names)}"

    def _entry(self, entry: PrintedAnswer) -> Iterator[str]:
        results = self.results(entry)
        yield f"  {self.heading(entry):<{_WIDTH}}  {results}".rstrip()
        if entry["error"] is not None:
            yield f"      {entry['error']['message'][self.say.language]}"
        elif entry.get("why"):
            yield f"      {entry['why'][self.say.language]}"
        for note in entry["notes"]:
            yield f"      {note[self.say.language]}"

    def heading(self, entry: PrintedAnswer) -> str:
        """The order in full names, or the line as it was written, or the unit alone."""
        written = " ".join((entry["line"] or "").split())[:80]
        if entry["order"] is None:
            return written or self.unit(entry["unit"])
        try:
            order = notation.parse_order(entry["order"], self.variant)
        except TalleyrandError:
            return written or str(entry["order"])
        return notation.describe_order(order, self.variant, self.say.language)

    def results(self, entry: PrintedAnswer) -> str:
        words = entry.get("results", ())
        return ", ".join(messages.result_word(word, self.say.language, self.variant) for word in words)

    def verdict(self, entry: PrintedAnswer) -> str:
        """The results, or why there are none."""
        error = entry["error"]
        return self.results(entry) or (error["message"][self.say.language] if error else "–")

    def after(self, answer: PrintedAnswer) -> Iterator[str]:
        """Positions, dislodged units, centres, adjustments, the winner, and what comes next."""
        if "units" not in answer:
            return
        yield f"\n{self.say('show.after')}"
        for power, listed in answer["units"].items():
            yield f"  {self.with_power(power, ', '.join(map(self.unit, listed)))}"
        if answer["dislodged"]:
            yield f"\n{self.say('show.dislodged')}"
        for power, fallen in answer["dislodged"].items():
            for one in fallen:
                yield f"  {self.with_power(power, self.unit(one['unit']))} – {self.retreats(one['retreats'])}"
        if answer.get("adjustments"):
            yield f"\n{self.say('show.adjustments')}"
            yield from self._balances(answer)
        yield from self.ended(answer)
        if answer["next"] is not None:
            yield f"\n{self.say('show.next', phase=self.phase(answer['next']).lower())}"

    def ended(self, answer: PrintedAnswer) -> Iterator[str]:
        """Who is out, and who has won."""
        for power in answer.get("eliminated", ()):
            yield self.say("show.eliminated", power=self.power(power))
        for power in answer.get("winner", ()):
            yield self.say("show.winner", power=self.power(power))

    def retreats(self, places: Iterable[str]) -> str:
        """Where a dislodged unit may go."""
        names = ", ".join(map(self.names.location, places))
        return self.say("show.retreats", places=names) if names else self.say("show.no_retreat")

    def _balances(self, answer: PrintedAnswer) -> Iterator[str]:
        for power, due in answer["adjustments"].items():
            centres = len(answer["centers"].get(power, ()))
            facts = {"power": self.power(power), "centres": str(centres), "balance": f"{due['balance']:+d}"}
            if centres or due["balance"]:
                yield f"  {self.say('show.balance', **facts)}"

    def notes(self, notes: list[Mapping[str, str]]) -> Iterator[str]:
        if notes:
            yield f"\n{self.say('show.notes')}"
        for note in notes:
            yield f"  {note[self.say.language]}"


ComparisonJson = Mapping[str, Any]


def print_comparison(question: ComparisonJson, answer: ComparisonJson, say: CliSentences) -> None:
    """The groups of books, each row on which they differ, and the options that explain it."""
    told = _ComparisonPrinter(answer, AnswerPrinter(read_variant(question.get("variant")), say), say)
    print(told.page.phase(answer["phase"]))
    for line in (*told.groups(), *told.differences(), *told.reasons(), *told.same()):
        print(line)
    print()


class _ComparisonPrinter:
    def __init__(self, answer: ComparisonJson, page: AnswerPrinter, say: CliSentences) -> None:
        self.answer, self.page, self.say = answer, page, say
        self.books: list[list[str]] = answer["groups"]

    def groups(self) -> Iterator[str]:
        if len(self.books) == 1:
            yield self.say("show.no_difference", books=", ".join(self.books[0]))
            return
        for number, books in enumerate(self.books, 1):
            yield self.say("compare.group", number=str(number), books=", ".join(books))

    def differences(self) -> Iterator[str]:
        for row in self.answer["differences"]:
            yield f"\n{self.row(row)}"
            numbers = [", ".join(str(group + 1) for group in part["groups"]) for part in row["results"]]
            width = max(map(len, numbers)) + 2
            for number, part in zip(numbers, row["results"], strict=True):
                for place, line in enumerate(self._part(row, part)):
                    yield f"  {'' if place else number:<{width}}{line}"

    def row(self, row: ComparisonJson) -> str:
        """A row by the name of its unit, its line or its power, or the game."""
        if row["kind"] == "game":
            return self.say("compare.game")
        if row["kind"] == "balance":
            return self.page.with_power(row["power"], self.say("compare.balance"))
        return self.page.with_power(
            row["power"], self.page.unit(row["unit"]) if "unit" in row else row["line"]
        )

    def _part(self, row: ComparisonJson, part: ComparisonJson) -> Iterator[str]:
        if row["kind"] == "game":
            yield from self.page.ended(part)
        elif row["kind"] == "balance" and "balance" in part:
            yield f"{part['balance']:+d}"
        for entry in part["orders"]:
            yield self.say("show.power", power=self.page.heading(entry), text=self.page.verdict(entry))
            if entry["error"] is None and entry.get("why"):
                yield f"  {entry['why'][self.say.language]}"
        if "retreats" in part:
            yield self.page.retreats(part["retreats"])
        if part.keys() == {"groups", "orders"} and not part["orders"]:
            yield "–"

    def reasons(self) -> Iterator[str]:
        if self.answer["because"]:
            yield f"\n{self.say('compare.why')}"
        for reason in self.answer["because"]:
            yield from self._reason(reason)

    def _reason(self, reason: ComparisonJson) -> Iterator[str]:
        first, second = (self.books[number][0] for number in reason["groups"])
        rows = (self.row(self.answer["differences"][number]) for number in reason["differences"])
        facts = {"first": first, "second": second, "rows": ", ".join(rows)}
        yield f"  {self.say('compare.because', **facts)}"
        for place, options in enumerate(reason["options"]):
            if place:
                yield f"    {self.say('compare.or')}"
            for name, choices in options.items():
                yield from self._option(name, dict(zip((first, second), choices, strict=True)))

    def _option(self, name: str, choices: Mapping[str, ComparisonJson]) -> Iterator[str]:
        option = rulebooks.options()[name]
        yield f"    {option.row or option.datc} {option.title[self.say.language]} ({name})"
        for book, choice in choices.items():
            called = option.value_titles[choice["value"]][self.say.language]
            told = f"{choice['value']}{self._place(choice)} – {called}"
            yield f"      {self.say('show.power', power=book, text=told)}"

    def _place(self, choice: ComparisonJson) -> str:
        if choice["supplied"]:
            return f" ({silent_option_note(choice['supplied'], self.say)})"
        place = rulebooks.translate_citation(choice["source"] or "", self.say.language)
        return f" [{place}]" if place else ""

    def same(self) -> Iterator[str]:
        if self.books[1:] and self.answer["same"]:
            names = ", ".join(map(self.row, self.answer["same"]))
            yield f"\n{self.say('compare.same', rows=names)}"


_SILENT = {
    "default": "rulebooks.silent.default",
    "first": "rulebooks.silent.first",
    "compatible": "rulebooks.silent.compatible",
}


def silent_option_note(origin: str, say: CliSentences) -> str:
    """That a value is our reading of what a book leaves open, and where it comes from."""
    if origin in _SILENT:
        return say(_SILENT[origin])
    return say("rulebooks.silent.book", book=rulebooks.load(origin).title[say.language])
