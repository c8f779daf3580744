"""The boards to learn on: looking, ordering, being judged; what is solved is kept in the browser."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.boards import board_context, order_requests
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.boards.order_requests import RequestRefusal

from . import lesson_context, lesson_requests, solved_cookie
from .lesson_courses import Lesson, lessons_of, variants_with_lessons

MOST_TRIES = 99


@never_cache
@require_safe
def course_page(request: HttpRequest, course: str = "") -> HttpResponse:
    if course and not lessons_of(course):
        raise Http404
    solved = solved_cookie.solved_lessons(request, course)
    steps = lesson_context.lesson_steps(course, 0, solved)
    onward = next((step["number"] for step in steps if not step["solved"]), None)
    context = {
        "steps": steps,
        "done": sum(step["solved"] for step in steps),
        "onward": onward,
        "onward_url": lesson_context.lesson_url(course, onward) if onward else "",
        "course": course,
        "title": lesson_context.course_title(course),
        "courses": [
            (lesson_context.course_title(name), lesson_context.lesson_url(name))
            for name in variants_with_lessons()
        ],
    }
    return render(request, f"library/lessons/{'course' if course else 'contents'}.html", context)


def _lesson(number: int, course: str) -> Lesson:
    if not 1 <= number <= len(lessons_of(course)):
        raise Http404
    return lessons_of(course)[number - 1]


@never_cache
@require_safe
def lesson_page(request: HttpRequest, number: int, course: str = "") -> HttpResponse:
    """A board; its address holds the orders, and `judge` where they are to be judged."""
    board = _lesson(number, course)
    tries = lesson_requests.small_number(request.GET, "try", MOST_TRIES)
    try:
        lines = lesson_requests.lines_from_query(request.GET, board.question, board.power, board.slips)
        if lesson_requests.has_menus(request.GET) or lesson_requests.has_slips(request.GET):
            return redirect(_canonical(request, lines, tries))
        if "judge" in request.GET:
            return _judged(request, board, lines, tries)
    except (RequestRefusal, QuestionRefusal) as refused:
        messages.error(request, refused.sentence)
        return _prepared(request, board, [], tries, refused=True)
    return _prepared(request, board, lines, tries)


def _canonical(request: HttpRequest, lines: list[str], tries: int) -> str:
    judged = {"judge": "1"} if "judge" in request.GET else {}
    return lesson_requests.lesson_url_with_orders(request.path, lines, **{"try": tries}, **judged)


def _nonce(request: HttpRequest) -> str:
    return str(getattr(request, "style_nonce", ""))


def _prepared(
    request: HttpRequest, board: Lesson, lines: list[str], tries: int, *, refused: bool = False
) -> HttpResponse:
    """The board that waits for orders; a sheet that was refused stays in its place."""
    context = {
        **lesson_context.lesson_page_context(board, solved_cookie.solved_lessons(request, board.course)),
        **lesson_context.open_lesson_context(board, lines, tries, _nonce(request)),
    }
    if refused:
        context["sheet"] = request.GET.get("sheet", "")[: lesson_requests.LARGEST_SHEET]
    return render(request, "library/lessons/lesson.html", context, status=400 if refused else 200)


def _judged(request: HttpRequest, board: Lesson, lines: list[str], tries: int) -> HttpResponse:
    played = board.adjudicate(lines)
    solved = solved_cookie.solved_lessons(request, board.course)
    if board.is_solved(played):
        solved |= {board.number}
    else:
        tries = min(tries + 1, MOST_TRIES)
    context = {
        **lesson_context.lesson_page_context(board, solved),
        **lesson_context.solved_lesson_context(board, lines, tries, played, solved, _nonce(request)),
    }
    response = render(request, "library/lessons/judged.html", context)
    solved_cookie.remember_solved(response, solved, board.course)
    return response


@require_POST
def lesson_draft(request: HttpRequest, number: int, course: str = "") -> HttpResponse:
    """A change to orders in preparation, which come along with it and go back: nothing is kept."""
    board = _lesson(number, course)
    try:
        orders = lesson_requests.draft_from_json(request, board.question, board.power)
        preparation = OrderPreparation(board.question, orders, board.power)
        drawn = lesson_context.lesson_map(board, preparation)
    except order_requests.REFUSALS as refused:
        return order_requests.refusal_json(refused)
    tries = lesson_requests.small_number(request.GET, "try", MOST_TRIES)
    path = lesson_context.lesson_url(course, number)
    address = lesson_requests.lesson_url_with_orders(path, list(orders[board.power]), **{"try": tries})
    return JsonResponse({**board_context.changed_orders_context(preparation, drawn), "address": address})


@require_POST
def start_over_view(request: HttpRequest, course: str = "") -> HttpResponse:  # noqa: ARG001 a view
    if course and not lessons_of(course):
        raise Http404
    response = redirect(lesson_context.lesson_url(course))
    solved_cookie.forget_solved(response, course)
    return response
