"""Which games somebody may know of: one’s own, those to join, to watch, and the ended ones."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import seen, vacancies
from talleyrand.web.games.models import OVER, RUNNING, Game, Membership, Role, Seat, State, Tenure

SHOWN = ("join", "watch", "ended")


def mine(person: Person) -> list[Game]:
    """The games in which somebody has a role now, the most urgent first."""
    found = Game.objects.filter(memberships__person=person, memberships__left=None).exclude(state__in=OVER)
    return sorted(found, key=lambda game: (game.due is None, game.due or game.created))


def chosen(show: str, person: Person | None, variant: str) -> QuerySet[Game] | list[Game]:
    if show == "join":
        return [*_calling(person, variant), *_gathering(person, variant)]
    known = seen.games(person).order_by("-pk")
    known = known.filter(variant=variant) if variant else known
    if show == "ended":
        return known.filter(state__in=OVER, number__gt=0)
    return seen.watchable(known).filter(state__in=RUNNING)


def _gathering(person: Person | None, variant: str) -> Iterable[Game]:
    """Games in which a seat is left."""
    sitting = Q(memberships__role=Role.PLAYER, memberships__left=None)
    counted = _strange(person, variant).annotate(
        sitting=Count("memberships", filter=sitting, distinct=True), places=Count("seats", distinct=True)
    )
    return counted.filter(state=State.GATHERING, sitting__lt=F("places"))


def _calling(person: Person | None, variant: str) -> Iterable[Game]:
    """Games that run and look for somebody to play a power that nobody plays."""
    played = Tenure.objects.filter(seat=OuterRef("pk"), until=None).exclude(person=None)
    free = Seat.objects.filter(~Exists(played), game=OuterRef("pk"))
    found = _strange(person, variant).filter(Exists(free), state__in=RUNNING)
    return [game for game in found if vacancies.to_play(game)]


def _strange(person: Person | None, variant: str) -> QuerySet[Game]:
    """Listed games in which one neither plays nor leads."""
    found = Game.objects.filter(listed=True).order_by("-pk")
    found = found.filter(variant=variant) if variant else found
    if person is None:
        return found
    busy = Membership.objects.filter(person=person, left=None).exclude(role=Role.OBSERVER)
    return found.exclude(pk__in=busy.values("game"))
