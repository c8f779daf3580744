"""What a stream of questions is answered with: which function, in which languages, with which reasons.

A value, so that it can be sent to another process.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from talleyrand import rulebooks
from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats import adjudication
from talleyrand.formats.adjudication import AnswerJson
from talleyrand.formats.json_checks import Json
from talleyrand.formats.question_input import read_rulebook
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import LANGUAGES

from .console import USAGE, CommandError, parse_rulebook_option

ANSWER_LANGUAGES = (*LANGUAGES, "both", "none")
REASONS = ("usual", "all", "none")


def answer_languages(asked: str | None) -> tuple[str, ...]:
    """The languages of an answer's sentences, as `--lang` names them; all of them unless it does."""
    if asked in (None, "both"):
        return LANGUAGES
    return () if asked == "none" else (str(asked),)


def collect_rarely() -> None:
    """Look for unused values that refer to each other seldom, and not among those that are there already:
    boards and sentences stay as long as the program."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@contextmanager
def rare_collections() -> Iterator[None]:
    """The same while it lasts."""
    before = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@dataclass(frozen=True)
class AnswerForm:
    """How questions are answered: their orders read only (`read_only`), judged, or judged by several books
    (`compared`, as `--compare` names them); with reasons as `--reasons` says."""

    languages: tuple[str, ...] = LANGUAGES
    read_only: bool = False
    reasons: str = "usual"
    compared: str | None = None

    @property
    def finds_reasons(self) -> bool:
        """Whether answers say what would have been enough."""
        return not self.read_only and (self.compared is not None or self.reasons != "none")

    def reply(self, question: Json) -> AnswerJson:
        """The answer to a question."""
        return self.reply_in(question, self.languages)

    def reply_in(self, question: Json, languages: tuple[str, ...]) -> AnswerJson:
        """The same in other languages."""
        if self.read_only:
            return adjudication.read_question_orders(question, languages=languages)
        if self.compared is not None:
            from talleyrand.formats import rulebook_comparison

            return rulebook_comparison.comparison_answer(question, self.books, languages)
        effort = StepBudget(sys.maxsize) if self.reasons == "all" else None
        return adjudication.adjudicate_question(
            question, effort, languages=languages, with_reasons=self.reasons != "none"
        )

    @cached_property
    def books(self) -> dict[str, LoadedRulebook]:
        """The books compared by their names, files of one's own among them; `all` stands for every book."""
        named = [name.strip() for name in (self.compared or "").split(",") if name.strip()]
        if not named:
            raise CommandError("error.no_books", USAGE)
        listed = chain.from_iterable(rulebooks.names() if name == "all" else [name] for name in named)
        return {name: read_rulebook(parse_rulebook_option(name)) for name in listed}
