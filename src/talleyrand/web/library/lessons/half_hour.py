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
from talleyrand.formats import positions
from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Question

from . import scripts
from .course import RULEBOOK, VARIANT, Remark, Text, read_remark, text
from .facts import Played, Table
from .scripts import Wishes


@dataclass(frozen=True)
class Turn:
    """What the guide says before and after a phase, and what the other countries wish to do."""

    brief: Text
    remarks: tuple[Remark, ...] = ()
    wishes: Wishes | None = None


@dataclass(frozen=True)
class HalfHour:
    """`turns` by phase, or by its last letter for those that are not foreseen; `until` is played no more."""

    power: str
    until: str
    turns: Mapping[str, Turn]
    remarks: tuple[Remark, ...]

    def turn(self, phase: str) -> Turn:
        return self.turns.get(phase) or self.turns[phase[-1]]


@dataclass(frozen=True)
class Scene:
    """A phase that was played; `own` where the learner had something to decide in it."""

    played: Played
    own: bool


@dataclass(frozen=True)
class Story:
    """What was played so far, and the phase that waits for the learner: None when the half-hour is over."""

    scenes: tuple[Scene, ...]
    open: Question | None

    def latest(self) -> Sequence[Scene]:
        """The last phase the learner ordered in, and those that went by without him since."""
        own = [at for at, scene in enumerate(self.scenes) if scene.own]
        return self.scenes[own[-1] :] if own else self.scenes


@cache
def half_hour() -> HalfHour:
    table = tomllib.loads((resources.files(__package__) / "half_hour.toml").read_text("utf-8"))
    return HalfHour(
        power=table["power"],
        until=table["until"],
        turns={phase: _turn(turn) for phase, turn in table["turn"].items()},
        remarks=tuple(read_remark(remark) for remark in table["remark"]),
    )


def _turn(table: Table) -> Turn:
    wishes = {power: tuple(orders) for power, orders in table.get("wishes", {}).items()}
    remarks = tuple(read_remark(remark) for remark in table.get("remark", ()))
    return Turn(text(table["brief"]), remarks, wishes)


def play(sheets: Sequence[Sequence[str]]) -> Story:
    """The story of the learner's sheets, one for each phase in which he decides; raises Unanswered."""
    guide = half_hour()
    scenes: list[Scene] = []
    waiting = list(sheets)
    situation: dict[str, Any] | None = _start()
    while situation is not None and situation["phase"] != guide.until:
        question = referee.ask(VARIANT, RULEBOOK, "", situation)
        own = guide.power in referee.options(question)
        if own and not waiting:
            return Story(tuple(scenes), question)
        played = _judged(question, list(waiting.pop(0)) if own else [])
        scenes.append(Scene(played, own))
        situation = referee.following(question, played.answer)
    return Story(tuple(scenes), None)


def _start() -> dict[str, Any]:
    variant = variants.load(VARIANT)
    return dict(positions.write_position(variant.setting.start, variant.board))


def _judged(question: Question, lines: list[str]) -> Played:
    guide = half_hour()
    others = scripts.orders(question, guide.turn(question["phase"]).wishes or {}, guide.power)
    return Played(question, referee.judge(question, {**others, guide.power: lines}))


def comments(played: Played) -> list[Text]:
    """What the guide says of a phase: one remark of its own, then what holds of any phase."""
    guide = half_hour()
    own = next((one for one in guide.turn(played.question["phase"]).remarks if one.fits(played)), None)
    general = [one.text for one in guide.remarks if one.fits(played)]
    return [own.text, *general] if own else general
