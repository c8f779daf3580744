"""How the site fares, for whoever runs it: each check in words, and the alarms of the last days."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.accounts.administration_views import administrators_only
from talleyrand.web.boards import display_names
from talleyrand.web.games import page_context
from talleyrand.web.games.deadlines.zone_names import zone_text

from . import health_checks, monitoring_texts
from .models import Alarm

RECENT = timedelta(days=30)
MOST_SHOWN = 30


@never_cache
@administrators_only
@require_safe
def monitoring_page(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    health = health_checks.check_health(now)
    shown = {
        "health": health,
        "rows": [monitoring_texts.check_row(name, found) for name, found in health.checks.items()],
        "counts": monitoring_texts.count_rows(health.counts),
        "alarms": [
            monitoring_texts.alarm_row(one)
            for one in Alarm.objects.filter(started_at__gt=now - RECENT)[:MOST_SHOWN]
        ],
        "zone": zone_text(page_context.reader_time_zone(), display_names.reader_language()),
    }
    return render(request, "monitoring/page.html", shown)
