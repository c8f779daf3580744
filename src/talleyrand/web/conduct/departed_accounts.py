"""Accounts that are deleted while a ban runs, or a report is there: neither is wiped out by that.

The reports stay under a pseudonym, for a limited time. Whoever comes back with one of the email addresses has
the ban and the reports again; of the addresses only seals are kept.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import outbox

from . import bans
from .models import DepartedAccount, Measure, MeasureKind, ModerationEntry, Report, new_report_key
from .reports import TOPIC

KEPT = timedelta(days=180)


def _seal(address: str) -> str:
    told = address.strip().casefold()
    return salted_hmac("talleyrand.conduct.departed", told, algorithm="sha256").hexdigest()


def keep_what_waits(person: Person) -> None:
    """An account is being deleted: its ban and its reports go on without its name."""
    now, ban, accused = timezone.now(), bans.running_ban(person), Report.objects.filter(accused=person)
    reports = list(accused.select_for_update())
    if ban is None and not reports:
        return
    pseudonym = new_report_key()
    for one in reports:
        named = {person.name, person.shown_name}
        excerpt = [{**told, "signature": "–"} if told["signature"] in named else told for told in one.excerpt]
        Report.objects.filter(pk=one.pk).update(pseudonym=pseudonym, unnamed_at=now, excerpt=excerpt)
    ends = ban.ends_at if ban else None
    DepartedAccount.objects.bulk_create(
        DepartedAccount(
            seal=_seal(address),
            pseudonym=pseudonym,
            ban_ends_at=ends,
            ban_reason=ban.reason if ban else "",
            kept_until=max(now + KEPT, ends or now),
        )
        for address in EmailAddress.objects.filter(user=person, verified=True).values_list("email", flat=True)
    )


def take_up_again(instance: EmailAddress, **_signal: Any) -> None:
    """An address of an account is confirmed: what waits for it is theirs again."""
    if instance.verified and DepartedAccount.objects.filter(seal=_seal(instance.email)).exists():
        _take_up(instance.user, _seal(instance.email))


@write_transaction
def _take_up(person: Person, seal: str) -> None:
    now = timezone.now()
    kept = DepartedAccount.objects.filter(seal=seal, kept_until__gt=now).select_for_update()
    for one in kept:
        reports = Report.objects.filter(accused=None, pseudonym=one.pseudonym)
        reports.update(accused=person, pseudonym="", unnamed_at=None)
        DepartedAccount.objects.filter(pseudonym=one.pseudonym).delete()
        if one.ban_ends_at is not None and one.ban_ends_at > now:
            _ban_again(person, one, one.ban_ends_at)


def _ban_again(person: Person, kept: DepartedAccount, ends: datetime) -> None:
    ban = Measure.objects.create(person=person, kind=MeasureKind.BAN, reason=kept.ban_reason, ends_at=ends)
    ModerationEntry.objects.create(kind="returned", person=person, text=kept.ban_reason, until=ends)
    facts = {"game": settings.SITE_NAME, "reason": kept.ban_reason, "due": ends.isoformat()}
    path = reverse("moderation:own")
    outbox.notify([person.pk], "banned", facts, about=TOPIC, path=path, once=f"measure:{ban.pk}")


def prune(now: datetime) -> int:
    """Delete what nobody came back for; how many rows."""
    old = Report.objects.filter(accused=None, unnamed_at__lt=now - KEPT)
    return old.delete()[0] + DepartedAccount.objects.filter(kept_until__lt=now).delete()[0]
