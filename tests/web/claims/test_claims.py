"""The engine for rows that say what is due: the laws that hold for every queue."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from talleyrand.web.background import generated_documents
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.claims import Counted, Queue, Sweep, each
from talleyrand.web.claims.claimed_rows import claim_rows
from talleyrand.web.games import game_bots
from talleyrand.web.games.deadline_clock import DeadlineClock
from talleyrand.web.mail.inbound import inbound_processing
from talleyrand.web.mail.outbound.email_sending import EmailSender
from talleyrand.web.practice import practice_bot_tasks
from talleyrand.web.push import push_sending
from talleyrand.web.tournaments.copies import copy_sending
from talleyrand.web.tournaments.notifications import chat_sending
from talleyrand.web.webhooks import webhook_sending

LEASE = timedelta(minutes=10)
BEGUN = timezone.now()
QUEUES = {
    "games": DeadlineClock().due_games(BEGUN),
    "bots of games": game_bots.GAME_BOT_QUEUE,
    "bots of practice games": practice_bot_tasks.PRACTICE_BOT_QUEUE,
    "documents": generated_documents.QUEUE,
    "mail in": inbound_processing.QUEUE,
    "mail out": EmailSender(BEGUN).sweep.queue,
    "push": push_sending.QUEUE,
    "copies": copy_sending.QUEUE,
    "chats": chat_sending.QUEUE,
    "webhooks": webhook_sending.person_queue(1),
}

pytestmark = pytest.mark.django_db


def rows(_now: datetime) -> QuerySet[GeneratedDocument]:
    return GeneratedDocument.objects.filter(content=None).order_by("name")


def wait(*names: str) -> None:
    for name in names:
        GeneratedDocument.objects.create(name=name, job_name="note", requested_at=BEGUN)


def leave(sweep: Sweep, row: GeneratedDocument) -> int:
    return sweep.leave(row, content=b"done")


@pytest.mark.parametrize("queue", QUEUES.values(), ids=QUEUES)
def test_a_claim_asks_again_of_the_row_alone(queue: Queue) -> None:
    """PostgreSQL looks at a row again that another has claimed meanwhile, but never again at a subquery."""
    with CaptureQueriesContext(connection) as told:
        claim_rows((queue.claimable or queue.due)(BEGUN).filter(pk=1), "me", BEGUN, BEGUN, queue.counted)
    (update,) = [one["sql"] for one in told if one["sql"].startswith("UPDATE")]
    assert " IN (SELECT" not in update
    assert '"claimed_until" IS NULL' in update


def test_each_claim_is_told_from_every_other() -> None:
    wait("a", "b")
    queue = Queue(rows, each(leave), LEASE, "a document", a_claim=2)
    (first, second) = Sweep(queue, BEGUN).claim_next()
    assert first.claimed_by == second.claimed_by != ""
    assert Sweep(queue, BEGUN).claim_next() == []
    later = Sweep(queue, BEGUN + 2 * LEASE)
    again, _other = later.claim_next()
    assert again.claimed_by != first.claimed_by
    assert not Sweep(queue, BEGUN).leave(first, content=b"mine")
    assert not Sweep(queue, BEGUN).keep(first)
    assert later.keep(again)
    assert later.leave(again, content=b"theirs")
    assert bytes(GeneratedDocument.objects.get(name="a").content or b"") == b"theirs"


def test_a_claim_of_what_is_no_longer_due_is_let_go() -> None:
    """Where it stops being due between the claim and the look at it, nobody would ever leave it."""
    wait("a")

    class NoLongerDue(QuerySet[GeneratedDocument]):
        def update(self, **changed: object) -> int:
            done = super().update(**changed)
            GeneratedDocument.objects.update(content=b"")
            return done

    due = NoLongerDue(GeneratedDocument).filter(content=None)
    assert claim_rows(due, "me", BEGUN, BEGUN + LEASE, Counted.NONE) == []
    row = GeneratedDocument.objects.get()
    assert (row.claimed_by, row.claimed_until) == ("", None)


def test_failures_of_the_database_count_in_a_row_alone() -> None:
    wait(*"abcdef")
    had: list[str] = []

    def work(_sweep: Sweep, row: GeneratedDocument) -> int:
        had.append(row.name)
        raise (DatabaseError if len(had) % 2 else ZeroDivisionError)

    put_back: list[str] = []
    queue = Queue(
        rows,
        each(work),
        LEASE,
        "a document",
        failed=lambda _sweep, row: put_back.append(row.name),
        database_failures=2,
    )
    assert Sweep(queue, BEGUN).run() == 0
    assert had == put_back == list("abcdef")


def test_nobody_leaves_what_nobody_has_claimed() -> None:
    wait("a")
    assert not Sweep(Queue(rows, each(leave), LEASE, "a document")).leave(GeneratedDocument.objects.get())


@pytest.mark.parametrize(
    ("counted", "first", "second"), [(Counted.NONE, 0, 0), (Counted.EVERY, 1, 2), (Counted.ABANDONED, 0, 1)]
)
def test_what_attempts_count(counted: Counted, first: int, second: int) -> None:
    wait("a")
    queue = Queue(rows, each(leave), LEASE, "a document", counted=counted)
    assert [row.attempts for row in Sweep(queue, BEGUN).claim_next()] == [first]
    assert [row.attempts for row in Sweep(queue, BEGUN + 2 * LEASE).claim_next()] == [second]


def test_what_fails_stops_no_other_but_the_database_ends_a_sweep(caplog: pytest.LogCaptureFixture) -> None:
    wait("a", "b", "c", "d", "e")
    had = []

    def work(sweep: Sweep, row: GeneratedDocument) -> int:
        had.append(row.name)
        if row.name == "b":
            raise ZeroDivisionError("secret")
        if row.name > "b":
            raise DatabaseError
        return leave(sweep, row)

    queue = Queue(rows, each(work), LEASE, "a document", is_secret=True, database_failures=2)
    with pytest.raises(DatabaseError):
        Sweep(queue, BEGUN).run()
    assert had == ["a", "b", "c", "d"]
    assert "ZeroDivisionError" in caplog.text
    assert "secret" not in caplog.text


def test_each_has_its_turn_once() -> None:
    wait("a", "b")
    had = []

    def work(sweep: Sweep, row: GeneratedDocument) -> int:
        had.append(row.name)
        return sweep.leave(row)

    assert Sweep(Queue(rows, each(work), LEASE, "a document", at_a_look=1), BEGUN).run() == 2
    assert had == ["a", "b"]
