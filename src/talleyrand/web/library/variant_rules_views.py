"""The rules of a variant: contents, chapters, PDF, and its demonstration game."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from talleyrand.variants import Variant
from talleyrand.web.boards import wording

from . import rules_pdf, rules_views, variant_demonstration, variant_rules_pages, variants_page
from .lessons import course
from .rules_texts import Words


def _opened(name: str) -> Variant:
    try:
        return variant_rules_pages.opened(name)
    except KeyError:
        raise Http404 from None


def _page(request: HttpRequest, template: str, variant: Variant, **context: Any) -> HttpResponse:
    shared = {
        "w": Words(wording.language()),
        "pdf": rules_pdf.installed(),
        "name": variant.name,
        "title": variant_rules_pages.title(variant),
        "stages": variant_demonstration.titles(variant),
    }
    return render(request, f"library/variants/{template}.html", {**shared, **context})


@require_safe
def contents(request: HttpRequest, name: str) -> HttpResponse:
    variant = _opened(name)
    return _page(
        request,
        "rules",
        variant,
        contents=variant_rules_pages.contents(variant),
        glossary=bool(variants_page.glossary(variant)),
        lessons=name in course.names(),
    )


@require_safe
def chapter(request: HttpRequest, name: str, chapter: str) -> HttpResponse:
    variant = _opened(name)
    try:
        shown = variant_rules_pages.chapter(variant, chapter)
    except KeyError:
        raise Http404 from None
    return _page(request, "chapter", variant, chapter=shown)


@require_safe
def demonstration(request: HttpRequest, name: str, number: int) -> HttpResponse:
    variant = _opened(name)
    try:
        stage = variant_demonstration.stage(variant, number)
    except IndexError:
        raise Http404 from None
    return _page(request, "demonstration", variant, stage=stage)


@require_safe
def picture(request: HttpRequest, name: str, number: int, picture: str) -> HttpResponse:  # noqa: ARG001 a view
    variant = _opened(name)
    try:
        svg = variant_demonstration.drawn(variant, number, picture)
    except LookupError:
        raise Http404 from None
    return rules_views.drawn(svg)


@require_safe
def pdf(request: HttpRequest, name: str) -> HttpResponse:
    variant = _opened(name)
    return rules_views.printed(request, f"talleyrand-{name}-{wording.language()}", f"variant:{variant.name}")
