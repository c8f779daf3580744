"""Counts the requests that a process answers, or the one beside it, and their time; logs a line of each.

A request is known by its kind (the part of the site), its method and its status, never by its address.
"""

from __future__ import annotations

import logging
import threading
from bisect import bisect_left
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch

from talleyrand.web.common import logging_format
from talleyrand.web.limits.thread_pool import SCOPE_COUNTED

from .prometheus_text import Metric, MetricSample

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
METHODS = ("GET", "HEAD", "POST")
Kind = tuple[str, str, str]  # part of the site, method, status

logger = logging.getLogger(__name__)


@dataclass
class RequestHistogram:
    """Requests of one kind: how many fell between two bounds, and their seconds together."""

    fell: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0


class RequestMetrics:
    """What a process has answered since it began, or had answered. Safe among threads."""

    def __init__(self) -> None:
        self._kinds: dict[Kind, RequestHistogram] = {}
        self._lock = threading.Lock()

    def observe(self, kind: Kind, seconds: float) -> None:
        with self._lock:
            timed = self._kinds.setdefault(kind, RequestHistogram())
            timed.fell[bisect_left(BOUNDS, seconds)] += 1
            timed.seconds += seconds

    def metric(self) -> Metric:
        with self._lock:
            kinds = sorted(self._kinds.items())
            samples = [sample for kind, timed in kinds for sample in _samples(kind, timed)]
        about = (
            "Requests answered by this process and the one beside it, by part of the site, method and status."
        )
        return Metric("talleyrand_request_seconds", "histogram", about, tuple(samples))


def _samples(kind: Kind, timed: RequestHistogram) -> list[MetricSample]:
    labels = dict(zip(("part", "method", "status"), kind, strict=True))
    found, total = [], 0
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), timed.fell, strict=True):
        total += count
        found.append(MetricSample(total, {**labels, "le": bound}, "_bucket"))
    return [*found, MetricSample(timed.seconds, labels, "_sum"), MetricSample(total, labels, "_count")]


request_metrics = RequestMetrics()


def request_metrics_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Gives each request a number, which is in what the log says meanwhile and in the answer's head."""

    def middleware(request: HttpRequest) -> HttpResponse:
        begun = perf_counter()
        with logging_format.request_id() as number:
            response = get_response(request)
            response.headers.setdefault("X-Request-Id", number)
            _note(request, response, perf_counter() - begun)
        return response

    return middleware


def _note(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    match = request.resolver_match
    method = request.method if request.method in METHODS else "other"
    assert method is not None
    kind = (_part(match), method, str(response.status_code))
    request_metrics.observe(kind, seconds)
    scope: MutableMapping[str, Any] = getattr(request, "scope", {})
    scope[SCOPE_COUNTED] = (kind, seconds)
    told = {
        "method": method,
        "route": match.route if match else "",
        "status": response.status_code,
        "milliseconds": round(seconds * 1000, 1),
    }
    logger.info("%s /%s %s", method, told["route"], response.status_code, extra=told)


def _part(match: ResolverMatch | None) -> str:
    """The area that answered; "other" for a static file, an account's door, or nothing at all."""
    return match.namespaces[0] if match and match.namespaces else "other"
