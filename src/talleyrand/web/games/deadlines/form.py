"""The rule for the dates of a game as part of a form."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from talleyrand.web.accounts import zones
from talleyrand.web.boards import wording

from . import choices, typed
from .almanac import MIDNIGHT
from .errors import Unfit
from .presets import PRESETS, preset, usual_minimum
from .refusals import sentence
from .resting import Period, Resting
from .rhythm import MOST, Rhythm
from .rules import ByHand, Days, Every, Rule
from .words import day, hour, length

USUAL = (Days((4,), MIDNIGHT), Every(timedelta(hours=48)))


class Length(forms.CharField):
    """A length of time, typed; gives a timedelta, or None."""

    def clean(self, value: Any) -> timedelta | None:
        text = super().clean(value).strip()
        read: timedelta | None = _typed(typed.length, text) if text else None
        return read


class Hour(forms.CharField):
    """An hour of the day, typed; gives a minute of the day, or None."""

    def clean(self, value: Any) -> int | None:
        text = super().clean(value)
        read: int | None = _typed(typed.hour, text) if text else None
        return read


class Periods(forms.CharField):
    """Periods, one a line; gives them as values."""

    def clean(self, value: Any) -> tuple[Period, ...]:
        read: tuple[Period, ...] = _typed(typed.periods, super().clean(value))
        return read


class Numbers(forms.TypedMultipleChoiceField):
    """Boxes to tick that are numbers; gives them in order."""

    def __init__(self, **more: Any) -> None:
        super().__init__(coerce=int, required=False, widget=forms.CheckboxSelectMultiple, **more)

    def clean(self, value: Any) -> tuple[int, ...]:
        return tuple(sorted(set(super().clean(value))))


def _typed(read: Any, text: str) -> Any:
    try:
        return read(text)
    except Unfit as unfit:
        raise forms.ValidationError(sentence(unfit.code), code=unfit.code) from None


def _short(most: int, label: Any, hint: Any, **more: Any) -> dict[str, Any]:
    return {"max_length": most, "required": False, "label": label, "help_text": hint, **more}


AN_HOUR = _("for instance 20:30; 24:00 ends the day")
A_LENGTH = _("for instance 48 h, 3 days, 15 min")
A_MINIMUM = _("a nearer date goes to the next one; left empty: two days for one day a week, else 12 hours")
DETAILS = ("proposals", "grace", "minimum", "first", "extension", "weekdays", "months", "periods", "country")


class RhythmForm(forms.Form):
    """`rhythm` is what it begins with (a new game: every Friday in the zone of its creator).

    To be checked with `is_valid`; `rhythm()` then gives the rule. Its fields are named `dates-…`.
    """

    prefix = "dates"

    pace = forms.ChoiceField(choices=choices.paces, widget=forms.RadioSelect, label=_("When orders are due"))
    days = Numbers(choices=choices.weekdays, label=_("Days"))
    hour = Hour(**_short(20, _("Hour"), AN_HOUR))
    length = Length(**_short(40, _("Length of a phase"), A_LENGTH))
    between = forms.ChoiceField(choices=choices.between, required=False, label=_("Retreats and adjustments"))
    between_length = Length(**_short(40, _("Length of retreats and adjustments"), A_LENGTH))
    between_days = Numbers(choices=choices.weekdays, label=_("Days of retreats and adjustments"))
    between_hour = Hour(**_short(20, _("Hour of retreats and adjustments"), AN_HOUR))
    proposals = forms.ChoiceField(
        choices=choices.proposals,
        required=False,
        label=_("Proposals, on boards where one proposes before one orders"),
    )
    proposals_length = Length(**_short(40, _("Length of the proposals"), A_LENGTH))
    proposals_days = Numbers(choices=choices.weekdays, label=_("Days of the proposals"))
    proposals_hour = Hour(**_short(20, _("Hour of the proposals"), AN_HOUR))
    zone = forms.ChoiceField(label=_("Time zone"))
    early = forms.ChoiceField(
        choices=choices.early,
        widget=forms.RadioSelect,
        label=_("When all are ready"),
        help_text=_("Deadlines on weekdays stay on their days either way."),
    )
    grace = Length(
        **_short(40, _("Grace for the late"), _("for instance 1 hour; sheets that arrive then still count"))
    )
    minimum = Length(
        **_short(
            40,
            _("A phase lasts at least"),
            A_MINIMUM,
        )
    )
    first = Length(
        **_short(
            40,
            _("The first phase lasts at least"),
            _("for instance 10 days, to get to know each other"),
        )
    )
    extension = Length(
        **_short(
            40,
            _("An automatic extension lasts"),
            _("left empty: to the next day of the rule, or 24 hours at most"),
        )
    )
    weekdays = Numbers(choices=choices.weekdays, label=_("Never on"))
    months = Numbers(choices=choices.months, label=_("Never in"))
    periods = Periods(
        **_short(
            1000,
            _("Never from … to …"),
            _("one a line, day first: 20/12 – 3/1 each year, or with the year"),
            widget=forms.Textarea(attrs={"rows": 2}),
        )
    )
    country = forms.ChoiceField(
        choices=choices.countries, required=False, label=_("Never on public holidays")
    )

    def __init__(
        self,
        data: Any = None,
        *,
        rhythm: Rhythm | None = None,
        zone: str = "Europe/Paris",
        now: datetime | None = None,
    ) -> None:
        self.now = now or timezone.now()
        self._rhythm: Rhythm | None = None
        begun = rhythm or usual(zone if zone in zones.known() else zones.USUAL[0])
        super().__init__(data, initial=initial(begun))
        listed = self.fields["zone"]
        assert isinstance(listed, forms.ChoiceField)
        listed.choices = zones.groups(begun.zone)

    @property
    def details_told(self) -> bool:
        """Whether something stands in the part that is folded away otherwise."""
        return any(self[name].errors or self[name].value() for name in DETAILS)

    def rhythm(self) -> Rhythm:
        """The rule of a valid form."""
        if self._rhythm is None:
            raise ValueError("the form is not valid")
        return self._rhythm

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self._rhythm = self._checked(self._made(cleaned))
            except Refused as refused:
                self.add_error(refused.field, forms.ValidationError(sentence(refused.code), refused.code))
        return cleaned

    def _made(self, told: dict[str, Any]) -> Rhythm:
        movement, between = self._rules(told)
        proposals = _rule(told["proposals"], told, "proposals_") if told["proposals"] else None
        rests = ("weekdays", "months", "periods", "country")
        resting = _fit("country", Resting, *(told[name] for name in rests))
        lengths = {name: told[name] or timedelta(0) for name in MOST}
        if told["minimum"] is None:
            lengths["minimum"] = usual_minimum(movement, between)
        try:
            return Rhythm(
                movement,
                between,
                zone=told["zone"],
                proposals=proposals,
                early=told["early"] == "ready",
                resting=resting,
                **lengths,
            )
        except Unfit as unfit:
            raise Refused(unfit.code if unfit.code in self.fields else None, unfit.code) from None

    def _rules(self, told: dict[str, Any]) -> tuple[Rule, Rule | None]:
        if told["pace"] in PRESETS:
            return PRESETS[told["pace"]]
        own = _rule(told["pace"], told, "")
        return own, _rule(told["between"], told, "between_") if told["between"] else None

    def _checked(self, rhythm: Rhythm) -> Rhythm:
        _fit(None, rhythm.check, self.now)
        return rhythm


def usual(zone: str) -> Rhythm:
    """What a new game is offered."""
    return Rhythm(*USUAL, zone=zone, minimum=usual_minimum(*USUAL))


class Refused(Exception):
    """What is wrong with which field (None: with the whole)."""

    def __init__(self, field: str | None, code: str) -> None:
        super().__init__(code)
        self.field, self.code = field, code


def _fit(field: str | None, make: Any, *values: Any) -> Any:
    try:
        return make(*values)
    except Unfit as unfit:
        raise Refused(field, unfit.code) from None


def _rule(kind: str, told: dict[str, Any], part: str) -> Rule:
    if kind == "hand":
        return ByHand()
    if kind == "every":
        made: Rule = _fit(f"{part}length", Every, told[f"{part}length"] or timedelta(0))
        return made
    if not told[f"{part}days"]:
        raise Refused(f"{part}days", "days")
    dated: Rule = _fit(f"{part}hour", Days, told[f"{part}days"], told[f"{part}hour"])
    return dated


def initial(rhythm: Rhythm) -> dict[str, Any]:
    """What the fields hold for a rule."""
    language = wording.language()
    lengths = {name: length(getattr(rhythm, name), language) for name in MOST if getattr(rhythm, name)}
    if rhythm.minimum == usual_minimum(rhythm.movement, rhythm.between):
        lengths["minimum"] = ""
    resting = rhythm.resting
    return {
        "pace": preset(rhythm.movement, rhythm.between) or _kind(rhythm.movement),
        "between": _kind(rhythm.between),
        "proposals": _kind(rhythm.proposals),
        **_fields(rhythm.movement, "", language),
        **_fields(rhythm.between, "between_", language),
        **_fields(rhythm.proposals, "proposals_", language),
        **{name: lengths.get(name, "") for name in MOST if name != "minimum"},
        "minimum": lengths.get("minimum", length(rhythm.minimum, language)),
        "zone": rhythm.zone,
        "early": "ready" if rhythm.early else "never",
        "weekdays": resting.weekdays,
        "months": resting.months,
        "periods": "\n".join(_line(period, language) for period in resting.periods),
        "country": resting.country,
    }


def _kind(rule: Rule | None) -> str:
    kinds = {Days: "days", Every: "every", ByHand: "hand"}
    return kinds[type(rule)] if rule else ""


def _fields(rule: Rule | None, part: str, language: str) -> dict[str, Any]:
    days = rule if isinstance(rule, Days) else USUAL[0]
    every = rule if isinstance(rule, Every) else USUAL[1]
    return {
        f"{part}days": days.days,
        f"{part}hour": hour(days.minute, language),
        f"{part}length": length(every.length, language, days_from=4),
    }


def _line(period: Period, language: str) -> str:
    first, last = day(period.since, language), day(period.until, language)
    return first if first == last else f"{first} – {last}"
