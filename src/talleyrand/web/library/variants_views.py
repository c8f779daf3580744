"""The boards, each with its map and its facts."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.web.boards.scripting import script_words

from . import variant_book, variants_page
from .lessons import course


@require_safe
def every(request: HttpRequest) -> HttpResponse:
    boards = [variants_page.facts(variants.load_board(name)) for name in variants.every_name()]
    return render(request, "library/variants/every.html", {"boards": boards})


@require_safe
def one(request: HttpRequest, name: str) -> HttpResponse:
    if name not in variants.every_name():
        raise Http404
    variant = variants.load_board(name)
    context = {
        "facts": variants_page.facts(variant),
        "powers": variants_page.powers(variant),
        "spaces": variants_page.spaces(variant),
        "glossary": bool(variants_page.glossary(variant)),
        "rules": name in variant_book.names(),
        "lessons": name in course.names(),
        "drawing": variants_page.drawing(variant, getattr(request, "style_nonce", "")),
        "strings": script_words(),
    }
    return render(request, "library/variants/one.html", context)


@require_safe
def glossary(request: HttpRequest, name: str) -> HttpResponse:
    """The words of a variant's own rules."""
    if name not in variants.every_name():
        raise Http404
    variant = variants.load_board(name)
    words = variants_page.glossary(variant)
    if not words:
        raise Http404
    rules = name in variant_book.names()
    context = {"facts": variants_page.facts(variant), "words": words, "rules": rules}
    return render(request, "library/variants/glossary.html", context)
