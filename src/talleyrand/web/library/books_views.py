"""Two books side by side."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from talleyrand.rulebooks import FALLBACK, LoadedRulebook

from . import books_page
from .books_input import OWN, Unfit, known_books, own_book, sent_text, title, typed

OTHER = "datc"


# Nothing is kept or changed: whoever lost the cookie of a form shall not lose what was typed.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def two(request: HttpRequest) -> HttpResponse:
    """Two books, any at hand or one of the visitor's own, point by point."""
    names = typed(request, "a") or FALLBACK, typed(request, "b") or OTHER
    form: dict[str, Any] = {"a": names[0], "b": names[1], "own": typed(request, OWN), "books": _listed()}
    context: dict[str, Any]
    try:
        form["own"] = sent_text(request, OWN, "own_file")
        first, second = (_book(name, form["own"]) for name in names)
        context = {"result": books_page.side_by_side(first, second), "left_out": _left_out(form)}
    except Unfit as unfit:
        context = {"fault": unfit.sentence}
    status = 400 if "fault" in context else 200
    return render(request, "library/books.html", {**form, **context}, status=status)


def _left_out(form: dict[str, Any]) -> bool:
    """Whether a book was given and chosen on neither side."""
    return bool(form["own"].strip()) and OWN not in (form["a"], form["b"])


def _listed() -> list[tuple[str, str]]:
    return [(name, title(book)) for name, book in known_books().items()]


def _book(name: str, own: str) -> LoadedRulebook:
    if name == OWN:
        if not own.strip():
            raise Unfit(_("Your own rulebook is missing: choose its file or paste it."))
        return own_book(own)
    if name not in known_books():
        raise Unfit(_("There is no such rulebook here."))
    return known_books()[name]
