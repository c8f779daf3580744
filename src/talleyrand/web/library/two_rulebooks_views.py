"""Two books side by side."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from talleyrand.rulebooks import FALLBACK, LoadedRulebook

from . import two_rulebooks
from .rulebook_input import (
    CUSTOM_RULEBOOK,
    RulebookInputRefusal,
    custom_rulebook,
    known_rulebooks,
    text_from_request,
    title_of_rulebook,
    typed_text,
)

DEFAULT_SECOND = "datc"


# Nothing is kept or changed: whoever lost the cookie of a form shall not lose what was typed.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def two_rulebooks_page(request: HttpRequest) -> HttpResponse:
    """Two books, any at hand or one of the visitor's own, point by point."""
    names = typed_text(request, "a") or FALLBACK, typed_text(request, "b") or DEFAULT_SECOND
    form: dict[str, Any] = {
        "a": names[0],
        "b": names[1],
        "own": typed_text(request, CUSTOM_RULEBOOK),
        "books": [(name, title_of_rulebook(book)) for name, book in known_rulebooks().items()],
    }
    context: dict[str, Any]
    try:
        form["own"] = text_from_request(request, CUSTOM_RULEBOOK, "own_file")
        first, second = (_book(name, form["own"]) for name in names)
        context = {"result": two_rulebooks.two_rulebooks_context(first, second), "left_out": _left_out(form)}
    except RulebookInputRefusal as unfit:
        context = {"fault": unfit.sentence}
    status = 400 if "fault" in context else 200
    return render(request, "library/books.html", {**form, **context}, status=status)


def _left_out(form: dict[str, Any]) -> bool:
    """Whether a book was given and chosen on neither side."""
    return bool(form["own"].strip()) and CUSTOM_RULEBOOK not in (form["a"], form["b"])


def _book(name: str, own: str) -> LoadedRulebook:
    if name == CUSTOM_RULEBOOK:
        if not own.strip():
            raise RulebookInputRefusal(_("Custom rulebook missing: choose its file or paste it."))
        return custom_rulebook(own)
    if name not in known_rulebooks():
        raise RulebookInputRefusal(_("No such rulebook here."))
    return known_rulebooks()[name]
