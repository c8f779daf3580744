"""Letters: one’s rooms, what stands in them, and writing; those that wait for the game master."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja.params import Path, Query
from pydantic import Field, StringConstraints

from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import TokenRequest, for_game_master, idempotency_key_or_new, open_game
from talleyrand.web.api.resource import Refusals, Resource
from talleyrand.web.api.schemas import (
    PRINTABLE,
    IdempotencyKey,
    Moment,
    PageAfter,
    PageLimit,
    RequestSchema,
    ResponseSchema,
    list_out,
    page_out,
    paginate,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.press import (
    message_actions,
    message_notifications,
    message_visibility,
    press_rules,
    press_texts,
    proposal_refs,
)
from talleyrand.web.press.conversation_names import recipients_of
from talleyrand.web.press.message_form import MessageComposer
from talleyrand.web.press.message_text import LONGEST, InvalidText
from talleyrand.web.press.models import Conversation, MessageState
from talleyrand.web.press.models import Message as Kept
from talleyrand.web.press.press_rules import ConversationKind, InvalidRecipients


def _unfit(where: str, code: str, sentence: str) -> ApiError:
    return ApiError(422, code, sentence, [FieldError(where, sentence)])


MESSAGE_REFUSALS: Refusals = {
    message_actions.MessageRefused: lambda refused, _sight: ApiError(
        409, refused.code, press_texts.refusal_text(refused.code)
    ),
    message_actions.MessageNotHeld: lambda settled, _sight: ApiError(
        409, settled.state, press_texts.not_held_text(settled.state)
    ),
    InvalidText: lambda unfit, _sight: _unfit("body.text", unfit.code, press_texts.refusal_text(unfit.code)),
    InvalidRecipients: lambda unfit, _sight: _unfit(
        "body.to", unfit.code, press_texts.refusal_text(unfit.code)
    ),
}
RESOURCE = Resource("letters", Scope.LETTERS, sight=open_game, refused=MESSAGE_REFUSALS)
WORD = "^[A-Za-z0-9_-]{1,64}$"
MOST_RECIPIENTS = 60
ConversationKey = Annotated[
    str, Path(description=_("A conversation, as named in the list of conversations."), pattern=WORD)
]
MessageKey = Annotated[str, Path(description=_("A held message, by its `letter`."), pattern=WORD)]
InRoom = Annotated[str | None, Query(description=_("Only those of one conversation."), pattern=WORD)]
Text = Annotated[str, StringConstraints(max_length=2 * LONGEST, pattern=PRINTABLE)]
Signature = Annotated[str, StringConstraints(max_length=40, pattern=r"^(@|[A-Z0-9_-]{1,40})$")]
Recipient = Annotated[str, StringConstraints(max_length=40, pattern=r"^([@*]|[A-Z0-9_-]{1,40})$")]


class ConversationOut(ResponseSchema):
    room: str
    kind: Literal["pair", "group", "all", "master"]
    powers: list[str] = Field(description=_("Its powers; empty for the conversation with everyone."))
    unread: int = Field(description=_("Number of its messages you have not read."))


class ProposalRefIn(RequestSchema):
    """A public proposal of the open turn."""

    vote: str = Field(max_length=20, pattern=WORD, description=_("Which vote the proposal belongs to."))
    by: Signature = Field(description=_("Who made it."))


class ProposalRefOut(ResponseSchema):
    number: int = Field(description=_("The phase in which it was made."))
    vote: str
    by: str


class MessageOut(ResponseSchema):
    letter: str | None = Field(description=_("Its key, for its writer and the game master only."))
    room: str
    signed: str = Field(description=_("A power, “@” for the game master, “?” for unsigned."))
    number: int = Field(description=_("The current phase at that time."))
    phase: str
    text: str
    about: ProposalRefOut | None = Field(description=_("The public proposal that it is about."))
    state: Literal["delivered", "held", "returned"]
    reason: str = Field(description=_("Why the game master returned it."))
    at: Moment = Field(description=_("When it was delivered; if it was not, when it was written."))


MessagesOut = page_out("MessagesOut", MessageOut)


class MessageIn(RequestSchema):
    to: list[Recipient] = Field(
        min_length=1,
        max_length=MOST_RECIPIENTS,
        description=_("Powers; or “*” alone for everyone, “@” alone for the game master."),
    )
    text: Text
    writer: Signature | None = Field(
        default=None, description=_("The power that signs; required if you have several.")
    )
    unsigned: bool = Field(default=False, description=_("Unsigned message to everyone."))
    about: ProposalRefIn | None = Field(
        default=None, description=_("Only to everyone: the proposal that it supports or answers.")
    )


class UnreadOut(ResponseSchema):
    unread: int


class ReturnReasonIn(RequestSchema):
    reason: Annotated[
        str, StringConstraints(max_length=2 * message_actions.LONGEST_REASON, pattern=PRINTABLE)
    ]


@RESOURCE.get(
    "/games/{key}/rooms",
    _("Your conversations, with the number of unread messages in each."),
    list_out("ConversationsOut", ConversationOut),
)
def list_conversations(request: TokenRequest, sight: GameViewer) -> object:
    unread = message_visibility.unread_by_conversation(sight)
    found = _rooms(request, sight).order_by("pk")
    return {"items": [_room(one, unread.get(one.pk, 0)) for one in found]}


@RESOURCE.get(
    "/games/{key}/letters",
    _("The messages you can read, oldest first; with `desk`, a game master reads all."),
    MessagesOut,
)
def list_messages(
    request: TokenRequest,
    sight: GameViewer,
    room: InRoom = None,
    after: PageAfter = None,
    limit: PageLimit = 50,
) -> object:
    found = _letters(request, sight)
    if room is not None:
        found = found.filter(conversation=get_object_or_404(_rooms(request, sight), key=room))
    return paginate(found, after, limit, lambda one: _letter(sight, one))


@RESOURCE.post(
    "/games/{key}/letters",
    _("Write a message. Where messages go through the game master, it is `held` until they forward it."),
    MessageOut,
    status=201,
)
def send_message(
    request: TokenRequest, sight: GameViewer, sent: MessageIn, idempotency_key: IdempotencyKey = None
) -> object:
    desk = MessageComposer.for_viewer(sight)
    writer = sent.writer or _only(desk)
    powers = list(sight.game.seats.values_list("power", flat=True))
    to = press_rules.recipients_for(writer, sent.to, powers)
    about = _about(sight, sent.about)
    written = message_actions.MessageDraft(
        sent.text, writer, idempotency_key_or_new(idempotency_key), sent.unsigned, proposal_key=about
    )
    made = message_actions.send_message(sight.game, request.auth.person, to, written, timezone.now())
    return _letter(sight, made)


@RESOURCE.post(
    "/games/{key}/rooms/{room}/read", _("Mark a conversation as read, as opening its page does."), UnreadOut
)
def mark_conversation_read(request: TokenRequest, sight: GameViewer, room: ConversationKey) -> object:
    kept = get_object_or_404(_rooms(request, sight), key=room)
    moments = [
        one.delivered_at
        for one in message_visibility.visible_messages(sight).filter(conversation=kept)
        if one.delivered_at
    ]
    message_notifications.mark_seen(sight, kept, max(moments, default=None))
    return {"unread": message_visibility.unread_by_conversation(sight).get(kept.pk, 0)}


def _about(sight: GameViewer, sent: ProposalRefIn | None) -> str:
    """How a letter names the proposal; one that was made in no phase of now is refused when it is sent."""
    if sent is None:
        return ""
    story = GameHistory(sight.game)
    number = proposal_refs.proposal_phase(story, sight.game.phase_number, sight.game.phase)
    return proposal_refs.ProposalRef(number, sent.vote, sent.by).key


def _letters(request: TokenRequest, sight: GameViewer) -> QuerySet[Kept]:
    """The letters that this token reads: what players write to each other the game master reads at his desk,
    which a token for one’s own letters does not reach.
    """
    found = message_visibility.visible_messages(sight)
    if not sight.is_game_master or Scope.DESK in request.auth.token.scopes:
        return found
    return found.filter(
        conversation__kind__in=(ConversationKind.ALL, ConversationKind.MASTER), state=MessageState.DELIVERED
    )


def _rooms(request: TokenRequest, sight: GameViewer) -> QuerySet[Conversation]:
    """The rooms in which this token reads something."""
    return Conversation.objects.filter(pk__in=_letters(request, sight).order_by().values("conversation"))


# the game master’s


@RESOURCE.get(
    "/games/{key}/letters/held",
    _("Messages held for you as game master, oldest first."),
    MessagesOut,
    scope=Scope.DESK,
    sight=for_game_master,
)
def list_held(sight: GameViewer, after: PageAfter = None, limit: PageLimit = 50) -> object:
    return paginate(message_visibility.held_messages(sight), after, limit, lambda one: _letter(sight, one))


@RESOURCE.post(
    "/games/{key}/letters/{letter}/pass",
    _("Forward a held message."),
    MessageOut,
    scope=Scope.DESK,
    sight=for_game_master,
)
def release_message(sight: GameViewer, letter: MessageKey) -> object:
    return _letter(sight, message_actions.release_message(_of_players(sight, letter), timezone.now()))


@RESOURCE.post(
    "/games/{key}/letters/{letter}/return",
    _("Return a held message to its writer, with a reason."),
    MessageOut,
    scope=Scope.DESK,
    sight=for_game_master,
)
def return_message(sight: GameViewer, letter: MessageKey, sent: ReturnReasonIn) -> object:
    try:
        return _letter(sight, message_actions.return_message(_of_players(sight, letter), sent.reason))
    except InvalidText as unfit:
        raise _unfit("body.reason", unfit.code, press_texts.return_refusal_text(unfit.code)) from unfit


def _of_players(sight: GameViewer, letter: str) -> Kept:
    """A letter of players, whatever became of it."""
    return get_object_or_404(message_visibility.visible_messages(sight).exclude(author_power=""), key=letter)


def _only(desk: MessageComposer) -> str:
    """The signature of somebody who has one alone."""
    signatures = desk.author.signatures
    if len(signatures) > 1:
        raise ApiError(422, fields=[FieldError("body.writer", _("You have several signatures: choose one."))])
    return signatures[0] if signatures else ""


def _room(room: Conversation, unread: int) -> dict[str, Any]:
    to = recipients_of(room)
    return {"room": room.key, "kind": str(to.kind), "powers": list(to.powers), "unread": unread}


def _letter(sight: GameViewer, one: Kept) -> dict[str, Any]:
    mine = sight.is_game_master or (bool(one.author_power) and one.author_power in sight.powers)
    reason = one.return_reason if one.state == MessageState.RETURNED else ""
    at = one.delivered_at or one.written_at
    motion = proposal_refs.ProposalRef.parse(one.proposal_key)
    return {
        "letter": one.key if mine else None,
        "room": one.conversation.key,
        "signed": one.signature,
        "number": one.phase_number,
        "phase": one.phase,
        "text": one.text,
        "state": one.state,
        "about": motion._asdict() if motion else None,
        "reason": reason,
        "at": at,
    }
