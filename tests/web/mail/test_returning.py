"""Mails that come back: after three days of them none is sent any more, until their reader is heard of."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import (
    BouncedAddress,
    InboundDelivery,
    Mailbox,
    MailboxPurpose,
    MailSubscription,
    OutboundEmail,
)
from talleyrand.web.mail.outbound import email_queue, email_sending
from talleyrand.web.notifications import notification_sentences
from talleyrand.web.notifications.models import Notification
from tests.web.cast import ASSISTANT, MASTER, client_of, person, table

from .correspondents import SURNAMES, address_of, correspond
from .leaving import REPORT, fresh, waiting
from .office import Office, written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

FLORA = address_of("Flora")
DAY = timedelta(days=1)
BEGUN = timezone.now() - 10 * DAY


@pytest.fixture
def game() -> Game:
    found = table()
    flora = correspond("Flora")
    MailSubscription.objects.create(game=found, person=flora)
    return found


def returns(
    day: int = 0,
    *,
    name: str = "Flora",
    failed: str = FLORA,
    action: str = "failed",
    status: str = "5.1.1",
    token: str = "x",
) -> InboundDelivery:
    """A report on a mail to somebody that came back on a day."""
    box = mailboxes.get_mailbox(MailboxPurpose.BOUNCE, None, person(name))
    text = REPORT.format(
        to=mailboxes.mailbox_address(box),
        number=InboundDelivery.objects.count(),
        failed=failed,
        action=action,
        status=status,
        token=token,
    )
    return sorted_(box, text.replace("\n", "\r\n").encode(), BEGUN + day * DAY)


def sorted_(box: Mailbox, data: bytes, at: datetime) -> InboundDelivery:
    message = inbound_storage.store_email(data, [box], "", at)
    inbound_processing.process_due_mail(timezone.now())
    return message.arrivals.get()


def writes(game: Game, at: datetime, *, automatic: bool = False) -> InboundDelivery:
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person("Flora"), "FRANCE")
    more = {"auto_submitted": "auto-replied"} if automatic else {}
    data = written([mailboxes.mailbox_address(box)], "A Par - Bou\n", sender=FLORA, subject="Ordres", **more)
    return sorted_(box, data, at)


def send() -> int:
    return email_sending.send_due_emails(timezone.now())


def is_paused() -> bool:
    return BouncedAddress.objects.exclude(paused_at=None).exists()


def test_three_days_pause(office: Office, game: Game) -> None:
    for day in range(3):
        assert not is_paused()
        arrival = returns(day)
        assert arrival.outcome == MailOutcome.BOUNCE
        assert arrival.facts == {"status": "5.1.1", "counted": True, "paused": day == 2}
    row = waiting(person("Flora"))
    assert send() == 0
    assert fresh(row).drop_reason == email_queue.PAUSED_REASON
    assert office.items == []
    assert not OutboundEmail.objects.exclude(pk=row.pk).exists()  # nobody is answered


def test_many_on_one_day_are_one(game: Game) -> None:
    for _ in range(9):
        returns(0)
    returns(1)
    assert not is_paused()
    assert len(BouncedAddress.objects.get().bounce_days) == 2


def test_what_is_long_ago_is_forgotten(game: Game) -> None:
    for day in (-40, -35, 0, 1):
        returns(day)
    assert not is_paused()


@pytest.mark.parametrize(
    "report",
    [
        {"action": "delayed", "status": "4.4.1"},
        {"status": "4.2.2"},
        {"status": "5.7.1"},
        {"status": "5.3.4"},
        {"action": "delivered", "status": "2.0.0"},
        {"failed": "somebody.else@exemple.fr"},
    ],
)
def test_what_counts_for_nothing(game: Game, report: dict[str, Any]) -> None:
    for day in range(4):
        arrival = returns(day, **report)
        assert arrival.outcome in (MailOutcome.BOUNCE, MailOutcome.AUTOMATIC)
    assert not BouncedAddress.objects.exists()
    assert not OutboundEmail.objects.exists()


def test_an_address_that_passes_mail_on(office: Office, game: Game) -> None:
    """The report names where it was passed on to, and holds a mail of ours to him."""
    mine, other = waiting(person("Flora")), waiting("Edmond")
    assert send() == 2
    OutboundEmail.objects.update(sent_at=BEGUN)
    assert not returns(0, failed="flora@ailleurs.example", token=other.message_token).facts["counted"]
    assert returns(0, failed="flora@ailleurs.example", token=mine.message_token).facts["counted"]


def test_only_ever_of_the_holder_of_the_address(office: Office, game: Game) -> None:
    """Edmond forges reports on Flora at the address that servers give back his own mails to."""
    correspond("Edmond")
    for day in range(4):
        returns(day, name="Edmond", failed=FLORA)
    assert not BouncedAddress.objects.exists()
    waiting(person("Flora"))
    assert send() == 1


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe\x00", b"Bonjour", written(["x@y.fr"], "Bonjour", sender="a@b.fr")]
)
def test_what_is_no_report(game: Game, data: bytes) -> None:
    box = mailboxes.get_mailbox(MailboxPurpose.BOUNCE, None, person("Flora"))
    arrival = sorted_(box, data, BEGUN)
    assert arrival.outcome
    assert not BouncedAddress.objects.exists()


# what ends it


def pause() -> OutboundEmail:
    """A mail that was not sent since others had come back."""
    for day in range(3):
        returns(day)
    row = waiting(person("Flora"))
    send()
    assert fresh(row).drop_reason == email_queue.PAUSED_REASON
    return row


def test_a_mail_of_his_ends_it_and_he_has_what_he_missed(office: Office, game: Game) -> None:
    row = pause()
    writes(game, timezone.now())
    waiting(person("Flora"))
    assert send() >= 2
    assert fresh(row).sent_at is not None
    assert not BouncedAddress.objects.exists()


def test_another_address_ends_it(office: Office, game: Game) -> None:
    row = pause()
    correspond("Flora", "flora@nouvelle.example")
    waiting(person("Flora"))
    send()
    send()
    assert fresh(row).sent_at is not None
    assert {item.to for item in office.items} == {("flora@nouvelle.example",)}


def test_what_is_old_stays_behind(office: Office, game: Game) -> None:
    row = pause()
    OutboundEmail.objects.filter(pk=row.pk).update(created_at=timezone.now() - 8 * DAY)
    email_queue.resume_sending(person("Flora"))
    assert send() == 0


@pytest.mark.parametrize("automatic", [True, False])
def test_what_does_not_end_it(office: Office, game: Game, automatic: bool) -> None:
    """An automatic reply; a mail from before."""
    pause()
    writes(game, timezone.now() if automatic else BEGUN, automatic=automatic)
    waiting(person("Flora"))
    assert send() == 0
    assert is_paused()


def test_a_mail_of_his_between_them_begins_again(game: Game) -> None:
    returns(0)
    returns(1)
    writes(game, BEGUN + 3 * DAY)
    returns(4)
    assert not is_paused()
    assert len(BouncedAddress.objects.get().bounce_days) == 1


def test_lifting_what_is_not_paused(game: Game) -> None:
    assert email_queue.resume_sending(person("Flora")) == 0


# what is told


def test_he_is_told_on_the_site_alone(office: Office, game: Game) -> None:
    pause()
    notice = Notification.objects.get(person=person("Flora"), kind=email_queue.PAUSED_NOTICE)
    assert "adresse" in notification_sentences.notification_sentence(notice.kind, notice.facts)
    client: Client = client_of("Flora")
    page = client.get("/notifications/").content.decode()
    assert "reviennent" in page
    assert client.get(notice.path).status_code == 200
    correspond("Flora", "flora@nouvelle.example")
    send()
    assert not any("reviennent" in item.text for item in office.items)


def test_the_masters_learn_it_of_the_power(office: Office, game: Game) -> None:
    pause()
    told = Notification.objects.filter(kind=email_queue.UNREACHED_NOTICE)
    assert {one.person.name for one in told} == {MASTER, ASSISTANT}
    for one in told:
        sentence = notification_sentences.notification_sentence(one.kind, one.facts)
        assert sentence.startswith("Les courriels n’arrivent plus à la personne qui joue la France")
        assert not any(secret in str(one.facts) for secret in ("Flora", SURNAMES["Flora"], "@"))


def test_only_of_what_he_plays_by_post(game: Game) -> None:
    MailSubscription.objects.update(ended_at=timezone.now())
    for day in range(3):
        returns(day)
    assert is_paused()
    assert not Notification.objects.filter(kind=email_queue.UNREACHED_NOTICE).exists()


def test_nothing_of_a_seat_that_he_lost(game: Game) -> None:
    power_assignments.assign_power(game, "FRANCE", person("Sylvain"))
    for day in range(3):
        returns(day)
    assert not Notification.objects.filter(kind=email_queue.UNREACHED_NOTICE).exists()


def test_a_server_that_refuses_at_once_counts_too(office: Office, game: Game) -> None:
    office.refuse("RCPT", "550 5.1.1 Nobody here")
    for day in range(3):
        assert not is_paused()
        waiting(person("Flora"))
        email_sending.send_due_emails(timezone.now() + day * DAY)
    assert is_paused()
    assert BouncedAddress.objects.get().status == "5.1.1"
    waiting(person("Flora"))
    assert send() == 0
    assert OutboundEmail.objects.filter(drop_reason=email_sending.REFUSED).count() == 3
    assert OutboundEmail.objects.filter(drop_reason=email_queue.PAUSED_REASON).count() == 1
