"""How the site fares, for whoever runs it: each check in words, and the alarms of the last days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.accounts.administration_views import administrators_only
from talleyrand.web.boards import display_names
from talleyrand.web.games import page_context
from talleyrand.web.games.deadlines.zone_names import zone_text

from . import health_checks, site_overview
from .models import Alarm

RECENT = timedelta(days=30)
MOST_SHOWN = 30
NAMES: dict[str, Promise] = {
    "database": _("Database"),
    "migrations": _("Database schema"),
    "clock": _("Clock"),
    "phases": _("Phases"),
    "post": _("Email"),
    "workers": _("Workers"),
    "disk": _("Disk"),
}
WELL: dict[str, Promise] = {
    "database": _("Responding."),
    "migrations": _("Up to date."),
    "clock": _("Running."),
    "phases": _("None more than five minutes late."),
    "post": _("Working."),
    "workers": _("At work."),
    "disk": _("Enough space."),
}
FAILING: dict[str, Promise] = {
    "database": _("Not responding. See the log."),
    "migrations": _("Older than this version: restart the site to update it."),
    "clock": _("No sign of one for two minutes: start “talleyrand serve” or “talleyrand clock”."),
    "phases": _("Some are more than five minutes late: the clock is not keeping up. See the log."),
    "post": _(
        "Email is waiting, and none has been read or none sent for five minutes: does the server respond?"
    ),
    "workers": _("No sign of one for a minute, so PDFs and images are waiting: start “talleyrand worker”."),
    "disk": _("Less than 256 MB left where the data folder is: free up space."),
}
UNASKED = _("Could not be checked.")
COUNTS: dict[str, Promise] = {
    "overdue": _("Games running late"),
    "parked": _("Games stopped because a phase failed, waiting for their GM"),
    "faults": _("Emails that could not be processed"),
}
ALARMS: dict[str, Promise] = {
    "clock": _("The clock stopped."),
    "phases": _("Phases ran late."),
    "post": _("Email stopped working."),
    "disk": _("The disk was nearly full."),
    "parked": _("A game stopped because a phase failed."),
    "faults": _("An email could not be processed."),
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


@never_cache
@administrators_only
@require_safe
def monitoring_page(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    health = health_checks.check_health(now)
    shown = {
        "health": health,
        "games": site_overview.game_rows(),
        "queues": site_overview.queue_rows(now),
        "machine": site_overview.machine_rows(now),
        "errors": site_overview.error_rows(now),
        "rows": [check_row(name, found) for name, found in health.checks.items()],
        "counts": count_rows(health.counts),
        "alarms": [alarm_row(one) for one in Alarm.objects.filter(started_at__gt=now - RECENT)[:MOST_SHOWN]],
        "zone": zone_text(page_context.reader_time_zone(), display_names.reader_language()),
    }
    return render(request, "monitoring/page.html", shown)
