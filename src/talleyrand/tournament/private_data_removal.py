"""What the desk alone knew is forgotten once an event is over; results, standings and prizes stay.

What prizes rest on is kept as far as they need it: who is the youngest of those who share one, who is young,
how long the journey of its winner was, how many ballots named somebody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from . import birth_dates, prizes, regulations, standings
from .model import Event, EventPerson, PrivateFacts, PrizeBallot, RememberedYoungest
from .prizes import Award
from .regulations import PrizeKind
from .standings import Standings


def remove_private_data(event: Event) -> Event:
    """The event without private facts; again, it is the same. Raises InvalidEvent for bad regulations."""
    rules, held = regulations.read_regulations(event.regulations), standings.compute_standings(event)
    given = prizes.award_prizes(event, held)
    awards = (*given.values(), *prizes.podium(event, held))
    journeys = {who for one in awards if one.kind == PrizeKind.JOURNEY for who in one.holders}
    young = any(one.kind == PrizeKind.YOUTH for one in rules.prizes.values())
    since = rules.young_since if young else 0
    voted = [key for key, one in rules.prizes.items() if one.kind == PrizeKind.VOTE]
    return replace(
        event,
        people={at: _person(one, since=since, travels=at in journeys) for at, one in event.people.items()},
        apart=(),
        teams={at: replace(one, asking=(), powers=()) for at, one in event.teams.items()},
        rides={},
        ballots=dict(enumerate(_ballots(event, held, voted), 1)),
        youngest=remembered_youngest(event, awards),
    )


def _person(known: EventPerson, *, since: int, travels: bool) -> EventPerson:
    young = known.youth or (bool(since) and not known.beginner and birth_dates.is_young(known, since))
    minutes = known.minutes if travels else None
    return replace(known, youth=young, minutes=minutes, private=PrivateFacts())


def _ballots(event: Event, held: Standings, voted: Iterable[str]) -> Iterator[PrizeBallot]:
    """Those that count, nobody's any more, each prize for itself, in an order that tells nothing."""
    for key in voted:
        for number, at, one in sorted(prizes.valid_ballots(event, held, key)):
            yield PrizeBallot(number, at, 0, {key: one})


def remembered_youngest(event: Event, awards: Iterable[Award]) -> tuple[RememberedYoungest, ...]:
    """What is to be remembered of those who share an award: whom dates of birth leave of them."""
    shared = {
        (one.kind == PrizeKind.TEAM, tuple(sorted(one.holders))): one.keepers
        for one in awards
        if len(one.holders) > 1 and set(one.keepers) != set(one.holders)
    }
    before = {(one.teams, tuple(sorted(one.among))): one.kept for one in event.youngest}
    every = {**before, **shared}
    return tuple(RememberedYoungest(among, kept, teams) for (teams, among), kept in sorted(every.items()))


def have_same_prizes(before: Event, after: Event) -> bool:
    """Whether every prize and place of the podium has the same holders, and the same who keep it."""
    return _holders(before) == _holders(after)


def _holders(event: Event) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    held = standings.compute_standings(event)
    awards = (*prizes.award_prizes(event, held).values(), *prizes.podium(event, held))
    return [(one.key, one.holders, tuple(sorted(one.keepers))) for one in awards]
