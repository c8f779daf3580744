"""What a table is doing at one moment: one answer for phones, the room's screen and the referee."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.web.boards import display_names
from talleyrand.web.games import phase_deadlines, readiness
from talleyrand.web.games.models import ENDED_STATES, Game, GameState
from talleyrand.web.games.order_submission import NO_ORDERS
from talleyrand.web.notifications import topic_versions

from . import clock_consents, clock_control
from .models import Table

NO_TIME = timedelta(0)


class Stage(StrEnum):
    """What people do. While the clock is stopped nobody talks: what came of the orders is read."""

    WAITING_ROOM = "waiting_room"
    STOPPED = "stopped"
    TALKING = "talking"
    WRITING = "writing"
    TIME_UP = "time_up"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"
    OTHER = "other"  # a draft, bids, proposals
    OVER = "over"


KINDS = {"M": Stage.TALKING, "R": Stage.RETREATS, "A": Stage.ADJUSTMENTS}


@dataclass(frozen=True)
class TableMoment:
    """A table at `now`. `left` and `total` of the phase: None where it has no end of its own.

    `runs_as`: the stage with the clock running. `writing`: the last part of the phase, in which orders are
    written in silence. `has_begun`: the clock has run in this phase. `awaited`: powers that have submitted
    nothing, by name. `is_read`: the reading of the last phase has ended. `wishes`: what some players ask of
    the clock, each with how many agree.
    """

    stage: Stage
    now: datetime
    phase_number: int = 0
    phase: str = ""
    season: str = ""
    runs_as: Stage = Stage.OTHER
    is_silent: bool = False
    has_begun: bool = False
    is_read: bool = False
    left: timedelta | None = None
    total: timedelta | None = None
    writing: timedelta = NO_TIME
    awaited: tuple[str, ...] = ()
    mark: str = ""  # see `clock_control.clock_mark`
    wishes: tuple[str, ...] = ()

    @property
    def is_running(self) -> bool:
        """Whether time passes."""
        return self.stage not in (Stage.WAITING_ROOM, Stage.STOPPED, Stage.TIME_UP, Stage.OVER)

    @property
    def may_talk(self) -> bool:
        """Whether players may talk about the game now (001 XIV)."""
        return self.stage in (Stage.WAITING_ROOM, Stage.OVER) or (
            self.stage == Stage.TALKING and not self.is_silent
        )

    @property
    def digits(self) -> str:
        """The time left, as it is read: 7:05; "" where there is none."""
        if self.left is None:
            return ""
        seconds = -int(-self.left.total_seconds() // 1)
        return f"{seconds // 60}:{seconds % 60:02}"

    @property
    def is_ready(self) -> bool:
        """Whether the clock is yet to be started and nothing is left to be read first."""
        return self.stage == Stage.STOPPED and not self.has_begun and self.is_read

    @property
    def title(self) -> str:
        """The stage in a word or two."""
        if self.stage == Stage.STOPPED and self.has_begun:
            return _("Clock stopped")
        if self.is_ready:
            return _("Ready to start")
        return {
            Stage.WAITING_ROOM: _("Waiting for players"),
            Stage.STOPPED: _("Reading the orders"),
            Stage.TALKING: _("Negotiation"),
            Stage.WRITING: _("Write your orders"),
            Stage.TIME_UP: _("Time is up"),
            Stage.RETREATS: _("Retreats"),
            Stage.ADJUSTMENTS: _("Adjustments"),
            Stage.OTHER: display_names.phase_kind(self.phase).capitalize(),
            Stage.OVER: _("The game is over"),
        }[self.stage]

    @property
    def talk(self) -> str:
        """Whether there may be talk, in a sentence; "" where nobody asks."""
        if self.stage in (Stage.WAITING_ROOM, Stage.OVER) or (self.is_ready and self.phase_number <= 1):
            return ""
        return _("You may talk.") if self.may_talk else _("No talking.")

    @property
    def awaited_text(self) -> str:
        """Who is waited for; "" for nobody."""
        return _("Waiting for: %(powers)s") % {"powers": ", ".join(self.awaited)} if self.awaited else ""


def table_moment(table: Table, now: datetime) -> TableMoment:
    """What a table is doing now."""
    game = table.game
    if game.state == GameState.GATHERING:
        return TableMoment(Stage.WAITING_ROOM, now)
    variant = variants.load(game.variant)
    if game.state in ENDED_STATES:
        return TableMoment(Stage.OVER, now, game.phase_number)
    calendar = variant.definition.begun(game.settings.first_year).calendar
    kind = "" if phase_deadlines.is_draft(game, game.phase) else game.phase[-1:]
    runs_as = KINDS.get(kind, Stage.OTHER)
    left, total = _time(game, now)
    moment = TableMoment(
        mark=clock_control.clock_mark(game),
        wishes=tuple(f"{one.title} ({one.count})" for one in clock_consents.wishes(table, only_asked=True)),
        stage=runs_as,
        now=now,
        phase_number=game.phase_number,
        phase=game.phase,
        season=display_names.season_name(variant, game.phase),
        runs_as=runs_as,
        is_silent=calendar.silent and calendar.is_opening(Phase.parse(game.phase)),
        has_begun=has_begun(game, now),
        is_read=game.phase_number <= 1 or _is_read(table),
        left=left,
        total=total,
        writing=timedelta(minutes=table.clock_rules.writing) if runs_as == Stage.TALKING else NO_TIME,
        awaited=_awaited(_asked_game(game)),
    )
    return replace(moment, stage=_stage(game, moment))


@dataclass(frozen=True)
class _AskedGame:
    """A game as it is read now, in a language: all phones of a table ask for the same."""

    key: str
    version: int
    phase_number: int
    topic_version: int
    language: str
    game: Game = field(compare=False)


def _asked_game(game: Game) -> _AskedGame:
    topic = topic_versions.game_topic(game.key)
    version = topic_versions.current_versions([topic])[topic]
    language = display_names.reader_language()
    return _AskedGame(game.key, game.version, game.phase_number, version, language, game)


@lru_cache(maxsize=200)
def _awaited(asked: _AskedGame) -> tuple[str, ...]:
    """The powers that have submitted nothing, by name."""
    found = readiness.game_readiness(asked.game, variants.load(asked.game.variant))
    return tuple(one.name for one in found.awaited if one.state.code == NO_ORDERS) if found else ()


def has_begun(game: Game, now: datetime) -> bool:
    """Whether the clock has run in the open phase."""
    left, total = _time(game, now)
    return game.state == GameState.PLAYING or left != total


def _is_read(table: Table) -> bool:
    kept = table.reading  # a `table_reading.Reading`
    return bool(kept.get("finished")) and kept.get("phase_number") == table.game.phase_number - 1


def _stage(game: Game, moment: TableMoment) -> Stage:
    if game.state == GameState.PAUSED:
        return Stage.STOPPED
    if game.is_waiting or moment.left == NO_TIME:
        return Stage.TIME_UP
    if moment.writing and moment.left is not None and moment.left <= moment.writing:
        return Stage.WRITING
    return moment.runs_as


def _time(game: Game, now: datetime) -> tuple[timedelta | None, timedelta | None]:
    """What is left of the open phase, and all of it: what was added to it counts."""
    kind, opened = phase_deadlines.deadline_kind(game, game.phase), game.phase_opened_at or now
    rule = phase_deadlines.deadline_settings_of(game).next_deadline(
        kind, opened, first=game.phase_number <= 1
    )
    left = game.deadline - now if game.deadline else game.time_left_when_paused
    left = None if left is None else max(left, NO_TIME)
    lengths = [length for length in (left, rule - opened if rule else None) if length is not None]
    return left, max(lengths, default=None)


def moment_json(moment: TableMoment) -> dict[str, Any]:
    """The same for the script that runs the clock: it knows what follows without asking.

    `now` is the server's hour in milliseconds, times are seconds. `stages` has each stage that the clock
    comes to by itself, with what is said then.
    """
    coming = [moment]
    if moment.is_running:
        coming += [replace(moment, stage=Stage.WRITING)] if moment.writing else []
        coming += [replace(moment, stage=Stage.TIME_UP)] if moment.left is not None else []
    return {
        "now": int(moment.now.timestamp() * 1000),
        "phase": moment.phase_number,
        "season": moment.season,
        "stage": moment.stage,
        "running": moment.is_running,
        "left": _seconds(moment.left),
        "total": _seconds(moment.total),
        "writing": _seconds(moment.writing),
        "mark": moment.mark,
        "wishes": list(moment.wishes),
        "awaited": list(moment.awaited),
        "waiting": moment.awaited_text,
        "stages": {
            one.stage: {"title": one.title, "talk": one.talk, "may_talk": one.may_talk} for one in coming
        },
    }


def clock_context(table: Table, now: datetime) -> dict[str, Any]:
    """What `tables/clock.html` and `tables/clock_wishes.html` show."""
    moment = table_moment(table, now)
    return {
        "clock": moment,
        "clock_json": json.dumps(moment_json(moment), ensure_ascii=False),
        "wishes": clock_consents.wishes(table),
        "clock_url": reverse("tables:clock", args=[table.game.key]),
    }


def _seconds(length: timedelta | None) -> float | None:
    return None if length is None else round(length.total_seconds(), 3)
