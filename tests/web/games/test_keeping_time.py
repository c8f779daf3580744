"""Clocks that run: in the process of the site, and beside it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError

from talleyrand.web.games import deadline_clock
from talleyrand.web.games.deadline_clock import DeadlineClock
from tests.waiting import PATIENCE, wait_until
from tests.web.cast import BEGUN, table

from .acting import all_hand_in, due, fresh

pytestmark = pytest.mark.usefixtures("interruptible")

ROOT = Path(__file__).parents[3]
PREPARE = "import django; django.setup(); from tests.web.games.overdue import prepare; prepare()"
SERVE = (
    "import sys; from talleyrand.web.server.site_server import serve_site; "
    "serve_site('127.0.0.1', 0, sys.argv[1])"
)


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    settings = {"DJANGO_SETTINGS_MODULE": "talleyrand.web.settings", "TALLEYRAND_DATA": str(folder)}
    return {**kept, **settings, "TALLEYRAND_LANG": "fr"}


@contextmanager
def begun(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A process, interrupted and waited for in the end."""
    process = subprocess.Popen(
        [sys.executable, *words],
        env=environment(folder),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


@pytest.fixture
def site(new_site: Path) -> Path:
    """A data folder in which a phase has been due for long."""
    done = subprocess.run(
        [sys.executable, "-c", PREPARE],
        env=environment(new_site),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return new_site


def phase(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "talleyrand.sqlite3", timeout=20)) as base:
        return str(base.execute("SELECT phase FROM games_game").fetchone()[0])


@pytest.mark.long
def test_the_site_publishes_by_itself(site: Path) -> None:
    with begun(site, "-c", SERVE, str(site)) as server:
        wait_until(lambda: phase(site) == "F1901M")
    assert server.returncode == 0


@pytest.mark.long
def test_the_command_beside_it_says_what_it_does(site: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "talleyrand", "clock", "--data", str(site)],
        env=environment(site),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(2)]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert lines[0] == "L’horloge tourne. Ctrl+C pour arrêter.\n"
    assert lines[1].endswith("phases résolues\u00a0: 1\n")
    assert process.returncode == 0
    assert phase(site) == "F1901M"


@pytest.mark.long
def test_a_folder_that_no_site_has_prepared(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "talleyrand", "clock", "--data", str(tmp_path)],
        env=environment(tmp_path),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert "démarrer d’abord le site" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.django_db(transaction=True)
def test_a_clock_survives_what_befalls_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = table(rhythm={"hours": 72, "early": False})
    all_hand_in(game)
    end, befallen = due(game) + 2 * (due(game) - BEGUN), [OperationalError("gone"), ZeroDivisionError()]
    tick, stop = DeadlineClock.tick, threading.Event()

    def troubled(own: DeadlineClock, now: Any) -> int:
        if befallen:
            raise befallen.pop()
        return tick(own, end)

    monkeypatch.setattr(deadline_clock, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(DeadlineClock, "tick", troubled)
    told: list[int] = []

    def hear(own: DeadlineClock) -> None:
        told.append(own.step_counts["publish"])
        if len(told) == 3:
            stop.set()

    thread = threading.Thread(target=deadline_clock.run_deadline_clock, args=(stop, hear))
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert told == [1, 0, 0]
    assert fresh(game).phase_number == 2
    assert caplog.text.count("the clock stumbled, and goes on") == 2
