"""One position judged by every book side by side."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.asking import read_variant

from . import comparison_input, comparison_page
from .books_input import Unfit, known_books, title, told
from .comparison_cases import cases
from .comparison_input import Asked

LONGEST_LINK = 3000


# Nothing is kept or changed: whoever lost the cookie of a form shall not lose what was typed.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def compared(request: HttpRequest) -> HttpResponse:
    """A form, and under it what the books make of the position sent, if one was."""
    asked = Asked()
    context: dict[str, Any] = {}
    try:
        comparison_input.read(request, asked)
        if asked.question:
            variant = read_variant(asked.question.get("variant"))
            nonce = getattr(request, "style_nonce", "")
            context = {"result": comparison_page.judged(asked, variant, nonce)}
    except Unfit as unfit:
        context = {"fault": unfit.sentence}
    except TalleyrandError as error:
        context = {"fault": told(error)}
    status = 400 if "fault" in context else 200
    return render(request, "library/comparison.html", {**_form(asked), **context}, status=status)


def _form(asked: Asked) -> dict[str, Any]:
    return {
        "asked": asked,
        "books": [
            {"name": name, "title": title(book), "chosen": not asked.names or name in asked.names}
            for name, book in known_books().items()
        ],
        "cases": cases().values(),
        "link": _link(asked),
    }


def _link(asked: Asked) -> str:
    """An address that asks the same; "" where it would be too long, or leave out a book of one's own."""
    if not asked.question or asked.own.strip():
        return ""
    text = {"case": asked.case} if asked.case else {"text": asked.text}
    link = "?" + urlencode({**text, "book": asked.names}, doseq=True)
    return link if len(link) <= LONGEST_LINK else ""
