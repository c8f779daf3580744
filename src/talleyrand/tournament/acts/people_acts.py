"""People: who comes, and what is known of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from talleyrand.tournament import birth_dates
from talleyrand.tournament.board_rules import CLASSIC, variant_powers
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventPerson, Office, PrivateFacts, RideOffer, RoundState

from .act import (
    EventAct,
    check_name,
    check_text,
    event_act,
    find_person,
    find_round,
    next_number,
    with_person,
)

MAX_PEOPLE = 2_000  # people of an event
MAX_NAME_LENGTH = 100  # letters of a name
MAX_MINUTES = 10_000  # by car


@event_act("person_added")
class AddPerson(EventAct):
    """Somebody signs up, or walks in. Under the next number."""

    person: EventPerson

    def apply(self, event: Event) -> Event:
        return _added(event, (self.person,))


@event_act("people_added")
class AddPeople(EventAct):
    """Several at once, as a file has them. All of them, under the next numbers, or none."""

    people: tuple[EventPerson, ...]

    def apply(self, event: Event) -> Event:
        if not self.people:
            raise ActRefused("act_nobody")
        return _added(event, self.people)


def _added(event: Event, people: tuple[EventPerson, ...]) -> Event:
    if len(event.people) + len(people) > MAX_PEOPLE:
        raise ActRefused("act_too_many_people", most=str(MAX_PEOPLE))
    first = next_number(event.people)
    new = {first + at: _tidied_names(event, one) for at, one in enumerate(people)}
    return replace(event, people={**event.people, **new})


def _tidied_names(event: Event, known: EventPerson) -> EventPerson:
    """A person as he is kept: with a name, a birth and amounts that can be told, rounds that there are."""
    if not birth_dates.is_birth_date(known.private.born):
        raise ActRefused("act_bad_birth", value=known.private.born[:40])
    for number in known.rounds:
        find_round(event, number)
    return replace(
        known,
        name=check_name(known.name, MAX_NAME_LENGTH),
        minutes=_minutes(known.minutes),
        rounds=tuple(sorted(set(known.rounds))),
        private=_stored_facts(known.private),
    )


def _stored_facts(told: PrivateFacts) -> PrivateFacts:
    prefers = _preferred(told.prefers)
    return replace(told, due=_amount(told.due), paid=_amount(told.paid), prefers=prefers)


def _minutes(minutes: int | None) -> int | None:
    if minutes is not None and not 0 <= minutes <= MAX_MINUTES:
        raise ActRefused("act_minutes", most=str(MAX_MINUTES))
    return minutes


def _amount(told: str) -> str:
    """An amount of money as it is kept, with a point: nothing is 0."""
    amount = told.strip().removesuffix("€").strip().replace(",", ".") or "0"
    if not re.fullmatch(r"\d{1,6}(\.\d{1,2})?", amount, re.ASCII):
        raise ActRefused("act_bad_amount", value=told[:40])
    return amount


def _preferred(powers: tuple[str, ...]) -> tuple[str, ...]:
    for power in powers:
        if power not in variant_powers(CLASSIC):
            raise ActRefused("act_no_power", power=power[:40], powers=", ".join(variant_powers(CLASSIC)))
    return tuple(dict.fromkeys(powers))


@event_act("person_changed")
class ChangePerson(EventAct):
    """What is known of somebody, as a whole. In place of what was known."""

    number: int
    person: EventPerson

    def apply(self, event: Event) -> Event:
        find_person(event, self.number)
        return replace(event, people={**event.people, self.number: _tidied_names(event, self.person)})


@event_act("flagged")
class SetPersonFlags(EventAct):
    """Some of what is known of somebody; what is not said stays as it is. Twice is once."""

    person: int
    office: Office | None = None
    beginner: bool | None = None
    youth: bool | None = None
    recorder: bool | None = None
    accepted: bool | None = None
    minutes: int | None = None
    due: str | None = None
    paid: str | None = None

    def apply(self, event: Event) -> Event:
        known = find_person(event, self.person)
        said = {name: value for name in _OWN if (value := getattr(self, name)) is not None}
        fees: dict[str, Any] = {
            name: _amount(value) for name in _FEES if (value := getattr(self, name)) is not None
        }
        _minutes(self.minutes)
        return with_person(event, self.person, **said, private=replace(known.private, **fees))


_OWN = ("office", "beginner", "youth", "recorder", "accepted", "minutes")
_FEES = ("due", "paid")


@event_act("signed_up")
class SignUpForRounds(EventAct):
    """The rounds somebody means to play; none: he withdraws. Until a round begins: what has begun stays as it
    is."""

    person: int
    rounds: tuple[int, ...]

    def apply(self, event: Event) -> Event:
        known = find_person(event, self.person)
        for number in sorted(set(self.rounds) ^ set(known.rounds)):
            if find_round(event, number).state not in (RoundState.PLANNED, RoundState.OPEN):
                raise ActRefused("act_round_begun", round=str(number))
        return with_person(event, self.person, rounds=tuple(sorted(set(self.rounds))))


@event_act("withdrew")
class WithdrawPerson(EventAct):
    """Somebody goes for good; or comes back (`gone` false). What he played stays. He is no longer signed up
    for what has not begun."""

    person: int
    gone: bool = True

    def apply(self, event: Event) -> Event:
        known = find_person(event, self.person)
        if not self.gone:
            return with_person(event, self.person, gone=False)
        kept = tuple(
            at
            for at in known.rounds
            if find_round(event, at).state not in (RoundState.PLANNED, RoundState.OPEN)
        )
        return with_person(event, self.person, gone=True, rounds=kept)


@event_act("preferred")
class SetPowerPreferences(EventAct):
    """The powers somebody would like, best first; the draw sees to it where it costs nothing else. In place
    of what he had said; each power once."""

    person: int
    powers: tuple[str, ...]

    def apply(self, event: Event) -> Event:
        known = find_person(event, self.person)
        private = replace(known.private, prefers=_preferred(self.powers))
        return with_person(event, self.person, private=private)


@event_act("ride_offered")
class OfferRide(EventAct):
    """A place in a car offered, or looked for; no text: not any more. One offer for each person: the last one
    stands."""

    person: int
    text: str
    seats: int = 0

    def apply(self, event: Event) -> Event:
        find_person(event, self.person)
        rides = {at: one for at, one in event.rides.items() if one.person != self.person}
        if not self.text.strip():
            return replace(event, rides=rides)
        offer = RideOffer(self.person, check_text(self.text), max(-20, min(20, self.seats)))
        held = next((at for at, one in event.rides.items() if one.person == self.person), None)
        return replace(event, rides={**rides, held or next_number(event.rides): offer})
