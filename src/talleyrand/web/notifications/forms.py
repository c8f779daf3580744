"""What the forms of the news send, and what they show."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .preferences import CHANNELS, DAILY, GROUPS, NO, NOW, OF_ADMINISTRATORS, VALUES, NotificationPreferences

MOST_DIGITS = 18
TIMES = ("quiet_from", "quiet_to")

GROUP_TITLES: dict[str, tuple[str | Promise, str | Promise]] = {
    "phases": (_("Results"), _("a phase is resolved, corrected or rolled back; the game starts or ends")),
    "deadlines": (
        _("Deadlines"),
        _("orders are due or missing; the deadline changes; a pause begins or ends"),
    ),
    "letters": (
        _("Messages"),
        _("a message for you, one held for your decision, or one returned by the game master"),
    ),
    "votes": (_("Votes"), _("an end to the game is proposed or decided")),
    "seats": (_("Seats"), _("someone else plays a power; the players’ identities are revealed")),
    "openings": (
        _("Games to join"),
        _("a game matches a search of yours; a rematch is offered; your group has a new game"),
    ),
    "desk": (
        _("For the game master"),
        _("the game is waiting for you; a pause is requested; someone joins or leaves"),
    ),
    "tournaments": (
        _("Tournaments"),
        _(
            "your seat, a result to confirm, a vote to end the game, the prizes (as far as the "
            "director announces them)"
        ),
    ),
    "site": (
        _("For the administrator"),
        _("phases are late, the clock or email has stopped, the disk is nearly full"),
    ),
}
CHANNEL_TITLES: dict[str, str | Promise] = {
    "page": _("On the site"),
    "mail": _("By email"),
    "push": _("On my devices"),
}
VALUE_TITLES: dict[str, str | Promise] = {NOW: _("yes"), DAILY: _("once a day"), NO: _("no")}


class QuietHoursForm(forms.Form):
    """Two times of the day, or none."""

    def __init__(self, data: Any = None, hours: tuple[int, int] | None = None) -> None:
        initial = {name: time(*divmod(minute, 60)) for name, minute in zip(TIMES, hours or (), strict=False)}
        super().__init__(data, initial=initial)
        for name, label in zip(TIMES, (_("From"), _("to")), strict=True):
            shown = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
            message = {"invalid": _("Not a time: write it like 22:30.")}
            self.fields[name] = forms.TimeField(
                required=False, label=label, widget=shown, error_messages=message
            )

    def clean(self) -> dict[str, Any]:
        told = super().clean() or self.cleaned_data
        given = [told.get(name) for name in TIMES]
        if not self.errors and (given[0] is None) != (given[1] is None):
            raise forms.ValidationError(_("Enter both times, or none."))
        if not self.errors and given[0] is not None and given[0] == given[1]:
            raise forms.ValidationError(_("Enter two different times, or none."))
        return told

    @property
    def hours(self) -> tuple[int, int] | None:
        """Of a valid form, as `preferences.keep_quiet_hours` takes them."""
        since, until = (self.cleaned_data.get(name) for name in TIMES)
        return (since.hour * 60 + since.minute, until.hour * 60 + until.minute) if since and until else None


def marked_filter(sent: QueryDict) -> dict[str, Any]:
    """Which news a form marks: `notice` one, `about` a game's, `until` those known when the page was made."""
    found: dict[str, Any] = {}
    if about := sent.get("about", ""):
        found["topic"] = about if "\0" not in about else ""
    for name, field in (("notice", "pk"), ("until", "pk__lte")):
        if name in sent:
            found[field] = _number(sent.get(name, ""))
    return found or {"pk": -1}


def _number(text: object) -> int:
    """-1, which no row has, for anything that is no number."""
    if not isinstance(text, str):
        return -1
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else -1


def preferences_from_form(
    sent: Mapping[str, str], before: NotificationPreferences
) -> NotificationPreferences:
    """The choices that a form sends; what it leaves out or gets wrong stays as it was."""
    kept = {group: dict(before.values[group]) for group in GROUPS}
    for group in GROUPS:
        for channel in CHANNELS:
            value = sent.get(f"{group}-{channel}", "")
            if value in VALUES[channel]:
                kept[group][channel] = value
    return NotificationPreferences.from_json(kept)


def preference_rows(
    choices: NotificationPreferences, *, is_administrator: bool = False
) -> list[dict[str, Any]]:
    """The rows of the form: a group with a list of values for each channel."""
    return [
        {
            "group": group,
            "title": GROUP_TITLES[group][0],
            "about": GROUP_TITLES[group][1],
            "cells": [_cell(choices, group, channel) for channel in CHANNELS],
        }
        for group in GROUPS
        if is_administrator or group not in OF_ADMINISTRATORS
    ]


def _cell(choices: NotificationPreferences, group: str, channel: str) -> dict[str, Any]:
    chosen = choices.wants(group, channel)
    return {
        "name": f"{group}-{channel}",
        "title": CHANNEL_TITLES[channel],
        "options": [(value, VALUE_TITLES[value], value == chosen) for value in VALUES[channel]],
    }
