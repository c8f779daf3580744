"""Writes, passes on and returns letters: each in one short transaction, safe to be asked twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.conduct import bans
from talleyrand.web.games.models import Game, GameRole
from talleyrand.web.games.viewer_permissions import GameViewer

from . import bot_letter_queue, message_notifications, press_rules, proposal_refs
from .message_text import clean_text
from .models import Conversation, Message, MessageState
from .press_rules import GAME_MASTER, UNSIGNED, ConversationKind, PressAuthor, Recipients

MOST, WITHIN = 60, timedelta(minutes=10)  # letters by one person in a game: a flood, not a correspondence
LONGEST_REASON = 2000
TICK = timedelta(microseconds=1)


class MessageRefused(Exception):
    """A letter that is not taken; `code` says why, as `rules.verdict` does, or: flood,
    incomplete, about_apart, no_motion."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class MessageNotHeld(Exception):
    """A letter that no longer waits: it was passed on or returned before; `state` says which."""

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self.state = state


@dataclass(frozen=True)
class HoldReason:
    """What in a letter may tell who wrote it: a code, and the words that are meant."""

    code: str
    found: str = ""


@dataclass(frozen=True)
class MessageDraft:
    """What somebody wrote: `signature` is the power he signs for or "@"; `submission_id` makes it one letter.

    With `hold_reasons` it waits for the game master, and is refused where there is none. `proposal_key`: the
    proposal that it is about.
    """

    text: str
    signature: str
    submission_id: str
    unsigned: bool = False
    hold_reasons: Sequence[HoldReason] = ()
    proposal_key: str = ""

    @property
    def refusal_code(self) -> str:
        """What is wrong with it in one code; "" for nothing."""
        return "names_writer" if self.hold_reasons else ""

    def key(self, person: Person) -> str:
        """The same form sent again is the same letter; with another text it is another one."""
        told = f"{person.pk}\n{self.submission_id}\n{self.signature}\n{self.unsigned}\n{self.text}"
        told += f"\n{self.proposal_key}" if self.proposal_key else ""
        return hashlib.sha256(told.encode()).hexdigest()


def send_message(game: Game, person: Person, to: Recipients, written: MessageDraft, now: datetime) -> Message:
    """Deliver a letter, or hold it for the game master; the same one again is given back.

    Raises MessageRefused, and `message_text.InvalidText`.
    """
    if not written.submission_id:
        raise MessageRefused("incomplete")
    written = replace(written, text=clean_text(written.text))
    if (
        written.proposal_key
        and not Message.objects.filter(conversation__game=game, key=written.key(person)).exists()
    ):
        _check_about(game, to, written.proposal_key)
    letter = _store_message(game, person, to, written, now)
    failpoint("letters: committed")
    return letter


def _check_about(game: Game, to: Recipients, about: str) -> None:
    """Raises MessageRefused where nobody has made this proposal, or not everybody is to read what is said of
    it.
    """
    if to.kind != ConversationKind.ALL:
        raise MessageRefused("about_apart")
    if about not in {motion.key for motion in proposal_refs.open_proposals(game)}:
        raise MessageRefused("no_motion")


@write_transaction
def _store_message(
    game: Game, person: Person, to: Recipients, written: MessageDraft, now: datetime
) -> Message:
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    key = written.key(person)
    known = Message.objects.filter(
        conversation__game=fresh, conversation__participants_key=to.participants_key, key=key
    ).first()
    if known is not None:
        return known
    found = _judged(fresh, person, to, written, now)
    letter = Message(
        key=key,
        signature=UNSIGNED if written.unsigned else written.signature,
        author_power="" if written.signature == GAME_MASTER else written.signature,
        author=person,
        text=written.text,
        proposal_key=written.proposal_key,
        hold_reasons=[[one.code, one.found] for one in written.hold_reasons] if found.held else [],
    )
    return _post_letter(fresh, to, letter, now, held=found.held)


