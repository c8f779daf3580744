"""The boards, each with its map and its facts."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.printing.map_sheets import PAPER_SIZES
from talleyrand.printing.pdf import is_installed
from talleyrand.variants import Variant
from talleyrand.web.boards import paper_downloads
from talleyrand.web.boards.script_texts import script_texts

from . import variant_context, variant_rules
from .lessons import lesson_courses


@require_safe
def variant_list_page(request: HttpRequest) -> HttpResponse:
    boards = [variant_context.variant_facts(variants.load_board(name)) for name in variants.all_names()]
    return render(request, "library/variants/every.html", {"boards": boards})


@require_safe
def variant_page(request: HttpRequest, name: str) -> HttpResponse:
    if name not in variants.all_names():
        raise Http404
    variant = variants.load_board(name)
    context = {
        "facts": variant_context.variant_facts(variant),
        "powers": variant_context.variant_powers(variant),
        "spaces": variant_context.variant_provinces(variant),
        "glossary": bool(variant_context.variant_glossary(variant)),
        "rules": name in variant_rules.variants_with_rules(),
        "lessons": name in lesson_courses.variants_with_lessons(),
        "drawing": variant_context.variant_map(variant, getattr(request, "style_nonce", "")),
        "papers": [paper for paper in PAPER_SIZES if is_installed() and name in variants.playable_names()],
        "strings": script_texts(),
    }
    return render(request, "library/variants/one.html", context)


@require_safe
def blank_map_pdf(request: HttpRequest, name: str, paper: str) -> HttpResponse:
    """The board without units on a sheet of paper."""
    return paper_downloads.blank_map_response(request, _drawn_variant(name), paper)


@require_safe
def variant_sheets_pdf(request: HttpRequest, name: str) -> HttpResponse:
    """Sheets for the orders of each power’s first move."""
    return paper_downloads.opening_sheets_response(request, _drawn_variant(name))


def _drawn_variant(name: str) -> Variant:
    """A variant that can be played, and has a map to print; raises Http404."""
    if name not in variants.playable_names():
        raise Http404
    return variants.load(name)


@require_safe
def variant_glossary_page(request: HttpRequest, name: str) -> HttpResponse:
    """The words of a variant's own rules."""
    if name not in variants.all_names():
        raise Http404
    variant = variants.load_board(name)
    words = variant_context.variant_glossary(variant)
    if not words:
        raise Http404
    rules = name in variant_rules.variants_with_rules()
    context = {"facts": variant_context.variant_facts(variant), "words": words, "rules": rules}
    return render(request, "library/variants/glossary.html", context)
