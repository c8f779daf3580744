"""The clock of a table as JSON, and what is done with it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from . import table_stage
from .views import player_or_404


@never_cache
@require_safe
def clock_json(request: HttpRequest, key: str) -> HttpResponse:
    """The clock for a phone of the table."""
    moment = table_stage.table_moment(player_or_404(request, key).table, timezone.now())
    return JsonResponse(table_stage.moment_json(moment))
