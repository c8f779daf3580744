"""The large setting for real: pages, events, clocks and a worker beside PostgreSQL, and a phase is played."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest

from tests import postgresql
from tests.waiting import PATIENCE, wait_until
from tests.web.cast import PLAYERS
from tests.web.games.acting import OPENINGS
from tests.web.server import large
from tests.web.server.large import Browser, Site

pytestmark = pytest.mark.long

TOKEN = "un jeton pour lire les figures".replace(" ", "-")
COUNT = (
    "import django; django.setup(); from talleyrand.web.background.models import GeneratedDocument; "
    "print(GeneratedDocument.objects.count())"
)
HOLD = """
import sys, django; django.setup()
from django.db import connection, transaction
from talleyrand.web.games.models import Game
with transaction.atomic(), connection.cursor() as cursor:
    cursor.execute(f"LOCK TABLE {Game._meta.db_table} IN ACCESS EXCLUSIVE MODE")
    print("held", flush=True)
    sys.stdin.read()
"""
THREADS = 4  # of a process of pages
TOPICS = re.compile(r'data-topics="([^"]+)"')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, full: bool) -> Iterator[Site]:
    folder, many = tmp_path_factory.mktemp("large"), 2 if full else 1
    with (
        postgresql.cluster() as database,
        large.begun(
            database, folder, pages=many, clocks=many, workers=many, TALLEYRAND_METRICS=TOKEN
        ) as found,
    ):
        yield found


@contextmanager
def stream(port: int, browser: Browser, topics: list[str]) -> Iterator[Iterator[str]]:
    """The lines of what somebody is told live."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        path = f"/events/?{urlencode({'topics': topics}, doseq=True)}"
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {browser.kept()}\r\n\r\n"
        line.sendall(head.encode())
        with line.makefile("r", encoding="utf-8") as lines:
            yield iter(lines.readline, "")


def test_a_phase_is_played(site: Site) -> None:
    """France signs in, opens the game, hands in the last sheet, hears of it, and sees what came of it."""
    key = site.run("-m", "tests.web.server.large_table").strip()
    flora = Browser(site["pages-1"].port)
    flora.sign_in(PLAYERS["FRANCE"])
    page = flora.ask("GET", f"/en/games/{key}/")
    assert page.status == 200, page.text
    words = [html.unescape(one) for one in TOPICS.findall(page.text)]
    with stream(site["events"].port, flora, words) as lines:
        assert "200" in next(lines)
        wait_until(lambda: next(lines).startswith("event: ready"))
        sheet = {"FRANCE": OPENINGS["FRANCE"]}
        sent = {"action": "final", "lines": sheet, "submission": "the sheet of France"}
        answer = flora.send(f"/en/games/{key}/1/orders/FRANCE/", sent, large.token(page))
        assert answer.status == 200, answer.text
        wait_until(lambda: f"game:{key}" in next(lines), site.told())
    wait_until(lambda: stands(flora, key) == 2, site.told())
    assert "Burgundy" in flora.ask("GET", f"/en/games/{key}/1/").text


def stands(browser: Browser, key: str) -> int:
    """The number of the phase that is open."""
    return int(json.loads(browser.ask("GET", f"/en/games/{key}/now.json").body)["number"])


def test_every_process_is_well(site: Site) -> None:
    for name in ("pages-1", "events"):
        health = json.loads(Browser(site[name].port).ask("GET", "/health/").body)
        assert health["status"] == "ok", health
        assert health["checks"]["workers"] == "ok"


def test_figures_count_workers(site: Site) -> None:
    figures = Browser(site["pages-1"].port).ask("GET", "/metrics/", Authorization=f"Bearer {TOKEN}").text
    assert "\ntalleyrand_workers 1\n" in figures or "\ntalleyrand_workers 2\n" in figures
    assert "\ntalleyrand_jobs_waiting " in figures


def test_a_worker_makes_what_a_page_asks_for(site: Site) -> None:
    """The picture of a board: at once, or while the page says that it is being prepared."""
    reader = Browser(site["pages-1"].port)
    begun = reader.ask("GET", "/")
    made = reader.post("/p/new/", {"csrfmiddlewaretoken": large.token(begun), "variant": "classic"})
    assert made.status == 302, made.text
    path = f"{made.headers['Location']}1/map.png"
    wait_until(lambda: reader.ask("GET", path).status == 200, site.told())
    assert reader.ask("GET", path).body.startswith(b"\x89PNG")
    assert site.run("-c", COUNT).strip() == "1"


def test_a_worker_lets_pages_go_first(site: Site) -> None:
    pages, worker = site["pages-1"].running, site["worker-1"].running
    assert pages is not None
    assert worker is not None
    first, then = (os.getpriority(os.PRIO_PROCESS, one.pid) for one in (pages, worker))
    assert then >= min(19, first + 5)


@contextmanager
def held_games(site: Site) -> Iterator[None]:
    """Meanwhile whoever asks for a game waits for it."""
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(
        command, env=dict(site.environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holding:
        assert holding.stdout is not None
        assert holding.stdout.readline() == "held\n"
        try:
            yield
        finally:
            holding.terminate()


def test_orders_are_told_to_come_back_while_all_threads_wait(site: Site) -> None:
    port, place = site["pages-1"].port, "/parties/abcdefghijkl/"
    player = Browser(port)
    player.sign_in(PLAYERS["FRANCE"])
    csrf = large.token(player.ask("GET", "/en/games/new/"))
    with ThreadPoolExecutor(THREADS + 1) as readers, held_games(site):
        asked = [readers.submit(Browser(port).ask, "GET", place) for _ in range(THREADS)]
        first = readers.submit(player.send, f"{place}1/orders/FRANCE/", {}, csrf)  # has the thread of orders
        wait_until(lambda: Browser(port).send(f"{place}1/orders/FRANCE/", {}, "").status == 503)
        told = Browser(port).send(f"{place}1/orders/FRANCE/", {}, "")
        assert told.status == 503
        assert int(told.headers["Retry-After"]) > 0
        assert told.headers["X-First-Try"]
        assert not any(one.done() for one in (*asked, first))
    assert first.result().status < 500
    assert {one.result().status for one in asked} == {404}


def test_a_page_tells_browsers_not_to_listen_there(site: Site) -> None:
    assert Browser(site["pages-1"].port).ask("GET", "/events/").status == 204
    assert Browser(site["events"].port).ask("GET", "/").status == 404


def test_the_processes_of_one_that_is_killed_end_too(site: Site) -> None:
    pages = site["pages-1"]
    assert pages.running is not None
    pages.running.kill()
    pages.running.wait()
    wait_until(lambda: _refuses(pages.port))
    pages.begin()
    pages.wait()


def _refuses(port: int) -> bool:
    try:
        Browser(port).ask("GET", "/health.txt")
    except OSError:
        return True
    return False


def test_all_stop_when_told_to(site: Site) -> None:
    ended = {name: one.stop() for name, one in site.processes.items()}
    assert set(ended.values()) <= {0, -signal.SIGTERM}, ended  # uvicorn passes on what it was told
    assert "Traceback" not in site.told()
