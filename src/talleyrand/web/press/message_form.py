"""A letter while it is written: who may sign it, what was typed, and what was said of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from talleyrand.web.boards import order_requests
from talleyrand.web.games import bot_agreements
from talleyrand.web.games import power_assignments as seating
from talleyrand.web.games.models import random_token
from talleyrand.web.games.viewer_permissions import GameViewer

from . import bot_letter_queue, bot_replies, message_actions, message_visibility, press_rules, press_texts
from .conversation_names import ConversationNames
from .message_text import LONGEST, InvalidText
from .models import Message, MessageState
from .press_rules import PressAuthor, PressSituation, Recipients


@dataclass
class MessageComposer:
    """Where a visitor writes: the rules as they stand for him."""

    sight: GameViewer
    situation: PressSituation
    author: PressAuthor

    @classmethod
    def for_viewer(cls, sight: GameViewer) -> MessageComposer:
        return cls(sight, press_rules.press_situation(sight.game), press_rules.press_author(sight))

    def signatures(self, to: Recipients) -> list[str]:
        """What the visitor may sign a letter to this address with."""
        return [
            writer
            for writer in self.author.signatures
            if press_rules.press_permission(self.situation, self.author, to, writer).allowed
        ]

    def why_not(self, to: Recipients) -> str:
        """Why there is nothing to write with; "" where there is."""
        if self.signatures(to):
            return ""
        inside = [one for one in self.author.signatures if one in to.powers] or list(self.author.signatures)
        if not inside:
            return press_texts.refusal_text(press_rules.why_not_writing(self.author))
        return press_texts.refusal_text(
            press_rules.press_permission(self.situation, self.author, to, inside[0]).code
        )

    def may_be_unsigned(self, to: Recipients) -> bool:
        return any(
            press_rules.press_permission(self.situation, self.author, to, writer, unsigned=True).allowed
            for writer in self.author.signatures
        )

    def rule_texts(self) -> list[str]:
        """The rules in sentences, with what keeps this visitor from writing."""
        hindrance = press_rules.why_not_writing(self.author)
        return [
            *press_texts.mode_texts(self.situation),
            *([press_texts.refusal_text(hindrance)] if hindrance else []),
        ]


@dataclass
class MessageForm:
    """What the page’s form holds; a refused one comes back as it was, with the sentence."""

    text: str = ""
    writer: str = ""
    unsigned: bool = False
    proposal_key: str = ""
    submission_id: str = field(default_factory=random_token)
    error: str = ""

    @classmethod
    def from_request(cls, request: HttpRequest, signatures: list[str]) -> MessageForm:
        post = request.POST
        only = signatures[0] if len(signatures) == 1 else ""
        return cls(
            text=post.get("text", ""),
            writer=post.get("writer", "") or only,
            unsigned=bool(post.get("unsigned")),
            proposal_key=post.get("about", "")[:80],
            submission_id=order_requests.submission_id_of(request),
        )

    def with_error(self, sentence: str) -> MessageForm:
        """The same with the sentence, ready to be sent again."""
        text, submission = self.text.replace("\x00", ""), self.submission_id or random_token()
        return replace(self, text=text, submission_id=submission, error=sentence)


def send_from_form(desk: MessageComposer, to: Recipients, form: MessageForm) -> Message | None:
    """Send what was written; None where it is refused: then the form says why."""
    person = desk.sight.person
    if person is None:
        form.error = press_texts.refusal_text("watching")
        return None
    writer = form.writer or _only(desk)
    written = message_actions.MessageDraft(
        form.text, writer, form.submission_id, form.unsigned, proposal_key=form.proposal_key
    )
    try:
        return message_actions.send_message(desk.sight.game, person, to, written, timezone.now())
    except (message_actions.MessageRefused, InvalidText) as refused:
        form.error = press_texts.refusal_text(refused.code)
        return None


def _only(desk: MessageComposer) -> str:
    """The signature of somebody who has one alone, though he may not use it now: the refusal says why."""
    return desk.author.signatures[0] if len(desk.author.signatures) == 1 else ""


def returned_text(sight: GameViewer, key: str) -> str:
    """The text of one of one’s own returned letters, to be written anew."""
    found = (
        message_visibility.visible_messages(sight)
        .filter(message_visibility.own_messages(sight), key=key, state=MessageState.RETURNED)
        .first()
    )
    return found.text if found else ""


def draft_orders(sight: GameViewer, to: Recipients) -> str:
    """The orders in preparation of the powers that one plays in a room, to be copied into a letter."""
    seats = sight.game.seats.filter(
        power__in=sight.orderable_powers, draft_phase_number=sight.game.phase_number
    )
    mine = seats if to.kind == press_rules.ConversationKind.ALL else seats.filter(power__in=to.powers)
    return "\n".join(line for seat in mine for line in seat.draft_orders)


def form_context(desk: MessageComposer, to: Recipients, form: MessageForm) -> dict[str, Any]:
    """What the form of a page shows."""
    naming = ConversationNames.for_viewer(desk.sight)
    signatures = desk.signatures(to)
    return {
        "form": form,
        "about": naming.proposal_text(form.proposal_key),
        "signatures": naming.choices(signatures),
        "declares": desk.may_be_unsigned(to),
        "why_not": desk.why_not(to),
        "longest": LONGEST,
        "orders": draft_orders(desk.sight, to),
        "waits": any(
            press_rules.press_permission(desk.situation, desk.author, to, one).held for one in signatures
        ),
        "nobody_there": _nobody_there(desk, to, naming),
        **_bots(desk, to, naming),
    }


def _nobody_there(desk: MessageComposer, to: Recipients, naming: ConversationNames) -> str:
    """The powers of a room whom nobody plays now: who plays them next finds the letters."""
    if to.kind not in (press_rules.ConversationKind.PAIR, press_rules.ConversationKind.GROUP):
        return ""
    free = seating.unplayed_powers(desk.sight.game)
    return ", ".join(naming.power(power)["name"] for power in to.powers if power in free)


def _bots(desk: MessageComposer, to: Recipients, naming: ConversationNames) -> dict[str, Any]:
    """The powers of a room that bots play: those that answer letters to them alone, and those that read none;
    and what one of them has proposed to whoever reads the page.
    """
    game = desk.sight.game
    if to.kind not in (press_rules.ConversationKind.PAIR, press_rules.ConversationKind.GROUP):
        return {}
    bots = [power for power in to.powers if power in seating.bots_by_power(game)]
    talking = bot_agreements.talking_bots(game) if len(to.powers) == 2 else []
    told = {
        name: ", ".join(naming.power(power)["name"] for power in bots if (power in talking) == is_talking)
        for name, is_talking in (("talking_bots", True), ("computers", False))
    }
    mine = [one for one in desk.sight.orderable_powers if one in to.powers]
    offered = [bot_replies.open_offer(game, bot, one) for bot in bots if bot in talking for one in mine]
    may_answer = (
        any(offered) and bool(desk.signatures(to)) and not bot_letter_queue.is_read_now(game, mine, to)
    )
    return {**told, "may_answer_offer": may_answer, "offer_writer": mine[:1]}
