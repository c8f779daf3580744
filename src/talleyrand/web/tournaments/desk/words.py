"""Words of the desk: names, places, hours, and why something is refused."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from talleyrand import messages, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import tournament as sentences
from talleyrand.tournament.errors import BadEvent, Refused
from talleyrand.tournament.likeness import plain
from talleyrand.tournament.model import Event
from talleyrand.tournament.timing import moment
from talleyrand.web.boards import wording


def refusal(error: TalleyrandError, event: Event) -> str:
    """Why something cannot be done, and what to do instead, with people by their names."""
    if not isinstance(error, Refused | BadEvent):
        return messages.error(error, wording.language())
    return sentences.refusal(error, names(event))[wording.language()]


def names(event: Event) -> dict[str, str]:
    """Everybody's name by number, as sentences ask for them."""
    return {str(number): known.name for number, known in event.people.items()}


def name_of(event: Event, number: int | str | None) -> str:
    """Somebody by his name; his number where nobody has it any more."""
    if number is None:
        return _("nobody")
    known = event.people.get(int(number)) if str(number).isdecimal() else None
    return known.name if known else _("number %(number)s") % {"number": number}


def in_order(event: Event, people: object = None) -> list[int]:
    """People as one alphabetical list has them."""
    wanted = event.people if people is None else people
    assert hasattr(wanted, "__iter__")
    return sorted(wanted, key=lambda number: (plain(name_of(event, number)), number))


def power(code: str) -> str:
    """A power by its name."""
    return wording.power(variants.load("classic"), code) if code else ""


def board_name(number: int) -> str:
    """A board by its number."""
    return _("Board %(number)s") % {"number": number}


def variant_name(name: str) -> str:
    """What is played on a board."""
    own = {
        "intimate": _("intimate Diplomacy"),
        "pairs": _("three alliances of two, England alone"),
        "escalation": _("Escalation"),
    }
    if name in own:
        return own[name]
    return variants.load_board(name).title[wording.language()] if name in variants.every_name() else name


def hour(event: Event, at: str) -> str:
    """A time of the event as its place reads it: "19 h 42", with the day where it is another."""
    found = moment(at)
    if found is None:
        return ""
    local = found.astimezone(zone(event))
    day = local.date() == datetime.now(zone(event)).date()
    return date_format(local, "TIME_FORMAT" if day else "SHORT_DATETIME_FORMAT")


def zone(event: Event) -> ZoneInfo:
    """The zone of the place."""
    try:
        return ZoneInfo(event.announcement.zone)
    except (ValueError, KeyError, OSError):
        return ZoneInfo(str(timezone.get_default_timezone()))


def by_name(event: Event, by: str) -> str:
    """Who entered or confirmed something: somebody by his name, or the desk."""
    return name_of(event, by) if by.isdecimal() else _("the desk")


def season(text: str) -> str:
    """ "Spring 1904"."""
    return wording.season(variants.load("classic"), f"{text}M")


def points(value: Fraction) -> str:
    """Points to three decimals, all of them, so that a column reads well."""
    thousandths = round(abs(value) * 1000)
    text = f"{thousandths // 1000}.{thousandths % 1000:03}"
    sign = "−" if value < 0 and thousandths else ""
    return sign + (text if wording.language() == "en" else text.replace(".", ","))
