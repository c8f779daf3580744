"""Who may see which rooms and letters: one function a model, asked by every page, feed and export.

A private room is seen by whoever plays one of its powers now, and by the game master; the public one by
whoever may look at the game. A letter on its way through the game master is seen by its writer’s power too.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from talleyrand.web.games.sight import Sight

from .models import Fate, Letter, Room
from .rules import MASTER, Kind


def rooms(sight: Sight) -> QuerySet[Room]:
    """The rooms in which one may read something: one with nothing but another’s held letter is not there."""
    return Room.objects.filter(pk__in=letters(sight).order_by().values("room"))


def letters(sight: Sight) -> QuerySet[Letter]:
    """The letters one may read, oldest first: by when they were passed on, or written."""
    found = Letter.objects.filter(room__game=sight.game).select_related("room")
    if not sight.may_open:
        return found.none()
    if not sight.is_master:
        inside = Q(room__kind=Kind.ALL) | Q(room__in=_inside(sight))
        found = found.filter(inside, Q(state=Fate.DELIVERED) | Q(writer__in=sight.powers))
    return found.order_by(Coalesce("delivered", "written"), "id")


def held(sight: Sight) -> QuerySet[Letter]:
    """The letters that wait for the game master, oldest first; nothing for anybody else."""
    found = letters(sight).filter(state=Fate.HELD)
    return found if sight.is_master else found.none()


def written(sight: Sight) -> Q:
    """Which letters one wrote oneself, whoever played the power then."""
    return Q(signed=MASTER) if sight.is_master else Q(writer__in=sight.powers)


def _inside(sight: Sight) -> list[int]:
    """The private rooms in which one of one’s powers is."""
    if not sight.powers:
        return []
    mine = set(sight.powers)
    among = Room.objects.filter(game=sight.game).exclude(kind=Kind.ALL).values_list("pk", "powers")
    return [pk for pk, powers in among if mine.intersection(powers)]
