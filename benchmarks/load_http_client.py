"""A browser in so far as a server notices it: cookies, forms, a connection that is kept, a stream."""

from __future__ import annotations

import asyncio
import json
import re
import resource
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

Place = tuple[str, int]
FORM = "application/x-www-form-urlencoded"
TOPICS = re.compile(r'data-topics="([^"]+)"')
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
SPARE_FILES = 200


class TooFewFiles(Exception):
    """This machine lets a process open fewer files than the storm needs."""


def make_room(streams: int) -> None:
    """Have this process, and what it starts, open as many files as the streams need. Raises TooFewFiles."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = streams + SPARE_FILES
    if hard not in (resource.RLIM_INFINITY,) and hard < wanted:
        raise TooFewFiles(
            f"{streams} listeners need {wanted} open files, and ulimit -Hn says {hard}: "
            f"raise it (as root: ulimit -n {wanted}), or ask for fewer with --listeners"
        )
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@dataclass(frozen=True)
class Answer:
    status: int
    fields: Mapping[str, str]
    body: bytes
    seconds: float

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def words(self) -> list[str]:
        """What the page hears news by."""
        return TOPICS.findall(self.text)


@dataclass
class Browser:
    """One person’s, at `place`, which sees it come from `address`."""

    place: Place
    address: str = "127.0.0.1"
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""  # of a program
    _open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> Answer:
        return await self.ask("GET", path)

    async def post(self, path: str, form: Mapping[str, str]) -> Answer:
        return await self.ask("POST", path, urlencode(form).encode(), FORM)

    async def send(self, path: str, sent: Any, more: Mapping[str, str] | None = None) -> Answer:
        """As the scripts of a page do, with `more` fields in the head."""
        return await self.ask("POST", path, json.dumps(sent).encode(), "application/json", more)

    async def ask(
        self, method: str, path: str, body: bytes = b"", kind: str = "", more: Mapping[str, str] | None = None
    ) -> Answer:
        """An answer once it is there entirely; a connection that was closed meanwhile is opened anew."""
        begun, head = perf_counter(), self._head(method, path, body, kind, more or {})
        for fresh in (False, True):
            reader, writer = await self._connection(fresh=fresh)
            try:
                writer.write(head + body)
                status, fields, found = await _read(reader, self.cookies)
                break
            except (asyncio.IncompleteReadError, ConnectionError) as problem:
                if fresh or (isinstance(problem, asyncio.IncompleteReadError) and problem.partial):
                    raise
        if fields.get("connection") == "close":
            self.close()
        return Answer(status, fields, found, perf_counter() - begun)

    def _head(self, method: str, path: str, body: bytes, kind: str, more: Mapping[str, str]) -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        token = self.cookies.get("csrftoken", "")
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self.place[0]}:{self.place[1]}",
            "Accept-Encoding: gzip",
            *([f"Cookie: {cookies}"] if cookies else []),
            *([f"X-CSRFToken: {token}"] if token else []),
            *([f"Authorization: Bearer {self.token}"] if self.token else []),
            *([f"Content-Type: {kind}"] if kind else []),
            *(f"{name}: {value}" for name, value in more.items()),
            f"Content-Length: {len(body)}",
        ]
        return "\r\n".join([*lines, "", ""]).encode()

    async def _connection(self, *, fresh: bool) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if fresh or self._open is None or self._open[1].is_closing() or self._open[0].at_eof():
            self.close()
            self._open = await asyncio.open_connection(*self.place, local_addr=(self.address, 0))
        return self._open

    def close(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None


async def _read(reader: asyncio.StreamReader, cookies: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields: dict[str, str] = {}
    for line in filter(None, lines[1:]):
        name, _, value = line.partition(":")
        fields[name.lower()] = value.strip()
        if name.lower() == "set-cookie":
            key, _, kept = value.strip().partition(";")[0].partition("=")
            cookies[key] = kept
    if "content-length" in fields:
        body = await reader.readexactly(int(fields["content-length"]))
    elif fields.get("transfer-encoding") == "chunked":
        body = await _chunks(reader)
    else:
        body = b""
    zipped = fields.get("content-encoding") == "gzip"
    return int(lines[0].split()[1]), fields, zlib.decompress(body, wbits=31) if zipped else body


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    found = []
    while length := int(await reader.readline(), 16):
        found.append((await reader.readexactly(length + 2))[:-2])
    await reader.readline()
    return b"".join(found)


# what lasts


@dataclass
class Listener:
    """A stream of events: when each was heard, by its place in the order of their arrival. `news` is set by
    each, and when it `is_over`.
    """

    status: int = 0
    heard: list[tuple[float, dict[str, int]]] = field(default_factory=list)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: bool = False
    _writer: asyncio.StreamWriter | None = None
    _reading: asyncio.Task[None] | None = None

    async def open(self, place: Place, address: str, words: str, session: str = "") -> int:
        """Listen from now on; the status of the answer. Words of a page need the session it was made in."""
        reader, self._writer = await asyncio.open_connection(*place, local_addr=(address, 0))
        asked = urlencode({"topics": words})
        cookie = f"Cookie: sessionid={session}\r\n" if session else ""
        head = f"GET /events/?{asked} HTTP/1.1\r\nHost: {place[0]}:{place[1]}\r\n{cookie}\r\n"
        self._writer.write(head.encode())
        answered = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.status = int(answered.split()[1])
        if self.status == 200:
            self._reading = asyncio.create_task(self._read(reader))
            await self.ready.wait()
        return self.status

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            await self._hear(reader)
        self.end()

    def end(self) -> None:
        """Nothing more is heard."""
        self.is_over = True
        for one in (self.ready, self.news):
            one.set()

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        name = ""
        while line := await reader.readline():
            word, _, value = line.decode().strip().partition(": ")
            if word == "event":
                name = value
            elif word == "data" and name == "changed":
                self.heard.append((perf_counter(), json.loads(value)))
                self.news.set()
            elif word == "data" and name == "ready":
                self.ready.set()

    def close(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
        if self._writer is not None:
            self._writer.close()


def address(number: int) -> str:
    """One of the many addresses of the machine itself: fifty listeners behind each."""
    return f"127.1.{number // 50 // 200}.{1 + number // 50 % 200}"
