"""Who stands down when there are too many, and why. Source: Anjou Feu regulations, rule of numbers.

First whoever has agreed to it, the organiser, who helps him; then by lot: in the first round among all, later
among those who have played most, in the last one not among those who can still win. Anybody can draw the lots
again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from talleyrand.engine import random_draws
from talleyrand.tournament import board_formation, regulations, standings
from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Bye, ByeReason, DrawnLot, Event, Office

SPARED_PLACES = 5  # places of the ranking that do not stand down in the last round, where no final is played


@dataclass(frozen=True)
class RoundByes:
    """Who stands down; `lots`: how it fell on those drawn."""

    people: Mapping[int, Bye] = field(default_factory=dict)
    lots: tuple[DrawnLot, ...] = ()


def draw_byes(event: Event, number: int, count: int, seed: str, *, keep: Collection[int] = ()) -> RoundByes:
    """Who of those present stands down so that `count` do; raises ActRefused (`act_too_few`).

    `keep`: who plays in any case: finalists, whoever is on two boards. Who does not wish to play counts
    neither way.
    """
    here = [who for who in board_formation.people_counted(event, number) if who not in keep]
    if not 0 <= count <= len(here):
        raise ActRefused("act_too_few", round=str(number), there=str(len(here)), wanted=str(count))
    gone: dict[int, Bye] = {}
    drawn: list[DrawnLot] = []
    for why, pool in _pools(event, number, here):
        wanted = min(count - len(gone), len(pool))
        lot = draw_people("stand_down", pool, wanted, seed)
        gone |= dict.fromkeys(map(int, lot.drawn), Bye(why))
        drawn += [lot] if 0 < wanted < len(pool) else []
    return RoundByes(dict(sorted(gone.items())), tuple(drawn))


def draw_people(what: str, among: Sequence[int], count: int, seed: str) -> DrawnLot:
    """So many people by lot, one after the other; the same seed draws the same."""
    left, drawn = [str(who) for who in among], []
    for at in range(count):
        one = random_draws.draw_one(seed, f"{what} {at + 1}", left)
        left.remove(one)
        drawn.append(one)
    return DrawnLot(what, tuple(str(who) for who in sorted(among)), tuple(drawn))


ByePool = tuple[ByeReason, list[int]]


def _pools(event: Event, number: int, here: list[int]) -> Iterator[ByePool]:
    """Groups of people, those who stand down first coming first; a group too small leads to the next."""
    told = event.rounds[number].resting
    agreed = [who for who in here if who in told and told[who].why is ByeReason.DIRECTOR]
    yield ByeReason.DIRECTOR, agreed
    here = [who for who in here if who not in agreed]
    office = {who: event.people[who].office for who in here}
    yield ByeReason.ORGANISATION, [who for who in here if office[who] is Office.ORGANISER]
    helping = (Office.ASSISTANT, Office.VOLUNTEER)
    yield ByeReason.ORGANISATION, [who for who in here if office[who] in helping]
    others = [who for who in here if office[who] is Office.NONE]
    spared = _spared(event, number)
    for group in ([who for who in others if who not in spared], [who for who in others if who in spared]):
        for pool in _by_rounds(event, number, group):
            yield ByeReason.LOT, pool


def _by_rounds(event: Event, number: int, people: list[int]) -> list[list[int]]:
    """Those who have played most first. The text leaves open what to do when they are too few: the next."""
    played = {who: rounds_played(event, who, number) for who in people}
    counts = sorted(set(played.values()), reverse=True)
    return [[who for who in people if played[who] == count] for count in counts]


def rounds_played(event: Event, who: int, before: int) -> int:
    """In how many earlier rounds somebody sat at a board."""
    earlier = [one for at, one in event.rounds.items() if at < before]
    return sum(any(who in board_people(board) for board in one.boards.values()) for one in earlier)


def _spared(event: Event, number: int) -> set[int]:
    """Who can still win the event: in the last round without a final, the first of the ranking."""
    rule = regulations.read_regulations(event.regulations).final
    if rule is None or rule.round != number or event.rounds[number].final:
        return set()
    ranked = standings.compute_standings(event, through=number - 1).lines
    return {line.person for line in ranked if line.place <= SPARED_PLACES}


@dataclass(frozen=True)
class Finalists:
    """Who plays the final, best first; `lots`: a tie for the last seat, drawn."""

    people: tuple[int, ...]
    lots: tuple[DrawnLot, ...] = ()


def choose_finalists(event: Event, number: int, seed: str) -> Finalists:
    """The finalists: the first of the ranking so far among those present; raises ActRefused (`act_too_few`).

    The regulations never say who qualifies; a tie for the last seats is drawn by lot.
    """
    rule = regulations.read_regulations(event.regulations).final
    seats = rule.seats if rule is not None else 0
    totals = {
        line.person: line.total for line in standings.compute_standings(event, through=number - 1).lines
    }
    here = {who: totals.get(who, Fraction(0)) for who in board_formation.people_counted(event, number)}
    if len(here) < seats or not seats:
        raise ActRefused("act_too_few", round=str(number), there=str(len(here)), wanted=str(seats))
    ranked = sorted(here, key=lambda who: (-here[who], who))
    last = here[ranked[seats - 1]]
    safe = [who for who in ranked if here[who] > last]
    tied = [who for who in ranked if here[who] == last]
    lot = draw_people("final", tied, seats - len(safe), seed)
    drawn = tuple(sorted(map(int, lot.drawn)))
    return Finalists((*safe, *drawn), (lot,) if len(drawn) < len(tied) else ())
