"""Kinds of games that people often play: each fills the page that makes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from talleyrand.web.games.deadlines.deadline_presets import DEADLINE_PRESETS, default_minimum
from talleyrand.web.games.deadlines.deadline_settings import DeadlineSettings
from talleyrand.web.games.game_settings import Anonymity, MissingOrdersRule, PressSetting, SpectatorRule
from talleyrand.web.games.models import GameRole

from .game_settings_texts import badly_written_text
from .setting_options import NO, YES


@dataclass(frozen=True)
class GamePreset:
    """`answers` to the page’s questions and a pace; the others stay usual."""

    title: str
    sentence: str
    pace: str
    answers: dict[str, Any]
    early: bool = False

    def deadline_settings(self, zone: str) -> DeadlineSettings:
        """The rule for dates, in the zone of whoever makes the game."""
        movement, between = DEADLINE_PRESETS[self.pace]
        minimum = default_minimum(movement, between)
        return DeadlineSettings(movement, between, time_zone=zone, plays_early=self.early, minimum=minimum)


def game_presets() -> dict[str, GamePreset]:
    """The kinds by name, in the reader’s language."""
    return {"post": _post(), "friends": _friends(), "blitz": _blitz()}


def _post() -> GamePreset:
    answers = {
        "part": GameRole.GAME_MASTER,
        "rulebook": "play_by_mail_001",
        "anonymity": Anonymity.UNTIL_END,
        "press": PressSetting.HELD,
        "absent": MissingOrdersRule.EXTEND,
        "by_post": YES if settings.HAS_PLAY_BY_MAIL else NO,
        "submissions_shown": NO,
    }
    said = _("Deadlines every Friday at 24:00, anonymous players, messages through you, the GM.")
    if settings.HAS_PLAY_BY_MAIL:
        where = _("Play by email or on the site.")
    else:
        where = _("This site doesn’t accept email: use its pages for orders and messages.")
    return GamePreset(_("Correspondence game"), f"{said} {badly_written_text()} {where}", "friday", answers)


def _friends() -> GamePreset:
    answers = {
        "part": GameRole.PLAYER,
        "anonymity": Anonymity.OPEN,
        "press": PressSetting.FULL,
        "listed": NO,
        "watching": SpectatorRule.INVITED,
    }
    said = _("Play with people you invite: 48 hours per phase, less when everyone is ready.")
    return GamePreset(_("With friends"), said, "two_days", answers, early=True)


def _blitz() -> GamePreset:
    answers = {
        "part": GameRole.PLAYER,
        "anonymity": Anonymity.UNTIL_END,
        "press": PressSetting.NONE,
        "listed": YES,
        "patience": 1,
        "absence_days": 0,
        "absent": MissingOrdersRule.EXTEND,
    }
    said = _("In one evening: 15 minutes per phase, no press, open to everyone.")
    return GamePreset(_("Blitz, no press"), said, "live", answers, early=True)
