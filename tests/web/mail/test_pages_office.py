"""The administrator’s page of the post: counts, and nothing of anybody’s mail."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games.models import Game
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, MailboxPurpose, OutboundEmail, SendLock
from talleyrand.web.mail.outbound import email_queue
from tests.web.cast import MASTER, client_of, person, table
from tests.web.mail.correspondents import address_of, everybody

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
PLACE, AGAIN = "/administration/courriel/", "/administration/courriel/relire/"


@pytest.fixture
def game() -> Game:
    everybody()
    return table()


@pytest.fixture
def chief() -> Client:
    administrator = person("Adèle")
    administrator.is_administrator = True
    administrator.save()
    return client_of("Adèle")


def read(client: Client) -> str:
    answer = client.get(PLACE)
    assert answer.status_code == 200
    return unescape(answer.content.decode()).replace("\u00a0", " ").replace("\u202f", " ")


def arrived(game: Game, outcome: str = "", ago: timedelta = timedelta(0)) -> InboundDelivery:
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person("Flora"), "FRANCE")
    message = InboundEmail.objects.create(
        raw_bytes=b"zz-text", envelope_sender="zz-envelope@x.fr", received_at=timezone.now()
    )
    InboundEmail.objects.filter(pk=message.pk).update(stored_at=timezone.now() - ago)
    done = {"outcome": outcome, "processed_at": timezone.now() if outcome else None, "attempts": 5}
    return InboundDelivery.objects.create(email=message, mailbox=box, content_digest=message.key, **done)


def left(game: Game, **more: Any) -> OutboundEmail:
    kept = {
        "kind": "report",
        "idempotency_key": str(OutboundEmail.objects.count()),
        "subject": "zz-subject",
        "text": "zz-words",
    }
    return OutboundEmail.objects.create(person=person("Flora"), game=game, **{**kept, **more})


def test_a_site_without_mail_yet(chief: Client) -> None:
    text = read(chief)
    assert text.count("aucun pour l’instant") == 2
    assert 'role="alert"' not in text


def test_counts_and_nothing_of_what_is_written(chief: Client, game: Game) -> None:
    for outcome in ("", "", MailOutcome.TAKEN, MailOutcome.TAKEN, MailOutcome.TAKEN, MailOutcome.FAULT):
        arrived(game, outcome)
    left(game, sent_at=timezone.now())
    left(game, due_at=timezone.now() + timedelta(days=1))
    left(game, attempts=2, server_reply="450 zz-refusal")
    left(game, drop_reason="refused", server_reply="550 zz-refusal")
    text = read(chief)
    for wanted in ("orders: taken", "<code>refused</code>", f"Nº {InboundDelivery.objects.last().pk}"):  # type: ignore[union-attr]
        assert wanted in text
    for hidden in ("zz-", address_of("Flora"), "Flora", game.name, game.key):
        assert hidden not in text
    assert 'role="alert"' not in text


def test_a_server_that_takes_nothing_and_people_whom_nothing_reaches(chief: Client, game: Game) -> None:
    SendLock.objects.create(name="out", closed_until=timezone.now() + timedelta(minutes=5), failure_count=3)
    for day in range(3):
        email_queue.record_bounce(person("Flora"), address_of("Flora"), timezone.now() - timedelta(days=day))
    text = read(chief)
    assert "Le serveur d’envoi n’accepte rien. Nouvel essai à" in text
    assert "Personnes dont les envois sont suspendus (courriels revenus)" in text
    assert address_of("Flora") not in text


@pytest.mark.parametrize("what", ["came", "left"])
def test_an_alarm_where_nobody_is_at_work(chief: Client, game: Game, what: str) -> None:
    if what == "came":
        arrived(game, ago=timedelta(minutes=6))
    else:
        left(game, due_at=timezone.now() - timedelta(minutes=6))
    assert 'role="alert"' in read(chief)


def test_faults_are_tried_again_and_nothing_else(chief: Client, game: Game) -> None:
    fault, taken = arrived(game, MailOutcome.FAULT), arrived(game, MailOutcome.TAKEN)
    for words in ("1 courriel va être traité de nouveau", "Aucun courriel à traiter de nouveau"):
        answer: Any = chief.post(AGAIN, follow=True)
        assert words in unescape(answer.content.decode())
    fault.refresh_from_db()
    taken.refresh_from_db()
    assert (fault.outcome, fault.attempts, fault.processed_at) == ("", 0, None)
    assert taken.outcome == MailOutcome.TAKEN


@pytest.mark.parametrize("who", ["", "Flora", MASTER])
def test_others_find_no_such_page(game: Game, who: str) -> None:
    arrived(game, MailOutcome.FAULT)
    client = client_of(who) if who else Client()
    assert client.get(PLACE).status_code == 404
    assert client.post(AGAIN).status_code == 404
    assert InboundDelivery.objects.get().outcome == MailOutcome.FAULT


def test_the_way_there(chief: Client) -> None:
    assert PLACE in chief.get("/compte/").content.decode()
    assert "/administration/courriel/" not in client_of("Flora").get("/compte/").content.decode()
