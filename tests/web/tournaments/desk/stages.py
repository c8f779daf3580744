"""A tournament of sixteen at each moment of its first round, made by acts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from talleyrand.tournament import acts, drawing, formation, resting
from talleyrand.tournament.acts import clocks, drafts, notebook, people, presence, results, rounds, teams
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.model import (
    Adjustment,
    Effect,
    Event,
    Office,
    Person,
    Private,
    Result,
    Ruling,
    Team,
)
from talleyrand.web.tournaments import making
from talleyrand.web.tournaments.models import Tournament
from tests.web.tournaments import scene

COUNT = 16
AT = "2026-07-03T19:%02d:00Z"
CENTRES = (6, 5, 5, 5, 5, 4, 4)


def through(event: Event, done: Sequence[Act]) -> Event:
    """The event after acts."""
    for act in done:
        event = acts.perform(event, act)
    return event


@cache
def planned() -> Event:
    """Sixteen have signed up; the first is the organiser, one is entered twice, two are never together."""
    event = replace(making.planned("Angers 2026", "anjou_feu"), seed="1901")
    known = [
        Person(name, club="Angers", rounds=(1, 2, 3, 4), private=Private(due="45", note="secret"))
        for name in scene.NAMES[:COUNT]
    ]
    made = through(event, [people.AddPeople(tuple(known)), people.AddPerson(Person("Elodie Marchant"))])
    return through(
        made,
        [
            people.Flag(1, office=Office.ORGANISER),
            teams.FormTeam(Team("Les Angevins", (3, 4))),
            teams.AskTeam(8, 1),
            teams.KeepApart(5, 6),
            notebook.AddRuling(Ruling(AT % 0, "Un ordre illisible vaut maintien.")),
            notebook.Adjust(Adjustment(7, 1, Effect.TIMES, "1/2", "Sablier")),
        ],
    )


@cache
def opened() -> Event:
    """All but the last two are there."""
    here = tuple(range(1, COUNT - 1))
    return through(planned(), [rounds.OpenRound(1), presence.ArriveTogether(1, here, AT % 1)])


@cache
def drafted() -> Event:
    """Two boards are drawn, and shown to nobody."""
    event = opened()
    choice = formation.of(event, 1)[0]
    wanted = drawing.Wanted(choice, "lot", resting.draw(event, 1, choice.rest, "lot"))
    return through(event, [drawing.draw(event, 1, wanted)])


@cache
def playing() -> Event:
    """They play; somebody came when all seats were taken."""
    started = (drafts.Publish(1), clocks.StartClock(1, AT % 2), presence.Arrive(1, COUNT, AT % 30))
    return through(drafted(), started)


@cache
def entered() -> Event:
    """A player has entered the result of board 1."""
    held = playing().rounds[1].boards[1]
    by = str(held.seats["FRANCE"].person)
    return through(playing(), [results.EnterResult(1, 1, result(playing(), 1), by)])


@cache
def closed() -> Event:
    """All is in."""
    done = [results.CorrectResult(1, at, result(playing(), at)) for at in playing().rounds[1].boards]
    return through(playing(), [*done, rounds.CloseRound(1)])


@cache
def before_the_final() -> Event:
    """Three rounds are over, and fourteen have come for the last."""
    event = closed()
    here = tuple(range(1, COUNT - 1))
    for number in (2, 3):
        event = through(event, [rounds.OpenRound(number), presence.ArriveTogether(number, here, AT % 1)])
        choice = formation.of(event, number)[0]
        event = through(event, [drawing.draw(event, number, drawing.Wanted(choice, str(number)))])
        event = through(event, [drafts.Publish(number)])
        powers = event.rounds[number].boards[1].seats
        told = Result(dict(zip(powers, CENTRES, strict=True)), year=1906)
        done = [results.CorrectResult(number, at, told) for at in event.rounds[number].boards]
        event = through(event, [*done, rounds.CloseRound(number)])
    return through(event, [rounds.OpenRound(4), presence.ArriveTogether(4, here, AT % 1)])


def result(event: Event, board: int) -> Result:
    """A result that adds up."""
    powers = event.rounds[1].boards[board].seats
    return Result(dict(zip(powers, CENTRES, strict=True)), year=1906)


STAGES = {
    "planned": planned,
    "opened": opened,
    "drafted": drafted,
    "playing": playing,
    "entered": entered,
    "closed": closed,
}


def kept(stage: str) -> Tournament:
    """A tournament at that moment, directed by Maëlle."""
    return making.make(STAGES[stage](), scene.director())
