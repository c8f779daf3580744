"""The server of incoming mail by raw bytes: whatever is said or not, it stands, and others are heard."""

from __future__ import annotations

import gc
import socket
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from random import Random

import pytest

from talleyrand.web.games.models import Game
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_storage, smtp_server
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, Mailbox, MailboxPurpose
from tests.each import each
from tests.waiting import PATIENCE, wait_until
from tests.web import cast
from tests.web.mail.servers import Line, box, kept, listening

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("by_post")]
ORDERS = b"Subject: S1901M\r\n\r\nA Par - Bur\r\n"
SILENCE = 0.7  # seconds after which a server that may wait for more has said what it had to say


@pytest.fixture
def to() -> str:
    return mailboxes.mailbox_address(box(cast.table()))


@pytest.fixture
def port(to: str) -> Iterator[int]:
    with listening() as found:
        yield found


@pytest.fixture
def local(to: str) -> Iterator[int]:
    with listening(lmtp=True) as found:
        yield found


def is_well(port: int, to: str, hello: str = "EHLO x") -> bool:
    """Whether the next honest mail is taken."""
    with Line(port) as line:
        line.begin(to, hello=hello)
        line.send(ORDERS + b".\r\n")
        return line.reply().startswith("250")


def heard(port: int, sent: bytes, patience: float = PATIENCE) -> list[str]:
    """The codes of all that is said to these bytes, sent at once: until the server hangs up, as it does where
    they end with QUIT, or has said no more for so many seconds."""
    with Line(port) as line:
        line.socket.settimeout(patience)
        codes = []
        with suppress(OSError):
            line.send(sent)
            while reply := line.reply():
                codes.append(reply[:3])
        return codes


def dialogue(to: str, body: bytes = ORDERS, hello: str = "EHLO x") -> bytes:
    said = f"{hello}\r\nMAIL FROM:<a@b.fr>\r\nRCPT TO:<{to}>\r\nDATA\r\n".encode()
    return said + body + b".\r\nQUIT\r\n"


def test_all_in_one_packet_is_one_mail(port: int, local: int, to: str) -> None:
    """PIPELINING, though nobody offered it."""
    assert heard(port, dialogue(to)) == ["220", "250", "250", "250", "354", "250", "221"]
    assert heard(local, dialogue(to, hello="LHLO x"))[-2:] == ["250", "221"]
    assert len(kept()) == 2


@pytest.mark.long
@each("end", [b"\n", b"\r", b"\r\r\n", b"\0\r\n", b"\x85\r\n", b"\xe2\x80\xa8\r\n"])
def test_commands_with_another_end_make_no_second_mail(port: int, to: str, end: bytes) -> None:
    """A line of one server is never two of ours, nor two of its one: at most the one mail is taken."""
    InboundEmail.objects.all().delete()
    said = [b"EHLO x", b"MAIL FROM:<a@b.fr>", f"RCPT TO:<{to}>".encode(), b"DATA"]
    codes = heard(port, end.join([*said, ORDERS]) + b".\r\nQUIT\r\n", SILENCE)
    assert codes.count("354") <= 1
    assert InboundEmail.objects.count() <= 1
    assert is_well(port, to)


@pytest.mark.long
@each(
    "command",
    [
        "MAIL FROM:<a@b.fr>\rRCPT TO:<{to}>",
        "MAIL FROM:<a@b.fr> SIZE=-1",
        "MAIL FROM:<a@b.fr> SIZE=9999999999999999999999999999",
        "MAIL FROM:<a@b.fr> SIZE=\u0663",
        "MAIL FROM:<a@b.fr> BODY=8BITMIME BODY=7BIT SMTPUTF8 SMTPUTF8",
        "MAIL FROM:<\0@b.fr>",
        "MAIL FROM:<" + "a" * 480 + "@b.fr>",
        "MAIL FROM:<a@b.fr\r",
        "MAIL FROM:<a@b.fr> AUTH=<>",
        "BDAT 20 LAST",
        "BDAT 99999999999999999999",
        "ETRN {to}",
        "TURN",
        "STARTTLS",
        "XCLIENT ADDR=127.0.0.1 NAME=localhost",
        "XFORWARD NAME=localhost ADDR=127.0.0.1",
        "PROXY TCP4 127.0.0.1 127.0.0.1 1 2",
        "AUTH PLAIN AAAA",
        "VRFY {to}",
        "EXPN {to}",
        "HELP " + "x" * 400,
    ],
)
def test_a_command_that_wants_more(port: int, to: str, command: str) -> None:
    """Refused or taken for what it says; afterwards all is as before."""
    InboundEmail.objects.all().delete()
    sent = b"EHLO x\r\n" + command.format(to=to).encode("utf-8", "surrogateescape") + b"\r\nQUIT\r\n"
    codes = heard(port, sent)
    assert all(code[0] in "245" for code in codes)
    assert not InboundEmail.objects.exists()
    assert is_well(port, to)
    assert not InboundEmail.objects.filter(envelope_sender__contains="\n").exists()


