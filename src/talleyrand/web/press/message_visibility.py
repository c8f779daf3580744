"""Who may see which rooms and letters: one function a model, asked by every page, feed and export.

A private room is seen by whoever plays one of its powers now, and by the game master; the public one by
whoever may look at the game. A letter on its way through the game master is seen by its writer’s power too.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from talleyrand.web.games.viewer_permissions import GameViewer

from .models import Conversation, Message, MessageState
from .press_rules import GAME_MASTER, ConversationKind


def visible_conversations(sight: GameViewer) -> QuerySet[Conversation]:
    """The rooms in which one may read something: one with nothing but another’s held letter is not there."""
    return Conversation.objects.filter(pk__in=visible_messages(sight).order_by().values("conversation"))


def visible_messages(sight: GameViewer) -> QuerySet[Message]:
    """The letters one may read, oldest first: by when they were passed on, or written."""
    found = Message.objects.filter(conversation__game=sight.game).select_related("conversation")
    if not sight.may_open:
        return found.none()
    if not sight.is_game_master:
        inside = Q(conversation__kind=ConversationKind.ALL) | Q(conversation__in=_inside(sight))
        found = found.filter(inside, Q(state=MessageState.DELIVERED) | Q(author_power__in=sight.powers))
    return found.order_by(Coalesce("delivered_at", "written_at"), "id")


def held_messages(sight: GameViewer) -> QuerySet[Message]:
    """The letters that wait for the game master, oldest first; nothing for anybody else."""
    found = visible_messages(sight).filter(state=MessageState.HELD)
    return found if sight.is_game_master else found.none()


def own_messages(sight: GameViewer) -> Q:
    """Which letters one wrote oneself, whoever played the power then."""
    return Q(signature=GAME_MASTER) if sight.is_game_master else Q(author_power__in=sight.powers)


def _inside(sight: GameViewer) -> list[int]:
    """The private rooms in which one of one’s powers is."""
    if not sight.powers:
        return []
    mine = set(sight.powers)
    among = (
        Conversation.objects.filter(game=sight.game)
        .exclude(kind=ConversationKind.ALL)
        .values_list("pk", "powers")
    )
    return [pk for pk, powers in among if mine.intersection(powers)]
