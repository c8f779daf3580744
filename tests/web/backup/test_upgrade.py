"""Data of an older version: copied, then brought up to date when the site starts; else they are as before."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from talleyrand.web.backup import create, data_folder, sqlite_files, upgrade, zip_archive
from tests.waiting import PATIENCE, wait_until
from tests.web.backup import whole
from tests.web.backup.folder import (
    BEFORE_NAMES,
    OLD_GAME,
    SQLITE,
    database,
    games,
    is_sound,
    old_folder,
    with_former_caches,
)

RUN = (
    "import sys; from talleyrand.web.server.site_server import serve_site; "
    "sys.exit(serve_site('127.0.0.1', 0, sys.argv[1]))"
)
STEPS = ["practice.0001_initial", "practice.0002_computers", "practice.0003_order_of_names"]
IN_THE_WAY = "CREATE TABLE games_game (x);"


def start(folder: Path) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    command = [sys.executable, "-c", RUN, str(folder)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    with start(folder) as site:
        assert site.stdout is not None
        line = site.stdout.readline()
        try:
            assert "http://" in line, site.stderr and site.stderr.read()
            yield int(line.strip().rstrip("/").rpartition(":")[2])
        finally:
            site.terminate()
            site.communicate()


def refused(folder: Path) -> str:
    """The one line with which a site does not start."""
    with start(folder) as site:
        _out, err = site.communicate(timeout=PATIENCE)
    assert site.returncode == 1, err
    assert err.count("\n") == 1, err
    return err


def page(port: int, path: str) -> tuple[int, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def copies(folder: Path) -> list[Path]:
    return sorted((folder / data_folder.BACKUPS).glob("before-*.zip"))


@pytest.mark.long
def test_an_old_folder_is_served_after_a_copy(tmp_path: Path) -> None:
    site = old_folder(tmp_path / "site")
    with serving(site) as port:
        status, board = page(port, f"/p/{OLD_GAME}/")
    assert status == 200
    assert "rintemps 1901" in board
    (copy,) = copies(site)
    assert zip_archive.check_archive(copy).migrations == STEPS
    assert is_sound(site)
    assert not (site / data_folder.BACKUPS / upgrade.UNDERWAY).exists()
    with serving(site):
        assert copies(site) == [copy]


LATER_COLUMNS = {
    "accounts_person": {"is_guest", "approval"},
    "games_game": {
        *("rulebook_name", "pace", "press", "anonymity", "language", "has_bots"),
        *("rematch_of_id", "group_id", "offers_bot_seats"),
    },
    "mail_outboundemail": {"is_of_flood"},
    "practice_practicegame": {"talk"},
    "press_message": {"is_bots"},
    "tournaments_tournament": {"follows_games"},
}
UPDATE = """
import django
django.setup()
from django.conf import settings
from talleyrand.web.backup import upgrade
upgrade.lock_and_upgrade(settings.DATA, settings.DATABASES["default"]).release()
"""


@pytest.mark.long
def test_tables_of_other_names_lose_nothing(tmp_path: Path, prepare_site: Callable[[Path], Path]) -> None:
    """Each row has the values that it had, and the tables are those of a new folder."""
    site = old_folder(tmp_path / "site", content=BEFORE_NAMES)
    before = _rows(site)
    subprocess.run([sys.executable, "-c", UPDATE], env=whole.environment(site), check=True)
    assert _tables(site) == _tables(prepare_site(tmp_path / "new"))
    assert not before - _rows(site)
    assert is_sound(site)
    with serving(site) as port:
        assert page(port, "/tournois/")[0] == 200


def _rows(folder: Path) -> Counter[str]:
    """The rows of the tables of Talleyrand's own, each as its values in any order, and how many are alike."""
    with closing(database(folder)) as found:
        own = [name for name in _names(found) if not name.startswith(("django_", "sqlite_"))]
        rows = [row for name in own for row in found.execute(f'SELECT {_columns(found, name)} FROM "{name}"')]
    assert len(rows) > len(own)
    return Counter(str(sorted(map(repr, row))) for row in rows)


def _columns(found: sqlite3.Connection, table: str) -> str:
    """Those that a table has had since before it got its name."""
    known = [name for (name,) in found.execute("SELECT name FROM pragma_table_info(?)", [table])]
    return ", ".join(f'"{name}"' for name in known if name not in LATER_COLUMNS.get(table, ()))


def _tables(folder: Path) -> dict[str, object]:
    """The columns and the indexes of each table; of an index that Django itself named, no name."""
    asked = (
        'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?) ORDER BY name',
        'SELECT "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY "from"',
        'SELECT name, "unique", partial FROM pragma_index_list(?)',
    )
    with closing(database(folder)) as found:
        return {
            name: [_nameless(found.execute(sql, [name]).fetchall()) for sql in asked]
            for name in _names(found)
        }


