"""A tournament of sixteen at each moment of its first round, made by acts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from talleyrand.tournament import acts, board_formation, byes, seat_draw
from talleyrand.tournament.acts import (
    clock_acts,
    people_acts,
    result_acts,
    round_acts,
    ruling_acts,
    seating_acts,
    team_acts,
)
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.model import (
    AdjustmentEffect,
    BoardResult,
    DirectorRuling,
    Event,
    EventPerson,
    EventTeam,
    Office,
    PrivateFacts,
    ScoreAdjustment,
)
from talleyrand.web.tournaments import tournament_creation
from talleyrand.web.tournaments.models import Tournament
from tests.web.tournaments import scene

COUNT = 16
AT = "2026-07-03T19:%02d:00Z"
CENTRES = (6, 5, 5, 5, 5, 4, 4)


def through(event: Event, done: Sequence[EventAct]) -> Event:
    """The event after acts."""
    for act in done:
        event = acts.perform_act(event, act)
    return event


@cache
def planned() -> Event:
    """Sixteen have signed up; the first is the organiser, one is entered twice, two are never together."""
    event = replace(tournament_creation.event_from_preset("Angers 2026", "anjou_feu"), seed="1901")
    known = [
        EventPerson(name, club="Angers", rounds=(1, 2, 3, 4), private=PrivateFacts(due="45", note="secret"))
        for name in scene.NAMES[:COUNT]
    ]
    made = through(
        event, [people_acts.AddPeople(tuple(known)), people_acts.AddPerson(EventPerson("Elodie Marchant"))]
    )
    return through(
        made,
        [
            people_acts.SetPersonFlags(1, office=Office.ORGANISER),
            team_acts.FormTeam(EventTeam("Les Angevins", (3, 4))),
            team_acts.AskToJoinTeam(8, 1),
            team_acts.KeepApart(5, 6),
            ruling_acts.AddRuling(DirectorRuling(AT % 0, "Un ordre illisible vaut maintien.")),
            ruling_acts.AddAdjustment(ScoreAdjustment(7, 1, AdjustmentEffect.TIMES, "1/2", "Sablier")),
        ],
    )


@cache
def opened() -> Event:
    """All but the last two are there."""
    here = tuple(range(1, COUNT - 1))
    return through(planned(), [round_acts.OpenRound(1), round_acts.CheckInPeople(1, here, AT % 1)])


@cache
def drafted() -> Event:
    """Two boards are drawn, and shown to nobody."""
    event = opened()
    choice = board_formation.round_formations(event, 1)[0]
    wanted = seat_draw.SeatDrawRequest(choice, "lot", byes.draw_byes(event, 1, choice.rest, "lot"))
    return through(event, [seat_draw.draw_seats(event, 1, wanted)])


@cache
def playing() -> Event:
    """They play; somebody came when all seats were taken."""
    started = (
        seating_acts.PublishDraft(1),
        clock_acts.StartClock(1, AT % 2),
        round_acts.CheckIn(1, COUNT, AT % 30),
    )
    return through(drafted(), started)


@cache
def entered() -> Event:
    """A player has entered the result of board 1."""
    held = playing().rounds[1].boards[1]
    by = str(held.seats["FRANCE"].person)
    return through(playing(), [result_acts.EnterResult(1, 1, result(playing(), 1), by)])


@cache
def closed() -> Event:
    """All is in."""
    done = [result_acts.CorrectResult(1, at, result(playing(), at)) for at in playing().rounds[1].boards]
    return through(playing(), [*done, round_acts.CloseRound(1)])


@cache
def before_the_final() -> Event:
    """Three rounds are over, and fourteen have come for the last."""
    event = closed()
    here = tuple(range(1, COUNT - 1))
    for number in (2, 3):
        event = through(event, [round_acts.OpenRound(number), round_acts.CheckInPeople(number, here, AT % 1)])
        choice = board_formation.round_formations(event, number)[0]
        event = through(
            event, [seat_draw.draw_seats(event, number, seat_draw.SeatDrawRequest(choice, str(number)))]
        )
        event = through(event, [seating_acts.PublishDraft(number)])
        powers = event.rounds[number].boards[1].seats
        told = BoardResult(dict(zip(powers, CENTRES, strict=True)), year=1906)
        done = [result_acts.CorrectResult(number, at, told) for at in event.rounds[number].boards]
        event = through(event, [*done, round_acts.CloseRound(number)])
    return through(event, [round_acts.OpenRound(4), round_acts.CheckInPeople(4, here, AT % 1)])


def result(event: Event, board: int) -> BoardResult:
    """A result that adds up."""
    powers = event.rounds[1].boards[board].seats
    return BoardResult(dict(zip(powers, CENTRES, strict=True)), year=1906)


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
    return tournament_creation.create_tournament(STAGES[stage](), scene.director())
