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
from talleyrand.web.games import clock, opening
from talleyrand.web.games.models import Game, Sheet, Unread
from talleyrand.web.mail import addressing
from talleyrand.web.mail.incoming import arriving, sorting
from talleyrand.web.mail.models import Arrival, Departure, Door, Mailbox, Offer
from talleyrand.web.mail.outcomes import Outcome, Result
from talleyrand.web.press.models import Letter
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
    return opening.begin(game, now - timedelta(hours=1))


def mail(text: str = "A Par - Bou", **headers: str) -> bytes:
    return written(["x@jeu.example.org"], text, sender="flora@exemple.fr", **headers)


def keep(mailbox: Mailbox, data: bytes, at: datetime | None = None) -> Arrival:
    message = arriving.keep(data, [mailbox], "flora@exemple.fr", at or timezone.now())
    return message.arrivals.get()


def sort(*later: timedelta) -> int:
    """Sort now, or once for each time from now."""
    begun = timezone.now()
    return sum(sorting.sort_due(begun + one) for one in later or [timedelta(0)])


def outcome(arrival: Arrival) -> str:
    return Arrival.objects.get(pk=arrival.pk).outcome


def outcomes() -> list[str]:
    return list(Arrival.objects.order_by("pk").values_list("outcome", flat=True))


def sheets(game: Game) -> list[list[str]]:
    return list(Sheet.objects.filter(game=game).order_by("pk").values_list("lines", flat=True))


def answers(name: str = "Flora") -> list[Departure]:
    return list(Departure.objects.filter(person__name=name, kind="answer"))


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[Arrival]:
    """Orders fail; those that were tried."""
    tried: list[Arrival] = []

    def take(arrival: Arrival, _mail: Any) -> Result:
        tried.append(arrival)
        raise ZeroDivisionError

    monkeypatch.setitem(sorting.TAKERS, Door.ORDERS, take)
    return tried


# what it comes to


def test_orders_are_handed_in_and_answered(game: Game) -> None:
    arrival = keep(box(game), mail())
    assert sort() == 1
    done = Arrival.objects.get()
    assert (done.outcome, done.worker, done.worker_until) == (Outcome.TAKEN, "", None)
    assert done.sorted is not None
    assert done.facts["power"] == "FRANCE"
    assert len(sheets(game)) == 1
    assert not Unread.objects.exists()
    (answer,) = answers()
    assert (answer.mailbox, answer.power, answer.game) == (arrival.mailbox, "FRANCE", game)
    assert sort() == 0


@pytest.mark.parametrize(
    ("headers", "text", "door", "wanted", "answered"),
    [
        ({"auto_submitted": "auto-replied"}, "Absent", Door.ORDERS, Outcome.AUTOMATIC, 0),
        ({"auto_submitted": "auto-replied"}, "Absent", Door.LETTER, Outcome.AUTOMATIC, 0),
        ({"auto_submitted": "auto-replied"}, "Absent", Door.RETURN, Outcome.AUTOMATIC, 0),
        ({"x_spam_flag": "YES"}, "A Par - Bou", Door.ORDERS, Outcome.SPAM, 1),
        (
            {},
            "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
            Door.LETTER,
            Outcome.ENCRYPTED,
            1,
        ),
        ({}, "Bonjour !", Door.RETURN, Outcome.AUTOMATIC, 0),
    ],
)
def test_what_nobody_takes(
    game: Game, headers: dict[str, str], text: str, door: Door, wanted: str, answered: int
) -> None:
    where = None if door == Door.RETURN else game
    mailbox = box(where, "FRANCE" if where else "", door=door, to="ITALY" if door == Door.LETTER else "")
    arrival = keep(mailbox, mail(text, **headers))
    sort()
    assert outcome(arrival) == wanted
    assert len(answers()) == answered
    assert not sheets(game)
    assert not Letter.objects.exists()
    assert not Unread.objects.exists()


def test_the_answer_goes_to_the_address_on_file_and_is_in_his_language(game: Game) -> None:
    Person.objects.filter(name="Flora").update(language="en")
    keep(box(game), mail("-----BEGIN PGP MESSAGE-----\n\nx\n-----END PGP MESSAGE-----\n"))
    sort()
    (answer,) = answers()
    assert (answer.person, answer.address) == (person("Flora"), "")
    assert answer.subject == "Your mail is encrypted"


def test_nobody_is_answered_without_an_address(game: Game) -> None:
    keep(box(game, "ITALY", "Sylvain"), mail())
    sort()
    assert outcomes() == [Outcome.NOT_YOURS]
    assert not Departure.objects.exists()


