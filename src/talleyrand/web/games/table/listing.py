"""Which games somebody may know of: one’s own, those to join, to watch, and the ended ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import seen, vacancies
from talleyrand.web.games.models import OVER, RUNNING, Game, Membership, Role, Seat, State

SHOWN = ("join", "watch", "ended")
MOST_CALLING = 100  # games, the newest of those that look for somebody: the others may wait for these


@dataclass(frozen=True)
class Joined(Sequence[Game]):
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


def mine(person: Person) -> QuerySet[Game]:
    """The games in which somebody has a role now, the most urgent first."""
    found = Game.objects.filter(memberships__person=person, memberships__left=None).exclude(state__in=OVER)
    return found.order_by(F("due").asc(nulls_last=True), "created", "pk")


def chosen(show: str, person: Person | None, variant: str) -> QuerySet[Game] | Joined:
    """One of the lists in SHOWN."""
    if show == "join":
        return Joined(_calling(person, variant), _gathering(person, variant))
    known = seen.games(person).order_by("-pk")
    known = known.filter(variant=variant) if variant else known
    if show == "ended":
        return known.filter(state__in=OVER, number__gt=0)
    return seen.watchable(known).filter(state__in=RUNNING)


def _gathering(person: Person | None, variant: str) -> QuerySet[Game]:
    """Games in which a seat is left."""
    players = Membership.objects.filter(role=Role.PLAYER, left=None)
    counted = _strange(person, variant).filter(state=State.GATHERING)
    counted = counted.annotate(sitting=_counted(players), places=_counted(Seat.objects.all()))
    return counted.filter(sitting__lt=F("places"))


def _counted(rows: QuerySet[Membership] | QuerySet[Seat]) -> Coalesce:
    """How many of these rows each game has."""
    here = rows.filter(game=OuterRef("pk")).order_by().values("game").annotate(count=Count("pk"))
    return Coalesce(Subquery(here.values("count")), 0)


def _calling(person: Person | None, variant: str) -> list[Game]:
    """Games that run and look for somebody to play a power that nobody plays."""
    free = vacancies.unplayed().filter(game=OuterRef("pk"))
    found = list(_strange(person, variant).filter(Exists(free), state__in=RUNNING)[:MOST_CALLING])
    to_play = vacancies.to_play_of(found)
    return [game for game in found if game.pk in to_play]


def _strange(person: Person | None, variant: str) -> QuerySet[Game]:
    """Listed games in which one neither plays nor leads."""
    found = Game.objects.filter(listed=True).order_by("-pk")
    found = found.filter(variant=variant) if variant else found
    if person is None:
        return found
    busy = Membership.objects.filter(person=person, left=None).exclude(role=Role.OBSERVER)
    return found.exclude(pk__in=busy.values("game"))
