"""However many mails come, nobody is buried in answers, and nobody is without the receipt of his orders."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from talleyrand.web.claims import sweeps
from talleyrand.web.games.models import Game, OrderSet
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.parsing import ParsedEmail
from talleyrand.web.press.models import Message

from .servers import box
from .test_sorting import answers, game, keep, mail, now, outcomes, sort

__all__ = ["game", "now"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


@pytest.mark.long
def test_no_more_than_twenty_answers_in_ten_minutes(game: Game) -> None:
    ours = box(game)
    for number in range(inbound_processing.MANY + 3):
        keep(ours, mail(f"A Par - {'Bou' if number % 2 else 'Pic'}"))
    sort()
    assert outcomes() == [MailOutcome.TAKEN] * (inbound_processing.MANY + 3)
    *found, receipt = answers()
    assert len(found) == inbound_processing.MANY
    assert receipt.due_at > timezone.now() + inbound_processing.WHILE - timedelta(minutes=1)
    assert f"Ordres nº\u00a0{inbound_processing.MANY + 3} " in receipt.text
    said = ["beaucoup de réponses" in " ".join(one.text.split()) for one in found]
    assert said == [False] * (inbound_processing.MANY - 1) + [True]
    OutboundEmail.objects.update(created_at=timezone.now() - inbound_processing.WHILE)
    keep(ours, mail("A Par - Gas"))
    sort()
    assert len(answers()) == inbound_processing.MANY + 1  # what was put off is told by this one


@pytest.mark.long
def test_letters_leave_room_for_the_receipt_of_orders(game: Game) -> None:
    for number in range(inbound_processing.MANY):
        keep(box(game, door=MailboxPurpose.MESSAGE, to="ITALY"), mail(f"Lettre {number}."))
    keep(box(game), mail())
    sort()
    assert len(answers()) == inbound_processing.MANY + 1
    assert any("Ordres nº\u00a01 " in one.text for one in answers())


@pytest.mark.long
def test_two_machines_do_not_answer_each_other_for_ever(game: Game) -> None:
    """One that does not say that it is one, and has another subject each time."""
    for number in range(3 * inbound_processing.MANY):
        keep(box(game), mail(f"Je suis absente. Référence {number}.", subject=f"Absence {number}"))
        sort()
        OutboundEmail.objects.update(created_at=timezone.now() - inbound_processing.WHILE)
    assert len(answers()) == inbound_processing.MANY
    assert "beaucoup de réponses" in " ".join(answers()[-1].text.split())
    keep(box(game), mail())
    sort()
    assert len(answers()) == inbound_processing.MANY + 1


@pytest.mark.long
def test_a_clock_that_was_put_back(game: Game) -> None:
    for number in range(inbound_processing.MANY):
        keep(box(game), mail(f"A Par - {'Bou' if number % 2 else 'Pic'}"))
    sort()
    OutboundEmail.objects.update(created_at=timezone.now() + timedelta(minutes=50))
    InboundEmail.objects.update(stored_at=timezone.now() + timedelta(minutes=50))
    assert not inbound_storage.is_crowded(box(game))
    keep(box(game), mail("A Par - Gas"))
    sort()
    assert len(answers()) == inbound_processing.MANY + 1
    assert answers()[-1].due_at <= timezone.now()


@pytest.mark.long
def test_a_machine_that_answers_letters_writes_no_letters_for_ever(game: Game) -> None:
    france = box(game, door=MailboxPurpose.MESSAGE, to="ITALY")
    for number in range(inbound_processing.RECITED + 5):
        keep(france, mail("Je suis absente  \njusqu’à lundi.", subject=f"Re: Lettre {number}"))
        sort()
    assert Message.objects.count() == inbound_processing.RECITED
    assert outcomes()[-1] == MailOutcome.AUTOMATIC
    keep(france, mail("Me revoilà."))
    keep(box(game, door=MailboxPurpose.MESSAGE, to="GERMANY"), mail("Je suis absente jusqu’à lundi."))
    sort()
    assert outcomes()[-2:] == [MailOutcome.SENT, MailOutcome.SENT]
    InboundDelivery.objects.update(processed_at=timezone.now() - inbound_processing.DAY)
    keep(france, mail("Je suis absente jusqu’à lundi."))
    sort()
    assert outcomes()[-1] == MailOutcome.SENT


def test_a_claim_runs_from_when_it_is_made(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others wait long enough for the last of many mails too."""
    claimed = []
    begun = timezone.now()
    spent = [0]
    monkeypatch.setattr(sweeps, "monotonic", lambda: spent[0])
    for power, name in (("FRANCE", "Flora"), ("ITALY", "Irène"), ("TURKEY", "Théa")):
        keep(box(game, power, name), mail("A Par - Bou"))
    real = inbound_processing.HANDLERS[MailboxPurpose.ORDERS]

    def take(arrival: InboundDelivery, read: ParsedEmail) -> ProcessingResult:
        claimed.append(arrival.claimed_until)
        spent[0] += 20
        return real(arrival, read)

    monkeypatch.setitem(inbound_processing.HANDLERS, MailboxPurpose.ORDERS, take)
    assert inbound_processing.process_due_mail(begun) == 3
    assert claimed == [begun + inbound_processing.CLAIM + timedelta(seconds=later) for later in (0, 20, 40)]


def test_orders_wait_for_one_slow_mail_at_most(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sends mails that take long to read, just before the deadline of the others."""
    spent, sheets_then = [0.0], list[int]()
    monkeypatch.setattr(sweeps, "monotonic", lambda: spent[0])
    real = inbound_processing.HANDLERS[MailboxPurpose.MESSAGE]

    def take(arrival: InboundDelivery, read: ParsedEmail) -> ProcessingResult:
        sheets_then.append(OrderSet.objects.count())
        if len(sheets_then) == 1:
            keep(box(game, "ITALY", "Irène"), mail("A Ven - Tyr"))
        spent[0] += 30
        return real(arrival, read)

    monkeypatch.setitem(inbound_processing.HANDLERS, MailboxPurpose.MESSAGE, take)
    for power in ("ITALY", "GERMANY", "ENGLAND"):
        keep(box(game, door=MailboxPurpose.MESSAGE, to=power), mail("Bonjour."))
    assert inbound_processing.process_due_mail(timezone.now()) == 4
    assert sheets_then == [0, 1, 1]
