"""The server of mail: who is let in, what is kept, and what everybody hears who is not served."""

from __future__ import annotations

import errno
import re
import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game, UnreadEmailOrders
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage, office_mail, smtp_server
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, Mailbox, MailboxPurpose, OutboundEmail
from tests.waiting import PATIENCE
from tests.web.cast import table

from .correspondents import DOMAIN, correspond
from .office import submit, written
from .servers import Line, box, kept, listening

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("by_post")]

ORDERS = "From: Flora <flora@exemple.fr>\r\nSubject: Ordres\r\n\r\nA Par - Bou\r\n"


@pytest.fixture
def game(by_post: None) -> Game:
    return table()


@pytest.fixture
def mailbox(game: Game) -> Mailbox:
    return box(game)


@pytest.fixture
def to(mailbox: Mailbox) -> str:
    return mailboxes.mailbox_address(mailbox)


@pytest.fixture
def port() -> Iterator[int]:
    with listening() as found:
        yield found


@pytest.fixture
def local() -> Iterator[int]:
    with listening(lmtp=True) as found:
        yield found


def test_kept_as_it_came(port: int, mailbox: Mailbox, to: str) -> None:
    taken = submit(port, to, ORDERS.encode(), sender="flora@exemple.fr")
    assert taken.is_taken
    (arrival,) = InboundDelivery.objects.all()
    assert (arrival.mailbox, arrival.outcome) == (mailbox, "")
    assert bytes(arrival.email.raw_bytes) == ORDERS.encode()
    assert arrival.email.envelope_sender == "flora@exemple.fr"
    assert UnreadEmailOrders.objects.get().delivery_key == inbound_storage.delivery_key(arrival)


def test_whoever_waits_for_mail_is_rung(to: str) -> None:
    rung = threading.Event()
    with listening(kept=rung.set) as port:
        submit(port, to, ORDERS.encode())
        assert rung.wait(PATIENCE)


def test_it_greets_by_the_name_of_the_games(port: int) -> None:
    with Line(port) as line:
        assert line.reply() == f"220 {DOMAIN} Talleyrand"
        hello = line.say("EHLO x").splitlines()
        assert hello[0] == f"250-{DOMAIN}"
        assert f"250-SIZE {inbound_storage.LARGEST}" in hello
        assert "250-8BITMIME" in hello
        assert not any(word in one for one in hello for word in ("AUTH", "STARTTLS"))
        assert socket.gethostname() not in "".join(hello)


def test_unknown_and_revoked_are_refused_at_once(port: int, mailbox: Mailbox, to: str) -> None:
    other = to.replace("ordres-", "lettre-")
    mailboxes.renew_mailbox(mailbox)
    taken = submit(port, [to, other, "x@ailleurs.example"], ORDERS.encode())
    assert [code for code, _text in taken.rcpt.values()] == [550, 550, 550]
    assert "5.7.1" in taken.rcpt[to][1]
    assert "page de la partie" in taken.rcpt[to][1]
    assert "the game's page" in taken.rcpt[to][1]
    assert "5.1.1" in taken.rcpt[other][1]
    assert not InboundEmail.objects.exists()


@pytest.mark.parametrize("to", [f"postmaster@{DOMAIN}", f"Abuse@{DOMAIN}", "postmaster"])
def test_the_office_of_the_site_is_there_and_reaches_its_administrators(port: int, to: str) -> None:
    chief = correspond("Flora")
    Person.objects.filter(pk=chief.pk).update(is_administrator=True)
    data = b"From: Ursule <u@ailleurs.example>\r\nSubject: Abus\r\n\r\nOn me noie.\r\n"
    taken = submit(port, [to], data)
    assert [code for code, _text in taken.rcpt.values()] == [250]
    inbound_processing.process_due_mail(timezone.now())
    mail = OutboundEmail.objects.get(kind="office")
    assert (mail.person, mail.subject, mail.reply_mailbox) == (chief, "Au site\u00a0: Abus", None)
    assert "On me noie." in mail.text
    assert InboundDelivery.objects.get().outcome == MailOutcome.PASSED_ON


