"""The form by which somebody signs up, and changes what is known of him."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from talleyrand.formats.visible_text import one_line_name
from talleyrand.tournament import birth_dates
from talleyrand.tournament.model import Event, EventPerson, PrivateFacts, RoundState
from talleyrand.tournament.people_list.list_rows import InvalidList, birth_cell
from talleyrand.tournament.whole_numbers import parse_natural

from . import regulations_texts

LONGEST_NAME = 80
MOST_MINUTES = 6_000
OPEN_ROUND_STATES = (RoundState.PLANNED, RoundState.OPEN)


def whole_number_or_none(text: str) -> int:
    """The number of a round, a team or a person; -1 for what is none."""
    number = parse_natural(text.strip())
    return -1 if number is None else number


def open_round_numbers(event: Event) -> list[int]:
    """The rounds that one may still sign up for."""
    return [
        number for number, one in event.rounds.items() if one.state in OPEN_ROUND_STATES and not one.cancelled
    ]


class PersonFactsForm(forms.Form):
    """What somebody says of himself; only his name, club, town and country are for others to read.

    Whether he can keep the record of a board is asked where the draw of the event looks at it.
    """

    def __init__(self, data: Any = None, *, event: Event, known: EventPerson | None = None) -> None:
        super().__init__(data, initial=_initial(known) if known else None, auto_id="own-%s")
        self.fields["name"] = _line(
            LONGEST_NAME, required=_("Enter the name others know you by; it appears in every list.")
        )
        for name in ("club", "town", "country"):
            self.fields[name] = _line(60)
        self.fields["phone"] = _line(30)
        self.fields["mail"] = forms.EmailField(
            required=False,
            max_length=254,
            error_messages={
                "invalid": _("Enter an email address such as name@example.org, or leave this empty.")
            },
        )
        self.fields["born"] = _line(10)
        self.fields["minutes"] = forms.IntegerField(
            required=False,
            min_value=0,
            max_value=MOST_MINUTES,
            error_messages=dict.fromkeys(
                ("invalid", "min_value", "max_value"),
                _("Enter minutes as a number, for example 150 for two and a half hours."),
            ),
        )
        self.fields["beginner"] = forms.BooleanField(required=False)
        if regulations_texts.regulations_of(event).recorders:
            self.fields["recorder"] = forms.BooleanField(required=False)

    def clean_born(self) -> str:
        """A date or a year, as a list has them."""
        born: str = self.cleaned_data["born"]
        with suppress(InvalidList):
            born = birth_cell(born)
        if not birth_dates.is_birth_date(born):
            raise forms.ValidationError(_("Enter a year (1999) or a date (1999-05-31), or leave this empty."))
        return born

    def clean(self) -> dict[str, Any]:
        told = {
            name: one_line_name(value) if isinstance(value, str) else value
            for name, value in (super().clean() or self.cleaned_data).items()
        }
        if "name" in told and not told["name"]:
            self.add_error("name", self.fields["name"].error_messages["required"])
        return told

    def person_from_form(self, known: EventPerson) -> EventPerson:
        """What is known of somebody once the form counts; the desk's own facts stay as they are."""
        told = self.cleaned_data
        private = replace(known.private, born=told["born"], mail=told["mail"], phone=told["phone"])
        return replace(
            known,
            name=told["name"],
            club=told["club"],
            town=told["town"],
            country=told["country"],
            beginner=told["beginner"],
            recorder=told.get("recorder", known.recorder),
            minutes=told["minutes"],
            private=private,
        )

    def completed_person(self, known: EventPerson) -> EventPerson:
        """The same from somebody who is not shown what is known: what he leaves out stays as it is."""
        made, told = self.person_from_form(known), self.cleaned_data
        kept = {name: getattr(known.private, name) for name in ("born", "mail", "phone") if not told[name]}
        minutes = known.minutes if told["minutes"] is None else told["minutes"]
        return replace(made, minutes=minutes, private=replace(made.private, **kept))


class TournamentSignUpForm(PersonFactsForm):
    """The same, with the rounds one means to play, a team, and the regulations."""

    def __init__(self, data: Any = None, *, event: Event, known: EventPerson | None = None) -> None:
        super().__init__(data, event=event, known=known)
        self.event = event
        self.fields["rounds"] = forms.TypedMultipleChoiceField(
            choices=[(number, str(number)) for number in open_round_numbers(event)],
            coerce=int,
            required=False,
            error_messages={
                "invalid_choice": _("This round has started or does not exist. Check the list again.")
            },
        )
        self.fields["accepted"] = forms.BooleanField(
            error_messages={
                "required": _(
                    "You must accept the regulations to play. Tick the box once you have read them."
                )
            }
        )
        self.fields["other"] = forms.BooleanField(required=False)
        self.fields["submission"] = forms.CharField(max_length=120)

    def person_from_form(self, known: EventPerson | None = None) -> EventPerson:
        """The newcomer."""
        made = super().person_from_form(known or EventPerson(name="", private=PrivateFacts()))
        return replace(made, rounds=tuple(sorted(self.cleaned_data["rounds"])), accepted=True)


def _line(most: int, *, required: str = "") -> forms.CharField:
    told = {"max_length": _("Too long: at most %(most)d characters.") % {"most": most}}
    if required:
        told["required"] = required
    return forms.CharField(required=bool(required), max_length=most, error_messages=told)


def _initial(known: EventPerson) -> dict[str, Any]:
    return {
        "name": known.name,
        "club": known.club,
        "town": known.town,
        "country": known.country,
        "phone": known.private.phone,
        "mail": known.private.mail,
        "born": known.private.born,
        "minutes": known.minutes,
        "beginner": known.beginner,
        "recorder": known.recorder,
    }
