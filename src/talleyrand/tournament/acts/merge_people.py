"""Two entries that are one person, and somebody who should never have been entered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    BoardResult,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    EventTeam,
    PowerSeat,
    PrivateFacts,
)

from .act import EventAct, event_act, find_person

Renumber = Callable[[int], int]


@event_act("merged", assistants_may=False)
class MergePeople(EventAct):
    """`other` is the same person as `person`: all that is his becomes the other's, who is kept. Refused where
    both sat at one board (`sound_twice`), or where it is one already."""

    person: int
    other: int

    def apply(self, event: Event) -> Event:
        if self.person == self.other:
            raise ActRefused("act_same_person", person=str(self.person))
        both = _both(find_person(event, self.person), find_person(event, self.other))
        people = {number: one for number, one in event.people.items() if number != self.other}

        def number(who: int) -> int:
            return self.person if who == self.other else who

        return _renumbered(replace(event, people={**people, self.person: both}), number)


def _both(kept: EventPerson, other: EventPerson) -> EventPerson:
    """What is known of one, with what only the other entry says."""
    blank = EventPerson(name="")
    gaps = {
        name: getattr(other, name)
        for name in (
            "club",
            "town",
            "country",
            "office",
            "minutes",
            "accepted",
            "beginner",
            "youth",
            "recorder",
        )
        if getattr(kept, name) == getattr(blank, name)
    }
    rounds = tuple(sorted({*kept.rounds, *other.rounds}))
    return replace(kept, **gaps, rounds=rounds, private=_private(kept.private, other.private))


def _private(kept: PrivateFacts, other: PrivateFacts) -> PrivateFacts:
    gaps = {
        name: getattr(other, name)
        for name in ("born", "mail", "phone", "note", "due", "paid", "prefers")
        if getattr(kept, name) == getattr(PrivateFacts(), name)
    }
    return replace(kept, **gaps)


def _renumbered(event: Event, number: Renumber) -> Event:
    """The event with another number for somebody, wherever people are named."""
    apart = {tuple(sorted(map(number, pair))) for pair in event.apart}
    return replace(
        event,
        teams=dict(_teams(event.teams, number)),
        apart=tuple(sorted((a, b) for a, b in apart if a != b)),
        rides={at: replace(one, person=number(one.person)) for at, one in event.rides.items()},
        rounds={at: _round(one, number) for at, one in event.rounds.items()},
        adjustments={at: replace(one, person=number(one.person)) for at, one in event.adjustments.items()},
        ballots={
            at: replace(
                one,
                voter=number(one.voter),
                names={prize: number(who) for prize, who in one.names.items()},
            )
            for at, one in event.ballots.items()
        },
    )


def _teams(teams: Mapping[int, EventTeam], number: Renumber) -> Iterator[tuple[int, EventTeam]]:
    """Whoever is a member of a team asks no longer to join it; nobody asks two of them."""
    asked: set[int] = set()
    for at, team in teams.items():
        members = tuple(dict.fromkeys(map(number, team.members)))
        powers = tuple({number(who): power for who, power in team.powers}.items())
        asking = [who for who in dict.fromkeys(map(number, team.asking)) if who not in {*members, *asked}]
        asked |= set(asking)
        yield at, replace(team, members=members, powers=powers, asking=tuple(asking))


def _round(one: EventRound, number: Renumber) -> EventRound:
    seated = {who for board in one.boards.values() for who in map(number, board_people(board))}
    resting = {number(who): rest for who, rest in one.resting.items() if number(who) not in seated}
    return replace(
        one,
        present=_earliest(one.present, number),
        resting=resting,
        boards={at: _board(board, number) for at, board in one.boards.items()},
    )


def _earliest(present: Mapping[int, str], number: Renumber) -> dict[int, str]:
    found: dict[int, str] = {}
    for who, at in present.items():
        found[number(who)] = min(at, found.get(number(who), at))
    return found


def _board(board: EventBoard, number: Renumber) -> EventBoard:
    seats = {power: _seat(seat, number) for power, seat in board.seats.items()}
    return replace(board, seats=seats, result=_result(board.result, number) if board.result else None)


def _seat(seat: PowerSeat, number: Renumber) -> PowerSeat:
    reliefs = tuple(replace(one, person=number(one.person)) for one in seat.reliefs)
    return replace(seat, person=number(seat.person) if seat.person is not None else None, reliefs=reliefs)


def _result(result: BoardResult, number: Renumber) -> BoardResult:
    def merged_hand(by: str) -> str:
        return str(number(int(by))) if by.isdecimal() else by

    by, confirmed = merged_hand(result.by), merged_hand(result.confirmed)
    return replace(result, by=by, confirmed="" if by == confirmed != "desk" else confirmed)


@event_act("removed", assistants_may=False)
class RemovePerson(EventAct):
    """Somebody entered by mistake, as long as he has not played. Refused where he sits anywhere, voted, or
    has an adjustment: his results are kept."""

    person: int

    def apply(self, event: Event) -> Event:
        find_person(event, self.person)
        if self.person in _needed(event):
            raise ActRefused("act_person_played", person=str(self.person))
        return replace(
            event,
            people={number: one for number, one in event.people.items() if number != self.person},
            teams={
                at: replace(
                    team,
                    members=tuple(who for who in team.members if who != self.person),
                    powers=tuple(one for one in team.powers if one[0] != self.person),
                    asking=tuple(who for who in team.asking if who != self.person),
                )
                for at, team in event.teams.items()
            },
            apart=tuple(pair for pair in event.apart if self.person not in pair),
            rides={at: one for at, one in event.rides.items() if one.person != self.person},
            rounds={at: _round_without(one, self.person) for at, one in event.rounds.items()},
        )


def _needed(event: Event) -> set[int]:
    sat = {
        who for one in event.rounds.values() for board in one.boards.values() for who in board_people(board)
    }
    voted = {who for one in event.ballots.values() for who in (one.voter, *one.names.values())}
    return sat | voted | {one.person for one in event.adjustments.values()}


def _round_without(one: EventRound, gone: int) -> EventRound:
    return replace(
        one,
        present={who: at for who, at in one.present.items() if who != gone},
        resting={who: rest for who, rest in one.resting.items() if who != gone},
    )
