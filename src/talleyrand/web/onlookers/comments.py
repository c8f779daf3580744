"""Comments of onlookers: who reads them, who may write one, and how many.

Players, game masters’ assistants and all who ever played read none before the end, by whichever way.
"""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.conduct import bans
from talleyrand.web.conduct.models import ModerationEntry, ReportKind
from talleyrand.web.conduct.reports import ReportedMessage
from talleyrand.web.games import game_log
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
    """Onlookers while a game is played, and a game master who plays no power of it; everybody who may open it
    once it is over.
    """
    if sight.is_game_over:
        return sight.may_open and sight.game.phase_number > 0
    return (sight.is_game_master and not sight.powers) or may_comment(sight)


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


def may_remove(sight: GameViewer) -> bool:
    """Whether one removes what others said: the game master, and moderators who were never inside, where they
    may read it.
    """
    person, game = sight.person, sight.whole_game
    if person is None or not may_read_comments(sight):
        return False
    return sight.is_game_master or (bans.is_moderator(person) and not _was_inside(game, person))


@write_transaction
def delete_comment(sight: GameViewer, comment: int) -> None:
    """Take one’s own back, at any time, or remove that of another where one may; one that is not there is no
    fault.
    """
    person, game = sight.person, sight.whole_game
    said = OnlookerComment.objects.filter(game=game, pk=comment)
    if person is None or said.filter(person=person).delete()[0] or not may_remove(sight):
        return
    author = said.values_list("person", flat=True).first()
    if author is None or not remove_comment(comment):
        return
    if sight.is_game_master:
        game_log.add_log_entry(game, "comment_removed", role=sight.role, by=person, shown=False)
    else:
        ModerationEntry.objects.create(kind="remove", by=person, person_id=author)


def remove_comment(comment: int) -> bool:
    """Its text goes, its place stays: so the same form sent again does not bring it back. False for none."""
    said = OnlookerComment.objects.filter(pk=comment, removed_at=None)
    return bool(said.update(text="", removed_at=timezone.now()))


def reported_comment(sight: GameViewer, comment: int) -> tuple[OnlookerComment, ReportedMessage] | None:
    """A comment of somebody else that one can read, and what is filed of it; None if one cannot report it."""
    person = sight.person
    found = visible_comments(sight).filter(pk=comment, removed_at=None).select_related("person").first()
    if found is None or person is None or person.is_guest or found.person_id == person.pk:
        return None
    excerpt = {
        "signature": found.person.shown_name,
        "text": found.text,
        "at": found.written_at.isoformat(),
        "is_reported": True,
    }
    game = sight.whole_game
    told = ReportedMessage(found.person, str(found.pk), game.key, game.name, [excerpt], ReportKind.COMMENT)
    return found, told
