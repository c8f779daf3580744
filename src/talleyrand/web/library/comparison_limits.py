"""How much a visitor may have judged at once: the site answers others meanwhile."""

from __future__ import annotations

from time import monotonic

from django.utils.translation import gettext as _

from talleyrand import notation
from talleyrand.formats.asking import Question

from .books_input import Unfit

MOST_LINES = 100
LONGEST_LINE = 300
READING = 2.0  # seconds: a line that is not understood is answered with its nearest legal reading
JUDGING = 4.0  # seconds for all books and all trials of one page; a usual position takes a tenth of it


class Clock:
    """Whether there is time for another step that takes as long as the last one."""

    def __init__(self, seconds: float) -> None:
        self.last = monotonic()
        self.end = self.last + seconds

    def __call__(self) -> bool:
        now = monotonic()
        step, self.last = now - self.last, now
        return now + step < self.end


def check(question: Question) -> None:
    """Every book reads the sheets anew: raises Unfit where that would take long."""
    lines = [(power, line) for power, sheets in question.sheets.items() for sheet in sheets for line in sheet]
    if len(lines) > MOST_LINES:
        raise Unfit(_("There are too many lines of orders: 100 at most."))
    long = next((line for _power, line in lines if len(line) > LONGEST_LINE), None)
    if long is not None:
        sentence = _("A line is too long: 300 characters at most. It begins: “%(line)s”.")
        raise Unfit(sentence % {"line": long[:60]})
    _read(question, lines)


def _read(question: Question, lines: list[tuple[str, str]]) -> None:
    variant, position, book = question.variant, question.position, question.book
    clock = Clock(READING)
    for power, line in lines:
        notation.read_lines([line], notation.Context(variant, position, power, book, question.naming))
        if not clock():
            raise Unfit(_("Too many of these lines are not understood: correct some of them first."))
