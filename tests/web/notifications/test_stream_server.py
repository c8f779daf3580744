"""Streams of a real server: what changes in the database arrives, and nothing lingers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.core.signing import TimestampSigner

from talleyrand.web.notifications import signed_topics, stream_hub
from tests.waiting import PATIENCE, reached

pytestmark = pytest.mark.long

RUN = (
    "import sys; from talleyrand.web.server.site_server import serve_site; "
    "sys.exit(serve_site('127.0.0.1', 0, sys.argv[1]))"
)


@dataclass
class Site:
    """A server with its data folder."""

    process: subprocess.Popen[str]
    folder: Path
    port: int

    def words(self, *topics: str) -> str:
        key = (self.folder / "secret_key").read_text("ascii").strip()
        numbers = {topic: self.number(topic) for topic in topics}
        return TimestampSigner(key=key, salt=signed_topics.SALT).sign_object(numbers)

    def number(self, topic: str) -> int:
        with closing(self.database()) as database:
            found = database.execute("SELECT version FROM notices_topicversion WHERE topic = ?", [topic])
            return int((found.fetchone() or [0])[0])

    def bump(self, topic: str) -> None:
        raised = (
            "INSERT INTO notices_topicversion VALUES (?, 1) ON CONFLICT DO UPDATE SET version = version + 1"
        )
        with closing(self.database()) as database, database:
            database.execute(raised, [topic])

    def database(self) -> sqlite3.Connection:
        return sqlite3.connect(self.folder / "talleyrand.sqlite3", timeout=20)

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/task"))  # noqa: PTH208

    def open_databases(self) -> int:
        files = Path(f"/proc/{self.process.pid}/fd").iterdir()
        return sum(_opened(one).endswith("talleyrand.sqlite3") for one in files)


def _opened(number: Path) -> str:
    """The file behind a number of an open one; "" for one that has been closed since it was listed."""
    try:
        return str(number.readlink())
    except OSError:
        return ""


@pytest.fixture
def site(new_site: Path) -> Iterator[Site]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    command = [sys.executable, "-c", RUN, str(new_site)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield Site(process, new_site, int(line.strip().rstrip("/").rpartition(":")[2]))
        finally:
            process.kill()


OPEN: list[asyncio.StreamWriter] = []


def run(listening: Coroutine[None, None, None]) -> None:
    """In a loop of its own; every stream is hung up at the end."""

    async def through() -> None:
        try:
            await listening
        finally:
            for writer in OPEN:
                writer.close()
            OPEN.clear()

    asyncio.run(through())


@dataclass
class Event:
    name: str
    id: str
    data: dict[str, int]


class Listener:
    """One stream, read line by line."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def status(self) -> int:
        """The status of the answer; its head is read."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        self.head = head.decode().lower()
        return int(head.split(b" ")[1])

    async def event(self) -> Event:
        """The next event that is no sign of life."""
        async with asyncio.timeout(PATIENCE):
            facts: dict[str, str] = {}
            while True:
                line = (await self.reader.readuntil(b"\n")).decode().strip()
                name, found, value = line.partition(": ")
                if found:
                    facts[name] = value
                elif not line and facts.get("event", "beat") != "beat":
                    return Event(facts["event"], facts["id"], json.loads(facts["data"]))

    async def ended(self) -> None:
        """Reads until the server has said all."""
        async with asyncio.timeout(PATIENCE):
            while await self.reader.read(4096):
                pass

    def hang_up(self) -> None:
        self.writer.close()


async def open_stream(site: Site, *words: str, since: str = "", last: str = "") -> Listener:
    asked = urlencode([*(("topics", one) for one in words), *([("since", since)] if since else [])])
    more = f"Last-Event-ID: {last}\r\n" if last else ""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = f"GET /events/?{asked} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\n{more}"
    writer.write(f"{head}\r\n".encode())
    OPEN.append(writer)
    return Listener(reader, writer)


def test_a_change_arrives(site: Site) -> None:
    async def listen() -> None:
        stream = await open_stream(site, site.words("game:a", "person:1"))
        assert await stream.status() == 200
        assert "text/event-stream" in stream.head
        assert "content-encoding" not in stream.head
        assert "no-store" in stream.head
        assert (await stream.event()).name == "ready"
        site.bump("game:other")
        site.bump("game:a")
        found = await stream.event()
        assert (found.name, found.data) == ("changed", {"game:a": 1})
        stream.hang_up()

    run(listen())


def test_what_changed_meanwhile_is_told_on_return(site: Site) -> None:
    async def listen() -> None:
        words = site.words("game:a", "game:b")
        stream = await open_stream(site, words)
        await stream.status()
        await stream.event()
        site.bump("game:a")
        seen = (await stream.event()).id
        stream.hang_up()
        site.bump("game:b")
        for again in (
            await open_stream(site, words, last=seen),
            await open_stream(site, words, since=seen),
        ):
            assert await again.status() == 200
            await again.event()
            assert (await again.event()).data == {"game:b": 1}
            again.hang_up()
        page = await open_stream(site, words)  # one that was made before either change
        await page.status()
        await page.event()
        assert (await page.event()).data == {"game:a": 1, "game:b": 1}
        page.hang_up()

    run(listen())


def test_two_hundred_streams_have_one_look_and_no_thread_each(site: Site) -> None:
    async def listen() -> None:
        first = await open_stream(site, site.words("game:a"))
        assert await first.status() == 200
        before = site.threads()
        first.hang_up()
        words = [site.words("game:a", f"person:{one}") for one in range(200)]
        found = [await open_stream(site, one) for one in words]
        assert [await one.status() for one in found] == [200] * 200
        for one in found:
            await one.event()
        site.bump("game:a")
        heard = await asyncio.gather(*(one.event() for one in found))
        assert [one.data for one in heard] == [{"game:a": 1}] * 200
        # Some come and go with the site's own duties; one for each listener would be two hundred.
        assert site.threads() - before <= 100
        await reached(lambda: site.open_databases() <= 20)
        for one in found:
            one.hang_up()
        site.bump("game:a")
        fresh = await open_stream(site, site.words("game:a", "person:7"))
        assert await fresh.status() == 200
        fresh.hang_up()

    run(listen())


def test_forged_words_old_methods_and_too_many(site: Site) -> None:
    async def listen() -> None:
        for words in ((), ("",), ("forged",), ("x" * 20_000,), (site.words("game:a") + "x",)):
            stream = await open_stream(site, *words)
            assert await stream.status() == 404, words
        mine = [await open_stream(site, site.words("person:1")) for _ in range(stream_hub.MOST_FOR_ONE)]
        assert [await one.status() for one in mine] == [200] * stream_hub.MOST_FOR_ONE
        refused = await open_stream(site, site.words("person:1"))
        assert await refused.status() == 503
        mine[0].hang_up()

        async def admitted() -> bool:
            return await (await open_stream(site, site.words("person:1"))).status() == 200

        await reached(admitted)  # once the site has noticed that the first has gone

    run(listen())


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_stopping_the_site_ends_its_streams_at_once(site: Site, stop: signal.Signals) -> None:
    async def listen() -> None:
        found = [await open_stream(site, site.words("game:a", f"person:{one}")) for one in range(20)]
        for one in found:
            assert await one.status() == 200
        _reader, silent = await asyncio.open_connection("127.0.0.1", site.port)  # as browsers do beforehand
        OPEN.append(silent)
        site.process.send_signal(stop)
        await asyncio.gather(*(one.ended() for one in found))
        site.process.wait(PATIENCE)

    run(listen())
