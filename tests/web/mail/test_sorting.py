"""Each mail is read once, in its turn, and comes to an end that is stated."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import override_settings
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talleyrand.web.accounts.models import Person
from talleyrand.web.claims import Sweep
from talleyrand.web.games import deadline_clock, first_phase
from talleyrand.web.games.models import Game, OrderSet, UnreadEmailOrders
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.models import (
    EmailInvitation,
    InboundDelivery,
    Mailbox,
    MailboxPurpose,
    OutboundEmail,
)
from talleyrand.web.press.models import Message
from tests.web.cast import MASTER, person, table
from tests.web.games.acting import all_hand_in, due, fresh

from .correspondents import POST, address_of, correspond, everybody
from .office import written
from .servers import box

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
SECOND = timedelta(seconds=1)


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def game(now: datetime) -> Game:
    """Everybody corresponds; a phase is open since an hour."""
    everybody()
    game = table(begun=False, rhythm={"hours": 72, "early": False, "grace": 0}, absent="disorder")
    return first_phase.open_first_phase(game, now - timedelta(hours=1))


def mail(text: str = "A Par - Bou", **headers: str) -> bytes:
    return written(["x@jeu.example.org"], text, sender="flora@exemple.fr", **headers)


def keep(mailbox: Mailbox, data: bytes, at: datetime | None = None) -> InboundDelivery:
    message = inbound_storage.store_email(data, [mailbox], "flora@exemple.fr", at or timezone.now())
    return message.arrivals.get()


def sort(*later: timedelta) -> int:
    """Sort now, or once for each time from now."""
    begun = timezone.now()
    return sum(inbound_processing.process_due_mail(begun + one) for one in later or [timedelta(0)])


def outcome(arrival: InboundDelivery) -> str:
    return InboundDelivery.objects.get(pk=arrival.pk).outcome


def outcomes() -> list[str]:
    return list(InboundDelivery.objects.order_by("pk").values_list("outcome", flat=True))


def sheets(game: Game) -> list[list[str]]:
    return list(OrderSet.objects.filter(game=game).order_by("pk").values_list("lines", flat=True))


def answers(name: str = "Flora") -> list[OutboundEmail]:
    return list(OutboundEmail.objects.filter(person__name=name, kind="answer"))


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[InboundDelivery]:
    """Orders fail; those that were tried."""
    tried: list[InboundDelivery] = []

    def take(arrival: InboundDelivery, _mail: Any) -> ProcessingResult:
        tried.append(arrival)
        raise ZeroDivisionError

    monkeypatch.setitem(inbound_processing.HANDLERS, MailboxPurpose.ORDERS, take)
    return tried


# what it comes to


def test_orders_are_handed_in_and_answered(game: Game) -> None:
    arrival = keep(box(game), mail())
    assert sort() == 1
    done = InboundDelivery.objects.get()
    assert (done.outcome, done.claimed_by, done.claimed_until) == (MailOutcome.TAKEN, "", None)
    assert done.processed_at is not None
    assert done.facts["power"] == "FRANCE"
    assert len(sheets(game)) == 1
    assert not UnreadEmailOrders.objects.exists()
    (answer,) = answers()
    assert (answer.reply_mailbox, answer.power, answer.game) == (arrival.mailbox, "FRANCE", game)
    assert sort() == 0


@pytest.mark.parametrize(
    ("headers", "text", "door", "wanted", "answered"),
    [
        ({"auto_submitted": "auto-replied"}, "Absent", MailboxPurpose.ORDERS, MailOutcome.AUTOMATIC, 0),
        ({"auto_submitted": "auto-replied"}, "Absent", MailboxPurpose.MESSAGE, MailOutcome.AUTOMATIC, 0),
        ({"auto_submitted": "auto-replied"}, "Absent", MailboxPurpose.BOUNCE, MailOutcome.AUTOMATIC, 0),
        ({"x_spam_flag": "YES"}, "A Par - Bou", MailboxPurpose.ORDERS, MailOutcome.SPAM, 1),
        (
            {},
            "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
            MailboxPurpose.MESSAGE,
            MailOutcome.ENCRYPTED,
            1,
        ),
        ({}, "Bonjour !", MailboxPurpose.BOUNCE, MailOutcome.AUTOMATIC, 0),
    ],
)
def test_what_nobody_takes(
    game: Game, headers: dict[str, str], text: str, door: MailboxPurpose, wanted: str, answered: int
) -> None:
    where = None if door == MailboxPurpose.BOUNCE else game
    mailbox = box(
        where, "FRANCE" if where else "", door=door, to="ITALY" if door == MailboxPurpose.MESSAGE else ""
    )
    arrival = keep(mailbox, mail(text, **headers))
    sort()
    assert outcome(arrival) == wanted
    assert len(answers()) == answered
    assert not sheets(game)
    assert not Message.objects.exists()
    assert not UnreadEmailOrders.objects.exists()


def test_the_answer_goes_to_the_address_on_file_and_is_in_his_language(game: Game) -> None:
    Person.objects.filter(name="Flora").update(language="en")
    keep(box(game), mail("-----BEGIN PGP MESSAGE-----\n\nx\n-----END PGP MESSAGE-----\n"))
    sort()
    (answer,) = answers()
    assert (answer.person, answer.address) == (person("Flora"), "")
    assert answer.subject == "Your email is encrypted"


def test_nobody_is_answered_without_an_address(game: Game) -> None:
    keep(box(game, "ITALY", "Sylvain"), mail())
    sort()
    assert outcomes() == [MailOutcome.NOT_YOURS]
    assert not OutboundEmail.objects.exists()


def test_an_address_that_was_renewed_meanwhile(game: Game) -> None:
    old = box(game)
    keep(old, mail())
    mailboxes.renew_mailbox(old)
    sort()
    assert outcomes() == [MailOutcome.REVOKED]
    (answer,) = answers()
    assert answer.reply_mailbox is None
    assert not sheets(game)


def test_whoever_was_replaced_is_told_so_and_nothing_else(game: Game) -> None:
    keep(box(game, "ITALY", "Flora"), mail("A Ven - Tyr"))
    sort()
    assert outcomes() == [MailOutcome.NOT_YOURS]
    assert [one.power for one in answers()] == [""]
    assert not sheets(game)


# once


def test_the_same_mail_twice_is_one(game: Game) -> None:
    data, ours = mail(), box(game)
    for brought in (data, b"Received: by b.example; x\r\n" + data, data):
        keep(ours, brought)
        sort()
    assert outcomes() == [MailOutcome.TAKEN, MailOutcome.REPEATED, MailOutcome.REPEATED]
    assert len(sheets(game)) == 1
    assert len(answers()) == 1
    assert not UnreadEmailOrders.objects.exists()


def test_it_came_twice_before_anybody_looked(game: Game) -> None:
    data, ours = mail(), box(game)
    keep(ours, data)
    keep(ours, data)
    assert sort() == 2
    assert outcomes() == [MailOutcome.TAKEN, MailOutcome.REPEATED]


def test_the_same_mail_at_two_addresses_is_not_repeated(game: Game) -> None:
    message = inbound_storage.store_email(
        mail(),
        [box(game, door=MailboxPurpose.MESSAGE, to=one) for one in ("ITALY", "RUSSIA")],
        "",
        timezone.now(),
    )
    sort()
    assert MailOutcome.REPEATED not in outcomes()
    assert message.arrivals.count() == 2


def test_another_worker_has_it(game: Game) -> None:
    keep(box(game), mail())
    InboundDelivery.objects.update(
        claimed_by="another", claimed_until=timezone.now() + 10 * SECOND, attempts=1
    )
    assert sort() == 0
    assert sort(inbound_processing.CLAIM) == 1


def test_two_workers_have_read_the_same_row(game: Game) -> None:
    keep(box(game), mail())
    now = timezone.now()
    unclaimed = InboundDelivery.objects.get()
    mine, theirs = Sweep(inbound_processing.QUEUE, now), Sweep(inbound_processing.QUEUE, now)
    mine._turns, theirs._turns = mine._look(), theirs._look()
    assert mine._turns == theirs._turns
    (arrival,) = mine.claim_next()
    assert theirs.claim_next() == []
    assert not inbound_processing._process_arrival(theirs, unclaimed)
    assert inbound_processing._process_arrival(mine, arrival)


def test_a_worker_that_was_taken_for_dead_writes_nothing(game: Game) -> None:
    keep(box(game), mail())
    now = timezone.now()
    sweep = Sweep(inbound_processing.QUEUE, now)
    (slow,) = sweep.claim_next()
    assert sort(2 * inbound_processing.CLAIM) == 1
    assert not inbound_processing._process_arrival(sweep, slow)
    assert len(sheets(game)) == 1
    assert len(answers()) == 1


# in their turn


def test_a_later_mail_replaces_the_sheet(game: Game) -> None:
    ours = box(game)
    for text in ("A Par - Bou", "A Par - Pic", "A Par - Gas"):
        keep(ours, mail(text))
    assert sort() == 3
    assert [lines[0][-3:] for lines in sheets(game)] == ["Bou", "Pic", "Gas"]


def test_what_was_received_first_is_read_first(game: Game, now: datetime) -> None:
    """A server of ours has kept one of them for a while."""
    ours = box(game)
    keep(ours, mail("A Par - Pic"), now)
    keep(ours, mail("A Par - Bou"), now - 60 * SECOND)
    sort()
    assert [lines[0][-3:] for lines in sheets(game)] == ["Bou", "Pic"]


def test_delayed_until_a_later_one_was_taken(game: Game, now: datetime) -> None:
    ours = box(game)
    keep(ours, mail("A Par - Pic"), now)
    sort()
    keep(ours, mail("A Par - Bou"), now - 60 * SECOND)
    sort()
    assert outcomes() == [MailOutcome.TAKEN, MailOutcome.OVERTAKEN]
    assert [lines[0][-3:] for lines in sheets(game)] == ["Pic"]
    assert len(answers()) == 2


def test_nobody_reads_a_mail_while_another_is_at_work_on_the_one_before(game: Game) -> None:
    ours, theirs = box(game), box(game, "ITALY", "Irène")
    first = keep(ours, mail("A Par - Bou"))
    keep(ours, mail("A Par - Pic"))
    keep(theirs, mail("A Ven - Tyr"))
    now = timezone.now()
    assert [one.mailbox for one in inbound_processing._due(now)] == [ours, theirs]
    sweep = Sweep(inbound_processing.QUEUE, now)
    (found,) = sweep.claim_next()
    assert found.mailbox == ours
    assert sort() == 1
    assert outcomes() == ["", "", MailOutcome.TAKEN]
    assert inbound_processing._process_arrival(sweep, found)
    assert sort() == 1
    assert outcome(first) == MailOutcome.TAKEN
    assert [
        lines[0][-3:] for lines in OrderSet.objects.filter(power="FRANCE").values_list("lines", flat=True)
    ] == [
        "Bou",
        "Pic",
    ]


# what fails


def test_what_fails_is_tried_again_and_stops_nothing_else(
    game: Game, failing: list[InboundDelivery], caplog: pytest.LogCaptureFixture
) -> None:
    keep(box(game), mail())
    letter = keep(box(game, door=MailboxPurpose.MESSAGE, to="ITALY"), mail("Bonjour"))
    begun = timezone.now()
    inbound_processing.process_due_mail(begun)
    assert outcomes()[0] == ""
    assert outcome(letter) != ""
    assert len(failing) == 1
    inbound_processing.process_due_mail(begun)
    assert len(failing) == 1  # not at once
    sort(
        *(
            sum(inbound_processing.PAUSES[:tried], tried * SECOND)
            for tried in range(1, inbound_processing.ATTEMPTS)
        )
    )
    assert len(failing) == inbound_processing.ATTEMPTS
    assert outcomes()[0] == ""
    sort(timedelta(minutes=10))
    assert outcomes()[0] == MailOutcome.FAULT
    assert len(failing) == inbound_processing.ATTEMPTS
    assert not UnreadEmailOrders.objects.exists()
    assert "ZeroDivisionError" in caplog.text
    assert mailboxes.local_part(box(game)) not in caplog.text


def test_a_fault_is_answered_and_the_game_master_told(game: Game, failing: list[InboundDelivery]) -> None:
    arrival = keep(box(game), mail())
    sort(*(timedelta(minutes=minute) for minute in range(10)))
    assert outcome(arrival) == MailOutcome.FAULT
    assert [one.subject for one in answers()] == ["Votre courriel n’a pas pu être traité"]
    (told,) = OutboundEmail.objects.filter(kind="fault")
    assert (told.person, told.power) == (person(MASTER), "@")
    assert str(arrival.pk) in told.text
    assert not any(secret in told.text for secret in ("Flora", "FRANCE", "France", "Par"))


def test_mended_and_sent_once_more(
    game: Game, failing: list[InboundDelivery], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, ours = mail(), box(game)
    keep(ours, data)
    sort(*(timedelta(minutes=minute) for minute in range(10)))
    monkeypatch.undo()
    with override_settings(**POST):
        keep(ours, data)
        sort()
    assert outcomes() == [MailOutcome.FAULT, MailOutcome.TAKEN]
    assert len(answers()) == 2


def test_workers_that_died_count(game: Game, failing: list[InboundDelivery]) -> None:
    """What ends a process is not read again and again."""
    arrival = keep(box(game), mail())
    InboundDelivery.objects.update(
        attempts=inbound_processing.ATTEMPTS, claimed_by="dead", claimed_until=timezone.now()
    )
    sort(SECOND)
    assert outcome(arrival) == MailOutcome.FAULT
    assert not failing


def test_the_database_is_busy_when_it_is_written(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    arrival, reply, broken = keep(box(game), mail()), inbound_processing._reply, [OperationalError("locked")]

    def busy(*given: Any) -> None:
        if broken:
            raise broken.pop()
        reply(*given)

    monkeypatch.setattr(inbound_processing, "_reply", busy)
    sort()
    assert outcome(arrival) == ""
    assert not answers()
    sort(5 * SECOND)
    assert outcome(arrival) == MailOutcome.TAKEN
    assert len(sheets(game)) == len(answers()) == 1


# the clock


def test_kept_before_the_deadline_and_sorted_after_it(game: Game) -> None:
    end = due(game)
    all_hand_in(game, but=["FRANCE"])
    keep(box(game), mail("A Par - Gas"), end - SECOND)
    UnreadEmailOrders.objects.update(wait_until=end + 119 * SECOND)
    deadline_clock.check_due_games(end + 2 * SECOND)
    assert fresh(game).phase_number == 1
    inbound_processing.process_due_mail(end + 5 * SECOND)
    deadline_clock.check_due_games(end + 5 * SECOND)
    assert fresh(game).phase_number == 2
    assert game.revisions.get(phase_number=1).order_lines["FRANCE"][0].endswith("Gas")


def test_what_holds_no_orders_lets_the_clock_go_on(game: Game) -> None:
    end = due(game)
    all_hand_in(game)
    keep(box(game), mail("Bonjour"), end - SECOND)
    UnreadEmailOrders.objects.update(wait_until=end + 119 * SECOND)
    deadline_clock.check_due_games(end + 2 * SECOND)
    inbound_processing.process_due_mail(end + 3 * SECOND)
    deadline_clock.check_due_games(end + 3 * SECOND)
    assert fresh(game).phase_number == 2


# a guest


def test_who_was_invited_is_answered_where_he_was_invited(game: Game) -> None:
    mailbox = Mailbox.objects.create(purpose=MailboxPurpose.INVITATION, game=game, target="ami@exemple.fr")
    EmailInvitation.objects.create(mailbox=mailbox, language="en", submission_id="1")
    keep(mailbox, mail("-----BEGIN PGP MESSAGE-----\n\nx\n-----END PGP MESSAGE-----\n"))
    sort()
    (answer,) = OutboundEmail.objects.all()
    assert (answer.person, answer.address) == (None, "ami@exemple.fr")
    assert answer.subject == "Your email is encrypted"


# anything at all


@pytest.fixture
def doors(game: Game) -> list[Mailbox]:
    guest = Mailbox.objects.create(purpose=MailboxPurpose.INVITATION, game=game, target="ami@exemple.fr")
    EmailInvitation.objects.create(mailbox=guest, language="fr", submission_id="1", invited_by=person(MASTER))
    correspond("Flora", address_of("Flora"))
    return [
        box(game),
        box(game, door=MailboxPurpose.MESSAGE, to="ITALY"),
        box(game, "@", MASTER, door=MailboxPurpose.DESK),
        guest,
        box(None, "", door=MailboxPurpose.BOUNCE),
    ]


HEADERS = st.sampled_from(
    [
        b"Subject: Ordres\r\n",
        b"From: Flora <flora@exemple.fr>\r\n",
        b"Message-ID: <1@exemple.fr>\r\n",
        b"Content-Type: text/html; charset=utf-8\r\n",
        b"Content-Type: text/plain; charset=no-such\r\n",
        b"Content-Type: multipart/mixed; boundary=b\r\n",
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n",
        b"Content-Type: message/rfc822\r\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"Content-Transfer-Encoding: quoted-printable\r\n",
        b"Auto-Submitted: auto-replied\r\n",
        b"Subject: =?utf-8?q?=FF=00?=\r\n",
    ]
)
LINES = st.sampled_from(
    [
        b"A Par - Bou\r\n",
        b"France\r\n",
        b"oui\r\n",
        b"passez\r\n",
        b"> A Par - Pic\r\n",
        b"--b\r\n",
        b"--b--\r\n",
        b"Content-Type: text/plain\r\n\r\n",
        b"-----BEGIN PGP MESSAGE-----\r\n",
        b"<p>A Par - Bou<br>\r\n",
        b"\0\xff\xfe\r\n",
        b"=E9=\r\n",
    ]
)
MAILS = st.builds(
    lambda head, lines, tail: b"".join(head) + b"\r\n" + b"".join(lines) + tail,
    st.lists(HEADERS, max_size=5),
    st.lists(LINES, max_size=6),
    st.binary(max_size=40),
)


@pytest.mark.long
def test_any_bytes_at_any_door_come_to_a_stated_end(doors: list[Mailbox]) -> None:
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.binary() | MAILS)
    def check(data: bytes) -> None:
        OutboundEmail.objects.all().delete()
        message = inbound_storage.store_email(data, doors, "", timezone.now())
        sort()
        found = list(message.arrivals.values_list("outcome", flat=True))
        assert set(found) <= set(MailOutcome) - {MailOutcome.FAULT}, found
        assert not UnreadEmailOrders.objects.exists()

    check()


def test_orders_that_came_through_a_list_are_taken_and_answered(game: Game) -> None:
    """Other mail of a list is left alone, as before."""
    through = {"precedence": "list", "list_id": "<diplo.example.org>"}
    assert outcome(keep(box(game), mail("Bonjour la liste", **through))) == ""
    keep(box(game), mail("A Par - Bou", **through))
    sort()
    assert outcomes() == [MailOutcome.AUTOMATIC, MailOutcome.TAKEN]
    assert len(answers()) == 1
