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
from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Question

from .facts import Fact, Played, Table, read_fact

VARIANT = "classic"
RULEBOOK = "simplified"
Text = Mapping[str, str]


@dataclass(frozen=True)
class Remark:
    """What is said when all its facts hold; one without facts is always said."""

    when: tuple[Fact, ...]
    text: Text

    def fits(self, played: Played) -> bool:
        return all(fact.holds(played) for fact in self.when)


@dataclass(frozen=True)
class Goal:
    """One thing to reach, in words and as a fact."""

    fact: Fact
    text: Text


@dataclass(frozen=True)
class SlipChoice:
    """One answer on a slip: the order in normal form, the line that a player writes, and what it means."""

    order: str
    line: Text
    text: Text


@dataclass(frozen=True)
class Slip:
    """Something to write that is no order to a unit, as choices to tap: a ballot, a line of aid."""

    title: Text
    choices: tuple[SlipChoice, ...]

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
    scripts: Mapping[str, tuple[str, ...]]
    hidden: bool
    view: tuple[str, ...]
    title: Text
    explanation: Text
    task: Text
    success: Text
    goals: tuple[Goal, ...]
    remarks: tuple[Remark, ...]
    hints: tuple[Text, ...]
    solution: tuple[str, ...]
    course: str = ""
    slips: tuple[Slip, ...] = field(default=())

    @property
    def variant(self) -> Variant:
        return variants.load(self.course or VARIANT)

    @property
    def question(self) -> Question:
        return referee.ask(self.variant.name, RULEBOOK, "", self.situation)

    def judge(self, lines: list[str]) -> Played:
        """What becomes of the learner's lines against the scripted orders; raises Unanswered."""
        question = self.question
        orders = {power: list(given) for power, given in self.scripts.items()}
        return Played(question, referee.judge(question, {**orders, self.power: lines}))

    def solved(self, played: Played) -> bool:
        return all(goal.fact.holds(played) for goal in self.goals)


@cache
def names() -> tuple[str, ...]:
    """The variants that have boards of their own to solve."""
    return tuple(name for name in variants.names() if _folder(name).is_dir())


def _folder(course: str) -> Traversable:
    if course:
        return variants.folder_of(course) / "lessons"
    return resources.files(__package__) / "boards"


@cache
def lessons(course: str = "") -> tuple[Lesson, ...]:
    """All boards of a course, in order; none of one that is not there."""
    if course and course not in names():
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
        scripts={power: tuple(lines) for power, lines in table.get("scripts", {}).items()},
        hidden=table.get("hidden") is True,
        view=tuple(table["view"]),
        title=text(table["title"]),
        explanation=text(table["explanation"]),
        task=text(table["task"]),
        success=text(table["success"]),
        goals=tuple(Goal(read_fact(goal["fact"]), text(goal)) for goal in table["goal"]),
        remarks=tuple(read_remark(remark) for remark in table.get("remark", ())),
        hints=tuple(text(hint) for hint in table["hint"]),
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


def _slip(table: Table) -> Slip:
    choices = (SlipChoice(one["order"], text(one["line"]), text(one)) for one in table["choice"])
    return Slip(text(table["title"]), tuple(choices))


def read_remark(table: Table) -> Remark:
    return Remark(tuple(read_fact(fact) for fact in table.get("when", ())), text(table))


def text(table: Table) -> Text:
    """A text in each language; raises KeyError where one is missing."""
    return {language: table[language].strip() for language in LANGUAGES}
