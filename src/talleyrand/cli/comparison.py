"""The judgements of several books side by side, for people: what differs first, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from talleyrand import rulebooks
from talleyrand.formats.question_input import read_variant

from .answer_output import AnswerPrinter
from .catalogue_commands import silent_option_note
from .console import CliSentences

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
            yield self._order(entry)
            if entry["error"] is None and entry.get("why"):
                yield f"  {entry['why'][self.say.language]}"
        if "retreats" in part:
            yield self.page.retreats(part["retreats"])
        if part.keys() == {"groups", "orders"} and not part["orders"]:
            yield "–"

    def _order(self, entry: ComparisonJson) -> str:
        return self.say("show.power", power=self.page.heading(entry), text=self.page.verdict(entry))

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
