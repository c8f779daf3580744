"""Two hours with a class: what happens from minute to minute."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from talleyrand.web.boards import display_names
from talleyrand.web.library.lessons import lesson_courses


@dataclass(frozen=True)
class LessonStep:
    """So many minutes of a lesson, from minute `begins`; `lessons` are the boards to learn on that it uses,
    by number and title.
    """

    begins: int
    minutes: int
    title: str
    text: str
    lessons: tuple[tuple[int, str], ...] = ()

    @property
    def ends(self) -> int:
        return self.begins + self.minutes


def two_hours() -> list[LessonStep]:
    """The steps, one after the other, 120 minutes in all."""
    steps: list[LessonStep] = []
    titles = {one.number: one.title[display_names.reader_language()] for one in lesson_courses.lessons_of()}
    for minutes, title, text, lessons in _steps():
        begins = steps[-1].ends if steps else 0
        shown = tuple((number, titles[number]) for number in lessons)
        steps.append(LessonStep(begins, minutes, title, text, shown))
    return steps


def _steps() -> list[tuple[int, str, str, tuple[int, ...]]]:
    return [
        (
            5,
            _("Sit down"),
            _(
                "Boards open, code on the wall: everyone scans it and taps a name. Tables are pushed "
                "together board by board."
            ),
            (),
        ),
        (
            10,
            _("What it is about"),
            _(
                "Europe in 1901, everyone writes orders in secret, all are carried out at the same time, no "
                "dice. Eighteen centres win. Read the simplified rules aloud, only what comes next."
            ),
            (),
        ),
        (
            25,
            _("Five boards together"),
            _(
                "On the big screen, solved by the class: a first order, standoff, support, support to hold, "
                "cutting support. Let someone guess before you press “Resolve”, and read the reason."
            ),
            (1, 2, 3, 4, 5),
        ),
        (
            20,
            _("Spring 1901"),
            _(
                "“Deal the powers”, then “Start the clock”: talk, then write in silence. Ring, resolve. On "
                "the screen, one order of each board that failed: “Explain the last result”."
            ),
            (),
        ),
        (
            10,
            _("Convoy, retreat, building"),
            _("Three more boards, just before they are needed."),
            (8, 9, 10),
        ),
        (
            35,
            _("Autumn 1901 to autumn 1902"),
            _(
                "Three moves of eight minutes with their retreats and builds. Two questions to each board in "
                "between: who kept a promise? Who gained from it?"
            ),
            (),
        ),
        (
            10,
            _("Finer points, for fast boards"),
            _("Rotation and one’s own units, while the others finish."),
            (6, 7),
        ),
        (
            5,
            _("Who owns what, and why"),
            _(
                "Centres of each board on the screen. What did an alliance bring? What would a real diplomat "
                "have done? Then “Erase everything”, and print the receipt."
            ),
            (),
        ),
    ]
