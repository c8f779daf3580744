"""Pages for what went wrong: a sentence and a way on, never what happened inside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFieldsSent
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext, override
from django.utils.translation import gettext_lazy as _

from .language_choice import language_for_reader

API_PREFIX = "/api/"
# In the scope of a request that has no turn, or whose answer was lost on its way.
SCOPE_TOO_BUSY, SCOPE_ANSWER_LOST = "talleyrand.crowded", "talleyrand.lost"
SCOPE_COME_BACK = "talleyrand.come_back"  # in that of orders which would wait too long: a `ComeBack`
JSON = "application/json"
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


@dataclass(frozen=True)
class ComeBack:
    """What orders are told: a word of when they were here first, and after how many seconds to come back."""

    first_try: str
    pause: int


def error_json(status: int, code: str, sentence: str, fields: Sequence[Any] = ()) -> JsonResponse:
    """What went wrong, for a program."""
    body = {"code": code, "sentence": sentence, "fields": list(fields)}
    return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})


def error_page(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    """A page for a reader, the sentence alone for a script."""
    if request.path.startswith(API_PREFIX):
        return error_json(status, CODES[status], sentence)
    if request.content_type == JSON:
        return JsonResponse({"message": sentence}, status=status)
    words = {"title": title, "sentence": sentence, "absent": status == HTTPStatus.NOT_FOUND}
    return render(request, "errors/page.html", words, status=status)


def _error_view(
    status: int, title: Promise, sentence: Promise | str, **heads: str
) -> Callable[..., HttpResponse]:
    """A view that answers so, whatever it is called with besides the request; `heads` with _ for -."""

    def view(request: HttpRequest, *_more: Any, **_named: Any) -> HttpResponse:
        with override(_language_of(request, status)):
            response = error_page(request, status, str(title), str(sentence))
        for name, value in heads.items():
            response[name.replace("_", "-")] = value
        return response

    return view


def _language_of(request: HttpRequest, status: int) -> str | None:
    """That of the page, or of the reader where there is no such page: a link was cut short, or is old."""
    lost = status == HTTPStatus.NOT_FOUND and request.resolver_match is None
    return language_for_reader(request) if lost else get_language()


NOT_UNDERSTOOD, NOT_ALLOWED = _("Not understood"), _("Not allowed")
ONE_MOMENT, WENT_WRONG = _("One moment"), _("Something went wrong")
QUOTA_USED_UP = _("You or your network have used up this hour’s computing time. Try again later.")
TOO_BUSY = _(
    "The site is busy with requests from you or your network. Nothing was changed: try "
    "again in a few seconds."
)
invalid_request = _error_view(400, NOT_UNDERSTOOD, _("Invalid request. Nothing was changed."))
unknown_host = _error_view(
    400,
    NOT_UNDERSTOOD,
    _(
        "This site doesn’t answer to the name and port in this address. The site "
        "administrator can add them to TALLEYRAND_HOSTS, like club.example.org:8443."
    ),
)
too_large = _error_view(413, _("Too large"), _("Too large: four megabytes at most. Nothing was changed."))
forbidden = _error_view(403, NOT_ALLOWED, _("You don’t have access. Nothing was changed."))
csrf_failure = _error_view(
    403,
    NOT_ALLOWED,
    _(
        "This form didn’t come from a page you opened on this site, or your browser refuses "
        "its cookie. Nothing was changed: reload the page and try again."
    ),
)
not_found = _error_view(
    404,
    _("Not found"),
    _("There is no such page. The link may be incomplete, or the game may have been rolled back."),
)
too_many = _error_view(429, ONE_MOMENT, _("Too many attempts. Wait a few minutes, then try again."))
# Whoever asks, or their network, has had as much made within an hour as anybody may.
quota_used_up = _error_view(429, ONE_MOMENT, QUOTA_USED_UP, Retry_After="600")
# So many dear requests of an address wait that this one would wait for ever.
too_busy = _error_view(503, ONE_MOMENT, TOO_BUSY, Retry_After="5")
# The process that was to answer died meanwhile: before or after it did what was asked, nobody knows.
answer_lost = _error_view(
    503,
    ONE_MOMENT,
    _(
        "The response was lost. Your request may or may not have been carried out: check the "
        "page before sending it again."
    ),
    Retry_After="5",
)
# A worker makes what takes long, or a long game is being read; the page asks for it again by itself.
AGAIN = {"Refresh": "3", "Cache_Control": "no-store"}
game_being_read = _error_view(
    202, ONE_MOMENT, _("Loading a long game: its board opens here in a few seconds."), **AGAIN
)
document_failed = _error_view(
    500, WENT_WRONG, _("This document could not be created. The fault is ours and has been recorded.")
)


def preparing(request: HttpRequest, seconds: float, others: int) -> HttpResponse:
    """What is said while a document is made that was asked for so long ago; `others` are waited for too."""
    said = [gettext("Preparing the document: it opens here as soon as it is ready.")]
    if seconds >= 1:
        text = ngettext("Requested %(count)s second ago.", "Requested %(count)s seconds ago.", int(seconds))
        said.append(text % {"count": int(seconds)})
    if others:
        text = ngettext(
            "%(count)s other document is being prepared too.",
            "%(count)s other documents are being prepared too.",
            others,
        )
        said.append(text % {"count": others})
    return _error_view(202, ONE_MOMENT, " ".join(said), **AGAIN)(request)


def is_for_reader(scope: Mapping[str, Any]) -> bool:
    """Whether a page is wanted, by whoever sent a form, and not a sentence for a script or a program."""
    kinds = [value for name, value in scope["headers"] if name == b"content-type"]
    said = [kind.partition(b";")[0].strip().lower() for kind in kinds]
    return not scope["path"].startswith(API_PREFIX) and said != [JSON.encode()]


def come_back_with_orders(request: HttpRequest) -> HttpResponse:
    """For orders that would have waited too long: in a page without scripts they can be sent again as they
    are. Nothing is asked of the database.
    """
    told: ComeBack = request.scope[SCOPE_COME_BACK]  # type: ignore[attr-defined]
    sentence = gettext(
        "A great many orders are coming in, and yours have not been received yet. Send them again in "
        "%(seconds)d seconds, five minutes at most: the time of this attempt counts."
    ) % {"seconds": told.pause}
    if not is_for_reader(request.scope):  # type: ignore[attr-defined]
        response = error_page(request, 503, str(ONE_MOMENT), sentence)
    else:
        query = request.GET.copy()
        query["first_try"] = told.first_try
        sent = _fields(request.body)
        words = {"title": ONE_MOMENT, "sentence": sentence, "sent": sent, "language": get_language()}
        words["again"] = f"{request.path}?{query.urlencode()}"
        response = HttpResponse(render_to_string("errors/send_again.html", words), status=503)
    response["Retry-After"] = str(told.pause)
    response["X-First-Try"] = told.first_try
    response["Cache-Control"] = "no-store"
    response._has_been_logged = True  # type: ignore[attr-defined]  # it is no fault, and there may be thousands
    return response


def _fields(body: bytes) -> list[tuple[str, str]]:
    """The fields of a form in their order. Raises TooManyFieldsSent."""
    most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    try:
        return parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=most)
    except ValueError:
        raise TooManyFieldsSent from None


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return too_large(request)
    return unknown_host(request) if isinstance(exception, DisallowedHost) else invalid_request(request)


def server_error(request: HttpRequest) -> HttpResponse:
    """What nobody foresaw; a database that does not answer, or is held, may do so in a moment."""
    if isinstance(sys.exc_info()[1], (OperationalError, InterfaceError)):
        return _without_database(request)
    sentence = gettext(
        "The fault is ours and has been recorded. Your last change may not be saved; earlier "
        "ones are. Reload the page."
    )
    return error_page(request, 500, str(WENT_WRONG), sentence)


def _without_database(request: HttpRequest) -> HttpResponse:
    """A page asks who reads it: by a new connection, or where there is none, by no page but the sentence."""
    sentence = gettext(
        "The site can’t reach its data right now. Your last change may not be saved; earlier "
        "ones are. Try again in a few seconds."
    )
    close_old_connections()
    try:
        response = error_page(request, 503, str(ONE_MOMENT), sentence)
    except DatabaseError:
        response = HttpResponse(sentence, status=503, content_type="text/plain; charset=utf-8")
    response["Retry-After"] = "5"
    return response


def error_page_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Gives the empty refusal of a method a page: such an address was opened by hand.

    Nothing is under an address with a NUL in it, which PostgreSQL refuses to look for. Whoever has no turn
    is told to come back, also with their orders, and whose answer was lost that it was.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path:
            return not_found(request)
        scope = getattr(request, "scope", {})
        if scope.get(SCOPE_COME_BACK):
            return come_back_with_orders(request)
        if scope.get(SCOPE_TOO_BUSY) or scope.get(SCOPE_ANSWER_LOST):
            return too_busy(request) if scope.get(SCOPE_TOO_BUSY) else answer_lost(request)
        response = get_response(request)
        refused = response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method != "HEAD"
        if not refused or request.path.startswith(API_PREFIX):
            return response
        sentence = gettext("This address only accepts what a page’s button sends. Nothing was changed.")
        refusal = error_page(request, response.status_code, str(NOT_ALLOWED), sentence)
        refusal["Allow"] = response["Allow"]
        return refusal

    return middleware
