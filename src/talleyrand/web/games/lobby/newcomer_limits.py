"""How many games found in the list a newcomer plays at once."""

from __future__ import annotations

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import ENDED_STATES, GameMembership, GameRole, GameState

NEWCOMER_GAMES = 3


def has_too_many_games(person: Person) -> bool:
    """Whether somebody who has never played a game to its end has enough to do with those they are in.

    Games by invitation, which nobody finds in the list, do not count.
    """
    mine = GameMembership.objects.filter(person=person, role=GameRole.PLAYER, left_at=None)
    if mine.filter(game__state=GameState.ENDED, game__phase_number__gt=0).exists():
        return False
    return mine.filter(game__is_listed=True).exclude(game__state__in=ENDED_STATES).count() >= NEWCOMER_GAMES
