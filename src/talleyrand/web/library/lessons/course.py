"""The ten boards, read from `boards/*.toml`: each a position, a goal, and what to say about it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from talleyrand.variants import LANGUAGES
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
class Lesson:
    """One board. `solution` is one way to reach the goals; the judge accepts any other."""

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

    @property
    def question(self) -> Question:
        return referee.ask(VARIANT, RULEBOOK, "", self.situation)

    def judge(self, lines: list[str]) -> Played:
        """What becomes of the learner's lines against the scripted orders; raises Unanswered."""
        question = self.question
        orders = {power: list(given) for power, given in self.scripts.items()}
        return Played(question, referee.judge(question, {**orders, self.power: lines}))

    def solved(self, played: Played) -> bool:
        return all(goal.fact.holds(played) for goal in self.goals)


@cache
def lessons() -> tuple[Lesson, ...]:
    """All boards, in order."""
    folder = resources.files(__package__) / "boards"
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(
        _lesson(number, name, tomllib.loads((folder / name).read_text("utf-8")))
        for number, name in enumerate(files, 1)
    )


def _lesson(number: int, name: str, table: Table) -> Lesson:
    return Lesson(
        number=number,
        name=name.removesuffix(".toml"),
        power=table["power"],
        situation=table["situation"],
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
    )


def read_remark(table: Table) -> Remark:
    return Remark(tuple(read_fact(fact) for fact in table.get("when", ())), text(table))


def text(table: Table) -> Text:
    """A text in each language; raises KeyError where one is missing."""
    return {language: table[language].strip() for language in LANGUAGES}
