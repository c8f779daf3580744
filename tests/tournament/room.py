"""A tournament of invented people at each of its moments, made by acts as the desk makes it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from typing import Any

from talleyrand.tournament import acts, boards, drawing, formation
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.drafts import Draw, Publish
from talleyrand.tournament.acts.events import SetUp
from talleyrand.tournament.acts.people import AddPeople
from talleyrand.tournament.acts.presence import ArriveTogether
from talleyrand.tournament.acts.results import CorrectResult
from talleyrand.tournament.acts.rounds import CloseRound, OpenRound
from talleyrand.tournament.formation import Choice
from talleyrand.tournament.model import Board, Event, Office, Person, Result

AT = "2026-11-21T18:30:00+00:00"
LATER = "2026-11-21T19:00:00+00:00"
CENTRES = {"AUSTRIA": 12, "ENGLAND": 8, "FRANCE": 6, "GERMANY": 4, "ITALY": 3, "RUSSIA": 1, "TURKEY": 0}


def done(event: Event, *wanted: Act) -> Event:
    """The event after acts."""
    for act in wanted:
        event = acts.perform(event, act)
    return event


@cache
def listed(count: int = 14) -> Event:
    """People on the list, 1 the organiser and 2 an assistant; four rounds planned, nobody there."""
    office = {1: Office.ORGANISER, 2: Office.ASSISTANT}
    people = tuple(
        Person(f"Invented {number}", office=office.get(number, Office.NONE)) for number in range(1, count + 1)
    )
    return done(Event("Trial", seed="room"), SetUp(), AddPeople(people))


def by_rule(
    event: Event, number: int, choice: Choice, seed: str, *, dropped: Collection[str] = (), **facts: Any
) -> Draw:
    """The draw as rule and lot say, but for hard rules that are given up."""
    wanted = drawing.propose(event, number, choice, seed, **facts)
    return drawing.draw(event, number, replace(wanted, dropped=frozenset(dropped)))


@cache
def gathered(count: int = 14, number: int = 1) -> Event:
    """All are there for a round; those before it are over."""
    before = listed(count) if number == 1 else closed(count, number - 1)
    return done(before, OpenRound(number), ArriveTogether(number, tuple(before.people), AT))


@cache
def drafted(count: int = 14, number: int = 1) -> Event:
    """The seats of a round are drawn as the regulations say, and shown to nobody."""
    event = gathered(count, number)
    choice = formation.of(event, number)[0]
    return done(event, by_rule(event, number, choice, f"seed {number}"))


@cache
def playing(count: int = 14, number: int = 1) -> Event:
    """The games of a round have begun."""
    return done(drafted(count, number), Publish(number))


@cache
def ended(count: int = 14, number: int = 1) -> Event:
    """Every board of a round has its result, confirmed by the desk."""
    event = playing(count, number)
    results = [
        CorrectResult(number, at, result(board, number)) for at, board in event.rounds[number].boards.items()
    ]
    return done(event, *results)


@cache
def closed(count: int = 14, number: int = 1) -> Event:
    """A round is over."""
    return done(ended(count, number), CloseRound(number))


def result(board: Board, turn: int = 0) -> Result:
    """A result of a board; another one for each turn."""
    powers = list(board.seats)
    left = boards.centres_of(board.variant) or 34
    counts = [12, 8, 6, 4, 3, 1, 0][: len(powers)]
    counts = [*counts[turn % len(counts) :], *counts[: turn % len(counts)]]
    centres = dict(zip(powers, counts, strict=True))
    neutral = left - sum(centres.values()) if boards.centres_of(board.variant) else 0
    return Result(centres, year=1906, neutral=neutral)


def sits(event: Event, number: int, table: int, power: str) -> int:
    """Who plays a power."""
    who = event.rounds[number].boards[table].seats[power].person
    assert who is not None
    return who
