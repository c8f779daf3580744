"""Lines that send or read drip by drip, and those who open too many: each ends, and nobody else notices."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pytest
import uvicorn
from django.conf import settings
from django.test import override_settings

from talleyrand.web.common import network
from talleyrand.web.limits import body_limits, connection_limits
from tests.each import each
from tests.waiting import PATIENCE, wait_until

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
CROWD = 210


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Says how long a body was; `/flood` writes more than any line holds."""
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(1000 if scope["path"] == "/flood" else 0):
        await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
    await send({"type": "http.response.body", "body": str(size).encode()})


@contextmanager
def answering(**more: Any) -> Iterator[int]:
    """The server as the site has it, on a real line, in a thread of its own."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        application = body_limits.limit_body(echo)
        config = uvicorn.Config(
            application,
            http=connection_limits.TimedHttpProtocol,
            lifespan="off",
            log_config=None,
            **more,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
        thread.start()
        yield int(listening.getsockname()[1])
        server.should_exit = server.force_exit = True
        thread.join(PATIENCE)


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    for name, value in (("HEAD", 0.6), ("UNREAD", 0.6), ("STEP", 0.1)):
        monkeypatch.setattr(connection_limits, name, value)
    monkeypatch.setattr(body_limits, "PATIENCE", 0.6)
    with answering() as found:
        yield found


def line(port: int) -> closing[socket.socket]:
    opened = socket.create_connection(("127.0.0.1", port), PATIENCE)
    return closing(opened)


def dripped(port: int, begin: bytes, drip: bytes) -> bytes:
    """What is said to somebody who sends a little now and then, until he is hung up on."""
    with line(port) as one:
        one.sendall(begin)
        one.settimeout(0.05)
        heard, until = b"", time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(OSError):  # what was said before the end can still be read
                one.sendall(drip)
            try:
                part = one.recv(65_536)
            except TimeoutError:
                continue
            except OSError:
                return heard
            if not part:
                return heard
            heard += part
    raise AssertionError("nobody hung up")


@pytest.mark.long
def test_a_head_that_never_ends_is_hung_up_on(port: int) -> None:
    assert dripped(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-A: a\r\n") == b""


@pytest.mark.long
def test_silence_is_hung_up_on(port: int) -> None:
    with line(port) as one:
        assert one.recv(10) == b""


@pytest.mark.long
def test_the_second_head_counts_too(port: int) -> None:
    assert dripped(port, GET, b"G").startswith(b"HTTP/1.1 200")


@pytest.mark.long
def test_a_body_that_never_ends_is_broken_off(port: int) -> None:
    heard = dripped(port, HEAD, b"x")
    assert heard.startswith(b"HTTP/1.1 408")
    assert "trop lentement" in heard.decode()


@pytest.mark.long
def test_a_body_that_comes_steadily_is_taken(port: int) -> None:
    """It takes longer than a silent one is given."""
    with line(port) as one:
        one.sendall(HEAD)
        for _ in range(20):
            time.sleep(0.05)
            one.sendall(b"x" * 5000)
        assert one.recv(65_536).startswith(b"HTTP/1.1 200")


@pytest.mark.long
def test_an_answer_that_nobody_reads_is_dropped(port: int) -> None:
    with line(port) as one:
        one.sendall(GET.replace(b"/ ", b"/flood ", 1))
        wait_until(lambda: _is_dropped(one), "it was kept")


def _is_dropped(one: socket.socket) -> bool:
    """Without reading what fills the line."""
    try:
        one.send(b"\r\n")
    except OSError:
        return True
    return False


def test_meanwhile_everybody_else_is_answered(port: int) -> None:
    with ExitStack() as slow:
        for number in range(60):
            one = slow.enter_context(line(port))
            one.sendall(HEAD if number % 2 else HEAD[:30])
        with line(port) as one:
            one.sendall(GET)
            assert one.recv(65_536).startswith(b"HTTP/1.1 200")


# how many


def opened(port: int, count: int) -> list[bytes]:
    """The first word that each of so many lines hears, all open at once."""
    with ExitStack() as lines:
        found = [lines.enter_context(line(port)) for _ in range(count)]
        for one in found:
            one.sendall(GET)
        return [one.recv(20)[:12] for one in found]


@override_settings(CONNECTIONS=20)
def test_one_address_takes_no_more_than_its_places() -> None:
    with answering() as port:
        heard = opened(port, 30)
        assert heard.count(b"HTTP/1.1 200") == 20
        assert heard.count(b"HTTP/1.1 503") == 10
        wait_until(lambda: b"HTTP/1.1 503" not in opened(port, 20))
        assert opened(port, 15).count(b"HTTP/1.1 200") == 15  # given back


def test_the_machine_itself_has_as_many_as_it_wants() -> None:
    with answering() as port:
        assert opened(port, CROWD).count(b"HTTP/1.1 200") == CROWD


@each(
    ("address", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("", ""),
        ("192.0.2.7:80", ""),
        ("unknown", ""),
    ],
)
def test_how_addresses_are_counted(address: str, name: str) -> None:
    assert network.client_network(address) == name


def test_a_club_behind_one_address_has_room() -> None:
    """Six connections of each phone at the worst, and a stream."""
    assert connection_limits.MOST_FROM_ONE_ADDRESS >= CROWD * 7
    assert settings.CONNECTIONS == 0
    places = connection_limits.ConnectionCounter()
    assert all(places.acquire("192.0.2.7") for _ in range(CROWD * 7))
    assert all(places.acquire("127.0.0.1") for _ in range(connection_limits.MOST_FROM_ONE_ADDRESS * 2))
    taken: Callable[[], bool] = lambda: places.acquire("192.0.2.7")  # noqa: E731
    assert not all(taken() for _ in range(connection_limits.MOST_FROM_ONE_ADDRESS))
