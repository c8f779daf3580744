"""What the fields of the form offer."""

from __future__ import annotations

from django.utils.translation import gettext as _

from talleyrand.web.boards.display_names import reader_language

from .date_texts import MONTHS, WEEKDAYS
from .holiday_countries import HOLIDAY_COUNTRIES

FormChoices = list[tuple[str, str]]


def pace_choices() -> FormChoices:
    """The usual paces, then one’s own."""
    return [
        ("friday", _("Every Friday at 24:00; retreats and adjustments within 48 hours")),
        ("daily", _("Every day at 20:00")),
        ("two_days", _("48 hours per phase; retreats and adjustments within 24 hours")),
        ("live", _("Live: 15 minutes per phase; retreats and adjustments within 5 minutes")),
        ("hand", _("No deadlines: the GM sets the pace")),
        ("days", _("Other days, at a set time…")),
        ("every", _("Another phase length…")),
    ]


def between_choices() -> FormChoices:
    return [
        ("", _("same as movement")),
        ("every", _("within a set time")),
        ("days", _("on their own days")),
        ("hand", _("when the GM decides")),
    ]


def proposal_choices() -> FormChoices:
    return [
        ("", _("a few days before orders, or the same as orders")),
        ("every", _("within a set time")),
        ("days", _("on their own days")),
    ]


def early_choices() -> FormChoices:
    return [
        ("ready", _("resolve at once, before the deadline")),
        ("never", _("wait for the deadline anyway")),
    ]


def weekday_choices() -> FormChoices:
    return [(str(number), name) for number, name in enumerate(WEEKDAYS[reader_language()])]


def month_choices() -> FormChoices:
    return [(str(number), name) for number, name in enumerate(MONTHS[reader_language()], 1)]


def country_choices() -> FormChoices:
    return [("", _("none")), *((code, names[reader_language()]) for code, names in HOLIDAY_COUNTRIES.items())]
