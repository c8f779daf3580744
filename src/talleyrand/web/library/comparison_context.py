"""What the page of several judgements shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats import rulebook_comparison as comparisons
from talleyrand.formats.rulebook_comparison import (
    EMBEDDED_RULEBOOK,
    ComparisonCell,
    ComparisonRow,
    DifferenceReason,
    RulebookComparison,
)
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, phase_maps, result_rows

from . import comparison_limits as limits
from . import comparison_maps
from .comparison_requests import ComparisonRequest
from .rulebook_input import CUSTOM_RULEBOOK, title_of_rulebook
from .two_rulebooks import option_row


def comparison_context(asked: ComparisonRequest, variant: Variant, nonce: str) -> dict[str, Any]:
    """The context of a result; raises TalleyrandError."""
    effort = StepBudget(limits.COMPARISON_EFFORT)
    comparison = comparisons.compare_rulebooks(asked.question, asked.books, effort)
    reasons = comparisons.explain_differences(comparison, effort)
    page = ComparisonRows(comparison, variant)
    maps = comparison_maps.draw_comparison_maps(comparison, nonce)
    return {
        "sentence": page.sentence(),
        "phase": display_names.phase_name(variant, str(comparison.answers[0]["phase"])),
        "variant_title": variant.title[display_names.reader_language()],
        "ground": maps.shared_ground,
        "groups": [
            {"number": number, "books": page.titles(books), "drawing": drawing}
            for number, (books, drawing) in enumerate(zip(comparison.groups, maps.group_maps, strict=True), 1)
        ],
        "rows": [page.row(row) for row in comparison.differing],
        "reasons": page.reasons(reasons),
        "same": [page.alike(row) for row in comparison.same],
        "unjudged": page.titles(comparison.skipped_rulebooks),
        "loose": asked.loose_lines,
    }


class ComparisonRows:
    def __init__(self, comparison: RulebookComparison, variant: Variant) -> None:
        self.comparison, self.variant = comparison, variant

    def titles(self, books: Iterable[str]) -> list[str]:
        return [title_of_rulebook(self.comparison.books[name]) for name in books]

    def first(self, group: int) -> LoadedRulebook:
        return self.comparison.books[self.comparison.groups[group][0]]

    def sentence(self) -> str:
        ways, books = len(self.comparison.groups), sum(map(len, self.comparison.groups))
        if books == 1:
            return _("Only one rulebook is selected: choose several to compare.")
        if ways == 1:
            return _("All %(books)s rulebooks agree.") % {"books": books}
        return _("%(books)s rulebooks, %(ways)s different results.") % {"books": books, "ways": ways}

    def row(self, row: ComparisonRow) -> dict[str, Any]:
        """One cell a group; what an earlier group already says is only referred to."""
        cells: dict[int, dict[str, Any]] = {}
        for part in self.comparison.parts(row):
            first, *others = part.groups
            cells[first] = self._cell(row, part.cell)
            cells |= {group: {"like": first + 1} for group in others}
        return {"name": self.name(row), "colour": self._colour(row), "cells": _numbered(cells)}

    def alike(self, row: ComparisonRow) -> dict[str, Any]:
        cell = self.comparison.parts(row)[0].cell
        return {"name": self.name(row), "colour": self._colour(row), **self._cell(row, cell)}

    def _cell(self, row: ComparisonRow, cell: ComparisonCell) -> dict[str, Any]:
        entries = [result_rows.result_entry(self.variant, entry) for entry in cell.entries]
        return {"entries": entries, "facts": list(self._facts(row, cell.facts))}

    def _facts(self, row: ComparisonRow, facts: Mapping[str, Any]) -> Iterable[str]:
        names = self.variant.names(display_names.reader_language())
        if "retreats" in facts:
            places = ", ".join(map(names.location, facts["retreats"]))
            yield (
                _("Can retreat to: %(places)s.") % {"places": places} if places else _("No retreat possible.")
            )
        if row.kind == "balance":
            yield _balance(facts.get("balance"))
        for power in facts.get("eliminated", ()):
            yield _("%(power)s: eliminated.") % {"power": display_names.power_name(self.variant, power)}
        for power in facts.get("winner", ()):
            yield _("%(power)s wins.") % {"power": display_names.power_name(self.variant, power)}

    def name(self, row: ComparisonRow) -> str:
        entry = self.comparison.entry(row)
        if row.kind == "game":
            return _("End of the game")
        if row.kind == "balance" or entry is None:
            return display_names.power_name(self.variant, row.power)
        if entry["unit"]:
            return phase_maps.unit_text(self.variant, entry["unit"])
        return f"{display_names.power_name(self.variant, row.power)} – {entry['line'] or entry['order']}"

    def _colour(self, row: ComparisonRow) -> str:
        return self.variant.colours.get(row.power, "")

    def reasons(self, reasons: Iterable[DifferenceReason]) -> list[dict[str, Any]]:
        """What sets each further group apart from the first."""
        found: dict[int, list[DifferenceReason]] = {}
        for reason in reasons:
            found.setdefault(reason.group, []).append(reason)
        return [self._pair(group, several) for group, several in found.items()]

    def _pair(self, group: int, reasons: Iterable[DifferenceReason]) -> dict[str, Any]:
        books = self.first(0), self.first(group)
        return {
            "titles": [title_of_rulebook(book) for book in books],
            "names": [self.comparison.groups[number][0] for number in (0, group)],
            "linked": not {CUSTOM_RULEBOOK, EMBEDDED_RULEBOOK}
            & {self.comparison.groups[number][0] for number in (0, group)},
            "parts": [
                {
                    "rows": [self.name(row) for row in reason.rows],
                    "sets": [[option_row(name, books) for name in names] for names in reason.options],
                }
                for reason in reasons
            ],
        }


def _numbered(cells: Mapping[int, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"number": group + 1, **cells[group]} for group in sorted(cells)]


def _balance(balance: int | None) -> str:
    if not balance:
        return _("Nothing to build or remove.")
    if balance > 0:
        return ngettext("%(n)s build", "%(n)s builds", balance) % {"n": balance}
    return ngettext("%(n)s removal", "%(n)s removals", -balance) % {"n": -balance}
