"""One position judged by every book side by side."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.question_input import read_variant

from . import comparison_context, comparison_requests
from .comparison_requests import ComparisonRequest
from .example_positions import example_positions
from .rulebook_input import RulebookInputRefusal, known_rulebooks, rulebook_error_text, title_of_rulebook

LONGEST_LINK = 3000


# Nothing is kept or changed: whoever lost the cookie of a form shall not lose what was typed.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def comparison_page(request: HttpRequest) -> HttpResponse:
    """A form, and under it what the books make of the position sent, if one was."""
    asked = ComparisonRequest()
    context: dict[str, Any] = {}
    try:
        comparison_requests.fill_comparison_request(request, asked)
        if asked.question:
            variant = read_variant(asked.question.get("variant"))
            nonce = getattr(request, "style_nonce", "")
            context = {"result": comparison_context.comparison_context(asked, variant, nonce)}
    except RulebookInputRefusal as unfit:
        context = {"fault": unfit.sentence}
    except TalleyrandError as error:
        context = {"fault": rulebook_error_text(error)}
    status = 400 if "fault" in context else 200
    return render(request, "library/comparison.html", {**_form(asked), **context}, status=status)


def _form(asked: ComparisonRequest) -> dict[str, Any]:
    return {
        "asked": asked,
        "books": [
            {"name": name, "title": title_of_rulebook(book), "chosen": not asked.names or name in asked.names}
            for name, book in known_rulebooks().items()
        ],
        "cases": example_positions().values(),
        "link": _link(asked),
    }


def _link(asked: ComparisonRequest) -> str:
    """An address that asks the same; "" where it would be too long, or leave out a book of one's own."""
    if not asked.question or asked.own.strip():
        return ""
    text = {"case": asked.case} if asked.case else {"text": asked.text}
    link = "?" + urlencode({**text, "book": asked.names}, doseq=True)
    return link if len(link) <= LONGEST_LINK else ""
