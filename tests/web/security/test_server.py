"""The server itself, on a line: heads without end, bodies that never come, lines that are no requests."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from tests.waiting import PATIENCE
from tests.web.server.test_serve import ask, serving

pytestmark = pytest.mark.long

SLOW = 60
START = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
# As it was meant, refused, or hung up on.
UNDERSTOOD = {"200", "302", "400", "403", "404", "405", "413", "414", "431", ""}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with serving(tmp_path_factory.mktemp("data")) as found:
        yield found


def said(port: int, sent: bytes) -> bytes:
    """What comes back until the line is closed."""
    with closing(socket.create_connection(("127.0.0.1", port), PATIENCE)) as line:
        heard = b""
        try:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            while part := line.recv(65_536):
                heard += part
        except OSError:  # it hung up on us
            pass
        return heard


LINES = {
    "no request": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a head without end": START + b"X-A: " + b"a" * 1_000_000 + b"\r\n\r\n",
    "heads without end": START + b"X-A: a\r\n" * 100_000 + b"\r\n",
    "a path without end": b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "two lengths": b"POST /p/new/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
    b"Content-Length: 50\r\n\r\nabcde",
    "a length and pieces": b"POST /p/new/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /nothing/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a negative length": b"POST /p/new/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": START + b"Host: ailleurs.example\r\n\r\n",
    "an unknown method": b"\xff\xfe / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "bytes in a path": b"GET /\xff\xfe\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "half a sign in a path": b"GET /%ED%A0%80/%FF/%C3 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a cookie without end": START + b"Cookie: " + b"a=b; " * 10_000 + b"\r\n\r\n",
    "bytes in a cookie": START + b"Cookie: sessionid=\xff\xfe\xed\xa0\x80\r\n\r\n",
    "a language of nowhere": START + b"Accept-Language: \xff," + b"xx-yy;q=9," * 1000 + b"\r\n\r\n",
    "a line from elsewhere": START + b"X-Forwarded-For: \xff, a b, 9.9.9\r\n\r\n",
}


@pytest.mark.parametrize("kind", LINES)
def test_what_is_no_request_of_a_browser(port: int, kind: str) -> None:
    heard = said(port, LINES[kind])
    status = b"".join(heard.split(b" ", 2)[1:2]).decode()
    assert status in UNDERSTOOD
    assert b"Traceback" not in heard
    assert ask(port, "GET", "/static/icon.svg")[0] == 200


def test_bodies_that_never_come_keep_nobody_waiting(port: int) -> None:
    head = b"POST /p/import/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\ntext="
    with ExitStack() as lines:
        for number in range(SLOW):
            line = lines.enter_context(closing(socket.create_connection(("127.0.0.1", port), PATIENCE)))
            line.sendall(head if number % 2 else head[:40])
        assert ask(port, "GET", "/")[0] == 200
        assert ask(port, "POST", "/p/new/", b"variant=classic")[0] == 403


def test_the_server_does_not_name_itself(port: int) -> None:
    heard = said(port, START + b"Connection: close\r\n\r\n").split(b"\r\n\r\n")[0].lower()
    assert b"uvicorn" not in heard
    assert b"server:" not in heard
    assert b"x-powered-by" not in heard
