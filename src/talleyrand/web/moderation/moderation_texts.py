"""What the pages of moderation say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.web.conduct.models import Measure, MeasureKind, ModerationEntry, ReportOutcome


def outcome_text(outcome: str) -> str:
    """What became of a report; "" for one that is open."""
    return {
        "": "",
        ReportOutcome.DISMISSED: _("Closed without action."),
        ReportOutcome.WARNED: _("Closed with a warning."),
        ReportOutcome.BANNED: _("Closed with a ban."),
    }[outcome]


def measure_text(measure: Measure) -> str:
    """What kind of measure it is, and whether it still lasts."""
    if measure.kind == MeasureKind.WARNING:
        return _("Warning")
    if measure.lifted_at is not None:
        return _("Ban, lifted")
    over = measure.ends_at is not None and measure.ends_at <= timezone.now()
    return _("Ban, over") if over else _("Ban")


def log_lines(entries: Iterable[ModerationEntry]) -> list[dict[str, Any]]:
    """The lines of the log in words."""
    acts = {
        "dismiss": _("report closed without action"),
        "warn": _("warned"),
        "ban": _("banned"),
        "lift": _("ban lifted"),
        "note": _("note"),
        "remove": _("comment removed"),
        "returned": _("ban of a deleted account that came back"),
        "named": _("made moderator"),
        "unnamed": _("no longer moderator"),
    }
    return [
        {
            "entry": one,
            "by": one.by.name if one.by else "Talleyrand" if one.kind == "returned" else _("deleted account"),
            "act": acts.get(one.kind, one.kind),
        }
        for one in entries
    ]


def refusal_text(code: str) -> str:
    """Why a moderator may not do something."""
    return {
        "closed": _("Another moderator has closed this report. Only a note can be added."),
        "own": _("This concerns you: leave it to another moderator."),
        "together": _(
            "You play in a game with this person, or in an anonymous game where they may be. Without a "
            "report, leave it to another moderator or an administrator."
        ),
        "gone": _("This account has been deleted meanwhile: nothing was done."),
        "administrator": _("An administrator can’t be banned: remove them as administrator first."),
    }[code]
