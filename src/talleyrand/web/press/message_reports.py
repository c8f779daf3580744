"""What goes with a reported message: what its reporter could read then, and nothing else."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import override

from talleyrand.web.conduct.reports import ReportedMessage
from talleyrand.web.games.viewer_permissions import GameViewer

from . import message_visibility
from .conversation_names import ConversationNames
from .models import Message, MessageState

AROUND = 5  # messages before and after, of the same conversation


def may_report(sight: GameViewer, message: Message) -> bool:
    """Whether somebody may report a message that they can read: one that came, of an account, not theirs."""
    person = sight.person
    if person is None or person.is_guest or message.state != MessageState.DELIVERED:
        return False
    return message.author_id not in (None, person.pk) and message.author_power not in sight.powers


def reported_message(sight: GameViewer, message: Message) -> ReportedMessage:
    """The message with those around it."""
    assert message.author is not None
    return ReportedMessage(
        message.author, message.key, sight.game.key, sight.game.name, _excerpt(sight, message)
    )


def _excerpt(sight: GameViewer, message: Message) -> list[dict[str, Any]]:
    read = message_visibility.visible_messages(sight).filter(conversation=message.conversation)
    came = read.filter(state=MessageState.DELIVERED)
    place = list(came.values_list("pk", flat=True)).index(message.pk)
    naming = ConversationNames.for_viewer(sight)
    return [
        {
            "signature": str(naming.signature(one)["name"]),
            "signatures": _signatures(naming, one),
            "text": one.text,
            "at": one.delivered_at.isoformat() if one.delivered_at else "",
            "is_reported": one.pk == message.pk,
        }
        for one in came[max(0, place - AROUND) : place + AROUND + 1]
    ]


def _signatures(naming: ConversationNames, message: Message) -> dict[str, str]:
    """The signature in every language: who moderates may read another than who reports."""
    found = {}
    for language, _title in settings.LANGUAGES:
        with override(language):
            found[language] = str(naming.signature(message)["name"])
    return found
