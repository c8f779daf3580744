"""A whole site goes from one database to another: all of it and exactly, or nothing."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection

from talleyrand.web.accounts.models import Person
from talleyrand.web.backup import (
    data_folder,
    database_move,
    migration_state,
    restore,
    sqlite_files,
    table_rows,
)
from talleyrand.web.backup.backup_errors import BackupError
from talleyrand.web.backup.database_move import open_database
from tests.cli.run import Run, run
from tests.waiting import PATIENCE
from tests.web.backup import whole
from tests.web.backup.folder import SQLITE, old_folder, state

__all__ = ["run"]
ELSEWHERE = "elsewhere"
COMMAND = [sys.executable, "-m", "talleyrand", "move"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]
beside_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="for PostgreSQL")
beside_sqlite = pytest.mark.skipif(connection.vendor == "postgresql", reason="for SQLite")


def quiet(_table: str, _done: int, _total: int) -> None:
    """Nobody listens."""


def in_folder(folder: Path) -> dict[str, Any]:
    return {**SQLITE, "NAME": folder / data_folder.SQLITE}


def lines(settings: Mapping[str, Any]) -> list[str]:
    with open_database(ELSEWHERE, settings):
        return list(table_rows.site_as_json_lines(ELSEWHERE))


def given(settings: Mapping[str, Any]) -> dict[str, int]:
    with open_database(ELSEWHERE, settings):
        return table_rows.last_ids(ELSEWHERE)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, prepare_site: Callable[[Path], Path]) -> Path:
    """A whole site, made once."""
    return whole.made(prepare_site(tmp_path_factory.mktemp("kept") / "site"))


@pytest.fixture
def site(kept: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may do anything with."""
    folder = tmp_path / "site"
    folder.mkdir(mode=0o700)
    for name in (data_folder.SQLITE, "secret_key", "push_key", "told.json"):
        (folder / name).write_bytes((kept / name).read_bytes())
    return folder


@pytest.fixture
def empty(transactional_db: None) -> Iterator[dict[str, Any]]:
    """The settings of an empty database on the same PostgreSQL."""
    name = f"moved_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    yield {**connection.settings_dict, "NAME": name}
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def address(settings: Mapping[str, Any]) -> str:
    """As one would type it."""
    host = quote(str(settings["HOST"]), safe="")
    return f"postgresql://{settings['USER']}@{host}/{settings['NAME']}"


def refused(work: Callable[[], Any]) -> BackupError:
    with pytest.raises(BackupError) as found:
        work()
    assert found.value.sentence("fr") != found.value.sentence("en")
    return found.value


# the whole of it


def test_every_table_has_something_to_move(site: Path) -> None:
    with open_database(ELSEWHERE, in_folder(site)):
        assert [one for one in table_rows.lasting_tables() if not table_rows.count(one, ELSEWHERE)] == []


def test_from_folder_to_folder(site: Path, tmp_path: Path) -> None:
    (site / "uploads").mkdir()
    (site / "uploads" / "é.bin").write_bytes(b"\0\xff")
    before, other = state(site), tmp_path / "other"
    moved = database_move.move_database(site, SQLITE, other, quiet)
    assert moved.files == ["push_key", "secret_key", "told.json", "uploads/é.bin"]
    assert lines(in_folder(other)) == lines(in_folder(site))
    assert moved.rows == len(lines(in_folder(site)))
    assert given(in_folder(other)) == given(in_folder(site))
    assert state(site) == before
    assert set(state(other)) == set(before)
    assert (other / "uploads" / "é.bin").read_bytes() == b"\0\xff"


