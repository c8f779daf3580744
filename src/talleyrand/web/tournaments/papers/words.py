"""Words of papers and files: names, hours and dates as the place of the event has them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from talleyrand.tournament import boards
from talleyrand.tournament.exports import words as files
from talleyrand.tournament.model import Board
from talleyrand.web.tournaments import hours, naming

in_order, power, refusal = naming.in_order, naming.power, naming.refusal
days, hour, zone = hours.when, hours.dated, hours.zone
name_of = files.name_of


def colour(code: str) -> str:
    """The colour in which the boards draw a power, for paper: pages have a palette of their own."""
    return boards.variant_of(boards.CLASSIC).colours.get(code, "#777777")


def board_name(number: int, board: Board) -> str:
    """ "Board 2", or the final table."""
    named = naming.board_name(number)
    return _("%(board)s, final table") % {"board": named} if board.final else named


def variant_name(board: Board) -> str:
    """What is played on a board, "" for the usual game."""
    return "" if board.variant == boards.CLASSIC else naming.variant_name(board.variant)


def minutes(seconds: int) -> str:
    """ "18 min", with seconds where there are any."""
    whole, rest = divmod(seconds, 60)
    return f"{whole}\u00a0min\u00a0{rest:02}\u00a0s" if rest else f"{whole}\u00a0min"
