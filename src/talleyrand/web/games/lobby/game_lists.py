"""Which games somebody may know of: one’s own, those to join, to watch, and the ended ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import open_seats, visibility
from talleyrand.web.games.models import (
    ENDED_STATES,
    RUNNING_STATES,
    Game,
    GameMembership,
    GameRole,
    GameSeat,
    GameState,
)

from .game_filters import GameFilter
from .setting_options import SEAT

ANY = GameFilter()
LIST_NAMES = ("join", "seats", "watch", "ended")
MOST_GAMES_WITH_OPEN_SEATS = (
    100  # games, the newest of those that look for somebody: the others may wait for these
)


@dataclass(frozen=True)
class ChainedGames(Sequence[Game]):
    """Some games, and after them others that are read as far as they are asked for."""

    first: list[Game]
    then: QuerySet[Game]

    def __len__(self) -> int:
        return len(self.first) + self.then.count()

    @overload
    def __getitem__(self, cut: int) -> Game: ...
    @overload
    def __getitem__(self, cut: slice) -> list[Game]: ...
    def __getitem__(self, cut: int | slice) -> Game | list[Game]:
        if isinstance(cut, int):
            return self[cut : cut + 1][0]
        start, stop = cut.start or 0, cut.stop
        had = len(self.first)
        rest = self.then[max(0, start - had) : None if stop is None else max(0, stop - had)]
        return [*self.first[start:stop], *rest]


def _with_role(person: Person) -> QuerySet[Game]:
    return Game.objects.filter(memberships__person=person, memberships__left_at=None)


def ended_games_of_person(person: Person) -> QuerySet[Game]:
    """The games in which somebody had a role to the end, the last begun first."""
    return _with_role(person).filter(state__in=ENDED_STATES).order_by("-pk")


def games_of_person(person: Person) -> QuerySet[Game]:
    """The games in which somebody has a role now, the most urgent first."""
    found = _with_role(person).exclude(state__in=ENDED_STATES)
    found = _with_counts(found.annotate(own_role=F("memberships__role")))
    return found.order_by(F("deadline").asc(nulls_last=True), "created_at", "pk")


def listed_games(show: str, person: Person | None, wanted: GameFilter = ANY) -> QuerySet[Game] | ChainedGames:
    """One of LIST_NAMES; of games to watch and of ended ones, `own_role` is the person’s role."""
    if show in ("join", "seats"):
        called = games_that_call(person, wanted)
        seats = open_seats.seats_of_games(called)
        free = open_seats.open_powers_of_games(called, seats, open_seats.open_phases_of_games(called))
        return games_to_join(show, person, wanted, [game for game in called if game.pk in free])
    known = visibility.visible_games(person).order_by("-pk")
    if person is not None:
        mine = GameMembership.objects.filter(game=OuterRef("pk"), person=person, left_at=None)
        known = known.annotate(own_role=Subquery(mine.values("role")))
    known = replace(wanted, seats="", **({"reliability": ""} if show == "ended" else {})).apply(known, person)
    if show == "ended":
        return known.filter(state__in=ENDED_STATES, phase_number__gt=0)
    return visibility.watchable_games(known).filter(state__in=RUNNING_STATES)


def games_to_join(show: str, person: Person | None, wanted: GameFilter, calling: list[Game]) -> ChainedGames:
    """The games that call with a free seat, and of all to join those that gather their players."""
    gathering = gathering_games(person, wanted) if show == "join" else Game.objects.none()
    return ChainedGames(calling, gathering)


def gathering_games(person: Person | None, wanted: GameFilter = ANY) -> QuerySet[Game]:
    """Games to join that gather their players, in which a seat is left; those that lack fewest first."""
    counted: Any = _with_counts(_strange(person).filter(state=GameState.GATHERING))
    found: QuerySet[Game] = counted.filter(sitting__lt=F("places"))
    return wanted.apply(found.order_by(F("places") - F("sitting"), "-pk"), person)


def _with_counts(games: QuerySet[Game]) -> QuerySet[Game]:
    """With `sitting`, how many players each has, and `places`, how many seats."""
    players = GameMembership.objects.filter(role=GameRole.PLAYER, left_at=None)
    return games.annotate(sitting=_counted(players), places=_counted(GameSeat.objects.all()))


def _counted(rows: QuerySet[GameMembership] | QuerySet[GameSeat]) -> Coalesce:
    """How many of these rows each game has."""
    here = rows.filter(game=OuterRef("pk")).order_by().values("game").annotate(count=Count("pk"))
    return Coalesce(Subquery(here.values("count")), 0)


def games_that_call(person: Person | None, wanted: GameFilter = ANY) -> list[Game]:
    """Games to join that run, with a seat that nobody has, which may be one whose power has nothing left, or
    a bot’s that one may take over; those after the others.

    None where games are looked for that lack a few players: those lack one who was there.
    """
    if wanted.seats:
        return []
    free, bots = (
        Exists(seats.filter(game=OuterRef("pk")))
        for seats in (open_seats.seats_without_player(), open_seats.bot_seats_to_take())
    )
    found = wanted.apply(_strange(person).filter(state__in=RUNNING_STATES), person)
    calling = [] if wanted.bots == SEAT else list(found.filter(free)[:MOST_GAMES_WITH_OPEN_SEATS])
    known = {game.pk for game in calling}
    more = found.filter(bots)[: MOST_GAMES_WITH_OPEN_SEATS - len(calling)]
    return [*calling, *(game for game in more if game.pk not in known)]


def _strange(person: Person | None) -> QuerySet[Game]:
    """Listed games in which one neither plays nor leads."""
    if person is None:
        return Game.objects.filter(is_listed=True).order_by("-pk")
    found = Game.objects.filter(Q(is_listed=True) | visibility.games_of_groups(person)).order_by("-pk")
    busy = GameMembership.objects.filter(person=person, left_at=None).exclude(role=GameRole.OBSERVER)
    return found.exclude(pk__in=busy.values("game"))
