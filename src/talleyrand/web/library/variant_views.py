"""The boards, each with its map and its facts."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from talleyrand import variants
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
        "strings": script_texts(),
    }
    return render(request, "library/variants/one.html", context)


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