@pytest.mark.long
@each(
    "written",
    [
        "<@relais.fr,@autre.fr:{to}>",
        "<{local}%{domain}@ailleurs.fr>",
        "<{local}@{domain}@ailleurs.fr>",
        "<{local}@ailleurs.fr@{domain}>",
        '<"{local}@{domain}"@ailleurs.fr>',
        "<{local}@{domain}.ailleurs.fr>",
        "<{local}@[127.0.0.1]>",
        "<{forged}@{domain}>",
        "<{local}0@{domain}>",
        "<orders-" + "7" * 26 + "@{domain}>",
        "<orders-" + "a" * 400 + "@{domain}>",
        "<postmaster@ailleurs.fr>",
        "<>",
        "<\xff\xfe@{domain}>",
        "<root@localhost>",
    ],
)
def test_recipients_that_are_not_ours(port: int, to: str, written: str) -> None:
    """No relay, and no other address by a trick with one's own."""
    InboundEmail.objects.all().delete()
    local, _at, domain = to.partition("@")
    forged = local[:-1] + ("a" if local[-1] != "a" else "b")
    told = written.format(to=to, local=local, domain=domain, forged=forged).encode("latin-1", "replace")
    sent = b"EHLO x\r\nMAIL FROM:<a@b.fr>\r\nRCPT TO:" + told + b"\r\nDATA\r\nQUIT\r\n"
    codes = heard(port, sent, SILENCE)
    assert "354" not in codes or Mailbox.objects.count() == 1
    assert not InboundEmail.objects.exists()
    assert is_well(port, to)


def test_half_a_dialogue_at_each_octet(port: int, local: int, to: str, seed: int, full: bool) -> None:
    """Whoever hangs up anywhere leaves nothing: no mail, no place that stays taken."""
    lot = Random(seed)
    for place, hello in ((port, "EHLO x"), (local, "LHLO x")):
        whole = dialogue(to, hello=hello)
        before = whole.index(b".\r\nQUIT")
        cuts = range(before) if full else lot.sample(range(before), 20)
        for cut in cuts:
            with Line(place) as line:
                line.send(whole[:cut])
                if cut % 2:
                    line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        assert not InboundEmail.objects.exists()
        assert is_well(place, to, hello)
        InboundEmail.objects.all().delete()


@pytest.mark.long
def test_noise(port: int, to: str, seed: int) -> None:
    """Bytes of no meaning, and commands in any order, by a seed."""
    lot = Random(seed)
    words = [*dialogue(to).split(b"\r\n"), b"RSET", b"NOOP", b"HELO", b"LHLO x", b"\0", b"\xff", b".", b""]
    for _ in range(15):
        sent = lot.randbytes(2000) if lot.random() < 0.3 else b"\r\n".join(lot.choices(words, k=60)) + b"\r\n"
        assert all(code.isdigit() for code in heard(port, sent, SILENCE))
    arrived = InboundEmail.objects.count()
    assert is_well(port, to)
    assert InboundDelivery.objects.count() == arrived + 1


def test_a_line_without_end_is_not_kept_in_memory(port: int, to: str) -> None:
    with Line(port) as line:
        line.reply()
        for _ in range(200):
            line.send(b"x" * 100_000)
        line.send(b"\r\nNOOP\r\n")
        assert [line.reply()[:3], line.reply()[:3]] == ["500", "250"]


