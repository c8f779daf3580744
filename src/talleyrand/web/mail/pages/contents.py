"""What the page “by mail” of a game shows: one’s own addresses, and one’s own mails that came and left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand import variants
from talleyrand.web.accounts.addresses import confirmed
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.games import frame
from talleyrand.web.games.deadlines.zones import said_zone
from talleyrand.web.games.models import State
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.terms import Press
from talleyrand.web.mail import addressing
from talleyrand.web.mail.correspondence import corresponding
from talleyrand.web.mail.incoming import outcome_words
from talleyrand.web.mail.models import Arrival, Departure, Door, Mailbox
from talleyrand.web.mail.outcomes import Outcome
from talleyrand.web.mail.outgoing import pausing
from talleyrand.web.press import rules, sentences
from talleyrand.web.press import standing as letters
from talleyrand.web.press.rules import EVERYBODY, MASTER

from .cards import Card

MOST_SHOWN = 20
OWN = (Door.ORDERS, Door.LETTER, Door.DESK)
# outcomes that nobody has to do anything about
GOOD = (
    "",
    *map(str, (Outcome.TAKEN, Outcome.GRANTED, Outcome.SENT, Outcome.HELD, Outcome.DONE, Outcome.REPEATED)),
)


@dataclass(frozen=True)
class Line:
    """One address; `why` it takes nothing now, "" where it does."""

    box: Mailbox
    label: str
    why: str

    @property
    def address(self) -> str:
        return addressing.address(self.box)

    @property
    def alias(self) -> str:
        return addressing.alias(self.box)

    @property
    def link(self) -> str:
        return f"mailto:{quote(self.address, safe='@')}"


@dataclass(frozen=True)
class Group:
    """The addresses of one power, or of the game master: where he acts, then whom he writes to."""

    title: str
    colour: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Words:
    """What the addresses of a game are called for its reader."""

    sight: Sight

    def power(self, code: str) -> str:
        return wording.power(variants.load(self.sight.game.variant), code)

    def colour(self, code: str) -> str:
        return "" if code == MASTER else wording.colour(variants.load(self.sight.game.variant), code)

    def writer(self, code: str) -> str:
        return pgettext("signature", "Game master") if code == MASTER else self.power(code)

    def label(self, box: Mailbox) -> str:
        """ "Orders", "Desk", "Letter to: Germany"."""
        if box.door != Door.LETTER:
            return _("Orders") if box.door == Door.ORDERS else _("Desk")
        if box.to in (EVERYBODY, MASTER):
            return _("Letter to everybody") if box.to == EVERYBODY else _("Letter to the game master")
        return _("Letter to: %(powers)s") % {"powers": ", ".join(map(self.power, box.to.split("+")))}

    def whole(self, box: Mailbox) -> str:
        """The same with the power that it belongs to, where that is not said beside it."""
        return _("%(power)s, %(label)s") % {"power": self.writer(box.power), "label": self.label(box)}


def context(sight: Sight) -> dict[str, Any]:
    """Everything on the page; the visitor has a role in the game."""
    person = _person(sight)
    on, address = corresponding.is_correspondent(sight.game, person), confirmed(person)
    return {
        **frame.page(sight, "post"),
        "on": on,
        "reads": corresponding.powers(sight) == ("",),
        "address": address,
        "paused": bool(address) and pausing.is_paused(person, address),
        "unconfirmed": EmailAddress.objects.filter(user=person, verified=False).exists(),
        "groups": groups(sight),
        "resting": list(_resting(sight)),
        "came": list(_came(sight)),
        "left": list(_left(sight)),
        "zone": said_zone(frame.zone(), wording.language()),
    }


def renewal(sight: Sight) -> dict[str, Any]:
    """The frame of the page that asks before an address is replaced."""
    return frame.page(sight, "post")


def _person(sight: Sight) -> Person:
    assert sight.person is not None
    return sight.person


# addresses


def groups(sight: Sight) -> list[Group]:
    """One’s addresses, once one plays by mail or has done so; none before."""
    person, words = _person(sight), Words(sight)
    begun = corresponding.is_correspondent(sight.game, person) or _own(sight).exists()
    powers = [power for power in corresponding.powers(sight) if power and begun]
    return [Group(words.writer(power), words.colour(power), tuple(_lines(sight, power))) for power in powers]


def _own(sight: Sight) -> Any:
    return Mailbox.objects.filter(game=sight.game, person=sight.person, door__in=OWN, revoked=None)


def _lines(sight: Sight, power: str) -> Iterator[Line]:
    words, person = Words(sight), _person(sight)
    acting = addressing.own(sight.game, person, power)
    if acting is not None:
        yield Line(acting, words.label(acting), _why_no_orders(sight) if power != MASTER else "")
    moment, pen = letters.moment(sight.game), letters.pen(sight)
    codes = list(sight.game.seats.values_list("power", flat=True))
    for to in _readers(sight, power, codes):
        room = rules.address(power, [to], codes)
        code = rules.verdict(moment, pen, room, power).code
        box = addressing.mailbox(Door.LETTER, sight.game, person, power, to)
        yield Line(box, words.label(box), sentences.refusal(code) if code else "")


def _why_no_orders(sight: Sight) -> str:
    if sight.is_over:
        return _("The game is over.")
    return _("The game has not begun.") if sight.game.state == State.GATHERING else ""


def _readers(sight: Sight, power: str, codes: list[str]) -> Iterator[str]:
    """Whom a power may ever write to in this game, as far as its terms say."""
    press = Press.FULL if power == MASTER else sight.game.terms.press
    if press in (Press.FULL, Press.HELD):
        yield from (code for code in codes if code not in (power, *sight.acting))
    if press != Press.NONE or power == MASTER:
        yield EVERYBODY
    if power != MASTER and letters.moment(sight.game).mastered:
        yield MASTER


def _resting(sight: Sight) -> Iterator[str]:
    """Why addresses that one still has from other times open nothing now."""
    words, now = Words(sight), corresponding.powers(sight)
    for power in (
        _own(sight).exclude(power__in=now).order_by("power").values_list("power", flat=True).distinct()
    ):
        told = _("%(power)s: somebody else plays it now, your addresses for it open nothing any more.")
        if power in sight.powers:
            told = _("%(power)s: a stand-in plays it, your addresses for it rest until you are back.")
        if power == MASTER:
            told = _("%(power)s: you do not lead this game any more, your addresses for it open nothing.")
        yield told % {"power": words.writer(power)}


def cards(sight: Sight) -> list[Card]:
    """One’s addresses for one’s mail program."""
    name = sight.game.name
    return [
        Card(
            name=_("%(game)s: %(address)s") % {"game": name, "address": Words(sight).whole(line.box)},
            game=name,
            address=line.address,
            uid=f"{sight.game.key}-{line.box.door}-{line.box.power}-{line.box.to}",
        )
        for group in groups(sight)
        for line in group.lines
    ]


def line(sight: Sight, alias: str) -> tuple[Mailbox, str] | None:
    """One’s own address of this alias with its name, whether it is still in use or not."""
    own = Mailbox.objects.filter(game=sight.game, person=sight.person, door__in=OWN)
    box = next((one for one in own if addressing.alias(one) == alias), None)
    if box is None or box.power not in corresponding.powers(sight):
        return None
    return box, Words(sight).whole(box)


# mails


def _came(sight: Sight) -> Iterator[dict[str, Any]]:
    """One’s last mails to this game, and what became of each."""
    words = Words(sight)
    mine = Arrival.objects.filter(
        mailbox__game=sight.game, mailbox__person=sight.person, mailbox__door__in=OWN
    )
    found = mine.select_related("mailbox", "message").order_by("-message__received", "-pk")
    for arrival in found[:MOST_SHOWN]:
        yield {
            "at": arrival.message.received,
            "where": words.whole(arrival.mailbox),
            "outcome": outcome_words.sentence(arrival.outcome),
            "good": arrival.outcome in GOOD,
            "receipt": arrival.facts.get("receipt"),
        }


def _left(sight: Sight) -> Iterator[dict[str, Any]]:
    """The last mails of this game to oneself; one that waits for somebody else by now is not one’s own."""
    entitled = ("", *sight.powers, *([MASTER] if sight.is_master else []))
    mine = Departure.objects.filter(game=sight.game, person=sight.person)
    for departure in mine.filter(Q(sent__isnull=False) | Q(power__in=entitled)).order_by("-pk")[:MOST_SHOWN]:
        yield {
            "at": departure.sent or departure.made,
            "subject": departure.subject,
            "state": _state(departure),
            "good": departure.sent is not None or not departure.dropped,
        }


def _state(departure: Departure) -> str:
    if departure.sent is not None:
        return pgettext("a mail", "sent")
    if departure.dropped:
        return pgettext("a mail", "not delivered")
    tried = pgettext("a mail", "waits to leave, after a try that failed")
    return tried if departure.tries else pgettext("a mail", "waits to leave")
