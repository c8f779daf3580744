"""What the site tells a monitor. Nothing of it is kept by anybody on the way."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.accounts.models import Person

from . import health_checks, prometheus_text, site_metrics

View = Callable[[HttpRequest], HttpResponse]
TOLD = {"/health/": "health", "/health.txt": "line"}


@never_cache
@require_safe
def health_json(_request: HttpRequest) -> HttpResponse:
    """200 with all that is well, or 503, for a program."""
    found = health_checks.check_health(timezone.now())
    told = {"status": "ok" if found.is_well else "failing", "checks": found.checks, **found.counts}
    return JsonResponse(told, status=200 if found.is_well else 503)


@never_cache
@require_safe
def health_text(_request: HttpRequest) -> HttpResponse:
    """The same in one line, for a person or a shell."""
    found = health_checks.check_health(timezone.now())
    status = 200 if found.is_well else 503
    return HttpResponse(f"{found.line}\n", content_type="text/plain; charset=utf-8", status=status)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For whoever has the token of the environment, or is administrator; to others it does not exist."""
    if not (_has_token(request) or (isinstance(request.user, Person) and request.user.is_administrator)):
        raise Http404
    text = prometheus_text.metrics_text(site_metrics.collect_metrics(timezone.now()))
    return HttpResponse(text, content_type=prometheus_text.CONTENT_TYPE)


def _has_token(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "")
    return bool(settings.METRICS) and constant_time_compare(given, f"Bearer {settings.METRICS}")


def health_middleware(get_response: View) -> View:
    """Answers a monitor before anything else is asked: by whatever name, without a session."""
    views = {"health": health_json, "line": health_text}

    def middleware(request: HttpRequest) -> HttpResponse:
        name = TOLD.get(request.path_info)
        if not name:
            return get_response(request)
        response = views[name](request)
        response._has_been_logged = True  # type: ignore[attr-defined]  # whoever asks each minute hears it
        return response

    return middleware