@pytest.mark.long
def test_whoever_reads_nothing_is_hung_up_on(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be said to him keeps no place for ever."""
    monkeypatch.setattr(smtp_server, "IDLE", 1.0)
    monkeypatch.setattr(smtp_server, "UNHEARD", 0.2)
    monkeypatch.setattr(smtp_server, "CONNECTIONS", 1)
    with listening() as port, socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.settimeout(0.5)
        with suppress(OSError):  # no more fits into the line
            for _ in range(4000):
                line.sendall(b"\r\n" * 10_000)
        wait_until(lambda: _is_well_by_now(port, to))


def _is_well_by_now(port: int, to: str) -> bool:
    with suppress(AssertionError, OSError):
        return is_well(port, to)
    return False


@pytest.mark.long
def test_no_connection_lasts_for_ever(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However politely he says that he is still there."""
    monkeypatch.setattr(smtp_server, "LONGEST", 1.0)
    with listening() as port, Line(port) as line:
        line.reply()
        until = time.monotonic() + PATIENCE
        with suppress(OSError):
            while time.monotonic() < until and line.say("NOOP"):
                time.sleep(0.05)
        assert time.monotonic() < until


def test_mails_that_are_not_ended_fill_no_memory(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All connections together hold so much, and who comes with more is asked to come again."""
    monkeypatch.setattr(smtp_server, "HELD", 100_000)
    monkeypatch.setattr(smtp_server, "SMALL", 1_000)
    with listening() as port, ExitStack() as lines:
        for _ in range(3):
            line = lines.enter_context(Line(port))
            line.begin(to)
            line.send(b"x" * 29_998 + b"\r\n")
        assert is_well(port, to)
        more = lines.enter_context(Line(port))
        more.begin(to)
        with suppress(OSError):
            more.send(b"x" * 39_998 + b"\r\n")
        assert more.reply()[:3] in ("452", "")
        assert is_well(port, to)
    assert {bytes(one.raw_bytes) for one in InboundEmail.objects.all()} == {ORDERS}


@pytest.mark.long
def test_one_address_does_not_take_the_room_of_the_others(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who holds most of it is hung up on, not who comes when it is full: a small mail, nor a large one."""
    monkeypatch.setattr(smtp_server, "HELD", 1_000_000)
    monkeypatch.setattr(smtp_server, "SMALL", 20_000)
    places = iter(["203.0.113.7"] * 12)
    monkeypatch.setattr(smtp_server, "_place", lambda _peer: next(places, "198.51.100.1"))
    with listening() as port, ExitStack() as lines:
        theirs = [lines.enter_context(Line(port)) for _ in range(12)]
        for line in theirs:
            line.begin(to)
            line.send(b"x" * 79_998 + b"\r\n")
        assert is_well(port, to)
        large = lines.enter_context(Line(port))
        large.begin(to)
        large.send((b"x" * 998 + b"\r\n") * 400 + b".\r\n")
        assert large.reply()[:3] == "250"
        for line in theirs:
            line.socket.settimeout(0.3)
        ended = [line for line in theirs if _told(line) == "452"]
        assert 4 <= len(ended) < 12
        assert is_well(port, to)


def _told(line: Line) -> str:
    try:
        return line.reply()[:3]
    except OSError:
        return ""


def test_behind_one_server_the_largest_mail_gives_way(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of mail on this machine sends for everybody: each of its connections stands for itself."""
    monkeypatch.setattr(smtp_server, "HELD", 100_000)
    monkeypatch.setattr(smtp_server, "SMALL", 2_000)
    with listening() as port, Line(port) as large, Line(port) as small, Line(port) as last:
        for line, size in ((large, 60_000), (small, 30_000), (last, 30_000)):
            line.begin(to)
            line.send(b"x" * (size - 2) + b"\r\n")
        assert large.reply()[:3] == "452"
        for line in (small, last):
            line.send(b".\r\n")
            assert line.reply()[:3] == "250"


@pytest.mark.long
def test_who_is_hung_up_on_leaves_nothing_in_memory(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once: not when Python comes to look for what nobody needs."""
    monkeypatch.setattr(smtp_server, "HELD", 1_000_000)
    monkeypatch.setattr(smtp_server, "SMALL", 1_000)
    tracemalloc.start()
    gc.disable()
    try:
        with listening() as port, ExitStack() as lines:
            for _ in range(12):
                line = lines.enter_context(Line(port))
                line.begin(to)
                line.send((b"x" * 998 + b"\r\n") * 900)
            assert is_well(port, to)
            assert tracemalloc.get_traced_memory()[0] < 5_000_000
    finally:
        gc.enable()
        tracemalloc.stop()


def test_one_line_of_many_addresses_is_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has IPv6 has a network of addresses: he takes the places of one."""
    mine = {smtp_server._place((f"2001:db8:1:2::{number:x}", 4, 0, 0)) for number in range(1, 200)}
    assert len(mine) == 1
    assert smtp_server._place(("2001:db8:1:3::1", 4, 0, 0)) not in mine
    assert smtp_server._place(("::ffff:203.0.113.7", 4, 0, 0)) == smtp_server._place(("203.0.113.7", 4))
    assert smtp_server._place(("::ffff:127.0.0.1", 4, 0, 0)) == ""


def test_one_player_does_not_fill_the_disk(to: str, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by another address of his, and others are heard."""
    monkeypatch.setattr(inbound_storage, "ROOM", 5_000)
    game = Game.objects.get()
    other = mailboxes.mailbox_address(box(game, "ITALY", "Irène"))
    second = mailboxes.mailbox_address(box(game, "FRANCE", "Flora", MailboxPurpose.DESK))
    with Line(port) as line:
        line.begin(to)
        line.send(b"x" * 6000 + b"\r\n.\r\n")
        assert line.reply().startswith("250")
        for address, code in ((to, "452"), (second, "452"), (other, "250")):
            line.say("MAIL FROM:<a@b.fr>")
            assert line.say(f"RCPT TO:<{address}>")[:3] == code
            line.say("RSET")
    monkeypatch.setattr(inbound_storage, "FILLED", inbound_storage.FILLED * 0)  # a day later
    assert is_well(port, to)
