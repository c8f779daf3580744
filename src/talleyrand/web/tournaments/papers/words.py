"""Words of papers and files: names, hours and dates as the place of the event has them."""

from __future__ import annotations

from datetime import date, datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.tournament import boards
from talleyrand.tournament.model import Board, Event
from talleyrand.tournament.timing import moment
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import naming

in_order, refusal, zone = naming.in_order, naming.refusal, naming.zone


def name_of(event: Event, number: int | None) -> str:
    """Somebody by his name, "" for nobody."""
    known = event.people.get(number) if number is not None else None
    return known.name if known else ""


def power(code: str) -> str:
    """A power by its name."""
    return wording.power(variants.load("classic"), code)


def colour(code: str) -> str:
    """The colour in which the boards draw a power."""
    return variants.load("classic").colours.get(code, "#777777")


def board_name(number: int, board: Board) -> str:
    """ "Board 2", or the final table."""
    named = _("Board %(number)s") % {"number": number}
    return _("%(board)s, final table") % {"board": named} if board.final else named


def variant_name(board: Board) -> str:
    """What is played on a board, "" for the usual game."""
    return "" if board.variant == boards.CLASSIC else naming.variant_name(board.variant)


def hour(event: Event, at: str) -> str:
    """A time with its day, as the place of the event reads it; "" where there is none."""
    found = moment(at)
    if found is None:
        return ""
    local = found.astimezone(zone(event))
    told = {"day": date_format(local, "l j F"), "hour": date_format(local, "TIME_FORMAT")}
    return _("%(day)s, %(hour)s") % told


def days(event: Event) -> str:
    """When the event is: a day, or the first and the last."""
    first, last = _day(event.announcement.opens), _day(event.announcement.ends)
    if first and last and first != last:
        told = {"first": date_format(first, "j F Y"), "last": date_format(last, "j F Y")}
        if (first.year, first.month) == (last.year, last.month):
            told["first"] = date_format(first, "j")
        return _("%(first)s–%(last)s") % told
    one = first or last
    return date_format(one, "j F Y") if one else ""


def _day(told: str) -> date | None:
    try:
        return datetime.fromisoformat(told).date()
    except ValueError:
        return None


def minutes(seconds: int) -> str:
    """ "18 min", with seconds where there are any."""
    whole, rest = divmod(seconds, 60)
    return f"{whole}\u00a0min\u00a0{rest:02}\u00a0s" if rest else f"{whole}\u00a0min"
