"""Names and figures as every page, screen and paper of a tournament has them: one way to say each."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from django.utils.translation import gettext as _

from talleyrand import messages, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.scores import decimal
from talleyrand.messages import tournament as sentences
from talleyrand.tournament.boards import CLASSIC, ESCALATION, INTIMATE, PAIRS, variant_of
from talleyrand.tournament.errors import BadEvent, Refused
from talleyrand.tournament.likeness import plain
from talleyrand.tournament.model import Event
from talleyrand.web.boards import wording


def refusal(error: TalleyrandError, event: Event | None = None) -> str:
    """Why something cannot be done, and what to do instead; people of the event by their names."""
    if not isinstance(error, Refused | BadEvent):
        return messages.error(error, wording.language())
    return sentences.refusal(error, names(event) if event else None)[wording.language()]


def names(event: Event) -> dict[str, str]:
    """Everybody's name by his number, as sentences ask for them."""
    return {str(number): known.name for number, known in event.people.items()}


def in_order(event: Event, people: Iterable[int]) -> list[int]:
    """People as one alphabetical list has them; whoever is no longer known comes first."""
    known = {number: one.name for number, one in event.people.items()}
    return sorted(people, key=lambda number: (plain(known.get(number, "")), number))


def board_name(number: int | str) -> str:
    """A board by its number, or several."""
    return _("Board %(number)s") % {"number": number}


def round_name(number: int) -> str:
    """A round by its number."""
    return _("Round %(number)s") % {"number": number}


def power(code: str, variant: str = CLASSIC) -> str:
    """A power by its name; "" for none."""
    return wording.power(variant_of(variant), code) if code else ""


def colour(code: str, variant: str = CLASSIC) -> str:
    """The colour that boards on a page give a power."""
    return wording.colour(variant_of(variant), code)


def province(code: str, variant: str = CLASSIC) -> str:
    """A province by its name; what nobody knows as it was typed."""
    known = variant_of(variant)
    return known.names(wording.language()).location(code) if code in known.board.provinces else code


def seasons(codes: Iterable[str]) -> str:
    """Seasons, one or those merged into one: "Printemps 1904"."""
    return " + ".join(wording.season(variant_of(CLASSIC), f"{code}M") for code in codes)


def moment_title(code: str) -> str:
    """A moment at which the end may be asked: "après les retraites du printemps 1904"."""
    told = {
        "SR": _("after the retreats of spring %(year)s"),
        "FR": _("after the retreats of autumn %(year)s"),
        "WA": _("after the adjustments of %(year)s"),
    }
    return told.get(code[:1] + code[-1:], "%(year)s") % {"year": code[1:-1]}


def variant_name(name: str) -> str:
    """What is played on a board."""
    own = {
        INTIMATE: _("intimate Diplomacy"),
        PAIRS: _("three alliances of two, England alone"),
        ESCALATION: _("Escalation"),
    }
    if name in own:
        return own[name]
    return variants.load_board(name).title[wording.language()] if name in variants.every_name() else name


def written(value: str) -> str:
    """A number as somebody typed it, with the mark of the reader's language: 0,5."""
    return value.replace(".", ",") if wording.language() == "fr" else value.replace(",", ".")


def points(value: Fraction) -> str:
    """Points with three decimals, all of them shown, in the manner of the language: 58,143."""
    told = decimal(value).replace("-", "−")
    return told.replace(".", ",") if wording.language() == "fr" else told
