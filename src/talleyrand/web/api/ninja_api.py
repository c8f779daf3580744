"""All resources together, and what each of them shares: JSON read strictly, refusals in one form."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Router
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.operation import PathView
from ninja.parser import Parser

import talleyrand

from . import api_errors
from .api_errors import ApiError
from .endpoints import RESOURCES

Refused = Callable[[Any], ApiError]


class StrictJsonParser(Parser):
    """JSON as the standard has it, no deeper than this machine can follow."""

    def parse_body(self, request: HttpRequest) -> Any:
        try:
            return json.loads(request.body, parse_constant=_no_number, parse_float=_finite)
        except (ValueError, RecursionError) as problem:
            raise ApiError(400) from problem


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(digits: str) -> float:
    found = float(digits)
    return found if math.isfinite(found) else _no_number(digits)


def _build_api() -> NinjaAPI:
    made = NinjaAPI(
        title="Talleyrand",
        version=talleyrand.__version__,
        urls_namespace="api-resources",
        docs_url=None,
        openapi_url=None,
        parser=StrictJsonParser(),
        servers=[{"url": "/api"}],
    )
    made.add_router("", _together())
    for kind, refused in REFUSED.items():
        made.add_exception_handler(kind, partial(_answer, refused))
    return made


def _together() -> Router:
    """One router of all resources: what is read by one of them may be changed by another."""
    together = Router()
    for resource in RESOURCES:
        for path, view in resource.router.path_operations.items():
            kept = together.path_operations.setdefault(path, PathView())
            kept.operations += view.operations
    return together


def _unread(problem: HttpError) -> ApiError:
    """A body that ninja could not read; why is in its cause."""
    cause = problem.__cause__
    if isinstance(cause, ApiError):
        return cause
    return ApiError(413 if isinstance(cause, RequestDataTooBig) else problem.status_code)


def _answer(refused: Refused, _request: HttpRequest, problem: Any) -> HttpResponse:
    return api_errors.error_response(refused(problem))


# What may be raised on the way, and how it is told.
REFUSED: dict[type[Exception], Refused] = {
    ApiError: lambda refusal: refusal,
    Http404: lambda _absent: ApiError(404),
    AuthenticationError: lambda _problem: ApiError(401),
    ValidationError: lambda found: api_errors.validation_error(found.errors),
    HttpError: _unread,
}
ninja_api = _build_api()
