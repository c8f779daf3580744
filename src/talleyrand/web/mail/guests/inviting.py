"""Seats offered by mail, to addresses that nobody but their inviter is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac

from talleyrand.web.accounts import zones
from talleyrand.web.accounts.addresses import confirmed
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game, Membership, Role
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.table.joining import why_not
from talleyrand.web.games.writing import writing
from talleyrand.web.mail import addressing
from talleyrand.web.mail.models import Departure, Door, Mailbox, Offer, Unwilling

from . import joining_words

KIND = "invitation"
JOINED, DECLINED, WITHDRAWN = "joined", "declined", "withdrawn"
MOST_IN_A_GAME, MOST_A_DAY = 30, 50
LONGEST_ADDRESS, LONGEST_TYPED = 254, 20_000
PIECE = re.compile(r'(?:"[^"]*"|[^,;])+')
ZONE = "Europe/Paris"  # of those of whom nothing is known yet


@dataclass(frozen=True)
class Wrong:
    """A line that is no address to invite: malformed, long, twice, oneself, ours, invited or unwilling."""

    line: str
    code: str


class NotInvited(Exception):
    """Nobody was invited: because of some lines, or of all of them (`code`)."""

    def __init__(self, code: str = "", wrong: Sequence[Wrong] = (), number: int = 0) -> None:
        super().__init__(code or "lines")
        self.code = code
        self.wrong = wrong
        self.number = number


def may_vouch(by: Person | None) -> bool:
    """Whether accounts may come of somebody’s invitations: anybody’s where all may sign up."""
    return settings.SIGNUP == "open" or (by is not None and by.is_administrator)


def invite(sight: Sight, typed: str, language: str, submission: str, now: datetime) -> int:
    """Write to each address typed, one a line or between commas; how many there are.

    The same submission again does nothing.

    Raises NotInvited: then nobody is written to.
    """
    if not may_vouch(sight.person):
        raise NotInvited("links")
    if len(typed) > LONGEST_TYPED:
        raise NotInvited("too_long")
    return _invite(sight, typed, language, submission, now)


@writing
def _invite(sight: Sight, typed: str, language: str, submission: str, now: datetime) -> int:
    assert sight.person is not None
    game = Game.objects.select_for_update().get(pk=sight.game.pk)
    by = Person.objects.select_for_update().get(pk=sight.person.pk)  # his forms for other games wait
    done = Offer.objects.filter(by=by, submission=submission, mailbox__game=game).count()
    if done:
        return done
    refused = why_not(game, Role.PLAYER, None)
    if refused is not None:
        raise NotInvited(refused.code)
    addresses = _read(game, by, typed)
    _check_number(game, by, len(addresses), now)
    for address in addresses:
        _offer(game, by, address, language, submission)
    return len(addresses)


def _read(game: Game, by: Person, typed: str) -> list[str]:
    """The addresses of a text, each in small letters. Raises NotInvited."""
    lines = typed.replace("\x00", "").splitlines()
    pieces = [piece.strip() for line in lines for piece in PIECE.findall(line)]
    found = [(piece, addressing.plain(piece)) for piece in pieces if piece]
    if not found:
        raise NotInvited("nobody")
    wrong = list(_wrong(game, by, found))
    if wrong:
        raise NotInvited(wrong=wrong)
    return [address for _line, address in found]


def _wrong(game: Game, by: Person, found: Sequence[tuple[str, str]]) -> Iterator[Wrong]:
    invited = set(_invited(game))
    before: set[str] = set()
    for line, address in found:
        code = _malformed(address) or _not_for(by, address)
        if not code:
            code = "twice" if address in before else "invited" if address in invited else ""
        if code:
            yield Wrong(line[:LONGEST_ADDRESS], code)
        before.add(address)


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
    if address == confirmed(by, address):
        return "oneself"
    if address.rpartition("@")[2] == settings.POST_DOMAIN and addressing.is_ours(address):
        return "ours"
    return "unwilling" if is_unwilling(address) else ""


def _check_number(game: Game, by: Person, number: int, now: datetime) -> None:
    """Keep within what one game and one person may send. Raises NotInvited."""
    if count(game) + number > MOST_IN_A_GAME:
        raise NotInvited("game", number=MOST_IN_A_GAME)
    day = Offer.objects.filter(by=by, made__gt=now - timedelta(days=1)).count()
    if day + number > MOST_A_DAY:
        raise NotInvited("day", number=MOST_A_DAY)


def _offer(game: Game, by: Person, address: str, language: str, submission: str) -> None:
    mailbox = Mailbox.objects.create(door=Door.JOIN, game=game, to=address)
    Offer.objects.create(mailbox=mailbox, by=by, language=language, submission=submission)
    with translation.override(language), timezone.override(zones.zone(ZONE)):
        write(mailbox, KIND, f"{KIND}:{mailbox.pk}", *joining_words.invitation(game, by))


def write(mailbox: Mailbox, kind: str, once: str, subject: str, text: str) -> None:
    """Have a mail leave to the address that was invited, whoever has it; once.

    To be called inside a transaction, in the language of the mail.
    """
    assert mailbox.game is not None
    told = {"kind": kind, "mailbox": mailbox, "game": mailbox.game, "subject": subject[:250], "text": text}
    sender = joining_words.name_of(mailbox.game)
    Departure.objects.get_or_create(
        person=None, address=mailbox.to, once=once, defaults={**told, "sender": sender}
    )


@writing
def withdraw(game: Game, by: Person, offer: int, now: datetime) -> bool:
    """Take an invitation back that nobody has answered; whether there was one. Twice is no fault."""
    found = Offer.objects.filter(pk=offer, by=by, mailbox__game=game, answer="").first()
    if found is None:
        return False
    close(found, WITHDRAWN, now)
    return True


def close(offer: Offer, answer: str, now: datetime) -> None:
    """No mail to this invitation opens anything any more, and what has not left stays here.

    To be called inside a transaction.
    """
    Offer.objects.filter(pk=offer.pk).update(answer=answer, answered=now)
    Mailbox.objects.filter(pk=offer.mailbox_id, revoked=None).update(revoked=now)
    Departure.objects.filter(mailbox=offer.mailbox_id, sent=None, dropped="").update(dropped=answer)


def _invited(game: Game) -> Iterator[str]:
    """The addresses whose invitation waits for its answer, or whose owner has come and is there."""
    there = Membership.objects.filter(game=game, left=None).values("person")
    waits, came = Q(answer=""), Q(answer=JOINED, person__in=there)
    for offer in Offer.objects.filter(waits | came, mailbox__game=game).select_related("mailbox"):
        yield offer.mailbox.to


def count(game: Game) -> int:
    """How many invitations a game has sent."""
    return Offer.objects.filter(mailbox__game=game).count()


def own(game: Game, by: Person) -> QuerySet[Offer]:
    """The invitations that somebody has sent: nobody else is shown their addresses."""
    return Offer.objects.filter(mailbox__game=game, by=by).select_related("mailbox", "person")


def decline(offer: Offer, now: datetime) -> None:
    """Nobody’s invitation goes to this address any more, and those under way end.

    To be called inside a transaction.
    """
    address = offer.mailbox.to
    Unwilling.objects.get_or_create(digest=_digest(address))
    for one in Offer.objects.filter(mailbox__door=Door.JOIN, mailbox__to=address, answer=""):
        close(one, DECLINED, now)


def is_unwilling(address: str) -> bool:
    return Unwilling.objects.filter(digest=_digest(address)).exists()


def _digest(address: str) -> str:
    return salted_hmac("talleyrand.web.mail.unwilling", address, algorithm="sha256").hexdigest()