@beside_postgresql
def test_there_and_back(site: Path, tmp_path: Path, empty: dict[str, Any]) -> None:
    """The rows, the numbers to come and the exports are the same, and so are the sessions of people."""
    before, heard = state(site), list[tuple[str, int, int]]()
    moved = database_move.move_database(site, SQLITE, empty, lambda *facts: heard.append(facts))
    assert state(site) == before
    assert moved.files == []
    assert heard[-1][1:] == (moved.rows, moved.rows)
    assert database_move.move_database(site, empty, tmp_path / "back", quiet).rows == moved.rows
    expected = lines(in_folder(site))
    assert (len(expected), len(set(expected))) == (moved.rows, moved.rows)
    assert lines(empty) == expected
    assert lines(in_folder(tmp_path / "back")) == expected
    told = whole.told(site)
    assert {status for status, _text in told.values()} == {200, 404}
    assert sum(status == 200 for status, _text in told.values()) > 30
    assert whole.told(site, address(empty)) == told
    assert whole.told(tmp_path / "back") == told


@beside_postgresql
def test_no_number_is_given_twice(site: Path, tmp_path: Path, empty: dict[str, Any]) -> None:
    """Somebody is gone: links and tokens of his are nobody else's, wherever the site goes."""
    expected = given(in_folder(site))
    database_move.move_database(site, SQLITE, empty, quiet)
    assert given(empty) == expected
    database_move.move_database(site, empty, tmp_path / "back", quiet)
    assert given(in_folder(tmp_path / "back")) == expected
    for settings in (empty, in_folder(tmp_path / "back")):
        with open_database(ELSEWHERE, settings):
            last = Person.objects.using(ELSEWHERE).latest("pk").pk
            new = Person(name="Nouveau")
            new.save(using=ELSEWHERE)
        assert last < expected["accounts_person"] < new.pk


@beside_postgresql
def test_tables_without_rows_are_nothing(site: Path, empty: dict[str, Any]) -> None:
    with open_database(ELSEWHERE, empty):
        migration_state.create_tables(ELSEWHERE)
    database_move.move_database(site, SQLITE, empty, quiet)
    assert lines(empty) == lines(in_folder(site))


# refusals


@beside_postgresql
@pytest.mark.parametrize("made", ["a site", "a table of somebody else's"])
def test_what_is_there_is_never_touched(site: Path, empty: dict[str, Any], made: str) -> None:
    if made == "a site":
        database_move.move_database(site, SQLITE, empty, quiet)
    else:
        with open_database(ELSEWHERE, empty) as other, other.cursor() as cursor:
            cursor.execute("CREATE TABLE wine (name text)")
            cursor.execute("INSERT INTO wine VALUES ('Saumur')")
    assert refused(lambda: database_move.move_database(site, SQLITE, empty, quiet)).code == "move_taken"


@pytest.mark.parametrize("name", ["talleyrand.sqlite3", "talleyrand.sqlite3-wal", "secret_key"])
def test_a_folder_with_something_in_it(site: Path, tmp_path: Path, name: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / name).write_text("mine", "ascii")
    problem = refused(lambda: database_move.move_database(site, SQLITE, other, quiet))
    assert problem.code == "move_taken"
    assert name in str(problem)
    assert state(other) in ({name: b"mine"}, {})


@pytest.mark.parametrize("served", ["site", "other"])
def test_not_while_a_site_serves(site: Path, tmp_path: Path, served: str) -> None:
    (tmp_path / "other").mkdir()
    hold = data_folder.DataFolderLock(tmp_path / served)
    hold.share()
    assert (
        refused(lambda: database_move.move_database(site, SQLITE, tmp_path / "other", quiet)).code
        == "move_served"
    )
    hold.release()
    database_move.move_database(site, SQLITE, tmp_path / "other", quiet)


@beside_postgresql
def test_not_while_others_are_connected(site: Path, tmp_path: Path, empty: dict[str, Any]) -> None:
    """A site on another machine does not hold this one's folder."""
    with open_database(ELSEWHERE, empty):
        assert refused(lambda: database_move.move_database(site, SQLITE, empty, quiet)).code == "connected"
    database_move.move_database(site, SQLITE, empty, quiet)
    with open_database(ELSEWHERE, empty):
        assert (
            refused(lambda: database_move.move_database(site, empty, tmp_path / "back", quiet)).code
            == "connected"
        )


