"""Several workers at once: each mail is read by one of them, and those of an address one after another."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from talleyrand.web.games import deadline_clock, first_phase
from talleyrand.web.games.models import Game, OrderSet, UnreadEmailOrders
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
from tests.waiting import PATIENCE
from tests.web.cast import table
from tests.web.games.acting import all_hand_in

from .correspondents import correspond
from .office import written
from .servers import box

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("by_post")]
TARGETS = ("Bou", "Pic", "Gas", "Bre")
MAILS = 8


def test_orders_in_time_that_are_read_after_the_deadline_wake_the_clock() -> None:
    """The sweep that reads them began before it; the clock has come meanwhile, and waits for them."""
    correspond("Flora")
    game = table(absent="disorder", rhythm={"hours": 72, "early": False, "grace": 0})
    all_hand_in(game, but=("FRANCE",))
    due = timezone.now() - timedelta(seconds=5)
    Game.objects.filter(pk=game.pk).update(deadline=due, next_check_at=due)
    mail = written(["x@x.fr"], "A Par - Bur", sender="f@x.fr")
    inbound_storage.store_email(mail, [box(game)], "", due - timedelta(seconds=1))
    deadline_clock.check_due_games(timezone.now())
    held = Game.objects.get(pk=game.pk)
    assert held.phase_number == 1
    assert held.next_check_at is not None
    assert held.next_check_at > timezone.now() + timedelta(minutes=1)
    inbound_processing.process_due_mail(due - timedelta(seconds=1))
    deadline_clock.check_due_games(timezone.now())
    assert Game.objects.get(pk=game.pk).phase_number == 2
    assert game.revisions.get(phase_number=1).order_lines["FRANCE"] == ["A Par - Bur"]


@pytest.mark.long
def test_three_workers_and_the_mails_of_two_players() -> None:
    correspond("Flora")
    correspond("Irène")
    game = first_phase.open_first_phase(table(begun=False), timezone.now() - timedelta(hours=1))
    ours, theirs = box(game), box(game, "ITALY", "Irène")
    for number in range(MAILS):
        text = f"A Par - {TARGETS[number % len(TARGETS)]}"
        inbound_storage.store_email(written(["x@x.fr"], text, sender="f@x.fr"), [ours], "", timezone.now())
        inbound_storage.store_email(
            written(["x@x.fr"], "A Ven - Tyr", sender="i@x.fr"), [theirs], "", timezone.now()
        )
    ready = threading.Barrier(3)

    def work() -> None:
        ready.wait(PATIENCE)
        try:
            while InboundDelivery.objects.filter(outcome="").exists():
                inbound_processing.process_due_mail(timezone.now())
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE)
        assert not worker.is_alive()
    assert set(InboundDelivery.objects.values_list("outcome", "attempts")) == {("taken", 1)}
    sheets = (
        OrderSet.objects.filter(power="FRANCE").order_by("receipt_number").values_list("lines", flat=True)
    )
    assert [lines[0][-3:] for lines in sheets] == [TARGETS[number % len(TARGETS)] for number in range(MAILS)]
    assert OrderSet.objects.filter(power="ITALY").count() == MAILS
    assert OutboundEmail.objects.filter(kind="answer").count() == 2 * MAILS
    assert not UnreadEmailOrders.objects.exists()
