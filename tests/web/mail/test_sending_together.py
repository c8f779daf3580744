"""Several senders at once: every mail leaves once. Those that die are in tests/faults."""

from __future__ import annotations

import threading
from collections import Counter
from random import Random

import pytest
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from talleyrand.web.mail.models import OutboundEmail
from talleyrand.web.mail.outbound import email_sending
from tests.waiting import PATIENCE

from .correspondents import DOMAIN
from .leaving import waiting
from .office import Office

NAMES = ("Flora", "Edmond", "Théa")


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine: none gives way to other work before all have left."""
    monkeypatch.setattr(email_sending, "AT_ONCE", PATIENCE)


def crowd(workers: int, seed: int) -> int:
    """Senders that begin together, each with its own chance of being a little late; how many mails left."""
    ready, sent = threading.Barrier(workers), []

    def work(number: int) -> None:
        chance = Random(f"{seed} {number}")
        ready.wait(PATIENCE)
        threading.Event().wait(chance.random() / 50)
        try:
            sent.append(email_sending.send_due_emails(timezone.now()))
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(sent) == workers
    return sum(sent)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("by_post")
@pytest.mark.parametrize("seed", [1901, 1914])
def test_several_workers(office: Office, seed: int) -> None:
    chance = Random(seed)
    office.refuse("RCPT", "451 4.7.1 Later", times=3)
    rows = [waiting(chance.choice(NAMES)) for _ in range(30)]
    assert crowd(4, seed) == 27
    assert set(Counter(item.data for item in office.items).values()) == {1}
    assert OutboundEmail.objects.filter(sent_at=None, attempts=1, claimed_by="").count() == len(rows) - 27


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("by_post")
def test_they_share_one_pace(office: Office) -> None:
    for number in range(20):
        waiting(NAMES[number % 3])
    with override_settings(MAILS_PER_MINUTE=7):
        assert crowd(4, 1901) == 7
    assert len(office.items) == 7
    assert all(item.mail["Message-ID"].endswith(f"@{DOMAIN}>") for item in office.items)
