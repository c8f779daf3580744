"""Words of papers and files: names, hours and dates as the place of the event has them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from talleyrand.tournament import board_rules
from talleyrand.tournament.exports import event_tables as files
from talleyrand.tournament.model import EventBoard
from talleyrand.web.tournaments import event_times, tournament_names

alphabetical, power_name, refusal_text = (
    tournament_names.alphabetical,
    tournament_names.power_name,
    tournament_names.refusal_text,
)
event_days_text, dated_time, event_zone = (
    event_times.event_days_text,
    event_times.dated_time,
    event_times.event_zone,
)
name_of = files.person_name


def print_colour(code: str) -> str:
    """The colour in which the boards draw a power, for paper: pages have a palette of their own."""
    return board_rules.board_variant(board_rules.CLASSIC).colours.get(code, "#777777")


def board_name(number: int, board: EventBoard) -> str:
    """ "Board 2", or the final table."""
    named = tournament_names.board_name(number)
    return _("%(board)s, final table") % {"board": named} if board.final else named


def variant_name(board: EventBoard) -> str:
    """What is played on a board, "" for the usual game."""
    return "" if board.variant == board_rules.CLASSIC else tournament_names.variant_name(board.variant)


def minutes_text(seconds: int) -> str:
    """ "18 min", with seconds where there are any."""
    whole, rest = divmod(seconds, 60)
    return f"{whole}\u00a0min\u00a0{rest:02}\u00a0s" if rest else f"{whole}\u00a0min"
