"""The boards to learn on, each a position, a goal, and what to say about it: the ten of the classic game
(`boards/*.toml`), and those of a variant with rules of its own (`lessons/*.toml` in its folder)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from talleyrand import variants
from talleyrand.variants import LANGUAGES, Variant
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Question

from .lesson_facts import LessonFact, LessonResult, Table, fact_from_toml

VARIANT = "classic"
RULEBOOK = "simplified"
LessonText = Mapping[str, str]


@dataclass(frozen=True)
class LessonRemark:
    """What is said when all its facts hold; one without facts is always said."""

    when: tuple[LessonFact, ...]
    text: LessonText

    def fits(self, played: LessonResult) -> bool:
        return all(fact.holds(played) for fact in self.when)


@dataclass(frozen=True)
class LessonGoal:
    """One thing to reach, in words and as a fact."""

    fact: LessonFact
    text: LessonText


@dataclass(frozen=True)
class LessonSlipChoice:
    """One answer on a slip: the order in normal form, the line that a player writes, and what it means."""

    order: str
    line: LessonText
    text: LessonText


@dataclass(frozen=True)
class LessonSlip:
    """Something to write that is no order to a unit, as choices to tap: a ballot, a line of aid."""

    title: LessonText
    choices: tuple[LessonSlipChoice, ...]

    @property
    def orders(self) -> tuple[str, ...]:
        return tuple(choice.order for choice in self.choices)


@dataclass(frozen=True)
class Lesson:
    """One board. `solution` is one way to reach the goals; the judge accepts any other.

    `course` is "" for the ten boards, else the name of a variant.
    """

    number: int
    name: str
    power: str
    situation: Mapping[str, Any]
    scripted_orders: Mapping[str, tuple[str, ...]]
    hidden: bool
    view: tuple[str, ...]
    title: LessonText
    explanation: LessonText
    task: LessonText
    success: LessonText
    goals: tuple[LessonGoal, ...]
    remarks: tuple[LessonRemark, ...]
    hints: tuple[LessonText, ...]
    solution: tuple[str, ...]
    course: str = ""
    slips: tuple[LessonSlip, ...] = field(default=())

    @property
    def variant(self) -> Variant:
        return variants.load(self.course or VARIANT)

    @property
    def question(self) -> Question:
        return adjudicator.make_question(self.variant.name, RULEBOOK, "", self.situation)

    def adjudicate(self, lines: list[str]) -> LessonResult:
        """What becomes of the learner's lines against the scripted orders; raises QuestionRefusal."""
        question = self.question
        orders = {power: list(given) for power, given in self.scripted_orders.items()}
        return LessonResult(question, adjudicator.adjudicate(question, {**orders, self.power: lines}))

    def is_solved(self, played: LessonResult) -> bool:
        return all(goal.fact.holds(played) for goal in self.goals)


@cache
def variants_with_lessons() -> tuple[str, ...]:
    """The variants that have boards of their own to solve."""
    return tuple(name for name in variants.playable_names() if _folder(name).is_dir())


def _folder(course: str) -> Traversable:
    if course:
        return variants.variant_folder(course) / "lessons"
    return resources.files(__package__) / "boards"


@cache
def lessons_of(course: str = "") -> tuple[Lesson, ...]:
    """All boards of a course, in order; none of one that is not there."""
    if course and course not in variants_with_lessons():
        return ()
    folder = _folder(course)
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(
        _lesson(number, name, tomllib.loads((folder / name).read_text("utf-8")), course)
        for number, name in enumerate(files, 1)
    )


def _lesson(number: int, name: str, table: Table, course: str) -> Lesson:
    return Lesson(
        number=number,
        name=name.removesuffix(".toml"),
        power=table["power"],
        situation=_situation(table["situation"], course),
        scripted_orders={power: tuple(lines) for power, lines in table.get("scripts", {}).items()},
        hidden=table.get("hidden") is True,
        view=tuple(table["view"]),
        title=text_from_toml(table["title"]),
        explanation=text_from_toml(table["explanation"]),
        task=text_from_toml(table["task"]),
        success=text_from_toml(table["success"]),
        goals=tuple(LessonGoal(fact_from_toml(goal["fact"]), text_from_toml(goal)) for goal in table["goal"]),
        remarks=tuple(remark_from_toml(remark) for remark in table.get("remark", ())),
        hints=tuple(text_from_toml(hint) for hint in table["hint"]),
        solution=tuple(table["solution"]),
        course=course,
        slips=tuple(map(_slip, table.get("slip", ()))),
    )


def _situation(table: Table, course: str) -> Mapping[str, Any]:
    """A position; in a variant's own the centres that it does not name are those of the start."""
    if not course or "centers" not in table:
        return table
    homes = variants.load(course).board.homes
    named = {code for codes in table["centers"].values() for code in codes}
    left = {power: [code for code in codes if code not in named] for power, codes in homes.items()}
    return {**table, "centers": {**left, **table["centers"]}}


def _slip(table: Table) -> LessonSlip:
    choices = (
        LessonSlipChoice(one["order"], text_from_toml(one["line"]), text_from_toml(one))
        for one in table["choice"]
    )
    return LessonSlip(text_from_toml(table["title"]), tuple(choices))


def remark_from_toml(table: Table) -> LessonRemark:
    return LessonRemark(tuple(fact_from_toml(fact) for fact in table.get("when", ())), text_from_toml(table))


def text_from_toml(table: Table) -> LessonText:
    """A text in each language; raises KeyError where one is missing."""
    return {language: table[language].strip() for language in LANGUAGES}
