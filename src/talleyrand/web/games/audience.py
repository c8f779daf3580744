"""Whom to tell what happens in a game, by primary key of the persons."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from talleyrand.web.notices import counters, kinds, outbox

from . import seats
from .models import Game, Membership, Role
from .sight import Sight

OF_MEMBERS, OF_DESK = ("deadlines", "letters", "votes"), ("desk",)  # groups of news


def masters(game: Game) -> list[int]:
    """The game masters and their assistants."""
    return _with(game, Role.MASTER, Role.ASSISTANT)


def everybody(game: Game) -> list[int]:
    """All who have a role in the game."""
    return list(game.memberships.filter(left=None).values_list("person", flat=True))


def holder(game: Game, power: str) -> list[int]:
    """Whoever may order this power now."""
    found = seats.holder(game, power)
    return [found] if found else []


def tell(game: Game, people: list[int], kind: str, once: str, **facts: Any) -> None:
    """Put one notice about the game into the outbox of each; `once` is made unique to the game.

    Facts hold codes (powers, phases), never what the reader may not know.
    """
    told = {"game": game.name, "variant": game.variant, **facts}
    path = reverse("games:game", args=[game.key])
    about = counters.game_topic(game.key)
    outbox.tell(people, kind, told, about=about, path=path, once=f"{game.key}:{once}")


def concerns(sight: Sight, kind: str) -> bool:
    """Whether news of a kind, which leave the site later than they were told, are still their reader’s."""
    if not sight.may_open:
        return False
    group = kinds.group_of(kind)
    if group in OF_DESK:
        return sight.at_desk
    return bool(sight.role) if group in OF_MEMBERS else True


def _with(game: Game, *roles: Role) -> list[int]:
    found = Membership.objects.filter(game=game, left=None, role__in=roles)
    return list(found.values_list("person", flat=True))
