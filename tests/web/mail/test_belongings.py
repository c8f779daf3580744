"""What somebody has of his mails, what becomes of them with his account, and how long they last."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from talleyrand.web.accounts import personal_data as accounts
from talleyrand.web.accounts.models import Person
from talleyrand.web.common import restore_note
from talleyrand.web.games import first_phase, recipients
from talleyrand.web.games.models import Game, OrderSet
from talleyrand.web.mail import mail_personal_data, mailboxes
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.models import (
    EmailInvitation,
    InboundDelivery,
    InboundEmail,
    Mailbox,
    MailboxPurpose,
    MailSubscription,
    OutboundEmail,
)
from talleyrand.web.mail.outbound import email_sending
from talleyrand.web.monitoring import retention
from talleyrand.web.notifications import outbox
from talleyrand.web.notifications.models import Notification, NotificationDelivery
from tests.web.cast import person, table

from .correspondents import address_of, correspond
from .leaving import fresh, waiting
from .office import Office, written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

DAY = timedelta(days=1)


@pytest.fixture
def game() -> Game:
    begun = timezone.now() - timedelta(hours=1)
    found = first_phase.open_first_phase(table(begun=False, rhythm={"hours": 72, "early": False}), begun)
    for name in ("Flora", "Edmond"):
        MailSubscription.objects.create(game=found, person=correspond(name))
    return found


def orders(game: Game, name: str = "Flora", power: str = "FRANCE") -> Mailbox:
    return mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person(name), power)


def comes(*boxes: Mailbox, text: str = "A Par - Bou\n", at: datetime | None = None) -> InboundEmail:
    data = written(
        [mailboxes.mailbox_address(one) for one in boxes], text, sender="x@exemple.fr", subject="Ordres"
    )
    message = inbound_storage.store_email(data, boxes, "x@exemple.fr", at or timezone.now())
    inbound_processing.process_due_mail(timezone.now())
    return message


# one's own copy


def test_a_copy_of_ones_own(office: Office, game: Game) -> None:
    comes(orders(game), text="A Par - Bou\n")
    comes(orders(game, "Edmond", "ENGLAND"), text="F Lon - MNo secret\n")
    email_sending.send_due_emails(timezone.now())
    waiting("Flora", text="pas encore parti")
    copy: dict[str, Any] = accounts.export_personal_data(person("Flora"))["mails"]
    text = json.dumps(copy, cls=DjangoJSONEncoder)
    (came,) = copy["received_from_you"]
    assert (came["game"], came["outcome"]) == (game.key, "taken")
    assert came["to"] == {"door": "orders", "power": "FRANCE", "room": ""}
    assert "A Par - Bou" in came["mail"]
    assert [one["kind"] for one in copy["sent_to_you"]] == ["answer"]
    assert [one["game__key"] for one in copy["by_post"]] == [game.key]
    assert "secret" not in text
    assert "pas encore parti" not in text


def test_a_copy_without_any() -> None:
    assert mail_personal_data.export_mail(person("Sylvain")) == {
        "by_post": [],
        "received_from_you": [],
        "sent_to_you": [],
    }


def test_any_bytes_can_be_copied(game: Game) -> None:
    inbound_storage.store_email(b"\xff\x00\xfe", [orders(game)], "", timezone.now())
    assert json.dumps(mail_personal_data.export_mail(person("Flora")), cls=DjangoJSONEncoder)


# the end of an account


def test_what_goes_with_an_account(office: Office, game: Game) -> None:
    box = orders(game)
    address = mailboxes.mailbox_address(box)
    comes(box)
    kept = comes(orders(game, "Edmond", "ENGLAND"))
    both = comes(box, orders(game, "Edmond", "ENGLAND"))
    waiting("Flora")
    waiting("Edmond")
    assert mail_personal_data.mail_deletion_notes(person("Flora"))
    accounts.delete_account(person("Flora"))
    assert set(InboundEmail.objects.all()) == {kept, both}
    assert {one.mailbox.person for one in InboundDelivery.objects.all()} == {person("Edmond")}
    assert {one.person for one in OutboundEmail.objects.all()} == {person("Edmond")}
    with pytest.raises(mailboxes.NoMailbox) as refused:
        mailboxes.find_mailbox(address)
    assert refused.value.code == "unknown"
    assert OrderSet.objects.filter(power="FRANCE").exists()  # the game has its orders
    assert email_sending.send_due_emails(timezone.now()) >= 1
    assert all(item.to == (address_of("Edmond"),) for item in office.items)


def test_an_invitation_that_holds_his_address_goes_too(game: Game) -> None:
    flora = person("Flora")
    for to, who in (
        (address_of("Flora"), None),
        ("flora@ailleurs.example", flora),
        ("autre@exemple.fr", None),
    ):
        box = Mailbox.objects.create(purpose=MailboxPurpose.INVITATION, game=game, target=to)
        EmailInvitation.objects.create(
            mailbox=box, invited_by=person("Edmond"), language="fr", submission_id=to, person=who
        )
        OutboundEmail.objects.create(
            address=to, idempotency_key=to, kind="invitation", subject="x", text="x", reply_mailbox=box
        )
    accounts.delete_account(flora)
    assert [one.mailbox.target for one in EmailInvitation.objects.all()] == ["autre@exemple.fr"]
    assert [one.address for one in OutboundEmail.objects.all()] == ["autre@exemple.fr"]


def test_nothing_is_said_where_nothing_is_lost() -> None:
    assert mail_personal_data.mail_deletion_notes(person("Sylvain")) == []


# how long they last


def prune(**length: float) -> int:
    return mail_personal_data.prune_mail(timezone.now() + timedelta(**length))


def test_mails_last_90_days(game: Game) -> None:
    message = comes(orders(game))
    assert prune(days=89) == 0
    assert prune(days=91) == 1
    message.refresh_from_db()
    assert (bytes(message.raw_bytes), message.envelope_sender) == (b"", "")
    assert message.arrivals.get().outcome == "taken"  # that it came is still known
    assert prune(days=91) == 0


def test_or_30_days_after_the_game(game: Game) -> None:
    message = comes(orders(game))
    Game.objects.filter(pk=game.pk).update(ended_at=timezone.now())
    assert prune(days=29) == 0
    assert prune(days=31) == 1
    message.refresh_from_db()
    assert bytes(message.raw_bytes) == b""


def test_one_that_waits_is_never_pruned(game: Game) -> None:
    """Nobody has read it: not even after years, nor where it went to a second address too."""
    inbound_storage.store_email(b"Subject: x\r\n\r\nx", [orders(game)], "", timezone.now())
    Game.objects.filter(pk=game.pk).update(ended_at=timezone.now())
    assert prune(days=900) == 0
    both = comes(orders(game), orders(game, "Edmond", "ENGLAND"))
    InboundDelivery.objects.filter(email=both, mailbox__power="ENGLAND").update(processed_at=None, outcome="")
    InboundEmail.objects.exclude(pk=both.pk).delete()
    assert prune(days=900) == 0


def test_what_was_sent_lasts_30_days(office: Office, game: Game) -> None:
    sent, dropped, waits = (
        waiting("Flora"),
        waiting("Flora"),
        waiting("Flora", due=timezone.now() + 400 * DAY),
    )
    OutboundEmail.objects.filter(pk=dropped.pk).update(drop_reason="refused", server_reply="550 nobody")
    email_sending.send_due_emails(timezone.now())
    assert prune(days=29) == 0
    assert prune(days=31) == 2
    assert (fresh(sent).text, fresh(sent).idempotency_key) == (
        "",
        sent.idempotency_key,
    )  # so that it is never sent again
    assert (fresh(dropped).text, fresh(dropped).server_reply) == ("", "")
    assert fresh(waits).text


def test_the_watch_sees_to_it(game: Game) -> None:
    message, now = comes(orders(game)), timezone.now()
    assert retention.prune(now)["mails"] == 0
    InboundDelivery.objects.update(processed_at=now - 91 * DAY)
    assert retention.prune(now)["mails"] == 1
    message.refresh_from_db()
    assert bytes(message.raw_bytes) == b""


def test_a_copy_of_what_was_pruned(office: Office, game: Game) -> None:
    comes(orders(game))
    email_sending.send_due_emails(timezone.now())
    prune(days=100)
    copy = mail_personal_data.export_mail(person("Flora"))
    assert copy["received_from_you"][0]["mail"] == ""
    assert copy["sent_to_you"][0]["text"] == ""


# a copy of the site that was put back


@pytest.fixture
def data(tmp_path: Path, settings: Any) -> Path:
    settings.DATA = tmp_path
    return tmp_path


def ago(**length: float) -> str:
    return (timezone.now() - timedelta(**length)).isoformat(timespec="seconds")


def test_what_an_old_copy_was_to_send_does_not_leave_again(office: Office, game: Game, data: Path) -> None:
    row, tomorrow = waiting("Flora"), waiting("Flora", due=timezone.now() + DAY)
    recipients.notify_about_game(game, [person("Edmond").pk], "published", "p")
    OutboundEmail.objects.update(created_at=timezone.now() - timedelta(hours=5))
    Notification.objects.update(created_at=timezone.now() - timedelta(hours=5))
    restore_note.write_note(data, ago(hours=5))
    assert email_sending.send_due_emails(timezone.now()) == 0
    assert fresh(row).drop_reason == email_sending.RESTORED
    assert not NotificationDelivery.objects.filter(sent_at=None).exists()
    assert not (data / restore_note.NAME).exists()
    waiting("Flora")
    assert email_sending.send_due_emails(timezone.now()) == 1  # from then on as ever
    assert email_sending.send_due_emails(timezone.now() + DAY) == 1
    assert fresh(tomorrow).sent_at is not None


def test_what_came_of_it_before_the_first_mail_leaves(office: Office, game: Game, data: Path) -> None:
    restore_note.write_note(data, ago(hours=5))
    waiting("Flora")
    outbox.notify([person("Edmond").pk], "revealed", {}, about="", path="", once="x")
    assert email_sending.send_due_emails(timezone.now()) == 2


def test_a_site_that_moves_loses_no_mail(office: Office, game: Game, data: Path) -> None:
    waiting("Flora")
    restore_note.write_note(data, ago(minutes=10))
    assert email_sending.send_due_emails(timezone.now()) == 1
    assert not (data / restore_note.NAME).exists()


@pytest.mark.parametrize("note", ["", "{}", "[]", '{"made": 3}', '{"made": "hier"}', "\x00"])
def test_a_note_that_nobody_can_read_is_of_an_old_copy(office: Office, data: Path, note: str) -> None:
    (data / restore_note.NAME).write_text(note, "utf-8")
    row = waiting("Flora")
    assert email_sending.send_due_emails(timezone.now()) == 0
    assert fresh(row).drop_reason == "restored"
    assert not (data / restore_note.NAME).exists()


def test_orders_that_a_copy_had_not_read_are_taken_once(game: Game, data: Path) -> None:
    """They were read since, in a time that is no more: the game has to hear of them again."""
    inbound_storage.store_email(
        written(["x@y"], "A Par - Bou\n", sender="a@b.fr"), [orders(game)], "", timezone.now()
    )
    restore_note.write_note(data, ago(hours=5))
    email_sending.send_due_emails(timezone.now())
    inbound_processing.process_due_mail(timezone.now())
    assert OrderSet.objects.filter(power="FRANCE").count() == 1
    assert Person.objects.filter(departures__kind="answer").count() == 1
