"""How much of a question the site reads and judges at once: it answers others meanwhile."""

from __future__ import annotations

from django.utils.translation import gettext as _

from talleyrand import notation
from talleyrand.engine.effort import Effort
from talleyrand.formats.asking import Question

from .books_input import Unfit

MOST_LINES = 100
LONGEST_LINE = 300
READING = 5_000  # steps of effort: each book reads the lines anew, and 34 orders written in full take 2,000
JUDGING = 60_000  # for all books, their reasons, and all trials of one page; a usual position takes a third


def check(question: Question) -> None:
    """Raises Unfit for sheets that take too long to be read by every book."""
    lines = [(power, line) for power, sheets in question.sheets.items() for sheet in sheets for line in sheet]
    if len(lines) > MOST_LINES:
        raise Unfit(_("There are too many lines of orders: 100 at most."))
    long = next((line for _power, line in lines if len(line) > LONGEST_LINE), None)
    if long is not None:
        sentence = _("A line is too long: 300 characters at most. It begins: “%(line)s”.")
        raise Unfit(sentence % {"line": long[:60]})
    effort = Effort(READING)
    variant, position, book = question.variant, question.position, question.book
    for power, line in lines:
        context = notation.Context(variant, position, power, book, question.naming, effort)
        notation.read_lines([line], context)
        if not effort.left:
            raise Unfit(_("Too many of these lines are not understood: correct some of them first."))
