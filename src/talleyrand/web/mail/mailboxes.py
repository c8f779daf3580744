"""Our addresses: each carries one right, is known to one person, and is written so that no case matters.

`ordres-mfrggzdfmztwq2lkorsxg5bamfxgiidb@example.org`: what it opens, then in base 32 the number of its row
and the site’s signature; guessing one takes 2^119 tries. The number is veiled: whoever has two addresses must
not learn how many were made for others in between. The moment at which the row was made is signed too: after
a copy is put back, numbers are given anew, and an address from before must not open somebody else’s row.
"""

from __future__ import annotations

import base64
import re
from email.utils import parseaddr

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from talleyrand.web.accounts import email_addresses
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.press import press_rules

from .anonymity_filter import KnownWriter
from .models import Mailbox, MailboxPurpose
from .parsing.parsed_email import ParsedEmail

WORDS = {
    MailboxPurpose.ORDERS: "ordres",
    MailboxPurpose.MESSAGE: "lettre",
    MailboxPurpose.DESK: "arbitre",
    MailboxPurpose.INVITATION: "place",
    MailboxPurpose.BOUNCE: "retour",
    MailboxPurpose.OFFICE: "bureau",
}
PURPOSES = {word: door for door, word in WORDS.items()}
OFFICE = ("postmaster", "abuse")
NUMBER, SIGNATURE = 5, 15  # bytes
SHAPE = re.compile(rf"(?P<word>{'|'.join(PURPOSES)})-(?P<code>[a-z2-7]{{32}})")
# Links that open something by themselves: somebody’s calendar, an account.
PRIVATE = r"https?://[^\s<>]{1,200}/(?:calendrier|calendar|compte|account|invitation)/[^\s<>]+"


