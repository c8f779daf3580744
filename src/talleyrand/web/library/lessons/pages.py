"""What the page of a board shows, before and after it is judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from talleyrand import notation, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.orders import Order
from talleyrand.web.boards import picture, politics, results, wording
from talleyrand.web.boards.picture import Sketch
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.scripting import script_words
from talleyrand.web.library import rules_boards

from . import asked
from .course import Lesson, Slip, Text, lessons
from .facts import Played
from .frame import cropped


def said(text: Text) -> str:
    return text[wording.language()]


def address(course: str, number: int = 0, *, draft: bool = False) -> str:
    """Where a board of a course is, or its contents for 0; `draft`: where its scripts send changes."""
    kind = "lesson_draft" if draft else "lesson" if number else "lessons"
    if not course:
        return reverse(f"library:{kind}", args=[number] if number else [])
    own = {"lesson_draft": "course_draft", "lesson": "course_lesson", "lessons": "course"}[kind]
    return reverse(f"library:{own}", args=[course, number] if number else [course])


def title(course: str) -> str:
    """What a course is called."""
    if not course:
        return _("Learn in ten boards")
    variant = lessons(course)[0].variant
    return _("%(variant)s in six boards") % {"variant": variant.title[wording.language()]}


def steps(course: str, current: int, solved: frozenset[int]) -> list[dict[str, Any]]:
    """The boards in a row, with what is solved."""
    return [
        {
            "number": lesson.number,
            "url": address(course, lesson.number),
            "title": said(lesson.title),
            "task": said(lesson.task),
            "solved": lesson.number in solved,
            "current": lesson.number == current,
        }
        for lesson in lessons(course)
    ]


def frame(lesson: Lesson, solved: frozenset[int]) -> dict[str, Any]:
    """What a board shows at any time."""
    variant = lesson.variant
    return {
        "lesson": lesson,
        "course_url": address(lesson.course),
        "course_title": title(lesson.course),
        "title": said(lesson.title),
        "explanation": said(lesson.explanation),
        "task": said(lesson.task),
        "power": wording.power(variant, lesson.power),
        "colour": variant.colours[lesson.power],
        "steps": steps(lesson.course, lesson.number, solved),
        "count": len(lessons(lesson.course)),
        "others": [] if lesson.hidden else others(lesson),
        "debate": politics.debate(variant, lesson.situation.get("politics")),
        "situation": politics.minutes(variant, {}, lesson.situation.get("politics") or {}),
        "hidden": [wording.power(variant, power) for power in lesson.scripts] if lesson.hidden else [],
        "strings": script_words(),
    }


def others(lesson: Lesson) -> list[dict[str, Any]]:
    """The orders of the scripted powers in full words."""
    variant = lesson.variant
    return [
        {
            "name": wording.power(variant, power),
            "colour": variant.colours[power],
            "orders": [line(lesson, order) for order in orders],
        }
        for power, orders in lesson.scripts.items()
        if orders
    ]


def line(lesson: Lesson, order: str) -> str:
    """An order in full words; one to no unit as it is written in the reader's language."""
    for choice in (one for slip in lesson.slips for one in slip.choices):
        if choice.order == order:
            return said(choice.line)
    return picture.order_label(lesson.variant, order, "") if is_to_unit(order) else order


def is_to_unit(order: str) -> bool:
    try:
        notation.parse_normal(order)
    except TalleyrandError:
        return False
    return True


def open_board(lesson: Lesson, lines: list[str], tries: int, nonce: str) -> dict[str, Any]:
    """The board with its orders in preparation."""
    preparation = Preparation(lesson.question, {lesson.power: lines}, lesson.power)
    prepared = preparation.page()
    words = script_words()
    return {
        **prepared,
        "lines": {lesson.power: lines},
        "start": words[prepared["start_with"]],
        "drawing": drawing(sketch(lesson, preparation), lesson.view, nonce),
        "draft_url": f"{address(lesson.course, lesson.number, draft=True)}?try={tries}",
        "action": address(lesson.course, lesson.number),
        "slips": slips(lesson, preparation),
        "base": prepared["sheet"],
        "tries": tries,
        "hints": [{"text": hint, "open": at == min(tries, 3)} for at, hint in enumerate(hints(lesson), 1)],
    }


