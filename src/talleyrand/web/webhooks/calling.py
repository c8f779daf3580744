"""One call: a connection to a checked address, one POST, and what little of the answer is kept.

No redirect is followed and no proxy asked. However slowly the other side writes, it is over in time.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException

from talleyrand import __version__

from . import destinations
from .destinations import Destination, Nowhere

ONE_STEP = 5.0  # seconds: to connect, to hear the next byte
WHOLE = 10.0  # seconds
LONGEST_BODY = 16_000  # bytes that leave
READ = 800  # bytes of an answer that are looked at
KEPT = 200  # characters of them
ADDRESSES = 3  # of one name that are tried

NOWHERE, REFUSED, LATE, INSECURE, BROKEN = "nowhere", "refused", "late", "insecure", "broken"


@dataclass(frozen=True)
class Answer:
    """What became of a call: the status and the beginning of what was said, or a problem."""

    status: int | None = None
    text: str = ""
    problem: str = ""

    @property
    def is_well(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def post(to: Destination, headers: Mapping[str, str], body: bytes) -> Answer:
    """Call once; whatever happens is an answer, nothing is raised."""
    watch = _Watch()
    try:
        answer = _post(to, headers, body, watch)
    except Nowhere:
        return Answer(problem=NOWHERE)
    except ssl.SSLError:
        return Answer(problem=LATE if watch.rang else INSECURE)
    except TimeoutError:
        return Answer(problem=LATE)
    except ConnectionRefusedError:
        return Answer(problem=REFUSED)
    except (OSError, HTTPException, ValueError):
        return Answer(problem=LATE if watch.rang else BROKEN)
    return Answer(problem=LATE) if watch.rang else answer  # cut off, a head looks whole


def _post(to: Destination, headers: Mapping[str, str], body: bytes, watch: _Watch) -> Answer:
    line = _connect(to)
    with line, watch.over(line):
        connection = HTTPConnection(to.host, to.port, timeout=ONE_STEP)
        connection.sock = _secured(line, to) if to.secure else line
        with connection.sock:
            connection.request("POST", to.target, body, {**_common(to), **headers})
            with connection.getresponse() as answer:
                return Answer(answer.status, _kept(answer.read(READ)))


def _common(to: Destination) -> dict[str, str]:
    return {
        "Host": to.named,
        "User-Agent": f"Talleyrand/{__version__}",
        "Content-Type": "application/json",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }


def _kept(data: bytes) -> str:
    """Without what a database cannot keep or a page cannot show."""
    text = data.decode("utf-8", "replace")
    return "".join(sign if sign.isprintable() else " " for sign in text).strip()[:KEPT]


def _connect(to: Destination) -> socket.socket:
    """A connection to one of the addresses that were checked. Raises Nowhere, OSError."""
    problem: OSError = ConnectionRefusedError()
    for address in destinations.resolve(to)[:ADDRESSES]:
        try:
            return _connected(address, to)
        except OSError as refused:
            problem = refused
    raise problem


def _connected(address: str, to: Destination) -> socket.socket:
    line = socket.create_connection((address, to.port), timeout=ONE_STEP)
    # by whatever name: this machine
    if line.getpeername()[0] == line.getsockname()[0] and not to.here:
        line.close()
        raise Nowhere
    return line


def _secured(line: socket.socket, to: Destination) -> socket.socket:
    return _trusted().wrap_socket(line, server_hostname=to.host)


@cache
def _trusted() -> ssl.SSLContext:
    """Whom this machine trusts; read once, which takes a while."""
    return ssl.create_default_context()


class _Watch:
    """Hangs up when a call has lasted too long."""

    def __init__(self) -> None:
        self.rang = False

    @contextmanager
    def over(self, line: socket.socket) -> Iterator[None]:
        with line.dup() as same:
            timer = threading.Timer(WHOLE, self._ring, (same,))
            timer.daemon = True
            timer.start()
            try:
                yield
            finally:
                timer.cancel()
                timer.join()

    def _ring(self, line: socket.socket) -> None:
        self.rang = True
        try:
            line.shutdown(socket.SHUT_RDWR)
        except OSError:
            return