def test_an_address_that_was_renewed_meanwhile(game: Game) -> None:
    old = box(game)
    keep(old, mail())
    addressing.renew(old)
    sort()
    assert outcomes() == [Outcome.REVOKED]
    (answer,) = answers()
    assert answer.mailbox is None
    assert not sheets(game)


def test_whoever_was_replaced_is_told_so_and_nothing_else(game: Game) -> None:
    keep(box(game, "ITALY", "Flora"), mail("A Ven - Tyr"))
    sort()
    assert outcomes() == [Outcome.NOT_YOURS]
    assert [one.power for one in answers()] == [""]
    assert not sheets(game)


# once


def test_the_same_mail_twice_is_one(game: Game) -> None:
    data, ours = mail(), box(game)
    for brought in (data, b"Received: by b.example; x\r\n" + data, data):
        keep(ours, brought)
        sort()
    assert outcomes() == [Outcome.TAKEN, Outcome.REPEATED, Outcome.REPEATED]
    assert len(sheets(game)) == 1
    assert len(answers()) == 1
    assert not Unread.objects.exists()


def test_it_came_twice_before_anybody_looked(game: Game) -> None:
    data, ours = mail(), box(game)
    keep(ours, data)
    keep(ours, data)
    assert sort() == 2
    assert outcomes() == [Outcome.TAKEN, Outcome.REPEATED]


def test_the_same_mail_at_two_addresses_is_not_repeated(game: Game) -> None:
    message = arriving.keep(
        mail(), [box(game, door=Door.LETTER, to=one) for one in ("ITALY", "RUSSIA")], "", timezone.now()
    )
    sort()
    assert Outcome.REPEATED not in outcomes()
    assert message.arrivals.count() == 2


def test_another_worker_has_it(game: Game) -> None:
    keep(box(game), mail())
    Arrival.objects.update(worker="another", worker_until=timezone.now() + 10 * SECOND, attempts=1)
    assert sort() == 0
    assert sort(sorting.CLAIM) == 1


def test_two_workers_have_read_the_same_row(game: Game) -> None:
    keep(box(game), mail())
    now = timezone.now()
    mine, theirs = sorting._due(now)[0], sorting._due(now)[0]
    assert sorting._claim(mine, "me", now)
    assert not sorting._claim(theirs, "them", now)
    assert not sorting._one(theirs, now)
    assert sorting._one(mine, now)


def test_a_worker_that_was_taken_for_dead_writes_nothing(game: Game) -> None:
    keep(box(game), mail())
    now = timezone.now()
    slow = sorting._due(now)[0]
    assert sorting._claim(slow, "slow", now)
    assert sort(2 * sorting.CLAIM) == 1
    assert not sorting._one(slow, now)
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
    assert outcomes() == [Outcome.TAKEN, Outcome.OVERTAKEN]
    assert [lines[0][-3:] for lines in sheets(game)] == ["Pic"]
    assert len(answers()) == 2


def test_nobody_reads_a_mail_while_another_is_at_work_on_the_one_before(game: Game) -> None:
    ours, theirs = box(game), box(game, "ITALY", "Irène")
    first = keep(ours, mail("A Par - Bou"))
    keep(ours, mail("A Par - Pic"))
    keep(theirs, mail("A Ven - Tyr"))
    now = timezone.now()
    found = sorting._due(now)
    assert [one.mailbox for one in found] == [ours, theirs]
    assert sorting._claim(found[0], "me", now)
    assert sort() == 1
    assert outcomes() == ["", "", Outcome.TAKEN]
    assert sorting._one(found[0], now)
    assert sort() == 1
    assert outcome(first) == Outcome.TAKEN
    assert [
        lines[0][-3:] for lines in Sheet.objects.filter(power="FRANCE").values_list("lines", flat=True)
    ] == [
        "Bou",
        "Pic",
    ]


# what fails


def test_what_fails_is_tried_again_and_stops_nothing_else(
    game: Game, failing: list[Arrival], caplog: pytest.LogCaptureFixture
) -> None:
    keep(box(game), mail())
    letter = keep(box(game, door=Door.LETTER, to="ITALY"), mail("Bonjour"))
    sort()
    assert outcomes()[0] == ""
    assert outcome(letter) != ""
    assert len(failing) == 1
    sort()
    assert len(failing) == 1  # not at once
    sort(*(sum(sorting.PAUSES[:tried], tried * SECOND) for tried in range(1, sorting.ATTEMPTS)))
    assert len(failing) == sorting.ATTEMPTS
    assert outcomes()[0] == ""
    sort(timedelta(minutes=10))
    assert outcomes()[0] == Outcome.FAULT
    assert len(failing) == sorting.ATTEMPTS
    assert not Unread.objects.exists()
    assert "ZeroDivisionError" in caplog.text
    assert addressing.local(box(game)) not in caplog.text


