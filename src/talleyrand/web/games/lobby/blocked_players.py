"""Keeps people who block each other out of one game, where names are no secret.

In an anonymous game a block does nothing: whoever is refused, or left in a queue, would learn who is there.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from talleyrand.web.accounts.models import Person
from talleyrand.web.conduct import blocks
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.models import Game, GameMembership, GameRole


def names_are_known(game: Game) -> bool:
    """Whether whoever takes part may know who plays."""
    return game.settings.anonymity == Anonymity.OPEN or game.powers_revealed_at is not None


def why_kept_apart(game: Game, person: Person) -> str:
    """Why somebody is not to join those who are in a game: `blocking` or `blocked`; "" if nothing."""
    others = _taking_part([game]).values_list("person", flat=True) if names_are_known(game) else ()
    return blocks.why_apart(person, list(others)) if others else ""


def games_with_blocked(games: Collection[Game], person: Person | None) -> frozenset[int]:
    """The games in which somebody whom one blocks takes part, by primary key."""
    blocked = list(blocks.blocked_by(person).values_list("blocked", flat=True))
    known = [game for game in games if names_are_known(game)] if blocked else []
    return frozenset(_taking_part(known).filter(person__in=blocked).values_list("game", flat=True))


def _taking_part(games: Collection[Game]) -> QuerySet[GameMembership]:
    found = GameMembership.objects.filter(game__in=[game.pk for game in games], left_at=None)
    return found.exclude(role=GameRole.OBSERVER)