class NoMailbox(Exception):
    """An address that is none of ours (`unknown`), or no longer (`revoked`: then with its mailbox)."""

    def __init__(self, code: str, mailbox: Mailbox | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.mailbox = mailbox


def local_part(mailbox: Mailbox) -> str:
    """What stands before the @: 39 characters at most, and the site’s own word before a "+"."""
    number = mailbox.pk.to_bytes(NUMBER, "big")
    signature = _signature(mailbox)
    code = base64.b32encode(_veiled(number, signature) + signature).decode().lower()
    word = f"{WORDS[MailboxPurpose(mailbox.purpose)]}-{code}"
    return f"{settings.GAME_MAIL_BASE}+{word}" if settings.GAME_MAIL_BASE else word


def mailbox_address(mailbox: Mailbox) -> str:
    """The whole address."""
    return f"{local_part(mailbox)}@{settings.GAME_MAIL_DOMAIN}"


def mailbox_alias(mailbox: Mailbox) -> str:
    """What pages call a mailbox of their visitor’s: it opens nothing, and tells of no other."""
    return salted_hmac("talleyrand.web.mail.alias", str(mailbox.pk), algorithm="sha256").hexdigest()[:16]


def find_mailbox(written: str) -> Mailbox:
    """The mailbox of one of our addresses, in whatever case; raises NoMailbox, for a closed account's too."""
    found = _opened(written)
    if found.revoked_at is not None or not (found.person is None or found.person.is_active):
        raise NoMailbox("revoked", found)
    return found


def is_our_address(written: str) -> bool:
    """Whether an address is signed by this site; revoked ones are too."""
    try:
        _opened(written)
    except NoMailbox:
        return False
    return True


def our_address_pattern() -> re.Pattern[str]:
    """What our addresses look like in a text, in small letters; whatever stands at our domain is taken for
    one, and so are links that open something by themselves.
    """
    base = rf"(?:{re.escape(settings.GAME_MAIL_BASE)}\+)?"
    domain = re.escape(settings.GAME_MAIL_DOMAIN or "invalid")
    local = rf"{base}{SHAPE.pattern}(?:@[\w.-]+)?"
    return re.compile(rf"{local}|[^\s@<>]{{0,64}}@(?:[\w-]+\.)*{domain}|{PRIVATE}")


def get_mailbox(
    door: MailboxPurpose, game: Game | None, person: Person | None, power: str = "", to: str = ""
) -> Mailbox:
    """The address by which a person does something, made if there is none that is not revoked.

    Nobody's are for what comes back of an invitation, `to` whose mailbox it goes, and for the site's office.
    """
    right = {"purpose": door, "game": game, "person": person, "power": power, "target": to}
    found = Mailbox.objects.filter(**right, revoked_at=None).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return Mailbox.objects.create(**right)
    except IntegrityError:  # another process was quicker
        return Mailbox.objects.get(**right, revoked_at=None)


def office_mailbox(written: str) -> Mailbox | None:
    """The mailbox of `postmaster@` and `abuse@` (RFC 2142), where the domain is the site's own; else None."""
    local, at, domain = bare_address(written).partition("@")
    own = not settings.GAME_MAIL_BASE and (domain == settings.GAME_MAIL_DOMAIN or not at)
    return get_mailbox(MailboxPurpose.OFFICE, None, None) if own and local in OFFICE else None


def reply_mailbox(game: Game, person: Person, power: str) -> Mailbox | None:
    """Where somebody’s answers go: to the orders of his power, to his desk ("@"); None for who only reads."""
    if not power:
        return None
    return get_mailbox(
        MailboxPurpose.DESK if power == press_rules.GAME_MASTER else MailboxPurpose.ORDERS,
        game,
        person,
        power,
    )


def conversation_address(game: Game, person: Person, power: str, to: str) -> str:
    """The address of a room, as `power` sees it."""
    return mailbox_address(get_mailbox(MailboxPurpose.MESSAGE, game, person, power, to))


def renew_mailbox(old: Mailbox) -> Mailbox:
    """Revoke an address and make another one with its right."""
    with transaction.atomic():
        Mailbox.objects.filter(pk=old.pk, revoked_at=None).update(revoked_at=timezone.now())
        assert old.person is not None
        return get_mailbox(MailboxPurpose(old.purpose), old.game, old.person, old.power, old.target)


def bare_address(written: str) -> str:
    """The bare address of a header or an envelope, in small letters; "" where there is none."""
    return parseaddr(written.replace("\x00", ""))[1].strip().lower()


def _opened(written: str) -> Mailbox:
    """The mailbox of an address with a good signature. Raises NoMailbox."""
    before, _at, domain = bare_address(written).rpartition("@")
    base = f"{settings.GAME_MAIL_BASE}+" if settings.GAME_MAIL_BASE else ""
    found = SHAPE.fullmatch(before.removeprefix(base))
    if domain != settings.GAME_MAIL_DOMAIN or not before.startswith(base) or found is None:
        raise NoMailbox("unknown")
    code = base64.b32decode(found["code"].upper())
    signature = code[NUMBER:]
    number = int.from_bytes(_veiled(code[:NUMBER], signature), "big")
    rows = Mailbox.objects.select_related("game", "person")
    box = rows.filter(pk=number, purpose=PURPOSES[found["word"]]).first()
    if box is None or not constant_time_compare(signature, _signature(box)):
        raise NoMailbox("unknown")
    return box


def _veiled(number: bytes, signature: bytes) -> bytes:
    """A number under a veil that its signature gives, or without it again."""
    veil = salted_hmac("talleyrand.web.mail.veil", signature, algorithm="sha256").digest()
    return bytes(sign ^ cover for sign, cover in zip(number, veil, strict=False))


def _signature(mailbox: Mailbox) -> bytes:
    told = f"{mailbox.pk}\n{MailboxPurpose(mailbox.purpose).value}\n{int(mailbox.created_at.timestamp())}"
    return salted_hmac("talleyrand.web.mail", told, algorithm="sha256").digest()[:SIGNATURE]


# Who wrote a mail, as far as the site knows it: what a text is searched for.


def known_writer(person: Person, sight: GameViewer, mail: ParsedEmail) -> KnownWriter:
    """What is known of who wrote a mail. The game master’s name, and names in an open game, are no secret."""
    own = [address for address in mail.addresses if not is_our_address(address)]
    return KnownWriter(
        (person.name, *mail.names),
        (*email_addresses.known_emails(person), *own),
        is_secret=not sight.may_see_players,
    )
