"""How much of a question the site reads and judges at once: it answers others meanwhile."""

from __future__ import annotations

from django.utils.translation import gettext as _

from talleyrand import notation
from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats.question_input import Question

from .rulebook_input import RulebookInputRefusal

FEWEST_LINES = 100  # as many as a sheet of any board may have
A_UNIT, A_SEAT = 2, 8  # lines for each unit, and what a seat writes beside them
LONGEST_LINE = 300
READING_EFFORT = (
    5_000  # steps of effort: each book reads the lines anew, and 34 orders written in full take 2,000
)
A_UNIT_READ = 100  # steps for each unit of a larger board: twice what its order in full takes
COMPARISON_EFFORT = (
    60_000  # for all books, their reasons, and all trials of one page; a usual position takes a third
)


def most_lines(question: Question) -> int:
    """How many lines of orders a position has use for."""
    units = len(question.position.units) + len(question.position.dislodged)
    return max(FEWEST_LINES, A_UNIT * units + A_SEAT * len(question.variant.board.seats))


def check_lines(question: Question) -> None:
    """Raises RulebookInputRefusal for sheets longer than the position has use for."""
    lines = [line for sheets in question.sheets.values() for sheet in sheets for line in sheet]
    if len(lines) > (most := most_lines(question)):
        raise RulebookInputRefusal(_("Too many lines of orders: %(most)s at most.") % {"most": most})
    long = next((line for line in lines if len(line) > LONGEST_LINE), None)
    if long is not None:
        sentence = _("Line too long: 300 characters at most. It begins: “%(line)s”.")
        raise RulebookInputRefusal(sentence % {"line": long[:60]})


def check_effort(question: Question) -> None:
    """Raises RulebookInputRefusal for sheets that take too long to be read by every book."""
    check_lines(question)
    variant, position, book = question.variant, question.position, question.rulebook
    effort = StepBudget(max(READING_EFFORT, A_UNIT_READ * len(position.units)))
    for power, sheets in question.sheets.items():
        context = notation.ReadingContext(variant, position, power, book, question.naming, effort)
        for line in (line for sheet in sheets for line in sheet):
            notation.read_lines([line], context)
            if not effort.remaining:
                raise RulebookInputRefusal(
                    _("Too many of these lines are not understood: correct some first.")
                )