def test_a_flood_to_the_office_of_the_site_is_kept_and_passed_on_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chief = correspond("Flora")
    Person.objects.filter(pk=chief.pk).update(is_administrator=True)
    monkeypatch.setattr(office_mail, "MOST", 2)
    box = mailboxes.office_mailbox(f"abuse@{DOMAIN}")
    assert box is not None
    for number in range(4):
        data = f"From: <u@ailleurs.example>\r\nSubject: {number}\r\n\r\nOn me noie.\r\n".encode()
        inbound_storage.store_email(data, [box], "u@ailleurs.example", timezone.now())
    inbound_processing.process_due_mail(timezone.now())
    assert [mail.subject[-1] for mail in OutboundEmail.objects.filter(kind="office")] == ["0", "1"]
    assert InboundDelivery.objects.filter(outcome=MailOutcome.PASSED_ON).count() == 4


def test_no_other_office_is_ours(port: int) -> None:
    taken = submit(port, ["postmaster@ailleurs.example", f"hostmaster@{DOMAIN}"], ORDERS.encode())
    assert [code for code, _text in taken.rcpt.values()] == [550, 550]


def test_whoever_is_known_gets_his_though_another_is_not(port: int, to: str) -> None:
    taken = submit(port, ["x@ailleurs.example", to.upper()], ORDERS.encode())
    assert [code for code, _text in taken.rcpt.values()] == [550, 250]
    assert [code for code, _text in taken.data] == [250]
    assert kept() == [ORDERS.encode()]


@pytest.mark.parametrize("command", ["VRFY {}", "EXPN {}", "VRFY", "EXPN"])
def test_nobody_is_told_which_addresses_there_are(port: int, to: str, command: str) -> None:
    with Line(port) as line:
        line.reply()
        line.say("EHLO x")
        assert line.say(command.format(to)).startswith("502")


def test_a_bounce_has_no_sender(port: int, to: str) -> None:
    assert submit(port, to, ORDERS.encode(), sender="").is_taken
    assert InboundEmail.objects.get().envelope_sender == ""


def test_one_mail_for_several(port: int, game: Game, to: str) -> None:
    other = mailboxes.mailbox_address(box(game, "ITALY", "Irène"))
    assert submit(port, [to, other, to], ORDERS.encode()).is_taken
    assert InboundEmail.objects.count() == 1
    assert InboundDelivery.objects.count() == 2


# LMTP


def test_each_recipient_hears_of_himself(local: int, game: Game, to: str) -> None:
    other = mailboxes.mailbox_address(box(game, "ITALY", "Irène"))
    taken = submit(local, [to, "x@ailleurs.example", other], ORDERS.encode(), lmtp=True)
    assert [code for code, _text in taken.rcpt.values()] == [250, 550, 250]
    assert [code for code, _text in taken.data] == [250, 250]
    assert InboundDelivery.objects.count() == 2


def test_each_recipient_hears_that_it_is_too_large(
    local: int, game: Game, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbound_storage, "LARGEST", 1000)
    other = mailboxes.mailbox_address(box(game, "ITALY", "Irène"))
    with Line(local) as line:
        line.begin(to, other, hello="LHLO x")
        line.send(b"x" * 2000 + b"\r\n.\r\n")
        assert [line.reply()[:3] for _ in range(2)] == ["552", "552"]
        assert line.say("NOOP").startswith("250")


def test_each_recipient_hears_of_trouble(
    local: int, game: Game, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbound_storage, "store_email", _failing(DatabaseError("gone")))
    other = mailboxes.mailbox_address(box(game, "ITALY", "Irène"))
    taken = submit(local, [to, other], ORDERS.encode(), lmtp=True)
    assert [code for code, _text in taken.data] == [451, 451]


def test_the_greetings_are_those_of_the_protocol(port: int, local: int) -> None:
    for place, right, wrong in ((port, "EHLO x", "LHLO x"), (local, "LHLO x", "EHLO x")):
        with Line(place) as line:
            line.reply()
            assert line.say(wrong).startswith("500")
            assert line.say(right).startswith("250")


def test_on_a_local_socket(tmp_path: Path, to: str) -> None:
    place = socket.socket(socket.AF_UNIX)
    place.bind(str(tmp_path / "lmtp"))
    place.listen()
    with smtp_server.running_mail_server(place, lmtp=True), smtplib.LMTP(str(tmp_path / "lmtp")) as line:
        line.sendmail("flora@exemple.fr", [to], ORDERS)
    assert kept() == [ORDERS.encode()]


