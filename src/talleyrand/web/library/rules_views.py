"""The rules of each book: contents, chapters, boards, search, PDF."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from talleyrand.web.boards import display_names, file_downloads
from talleyrand.web.common.visitor_quota import visitor_id

from . import conference_map as maps
from . import example_boards, rules_context, rules_pdf, rules_texts, variant_rules, variant_rules_context
from .rules_context import OpenRulebook
from .rules_texts import RulesWords

CACHE_SECONDS = 600  # seconds a browser keeps a picture that only an update of the site changes


def _opened(name: str) -> OpenRulebook:
    try:
        return rules_context.open_rulebook(name)
    except KeyError:
        raise Http404 from None


def _page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    shared = {"w": RulesWords(display_names.reader_language()), "asked": "", "pdf": rules_pdf.is_installed()}
    return render(request, f"library/rules/{template}.html", {**shared, **context})


@require_safe
def rulebook_list_page(request: HttpRequest) -> HttpResponse:
    """Every book that has pages."""
    own = [
        (name, variant_rules_context.variant_rules_title(variant_rules_context.variant_with_rules(name)))
        for name in variant_rules.variants_with_rules()
    ]
    return _page(
        request,
        "shelf",
        {"books": [_opened(name) for name in rules_context.rulebooks_with_pages()], "variants": own},
    )


@require_safe
def rulebook_page(request: HttpRequest, book: str) -> HttpResponse:
    opened = _opened(book)
    context = {"book": opened, "contents": rules_context.rulebook_contents(opened), "stages": _stages()}
    return _page(request, "book", context)


def _stages() -> list[tuple[int, str]]:
    language = display_names.reader_language()
    return [
        (number, rules_context.demonstration_title(number, language).partition(", ")[2])
        for number in range(1, len(rules_texts.demonstration_phases()) + 1)
    ]


@require_safe
def chapter_page(request: HttpRequest, book: str, chapter: str) -> HttpResponse:
    opened = _opened(book)
    try:
        shown = rules_context.chapter_context(opened, chapter)
    except KeyError:
        raise Http404 from None
    others = [_opened(name) for name in rules_context.rulebooks_with_pages() if name != book]
    return _page(request, "chapter", {"book": opened, "chapter": shown, "others": others})


@require_safe
def option_redirect(request: HttpRequest, book: str, option: str) -> HttpResponse:  # noqa: ARG001 a view
    """Where a book tells an option: for whoever cites one."""
    opened = _opened(book)
    if option not in rules_texts.option_places():
        raise Http404
    chapter, rule = rules_texts.option_places()[option]
    return redirect(reverse("library:rules_chapter", args=[opened.name, chapter]) + f"#{rule}")


@require_safe
def search_page(request: HttpRequest, book: str) -> HttpResponse:
    opened = _opened(book)
    asked = request.GET.get("q", "").replace("\x00", "")[: rules_context.LONGEST_SEARCH]
    context = {"book": opened, "asked": asked, "found": rules_context.search_rules(opened, asked)}
    return _page(request, "search", context)


@require_safe
def demonstration_page(request: HttpRequest, book: str, number: int) -> HttpResponse:
    opened = _opened(book)
    try:
        shown = rules_context.demonstration_context(opened, number)
    except IndexError:
        raise Http404 from None
    return _page(request, "demonstration", {"book": opened, "stage": shown, "stages": _stages()})


# pictures


@require_safe
def board_svg(request: HttpRequest, book: str, board: str) -> HttpResponse:  # noqa: ARG001 a view
    return svg_response(_drawn(book, board, solved=False))


@require_safe
def board_result_svg(request: HttpRequest, book: str, board: str) -> HttpResponse:  # noqa: ARG001 a view
    return svg_response(_drawn(book, board, solved=True))


def _drawn(book: str, board: str, *, solved: bool) -> str:
    opened = _opened(book)
    found = example_boards.board_by_name(board, opened.name, opened.language)
    if found is None:
        raise Http404
    return found.svg(opened.language, solved=solved)


def svg_response(svg: str) -> HttpResponse:
    """A picture that only an update of the site changes."""
    response = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    patch_cache_control(response, public=True, max_age=CACHE_SECONDS)
    return response


@require_safe
def conference_map_page(request: HttpRequest) -> HttpResponse:
    return _page(request, "conference", maps.province_tables(display_names.reader_language()))


@require_safe
def conference_map_image(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 a view
    return svg_response(maps.conference_map_svg(display_names.reader_language()))


# PDF


@require_safe
def rulebook_pdf(request: HttpRequest, book: str) -> HttpResponse:
    opened = _opened(book)
    return rules_pdf_response(request, f"talleyrand-{opened.name}-{opened.language}", opened.name)


@require_safe
def conference_pdf(request: HttpRequest) -> HttpResponse:
    return rules_pdf_response(request, f"talleyrand-map-{display_names.reader_language()}", "")


def rules_pdf_response(request: HttpRequest, name: str, book: str) -> HttpResponse:
    """A document under a name that tells its language, or the page that says it is being made."""
    try:
        content = rules_pdf.get_rules_pdf(name, book, visitor_id(request))
    except file_downloads.DOCUMENT_ERRORS as problem:
        return file_downloads.document_error_page(request, problem)
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    patch_cache_control(response, public=True, max_age=CACHE_SECONDS)
    return response
