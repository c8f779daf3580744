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

from . import outbound_urls
from .outbound_urls import HostNotAllowed, OutboundUrl

ONE_STEP = 5.0  # seconds: to connect, to hear the next byte
WHOLE = 10.0  # seconds
READ = 800  # bytes of an answer that are looked at
KEPT = 200  # characters of them
ADDRESSES = 3  # of one name that are tried

UNKNOWN_HOST, REFUSED, TIMED_OUT, INSECURE, BROKEN = "nowhere", "refused", "late", "insecure", "broken"


@dataclass(frozen=True)
class HttpResult:
    """What became of a call: the status and the beginning of what was said, or a problem."""

    status: int | None = None
    text: str = ""
    error: str = ""

    @property
    def is_well(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def post_once(to: OutboundUrl, headers: Mapping[str, str], body: bytes) -> HttpResult:
    """Call once; whatever happens is an answer, nothing is raised."""
    watch = _Watch()
    try:
        answer = _post(to, headers, body, watch)
    except HostNotAllowed:
        return HttpResult(error=UNKNOWN_HOST)
    except ssl.SSLError:
        return HttpResult(error=TIMED_OUT if watch.rang else INSECURE)
    except TimeoutError:
        return HttpResult(error=TIMED_OUT)
    except ConnectionRefusedError:
        return HttpResult(error=REFUSED)
    except (OSError, HTTPException, ValueError):
        return HttpResult(error=TIMED_OUT if watch.rang else BROKEN)
    return HttpResult(error=TIMED_OUT) if watch.rang else answer  # cut off, a head looks whole


def _post(to: OutboundUrl, headers: Mapping[str, str], body: bytes, watch: _Watch) -> HttpResult:
    line = _connect(to)
    with line, watch.over(line):
        connection = HTTPConnection(to.host, to.port, timeout=ONE_STEP)
        connection.sock = _trusted().wrap_socket(line, server_hostname=to.host) if to.is_https else line
        with connection.sock:
            connection.request("POST", to.target, body, {**_common(to), **headers})
            with connection.getresponse() as answer:
                return HttpResult(answer.status, _storable_text(answer.read(READ)))


def _common(to: OutboundUrl) -> dict[str, str]:
    return {
        "Host": to.host_header,
        "User-Agent": f"Talleyrand/{__version__}",
        "Content-Type": "application/json",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }


def _storable_text(data: bytes) -> str:
    """Without what a database cannot keep or a page cannot show."""
    text = data.decode("utf-8", "replace")
    return "".join(sign if sign.isprintable() else " " for sign in text).strip()[:KEPT]


def _connect(to: OutboundUrl) -> socket.socket:
    """A connection to one of the addresses that were checked. Raises HostNotAllowed, OSError."""
    problem: OSError = ConnectionRefusedError()
    for address in outbound_urls.resolve_checked(to)[:ADDRESSES]:
        try:
            return _connected(address, to)
        except OSError as refused:
            problem = refused
    raise problem


def _connected(address: str, to: OutboundUrl) -> socket.socket:
    line = socket.create_connection((address, to.port), timeout=ONE_STEP)
    # by whatever name: this machine
    if line.getpeername()[0] == line.getsockname()[0] and not to.is_this_machine:
        line.close()
        raise HostNotAllowed
    return line


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
