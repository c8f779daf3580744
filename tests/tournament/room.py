"""A tournament of invented people at each of its moments, made by acts as the desk makes it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from typing import Any

from talleyrand.tournament import acts, board_formation, board_rules, seat_draw
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.event_acts import PlanRounds
from talleyrand.tournament.acts.people_acts import AddPeople
from talleyrand.tournament.acts.result_acts import CorrectResult
from talleyrand.tournament.acts.round_acts import CheckInPeople, CloseRound, OpenRound
from talleyrand.tournament.acts.seating_acts import DrawRound, PublishDraft
from talleyrand.tournament.board_formation import FormationChoice
from talleyrand.tournament.model import BoardResult, Event, EventBoard, EventPerson, Office

AT = "2026-11-21T18:30:00+00:00"
LATER = "2026-11-21T19:00:00+00:00"
CENTRES = {"AUSTRIA": 12, "ENGLAND": 8, "FRANCE": 6, "GERMANY": 4, "ITALY": 3, "RUSSIA": 1, "TURKEY": 0}


def done(event: Event, *wanted: EventAct) -> Event:
    """The event after acts."""
    for act in wanted:
        event = acts.perform_act(event, act)
    return event


@cache
def listed(count: int = 14) -> Event:
    """People on the list, 1 the organiser and 2 an assistant; four rounds planned, nobody there."""
    office = {1: Office.ORGANISER, 2: Office.ASSISTANT}
    people = tuple(
        EventPerson(f"Invented {number}", office=office.get(number, Office.NONE))
        for number in range(1, count + 1)
    )
    return done(Event("Trial", seed="room"), PlanRounds(), AddPeople(people))


def by_rule(
    event: Event,
    number: int,
    choice: FormationChoice,
    seed: str,
    *,
    dropped: Collection[str] = (),
    **facts: Any,
) -> DrawRound:
    """The draw as rule and lot say, but for hard rules that are given up."""
    wanted = seat_draw.propose_draw(event, number, choice, seed, **facts)
    return seat_draw.draw_seats(event, number, replace(wanted, dropped=frozenset(dropped)))


@cache
def gathered(count: int = 14, number: int = 1) -> Event:
    """All are there for a round; those before it are over."""
    before = listed(count) if number == 1 else closed(count, number - 1)
    return done(before, OpenRound(number), CheckInPeople(number, tuple(before.people), AT))


@cache
def drafted(count: int = 14, number: int = 1) -> Event:
    """The seats of a round are drawn as the regulations say, and shown to nobody."""
    event = gathered(count, number)
    choice = board_formation.round_formations(event, number)[0]
    return done(event, by_rule(event, number, choice, f"seed {number}"))


@cache
def playing(count: int = 14, number: int = 1) -> Event:
    """The games of a round have begun."""
    return done(drafted(count, number), PublishDraft(number))


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


def result(board: EventBoard, turn: int = 0) -> BoardResult:
    """A result of a board; another one for each turn."""
    powers = list(board.seats)
    left = board_rules.centre_count(board.variant) or 34
    counts = ([12, 8, 6, 4, 3, 1, 0] if left == 34 else [9, 7, 5, 3, 2])[: len(powers)]
    counts = [*counts[turn % len(counts) :], *counts[: turn % len(counts)]]
    centres = dict(zip(powers, counts, strict=True))
    neutral = left - sum(centres.values()) if board_rules.centre_count(board.variant) else 0
    return BoardResult(centres, year=1906, neutral=neutral)


def sits(event: Event, number: int, table: int, power: str) -> int:
    """Who plays a power."""
    who = event.rounds[number].boards[table].seats[power].person
    assert who is not None
    return who