# what a mail may be

SMUGGLED = "MAIL FROM:<x@x.fr>\r\nRCPT TO:<{to}>\r\nDATA\r\nsmuggled\r\n.\r\n"


ENDS = ["\n.\n", "\r.\r", "\n.\r\n", "\r\n.\n", "\r\n.\r", "\r.\r\n", "\r\n\0.\r\n"]


@pytest.mark.long
def test_no_second_mail_is_smuggled_in(port: int, to: str) -> None:
    """Only CR LF . CR LF ends a mail: for another server these bytes may be two."""
    for end in ENDS:
        with Line(port) as line:
            line.begin(to)
            line.send(f"one{end}{SMUGGLED.format(to=to)}".encode())
            assert line.reply().startswith("250"), repr(end)
            assert line.say("NOOP").startswith("250"), repr(end)
    assert [(one[:3], one[-10:]) for one in kept()] == [(b"one", b"smuggled\r\n")] * len(ENDS)


def test_a_mail_that_comes_in_pieces(port: int, to: str) -> None:
    with Line(port) as line:
        line.begin(to)
        for byte in b"..dot\r\n.\r":
            line.send(bytes([byte]))
            time.sleep(0.001)
        line.send(b"\n")
        assert line.reply().startswith("250")
    assert kept() == [b".dot\r\n"]


@pytest.mark.parametrize(
    "size", [smtp_server.LONGEST_LINE - 2, smtp_server.LONGEST_LINE, 5 * smtp_server.LONGEST_LINE + 1]
)
def test_a_line_may_be_long(port: int, to: str, size: int) -> None:
    body = b".." + b"x" * size + b"\r.\r\n.x\r\n"
    with Line(port) as line:
        line.begin(to)
        line.send(body + b".\r\n")
        assert line.reply().startswith("250")
    assert kept() == [b"." + b"x" * size + b"\r.\r\nx\r\n"]


def test_any_bytes_are_kept(port: int, to: str) -> None:
    bodies = [b"\0\x01\xff\xfe\r\n", "Épée à Évreux\r\n".encode(), b"\xe9t\xe9\r\n", b""]
    for body in bodies:
        with Line(port) as line:
            line.begin(to)
            line.send(body + b".\r\n")
            assert line.reply().startswith("250"), body
    assert kept() == bodies


def test_letters_of_every_language(port: int, to: str) -> None:
    with Line(port) as line:
        line.reply()
        line.say("EHLO x")
        assert line.say("MAIL FROM:<zoé@épée.example> SMTPUTF8").startswith("250")
        assert line.say(f"RCPT TO:<{to}>").startswith("250")
        line.say("DATA")
        line.send(b"x\r\n.\r\n")
        assert line.reply().startswith("250")
    assert InboundEmail.objects.get().envelope_sender == "zoé@épée.example"


def test_an_envelope_that_is_no_text(port: int, to: str) -> None:
    with Line(port) as line:
        line.reply()
        line.say("EHLO x")
        line.send(b'MAIL FROM:<"\xff\x01"@x.fr>\r\n')
        assert line.reply().startswith("250")
        line.say(f"RCPT TO:<{to}>")
        line.say("DATA")
        line.send(b"x\r\n.\r\n")
        assert line.reply().startswith("250")
    assert InboundEmail.objects.get().envelope_sender.endswith("@x.fr")


# too much


@pytest.mark.long
def test_ten_megabytes_are_taken_and_more_are_not(port: int, to: str) -> None:
    megabyte = b"x" * 75 + b"\r\n"
    megabyte *= 1024 * 1024 // len(megabyte)
    with Line(port) as line:
        line.begin(to)
        line.send(10 * megabyte + b".\r\n")
        assert line.reply().startswith("250")
        line.say("MAIL FROM:<x@x.fr>")
        line.say(f"RCPT TO:<{to}>")
        line.say("DATA")
        line.send(12 * megabyte + b".\r\n")
        assert line.reply().startswith("552")
        assert line.say("NOOP").startswith("250")
    assert InboundEmail.objects.count() == 1


def test_announced_as_too_large(port: int) -> None:
    with Line(port) as line:
        line.reply()
        line.say("EHLO x")
        assert line.say(f"MAIL FROM:<x@x.fr> SIZE={inbound_storage.LARGEST + 1}").startswith("552")


