"""The rules of each book: contents, chapters, boards, search, PDF."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from talleyrand.web.boards import files, wording
from talleyrand.web.visitors import visitor

from . import conference as maps
from . import rules_boards, rules_pages, rules_pdf, rules_texts, variant_book, variant_rules_pages
from .rules_pages import Shelf
from .rules_texts import Words

KEPT = 600  # seconds a browser keeps a picture that only an update of the site changes


def _opened(name: str) -> Shelf:
    try:
        return rules_pages.open_book(name)
    except KeyError:
        raise Http404 from None


def _page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    shared = {"w": Words(wording.language()), "asked": "", "pdf": rules_pdf.installed()}
    return render(request, f"library/rules/{template}.html", {**shared, **context})


@require_safe
def shelf(request: HttpRequest) -> HttpResponse:
    """Every book that has pages."""
    own = [
        (name, variant_rules_pages.title(variant_rules_pages.opened(name))) for name in variant_book.names()
    ]
    return _page(
        request, "shelf", {"books": [_opened(name) for name in rules_pages.names()], "variants": own}
    )


@require_safe
def book(request: HttpRequest, book: str) -> HttpResponse:
    opened = _opened(book)
    context = {"book": opened, "contents": rules_pages.contents(opened), "stages": _stages()}
    return _page(request, "book", context)


def _stages() -> list[tuple[int, str]]:
    language = wording.language()
    return [
        (number, rules_pages.stage_title(number, language).partition(", ")[2])
        for number in range(1, len(rules_texts.stages()) + 1)
    ]


@require_safe
def chapter(request: HttpRequest, book: str, chapter: str) -> HttpResponse:
    opened = _opened(book)
    try:
        shown = rules_pages.chapter(opened, chapter)
    except KeyError:
        raise Http404 from None
    others = [_opened(name) for name in rules_pages.names() if name != book]
    return _page(request, "chapter", {"book": opened, "chapter": shown, "others": others})


@require_safe
def point(request: HttpRequest, book: str, option: str) -> HttpResponse:  # noqa: ARG001 a view
    """Where a book tells an option: for whoever cites one."""
    opened = _opened(book)
    if option not in rules_texts.places():
        raise Http404
    chapter, rule = rules_texts.places()[option]
    return redirect(reverse("library:rules_chapter", args=[opened.name, chapter]) + f"#{rule}")


@require_safe
def search(request: HttpRequest, book: str) -> HttpResponse:
    opened = _opened(book)
    asked = request.GET.get("q", "").replace("\x00", "")[: rules_pages.LONGEST_SEARCH]
    context = {"book": opened, "asked": asked, "found": rules_pages.search(opened, asked)}
    return _page(request, "search", context)


@require_safe
def demonstration(request: HttpRequest, book: str, number: int) -> HttpResponse:
    opened = _opened(book)
    try:
        shown = rules_pages.stage(opened, number)
    except IndexError:
        raise Http404 from None
    return _page(request, "demonstration", {"book": opened, "stage": shown, "stages": _stages()})


# pictures


@require_safe
def board(request: HttpRequest, book: str, board: str) -> HttpResponse:  # noqa: ARG001 a view
    return drawn(_drawn(book, board, solved=False))


@require_safe
def board_solved(request: HttpRequest, book: str, board: str) -> HttpResponse:  # noqa: ARG001 a view
    return drawn(_drawn(book, board, solved=True))


def _drawn(book: str, board: str, *, solved: bool) -> str:
    opened = _opened(book)
    found = rules_boards.named(board, opened.name, opened.language)
    if found is None:
        raise Http404
    return found.svg(opened.language, solved=solved)


def drawn(svg: str) -> HttpResponse:
    """A picture that only an update of the site changes."""
    response = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    patch_cache_control(response, public=True, max_age=KEPT)
    return response


@require_safe
def conference(request: HttpRequest) -> HttpResponse:
    return _page(request, "conference", maps.tables(wording.language()))


@require_safe
def conference_picture(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 a view
    return drawn(maps.picture(wording.language()))


# PDF


@require_safe
def book_pdf(request: HttpRequest, book: str) -> HttpResponse:
    opened = _opened(book)
    return printed(request, f"talleyrand-{opened.name}-{opened.language}", opened.name)


@require_safe
def conference_pdf(request: HttpRequest) -> HttpResponse:
    return printed(request, f"talleyrand-map-{wording.language()}", "")


def printed(request: HttpRequest, name: str, book: str) -> HttpResponse:
    """A document under a name that tells its language, or the page that says it is being made."""
    try:
        content = rules_pdf.asked(name, book, visitor(request))
    except files.LATER as problem:
        return files.later(request, problem)
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    patch_cache_control(response, public=True, max_age=KEPT)
    return response
