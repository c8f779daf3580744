"""Seats offered by mail, to addresses that nobody but their inviter is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from talleyrand.notation import find_power
from talleyrand.variants import Variant
from talleyrand.web.accounts import time_zones
from talleyrand.web.accounts.email_addresses import confirmed_email
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import phase_deadlines
from talleyrand.web.games.lobby.join_views import why_not_join
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameMembership, GameRole
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.coded_sentences import coded_sentence
from talleyrand.web.mail.models import (
    EmailInvitation,
    Mailbox,
    MailboxPurpose,
    OutboundEmail,
    UnsubscribedAddress,
)

from . import invitation_texts

KIND = "invitation"
JOINED, DECLINED, WITHDRAWN = "joined", "declined", "withdrawn"
MOST_IN_A_GAME, MOST_A_DAY = 30, 50
LONGEST_ADDRESS, LONGEST_TYPED = 254, 20_000
PIECE = re.compile(r'(?:"[^"]*"|[^,;])+')

WORD = re.compile(r"[^\W\d_]+")
YES, NO = ("oui", "yes"), ("non", "no")
GREETINGS = ("bonjour", "bonsoir", "salut", "hello", "hi", "dear", "cher", "chère", "madame", "monsieur")
NAME = re.compile(r"\s*(?:nom|pseudo|pseudonyme|name)\s*[:=]\s*(?P<said>.+)", re.IGNORECASE)
WISHES = re.compile(
    r"\s*(?:pr[ée]f[ée]rences?|v(?:œ|oe)ux?|wish(?:es)?)\s*[:=]\s*(?P<said>.+)", re.IGNORECASE
)
AGREED = (
    *("d accord", "ok", "okay", "volontiers", "avec plaisir", "bien volontiers", "avec joie"),
    *("sure", "gladly", "with pleasure", "count me in", "i m in", "i am in"),
)
ARTICLE = re.compile(r"\A(?:l['’]|la |le |les |the )", re.IGNORECASE)
BETWEEN = re.compile(r"[,;/]| puis | then ")
MOST_LINES, LONGEST_LINE, MOST_WISHES = 60, 400, 12


@dataclass(frozen=True)
class InvalidLine:
    """A line that is no address to invite: malformed, long, oneself, ours, invited or unwilling."""

    line: str
    code: str


class NotInvited(Exception):
    """Nobody was invited: because of some lines, or of all of them (`code`)."""

    def __init__(self, code: str = "", wrong: Sequence[InvalidLine] = (), number: int = 0) -> None:
        super().__init__(code or "lines")
        self.code = code
        self.wrong = wrong
        self.number = number

    @property
    def sentences(self) -> list[str]:
        """Why, in the language in use: a sentence for each line that is wrong."""
        if not self.wrong:
            own = coded_sentence("not_invited", self.code, number=self.number)
            return [own or LobbyRefusal(self.code).sentence]
        return [
            _("%(line)s: %(why)s") % {"line": one.line, "why": coded_sentence("not_an_address", one.code)}
            for one in self.wrong
        ]


def may_create_accounts(by: Person | None) -> bool:
    """Whether accounts may come of somebody’s invitations: anybody’s where all may sign up."""
    return settings.SIGNUP == "open" or (by is not None and by.is_administrator)


def send_invitations(
    sight: GameViewer, typed: str, language: str, submission: str, now: datetime, power: str = ""
) -> int:
    """Write to each address typed, one a line or between commas; how many there are.

    The same submission again does nothing. `power`: the open seat that is offered, "" for any.

    Raises NotInvited: then nobody is written to.
    """
    _check_form(sight, typed)
    return _invite(sight, typed, language, submission, now, power)


def check_addresses(sight: GameViewer, typed: str, now: datetime) -> list[str]:
    """The addresses that would be written to, in small letters, if seats are open. Raises NotInvited where
    nobody would be.
    """
    assert sight.person is not None
    _check_form(sight, typed)
    addresses = _read_addresses(sight.game, sight.person, typed)
    _check_number(sight.game, sight.person, len(addresses), now)
    return addresses


def _check_form(sight: GameViewer, typed: str) -> None:
    if not may_create_accounts(sight.person):
        raise NotInvited("links")
    if len(typed) > LONGEST_TYPED:
        raise NotInvited("too_long")


@write_transaction
def _invite(sight: GameViewer, typed: str, language: str, submission: str, now: datetime, power: str) -> int:
    assert sight.person is not None
    game = Game.objects.select_for_update().get(pk=sight.game.pk)
    by = Person.objects.select_for_update().get(pk=sight.person.pk)  # his forms for other games wait
    done = EmailInvitation.objects.filter(invited_by=by, submission_id=submission, mailbox__game=game).count()
    if done:
        return done
    refused = why_not_join(game, GameRole.PLAYER, None)
    if refused is not None:
        raise NotInvited(refused.code)
    addresses = _read_addresses(game, by, typed)
    _check_number(game, by, len(addresses), now)
    for address in addresses:
        _offer(game, by, address, language, submission, power)
    return len(addresses)


def _read_addresses(game: Game, by: Person, typed: str) -> list[str]:
    """The addresses of a text, each once and in small letters. Raises NotInvited."""
    lines = typed.replace("\x00", "").splitlines()
    pieces = [piece.strip() for line in lines for piece in PIECE.findall(line)]
    found = [(piece, mailboxes.bare_address(piece)) for piece in pieces if piece]
    if not found:
        raise NotInvited("nobody")
    wrong = list(_wrong(game, by, found))
    if wrong:
        raise NotInvited(wrong=wrong)
    return list(dict.fromkeys(address for _line, address in found))


def _wrong(game: Game, by: Person, found: Sequence[tuple[str, str]]) -> Iterator[InvalidLine]:
    invited = set(_invited(game))
    for line, address in found:
        code = _malformed(address) or _not_for(by, address)
        if not code:
            code = "invited" if address in invited else ""
        if code:
            yield InvalidLine(line[:LONGEST_ADDRESS], code)


def _malformed(address: str) -> str:
    if len(address) > LONGEST_ADDRESS:
        return "long"
    try:
        validate_email(address)
    except ValidationError:
        return "malformed"
    return "" if address.isascii() else "malformed"


def _not_for(by: Person, address: str) -> str:
    """Why a well-formed address is not written to."""
    if address == confirmed_email(by, address):
        return "oneself"
    if address.rpartition("@")[2] == settings.GAME_MAIL_DOMAIN and mailboxes.is_our_address(address):
        return "ours"
    return "unwilling" if has_unsubscribed(address) else ""


def _check_number(game: Game, by: Person, number: int, now: datetime) -> None:
    """Keep within what one game and one person may send. Raises NotInvited."""
    if invitation_count(game) + number > MOST_IN_A_GAME:
        raise NotInvited("game", number=MOST_IN_A_GAME)
    day = EmailInvitation.objects.filter(invited_by=by, created_at__gt=now - timedelta(days=1)).count()
    if day + number > MOST_A_DAY:
        raise NotInvited("day", number=MOST_A_DAY)


def _offer(game: Game, by: Person, address: str, language: str, submission: str, power: str) -> None:
    right = {"purpose": MailboxPurpose.INVITATION, "game": game, "target": address, "power": power}
    mailbox = Mailbox.objects.create(**right)
    EmailInvitation.objects.create(
        mailbox=mailbox, invited_by=by, language=language, submission_id=submission
    )
    zone = time_zones.zone_named(phase_deadlines.deadline_settings_of(game).time_zone)
    with translation.override(language), timezone.override(zone):
        queue_to_invited(mailbox, KIND, f"{KIND}:{mailbox.pk}", *invitation_texts.invitation_text(game, by))


def queue_to_invited(mailbox: Mailbox, kind: str, once: str, subject: str, text: str) -> None:
    """Have a mail leave to the address that was invited, whoever has it; once.

    To be called inside a transaction, in the language of the mail.
    """
    assert mailbox.game is not None
    told = {
        "kind": kind,
        "reply_mailbox": mailbox,
        "game": mailbox.game,
        "subject": subject[:250],
        "text": text,
    }
    sender = invitation_texts.public_game_name(mailbox.game)
    OutboundEmail.objects.get_or_create(
        person=None, address=mailbox.target, idempotency_key=once, defaults={**told, "sender_name": sender}
    )


@write_transaction
def withdraw_invitation(game: Game, by: Person, offer: int, now: datetime) -> bool:
    """Take an invitation back that nobody has answered; whether there was one. Twice is no fault."""
    found = EmailInvitation.objects.filter(pk=offer, invited_by=by, mailbox__game=game, answer="").first()
    if found is None:
        return False
    close_invitation(found, WITHDRAWN, now)
    return True


def close_invitation(offer: EmailInvitation, answer: str, now: datetime) -> None:
    """No mail to this invitation opens anything any more, and what has not left stays here.

    To be called inside a transaction.
    """
    EmailInvitation.objects.filter(pk=offer.pk).update(answer=answer, answered_at=now)
    Mailbox.objects.filter(pk=offer.mailbox_id, revoked_at=None).update(revoked_at=now)
    OutboundEmail.objects.filter(reply_mailbox=offer.mailbox_id, sent_at=None, drop_reason="").update(
        drop_reason=answer
    )


def _invited(game: Game) -> Iterator[str]:
    """The addresses whose invitation waits for its answer, or whose owner has come and is there."""
    there = GameMembership.objects.filter(game=game, left_at=None).values("person")
    waits, came = Q(answer=""), Q(answer=JOINED, person__in=there)
    for offer in EmailInvitation.objects.filter(waits | came, mailbox__game=game).select_related("mailbox"):
        yield offer.mailbox.target


def invitation_count(game: Game) -> int:
    """How many invitations a game has sent."""
    return EmailInvitation.objects.filter(mailbox__game=game).count()


def invitations_by(game: Game, by: Person) -> QuerySet[EmailInvitation]:
    """The invitations that somebody has sent: nobody else is shown their addresses."""
    return EmailInvitation.objects.filter(mailbox__game=game, invited_by=by).select_related(
        "mailbox", "person"
    )


def decline_invitations(offer: EmailInvitation, now: datetime) -> None:
    """Nobody’s invitation goes to this address any more, and those under way end.

    To be called inside a transaction.
    """
    address = offer.mailbox.target
    UnsubscribedAddress.objects.get_or_create(address_digest=_digest(address))
    for one in EmailInvitation.objects.filter(
        mailbox__purpose=MailboxPurpose.INVITATION, mailbox__target=address, answer=""
    ):
        close_invitation(one, DECLINED, now)


def has_unsubscribed(address: str) -> bool:
    return UnsubscribedAddress.objects.filter(address_digest=_digest(address)).exists()


def _digest(address: str) -> str:
    return salted_hmac("talleyrand.web.mail.unwilling", address, algorithm="sha256").hexdigest()


# The answer to an invitation, read from what its writer wrote. Pure.


class ReplyAnswer(StrEnum):
    """What somebody answers."""

    YES = "yes"
    NO = "no"
    NEITHER = "neither"


@dataclass(frozen=True)
class InvitationReply:
    """An answer with what was asked for: a name, powers best first, and the words that are no power."""

    answer: ReplyAnswer
    name: str = ""
    preferences: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def parse_reply(text: str, variant: Variant) -> InvitationReply:
    """Read an answer: its first word decides, after a greeting, a name and wishes if they come first."""
    lines = [line[:LONGEST_LINE] for line in text.splitlines() if line.strip()][:MOST_LINES]
    wished = [part.strip(" .") for part in BETWEEN.split(_after(WISHES, lines))]
    wished = [part for part in wished if part][:MOST_WISHES]
    powers = {part: find_power(ARTICLE.sub("", part, count=1), variant) for part in wished}
    return InvitationReply(
        _reply_answer(lines),
        _after(NAME, lines).strip(),
        tuple(dict.fromkeys(power for power in powers.values() if power)),
        tuple(part for part, power in powers.items() if not power),
    )


def _reply_answer(lines: list[str]) -> ReplyAnswer:
    for line in lines:
        if NAME.match(line) or WISHES.match(line):
            continue
        words = WORD.findall(line.casefold())
        greets = bool(words) and words[0] in GREETINGS
        for word in words[greets : greets + 1]:
            if word in YES:
                return ReplyAnswer.YES
            if word in NO:
                return ReplyAnswer.NO
        if words and not greets:
            return ReplyAnswer.YES if " ".join(words) in AGREED else ReplyAnswer.NEITHER
    return ReplyAnswer.NEITHER


def _after(label: re.Pattern[str], lines: list[str]) -> str:
    """What stands behind a label; the last such line counts."""
    found = [match["said"] for line in lines if (match := label.match(line))]
    return found[-1] if found else ""
