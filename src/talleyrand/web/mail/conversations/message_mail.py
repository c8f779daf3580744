"""Letters by mail: to whom a mail goes by the addresses it was sent to, and what of it is passed on.

Text and nothing else. What would tell who wrote it is cut off where it is a signature; elsewhere the letter
waits for the game master, or comes back where there is none. Every letter is answered with a line or two:
by mail its writer has no other proof that it left, nor of the room it went to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import order_drafts
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import anonymity_filter, comparable_text, mailboxes
from talleyrand.web.mail.anonymity_filter import ExaminedText, KnownWriter
from talleyrand.web.mail.mail_outcomes import MailOutcome, MailReply, ProcessingResult
from talleyrand.web.mail.mail_templates import render_mail
from talleyrand.web.mail.mailboxes import NoMailbox, known_writer
from talleyrand.web.mail.mailed_orders import order_parsing
from talleyrand.web.mail.mailed_orders.order_parsing import subject_tag
from talleyrand.web.mail.models import InboundDelivery, Mailbox, MailboxPurpose
from talleyrand.web.mail.parsing import LeftOut, ParsedEmail
from talleyrand.web.mail.parsing.parsed_email import LeftOutKind
from talleyrand.web.press import message_actions, press_rules, press_texts
from talleyrand.web.press.message_actions import HoldReason, MessageDraft, MessageRefused
from talleyrand.web.press.message_text import InvalidText, clean_text, first_line
from talleyrand.web.press.models import Message, MessageState
from talleyrand.web.press.press_rules import GAME_MASTER, ConversationKind, InvalidRecipients, Recipients

from . import message_relay

NOT_HIS = ("not_yours", "seatless", "watching", "lent")  # somebody else plays the power, or nobody
LONGEST_TITLE, LONGEST_NAME, LONGEST_BEGINNING = 120, 60, 60
ANSWERING = re.compile(
    r"\s*(?:re|réf?|rép|ref|rep|aw|antw|sv|tr|fwd?|rif|wg)\s*(?:\[\d+\])?\s*:", re.IGNORECASE
)
NO_TITLE = ("", "no subject", "sans objet", "aucun objet", "pas d'objet", "sans titre", "none")


def process_message(arrival: InboundDelivery, mail: ParsedEmail) -> ProcessingResult:
    """Write the letter that a mail is, once, and say what became of it."""
    box = arrival.mailbox
    if box.game is None or box.person is None:
        return ProcessingResult(MailOutcome.NOT_YOURS)
    return MailedMessage(arrival, mail, box, box.game, box.person).result()


@dataclass
class MailedMessage:
    """A mail on its way to be a letter."""

    delivery: InboundDelivery
    mail: ParsedEmail
    box: Mailbox
    game: Game
    person: Person

    def result(self) -> ProcessingResult:
        """Send it, and say what became of it."""
        try:
            return self._strayed() if self._is_sheet() else self._sent_result(self._send())
        except InvalidRecipients as problem:
            return self._refused(problem.code)
        except InvalidText as unfit:
            if unfit.code == "empty":
                return self._not_sent(MailOutcome.EMPTY, "", why="empty")
            return self._refused(unfit.code, MailOutcome.UNFIT)
        except MessageRefused as refused:
            outcome = {
                "names_writer": MailOutcome.NAMES_WRITER,
                **dict.fromkeys(NOT_HIS, MailOutcome.NOT_YOURS),
            }
            return self._refused(refused.code, outcome.get(refused.code, MailOutcome.REFUSED))

    def _send(self) -> Message:
        return message_actions.send_message(self.game, self.person, self.to, self._draft, timezone.now())

    @cached_property
    def _draft(self) -> MessageDraft:
        """Raises InvalidText."""
        about, said = "", self.body.text
        if self.to.kind == ConversationKind.ALL:
            about, said = message_relay.split_proposal_line(self.game, said)
        text = f"{self.title}\n\n{said}" if self.title and said.strip() else said
        submission = f"mail:{self.delivery.content_digest}"
        return MessageDraft(
            clean_text(text), self.box.power, submission, hold_reasons=tuple(self.doubts), proposal_key=about
        )

    def _is_sheet(self) -> bool:
        """Whether it is nothing but orders for its writer’s own units, and no letter yet. Raises
        InvalidText.
        """
        question = (
            GameHistory(self.game).question(self.game.phase_number)
            if self.game.state in RUNNING_STATES
            else None
        )
        key = self._draft.key(self.person)
        if (
            not question
            or self.box.power not in self.sight.orderable_powers
            or Message.objects.filter(conversation__game=self.game, key=key).exists()
        ):
            return False
        try:
            found = order_parsing.parse_orders(self.body.text, question, self.box.power)
        except order_drafts.DraftRefusal:
            return False
        return bool(found.orders) and not found.aside and "?" not in self.body.text

    @cached_property
    def sight(self) -> GameViewer:
        return GameViewer.for_user(self.game, self.person)

    # to whom

    @cached_property
    def to(self) -> Recipients:
        """The room of all the addresses that this writer has put into the mail. Raises InvalidRecipients."""
        named = dict.fromkeys(one for box in self.boxes for one in box.target.split("+"))
        powers = list(self.game.seats.values_list("power", flat=True))
        return press_rules.recipients_for(self.box.power, list(named), powers)

    @cached_property
    def boxes(self) -> list[Mailbox]:
        """The mailboxes of one letter. One that To and Cc do not name had a copy unknown to the others."""
        mine = [found for found in self._addressed_mailboxes if found is not None and self._is_beside(found)]
        return mine if self.box in mine else [self.box]

    @property
    def ignored(self) -> int:
        """How many of our addresses in the mail serve another purpose, or another person, or nothing now."""
        return sum(found is None or not self._is_beside(found) for found in self._addressed_mailboxes)

    @cached_property
    def _addressed_mailboxes(self) -> list[Mailbox | None]:
        """The mailboxes of our addresses in To and Cc, each once; None for one that is revoked."""
        written = dict.fromkeys(map(mailboxes.bare_address, self.mail.recipients))
        return list(dict.fromkeys(_mailbox(one) for one in written if mailboxes.is_our_address(one)))

    def _is_beside(self, other: Mailbox) -> bool:
        def right(box: Mailbox) -> tuple[object, ...]:
            return box.purpose, box.game_id, box.person_id, box.power

        return right(other) == right(self.box)

    # what

    @cached_property
    def writer(self) -> KnownWriter:
        return known_writer(self.person, self.sight, self.mail)

    @cached_property
    def body(self) -> ExaminedText:
        """The text as it may go on. Raises InvalidText."""
        return self._examined(clean_text(self.mail.text))

    def _examined(self, text: str) -> ExaminedText:
        return anonymity_filter.examine(
            text,
            self.writer,
            anonymity_filter.game_words(variants.load(self.game.variant)),
            mailboxes.our_address_pattern(),
        )

    @property
    def title(self) -> str:
        """The first line of the letter: the subject, where it tells nothing of its writer."""
        return self.subject.text if self.subject is not None and self.subject.is_clean else ""

    @cached_property
    def subject(self) -> ExaminedText | None:
        """What its writer has given for a subject; None where it is empty, or his program’s, or ours."""
        subject = " ".join(self.mail.subject.split())
        folded, game = (
            comparable_text.comparable(subject).strip("()<>. "),
            comparable_text.comparable(self.game.name),
        )
        idle = folded in (*NO_TITLE, game) or f"[{game}" in folded or ANSWERING.match(subject)
        if (
            idle
            or len(subject) > LONGEST_TITLE
            or comparable_text.comparable(self.body.text).startswith(folded)
        ):
            return None
        try:
            return self._examined(clean_text(subject))
        except InvalidText:
            return None

    @property
    def doubts(self) -> Iterator[HoldReason]:
        """What the game master has to look at before others read it; he may say of himself what he likes."""
        if self.box.power != GAME_MASTER:
            yield from (HoldReason(one.trace, one.found) for one in self.body.findings)

    # what became of it

    def _sent_result(self, letter: Message) -> ProcessingResult:
        line = first_line(self.body.text, LONGEST_BEGINNING)
        if letter.state == MessageState.DELIVERED:
            return self._result(MailOutcome.SENT, _("Your message %(to_whom)s was sent"), line=line)
        reasons = press_texts.hold_reason_texts(letter.hold_reasons)
        heading = _("Your message %(to_whom)s is waiting for the game master")
        return self._result(MailOutcome.HELD, heading, why="held", line=line, reasons=reasons)

    def _refused(self, code: str, outcome: MailOutcome = MailOutcome.REFUSED) -> ProcessingResult:
        found = [(one.code, one.found) for one in self.doubts] if outcome == MailOutcome.NAMES_WRITER else []
        refusal, reasons = press_texts.refusal_text(code), press_texts.hold_reason_texts(found)
        return self._not_sent(outcome, code, refusal=refusal, reasons=reasons)

    def _strayed(self) -> ProcessingResult:
        """Orders are a secret, and whoever sends them here believes that they are handed in."""
        where = mailboxes.get_mailbox(MailboxPurpose.ORDERS, self.game, self.person, self.box.power)
        address = mailboxes.mailbox_address(where)
        return self._not_sent(MailOutcome.REFUSED, "orders", why="orders", orders_address=address)

    def _not_sent(self, outcome: MailOutcome, code: str, **told: Any) -> ProcessingResult:
        return self._result(outcome, _("Your message %(to_whom)s was not sent"), code=code, **told)

    def _result(self, outcome: MailOutcome, heading: str, *, code: str = "", **told: Any) -> ProcessingResult:
        facts = {
            "code": code,
            "left": [one.kind for one in self.mail.left_out],
            "traces": [one.code for one in self._safe_doubts()],
            "ignored": self.ignored,
        }
        facts = {name: value for name, value in facts.items() if value}
        return ProcessingResult(outcome, facts, self._answer(heading, told) if self._is_first else None)

    def _safe_doubts(self) -> list[HoldReason]:
        try:
            return list(self.doubts)
        except InvalidText:
            return []

    @property
    def _is_first(self) -> bool:
        """Whether no other address of the same letter has had this mail before: then that one answers."""
        before = InboundDelivery.objects.filter(
            content_digest=self.delivery.content_digest, pk__lt=self.delivery.pk
        )
        return not before.filter(mailbox__in=[box.pk for box in self.boxes]).exists()

    # the answer

    def _answer(self, heading: str, told: dict[str, Any]) -> MailReply:
        """The mail to its writer; answering it writes to the same room."""
        to_whom, thread, room, is_shared = "", "", "", False
        try:
            to_whom = message_relay.RelayNames.for_game(self.game).to_whom(self.box.power, self.to)
            thread = message_relay.thread_key(self.person, self.game, self.to)
            room = message_relay.target_seen_from(self.box.power, self.to)
            is_shared = self.to.is_shared
        except InvalidRecipients:
            pass
        said = " ".join((heading % {"to_whom": to_whom}).split())
        written = render_mail(
            "message_reply",
            tag=self._tag(),
            said=said,
            shared_with=to_whom if is_shared else "",
            left_out=list(self._left_out()),
            ignored=self.ignored,
            **told,
        )
        return MailReply(*written, thread, room)

    def _tag(self) -> str:
        """The game and its phase; its name alone for who has no part in it any more."""
        return subject_tag(self.game) if self.sight.role else f"[{self.game.name}]"

    def _left_out(self) -> Iterator[str]:
        """What was not passed on, each thing once."""
        yield from dict.fromkeys(_left_out_text(one) for one in self.mail.left_out)
        try:
            body = self.body
        except InvalidText:
            return
        if body.signature:
            yield _("the signature “%(text)s”") % {"text": first_line(body.signature)}
        if self.subject is not None and not self.subject.is_clean:
            yield _("the subject, which would reveal who you are")
        if body.hidden_addresses:
            yield _("an address of this site (replaced by […]): anyone who has it could act in your name")


def _mailbox(written: str) -> Mailbox | None:
    try:
        return mailboxes.find_mailbox(written)
    except NoMailbox:
        return None


def _left_out_text(left: LeftOut) -> str:
    """What was left out, with the name of its file."""
    name = " ".join(left.name.split())[:LONGEST_NAME]
    files = {
        LeftOutKind.PICTURE: (_("an image"), _("the image %(name)s")),
        LeftOutKind.DOCUMENT: (_("a document"), _("the document %(name)s")),
        LeftOutKind.OTHER: (_("a file"), _("the file %(name)s")),
    }
    if left.kind in files:
        nameless, named = files[left.kind]
        return named % {"name": name} if name else nameless
    return {
        LeftOutKind.QUOTE: _("the text you quoted"),
        LeftOutKind.FORWARD: _("the text you forwarded"),
        LeftOutKind.SIGNATURE: _("the signature"),
        LeftOutKind.CARD: _("your visiting card"),
        LeftOutKind.REMOTE: _("content loaded from elsewhere"),
    }.get(left.kind, _("what your mail program added"))
