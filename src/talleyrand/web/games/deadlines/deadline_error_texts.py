"""What is wrong with a rule, and what to do, in a sentence."""

from __future__ import annotations

from django.utils.translation import gettext as _


def deadline_error_text(code: str) -> str:
    """For a code of Unfit, or of the form."""
    known = {
        "not_a_length": _("Enter a length such as 48 h, 3 days or 15 min."),
        "length": _("A phase must last between 1 minute and 90 days."),
        "not_an_hour": _("Enter a time such as 20:30, or 24:00 for the end of the day."),
        "which_midnight": _(
            "0:00 is ambiguous: write 24:00 for the end of the day; for its start, pick the "
            "day before at 24:00."
        ),
        "hour": _("Enter the time, e.g. 20:30, or 24:00 for the end of the day."),
        "days": _("Choose at least one day."),
        "period": _(
            "Enter one period per line, day first: 20/12 – 3/1, or 20 December 2026 – 3 January 2027."
        ),
        "period_long": _("A period can’t be longer than a year."),
        "periods": _("20 periods at most."),
        "country": _("Choose a country from the list."),
        "grace": _("The grace period can’t exceed 7 days."),
        "minimum": _("The minimum can’t exceed 30 days."),
        "first": _("The minimum for the first phase can’t exceed 90 days."),
        "extension": _("An extension can’t exceed 30 days."),
        "zone": _("Choose a time zone from the list."),
        "never": _("These exclusions leave no date for over a year; remove some."),
    }
    return known[code]
