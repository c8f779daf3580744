"""What the page of a board shows, before and after it is judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from talleyrand import notation, variants
from talleyrand.engine.orders import Order
from talleyrand.web.boards import picture, results, wording
from talleyrand.web.boards.picture import Sketch
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.scripting import script_words

from . import asked
from .course import VARIANT, Lesson, Text, lessons
from .facts import Played
from .frame import cropped


def said(text: Text) -> str:
    return text[wording.language()]


def steps(current: int, solved: frozenset[int]) -> list[dict[str, Any]]:
    """The boards in a row, with what is solved."""
    return [
        {
            "number": lesson.number,
            "title": said(lesson.title),
            "task": said(lesson.task),
            "solved": lesson.number in solved,
            "current": lesson.number == current,
        }
        for lesson in lessons()
    ]


def frame(lesson: Lesson, solved: frozenset[int]) -> dict[str, Any]:
    """What a board shows at any time."""
    variant = variants.load(VARIANT)
    return {
        "lesson": lesson,
        "title": said(lesson.title),
        "explanation": said(lesson.explanation),
        "task": said(lesson.task),
        "power": wording.power(variant, lesson.power),
        "colour": variant.colours[lesson.power],
        "steps": steps(lesson.number, solved),
        "count": len(lessons()),
        "others": [] if lesson.hidden else others(lesson.scripts),
        "hidden": [wording.power(variant, power) for power in lesson.scripts] if lesson.hidden else [],
        "strings": script_words(),
    }


def others(scripts: Mapping[str, Iterable[str]]) -> list[dict[str, Any]]:
    """The orders of the scripted powers in full words."""
    variant = variants.load(VARIANT)
    return [
        {
            "name": wording.power(variant, power),
            "colour": variant.colours[power],
            "orders": [picture.order_label(variant, order, "") for order in orders],
        }
        for power, orders in scripts.items()
        if orders
    ]


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
        "draft_url": f"{reverse('library:lesson_draft', args=[lesson.number])}?try={tries}",
        "action": reverse("library:lesson", args=[lesson.number]),
        "base": prepared["sheet"],
        "tries": tries,
        "hints": [{"text": hint, "open": at == min(tries, 3)} for at, hint in enumerate(hints(lesson), 1)],
    }


def sketch(lesson: Lesson, preparation: Preparation) -> Sketch:
    """The orders in preparation, and those of the others where they are shown."""
    drawn = picture.prepared(preparation.question, preparation.readings)
    known = {} if lesson.hidden else lesson.scripts
    shown: dict[str, list[Order]] = {
        power: [notation.parse_normal(order) for order in orders] for power, orders in known.items()
    }
    return replace(drawn, orders={**shown, **drawn.orders})


def drawing(drawn: Sketch, view: Iterable[str], nonce: str) -> SafeString:
    """The part of the map that matters, inline."""
    svg = cropped(drawn.svg(caption=False), drawn.variant, view)
    # Drawn by `drawing`, which escapes every word; nothing else of the visitor's is in it.
    return mark_safe(picture.for_page(svg, nonce))  # noqa: S308


def hints(lesson: Lesson) -> list[str]:
    """The hints, the last one with the orders of a solution."""
    variant = variants.load(VARIANT)
    orders = [picture.order_label(variant, order, "") for order in lesson.solution]
    *first, last = [said(hint) for hint in lesson.hints]
    return [*first, f"{last} {', '.join(orders)}."]


def judged_board(
    lesson: Lesson, lines: list[str], tries: int, played: Played, solved: frozenset[int], nonce: str
) -> dict[str, Any]:
    """The board with what became of the orders, and whether the goals are reached."""
    path = reverse("library:lesson", args=[lesson.number])
    remark = next((one for one in lesson.remarks if one.fits(played)), None)
    known = hints(lesson)
    own, rest = outcomes(played, lesson.power)
    return {
        "solved": lesson.solved(played),
        "success": said(lesson.success),
        "goals": [{"text": said(goal.text), "reached": goal.fact.holds(played)} for goal in lesson.goals],
        "remark": said(remark.text) if remark else "",
        "hint": known[min(tries, len(known)) - 1] if tries else "",
        "drawing": drawing(picture.played(played.question, played.answer), lesson.view, nonce),
        "results": own + rest,
        "retry": asked.address(path, lines, **{"try": tries}),
        "onward": _onward(lesson, solved),
    }


def _onward(lesson: Lesson, solved: frozenset[int]) -> int | None:
    """The next board to solve: after this one, else one that was left out."""
    left = [one.number for one in lessons() if one.number not in solved]
    return next((number for number in left if number > lesson.number), left[0] if left else None)


def outcomes(played: Played, power: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What became of the learner's orders, and of the others'."""
    rows = results.by_power(variants.load(VARIANT), played.answer)
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
