"""What the administrator reads of games, queues, errors and the machine."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from talleyrand.web.backup import create
from talleyrand.web.common import error_files
from talleyrand.web.common.logging_format import JsonFormatter, RedactSecrets
from talleyrand.web.games.models import Game
from talleyrand.web.monitoring import site_overview
from tests.web.backup.folder import old_folder

PAGE = "/administration/etat/"


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def handler(folder: Path) -> error_files.ErrorFileHandler:
    made = error_files.ErrorFileHandler(folder)
    made.setFormatter(JsonFormatter())
    made.addFilter(RedactSecrets())
    return made


def _error(handler: logging.Handler, origin: str, problem: Exception | None = None) -> None:
    told = (type(problem), problem, None) if problem else None
    record = logging.LogRecord(origin, logging.ERROR, "", 0, "it failed: /compte/lien/q7-geheim/", None, told)
    handler.handle(record)


def test_errors_are_told_in_words_and_counted(
    beating: None, chief: Client, handler: error_files.ErrorFileHandler, folder: Path
) -> None:
    for _turn in range(3):
        _error(handler, "talleyrand.web.mail.outbound.email_sending", ValueError("geheim"))
    _error(handler, "django.request", OperationalError("geheim"))
    _error(handler, "talleyrand.elsewhere")
    page = chief.get(PAGE).content.decode()
    assert "Le courriel a échoué." in page
    assert "3 fois" in page
    assert "La base de données n’a pas répondu." in page
    assert "Quelque chose a échoué." in page
    assert "geheim" not in page
    assert all("geheim" not in file.read_text() for file in (folder / error_files.FOLDER).iterdir())


def test_errors_last_a_day(folder: Path, handler: error_files.ErrorFileHandler) -> None:
    now = timezone.now()
    _error(handler, "django.request")
    assert len(site_overview.error_rows(now)) == 1
    assert site_overview.error_rows(now + timedelta(days=1, minutes=1)) == []
    assert error_files.prune(folder, now) == 0
    assert error_files.prune(folder, now + timedelta(days=3)) == 1
    assert list((folder / error_files.FOLDER).iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"time": 3}', '{"time": "2026-11-30"}', "\xff", "\x00"])
def test_half_a_line_is_passed_over(folder: Path, handler: error_files.ErrorFileHandler, text: str) -> None:
    _error(handler, "django.request")
    (file,) = (folder / error_files.FOLDER).iterdir()
    file.write_bytes(text.encode("latin-1") + b"\n" + file.read_bytes() + text.encode("latin-1"))
    assert [row["count"] for row in site_overview.error_rows(timezone.now())] == [1]


def test_a_day_of_errors_does_not_fill_the_disk(
    folder: Path, handler: error_files.ErrorFileHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(error_files, "LARGEST", 1000)
    for _turn in range(100):
        _error(handler, "django.request")
    (file,) = (folder / error_files.FOLDER).iterdir()
    assert file.stat().st_size < 2000


def test_a_disk_that_is_full_is_no_second_error(tmp_path: Path) -> None:
    (tmp_path / error_files.FOLDER).write_text("in the way")
    _error(error_files.ErrorFileHandler(tmp_path), "django.request")
    assert (tmp_path / error_files.FOLDER).read_text() == "in the way"


def test_what_waits_is_shown_with_its_age(beating: None, chief: Client, game: Game, folder: Path) -> None:
    assert {row["count"] for row in site_overview.queue_rows(timezone.now())} == {0}
    Game.objects.filter(pk=game.pk).update(next_check_at=timezone.now() - timedelta(hours=2))
    late = next(row for row in site_overview.queue_rows(timezone.now()) if row["count"])
    assert late["is_late"]
    page = chief.get(PAGE).content.decode()
    assert "le plus ancien depuis 2\u00a0heures" in page
    assert game.name not in page


def test_the_last_backup_is_named(db: None, folder: Path) -> None:
    def shown() -> str:
        rows = {str(name): text for name, text in site_overview.machine_rows(timezone.now())}
        return rows["Dernière sauvegarde"]

    assert "talleyrand backup" in shown()
    site = old_folder(folder / "site")
    sqlite = {"ENGINE": "django.db.backends.sqlite3"}
    place, _manifest = create.create_backup(site, folder / "copy.zip", sqlite)
    (site / site_overview.LAST_BACKUP).rename(folder / site_overview.LAST_BACKUP)
    assert str(place) in shown()
    (folder / site_overview.LAST_BACKUP).write_text('{"made": "yesterday"}')
    assert "talleyrand backup" in shown()
