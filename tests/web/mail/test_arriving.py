"""What is kept of a mail, and when it counts as received."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.web.games import first_phase
from talleyrand.web.games.models import UnreadEmailOrders
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_storage
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, MailboxPurpose
from tests.each import each
from tests.web.cast import table

from .servers import box

NOW = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)
HOP = "Received: from a.example (a.example [192.0.2.1])\r\n\tby mx.example.org with ESMTP id 4X;\r\n\t{}\r\n"


def stamped(*stamps: str, more: str = "") -> bytes:
    return ("".join(HOP.format(one) for one in stamps) + f"{more}Subject: x\r\n\r\nA Par - Bou\r\n").encode()


@each(
    ("stamps", "hops", "at"),
    [
        (["Fri, 6 Mar 2026 11:59:58 +0000"], 1, datetime(2026, 3, 6, 11, 59, 58, tzinfo=UTC)),
        (["Fri, 6 Mar 2026 12:59:58 +0100 (CET)"], 1, datetime(2026, 3, 6, 11, 59, 58, tzinfo=UTC)),
        (["Fri, 6 Mar 2026 11:59:58 -0000"], 1, datetime(2026, 3, 6, 11, 59, 58, tzinfo=UTC)),
        (["6 Mar 2026 11:00:00 GMT", "6 Mar 2026 10:00:00 GMT"], 1, NOW - timedelta(hours=1)),
        (["6 Mar 2026 11:00:00 GMT", "6 Mar 2026 10:00:00 GMT"], 2, NOW - timedelta(hours=2)),
        # what a stranger’s server says, or the writer himself, is not asked
        (["6 Mar 2026 11:00:00 GMT", "6 Mar 2026 10:00:00 GMT"], 0, NOW),
        (["6 Mar 2026 11:00:00 GMT"], 2, NOW),
        ([], 1, NOW),
        # nonsense, the future, long ago
        (["yesterday"], 1, NOW),
        ([""], 1, NOW),
        (["Fri, 99 Mar 2026 11:00:00 +0000"], 1, NOW),
        (["Fri, 6 Mar 99999999 11:00:00 +9999"], 1, NOW),
        (["Mon, 1 Jan 0001 00:00:00 +2300"], 1, NOW),
        (["Fri, 6 Mar 2026 12:00:01 +0000"], 1, NOW),
        (["Sun, 1 Mar 2026 11:59:59 +0000"], 1, NOW),
        (["Sun, 1 Mar 2026 12:00:00 +0000"], 1, NOW - inbound_storage.OLDEST),
    ],
)
def test_when_it_was_received(stamps: list[str], hops: int, at: datetime) -> None:
    assert inbound_storage.received_at(stamped(*stamps), NOW, hops) == at


@pytest.mark.parametrize(
    "data",
    [
        b"Date: Fri, 6 Mar 2026 10:00:00 +0000\r\n\r\nx",
        b"Subject: x\r\n\r\nReceived: by x; Fri, 6 Mar 2026 10:00:00 +0000\r\n",
        b"X-Received: by x; Fri, 6 Mar 2026 10:00:00 +0000\r\n\r\n",
        b"Subject: a\r\n Received: by x; Fri, 6 Mar 2026 10:00:00 +0000\r\n\r\n",
        b"",
    ],
)
def test_nothing_else_says_when(data: bytes) -> None:
    assert inbound_storage.received_at(data, NOW, 1) == NOW


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
def test_whatever_ends_its_lines(end: bytes) -> None:
    data = stamped("Fri, 6 Mar 2026 11:00:00 +0000").replace(b"\r\n", end)
    assert inbound_storage.received_at(data, NOW, 1) == NOW - timedelta(hours=1)


@given(st.binary(), st.integers(0, 9))
def test_any_bytes_have_a_time(data: bytes, hops: int) -> None:
    head = b"Received: " + data
    assert NOW - inbound_storage.OLDEST <= inbound_storage.received_at(head, NOW, hops) <= NOW


@pytest.mark.django_db
@pytest.mark.usefixtures("by_post")
class TestKept:
    def test_one_message_and_an_arrival_for_each_address(self) -> None:
        game = table()
        ours, theirs = box(game), box(game, "ITALY", "Irène")
        message = inbound_storage.store_email(b"\0\xff", [ours, theirs, ours], "flora@exemple.fr", NOW)
        found = InboundDelivery.objects.all()
        assert [(one.mailbox, one.email, one.outcome) for one in found] == [
            (ours, message, ""),
            (theirs, message, ""),
        ]
        assert len({one.content_digest for one in found}) == 1
        again = InboundEmail.objects.get()
        assert (bytes(again.raw_bytes), again.envelope_sender, again.received_at) == (
            b"\0\xff",
            "flora@exemple.fr",
            NOW,
        )

    @pytest.mark.parametrize(
        "envelope", ["", "\x00", "x" * 1000, "zo\udce9@x.fr", "\ud800", "é@x.fr", "<>", "'; DROP TABLE"]
    )
    def test_any_envelope(self, envelope: str) -> None:
        inbound_storage.store_email(b"x", [], envelope, NOW)
        assert len(InboundEmail.objects.get().envelope_sender) <= inbound_storage.LONGEST_ENVELOPE

    def test_the_clock_waits_for_orders_alone(self) -> None:
        game = table()
        others = [
            box(game, door=MailboxPurpose.MESSAGE, to="ITALY"),
            box(game, "@", "Maëlle", door=MailboxPurpose.DESK),
            box(None, "", door=MailboxPurpose.BOUNCE),
        ]
        inbound_storage.store_email(b"x", others, "", NOW)
        assert not UnreadEmailOrders.objects.exists()
        inbound_storage.store_email(b"x", [box(game)], "", NOW)
        row = UnreadEmailOrders.objects.get()
        assert (row.game, row.received_at) == (game, NOW)
        assert timedelta(minutes=1) < row.wait_until - timezone.now() <= timedelta(minutes=2)

    def test_no_clock_waits_in_a_game_that_is_not_played(self) -> None:
        game = table(begun=False)
        inbound_storage.store_email(b"x", [box(game)], "", NOW)
        assert not UnreadEmailOrders.objects.exists()
        first_phase.open_first_phase(game, NOW)
        inbound_storage.store_email(
            b"x", [mailboxes.find_mailbox(mailboxes.mailbox_address(box(game)))], "", NOW
        )
        assert UnreadEmailOrders.objects.count() == 1

    def test_twenty_in_a_minute_are_a_crowd(self) -> None:
        game = table()
        ours, theirs = box(game), box(game, "ITALY", "Irène")
        for _ in range(inbound_storage.CROWD):
            assert not inbound_storage.is_crowded(ours)
            inbound_storage.store_email(b"x", [ours], "", NOW)
        assert inbound_storage.is_crowded(ours)
        assert not inbound_storage.is_crowded(theirs)
        assert not inbound_storage.is_crowded(ours, timezone.now() + inbound_storage.WITHIN)
