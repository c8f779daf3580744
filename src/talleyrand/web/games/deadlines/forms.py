"""The rule for the dates of a game as part of a form."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from talleyrand.web.accounts import time_zones
from talleyrand.web.boards import display_names

from . import deadline_form_choices, typed_durations
from .date_texts import day_text, duration_text, hour_text
from .deadline_calendar import MIDNIGHT_MINUTE
from .deadline_error_texts import deadline_error_text
from .deadline_errors import InvalidDeadlineSettings
from .deadline_presets import DEADLINE_PRESETS, default_minimum, preset_name
from .deadline_rules import DeadlineRule, IntervalRule, ManualRule, WeekdayRule
from .deadline_settings import LONGEST_LENGTHS, DeadlineSettings
from .rest_days import RestDays, RestPeriod

DEFAULT_RULES = (WeekdayRule((4,), MIDNIGHT_MINUTE), IntervalRule(timedelta(hours=48)))


class DurationField(forms.CharField):
    """A length of time, typed; gives a timedelta, or None."""

    def clean(self, value: Any) -> timedelta | None:
        text = super().clean(value).strip()
        read: timedelta | None = _typed(typed_durations.parse_duration, text) if text else None
        return read


class HourField(forms.CharField):
    """An hour of the day, typed; gives a minute of the day, or None."""

    def clean(self, value: Any) -> int | None:
        text = super().clean(value)
        read: int | None = _typed(typed_durations.parse_hour, text) if text else None
        return read


class RestPeriodsField(forms.CharField):
    """Periods, one a line; gives them as values."""

    def clean(self, value: Any) -> tuple[RestPeriod, ...]:
        read: tuple[RestPeriod, ...] = _typed(typed_durations.parse_rest_periods, super().clean(value))
        return read


class NumberChoicesField(forms.TypedMultipleChoiceField):
    """Boxes to tick that are numbers; gives them in order."""

    def __init__(self, **more: Any) -> None:
        super().__init__(coerce=int, required=False, widget=forms.CheckboxSelectMultiple, **more)

    def clean(self, value: Any) -> tuple[int, ...]:
        return tuple(sorted(set(super().clean(value))))


def _typed(read: Any, text: str) -> Any:
    try:
        return read(text)
    except InvalidDeadlineSettings as unfit:
        raise forms.ValidationError(deadline_error_text(unfit.code), code=unfit.code) from None


def _short(most: int, label: Any, hint: Any, **more: Any) -> dict[str, Any]:
    return {"max_length": most, "required": False, "label": label, "help_text": hint, **more}


AN_HOUR = _("e.g. 20:30; 24:00 is midnight at the end of the day")
A_LENGTH = _("e.g. 48 h, 3 days, 15 min")
A_MINIMUM = _("a closer date moves to the next one; default: 2 days if weekly, otherwise 12 hours")
DETAILS = ("proposals", "grace", "minimum", "first", "extension", "weekdays", "months", "periods", "country")


class DeadlineForm(forms.Form):
    """`deadline_settings` is what it begins with (a new game: every Friday in the zone of its creator).

    To be checked with `is_valid`; `rhythm()` then gives the rule. Its fields are named `dates-…`.
    """

    prefix = "dates"

    pace = forms.ChoiceField(
        choices=deadline_form_choices.pace_choices, widget=forms.RadioSelect, label=_("Deadlines")
    )
    days = NumberChoicesField(choices=deadline_form_choices.weekday_choices, label=_("Days"))
    hour = HourField(**_short(20, _("Time"), AN_HOUR))
    length = DurationField(**_short(40, _("Phase length"), A_LENGTH))
    between = forms.ChoiceField(
        choices=deadline_form_choices.between_choices, required=False, label=_("Retreats and adjustments")
    )
    between_length = DurationField(**_short(40, _("Length of retreats and adjustments"), A_LENGTH))
    between_days = NumberChoicesField(
        choices=deadline_form_choices.weekday_choices, label=_("Days of retreats and adjustments")
    )
    between_hour = HourField(**_short(20, _("Time of retreats and adjustments"), AN_HOUR))
    proposals = forms.ChoiceField(
        choices=deadline_form_choices.proposal_choices,
        required=False,
        label=_("Proposals (variants with a proposal phase)"),
    )
    proposals_length = DurationField(**_short(40, _("Proposal phase length"), A_LENGTH))
    proposals_days = NumberChoicesField(
        choices=deadline_form_choices.weekday_choices, label=_("Proposal days")
    )
    proposals_hour = HourField(**_short(20, _("Proposal time"), AN_HOUR))
    zone = forms.ChoiceField(label=_("Time zone"))
    early = forms.ChoiceField(
        choices=deadline_form_choices.early_choices,
        widget=forms.RadioSelect,
        label=_("When everyone is ready"),
        help_text=_("Weekday deadlines keep their days either way."),
    )
    grace = DurationField(
        **_short(40, _("Grace period"), _("e.g. 1 hour; players with no orders yet can still submit"))
    )
    minimum = DurationField(
        **_short(
            40,
            _("Minimum phase length"),
            A_MINIMUM,
        )
    )
    first = DurationField(
        **_short(
            40,
            _("Minimum length of the first phase"),
            _("e.g. 10 days, for first contacts"),
        )
    )
    extension = DurationField(
        **_short(
            40,
            _("Automatic extension"),
            _("default: 24 hours, or the length of the phase if shorter"),
        )
    )
    weekdays = NumberChoicesField(choices=deadline_form_choices.weekday_choices, label=_("Never on"))
    months = NumberChoicesField(choices=deadline_form_choices.month_choices, label=_("Never in"))
    periods = RestPeriodsField(
        **_short(
            1000,
            _("Never from … to …"),
            _("one per line, day first: 20/12 – 3/1 every year, or with a year"),
            widget=forms.Textarea(attrs={"rows": 2}),
        )
    )
    country = forms.ChoiceField(
        choices=deadline_form_choices.country_choices, required=False, label=_("Never on public holidays")
    )

    def __init__(
        self,
        data: Any = None,
        *,
        rhythm: DeadlineSettings | None = None,
        zone: str = "Europe/Paris",
        now: datetime | None = None,
    ) -> None:
        self.now = now or timezone.now()
        self._rhythm: DeadlineSettings | None = None
        begun = rhythm or default_deadline_settings(
            zone if zone in time_zones.zone_names() else time_zones.USUAL[0]
        )
        super().__init__(data, initial=initial_deadline_values(begun))
        listed = self.fields["zone"]
        assert isinstance(listed, forms.ChoiceField)
        listed.choices = time_zones.zone_choices(begun.time_zone)

    @property
    def has_details(self) -> bool:
        """Whether something stands in the part that is folded away otherwise."""
        return any(self[name].errors or self[name].value() for name in DETAILS)

    def deadline_settings(self) -> DeadlineSettings:
        """The rule of a valid form."""
        if self._rhythm is None:
            raise ValueError("the form is not valid")
        return self._rhythm

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self._rhythm = self._checked(self._deadline_settings(cleaned))
            except DeadlineFormRefusal as refused:
                self.add_error(
                    refused.field, forms.ValidationError(deadline_error_text(refused.code), refused.code)
                )
        return cleaned

    def _deadline_settings(self, told: dict[str, Any]) -> DeadlineSettings:
        movement, between = self._rules(told)
        proposals = _rule(told["proposals"], told, "proposals_") if told["proposals"] else None
        rests = ("weekdays", "months", "periods", "country")
        resting = _fit("country", RestDays, *(told[name] for name in rests))
        lengths = {name: told[name] or timedelta(0) for name in LONGEST_LENGTHS}
        if told["minimum"] is None:
            lengths["minimum"] = default_minimum(movement, between)
        try:
            return DeadlineSettings(
                movement,
                between,
                time_zone=told["zone"],
                proposals=proposals,
                plays_early=told["early"] == "ready",
                rest_days=resting,
                **lengths,
            )
        except InvalidDeadlineSettings as unfit:
            raise DeadlineFormRefusal(unfit.code if unfit.code in self.fields else None, unfit.code) from None

    def _rules(self, told: dict[str, Any]) -> tuple[DeadlineRule, DeadlineRule | None]:
        if told["pace"] in DEADLINE_PRESETS:
            return DEADLINE_PRESETS[told["pace"]]
        own = _rule(told["pace"], told, "")
        return own, _rule(told["between"], told, "between_") if told["between"] else None

    def _checked(self, rhythm: DeadlineSettings) -> DeadlineSettings:
        _fit(None, rhythm.check_leaves_dates, self.now)
        return rhythm


def default_deadline_settings(zone: str) -> DeadlineSettings:
    """What a new game is offered."""
    return DeadlineSettings(*DEFAULT_RULES, time_zone=zone, minimum=default_minimum(*DEFAULT_RULES))


class DeadlineFormRefusal(Exception):
    """What is wrong with which field (None: with the whole)."""

    def __init__(self, field: str | None, code: str) -> None:
        super().__init__(code)
        self.field, self.code = field, code


def _fit(field: str | None, make: Any, *values: Any) -> Any:
    try:
        return make(*values)
    except InvalidDeadlineSettings as unfit:
        raise DeadlineFormRefusal(field, unfit.code) from None


def _rule(kind: str, told: dict[str, Any], part: str) -> DeadlineRule:
    if kind == "hand":
        return ManualRule()
    if kind == "every":
        made: DeadlineRule = _fit(f"{part}length", IntervalRule, told[f"{part}length"] or timedelta(0))
        return made
    if not told[f"{part}days"]:
        raise DeadlineFormRefusal(f"{part}days", "days")
    dated: DeadlineRule = _fit(f"{part}hour", WeekdayRule, told[f"{part}days"], told[f"{part}hour"])
    return dated


def initial_deadline_values(rhythm: DeadlineSettings) -> dict[str, Any]:
    """What the fields hold for a rule."""
    language = display_names.reader_language()
    lengths = {
        name: duration_text(getattr(rhythm, name), language)
        for name in LONGEST_LENGTHS
        if getattr(rhythm, name)
    }
    if rhythm.minimum == default_minimum(rhythm.movement, rhythm.between):
        lengths["minimum"] = ""
    resting = rhythm.rest_days
    return {
        "pace": preset_name(rhythm.movement, rhythm.between) or _kind(rhythm.movement),
        "between": _kind(rhythm.between),
        "proposals": _kind(rhythm.proposals),
        **_fields(rhythm.movement, "", language),
        **_fields(rhythm.between, "between_", language),
        **_fields(rhythm.proposals, "proposals_", language),
        **{name: lengths.get(name, "") for name in LONGEST_LENGTHS if name != "minimum"},
        "minimum": lengths.get("minimum", duration_text(rhythm.minimum, language)),
        "zone": rhythm.time_zone,
        "early": "ready" if rhythm.plays_early else "never",
        "weekdays": resting.weekdays,
        "months": resting.months,
        "periods": "\n".join(_line(period, language) for period in resting.periods),
        "country": resting.country,
    }


def _kind(rule: DeadlineRule | None) -> str:
    kinds = {WeekdayRule: "days", IntervalRule: "every", ManualRule: "hand"}
    return kinds[type(rule)] if rule else ""


def _fields(rule: DeadlineRule | None, part: str, language: str) -> dict[str, Any]:
    days = rule if isinstance(rule, WeekdayRule) else DEFAULT_RULES[0]
    every = rule if isinstance(rule, IntervalRule) else DEFAULT_RULES[1]
    return {
        f"{part}days": days.days,
        f"{part}hour": hour_text(days.minute, language),
        f"{part}length": duration_text(every.length, language, days_from=4),
    }


def _line(period: RestPeriod, language: str) -> str:
    first, last = day_text(period.since, language), day_text(period.until, language)
    return first if first == last else f"{first} – {last}"
