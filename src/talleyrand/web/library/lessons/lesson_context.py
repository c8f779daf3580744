"""What the page of a board shows, before and after it is judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from talleyrand import notation
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.orders import Order
from talleyrand.web.boards import display_names, phase_maps, politics_context, result_rows
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.boards.phase_maps import PhaseMap
from talleyrand.web.boards.script_texts import script_texts
from talleyrand.web.library import example_boards

from . import lesson_requests
from .lesson_courses import Lesson, LessonSlip, LessonText, lessons_of
from .lesson_facts import LessonResult
from .lesson_maps import crop_to_places


def lesson_text_in_language(text: LessonText) -> str:
    return text[display_names.reader_language()]


def lesson_url(course: str, number: int = 0, *, draft: bool = False) -> str:
    """Where a board of a course is, or its contents for 0; `draft`: where its scripts send changes."""
    kind = "lesson_draft" if draft else "lesson" if number else "lessons"
    if not course:
        return reverse(f"library:{kind}", args=[number] if number else [])
    own = {"lesson_draft": "course_draft", "lesson": "course_lesson", "lessons": "course"}[kind]
    return reverse(f"library:{own}", args=[course, number] if number else [course])


def course_title(course: str) -> str:
    """What a course is called."""
    if not course:
        return _("Learn in ten puzzles")
    variant = lessons_of(course)[0].variant
    return _("%(variant)s in six puzzles") % {"variant": variant.title[display_names.reader_language()]}


def lesson_steps(course: str, current: int, solved: frozenset[int]) -> list[dict[str, Any]]:
    """The boards in a row, with what is solved."""
    return [
        {
            "number": lesson.number,
            "url": lesson_url(course, lesson.number),
            "title": lesson_text_in_language(lesson.title),
            "task": lesson_text_in_language(lesson.task),
            "solved": lesson.number in solved,
            "current": lesson.number == current,
        }
        for lesson in lessons_of(course)
    ]


def lesson_page_context(lesson: Lesson, solved: frozenset[int]) -> dict[str, Any]:
    """What a board shows at any time."""
    variant = lesson.variant
    return {
        "lesson": lesson,
        "course_url": lesson_url(lesson.course),
        "course_title": course_title(lesson.course),
        "title": lesson_text_in_language(lesson.title),
        "explanation": lesson_text_in_language(lesson.explanation),
        "task": lesson_text_in_language(lesson.task),
        "power": display_names.power_name(variant, lesson.power),
        "colour": variant.colours[lesson.power],
        "steps": lesson_steps(lesson.course, lesson.number, solved),
        "count": len(lessons_of(lesson.course)),
        "others": [] if lesson.hidden else other_orders(lesson),
        "debate": politics_context.open_motions(variant, lesson.situation.get("politics")),
        "situation": politics_context.minutes_tables(variant, {}, lesson.situation.get("politics") or {}),
        "hidden": [display_names.power_name(variant, power) for power in lesson.scripted_orders]
        if lesson.hidden
        else [],
        "strings": script_texts(),
    }


def other_orders(lesson: Lesson) -> list[dict[str, Any]]:
    """The orders of the scripted powers in full words."""
    variant = lesson.variant
    return [
        {
            "name": display_names.power_name(variant, power),
            "colour": variant.colours[power],
            "orders": [order_text(lesson, order) for order in orders],
        }
        for power, orders in lesson.scripted_orders.items()
        if orders
    ]


def order_text(lesson: Lesson, order: str) -> str:
    """An order in full words; one to no unit as it is written in the reader's language."""
    for choice in (one for slip in lesson.slips for one in slip.choices):
        if choice.order == order:
            return lesson_text_in_language(choice.line)
    return phase_maps.order_label(lesson.variant, order, "") if is_to_unit(order) else order


def is_to_unit(order: str) -> bool:
    try:
        notation.parse_normal(order)
    except TalleyrandError:
        return False
    return True


def open_lesson_context(lesson: Lesson, lines: list[str], tries: int, nonce: str) -> dict[str, Any]:
    """The board with its orders in preparation."""
    preparation = OrderPreparation(lesson.question, {lesson.power: lines}, lesson.power)
    prepared = preparation.page_context()
    return {
        **prepared,
        "orders_are": "carried",
        "drawing": lesson_drawing(lesson_map(lesson, preparation), lesson.view, nonce),
        "draft_url": f"{lesson_url(lesson.course, lesson.number, draft=True)}?try={tries}",
        "action": lesson_url(lesson.course, lesson.number),
        "slips": slip_rows(lesson, preparation),
        "base": prepared["sheet"],
        "tries": tries,
        "hints": [
            {"text": hint, "open": at == min(tries, 3)} for at, hint in enumerate(hint_texts(lesson), 1)
        ],
    }


