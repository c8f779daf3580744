"""Kinds of games that people often play: each fills the page that makes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from talleyrand.web.games.deadlines.presets import PRESETS, usual_minimum
from talleyrand.web.games.deadlines.rhythm import Rhythm
from talleyrand.web.games.models import Role
from talleyrand.web.games.terms import Absent, Anonymity, Press, Watching

from .agreement import badly_written
from .options import NO, YES


@dataclass(frozen=True)
class Preset:
    """`answers` to the page’s questions and a pace; the others stay usual."""

    title: str
    sentence: str
    pace: str
    answers: dict[str, Any]
    early: bool = False

    def rhythm(self, zone: str) -> Rhythm:
        """The rule for dates, in the zone of whoever makes the game."""
        movement, between = PRESETS[self.pace]
        minimum = usual_minimum(movement, between)
        return Rhythm(movement, between, zone=zone, early=self.early, minimum=minimum)


def presets() -> dict[str, Preset]:
    """The kinds by name, in the reader’s language."""
    return {"post": _post(), "friends": _friends(), "blitz": _blitz()}


def _post() -> Preset:
    answers = {
        "part": Role.MASTER,
        "rulebook": "play_by_mail_001",
        "anonymity": Anonymity.UNTIL_END,
        "press": Press.HELD,
        "absent": Absent.EXTEND,
        "by_post": YES if settings.HAS_POST else NO,
    }
    said = _("Orders every Friday at 24:00, secret powers, letters through the game master: you.")
    if settings.HAS_POST:
        where = _("Everybody plays from his mail program, or on the site.")
    else:
        where = _("This site takes no mail: orders and letters are written on its pages.")
    return Preset(_("Game by post"), f"{said} {badly_written()} {where}", "friday", answers)


def _friends() -> Preset:
    answers = {
        "part": Role.PLAYER,
        "anonymity": Anonymity.OPEN,
        "press": Press.FULL,
        "listed": NO,
        "watching": Watching.INVITED,
    }
    said = _("You play with people whom you invite: 48 hours a phase, less when all are ready.")
    return Preset(_("With friends"), said, "two_days", answers, early=True)


def _blitz() -> Preset:
    answers = {
        "part": Role.PLAYER,
        "anonymity": Anonymity.UNTIL_END,
        "press": Press.NONE,
        "listed": YES,
        "patience": 1,
        "absence_days": 0,
        "absent": Absent.EXTEND,
    }
    said = _("In one evening: 15 minutes a phase, no letters, open to everybody.")
    return Preset(_("Blitz without letters"), said, "live", answers, early=True)
