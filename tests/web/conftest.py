"""A practice game, and what a browser sends."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client, TransactionTestCase
from django.utils import translation

from talleyrand import variants
from talleyrand.web.bots import bot_threads
from talleyrand.web.common import rate_limits
from talleyrand.web.practice import practice_games, practice_records
from talleyrand.web.practice.models import PracticeGame
from tests.web.built_once import empty_site

LONGEST_WORK = 10  # seconds
DAYS = count(20_000)  # since 1970: a day begins every while in which the site counts turns
Response = Any  # the test client's answers know more than an HttpResponse


def begin(variant: str = "classic", rulebook: str = "anjou_feu", **start: Any) -> PracticeGame:
    """A game at the variant's first position, or at another."""
    first = practice_records.initial_position(variants.load(variant))
    return practice_games.create_practice_game(variant, rulebook, {**first, **start}, "")


@pytest.fixture(autouse=True)
def _french() -> Iterator[None]:
    """Every test begins in French: the language of a request outlives it."""
    with translation.override("fr"):
        yield


@pytest.fixture(autouse=True)
def _counted_in_one_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """No while in which turns are counted ends during a test, however slow, or is another's."""
    moment = next(DAYS) * 24 * 3600
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(time=lambda: moment))


@pytest.fixture(autouse=True)
def _bots_at_rest() -> Iterator[None]:
    """The bots that a test has set to work end before its database goes."""
    yield
    for thread in tuple(bot_threads.bot_thread_pool._running):
        thread.join(LONGEST_WORK)


@pytest.fixture(scope="session", autouse=True)
def _quick_flush() -> Iterator[None]:
    """Tests that commit leave an empty site; Django’s flush would make all permissions anew after each."""
    with pytest.MonkeyPatch.context() as patch:
        flush: Callable[[TransactionTestCase], None] = vars(TransactionTestCase)["_fixture_teardown"]

        def emptied(case: TransactionTestCase) -> None:
            if connection.vendor == "sqlite":
                empty_site()
            else:
                flush(case)

        patch.setattr(TransactionTestCase, "_fixture_teardown", emptied)
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where Python is told to keep no bytecode, the processes that tests start share some of their own.

    Each would compile Django again, which takes it longer than all else that it does until it serves.
    """
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("PYTHONDONTWRITEBYTECODE"):
            patch.delenv("PYTHONDONTWRITEBYTECODE")
            patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))
        yield


@pytest.fixture(scope="session")
def prepare_site(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Path], Path]:
    """Makes the data folder of a site on which nothing has happened yet, as its first start does in seconds.

    Its tables are those of the tests, where one that runs asks for these. Where a first start is what is
    tried, let the site make them.
    """
    made = tmp_path_factory.mktemp("prepared") / "talleyrand.sqlite3"
    if connection.vendor == "sqlite" and "memory" in str(connection.settings_dict["NAME"]):
        with django_db_blocker.unblock(), closing(sqlite3.connect(made)) as file:
            connection.ensure_connection()
            connection.connection.backup(file)
            file.execute("PRAGMA journal_mode=WAL")
    else:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
        mine = {"DJANGO_SETTINGS_MODULE": "talleyrand.web.settings", "TALLEYRAND_DATA": str(made.parent)}
        subprocess.run([sys.executable, "-m", "django", "migrate", "-v0"], env={**kept, **mine}, check=True)

    def prepare(folder: Path) -> Path:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy(made, folder)
        return folder

    return prepare


@pytest.fixture
def new_site(tmp_path: Path, prepare_site: Callable[[Path], Path]) -> Path:
    """Such a folder: the test's own."""
    return prepare_site(tmp_path)


@pytest.fixture
def game(db: None) -> PracticeGame:
    return begin()


class Player:
    """Whoever holds the address of a game."""

    def __init__(self, client: Client, game: PracticeGame) -> None:
        self.client = client
        self.game = game
        self.prefix = ""

    def address(self, path: str = "") -> str:
        return f"{self.prefix}/p/{self.game.key}/{path}"

    def draft(self, number: int, change: Any) -> Response:
        """Send a change as the scripts do."""
        return self.raw_draft(number, json.dumps(change).encode())

    def raw_draft(self, number: int, body: bytes) -> Response:
        return self.client.post(self.address(f"{number}/draft/"), body, content_type="application/json")

    def resolve(self, number: int, submission: str = "a-submission-of-mine", **more: str) -> Response:
        sent = {"submission": submission, "scripted": "1", **more}
        return self.client.post(self.address(f"{number}/resolve/"), sent)

    def refresh(self) -> PracticeGame:
        self.game.refresh_from_db()
        return self.game


@pytest.fixture
def player(client: Client, game: PracticeGame) -> Player:
    return Player(client, game)
