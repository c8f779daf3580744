"""Words of papers and files: names, hours and dates as the place of the event has them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from talleyrand import messages, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import tournament as sentences
from talleyrand.tournament import boards
from talleyrand.tournament.errors import BadEvent, Refused
from talleyrand.tournament.likeness import plain
from talleyrand.tournament.model import Board, Event
from talleyrand.tournament.timing import moment
from talleyrand.web.boards import wording


def refusal(error: TalleyrandError) -> str:
    """Why something cannot be done, and what to do instead."""
    if isinstance(error, Refused | BadEvent):
        return sentences.refusal(error)[wording.language()]
    return messages.error(error, wording.language())


def name_of(event: Event, number: int | None) -> str:
    """Somebody by his name, "" for nobody."""
    known = event.people.get(number) if number is not None else None
    return known.name if known else ""


def in_order(event: Event, people: Iterable[int]) -> list[int]:
    """People as one alphabetical list has them."""
    return sorted(people, key=lambda number: (plain(name_of(event, number)), number))


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
    own = {
        boards.CLASSIC: "",
        boards.INTIMATE: _("intimate Diplomacy"),
        boards.PAIRS: _("three alliances of two, England alone"),
        boards.ESCALATION: _("Escalation"),
    }
    if board.variant in own:
        return own[board.variant]
    known = board.variant in variants.every_name()
    return variants.load_board(board.variant).title[wording.language()] if known else board.variant


def hour(event: Event, at: str) -> str:
    """A time with its day, as the place of the event reads it; "" where there is none."""
    found = moment(at)
    if found is None:
        return ""
    local = found.astimezone(zone(event))
    told = {"day": date_format(local, "l j F"), "hour": date_format(local, "TIME_FORMAT")}
    return _("%(day)s, %(hour)s") % told


def zone(event: Event) -> ZoneInfo:
    """The zone of the place."""
    try:
        return ZoneInfo(event.announcement.zone)
    except (ValueError, KeyError, OSError):
        return ZoneInfo(str(timezone.get_default_timezone()))


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
