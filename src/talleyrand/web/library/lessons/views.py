"""The boards to learn on: looking, ordering, being judged; what is solved is kept in the browser."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.boards.incoming import Refused
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.referee import Unanswered

from . import asked, learned, pages
from .course import Lesson, lessons, names

MOST_TRIES = 99


@never_cache
@require_safe
def contents(request: HttpRequest, course: str = "") -> HttpResponse:
    if course and not lessons(course):
        raise Http404
    solved = learned.solved(request, course)
    steps = pages.steps(course, 0, solved)
    onward = next((step["number"] for step in steps if not step["solved"]), None)
    context = {
        "steps": steps,
        "done": sum(step["solved"] for step in steps),
        "onward": onward,
        "onward_url": pages.address(course, onward) if onward else "",
        "course": course,
        "title": pages.title(course),
        "courses": [(pages.title(name), pages.address(name)) for name in names()],
    }
    return render(request, f"library/lessons/{'course' if course else 'contents'}.html", context)


def _lesson(number: int, course: str) -> Lesson:
    if not 1 <= number <= len(lessons(course)):
        raise Http404
    return lessons(course)[number - 1]


@never_cache
@require_safe
def lesson(request: HttpRequest, number: int, course: str = "") -> HttpResponse:
    """A board; its address holds the orders, and `judge` where they are to be judged."""
    board = _lesson(number, course)
    tries = asked.number(request.GET, "try", MOST_TRIES)
    try:
        lines = asked.lines(request.GET, board.question, board.power, board.slips)
        if asked.by_menus(request.GET) or asked.by_slips(request.GET):
            return redirect(_canonical(request, lines, tries))
        if "judge" in request.GET:
            return _judged(request, board, lines, tries)
    except (Refused, Unanswered) as refused:
        messages.error(request, refused.sentence)
        return _prepared(request, board, [], tries, refused=True)
    return _prepared(request, board, lines, tries)


def _canonical(request: HttpRequest, lines: list[str], tries: int) -> str:
    judged = {"judge": "1"} if "judge" in request.GET else {}
    return asked.address(request.path, lines, **{"try": tries}, **judged)


def _nonce(request: HttpRequest) -> str:
    return str(getattr(request, "style_nonce", ""))


def _prepared(
    request: HttpRequest, board: Lesson, lines: list[str], tries: int, *, refused: bool = False
) -> HttpResponse:
    """The board that waits for orders; a sheet that was refused stays in its place."""
    context = {
        **pages.frame(board, learned.solved(request, board.course)),
        **pages.open_board(board, lines, tries, _nonce(request)),
    }
    if refused:
        context["sheet"] = request.GET.get("sheet", "")[: asked.LARGEST_SHEET]
    return render(request, "library/lessons/lesson.html", context, status=400 if refused else 200)


def _judged(request: HttpRequest, board: Lesson, lines: list[str], tries: int) -> HttpResponse:
    played = board.judge(lines)
    solved = learned.solved(request, board.course)
    if board.solved(played):
        solved |= {board.number}
    else:
        tries = min(tries + 1, MOST_TRIES)
    context = {
        **pages.frame(board, solved),
        **pages.judged_board(board, lines, tries, played, solved, _nonce(request)),
    }
    response = render(request, "library/lessons/judged.html", context)
    learned.remember(response, solved, board.course)
    return response


@require_POST
def draft(request: HttpRequest, number: int, course: str = "") -> HttpResponse:
    """A change to orders in preparation, which come along with it and go back: nothing is kept."""
    board = _lesson(number, course)
    try:
        orders = asked.redrafted(request, board.question, board.power)
        preparation = Preparation(board.question, orders, board.power)
        drawn = pages.sketch(board, preparation)
    except Refused as refusal:
        return JsonResponse({"message": refusal.sentence}, status=refusal.status)
    except Unanswered as unanswered:
        return JsonResponse({"message": unanswered.sentence}, status=400)
    tries = asked.number(request.GET, "try", MOST_TRIES)
    path = pages.address(course, number)
    address = asked.address(path, list(orders[board.power]), **{"try": tries})
    return JsonResponse(pages.state(preparation, drawn, address))


@require_POST
def start_over(request: HttpRequest, course: str = "") -> HttpResponse:  # noqa: ARG001 a view
    if course and not lessons(course):
        raise Http404
    response = redirect(pages.address(course))
    learned.forget(response, course)
    return response