def sketch(lesson: Lesson, preparation: Preparation) -> Sketch:
    """The orders in preparation, and those of the others where they are shown."""
    to_units = [reading for reading in preparation.readings if reading.unit]
    drawn = picture.prepared(preparation.question, to_units)
    known = {} if lesson.hidden else lesson.scripts
    shown: dict[str, list[Order]] = {
        power: [notation.parse_normal(order) for order in orders if is_to_unit(order)]
        for power, orders in known.items()
    }
    return replace(drawn, orders={**shown, **drawn.orders})


def drawing(drawn: Sketch, view: Iterable[str], nonce: str) -> SafeString:
    """The part of the map that matters, inline."""
    svg = cropped(drawn.svg(caption=False), drawn.variant, view)
    # Drawn by `drawing`, which escapes every word; nothing else of the visitor's is in it.
    return mark_safe(picture.for_page(svg, nonce))  # noqa: S308


def slips(lesson: Lesson, preparation: Preparation) -> list[dict[str, Any]]:
    """What there is to write besides orders to units, with what is chosen so far."""
    given = [reading.order for reading in preparation.readings if reading.given]
    return [_slip(number, slip, given) for number, slip in enumerate(lesson.slips)]


def _slip(number: int, slip: Slip, given: Iterable[str]) -> dict[str, Any]:
    chosen = next((order for order in given if order in slip.orders), "")
    return {
        "name": f"{asked.SLIP}{number}",
        "title": said(slip.title),
        "chosen": chosen,
        "choices": [
            {
                "order": one.order,
                "line": said(one.line),
                "text": said(one.text),
                "chosen": one.order == chosen,
            }
            for one in slip.choices
        ],
    }


def hints(lesson: Lesson) -> list[str]:
    """The hints, the last one with the orders of a solution."""
    orders = [line(lesson, order) for order in lesson.solution]
    *first, last = [said(hint) for hint in lesson.hints]
    return [*first, f"{last} {', '.join(orders)}."]


def judged_board(
    lesson: Lesson, lines: list[str], tries: int, played: Played, solved: frozenset[int], nonce: str
) -> dict[str, Any]:
    """The board with what became of the orders, and whether the goals are reached."""
    path = address(lesson.course, lesson.number)
    remark = next((one for one in lesson.remarks if one.fits(played)), None)
    known = hints(lesson)
    own, rest = outcomes(played, lesson.power)
    onward = _onward(lesson, solved)
    return {
        "solved": lesson.solved(played),
        "success": said(lesson.success),
        "goals": [{"text": said(goal.text), "reached": goal.fact.holds(played)} for goal in lesson.goals],
        "remark": said(remark.text) if remark else "",
        "hint": known[min(tries, len(known)) - 1] if tries else "",
        "drawing": drawing(_judged(lesson, lines), lesson.view, nonce),
        "results": own + rest,
        "politics": politics.of_phase(lesson.variant, played.question, played.answer),
        "retry": asked.address(path, lines, **{"try": tries}),
        "onward": onward,
        "onward_url": address(lesson.course, onward) if onward else "",
    }


def _judged(lesson: Lesson, lines: list[str]) -> Sketch:
    """The board as it was judged."""
    orders = {**lesson.scripts, lesson.power: lines}
    asked_of_judge = {**lesson.question, "orders": {power: list(given) for power, given in orders.items()}}
    return rules_boards.judge(lesson.name, asked_of_judge).sketch()


def _onward(lesson: Lesson, solved: frozenset[int]) -> int | None:
    """The next board to solve: after this one, else one that was left out."""
    left = [one.number for one in lessons(lesson.course) if one.number not in solved]
    return next((number for number in left if number > lesson.number), left[0] if left else None)


def outcomes(played: Played, power: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What became of the learner's orders, and of the others'."""
    rows = results.by_power(variants.load(played.question["variant"]), played.answer)
    return [row for row in rows if row["code"] == power], [row for row in rows if row["code"] != power]


def state(preparation: Preparation, drawn: Sketch, address: str) -> dict[str, Any]:
    """What the scripts of a page are told after a change."""
    remarks = {"readings": preparation.remarks()}
    return {
        **preparation.state(),
        "readings": render_to_string("boards/readings.html", remarks),
        "layers": drawn.changing_layers(),
        "address": address,
    }
