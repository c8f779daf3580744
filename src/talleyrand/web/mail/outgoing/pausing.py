"""To whom no mail is sent for a while: those to him came back, on several days."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from django.urls import reverse
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import audience, seats
from talleyrand.web.games.models import OVER
from talleyrand.web.games.writing import writing
from talleyrand.web.mail.models import Arrival, Correspondent, Departure, Door, Unreached
from talleyrand.web.mail.outcomes import Outcome
from talleyrand.web.notices import outbox

DAYS = 3  # on so many different ones
REMEMBERED = timedelta(days=30)
REVIVED = timedelta(days=7)  # what was not sent meanwhile leaves afterwards, unless it is older
PAUSED = "paused"
TOLD_HIM, TOLD_MASTERS = "mail_paused", "unreached"  # kinds of news
LONGEST_STATUS = 16
# What a server sends by itself says nothing of whether anybody reads.
BY_ITSELF = (Outcome.AUTOMATIC, Outcome.BOUNCE, Outcome.LOOP, Outcome.REPEATED, Outcome.SPAM, "")


@writing
def came_back(person: Person, address: str, at: datetime, status: str = "") -> bool:
    """A mail to somebody’s address on file cannot be delivered; whether none is sent there from now on."""
    row, _new = Unreached.objects.select_for_update().get_or_create(
        person=person, defaults={"address": address}
    )
    if row.address != address or _has_written(row):
        row.address, row.days, row.paused = address, [], None
    oldest = (at - REMEMBERED).astimezone(UTC).date().isoformat()
    days = {day for day in row.days if day >= oldest} | {at.astimezone(UTC).date().isoformat()}
    row.days, row.status = sorted(days), status[:LONGEST_STATUS]
    begins = len(days) >= DAYS and row.paused is None
    row.paused = at if begins else row.paused
    row.save()
    if begins:
        _tell(row)
    return row.paused is not None


def is_paused(person: Person, address: str) -> bool:
    """Whether nothing is sent to this address; it ends when he has another, or writes to us by mail."""
    row = Unreached.objects.filter(person=person).exclude(paused=None).first()
    if row is None:
        return False
    if row.address == address and not _has_written(row):
        return True
    lift(person)
    return False


@writing
def lift(person: Person) -> int:
    """Send to somebody again, also what was kept from him lately; how many mails that is."""
    if not Unreached.objects.filter(person=person).delete()[0]:
        return 0
    now = timezone.now()
    kept = Departure.objects.filter(person=person, dropped=PAUSED, sent=None, made__gt=now - REVIVED)
    return kept.update(dropped="", due=now, tries=0)


def _has_written(row: Unreached) -> bool:
    """Whether a mail of his has come since it is so, or since the day when the last one to him came back."""
    since = row.paused or _after(row)
    his = Arrival.objects.filter(mailbox__person=row.person_id, message__received__gt=since)
    return his.exclude(mailbox__door=Door.RETURN).exclude(outcome__in=BY_ITSELF).exists()


def _after(row: Unreached) -> datetime:
    last = row.days[-1] if row.days else date.max.isoformat()
    return datetime.combine(date.fromisoformat(last), time.max, UTC)


def _tell(row: Unreached) -> None:
    """On his page of news; and the game masters learn it of a power, not of him."""
    assert row.paused is not None
    once = f"{PAUSED}:{row.pk}:{row.paused.isoformat()}"
    outbox.tell([row.person_id], TOLD_HIM, {}, about="", path=reverse("account_email"), once=once)
    open_now = Correspondent.objects.filter(person=row.person_id, until=None).select_related("game")
    for one in open_now.exclude(game__state__in=OVER):
        for power in seats.powers_of(one.game, row.person):
            masters = audience.masters(one.game)
            audience.tell(one.game, masters, TOLD_MASTERS, f"{once}:{power}", power=power)
