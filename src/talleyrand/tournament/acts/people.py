"""People: who comes, what is known of them, who is there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event, Person, RoundState

from .act import Act, next_number, person, round_of, with_person, with_round


@dataclass(frozen=True)
class AddPerson(Act):
    """Somebody signs up, or walks in."""

    kind: ClassVar[str] = "person_added"
    person: Person

    def on(self, event: Event) -> Event:
        """Under the next number."""
        _check_name(self.person.name)
        return replace(event, people={**event.people, next_number(event.people): self.person})


@dataclass(frozen=True)
class ChangePerson(Act):
    """What is known of somebody, as a whole."""

    kind: ClassVar[str] = "person_changed"
    number: int
    person: Person

    def on(self, event: Event) -> Event:
        """In place of what was known."""
        person(event, self.number)
        _check_name(self.person.name)
        return replace(event, people={**event.people, self.number: self.person})


@dataclass(frozen=True)
class Arrive(Act):
    """Somebody is there for a round, at a time."""

    kind: ClassVar[str] = "arrived"
    round: int
    person: int
    at: str

    def on(self, event: Event) -> Event:
        """Twice is once: the first hour stands."""
        person(event, self.person)
        present = round_of(event, self.round).present
        _check_open(event, self.round)
        return with_round(event, self.round, present={self.person: self.at, **present})


@dataclass(frozen=True)
class Leave(Act):
    """Somebody is not there after all."""

    kind: ClassVar[str] = "left"
    round: int
    person: int

    def on(self, event: Event) -> Event:
        """Whoever sits at a board has to be replaced first (`sound_seated_absent`)."""
        now = round_of(event, self.round)
        present = {one: at for one, at in now.present.items() if one != self.person}
        resting = {one: rest for one, rest in now.resting.items() if one != self.person}
        return with_round(event, self.round, present=present, resting=resting)


@dataclass(frozen=True)
class SignUp(Act):
    """The rounds somebody means to play; none: he withdraws."""

    kind: ClassVar[str] = "signed_up"
    person: int
    rounds: tuple[int, ...]

    def on(self, event: Event) -> Event:
        """Until a round begins: what has begun stays as it is."""
        known = person(event, self.person)
        for number in set(self.rounds) ^ set(known.rounds):
            if round_of(event, number).state not in (RoundState.PLANNED, RoundState.OPEN):
                raise Refused("act_round_begun", round=str(number))
        return with_person(event, self.person, rounds=tuple(sorted(set(self.rounds))))


def _check_name(name: str) -> None:
    if not name.strip():
        raise Refused("act_no_name")


def _check_open(event: Event, number: int) -> None:
    if round_of(event, number).state is RoundState.CLOSED:
        raise Refused("act_round_closed", round=str(number))


ACTS: tuple[type[Act], ...] = (AddPerson, ChangePerson, Arrive, Leave, SignUp)