def test_a_fault_is_answered_and_the_game_master_told(game: Game, failing: list[Arrival]) -> None:
    arrival = keep(box(game), mail())
    sort(*(timedelta(minutes=minute) for minute in range(10)))
    assert outcome(arrival) == Outcome.FAULT
    assert [one.subject for one in answers()] == ["Votre courriel n’a pas pu être traité"]
    (told,) = Departure.objects.filter(kind="fault")
    assert (told.person, told.power) == (person(MASTER), "@")
    assert str(arrival.pk) in told.text
    assert not any(secret in told.text for secret in ("Flora", "FRANCE", "France", "Par"))


def test_mended_and_sent_once_more(
    game: Game, failing: list[Arrival], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, ours = mail(), box(game)
    keep(ours, data)
    sort(*(timedelta(minutes=minute) for minute in range(10)))
    monkeypatch.undo()
    with override_settings(**POST):
        keep(ours, data)
        sort()
    assert outcomes() == [Outcome.FAULT, Outcome.TAKEN]
    assert len(answers()) == 2


def test_workers_that_died_count(game: Game, failing: list[Arrival]) -> None:
    """What ends a process is not read again and again."""
    arrival = keep(box(game), mail())
    Arrival.objects.update(attempts=sorting.ATTEMPTS, worker="dead", worker_until=timezone.now())
    sort(SECOND)
    assert outcome(arrival) == Outcome.FAULT
    assert not failing


def test_the_database_is_busy_when_it_is_written(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    arrival, reply, broken = keep(box(game), mail()), sorting._reply, [OperationalError("locked")]

    def busy(*given: Any) -> None:
        if broken:
            raise broken.pop()
        reply(*given)

    monkeypatch.setattr(sorting, "_reply", busy)
    sort()
    assert outcome(arrival) == ""
    assert not answers()
    sort(5 * SECOND)
    assert outcome(arrival) == Outcome.TAKEN
    assert len(sheets(game)) == len(answers()) == 1


# the clock


def test_kept_before_the_deadline_and_sorted_after_it(game: Game) -> None:
    end = due(game)
    all_hand_in(game, but=["FRANCE"])
    keep(box(game), mail("A Par - Gas"), end - SECOND)
    Unread.objects.update(until=end + 119 * SECOND)
    clock.sweep(end + 2 * SECOND)
    assert fresh(game).number == 1
    sorting.sort_due(end + 5 * SECOND)
    clock.sweep(end + 5 * SECOND)
    assert fresh(game).number == 2
    assert game.revisions.get(number=1).sheets["FRANCE"][0].endswith("Gas")


def test_what_holds_no_orders_lets_the_clock_go_on(game: Game) -> None:
    end = due(game)
    all_hand_in(game)
    keep(box(game), mail("Bonjour"), end - SECOND)
    Unread.objects.update(until=end + 119 * SECOND)
    clock.sweep(end + 2 * SECOND)
    sorting.sort_due(end + 3 * SECOND)
    clock.sweep(end + 3 * SECOND)
    assert fresh(game).number == 2


# a guest


def test_who_was_invited_is_answered_where_he_was_invited(game: Game) -> None:
    mailbox = Mailbox.objects.create(door=Door.JOIN, game=game, to="ami@exemple.fr")
    Offer.objects.create(mailbox=mailbox, language="en", submission="1")
    keep(mailbox, mail("-----BEGIN PGP MESSAGE-----\n\nx\n-----END PGP MESSAGE-----\n"))
    sort()
    (answer,) = Departure.objects.all()
    assert (answer.person, answer.address) == (None, "ami@exemple.fr")
    assert answer.subject == "Your mail is encrypted"


# anything at all


@pytest.fixture
def doors(game: Game) -> list[Mailbox]:
    guest = Mailbox.objects.create(door=Door.JOIN, game=game, to="ami@exemple.fr")
    Offer.objects.create(mailbox=guest, language="fr", submission="1", by=person(MASTER))
    correspond("Flora", address_of("Flora"))
    return [
        box(game),
        box(game, door=Door.LETTER, to="ITALY"),
        box(game, "@", MASTER, door=Door.DESK),
        guest,
        box(None, "", door=Door.RETURN),
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


def test_any_bytes_at_any_door_come_to_a_stated_end(doors: list[Mailbox]) -> None:
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.binary() | MAILS)
    def check(data: bytes) -> None:
        Departure.objects.all().delete()
        message = arriving.keep(data, doors, "", timezone.now())
        sort()
        found = list(message.arrivals.values_list("outcome", flat=True))
        assert set(found) <= set(Outcome) - {Outcome.FAULT}, found
        assert not Unread.objects.exists()

    check()