def test_whoever_never_ends_is_not_heard_out(port: int, to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbound_storage, "LARGEST", 1000)
    monkeypatch.setattr(smtp_server, "FLOOD", 100_000)
    with Line(port) as line:
        line.begin(to)
        heard = ""
        try:
            for _ in range(1000):
                line.send(b"x" * 10_000)
            heard = line.reply()
        except ConnectionError:
            heard = "552"
        assert heard[:3] in ("552", "")
    assert not InboundEmail.objects.exists()


@pytest.mark.long
def test_fifty_recipients_and_no_more(port: int, game: Game, to: str) -> None:
    with Line(port) as line:
        line.reply()
        line.say("EHLO x")
        line.say("MAIL FROM:<x@x.fr>")
        heard = [line.say(f"RCPT TO:<{to}>")[:3] for _ in range(smtp_server.RECIPIENTS + 1)]
    assert heard == ["250"] * smtp_server.RECIPIENTS + ["452"]


@pytest.mark.long
def test_twenty_mails_a_minute_and_the_others_later(
    port: int, game: Game, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is lost: the sender’s server keeps what it could not deliver, and comes again."""
    waiting = [written([to], f"A Par - Bou {number}", sender="flora@exemple.fr") for number in range(25)]
    other = mailboxes.mailbox_address(box(game, "ITALY", "Irène"))
    left = [mail for mail in waiting if not submit(port, to, mail).is_taken]
    assert len(left) == 5
    assert [code for code, _text in submit(port, to, left[0]).rcpt.values()] == [451]
    assert submit(port, other, waiting[0]).is_taken
    monkeypatch.setattr(inbound_storage, "WITHIN", inbound_storage.WITHIN * 0)  # a minute later
    assert all(submit(port, to, mail).is_taken for mail in left)
    assert [one for one in kept() if b"Bou 24" in one]
    assert InboundEmail.objects.count() == 26


def test_so_many_connections_and_no_more(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp_server, "CONNECTIONS", 2)
    lines = [Line(port) for _ in range(3)]
    assert [line.reply()[:3] for line in lines] == ["220", "220", "421"]
    assert lines[2].reply() == ""
    lines[0].say("QUIT")
    with Line(port) as line:
        assert line.reply().startswith("220")
    for line in lines:
        line.__exit__()


def test_one_address_does_not_take_every_connection(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp_server, "FROM_ONE", 1)
    with Line(port) as one, Line(port) as other:
        assert [one.reply()[:3], other.reply()[:3]] == ["220", "220"]  # a mail server before us
    monkeypatch.setattr(smtp_server, "_place", lambda _peer: "203.0.113.7")
    with Line(port) as one, Line(port) as other:
        assert sorted([one.reply()[:3], other.reply()[:3]]) == ["220", "421"]


@pytest.mark.parametrize(
    ("peer", "place"),
    [
        (("127.0.0.1", 4), ""),
        (("::1", 4, 0, 0), ""),
        ("", ""),
        (None, ""),
        (("203.0.113.7", 4), "203.0.113.7"),
    ],
)
def test_where_a_client_is(peer: Any, place: str) -> None:
    assert smtp_server._place(peer) == place


@pytest.mark.long
def test_whoever_says_nothing_is_let_go(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening() as port:
        with monkeypatch.context() as hasty:
            hasty.setattr(smtp_server, "IDLE", 0.3)
            with Line(port) as line:
                line.reply()
                assert line.reply() == ""
        monkeypatch.setattr(smtp_server, "LONGEST_DATA", 0.6)
        with Line(port) as line:
            line.begin(to)
            try:
                for _ in range(20 * PATIENCE):
                    line.send(b"slow\r\n")
                    time.sleep(0.05)
                left = False
            except ConnectionError:
                left = True
            assert left
    assert not InboundEmail.objects.exists()


# what goes wrong here


def _failing(error: Exception) -> Any:
    def fail(*_args: Any, **_more: Any) -> Any:
        raise error

    return fail


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OperationalError("database is locked"), 451),
        (OperationalError("database or disk is full"), 452),
        (OperationalError("could not extend file: No space left on device"), 452),
        (OSError(errno.ENOSPC, "x"), 452),
        (ZeroDivisionError("secret"), 451),
    ],
)
def test_trouble_is_answered_so_that_it_comes_again(
    port: int,
    to: str,
    error: Exception,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(inbound_storage, "store_email", _failing(error))
        taken = submit(port, to, ORDERS.encode())
    assert [answer[0] for answer in taken.data] == [code]
    with monkeypatch.context() as broken:
        broken.setattr(mailboxes, "find_mailbox", _failing(error))
        told = submit(port, to, ORDERS.encode()).rcpt[to]
    assert told[0] == code
    assert "Traceback" in caplog.text
    assert not any("secret" in text or "Error" in text for _code, text in (told, *taken.data))
    assert to.partition("@")[0] not in caplog.text
    assert submit(port, to, ORDERS.encode()).is_taken


def test_nothing_is_half_kept(port: int, game: Game, to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of two recipients fails: the mail comes again, to both."""
    other = mailboxes.mailbox_address(box(game, "ITALY", "Irène"))
    arrive = inbound_storage._arrive

    def half(message: InboundEmail, mailbox: Mailbox, same: str) -> None:
        if mailbox.power == "ITALY":
            raise DatabaseError("gone")
        arrive(message, mailbox, same)

    monkeypatch.setattr(inbound_storage, "_arrive", half)
    assert [code for code, _text in submit(port, [to, other], ORDERS.encode()).data] == [451]
    assert not InboundEmail.objects.exists()
    assert not UnreadEmailOrders.objects.exists()


COMMANDS = [
    b"\r\n",
    b"\0\r\n",
    b"\xff\xfe\r\n",
    b"MAIL FROM:<" + b"x" * 2000 + b">\r\n",
    b"x" * 70_000 + b"\r\n",
    b"DATA\r\n",
    b"RCPT TO:<a@b>\r\n",
    b"MAIL FROM:<(((((@>\r\n",
    b'MAIL FROM:<"\r\n',
    b"MAIL FROM: <a@b> BODY=BINARYMIME\r\n",
    b"RCPT TO:\r\n",
    b"AUTH PLAIN AGEAYg==\r\n",
    b"AUTH LOGIN\r\n",
    b"STARTTLS\r\n",
    b"GET / HTTP/1.1\r\n",
]


@pytest.mark.long
def test_any_command_has_an_answer(port: int) -> None:
    for sent in COMMANDS:
        with Line(port) as line:
            line.reply()
            line.say("EHLO x")
            line.send(sent)
            heard = line.reply()
            assert heard[:1] in ("4", "5"), sent
            assert not re.search(r"Traceback|\wError", heard), sent
            assert line.say("NOOP").startswith("250"), sent


def test_whoever_hangs_up_in_the_middle(port: int, to: str) -> None:
    with Line(port) as line:
        line.begin(to)
        line.send(b"half a mail\r\n")
    assert submit(port, to, ORDERS.encode()).is_taken
    assert kept() == [ORDERS.encode()]


@pytest.mark.long
def test_what_is_being_kept_is_answered_before_the_server_ends(
    to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ending, keep = threading.Event(), threading.Event(), inbound_storage.store_email
    last_words: list[str] = []

    def slowly(*args: Any) -> InboundEmail:
        begun.set()
        assert ending.wait(PATIENCE)
        return keep(*args)

    def hear(idle: Line) -> None:
        last_words.append(idle.reply())
        ending.set()

    monkeypatch.setattr(inbound_storage, "store_email", slowly)
    with listening() as port:
        line, idle = Line(port), Line(port)
        line.begin(to)
        idle.reply()
        threading.Thread(target=hear, args=(idle,)).start()
        line.send(b"x\r\n.\r\n")
        assert begun.wait(PATIENCE)
    assert line.reply().startswith("250")
    assert last_words[0].startswith("421")
    assert InboundEmail.objects.count() == 1
    for one in (line, idle):
        one.__exit__()


def test_letters_do_not_hold_the_clock(port: int, game: Game) -> None:
    letter = box(game, door=MailboxPurpose.MESSAGE, to="ITALY")
    assert submit(port, mailboxes.mailbox_address(letter), ORDERS.encode()).is_taken
    assert not UnreadEmailOrders.objects.exists()
