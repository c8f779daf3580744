"""What is wrong with a rule, and what to do, in a sentence."""

from __future__ import annotations

from django.utils.translation import gettext as _


def deadline_error_text(code: str) -> str:
    """For a code of Unfit, or of the form."""
    known = {
        "not_a_length": _("Write a length such as 48 h, 3 days or 15 min."),
        "length": _("A phase lasts from one minute to 90 days."),
        "not_an_hour": _("Write an hour such as 20:30, or 24:00 for the end of the day."),
        "which_midnight": _(
            "0:00 is unclear: write 24:00 for the end of the day; "
            "for its beginning, choose the day before at 24:00."
        ),
        "hour": _("Write the hour, such as 20:30, or 24:00 for the end of the day."),
        "days": _("Choose at least one day."),
        "period": _("Write one period a line, day first: 20/12 – 3/1, or 20 December 2026 – 3 January 2027."),
        "period_long": _("A period lasts a year at most."),
        "periods": _("Twenty periods at most."),
        "country": _("Choose a country of the list."),
        "grace": _("Grace lasts seven days at most."),
        "minimum": _("The minimum is 30 days at most."),
        "first": _("The first phase lasts 90 days at most."),
        "extension": _("An extension lasts 30 days at most."),
        "zone": _("Choose a time zone of the list."),
        "never": _("These exclusions leave no date for over a year: take some of them away."),
    }
    return known[code]
