"""The letters that a person wrote, for his copy of what the site keeps."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from .models import Message

Json = dict[str, Any]


def export_messages(person: Person) -> list[Json]:
    """One's own letters, to whom, and what became of each."""
    mine = (
        Message.objects.filter(author=person)
        .select_related("conversation__game")
        .order_by("written_at", "pk")
    )
    return [_letter(letter) for letter in mine]


def _letter(letter: Message) -> Json:
    return {
        "game": letter.conversation.game.key,
        "kind": letter.conversation.kind,
        "powers": letter.conversation.powers,
        "signed": letter.signature,
        "number": letter.phase_number,
        "about": letter.proposal_key,
        "text": letter.text,
        "state": letter.state,
        "reason": letter.return_reason,
        "doubts": letter.hold_reasons,
        "written": letter.written_at,
        "delivered": letter.delivered_at,
    }


PERSONAL_DATA = PersonalData("letters", export_messages)