@beside_postgresql
def test_nor_while_somebody_comes_meanwhile(site: Path, tmp_path: Path, empty: dict[str, Any]) -> None:
    database_move.move_database(site, SQLITE, empty, quiet)
    came: list[Any] = []

    def come(_table: str, _done: int, _total: int) -> None:
        if not came:
            came.append(open_database(ELSEWHERE, empty))
            came[0].__enter__()

    try:
        assert (
            refused(lambda: database_move.move_database(site, empty, tmp_path / "back", come)).code
            == "connected"
        )
    finally:
        came[0].__exit__(None, None, None)
    assert not (tmp_path / "back" / data_folder.SQLITE).exists()


def test_another_version(site: Path, tmp_path: Path) -> None:
    old = old_folder(tmp_path / "old")
    assert (
        refused(lambda: database_move.move_database(old, SQLITE, tmp_path / "other", quiet)).code
        == "move_older"
    )
    with closing(sqlite3.connect(site / data_folder.SQLITE)) as database, database:
        database.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999', 0)")
    problem = refused(lambda: database_move.move_database(site, SQLITE, tmp_path / "other", quiet))
    assert problem.code == "database_newer"
    assert "games.9999" in str(problem)


def test_no_site(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        assert (
            refused(partial(database_move.move_database, folder, SQLITE, tmp_path, quiet)).code == "no_data"
        )
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_database(site: Path, tmp_path: Path) -> None:
    whole_file = bytearray((site / data_folder.SQLITE).read_bytes())
    whole_file[40960:90000] = b"\xff" * (90000 - 40960)
    (site / data_folder.SQLITE).write_bytes(whole_file)
    assert (
        refused(lambda: database_move.move_database(site, SQLITE, tmp_path / "other", quiet)).code
        == "not_whole"
    )


@beside_postgresql
@pytest.mark.parametrize(
    ("column", "text"), [("text", "nul \0 within"), ("kind", "far too long for its column " * 3)]
)
def test_what_postgresql_cannot_hold(site: Path, empty: dict[str, Any], column: str, text: str) -> None:
    """SQLite holds more; the row is named, and nothing is moved."""
    table = {"text": "press_message", "kind": "games_gamelogentry"}[column]
    with closing(sqlite3.connect(site / data_folder.SQLITE)) as database, database:
        (row,) = database.execute(f"SELECT id FROM {table} ORDER BY id DESC").fetchone()
        database.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", [text, row])
    problem = refused(lambda: database_move.move_database(site, SQLITE, empty, quiet))
    assert problem.code == "row_refused"
    assert f"{table}" in str(problem)
    assert str(row) in problem.facts["key"]
    with open_database(ELSEWHERE, empty) as target:
        assert target.introspection.table_names() == []


@beside_postgresql
def test_a_row_that_points_at_nothing(site: Path, empty: dict[str, Any]) -> None:
    with closing(sqlite3.connect(site / data_folder.SQLITE)) as database, database:
        database.execute("UPDATE press_message SET conversation_id = 999999")
    assert refused(lambda: database_move.move_database(site, SQLITE, empty, quiet)).code == "move_failed"
    with open_database(ELSEWHERE, empty) as target:
        assert target.introspection.table_names() == []


# the command, and its end in the middle


def ran(
    arguments: list[str], folder: Path, database: str = "", **more: Any
) -> subprocess.CompletedProcess[str]:
    variables = {**whole.environment(folder, database), "TALLEYRAND_LANG": "en"}
    return subprocess.run(
        [*COMMAND, *arguments],
        env=variables,
        cwd=whole.ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        **more,
    )


@beside_postgresql
def test_the_command_there_and_back(site: Path, tmp_path: Path, empty: dict[str, Any]) -> None:
    done = ran(["--to", address(empty)], site)
    assert (done.returncode, done.stderr) == (0, "")
    assert "rows, checked. The old database is unchanged" in done.stdout
    assert "secret key" in done.stdout
    again = ran(["--to", address(empty)], site)
    assert again.returncode == 1
    assert again.stderr.count("\n") == 1
    done = ran(["--to", str(tmp_path / "back")], site, address(empty))
    assert (done.returncode, done.stderr) == (0, "")
    assert lines(in_folder(tmp_path / "back")) == lines(in_folder(site))


@beside_sqlite
@pytest.mark.parametrize(
    "to",
    [
        "postgresql://somebody:se-cret@127.0.0.1:9/site",
        "postgresql://somebody:12#se-cret@127.0.0.1/site",
        "postgresql://somebody:se-cret@no-such-machine.invalid/site",
        "postgresql://somebody:se-cret@127.0.0.1",
        "mysql://somebody:se-cret@127.0.0.1/site",
        "{site}",
        "{site}/secret_key",
    ],
)
def test_what_cannot_be_is_one_line(run: Run, site: Path, to: str) -> None:
    before = state(site)
    done = run("move", "--to", to.format(site=site), "--data", str(site))
    assert (done.status, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert "se-cret" not in done.err
    assert "12" not in done.err.replace("127.0.0.1", "").replace(str(site), "")
    assert state(site) == before


def test_a_full_disk_is_a_sentence(site: Path, tmp_path: Path) -> None:
    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    before = state(site)
    done = ran(["--to", str(tmp_path / "other")], site, preexec_fn=small)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert state(tmp_path / "other") == {}
    assert state(site) == before


DIES = """
import json, os, signal, sys
from pathlib import Path
import django; django.setup()
from django.conf import settings
from talleyrand.web.backup import database_move
def told(table, done, total):
    if done >= float(sys.argv[2]) * total:
        print(table, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
to = Path(sys.argv[1]) if sys.argv[1][0] == "/" else json.loads(sys.argv[1])
database_move.move_database(settings.DATA, settings.DATABASES["default"], to, told)
"""


def killed(site: Path, to: str, share: float) -> None:
    """Move until so much is done, and end there without another word."""
    command = [sys.executable, "-c", DIES, to, str(share)]
    variables = whole.environment(site)
    done = subprocess.run(
        command, env=variables, cwd=whole.ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert done.stdout


@pytest.mark.parametrize("share", [0.0, 0.6, 1.0])
def test_killed_on_the_way_to_a_folder(site: Path, tmp_path: Path, share: float) -> None:
    before, other = state(site), tmp_path / "other"
    killed(site, str(other), share)
    assert database_move.UNFINISHED in state(other)
    assert data_folder.SQLITE not in state(other)
    database_move.move_database(site, SQLITE, other, quiet)
    assert state(site) == before
    assert set(state(other)) == {data_folder.SQLITE, "secret_key", "push_key", "told.json"}
    assert lines(in_folder(other)) == lines(in_folder(site))
    sqlite_files.check_sqlite(other / data_folder.SQLITE, other)


@beside_postgresql
@pytest.mark.parametrize("share", [0.0, 0.6, 1.0])
def test_killed_on_the_way_to_postgresql(site: Path, empty: dict[str, Any], share: float) -> None:
    before = state(site)
    target = {name: empty[name] for name in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT")}
    killed(site, json.dumps(target), share)
    with open_database(ELSEWHERE, empty) as database:
        assert database.introspection.table_names() == []
    assert state(site) == before
    database_move.move_database(site, SQLITE, empty, quiet)
    assert lines(empty) == lines(in_folder(site))


def test_a_restore_that_was_cut_off_is_ended_first(site: Path, tmp_path: Path) -> None:
    staging = site / data_folder.STAGING
    (staging / restore.INSIDE).mkdir(parents=True)
    (site / "secret_key").rename(staging / restore.INSIDE / "secret_key")
    (staging / restore.PLAN).write_text(json.dumps({"aside": "before-restore-x", "out": []}), "utf-8")
    assert "secret_key" in database_move.move_database(site, SQLITE, tmp_path / "other", quiet).files
