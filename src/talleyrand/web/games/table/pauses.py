"""Pauses of games without game master: they rest while all players want them to."""

from __future__ import annotations

from datetime import datetime

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import audience, log, running, seats
from talleyrand.web.games.models import Entry, Game, Role, State
from talleyrand.web.games.writing import writing

from .gathering import changed, locked, members
from .refusals import Refused

ASKED, PAUSED, RESUMED = "pause_asked", "paused", "resumed"


def asked(game: Game) -> frozenset[str]:
    """The powers whose players have asked for a pause since the phase opened, or since the last one."""
    powers: set[str] = set()
    kinds = (ASKED, PAUSED, RESUMED)
    for entry in Entry.objects.filter(game=game, number=game.number, kind__in=kinds).order_by("pk"):
        powers = powers | set(entry.facts["powers"]) if entry.kind == ASKED else set()
    return frozenset(powers)


def needed(game: Game) -> frozenset[str]:
    """The powers that have to agree: those that somebody plays, and is waited for."""
    lost = set(game.seats.filter(disorder=True).values_list("power", flat=True))
    holders = seats.holders(game)
    return frozenset(power for power, person in holders.items() if person is not None and power not in lost)


@writing
def ask(game: Game, person: Person, now: datetime) -> bool:
    """Ask for a pause: with a game master he is told, without one it begins once all have asked.

    Whether the game rests now. Raises Refused.
    """
    fresh = locked(game)
    if fresh.state != State.PLAYING:
        raise Refused("paused" if fresh.state == State.PAUSED else "not_begun")
    powers = seats.powers_of(fresh, person)
    if not powers:
        raise Refused("not_yours")
    if set(powers) <= asked(fresh):
        raise Refused("asked")
    log.note(fresh, ASKED, role=Role.PLAYER, by=person, powers=list(powers))
    changed(fresh)
    if members(fresh, Role.MASTER):
        once = f"pause_asked:{fresh.number}:{powers[0]}"
        audience.tell(fresh, audience.masters(fresh), "pause_asked", once, powers=list(powers))
        return False
    if not needed(fresh) <= asked(fresh):
        return False
    running.pause(fresh, now)
    log.note(fresh, PAUSED, powers=sorted(needed(fresh)))
    return True


@writing
def go_on(game: Game, person: Person, now: datetime) -> None:
    """One player is enough to end a pause that all wanted. Raises Refused."""
    fresh = locked(game)
    if fresh.state != State.PAUSED:
        raise Refused("running")
    powers = seats.powers_of(fresh, person)
    if not powers or members(fresh, Role.MASTER):
        raise Refused("not_yours")
    running.resume(fresh, now)
    log.note(fresh, RESUMED, role=Role.PLAYER, by=person, powers=list(powers))
