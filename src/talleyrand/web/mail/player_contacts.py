"""For the game master alone: when each power was last heard of, mails that did not arrive, phases missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.db.models import Count, Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.web.boards import display_names
from talleyrand.web.games import order_submission, power_assignments
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone, day_text
from talleyrand.web.games.models import Game, OrderSet, PhaseRevision
from talleyrand.web.games.phase_deadlines import KINDS_BETWEEN_MOVEMENTS

from .coded_sentences import coded_sentence
from .mail_outcomes import MailOutcome
from .models import BouncedAddress, InboundDelivery, MailboxPurpose, OutboundEmail

NO_PERSON = (MailOutcome.BOUNCE, MailOutcome.AUTOMATIC, MailOutcome.LOOP, MailOutcome.SPAM)  # wrote these
REFUSED = (  # and their orders, if any, do not count
    MailOutcome.NO_ORDERS,
    MailOutcome.LATE,
    MailOutcome.OTHER_PHASE,
    MailOutcome.UNFIT,
    MailOutcome.ENCRYPTED,
    MailOutcome.SPAM,
    MailOutcome.UNREADABLE,
    MailOutcome.TOO_LARGE,
    MailOutcome.FAULT,
)
NOT_ARRIVED = ("refused", "undeliverable", "paused", "no_address")


@dataclass(frozen=True)
class PlayerContact:
    """What is known of who plays a power now, by days; and of the power, over the whole game.

    `missed_phases` of `due_phases` movement phases had no orders of it. `is_paused`: no mail goes there.
    `refused` is what became (`MailOutcome`), at `refused_at`, of the last mail to its orders since the phase
    opened that came to nothing, where no orders have been received since.
    """

    mailed_at: datetime | None = None
    ordered_at: datetime | None = None
    seen_at: datetime | None = None
    failed_mails: int = 0
    is_paused: bool = False
    missed_phases: int = 0
    due_phases: int = 0
    refused: str = ""
    refused_at: datetime | None = None

    def sentences(self, *, is_played: bool = True) -> Iterator[str]:
        """It in words; without the contacts where nobody plays."""
        if is_played:
            yield self._last_contact()
        if self.refused_at is not None:
            why = {"when": _moment(self.refused_at), "why": coded_sentence("outcome", self.refused)}
            yield _("Email of %(when)s: %(why)s") % why
        if self.failed_mails:
            told = ngettext("%(n)d email did not arrive.", "%(n)d emails did not arrive.", self.failed_mails)
            yield told % {"n": self.failed_mails}
        if self.is_paused:
            yield _("Emails came back: none is sent any more.")
        if self.missed_phases:
            told = _("Movement phases without orders: %(missed)d of %(due)d.")
            yield told % {"missed": self.missed_phases, "due": self.due_phases}

    def _last_contact(self) -> str:
        known = {
            _("email %(day)s"): self.mailed_at,
            _("orders %(day)s"): self.ordered_at,
            _("visit to the site %(day)s"): self.seen_at,
        }
        language = display_names.reader_language()
        said = [
            words % {"day": day_text(timezone.localdate(at).isoformat(), language)}
            for words, at in known.items()
            if at
        ]
        told = {"contacts": ", ".join(said)}
        return _("Last contact: %(contacts)s.") % told if said else _("No contact yet.")


def _moment(at: datetime) -> str:
    zone = str(timezone.get_current_timezone())
    return date_text_with_zone(at, zone, display_names.reader_language())


def player_contacts(game: Game) -> dict[str, PlayerContact]:
    """Each power with what is known: to be shown to a game master and to nobody else."""
    players = power_assignments.players_by_power(game)
    people = [person for person in players.values() if person is not None]
    read = InboundDelivery.objects.filter(mailbox__game=game, mailbox__person__in=people)
    mailed = _by_person(read.exclude(outcome__in=NO_PERSON), "mailbox__person", "email__received_at")
    sheets = OrderSet.objects.filter(game=game, submitted_by__in=people)
    ordered = _by_person(sheets, "submitted_by", "received_at")
    seen = _by_person(UserSession.objects.filter(user__in=people), "user", "last_seen_at")
    lost = OutboundEmail.objects.filter(game=game, person__in=people, drop_reason__in=NOT_ARRIVED)
    failed = dict(lost.order_by().values_list("person").annotate(Count("pk")))
    stopped = BouncedAddress.objects.filter(person__in=people, paused_at__isnull=False)
    paused = set(stopped.values_list("person", flat=True))
    missed, due = _phases(game)
    refused = _refused(game, players)
    return {
        power: PlayerContact(
            mailed.get(person),
            ordered.get(person),
            seen.get(person),
            failed.get(person, 0),
            person in paused,
            missed[power],
            due[power],
            *refused.get(power, ("", None)),
        )
        for power, person in players.items()
    }


def _by_person(rows: Any, person: str, moment: str) -> Mapping[int | None, datetime]:
    """The last moment of each person in some rows."""
    return dict(rows.order_by().values_list(person).annotate(Max(moment)))


def _refused(game: Game, players: Mapping[str, int | None]) -> dict[str, tuple[str, datetime]]:
    """What became of the last mail of each power to its orders in the open phase that was refused, and when,
    where no orders have been received since. Not what it says: that is its player's secret.
    """
    if game.phase_opened_at is None:
        return {}
    sheets = order_submission.counting_order_sets(game, game.phase_number)
    rows = InboundDelivery.objects.filter(
        mailbox__game=game,
        mailbox__purpose=MailboxPurpose.ORDERS,
        email__received_at__gte=game.phase_opened_at,
        outcome__in=REFUSED,
    ).order_by("email__received_at", "pk")
    told = rows.values_list("mailbox__power", "mailbox__person", "outcome", "email__received_at")
    found: dict[str, tuple[str, datetime]] = {}
    for power, person, outcome, at in told:
        if players.get(power) == person and (power not in sheets or sheets[power].received_at < at):
            found[power] = outcome, at
    return found


def _phases(game: Game) -> tuple[Counter[str], Counter[str]]:
    """How many movement phases each power has missed, and had units to order in."""
    missed, due = Counter[str](), Counter[str]()
    known = PhaseRevision.objects.filter(game=game, is_current=True, phase_number__gt=0)
    rows: Iterable[tuple[str, list[str], Mapping[str, Any] | None]] = known.values_list(
        "phase", "powers_without_orders", "situation"
    )
    for phase, absent, situation in rows:
        if phase[-1] in KINDS_BETWEEN_MOVEMENTS:
            continue
        deciding = {power for power, units in ((situation or {}).get("units") or {}).items() if units}
        due.update(deciding)
        missed.update(deciding.intersection(absent))
    return missed, due
