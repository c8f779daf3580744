"""What the page “by mail” of a game shows: one’s own addresses, and one’s own mails that came and left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand import variants
from talleyrand.web.accounts.email_addresses import confirmed_email
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games import page_context
from talleyrand.web.games.deadlines.zone_names import zone_text
from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.models import GameState
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import outcome_texts
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, Mailbox, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.subscriptions import subscribing
from talleyrand.web.press import press_rules, press_texts
from talleyrand.web.press.press_rules import EVERYBODY, GAME_MASTER

MOST_SHOWN = 20
OWN = (MailboxPurpose.ORDERS, MailboxPurpose.MESSAGE, MailboxPurpose.DESK)
# outcomes that nobody has to do anything about
GOOD = (
    "",
    *map(
        str,
        (
            MailOutcome.TAKEN,
            MailOutcome.ANSWERED,
            MailOutcome.GRANTED,
            MailOutcome.SENT,
            MailOutcome.HELD,
            MailOutcome.DONE,
            MailOutcome.REPEATED,
        ),
    ),
)

END = "\r\n"
LONGEST_LINE = 75  # octets
SPECIAL = str.maketrans({"\\": "\\\\", ",": "\\,", ";": "\\;", "\n": "\\n", "\r": ""})


@dataclass(frozen=True)
class MailboxLine:
    """One address; `why` it takes nothing now, "" where it does."""

    box: Mailbox
    label: str
    why: str

    @property
    def address(self) -> str:
        return mailboxes.mailbox_address(self.box)

    @property
    def alias(self) -> str:
        return mailboxes.mailbox_alias(self.box)

    @property
    def link(self) -> str:
        return f"mailto:{quote(self.address, safe='@')}"


@dataclass(frozen=True)
class MailboxGroup:
    """The addresses of one power, or of the game master: where he acts, then whom he writes to."""

    title: str
    colour: str
    lines: tuple[MailboxLine, ...]


@dataclass(frozen=True)
class MailboxLabels:
    """What the addresses of a game are called for its reader."""

    sight: GameViewer

    def power(self, code: str) -> str:
        return display_names.power_name(variants.load(self.sight.game.variant), code)

    def colour(self, code: str) -> str:
        return (
            ""
            if code == GAME_MASTER
            else display_names.power_colour(variants.load(self.sight.game.variant), code)
        )

    def writer(self, code: str) -> str:
        return pgettext("signature", "Game master") if code == GAME_MASTER else self.power(code)

    def label(self, box: Mailbox) -> str:
        """ "Orders", "Desk", "Letter to: Germany"."""
        if box.purpose != MailboxPurpose.MESSAGE:
            return _("Orders") if box.purpose == MailboxPurpose.ORDERS else _("Desk")
        if box.target in (EVERYBODY, GAME_MASTER):
            return _("Message to everyone") if box.target == EVERYBODY else _("Message to the game master")
        return _("Message to: %(powers)s") % {"powers": ", ".join(map(self.power, box.target.split("+")))}

    def whole(self, box: Mailbox) -> str:
        """The same with the power that it belongs to, where that is not said beside it."""
        return _("%(power)s, %(label)s") % {"power": self.writer(box.power), "label": self.label(box)}


def mail_page_context(sight: GameViewer) -> dict[str, Any]:
    """Everything on the page; the visitor has a role in the game."""
    person = _person(sight)
    on, address = subscribing.is_subscribed(sight.game, person), confirmed_email(person)
    return {
        **page_context.game_page_context(sight, "post"),
        "on": on,
        "reads": subscribing.subscribed_powers(sight) == ("",),
        "address": address,
        "paused": bool(address) and email_queue.is_paused(person, address),
        "unconfirmed": EmailAddress.objects.filter(user=person, verified=False).exists(),
        "groups": mailbox_groups(sight),
        "resting": list(_resting(sight)),
        "came": list(_came(sight)),
        "left": list(_left(sight)),
        "zone": zone_text(page_context.reader_time_zone(), display_names.reader_language()),
    }


def renewal_context(sight: GameViewer) -> dict[str, Any]:
    """The frame of the page that asks before an address is replaced."""
    return page_context.game_page_context(sight, "post")


def _person(sight: GameViewer) -> Person:
    assert sight.person is not None
    return sight.person


# addresses


def mailbox_groups(sight: GameViewer) -> list[MailboxGroup]:
    """One’s addresses, once one plays by mail or has done so; none before."""
    person, words = _person(sight), MailboxLabels(sight)
    begun = subscribing.is_subscribed(sight.game, person) or _own(sight).exists()
    powers = [power for power in subscribing.subscribed_powers(sight) if power and begun]
    return [
        MailboxGroup(words.writer(power), words.colour(power), tuple(_lines(sight, power)))
        for power in powers
    ]


def _own(sight: GameViewer) -> Any:
    return Mailbox.objects.filter(game=sight.game, person=sight.person, purpose__in=OWN, revoked_at=None)


def _lines(sight: GameViewer, power: str) -> Iterator[MailboxLine]:
    words, person = MailboxLabels(sight), _person(sight)
    acting = mailboxes.reply_mailbox(sight.game, person, power)
    if acting is not None:
        yield MailboxLine(acting, words.label(acting), _why_no_orders(sight) if power != GAME_MASTER else "")
    moment, pen = press_rules.press_situation(sight.game), press_rules.press_author(sight)
    codes = list(sight.game.seats.values_list("power", flat=True))
    for to in _readers(sight, power, codes):
        room = press_rules.recipients_for(power, [to], codes)
        code = press_rules.press_permission(moment, pen, room, power).code
        box = mailboxes.get_mailbox(MailboxPurpose.MESSAGE, sight.game, person, power, to)
        yield MailboxLine(box, words.label(box), press_texts.refusal_text(code) if code else "")


def _why_no_orders(sight: GameViewer) -> str:
    if sight.is_game_over:
        return _("The game is over.")
    return _("The game has not started.") if sight.game.state == GameState.GATHERING else ""


def _readers(sight: GameViewer, power: str, codes: list[str]) -> Iterator[str]:
    """Whom a power may ever write to in this game, as far as its terms say."""
    press = PressSetting.FULL if power == GAME_MASTER else sight.game.settings.press
    if press in (PressSetting.FULL, PressSetting.HELD):
        yield from (code for code in codes if code not in (power, *sight.orderable_powers))
    if press != PressSetting.NONE or power == GAME_MASTER:
        yield EVERYBODY
    if power != GAME_MASTER and press_rules.press_situation(sight.game).has_game_master:
        yield GAME_MASTER


def _resting(sight: GameViewer) -> Iterator[str]:
    """Why addresses that one still has from other times open nothing now."""
    words, now = MailboxLabels(sight), subscribing.subscribed_powers(sight)
    for power in (
        _own(sight).exclude(power__in=now).order_by("power").values_list("power", flat=True).distinct()
    ):
        told = _("%(power)s: you no longer play it; your addresses for it no longer work.")
        if power in sight.powers:
            told = _(
                "%(power)s: a stand-in is playing it; your addresses for it are inactive until you return."
            )
        if power == GAME_MASTER:
            told = _("%(power)s: you no longer run this game; these addresses no longer work.")
        yield told % {"power": words.writer(power)}


def address_cards(sight: GameViewer) -> list[VCard]:
    """One’s addresses for one’s mail program."""
    name = sight.game.name
    return [
        VCard(
            name=_("%(game)s: %(address)s") % {"game": name, "address": MailboxLabels(sight).whole(line.box)},
            game=name,
            address=line.address,
            uid=f"{sight.game.key}-{line.box.purpose}-{line.box.power}-{line.box.target}",
        )
        for group in mailbox_groups(sight)
        for line in group.lines
    ]


def mailbox_by_alias(sight: GameViewer, alias: str) -> tuple[Mailbox, str] | None:
    """One’s own address of this alias with its name, whether it is still in use or not."""
    own = Mailbox.objects.filter(game=sight.game, person=sight.person, purpose__in=OWN)
    box = next((one for one in own if mailboxes.mailbox_alias(one) == alias), None)
    if box is None or box.power not in subscribing.subscribed_powers(sight):
        return None
    return box, MailboxLabels(sight).whole(box)


# mails


def _came(sight: GameViewer) -> Iterator[dict[str, Any]]:
    """One’s last mails to this game, and what became of each."""
    words = MailboxLabels(sight)
    mine = InboundDelivery.objects.filter(
        mailbox__game=sight.game, mailbox__person=sight.person, mailbox__purpose__in=OWN
    )
    found = mine.select_related("mailbox", "email").order_by("-email__received_at", "-pk")
    for arrival in found[:MOST_SHOWN]:
        yield {
            "at": arrival.email.received_at,
            "where": words.whole(arrival.mailbox),
            "outcome": outcome_texts.outcome_text(arrival.outcome),
            "good": arrival.outcome in GOOD,
            "receipt": arrival.facts.get("receipt"),
        }


def _left(sight: GameViewer) -> Iterator[dict[str, Any]]:
    """The last mails of this game to oneself; one that waits for somebody else by now is not one’s own."""
    entitled = ("", *sight.powers, *([GAME_MASTER] if sight.is_game_master else []))
    mine = OutboundEmail.objects.filter(game=sight.game, person=sight.person)
    for departure in mine.filter(Q(sent_at__isnull=False) | Q(power__in=entitled)).order_by("-pk")[
        :MOST_SHOWN
    ]:
        yield {
            "at": departure.sent_at or departure.created_at,
            "subject": departure.subject,
            "state": _state(departure),
            "good": departure.sent_at is not None or not departure.drop_reason,
        }


def _state(departure: OutboundEmail) -> str:
    if departure.sent_at is not None:
        return pgettext("a mail", "sent")
    if departure.drop_reason:
        return pgettext("a mail", "not delivered")
    tried = pgettext("a mail", "waiting to be sent, after a failed attempt")
    return tried if departure.attempts else pgettext("a mail", "waiting to be sent")


# Addresses as a file that mail programs read: vCard 3.0 (RFC 2426). Pure.


@dataclass(frozen=True)
class VCard:
    """What an address is called, and the game that it belongs to; `uid` stays when the address changes."""

    name: str
    game: str
    address: str
    uid: str


def vcard_file(cards: Iterable[VCard]) -> str:
    """All of them, one after another."""
    return "".join(END.join(_folded(line) for line in _card_lines(card)) + END for card in cards)


def _card_lines(card: VCard) -> Iterator[str]:
    yield "BEGIN:VCARD"
    yield "VERSION:3.0"
    yield f"UID:{_escaped(card.uid)}"
    yield f"FN:{_escaped(card.name)}"
    yield f"N:{_escaped(card.name)};;;;"
    yield f"ORG:{_escaped(card.game)}"
    yield f"EMAIL;TYPE=INTERNET:{_escaped(card.address)}"
    yield "CATEGORIES:Talleyrand"
    yield "END:VCARD"


def _escaped(text: str) -> str:
    return text.translate(SPECIAL)


def _folded(line: str) -> str:
    """A long line goes on after a blank; no sign is cut in two."""
    parts, room = [""], LONGEST_LINE
    for sign in line:
        size = len(sign.encode())
        if size > room:
            parts.append("")
            room = LONGEST_LINE - 1
        parts[-1] += sign
        room -= size
    return f"{END} ".join(parts)
