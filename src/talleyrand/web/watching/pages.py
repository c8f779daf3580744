"""How the site fares, for whoever runs it: each check in words, and the alarms of the last days."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.accounts.administration import for_administrators
from talleyrand.web.boards import wording
from talleyrand.web.games import frame
from talleyrand.web.games.deadlines.zones import said_zone

from . import checks, words
from .models import Alarm

RECENT = timedelta(days=30)
MOST_SHOWN = 30


@never_cache
@for_administrators
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    health = checks.look(now)
    shown = {
        "health": health,
        "rows": [words.row(name, found) for name, found in health.checks.items()],
        "counts": words.counts(health.counts),
        "alarms": [words.alarm(one) for one in Alarm.objects.filter(since__gt=now - RECENT)[:MOST_SHOWN]],
        "zone": said_zone(frame.zone(), wording.language()),
    }
    return render(request, "watching/page.html", shown)
