"""Clocks that come to help while many games are due at once, and go."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from talleyrand.web.games.models import Game, GameState
from talleyrand.web.limits import child_processes
from talleyrand.web.server import burst_clocks, site_server
from talleyrand.web.server.burst_clocks import AHEAD, MANY, PATIENCE, BurstClocks
from tests.waiting import wait_until
from tests.web.cast import BEGUN

from .test_keeping_time import environment, phase, site

__all__ = ["site"]

pytestmark = pytest.mark.usefixtures("interruptible")

WAITING = (sys.executable, "-c", "import sys; sys.stdin.read()")
DEAF = (sys.executable, "-c", "import time; print(flush=True); time.sleep(600)")
SECOND = timedelta(seconds=1)
PATIENT = 60


@pytest.fixture
def helpers() -> Iterator[BurstClocks]:
    found = BurstClocks(2, WAITING)
    yield found
    found.stop_all()


def games(count: int, sweep: datetime, **more: str) -> None:
    rows = [
        Game(name=f"{n}", variant="classic", rulebook="anjou_feu", next_check_at=sweep) for n in range(count)
    ]
    for row in rows:
        row.state = GameState.PLAYING
        row.adjudication_error = more.get("trouble", "")
    Game.objects.bulk_create(rows)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("count", "sweep", "trouble", "come"),
    [
        (0, BEGUN, "", 0),
        (MANY - 1, BEGUN, "", 0),
        (MANY, BEGUN, "", 2),
        (MANY, BEGUN + AHEAD, "", 2),
        (MANY, BEGUN - timedelta(days=1), "", 2),
        (MANY, BEGUN + AHEAD + SECOND, "", 0),
        (MANY, BEGUN, "fault", 0),
    ],
)
def test_they_come_for_many_games_due_soon(
    helpers: BurstClocks, count: int, sweep: datetime, trouble: str, come: int
) -> None:
    games(count, sweep, trouble=trouble)
    helpers.adjust(BEGUN)
    helpers.adjust(BEGUN)
    assert helpers.running_count == come


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("later", "stay"),
    [(SECOND, 2), (PATIENCE - SECOND, 2), (PATIENCE, 0), (timedelta(days=9), 0), (-SECOND, 0)],
)
def test_they_go_when_none_have_been_due_for_a_while(
    helpers: BurstClocks, later: timedelta, stay: int
) -> None:
    games(MANY, BEGUN)
    helpers.adjust(BEGUN)
    Game.objects.update(next_check_at=None)
    helpers.adjust(BEGUN + later)
    assert helpers.running_count == stay


@pytest.mark.django_db
def test_another_comes_for_one_that_has_died(helpers: BurstClocks) -> None:
    games(MANY, BEGUN)
    helpers.adjust(BEGUN)
    first = helpers._processes[0]
    first.kill()
    first.wait()
    assert helpers.running_count == 1
    helpers.adjust(BEGUN + SECOND)
    assert helpers.running_count == 2


def test_one_that_does_not_hear_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_processes, "STOP_SECONDS", 0.1)
    helpers = BurstClocks(1, DEAF)
    helpers.start_missing()
    deaf = helpers._processes[0]
    helpers.stop_all()
    assert deaf.returncode == -signal.SIGKILL
    assert helpers.running_count == 0


def test_on_one_core_nobody_comes() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=_alone, args=(stop,))
    thread.start()
    thread.join(PATIENT)
    assert not thread.is_alive()


def _alone(stop: threading.Event) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        burst_clocks.run_burst_clocks(stop, WAITING)


@pytest.mark.long
def test_one_publishes_and_ends_with_its_site(site: Path) -> None:
    with subprocess.Popen(
        site_server.BURST_CLOCK_COMMAND, env=environment(site), stdin=subprocess.PIPE
    ) as helper:
        wait_until(lambda: phase(site) == "F1901M")
        helper.send_signal(signal.SIGINT)
        with closing(sqlite3.connect(site / "talleyrand.sqlite3", timeout=20)) as base:
            with base:
                base.execute("UPDATE games_game SET next_check_at = '2026-01-01'")
            asked = "SELECT next_check_at FROM games_game"
            # Ctrl+C is for the site: it goes on looking.
            wait_until(lambda: base.execute(asked).fetchone()[0] != "2026-01-01")
        assert helper.stdin is not None
        helper.stdin.close()
        assert helper.wait(PATIENT) == 0


@pytest.mark.long
def test_one_without_a_site_says_so(tmp_path: Path) -> None:
    ran = subprocess.run(
        site_server.BURST_CLOCK_COMMAND,
        env=environment(tmp_path),
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "start the site first" in ran.stderr
    assert "Traceback" not in ran.stderr
