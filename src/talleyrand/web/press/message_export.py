"""One’s letters of a game as a text to keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData
from talleyrand.web.games import page_context
from talleyrand.web.games.viewer_permissions import GameViewer

from . import conversation_pages, message_visibility
from .conversation_names import recipients_of
from .models import Conversation, Message, OpenedLetters

Json = dict[str, Any]


@never_cache
@require_safe
def export_all(request: HttpRequest, key: str) -> HttpResponse:
    """All the letters that one may read, room by room."""
    sight = page_context.game_viewer_of_page(request, key)
    return _text(messages_as_text(sight), f"{key}.txt")


@never_cache
@require_safe
def export_conversation(request: HttpRequest, key: str, room: str) -> HttpResponse:
    """The letters of one room."""
    sight = page_context.game_viewer_of_page(request, key)
    kept = get_object_or_404(message_visibility.visible_conversations(sight), key=room)
    return _text(f"{sight.game.name}\n\n{_room(sight, kept)}", f"{key}-{kept.key[:8]}.txt")


def messages_as_text(sight: GameViewer) -> str:
    """All that somebody may read of a game’s letters, room by room, in the language that is active."""
    known = [
        _room(sight, one)
        for one in message_visibility.visible_conversations(sight).order_by("created_at", "id")
    ]
    return "\n\n".join([sight.game.name, *(text for text in known if text)]) + "\n"


def _room(sight: GameViewer, kept: Conversation) -> str:
    shown = conversation_pages.conversation_messages(sight, recipients_of(kept), kept, whole=True)
    title = str(shown["title_of_room"])
    if not shown["shown"]:
        return ""
    return "\n".join([title, "=" * len(title), *_lines(shown["shown"])])


def _lines(letters: list[dict[str, Any]]) -> Iterator[str]:
    """Each letter under its heading, moved to the right: no letter can feign another’s heading."""
    zone = timezone.get_current_timezone_name()
    for letter in letters:
        if letter["phase"]:
            yield f"\n-- {letter['phase']} --"
        at = timezone.localtime(letter["at"]).strftime("%Y-%m-%d %H:%M")
        signature = letter["signature"]["name"]
        fate = f" [{letter['fate']}]" if letter["fate"] else ""
        yield f"\n{signature}, {at} ({zone}){fate}"
        if letter["about"]:
            yield f"[{letter['about']}]"
        yield from (f"    {line}" for line in str(letter["text"]).split("\n"))
        if letter["reason"]:
            returned = _("Returned: %(reason)s") % {"reason": letter["reason"]}
            yield from (f"    {line}" for line in returned.split("\n"))


def _text(text: str, name: str) -> HttpResponse:
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="talleyrand-{name}"'
    return answer


# The letters that a person wrote, for his copy of what the site keeps.


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


def export_openings(person: Person) -> list[Json]:
    """The games whose letters one has opened to everybody."""
    mine = OpenedLetters.objects.filter(person=person).select_related("game").order_by("pk")
    return [{"game": one.game.key, "agreed": one.agreed_at} for one in mine]


PERSONAL_DATA = PersonalData("letters", export_messages)
OPENINGS = PersonalData("opened_letters", export_openings)
