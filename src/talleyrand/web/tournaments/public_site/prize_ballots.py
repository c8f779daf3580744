"""Whom a player names for the voted prizes, once his game is over."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from talleyrand.tournament.model import Event
from talleyrand.tournament.public_view import powers_played_by
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import public_boards, public_texts, regulations_texts
from .public_boards import PersonName


@dataclass(frozen=True)
class PrizeBallotChoice:
    """A prize, and whom I have named for it: 0 for nobody."""

    prize: str
    title: str
    person: int


@dataclass(frozen=True)
class PrizeBallotPanel:
    """My ballot for a board. `open`: it may be cast or changed; `cast`: there is one."""

    choices: tuple[PrizeBallotChoice, ...]
    others: tuple[PersonName, ...]
    open: bool
    cast: bool


def prize_ballot_panel(
    sight: TournamentViewer, number: int, at: int, typed: QueryDict | None = None
) -> PrizeBallotPanel | None:
    """The ballot of somebody who played at the board; None where there is nothing to vote on, or not yet."""
    event, held = sight.visible_event, sight.visible_event.rounds[number].boards[at]
    prizes = regulations_texts.prizes_of_kind(event, regulations_texts.VOTED)
    if not prizes or held.result is None or not powers_played_by(held, sight.person_number):
        return None
    named = _named(event, number, at, sight.person_number)
    told = {name: _typed(typed, name, named.get(name, 0)) for name in prizes}
    return PrizeBallotPanel(
        choices=tuple(
            PrizeBallotChoice(name, public_texts.in_reader_language(prize.title) or name, told[name])
            for name, prize in prizes.items()
        ),
        others=tuple(
            PersonName(who, event.people[who].name)
            for who in public_texts.alphabetical(event, public_boards.table_mates(held, sight.person_number))
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
    return parse_natural(typed.get(f"prize_{name}", "")) or 0


def boards_to_vote_for(event: Event, me: int) -> list[tuple[int, int]]:
    """Boards of mine whose game is over and for which I have not voted."""
    if event.over or not regulations_texts.prizes_of_kind(event, regulations_texts.VOTED):
        return []
    cast = {(one.round, one.board) for one in event.ballots.values() if one.voter == me}
    return [
        (number, at)
        for number, at, _power in public_boards.public_games_of_person(event, me)
        if event.rounds[number].boards[at].result is not None and (number, at) not in cast
    ]
