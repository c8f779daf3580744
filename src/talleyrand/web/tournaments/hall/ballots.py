"""Whom a player names for the voted prizes, once his game is over."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from talleyrand.tournament.model import Event
from talleyrand.tournament.numbers import natural
from talleyrand.tournament.public import powers_of
from talleyrand.web.tournaments.sight import Sight

from . import regulating, showing, words
from .showing import Somebody


@dataclass(frozen=True)
class Choice:
    """A prize, and whom I have named for it: 0 for nobody."""

    prize: str
    title: str
    named: int


@dataclass(frozen=True)
class Panel:
    """My ballot for a board. `open`: it may be cast or changed; `cast`: there is one."""

    choices: tuple[Choice, ...]
    others: tuple[Somebody, ...]
    open: bool
    cast: bool


def panel(sight: Sight, number: int, at: int, typed: QueryDict | None = None) -> Panel | None:
    """The ballot of somebody who played at the board; None where there is nothing to vote on, or not yet."""
    event, held = sight.shown, sight.shown.rounds[number].boards[at]
    prizes = regulating.prizes_of(event, regulating.VOTED)
    if not prizes or held.result is None or not powers_of(held, sight.number):
        return None
    named = _named(event, number, at, sight.number)
    told = {name: _typed(typed, name, named.get(name, 0)) for name in prizes}
    return Panel(
        choices=tuple(
            Choice(name, words.text(prize.title) or name, told[name]) for name, prize in prizes.items()
        ),
        others=tuple(
            Somebody(who, event.people[who].name)
            for who in words.in_order(event, showing.table_mates(held, sight.number))
        ),
        open=not event.over,
        cast=bool(named),
    )


def _named(event: Event, number: int, at: int, me: int) -> dict[str, int]:
    same = (number, at, me)
    return next(
        (dict(one.names) for one in event.ballots.values() if (one.round, one.board, one.voter) == same), {}
    )


def _typed(typed: QueryDict | None, name: str, named: int) -> int:
    if typed is None:
        return named
    return natural(typed.get(f"prize_{name}", "")) or 0


def waiting(event: Event, me: int) -> list[tuple[int, int]]:
    """Boards of mine whose game is over and for which I have not voted."""
    if event.over or not regulating.prizes_of(event, regulating.VOTED):
        return []
    cast = {(one.round, one.board) for one in event.ballots.values() if one.voter == me}
    return [
        (number, at)
        for number, at, _power in showing.played(event, me)
        if event.rounds[number].boards[at].result is not None and (number, at) not in cast
    ]