def _names(found: sqlite3.Connection) -> list[str]:
    return [name for (name,) in found.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def _nameless(rows: list[tuple[object, ...]]) -> list[str]:
    return sorted(
        re.sub(r"'[a-z_]+_[0-9a-f]{8}(_\w+)?'|'sqlite_autoindex\w+'", "''", str(row)) for row in rows
    )


@pytest.mark.long
def test_a_change_that_fails_leaves_the_data_as_they_were(tmp_path: Path) -> None:
    site = old_folder(tmp_path / "site", IN_THE_WAY)
    said = refused(site)
    assert "games_game" in said
    assert "Les données d’avant ont été restaurées" in said
    assert "The data from before are back" in said
    assert sqlite_files.applied_migrations(site / data_folder.SQLITE) == STEPS
    assert games(site) == [OLD_GAME]
    assert is_sound(site)
    (copy,) = copies(site)
    assert str(copy) in said
    with closing(database(site)) as open_now, open_now:
        open_now.execute("DROP TABLE games_game")
    with serving(site) as port:
        assert page(port, f"/p/{OLD_GAME}/")[0] == 200


@pytest.mark.one_in(6)
@pytest.mark.parametrize("more", [0, 1, 20])
def test_killed_while_it_changes(tmp_path: Path, more: int) -> None:
    """Before the first step, behind it, in the middle."""
    site = old_folder(tmp_path / "site")
    database_file = site / data_folder.SQLITE
    with start(site) as first:
        _wait_for(site / data_folder.BACKUPS / upgrade.UNDERWAY, first)
        wait_until(lambda: len(sqlite_files.applied_migrations(database_file)) >= len(STEPS) + more)
        first.send_signal(signal.SIGKILL)
        first.communicate()
    zip_archive.check_archive(copies(site)[0])
    with serving(site) as port:
        assert page(port, f"/p/{OLD_GAME}/")[0] == 200
    assert games(site) == [OLD_GAME]
    assert is_sound(site)
    assert zip_archive.check_archive(copies(site)[-1]).migrations == STEPS


@pytest.mark.long
def test_cut_off_before_a_step_is_noted(tmp_path: Path) -> None:
    """Django notes a step after its tables were made: a site killed in between has them without the note."""
    site = old_folder(tmp_path / "site")
    (site / data_folder.BACKUPS).mkdir()
    copy, _manifest = create.create_backup(site, site / data_folder.BACKUPS / "before-0.zip", SQLITE)
    (site / data_folder.BACKUPS / upgrade.UNDERWAY).write_text(json.dumps({"copy": copy.name}), "ascii")
    with closing(database(site)) as halfway, halfway:
        halfway.execute("CREATE TABLE accounts_person (id integer)")
    with serving(site) as port:
        assert page(port, f"/p/{OLD_GAME}/")[0] == 200
    assert games(site) == [OLD_GAME]
    assert not (site / data_folder.BACKUPS / upgrade.UNDERWAY).exists()


def _wait_for(file: Path, site: subprocess.Popen[str]) -> None:
    wait_until(lambda: file.exists() or site.poll() is not None)
    assert site.poll() is None


@pytest.mark.parametrize("note", ["", "{", "[]", '{"copy": "gone.zip"}', '{"copy": "../../etc/passwd"}'])
def test_a_spoilt_note_of_an_update(tmp_path: Path, note: str) -> None:
    site = old_folder(tmp_path / "site")
    (site / data_folder.BACKUPS).mkdir()
    (site / data_folder.BACKUPS / "passwd").write_bytes(b"no copy")
    (site / data_folder.BACKUPS / upgrade.UNDERWAY).write_text(note, "ascii")
    upgrade._resume(site, SQLITE)
    assert games(site) == [OLD_GAME]
    assert not (site / data_folder.BACKUPS / upgrade.UNDERWAY).exists()


@pytest.mark.long
def test_data_of_tomorrow_are_not_touched(tmp_path: Path) -> None:
    more = "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_x', '2030-01-01');"
    site = old_folder(tmp_path / "site", more)
    said = refused(site)
    assert "games.9999_x" in said
    assert "plus récente" in said
    assert "later version" in said
    assert not (site / data_folder.BACKUPS).exists()
    assert sqlite_files.applied_migrations(site / data_folder.SQLITE) == ["games.9999_x", *STEPS]


@pytest.mark.long
def test_not_under_a_site_that_serves_them(tmp_path: Path) -> None:
    site = old_folder(tmp_path / "site")
    hold = data_folder.DataFolderLock(site)
    hold.share()
    said = refused(site)
    assert "un autre site sert" in said.lower()
    assert sqlite_files.applied_migrations(site / data_folder.SQLITE) == STEPS
    hold.release()


@pytest.mark.long
def test_two_sites_may_start_at_once(tmp_path: Path) -> None:
    """In a new folder, of which there is nothing to copy."""
    with start(tmp_path) as first, start(tmp_path) as second:
        for one in (first, second):
            assert one.stdout is not None
            assert "http://" in one.stdout.readline()
            one.terminate()
        for one in (first, second):
            one.communicate()
    assert not (tmp_path / data_folder.BACKUPS).exists()


@pytest.mark.long
def test_what_earlier_versions_left_is_removed(tmp_path: Path) -> None:
    """The caches, though not what somebody has put beside them, nor what a link leads to; copies but five."""
    site = with_former_caches(old_folder(tmp_path / "site"))
    (site / "library").rename(tmp_path / "elsewhere")
    (site / "library").symlink_to(tmp_path / "elsewhere")
    (site / data_folder.BACKUPS).mkdir()
    mine = site / data_folder.BACKUPS / "mine.zip"
    mine.write_bytes(b"")
    for number in range(7):
        old = site / data_folder.BACKUPS / f"before-0.{number}.zip"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    with serving(site):
        found = {one.name for one in site.iterdir()}
        left = [one.name for one in copies(site)]
    assert found & set(data_folder.FORMER) == {"library", "papers"}
    assert len(list((tmp_path / "elsewhere").iterdir())) == 1
    assert len(list((site / "papers").iterdir())) == 2
    made = [name for name in left if not name.startswith("before-0.") or len(name) > 20]
    assert set(left) == {f"before-0.{number}.zip" for number in (3, 4, 5, 6)} | set(made)
    assert len(made) == 1
    assert mine.exists()


@pytest.mark.long
def test_no_room_for_a_copy_changes_nothing(tmp_path: Path) -> None:
    site = old_folder(tmp_path / "site")
    (site / data_folder.BACKUPS).write_text("a file where the folder should be", "ascii")
    assert "copie" in refused(site)
    assert sqlite_files.applied_migrations(site / data_folder.SQLITE) == STEPS
