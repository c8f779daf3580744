"""The one door of `/api/`: what is asked is let in, limited, answered in the reader's language and tagged."""

from __future__ import annotations

import hashlib
import re
from functools import cache

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, UnreadablePostError
from django.urls import Resolver404, URLResolver
from django.urls.resolvers import RegexPattern
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext_noop as _
from django.views.decorators.csrf import csrf_exempt

from . import api_errors, api_rate_limits
from .api_errors import ApiError
from .schemas import PICTURES

LARGEST, LARGEST_PICTURE = 1024 * 1024, 4 * 1024 * 1024
PICTURE_ADDRESSES = re.compile(r"tournaments/[^/]+/rounds/[^/]+/boards/[^/]+/photos")
SCHEMA = "openapi.json"
JSON = "application/json"
VARIES = ("Authorization", "Accept-Language")


@csrf_exempt
def api_view(request: HttpRequest, rest: str) -> HttpResponse:
    """Answer one request; no cookie is looked at, so that no other site can send it in somebody's name."""
    with translation.override(_language(request)):
        response = _answered(request, rest)
        response["Content-Language"] = translation.get_language() or "fr"
    patch_vary_headers(response, VARIES)
    return response


def _language(request: HttpRequest) -> str:
    """Of Accept-Language alone: neither a cookie nor the address says it."""
    asked = HttpRequest()
    asked.META = {"HTTP_ACCEPT_LANGUAGE": request.headers.get("Accept-Language", "")}
    return translation.get_language_from_request(asked)


def _answered(request: HttpRequest, rest: str) -> HttpResponse:
    try:
        api_rate_limits.count_address(request)
        _check(request, rest)
        return _tagged(request, _response(request, rest))
    except ApiError as refusal:
        return api_errors.error_response(refusal)


def _check(request: HttpRequest, rest: str) -> None:
    """What is sent is JSON or, where one may be sent, a picture; and not too much of it."""
    is_picture = request.content_type in PICTURES and PICTURE_ADDRESSES.fullmatch(rest) is not None
    too_large = ApiError(413, sentence=_("Photo too large: four megabytes at most.") if is_picture else "")
    largest, length = LARGEST_PICTURE if is_picture else LARGEST, request.headers.get("Content-Length", "")
    if length.isdecimal() and int(length[:12]) > largest:
        raise too_large
    try:
        body = request.body
    except UnreadablePostError as cut:
        raise ApiError(400) from cut
    if len(body) > largest:
        raise too_large
    if body and not is_picture and request.content_type != JSON:
        raise ApiError(415)


def _response(request: HttpRequest, rest: str) -> HttpResponse:
    response = _schema(request) if rest == SCHEMA else _resource(request, rest)
    if isinstance(response, HttpResponseNotAllowed):
        told = api_errors.error_response(ApiError(405))
        told["Allow"] = response["Allow"]
        return told
    return response


def _resource(request: HttpRequest, rest: str) -> HttpResponse:
    try:
        found = _resources().resolve(rest)
    except Resolver404 as absent:
        raise ApiError(404) from absent
    method = request.method
    request.method = "GET" if method == "HEAD" else method
    response: HttpResponse = found.func(request, *found.args, **found.kwargs)
    request.method = method
    return response


def _schema(request: HttpRequest) -> HttpResponse:
    from . import openapi_document

    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    return openapi_document.openapi_response()


@cache
def _resources() -> URLResolver:
    """Read when the first program asks: the others need not wait for it."""
    from .ninja_api import ninja_api

    return URLResolver(RegexPattern(r"^"), ninja_api.urls[0])


def _share(request: HttpRequest, response: HttpResponse) -> None:
    """What is answered without a token may be kept for everybody, and be read by pages of other sites."""
    anybody = "Authorization" not in request.headers
    response["Cache-Control"] = "public, no-cache" if anybody else "private, no-cache"
    if anybody:
        response["Access-Control-Allow-Origin"] = "*"


def _tagged(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """What was asked for may be kept by whoever asked, and be asked about again."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200:
        response.headers.setdefault("Cache-Control", "no-store")
        return response
    _share(request, response)
    response.headers.setdefault("ETag", f'"{hashlib.sha256(response.content).hexdigest()[:32]}"')
    known = get_conditional_response(request, etag=response["ETag"], response=response)
    assert isinstance(known, HttpResponse)
    return known