def lesson_map(lesson: Lesson, preparation: OrderPreparation) -> PhaseMap:
    """The orders in preparation, and those of the others where they are shown."""
    to_units = [reading for reading in preparation.readings if reading.unit]
    drawn = phase_maps.draft_map(preparation.question, to_units)
    known = {} if lesson.hidden else lesson.scripted_orders
    shown: dict[str, list[Order]] = {
        power: [notation.parse_normal(order) for order in orders if is_to_unit(order)]
        for power, orders in known.items()
    }
    return replace(drawn, orders={**shown, **drawn.orders})


def lesson_drawing(drawn: PhaseMap, view: Iterable[str], nonce: str) -> SafeString:
    """The part of the map that matters, inline."""
    svg = crop_to_places(drawn.in_readers_shape(), view)
    # Drawn by `drawing`, which escapes every word; nothing else of the visitor's is in it.
    return mark_safe(phase_maps.svg_for_page(svg, nonce))  # noqa: S308


def slip_rows(lesson: Lesson, preparation: OrderPreparation) -> list[dict[str, Any]]:
    """What there is to write besides orders to units, with what is chosen so far."""
    given = [reading.order for reading in preparation.readings if reading.is_followed]
    return [_slip(number, slip, given) for number, slip in enumerate(lesson.slips)]


def _slip(number: int, slip: LessonSlip, given: Iterable[str]) -> dict[str, Any]:
    chosen = next((order for order in given if order in slip.orders), "")
    return {
        "name": f"{lesson_requests.SLIP}{number}",
        "title": lesson_text_in_language(slip.title),
        "chosen": chosen,
        "choices": [
            {
                "order": one.order,
                "line": lesson_text_in_language(one.line),
                "text": lesson_text_in_language(one.text),
                "chosen": one.order == chosen,
            }
            for one in slip.choices
        ],
    }


def hint_texts(lesson: Lesson) -> list[str]:
    """The hints, the last one with the orders of a solution."""
    orders = [order_text(lesson, order) for order in lesson.solution]
    *first, last = [lesson_text_in_language(hint) for hint in lesson.hints]
    return [*first, f"{last} {', '.join(orders)}."]


def solved_lesson_context(
    lesson: Lesson, lines: list[str], tries: int, played: LessonResult, solved: frozenset[int], nonce: str
) -> dict[str, Any]:
    """The board with what became of the orders, and whether the goals are reached."""
    path = lesson_url(lesson.course, lesson.number)
    remark = next((one for one in lesson.remarks if one.fits(played)), None)
    known = hint_texts(lesson)
    onward = _onward(lesson, solved)
    return {
        "solved": lesson.is_solved(played),
        "success": lesson_text_in_language(lesson.success),
        "goals": [
            {"text": lesson_text_in_language(goal.text), "reached": goal.fact.holds(played)}
            for goal in lesson.goals
        ],
        "remark": lesson_text_in_language(remark.text) if remark else "",
        "hint": known[min(tries, len(known)) - 1] if tries else "",
        "drawing": lesson_drawing(_judged(lesson, lines), lesson.view, nonce),
        "results": result_rows.results_by_power(lesson.variant, played.answer, (lesson.power,)),
        "politics": politics_context.phase_politics(lesson.variant, played.question, played.answer),
        "retry": lesson_requests.lesson_url_with_orders(path, lines, **{"try": tries}),
        "onward": onward,
        "onward_url": lesson_url(lesson.course, onward) if onward else "",
    }


def _judged(lesson: Lesson, lines: list[str]) -> PhaseMap:
    """The board as it was judged."""
    orders = {**lesson.scripted_orders, lesson.power: lines}
    asked_of_judge = {**lesson.question, "orders": {power: list(given) for power, given in orders.items()}}
    return example_boards.adjudicate_example(lesson.name, asked_of_judge).phase_map()


def _onward(lesson: Lesson, solved: frozenset[int]) -> int | None:
    """The next board to solve: after this one, else one that was left out."""
    left = [one.number for one in lessons_of(lesson.course) if one.number not in solved]
    return next((number for number in left if number > lesson.number), left[0] if left else None)
