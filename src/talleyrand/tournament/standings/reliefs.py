"""Replacements: to whose benefit each is. Source: Anjou Feu regulations, replacement of a player.

Reading taken: it benefits the newcomer where his total is higher with the game than without it, all else as
it is. Of several newcomers in a seat, the last one whom it benefits has the points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from talleyrand.tournament.model import SeatReplacement

from .score_factors import SeatKey
from .scored_games import ScoredGame

PointsTakers = Mapping[SeatKey, int | None]
TotalFunction = Callable[[int, PointsTakers], Fraction]


def points_takers(games: tuple[ScoredGame, ...], total: TotalFunction) -> PointsTakers:
    """For each seat that changed hands, the newcomer who has its points; None: the first player keeps them.

    One benefit may hang on another: each is asked again until none changes, at most once for each seat.
    """
    seats = {
        (game.round, game.board, power): seat.reliefs
        for game in games
        for power, seat in game.table.seats.items()
        if seat.reliefs and seat.person is not None
    }
    found: dict[SeatKey, int | None] = dict.fromkeys(seats)
    for _ in seats:
        before = dict(found)
        for place, reliefs in seats.items():
            found[place] = _taker(place, reliefs, found, total)
        if found == before:
            break
    return found


def _taker(
    place: SeatKey, reliefs: tuple[SeatReplacement, ...], found: PointsTakers, total: TotalFunction
) -> int | None:
    for at in reversed(range(len(reliefs))):
        person = reliefs[at].person
        if total(person, {**found, place: at}) > total(person, {**found, place: None}):
            return at
    return None
