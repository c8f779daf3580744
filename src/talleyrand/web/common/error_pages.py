"""Pages for what went wrong: a sentence and a way on, never what happened inside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

API_PREFIX = "/api/"
# In the scope of a request that has no turn, or whose answer was lost on its way.
SCOPE_TOO_BUSY, SCOPE_ANSWER_LOST = "talleyrand.crowded", "talleyrand.lost"
CODES = {
    202: "preparing",
    400: "not_understood",
    403: "not_allowed",
    404: "not_found",
    413: "too_large",
    429: "too_many",
    500: "our_fault",
    501: "not_here",
    503: "busy",
}


def error_json(status: int, code: str, sentence: str, fields: Sequence[Any] = ()) -> JsonResponse:
    """What went wrong, for a program."""
    body = {"code": code, "sentence": sentence, "fields": list(fields)}
    return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})


def error_page(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    """A page for a reader, the sentence alone for a script."""
    if request.path.startswith(API_PREFIX):
        return error_json(status, CODES[status], sentence)
    if request.content_type == "application/json":
        return JsonResponse({"message": sentence}, status=status)
    words = {"title": title, "sentence": sentence, "absent": status == HTTPStatus.NOT_FOUND}
    return render(request, "errors/page.html", words, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return too_large(request)
    if isinstance(exception, DisallowedHost):
        return unknown_host(request)
    return error_page(request, 400, _("Not understood"), _("Invalid request. Nothing was changed."))


def unknown_host(request: HttpRequest) -> HttpResponse:
    sentence = _(
        "This site doesn’t answer to the name and port in this address. The site "
        "administrator can add them to TALLEYRAND_HOSTS, like club.example.org:8443."
    )
    return error_page(request, 400, _("Not understood"), sentence)


def too_large(request: HttpRequest) -> HttpResponse:
    sentence = _("Too large: four megabytes at most. Nothing was changed.")
    return error_page(request, 413, _("Too large"), sentence)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return error_page(request, 403, _("Not allowed"), _("You don’t have access. Nothing was changed."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    sentence = _(
        "This form didn’t come from a page you opened on this site, or your browser refuses "
        "its cookie. Nothing was changed: reload the page and try again."
    )
    return error_page(request, 403, _("Not allowed"), sentence)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    sentence = _("There is no such page. The link may be incomplete, or the game may have been rolled back.")
    return error_page(request, 404, _("Not found"), sentence)


def too_many(request: HttpRequest) -> HttpResponse:
    sentence = _("Too many attempts. Wait a few minutes, then try again.")
    return error_page(request, 429, _("One moment"), sentence)


def server_error(request: HttpRequest) -> HttpResponse:
    """What nobody foresaw; a database that does not answer, or is held, may do so in a moment."""
    if isinstance(sys.exc_info()[1], (OperationalError, InterfaceError)):
        return _without_database(request)
    sentence = _(
        "The fault is ours and has been recorded. Your last change may not be saved; earlier "
        "ones are. Reload the page."
    )
    return error_page(request, 500, _("Something went wrong"), sentence)


def _without_database(request: HttpRequest) -> HttpResponse:
    """A page asks who reads it: by a new connection, or where there is none, by no page but the sentence."""
    sentence = _(
        "The site can’t reach its data right now. Your last change may not be saved; earlier "
        "ones are. Try again in a few seconds."
    )
    close_old_connections()
    try:
        response = error_page(request, 503, _("One moment"), sentence)
    except DatabaseError:
        response = HttpResponse(sentence, status=503, content_type="text/plain; charset=utf-8")
    response["Retry-After"] = "5"
    return response


def quota_used_up(request: HttpRequest) -> HttpResponse:
    """Whoever asks, or their network, has had as much made within an hour as anybody may."""
    response = error_page(request, 429, _("One moment"), quota_used_up_sentence())
    response["Retry-After"] = "600"
    return response


def quota_used_up_sentence() -> str:
    return _("You or your network have used up this hour’s computing time. Try again later.")


def too_busy(request: HttpRequest) -> HttpResponse:
    """So many dear requests of an address wait that this one would wait for ever."""
    response = error_page(request, 503, _("One moment"), too_busy_sentence())
    response["Retry-After"] = "5"
    return response


def answer_lost(request: HttpRequest) -> HttpResponse:
    """The process that was to answer died meanwhile: before or after it did what was asked, nobody knows."""
    sentence = _(
        "The response was lost. Your request may or may not have been carried out: check the "
        "page before sending it again."
    )
    response = error_page(request, 503, _("One moment"), sentence)
    response["Retry-After"] = "5"
    return response


def too_busy_sentence() -> str:
    return _(
        "The site is busy with requests from you or your network. Nothing was changed: try "
        "again in a few seconds."
    )


def preparing(request: HttpRequest) -> HttpResponse:
    """Something that takes long is being made by a worker; the page asks for it again by itself."""
    return _waited(request, _("Preparing the document: it opens here in a few seconds."))


def game_being_read(request: HttpRequest) -> HttpResponse:
    """A long game is being read; the page asks again by itself."""
    return _waited(request, _("Loading a long game: its board opens here in a few seconds."))


def _waited(request: HttpRequest, sentence: str) -> HttpResponse:
    told = error_page(request, HTTPStatus.ACCEPTED, _("One moment"), sentence)
    told["Refresh"] = "3"
    told["Cache-Control"] = "no-store"
    return told


def document_failed(request: HttpRequest) -> HttpResponse:
    """A worker could not make it."""
    sentence = _("This document could not be created. The fault is ours and has been recorded.")
    return error_page(request, HTTPStatus.INTERNAL_SERVER_ERROR, _("Something went wrong"), sentence)


def error_page_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Gives the empty refusal of a method a page: such an address was opened by hand.

    Nothing is under an address with a NUL in it, which PostgreSQL refuses to look for. Whoever has no turn
    is told to come back, and whose answer was lost that it was.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path:
            return not_found(request)
        scope = getattr(request, "scope", {})
        if scope.get(SCOPE_TOO_BUSY) or scope.get(SCOPE_ANSWER_LOST):
            return too_busy(request) if scope.get(SCOPE_TOO_BUSY) else answer_lost(request)
        response = get_response(request)
        refused = response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method != "HEAD"
        if not refused or request.path.startswith(API_PREFIX):
            return response
        sentence = _("This address only accepts what a page’s button sends. Nothing was changed.")
        refusal = error_page(request, response.status_code, _("Not allowed"), sentence)
        refusal["Allow"] = response["Allow"]
        return refusal

    return middleware
