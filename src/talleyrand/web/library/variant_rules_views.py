"""The rules of a variant: contents, chapters, PDF, and its demonstration game."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names

from . import rules_pdf, rules_views, variant_context, variant_demonstration, variant_rules_context
from .lessons import lesson_courses
from .rules_texts import RulesWords


def _opened(name: str) -> Variant:
    try:
        return variant_rules_context.variant_with_rules(name)
    except KeyError:
        raise Http404 from None


def _page(request: HttpRequest, template: str, variant: Variant, **context: Any) -> HttpResponse:
    shared = {
        "w": RulesWords(display_names.reader_language()),
        "pdf": rules_pdf.is_installed(),
        "name": variant.name,
        "title": variant_rules_context.variant_rules_title(variant),
        "source": variant.sentence(display_names.reader_language(), "terms", "source"),
        "stages": variant_demonstration.demonstration_titles(variant),
    }
    return render(request, f"library/variants/{template}.html", {**shared, **context})


@require_safe
def variant_rules_page(request: HttpRequest, name: str) -> HttpResponse:
    variant = _opened(name)
    return _page(
        request,
        "rules",
        variant,
        contents=variant_rules_context.variant_rules_contents(variant),
        glossary=bool(variant_context.variant_glossary(variant)),
        lessons=name in lesson_courses.variants_with_lessons(),
    )


@require_safe
def variant_chapter_page(request: HttpRequest, name: str, chapter: str) -> HttpResponse:
    variant = _opened(name)
    try:
        shown = variant_rules_context.variant_chapter_context(variant, chapter)
    except KeyError:
        raise Http404 from None
    return _page(request, "chapter", variant, chapter=shown)


@require_safe
def variant_demonstration_page(request: HttpRequest, name: str, number: int) -> HttpResponse:
    variant = _opened(name)
    try:
        stage = variant_demonstration.variant_demonstration_context(variant, number)
    except IndexError:
        raise Http404 from None
    return _page(request, "demonstration", variant, stage=stage)


@require_safe
def variant_demonstration_image(request: HttpRequest, name: str, number: int, picture: str) -> HttpResponse:  # noqa: ARG001 a view
    variant = _opened(name)
    try:
        svg = variant_demonstration.variant_demonstration_svg(variant, number, picture)
    except LookupError:
        raise Http404 from None
    return rules_views.svg_response(svg)


@require_safe
def variant_rules_pdf(request: HttpRequest, name: str) -> HttpResponse:
    variant = _opened(name)
    return rules_views.rules_pdf_response(
        request, f"talleyrand-{name}-{display_names.reader_language()}", f"variant:{variant.name}"
    )
