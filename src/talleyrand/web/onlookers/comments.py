"""Comments of onlookers: who reads them, who may write one, and how many.

Players, game masters’ assistants and all who ever played read none before the end, by whichever way.
"""

from __future__ import annotations

from django.db.models import QuerySet

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.conduct import bans
from talleyrand.web.games.models import RUNNING_STATES, Game, GameMembership, GameRole, PowerAssignment
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.press.message_text import InvalidText, clean_text

from .models import OnlookerComment

LONGEST = 1000  # characters
MOST_OF_PERSON, MOST_OF_GAME = 100, 2000  # comments of one game


class CommentRefused(Exception):
    """A comment that is not taken; `code` says why: empty, too_long, damaged, many, banned, not_now."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def may_comment(sight: GameViewer) -> bool:
    """Whether one only looks on at a game that is played, and never knew more of it than onlookers do."""
    person, game = sight.person, sight.whole_game
    if person is None or person.is_guest or game.state not in RUNNING_STATES:
        return False
    looks_on = sight.role in ("", GameRole.OBSERVER) and sight.may_open
    return looks_on and not game.is_at_table and not _was_inside(game, person)


def may_read_comments(sight: GameViewer) -> bool:
    """Onlookers and the game master while a game is played; everybody who may open it once it is over."""
    if sight.is_game_over:
        return sight.may_open and sight.game.phase_number > 0
    return sight.is_game_master or may_comment(sight)


def visible_comments(sight: GameViewer) -> QuerySet[OnlookerComment]:
    """What onlookers said, oldest first; nothing for whoever must not know it."""
    found = OnlookerComment.objects.filter(game=sight.whole_game)
    return found if may_read_comments(sight) else found.none()


def _was_inside(game: Game, person: Person) -> bool:
    """Whether somebody has played, led or helped to lead: also one whose power a stand-in plays."""
    roles = GameMembership.objects.filter(game=game, person=person).exclude(role=GameRole.OBSERVER)
    return roles.exists() or PowerAssignment.objects.filter(seat__game=game, person=person).exists()


@write_transaction
def write_comment(sight: GameViewer, text: str, key: str) -> OnlookerComment:
    """Say something; the same `key` again is the same comment. Raises CommentRefused."""
    person = sight.person
    if person is None or not may_comment(sight):
        raise CommentRefused("not_now")
    Person.objects.select_for_update().get(pk=person.pk)
    known = OnlookerComment.objects.filter(person=person, key=key).first()
    if known is not None:
        return known
    if bans.running_ban(person):
        raise CommentRefused("banned")
    here = OnlookerComment.objects.filter(game=sight.whole_game)
    if here.filter(person=person).count() >= MOST_OF_PERSON or here.count() >= MOST_OF_GAME:
        raise CommentRefused("many")
    try:
        kept = clean_text(text, LONGEST)
    except InvalidText as refused:
        raise CommentRefused(refused.code) from refused
    seen = {"phase_number": sight.game.phase_number, "phase": sight.game.phase}
    return OnlookerComment.objects.create(game=sight.whole_game, person=person, text=kept, key=key, **seen)


def delete_comment(person: Person, game: Game, comment: int) -> None:
    """Take one’s own back, at any time; one that is not there is no fault."""
    OnlookerComment.objects.filter(person=person, game=game, pk=comment).delete()