def write_for_bot(game: Game, power: str, reader: str, text: str, key: str, now: datetime) -> Message | None:
    """A bot writes to a power, inside the transaction that holds the game; the same `key` is the same letter.
    None where nobody may write that now.
    """
    to = press_rules.recipients_for(power, [reader], list(game.seats.values_list("power", flat=True)))
    room = Conversation.objects.filter(game=game, participants_key=to.participants_key)
    if (known := Message.objects.filter(conversation__in=room, key=key).first()) is not None:
        return known
    pen = PressAuthor(GameRole.PLAYER, (power,), eliminated=press_rules.eliminated_powers(game))
    found = press_rules.press_permission(press_rules.press_situation(game), pen, to, power)
    if not found.allowed:
        return None
    letter = Message(key=key, signature=power, author_power=power, is_bots=True, text=clean_text(text))
    return _post_letter(game, to, letter, now, held=found.held)


def _post_letter(game: Game, to: Recipients, letter: Message, now: datetime, *, held: bool) -> Message:
    """Into its room, or before the game master."""
    letter.conversation, _ = Conversation.objects.get_or_create(
        game=game,
        participants_key=to.participants_key,
        defaults={"kind": to.kind, "powers": list(to.powers)},
    )
    if not held:
        _deliver(game, letter, now)
        return letter
    letter.phase_number, letter.phase, letter.state = game.phase_number, game.phase, MessageState.HELD
    letter.save()
    message_notifications.notify_held(game, letter)
    return letter


def _judged(
    game: Game, person: Person, to: Recipients, written: MessageDraft, now: datetime
) -> press_rules.PressPermission:
    """What the rules say now that the game stands still; raises MessageRefused."""
    pen = press_rules.press_author(GameViewer.for_user(game, person))
    found = press_rules.press_permission(
        press_rules.press_situation(game),
        pen,
        to,
        written.signature,
        unsigned=written.unsigned,
        doubt=written.refusal_code,
    )
    if not found.allowed:
        raise MessageRefused(found.code)
    if to.kind != ConversationKind.MASTER and pen.role == GameRole.PLAYER and bans.running_ban(person):
        raise MessageRefused("banned")
    lately = Message.objects.filter(conversation__game=game, author=person, written_at__gt=now - WITHIN)
    if lately.count() >= MOST:
        raise MessageRefused("flood")
    return found


def _deliver(game: Game, letter: Message, now: datetime) -> None:
    """Put a letter into its room, after all that is there."""
    before = (
        Message.objects.filter(conversation=letter.conversation)
        .exclude(delivered_at=None)
        .order_by("-delivered_at")
        .first()
    )
    last = before.delivered_at if before else None
    letter.delivered_at = now if last is None else max(now, last + TICK)
    letter.state, letter.phase_number, letter.phase = MessageState.DELIVERED, game.phase_number, game.phase
    letter.save()
    failpoint("letters: letter written")
    message_notifications.notify_delivered(game, letter)
    bot_letter_queue.note_delivered(game, letter)
    failpoint("letters: its reader told")


@write_transaction
def release_message(letter: Message, now: datetime) -> Message:
    """Deliver a letter that waits. Raises MessageNotHeld."""
    game, fresh = _waiting(letter)
    _deliver(game, fresh, now)
    return fresh


def release_messages(letters: Iterable[Message], now: datetime) -> int:
    """Deliver those of some letters that still wait, in their order; gives how many."""
    passed = 0
    for letter in letters:
        try:
            release_message(letter, now)
        except MessageNotHeld:
            continue
        passed += 1
    return passed


def return_message(letter: Message, reason: str) -> Message:
    """Return a letter that waits to its writer. Raises MessageNotHeld, and `message_text.InvalidText` without
    a reason."""
    return _given_back(letter, clean_text(reason, LONGEST_REASON))


@write_transaction
def _given_back(letter: Message, reason: str) -> Message:
    game, fresh = _waiting(letter)
    fresh.state, fresh.return_reason = MessageState.RETURNED, reason
    fresh.save()
    message_notifications.notify_returned(game, fresh)
    return fresh


def _waiting(letter: Message) -> tuple[Game, Message]:
    """The letter with its game held still; raises MessageNotHeld."""
    game = Game.objects.select_for_update().get(pk=letter.conversation.game_id)
    fresh = Message.objects.select_related("conversation").get(pk=letter.pk)
    if fresh.state != MessageState.HELD:
        raise MessageNotHeld(fresh.state)
    return game, fresh
