"""A first half-hour: two years of one country, no negotiation, the other countries played by scripts.

The texts advise it for newcomers: a few moves with one country before their first game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from talleyrand import variants
from talleyrand.formats import position_json
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Question

from . import scripted_orders
from .lesson_courses import RULEBOOK, VARIANT, LessonRemark, LessonText, remark_from_toml, text_from_toml
from .lesson_facts import LessonResult, Table
from .scripted_orders import ScriptedPreferences


@dataclass(frozen=True)
class GuidedPhase:
    """What the guide says before and after a phase, and what the other countries wish to do."""

    brief: LessonText
    remarks: tuple[LessonRemark, ...] = ()
    scripted_preferences: ScriptedPreferences | None = None


@dataclass(frozen=True)
class GuidedGame:
    """`phases` by phase, or by its last letter for those that are not foreseen; `until` is played no more."""

    power: str
    until: str
    phases: Mapping[str, GuidedPhase]
    remarks: tuple[LessonRemark, ...]

    def phase(self, phase: str) -> GuidedPhase:
        return self.phases.get(phase) or self.phases[phase[-1]]


@dataclass(frozen=True)
class GuidedScene:
    """A phase that was played; `has_own_orders` where the learner had something to decide in it."""

    played: LessonResult
    has_own_orders: bool


@dataclass(frozen=True)
class GuidedGameHistory:
    """What was played so far, and the phase that waits for the learner: None when the half-hour is over."""

    scenes: tuple[GuidedScene, ...]
    open_question: Question | None

    def latest(self) -> Sequence[GuidedScene]:
        """The last phase the learner ordered in, and those that went by without him since."""
        own = [at for at, scene in enumerate(self.scenes) if scene.has_own_orders]
        return self.scenes[own[-1] :] if own else self.scenes


@cache
def guided_game() -> GuidedGame:
    table = tomllib.loads((resources.files(__package__) / "half_hour.toml").read_text("utf-8"))
    return GuidedGame(
        power=table["power"],
        until=table["until"],
        phases={phase: _turn(turn) for phase, turn in table["turn"].items()},
        remarks=tuple(remark_from_toml(remark) for remark in table["remark"]),
    )


def _turn(table: Table) -> GuidedPhase:
    wishes = {power: tuple(orders) for power, orders in table.get("wishes", {}).items()}
    remarks = tuple(remark_from_toml(remark) for remark in table.get("remark", ()))
    return GuidedPhase(text_from_toml(table["brief"]), remarks, wishes)


def play_guided_game(sheets: Sequence[Sequence[str]]) -> GuidedGameHistory:
    """The story of the learner's sheets, one for each phase in which he decides; raises QuestionRefusal."""
    guide = guided_game()
    scenes: list[GuidedScene] = []
    waiting = list(sheets)
    situation: dict[str, Any] | None = _start()
    while situation is not None and situation["phase"] != guide.until:
        question = adjudicator.make_question(VARIANT, RULEBOOK, "", situation)
        own = guide.power in adjudicator.legal_orders(question)
        if own and not waiting:
            return GuidedGameHistory(tuple(scenes), question)
        played = _judged(question, list(waiting.pop(0)) if own else [])
        scenes.append(GuidedScene(played, own))
        situation = adjudicator.situation_after(question, played.answer)
    return GuidedGameHistory(tuple(scenes), None)


def _start() -> dict[str, Any]:
    variant = variants.load(VARIANT)
    return dict(position_json.write_position(variant.definition.start, variant.board))


def _judged(question: Question, lines: list[str]) -> LessonResult:
    guide = guided_game()
    others = scripted_orders.scripted_orders(
        question, guide.phase(question["phase"]).scripted_preferences or {}, guide.power
    )
    return LessonResult(question, adjudicator.adjudicate(question, {**others, guide.power: lines}))


def guide_comments(played: LessonResult) -> list[LessonText]:
    """What the guide says of a phase: one remark of its own, then what holds of any phase."""
    guide = guided_game()
    own = next((one for one in guide.phase(played.question["phase"]).remarks if one.fits(played)), None)
    general = [one.text for one in guide.remarks if one.fits(played)]
    return [own.text, *general] if own else general
