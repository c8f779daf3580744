"""How letters leave by mail: made anew for each reader, from who wrote as what, to whom, when, and the text.

An answer to such a mail goes back to its room, through an address of the reader’s own. Lines of a letter
are moved to the right: none can feign one of ours.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand import variants
from talleyrand.messages.sentence_names import SentenceNames
from talleyrand.variants import LANGUAGES, Variant
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.mail_templates import SubjectAndText, render_mail
from talleyrand.web.mail.mailed_orders.order_parsing import subject_tag
from talleyrand.web.mail.models import Mailbox, MailboxPurpose, MailSubscription
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.outbound.email_queue import reader_locale
from talleyrand.web.mail.text_layout import INDENT, WIDTH
from talleyrand.web.notifications.notification_sentences import date_text
from talleyrand.web.press import message_visibility, press_rules, press_texts, proposal_refs
from talleyrand.web.press.conversation_names import ConversationNames, bot_name, recipients_of
from talleyrand.web.press.conversation_pages import search_form
from talleyrand.web.press.models import Message, MessageState
from talleyrand.web.press.press_rules import EVERYBODY, GAME_MASTER, UNSIGNED, ConversationKind, Recipients
from talleyrand.web.press.proposal_refs import ProposalRef

LETTER, HELD, RETURNED = "letter", "held", "returned"  # kinds of departures

LINE = re.compile(
    r"(?:sur la proposition|on the proposal)\s*:\s*(?P<power>[^,]+?)\s*(?:,\s*(?P<vote>.+?))?\.?\s*"
)
UNKNOWN = "?"


def queue_message(letter: Message, correspondent: MailSubscription) -> bool:
    """Have a letter leave for one who may read it; False where it has, or is not for him, or is his own."""
    relay = MessageRelay.for_reader(letter, correspondent)
    if relay is None or letter.state != MessageState.DELIVERED or not relay.is_to_him:
        return False
    with reader_locale(correspondent.person):
        return relay.queue(LETTER, relay.delivered(), relay.mailbox, relay.sender())


def queue_held(letter: Message, correspondent: MailSubscription) -> bool:
    """Have a letter that waits leave for the game master, with its number and what he may answer."""
    relay = MessageRelay.for_reader(letter, correspondent)
    if relay is None or letter.state != MessageState.HELD or not relay.sight.is_game_master:
        return False
    desk = mailboxes.get_mailbox(MailboxPurpose.DESK, relay.game, correspondent.person, GAME_MASTER)
    with reader_locale(correspondent.person):
        return relay.queue(HELD, relay.held(), desk, relay.game.name)


def queue_returned(letter: Message, correspondent: MailSubscription) -> bool:
    """Have a returned letter leave for whoever plays the power that wrote it, with the reason."""
    relay = MessageRelay.for_reader(letter, correspondent)
    if (
        relay is None
        or letter.state != MessageState.RETURNED
        or letter.author_power not in relay.sight.orderable_powers
    ):
        return False
    with reader_locale(correspondent.person):
        return relay.queue(RETURNED, relay.returned(), relay.mailbox, relay.master())


def thread_key(person: Person, game: Game, to: Recipients) -> str:
    """What the mails of a room have in common for one reader, and for nobody else."""
    told = f"{person.pk}\n{game.pk}\n{to.participants_key}"
    return salted_hmac("talleyrand.web.mail.thread", told, algorithm="sha256").hexdigest()[:32]


def target_seen_from(power: str, to: Recipients) -> str:
    """A room as the mailbox of one in it names it: "ENGLAND+ITALY", "*", "@"; for the master "FRANCE"."""
    if to.kind == ConversationKind.ALL:
        return EVERYBODY
    if to.kind == ConversationKind.MASTER:
        return to.powers[0] if power == GAME_MASTER else GAME_MASTER
    return "+".join(one for one in to.powers if one != power)


@dataclass(frozen=True)
class RelayNames:
    """What powers and rooms are called in a sentence, in the language in use."""

    voice: SentenceNames

    @classmethod
    def for_game(cls, game: Game) -> RelayNames:
        return cls(SentenceNames(variants.load(game.variant), display_names.reader_language()))

    def from_whom(self, signed: str) -> str:
        """ "de la France", "du maître de jeu", "sans signature"."""
        if signed == GAME_MASTER:
            return _("from the game master")
        if signed == UNSIGNED:
            return _("without signature")
        return self._sender_name(signed)

    def _sender_name(self, power: str) -> str:
        return (
            f"from {self.voice.power(power)}" if self.voice.language == "en" else self.voice.of_power(power)
        )

    def to_whom(self, writer: str, to: Recipients) -> str:
        """ "à la France et à l’Italie", "à tous", "au maître de jeu"."""
        if to.kind == ConversationKind.ALL:
            return _("to everyone")
        if to.kind == ConversationKind.MASTER and writer != GAME_MASTER:
            return _("to the game master")
        return self.voice.join_and(self.voice.to_power(power) for power in to.powers if power != writer)

    def signature(self, signed: str) -> str:
        """ "La France": who a mail is from, beside the name of the game."""
        if signed == GAME_MASTER:
            return pgettext("signature", "Game master")
        return _("Unsigned") if signed == UNSIGNED else first_capital(self.voice.power(signed))


def first_capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def indented_text(text: str) -> list[str]:
    """What somebody wrote, moved to the right, in lines that no mail program breaks again."""
    return [line for one in text.split("\n") for line in _moved(one)]


def _moved(line: str) -> Iterable[str]:
    if not line.strip():
        return [""]
    if len(line) + len(INDENT) <= WIDTH:
        return [f"{INDENT}{line.rstrip()}"]
    begin = INDENT + line[: len(line) - len(line.lstrip())][: WIDTH // 2]
    return textwrap.wrap(
        line.strip(),
        WIDTH,
        initial_indent=begin,
        subsequent_indent=begin,
        break_long_words=False,
        break_on_hyphens=False,
    )


@dataclass
class MessageRelay:
    """A letter on its way to one reader. He reads it as a `power`, as game master ("@"), or as none ("")."""

    message: Message
    subscription: MailSubscription
    sight: GameViewer
    power: str

    @classmethod
    def for_reader(cls, letter: Message, correspondent: MailSubscription) -> MessageRelay | None:
        """None where he may not read it, or a stand-in does meanwhile."""
        sight = GameViewer(Game.objects.get(pk=letter.conversation.game_id), correspondent.person)
        mine = correspondent.game_id == letter.conversation.game_id and correspondent.ended_at is None
        if (
            not mine
            or not sight.role
            or not message_visibility.visible_messages(sight).filter(pk=letter.pk).exists()
        ):
            return None
        power = _reads_as(sight, letter)
        return None if power is None else cls(letter, correspondent, sight, power)

    @property
    def game(self) -> Game:
        return self.sight.game

    @property
    def person(self) -> Person:
        return self.subscription.person

    @cached_property
    def to(self) -> Recipients:
        return recipients_of(self.message.conversation)

    @cached_property
    def names(self) -> RelayNames:
        return RelayNames.for_game(self.game)

    @property
    def is_to_him(self) -> bool:
        """Whether it is another’s, and to him: the game master may read those between powers on the site."""
        if self.power == GAME_MASTER and self.to.kind not in (ConversationKind.ALL, ConversationKind.MASTER):
            return False
        return (
            not message_visibility.visible_messages(self.sight)
            .filter(message_visibility.own_messages(self.sight), pk=self.message.pk)
            .exists()
        )

    @cached_property
    def mailbox(self) -> Mailbox | None:
        """Where an answer goes: the same room, as the reader’s power writes to it.

        Nowhere for who only reads, and for a declaration that came back: an answer would sign it.
        """
        if not self.power or (
            self.message.signature == UNSIGNED and self.message.state == MessageState.RETURNED
        ):
            return None
        return self._box(self.to)

    def _box(self, to: Recipients) -> Mailbox:
        room = target_seen_from(self.power, to)
        return mailboxes.get_mailbox(MailboxPurpose.MESSAGE, self.game, self.person, self.power, room)

    def queue(self, kind: str, written: SubjectAndText, mailbox: Mailbox | None, sender: str) -> bool:
        """Put it into the outbox."""
        return email_queue.queue_email(
            self.person,
            kind,
            f"{kind}:{self.message.pk}",
            *written,
            game=self.game,
            power=self.power,
            mailbox=mailbox,
            sender=sender,
            thread=thread_key(self.person, self.game, self.to),
        )

    def _rendered(self, template: str, **facts: Any) -> SubjectAndText:
        """What all tell of a letter: its text stands under the proposal that it is about.

        In this form one may write the line of the proposal oneself.
        """
        about = self.message.proposal_key
        return render_mail(
            template,
            tag=subject_tag(self.game),
            when=self._when(),
            proposal=ConversationNames.for_viewer(self.sight).proposal_text(about) if about else "",
            text=indented_text(self.message.text),
            **facts,
        )

    def _when(self) -> str:
        """The phase, and when it was delivered, as the page of the room has it, in the reader’s zone."""
        at = self.message.delivered_at or self.message.written_at
        phase = self.message.phase
        told = display_names.phase_name(self.names.voice.variant, phase) if phase else ""
        return f"{told} · {date_text(at)}" if told else date_text(at)

    # a letter

    def sender(self) -> str:
        """ "La France – La table ronde"; "La France à tous – …" where an answer has other readers too."""
        who = self.names.signature(self.message.signature)
        who = bot_name(who) if self.message.is_bots else who
        told = f"{who} {self._to_whom}" if self.to.is_shared else who
        return f"{told} – {self.game.name}"

    @property
    def _to_whom(self) -> str:
        signature = self.message.signature
        writer = signature if signature in (GAME_MASTER, UNSIGNED) else self.message.author_power
        return self.names.to_whom(writer, self.to)

    def delivered(self) -> SubjectAndText:
        """The letter for its reader, and how to answer."""
        alone = self._writer_alone() if self.power else None
        signature = self.message.signature
        return self._rendered(
            "message",
            from_whom=self.names.from_whom(signature),
            to_whom=self._to_whom,
            power=self.power,
            is_master=self.power == GAME_MASTER,
            hindrance=self._hindrance() if self.power else "",
            reply_to=self.names.to_whom(self.power, self.to),
            is_unsigned=signature == UNSIGNED,
            writer=self.names.to_whom(self.power, alone) if alone else "",
            writer_address=mailboxes.mailbox_address(self._box(alone)) if alone else "",
        )

    def _hindrance(self) -> str:
        """Why the reader cannot answer now; "" where he can."""
        pen = press_rules.press_author(self.sight)
        found = press_rules.press_permission(press_rules.press_situation(self.game), pen, self.to, self.power)
        return "" if found.allowed else press_texts.refusal_text(found.code)

    def _writer_alone(self) -> Recipients | None:
        """The room of the reader and the writer, where others read the letter too and it says whose it is."""
        if not self.to.is_shared or self.message.signature == UNSIGNED:
            return None
        powers = list(self.game.seats.values_list("power", flat=True))
        to = press_rules.recipients_for(self.power, [self.message.signature], powers)
        found = press_rules.press_permission(
            press_rules.press_situation(self.game),
            press_rules.press_author(self.sight),
            to,
            self.power,
        )
        return to if found.allowed else None

    # one that waits

    def held(self) -> SubjectAndText:
        """The whole letter, why it waits where letters are free, and what the game master may answer."""
        whom = self.names.from_whom(self.message.author_power)
        if self.message.signature == UNSIGNED:  # for the game master: whose a declaration is, too
            whom = f"{whom} ({self.names.from_whom(UNSIGNED)})"
        return self._rendered(
            "message_held",
            number=message_visibility.message_number(self.message),
            from_whom=whom,
            to_whom=self.names.to_whom(self.message.author_power, self.to),
            reasons=press_texts.hold_reason_texts(self.message.hold_reasons),
        )

    # one that comes back

    def master(self) -> str:
        return f"{self.names.signature(GAME_MASTER)} – {self.game.name}"

    def returned(self) -> SubjectAndText:
        """The reason, and the letter whole, to be written anew."""
        return self._rendered(
            "message_returned",
            to_whom=self.names.to_whom(self.message.author_power, self.to),
            reason=indented_text(self.message.return_reason),
            may_reply=self.mailbox is not None,
        )


def _reads_as(sight: GameViewer, letter: Message) -> str | None:
    """As which power somebody reads a letter; None where another plays it for him meanwhile."""
    if sight.is_game_master:
        return GAME_MASTER
    if letter.author_power in sight.orderable_powers:
        return letter.author_power
    inside = (
        letter.conversation.powers
        if letter.conversation.kind != ConversationKind.ALL
        else sight.orderable_powers
    )
    mine = [power for power in sight.orderable_powers if power in inside]
    if mine:
        return mine[0]
    return "" if letter.conversation.kind == ConversationKind.ALL and not sight.powers else None


# The first line of a mail to everybody that names the proposal it is about, as our own mails write it.


def split_proposal_line(game: Game, text: str) -> tuple[str, str]:
    """The proposal that a text names first ("": none; "?": none that lies on the table), and the rest of it.

    By the code or the name of whoever made it, in either language; with the vote where they made several.
    """
    first, _, rest = text.lstrip().partition("\n")
    found = LINE.fullmatch(search_form(first))
    if found is None:
        return "", text
    variant = variants.load(game.variant)
    meant = [
        motion
        for motion in proposal_refs.open_proposals(game)
        if found["power"] in _names(variant, motion)
        and (not found["vote"] or found["vote"] in _votes(variant, motion))
    ]
    return meant[0].key if len(meant) == 1 else UNKNOWN, rest


def _names(variant: Variant, motion: ProposalRef) -> set[str]:
    told = {variant.names(language).powers[motion.by].name for language in LANGUAGES}
    return {search_form(name) for name in (*told, motion.by)}


def _votes(variant: Variant, motion: ProposalRef) -> set[str]:
    told = {variant.sentence(language, "vote", motion.vote) for language in LANGUAGES}
    return {search_form(name) for name in (*told, motion.vote)}
