"""The checks, counts and alarms of the site in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from . import health_checks
from .models import Alarm

NAMES: dict[str, Promise] = {
    "database": _("The database"),
    "migrations": _("The form of the data"),
    "clock": _("The clock"),
    "phases": _("The phases"),
    "post": _("The post"),
    "workers": _("The workers"),
    "disk": _("The disk"),
}
WELL: dict[str, Promise] = {
    "database": _("It answers."),
    "migrations": _("It is that of this version."),
    "clock": _("It runs."),
    "phases": _("None is more than five minutes late."),
    "post": _("It does not stand still."),
    "workers": _("They are at work."),
    "disk": _("There is room."),
}
FAILING: dict[str, Promise] = {
    "database": _("It does not answer. The log says why."),
    "migrations": _("It is older than this version: start the site again, which brings it up to date."),
    "clock": _("No clock was heard of for two minutes: start “talleyrand serve” or “talleyrand clock”."),
    "phases": _("Some are more than five minutes late: the clock does not get on. The log says why."),
    "post": _("Mail waits, and none was read or none left for five minutes: does the server answer?"),
    "workers": _("None was heard of for a minute, so PDFs and pictures wait: start “talleyrand worker”."),
    "disk": _("Less than 256 megabytes are left where the data folder is: make room."),
}
UNASKED = _("It could not be asked.")
COUNTS: dict[str, Promise] = {
    "overdue": _("Games that are late"),
    "parked": _("Games that stopped because a phase failed, and wait for their game master"),
    "faults": _("Mails that could not be processed"),
}
ALARMS: dict[str, Promise] = {
    "clock": _("The clock stood still."),
    "phases": _("Phases were late."),
    "post": _("The post stood still."),
    "disk": _("The disk was nearly full."),
    "parked": _("A game stopped because a phase failed."),
    "faults": _("A mail could not be processed."),
}


def check_row(name: str, found: str) -> dict[str, Any]:
    """A check for the page."""
    well = found == health_checks.OK
    said = (WELL if well else FAILING)[name] if found != health_checks.UNKNOWN else UNASKED
    return {"name": NAMES[name], "well": well, "said": said}


def count_rows(found: Mapping[str, int]) -> list[dict[str, Any]]:
    """The numbers that are not nought."""
    return [{"name": COUNTS[name], "count": count} for name, count in found.items() if count]


def alarm_row(one: Alarm) -> dict[str, Any]:
    return {"said": ALARMS.get(one.kind, one.kind), "since": one.started_at, "until": one.ended_at}
