"""Who is kept out of a game, by whichever door: list, link, email, program, the game master’s hand."""

from __future__ import annotations

from talleyrand.web.accounts.models import Person
from talleyrand.web.conduct import bans, moderated_games

from .models import Game, GameRole


def why_kept_out(game: Game, person: Person, role: str) -> str:
    """Why somebody gets no such role, by what moderators did; "" if nothing. Anybody may look on.

    `banned`, or `moderated`: they have read as a moderator what others write in this game, or who plays.
    """
    if role == GameRole.OBSERVER:
        return ""
    if bans.running_ban(person):
        return "banned"
    return "moderated" if moderated_games.has_read(person, game.key) else ""


def lock_person(person: Person) -> None:
    """Before it is asked: no ban comes in between then.

    Locks are taken in this order: queues, games, people.
    """
    Person.objects.select_for_update(no_key=True).get(pk=person.pk)
