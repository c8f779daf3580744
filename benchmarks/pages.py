"""What the server does for a page: python -m benchmarks.pages [--rounds 5] [--games 200] [--write].

A data folder of its own with many games in SQLite; requests go through all of the site but the sockets, one
at a time, in rounds that take each page in turn. Processor milliseconds, questions to the database and bytes,
beside a floor measured in the same rounds: a bare view behind the same middleware that reads the session.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from .load_community import histories, long_history

RESULT = Path(__file__).parent / "results" / "pages_server.txt"
FLOOR, UNCHANGED = "floor", "the same, not changed (304)"
LAST_YEAR, LONG = 1906, 20  # of the long game; the phase that is open in it
ONCE_A_ROUND = 4  # requests of each page
BROWSER = {"accept-encoding": "gzip, deflate, br, zstd", "sec-fetch-mode": "navigate"}


@dataclass
class Figures:
    """What one page cost in each round."""

    questions: int = 0
    bytes: int = 0
    sent: int = 0
    rounds: list[float] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--write", action="store_true", help="keep what was found in benchmarks/results")
    wanted = parser.parse_args()
    played, long = histories(10, 1901), long_history(1901, LAST_YEAR)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            TALLEYRAND_DATA=folder,
            TALLEYRAND_HOSTS="testserver",
            DJANGO_SETTINGS_MODULE="talleyrand.web.settings",
        )
        found = measured(played, long, wanted.games, wanted.rounds)
    told = report(found, wanted.games)
    print(told)
    if wanted.write:
        RESULT.write_text(told + "\n", "utf-8")
    return 0


def measured(played: Any, long: Any, games: int, rounds: int) -> dict[str, Figures]:
    """By the name of a page; the first request of each warms it and is not counted."""
    from . import load_growth, load_processes

    load_processes.prepare()
    add_floor()
    site = load_growth.Growing(load_growth.Plan(played, long, 1901, games=(games,), phases=(), own=()))
    acts = pages(site, games)
    return timed(acts, rounds)


def timed(acts: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, Figures]:
    """What each act takes, by its name; the first time warms it and is not counted."""
    found = {name: Figures() for name in acts}
    for name, act in acts.items():
        look_at(act, found[name])
    for _ in range(rounds):
        for name, act in acts.items():
            begun = process_time()
            for _ in range(ONCE_A_ROUND):
                act()
            found[name].rounds.append(1000 * (process_time() - begun) / ONCE_A_ROUND)
    return found


def look_at(act: Callable[[], Any], figures: Figures) -> None:
    """The second request: its questions, how much was written, how much was sent."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    act()
    with CaptureQueriesContext(connection) as asked:
        answer = act()
    figures.questions, figures.sent = len(asked), len(answer.content)
    figures.bytes = len(plain(answer))


def plain(answer: Any) -> bytes:
    import brotli

    sent: bytes = answer.content
    return bytes(brotli.decompress(sent)) if answer.get("Content-Encoding") == "br" else sent


def add_floor() -> None:
    """A bare view behind the middleware of the site."""
    from django.http import HttpRequest, HttpResponse
    from django.urls import path

    from talleyrand.web import urls

    def bare(request: HttpRequest) -> HttpResponse:
        return HttpResponse(f"{request.session.session_key} {request.user.pk}")

    urls.urlpatterns.insert(0, path("floor/", bare))


def pages(site: Any, games: int) -> dict[str, Callable[[], Any]]:
    """The pages, each asked for by somebody who plays, or by a visitor."""
    from django.test import Client

    from . import load_growth

    site._fill(games)
    long = site._long(LONG, 1)[0]
    own = site._with_reader(load_growth.SEATED)
    player, visitor = load_growth.client_of(site.reader), Client()
    practice = begun_practice(visitor)
    ways = {
        FLOOR: (player, "/floor/"),
        "list of games": (player, "/parties/"),
        "list of games, in progress": (player, "/parties/?show=watch"),
        "list of games, a visitor": (visitor, "/parties/"),
        "practice board": (visitor, practice),
        "game, its open phase": (player, f"/parties/{long.key}/"),
        "game, a published phase": (player, f"/parties/{long.key}/5/"),
        UNCHANGED: (player, f"/parties/{long.key}/5/"),
        "game, to watch": (visitor, f"/parties/{own[0].key}/"),
        "game, its table": (player, f"/parties/{long.key}/infos/"),
    }
    return {
        name: asking(client, address, known=name == UNCHANGED) for name, (client, address) in ways.items()
    }


def begun_practice(client: Any) -> str:
    """The address of a new game on the practice board."""
    answer = client.post("/p/new/", {"variant": "classic"})
    return str(answer["Location"])


def asking(client: Any, address: str, *, known: bool) -> Callable[[], Any]:
    """What asks for a page; `known`: with the tag of the one that was sent before, where it has any."""
    headers = dict(BROWSER)

    def ask() -> Any:
        answer = client.get(address, headers=headers)
        assert answer.status_code in (200, 304), (address, answer.status_code)
        if known and "ETag" in answer:
            headers["if-none-match"] = answer["ETag"]
        return answer

    return ask


def report(found: dict[str, Figures], games: int) -> str:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    floor = found[FLOOR].rounds
    machine = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    lines = [
        f"{datetime.now(UTC):%F %H:%M} UTC, commit {commit.stdout.strip()}, {machine}",
        f"load {os.getloadavg()[0]:.1f}, SQLite, {games} games",
        f"processor milliseconds a request: median (least to most) of {len(floor)} rounds of {ONCE_A_ROUND}",
        f"{'':30}{'ms':>8}{'':17}{'x floor':>8}{'queries':>9}{'kB':>8}{'kB sent':>9}",
    ]
    for name, one in found.items():
        ratio = median(mine / bare for mine, bare in zip(one.rounds, floor, strict=True))
        spread = f"({min(one.rounds):.1f} to {max(one.rounds):.1f})"
        lines.append(
            f"{name:30}{median(one.rounds):8.1f} {spread:16}{ratio:8.1f}{one.questions:9}"
            f"{one.bytes / 1000:8.1f}{one.sent / 1000:9.1f}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
