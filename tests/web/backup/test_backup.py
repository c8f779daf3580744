"""A copy of a site that runs: one consistent state, whole or not there."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from talleyrand.web.backup import create, restore, zip_archive
from talleyrand.web.backup.backup_errors import BackupError
from tests.cli.run import Run, run
from tests.waiting import PATIENCE, wait_until
from tests.web.backup.folder import (
    KEY,
    OLD_GAME,
    SQLITE,
    database,
    games,
    is_sound,
    old_folder,
    state,
    with_former_caches,
)

__all__ = ["run"]
COMMAND = [sys.executable, "-m", "talleyrand"]


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}


def leftovers(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir() if one.name.startswith(".")]


def test_there_and_back(tmp_path: Path) -> None:
    site = old_folder(tmp_path / "site")
    (site / "uploads" / "deep").mkdir(parents=True)
    (site / "uploads" / "deep" / "é.bin").write_bytes(bytes(range(256)))
    (site / "link").symlink_to("/etc/passwd")
    place, manifest = create.create_backup(site, tmp_path / "a.zip", SQLITE)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert set(manifest.files) == {"database.sqlite3", "files/secret_key", "files/uploads/deep/é.bin"}
    assert manifest.counts["practice_practicegame"] == 1
    assert manifest.migrations[0] == "practice.0001_initial"
    restore.restore_backup(place, tmp_path / "other", SQLITE)
    assert games(tmp_path / "other") == [OLD_GAME]
    assert (tmp_path / "other" / "secret_key").read_text("ascii").strip() == KEY
    assert (tmp_path / "other" / "uploads" / "deep" / "é.bin").read_bytes() == bytes(range(256))
    assert is_sound(tmp_path / "other")


def test_a_copy_holds_no_caches_of_earlier_versions(tmp_path: Path) -> None:
    site = with_former_caches(old_folder(tmp_path / "site"))
    _place, manifest = create.create_backup(site, tmp_path / "a.zip", SQLITE)
    papers = {"files/papers/statutes.pdf", f"files/papers/{'0e' * 16}.pdf"}
    assert set(manifest.files) == {"database.sqlite3", "files/secret_key", *papers}


def test_into_a_folder_under_a_name_with_the_date(tmp_path: Path) -> None:
    place, _manifest = create.create_backup(old_folder(tmp_path / "site"), tmp_path, SQLITE)
    assert place.parent == tmp_path
    assert place.name.startswith("talleyrand-20")


def test_a_copy_holds_no_copies(tmp_path: Path) -> None:
    site = old_folder(tmp_path / "site")
    for _ in range(2):
        place, manifest = create.create_backup(site, site, SQLITE)
        assert set(manifest.files) == {"database.sqlite3", "files/secret_key"}
        place.rename(site / "earlier.zip")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    site, taken = old_folder(tmp_path / "site"), tmp_path / "a.zip"
    taken.write_text("mine", "ascii")
    with pytest.raises(BackupError) as refused:
        create.create_backup(site, taken, SQLITE)
    assert refused.value.code == "exists"
    assert taken.read_text("ascii") == "mine"


def test_where_there_is_no_site(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(BackupError) as refused:
            create.create_backup(folder, tmp_path / "a.zip", SQLITE)
        assert refused.value.code == "no_data"
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_database_makes_no_copy(tmp_path: Path) -> None:
    site = old_folder(tmp_path / "site", "CREATE TABLE big (x); INSERT INTO big VALUES (randomblob(100000));")
    file = site / "talleyrand.sqlite3"
    with closing(database(site)) as open_now:
        open_now.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = bytearray(file.read_bytes())
    whole[4096:20000] = b"\xff" * (20000 - 4096)
    file.write_bytes(whole)
    with pytest.raises(BackupError) as refused:
        create.create_backup(site, tmp_path / "a.zip", SQLITE)
    assert refused.value.code == "not_whole"
    assert {one.name for one in tmp_path.iterdir()} == {"site"}


@pytest.mark.long
def test_while_others_write(tmp_path: Path) -> None:
    """Two tables that only ever change together are alike in every copy."""
    site = old_folder(
        tmp_path / "site",
        "CREATE TABLE a (id INTEGER PRIMARY KEY, x); CREATE TABLE b (id INTEGER REFERENCES a (id), x);",
    )
    stop, done = threading.Event(), list[int | None]()

    def write() -> None:
        with closing(database(site)) as mine:
            mine.execute("PRAGMA foreign_keys=ON")
            while not stop.is_set():
                with mine:
                    mine.execute("BEGIN IMMEDIATE")
                    row = mine.execute("INSERT INTO a (x) VALUES (randomblob(2000))").lastrowid
                    mine.execute("INSERT INTO b VALUES (?, randomblob(2000))", [row])
                done.append(row)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for one in writers:
        one.start()
    try:
        counts = [_copied_counts(site, tmp_path, turn, done) for turn in range(4)]
    finally:
        stop.set()
        for one in writers:
            one.join()
    assert all(first == second for first, second in counts)
    assert counts[-1][0] > counts[0][0]
    assert len(done) >= counts[-1][0]


def _copied_counts(site: Path, place: Path, turn: int, done: list[int | None]) -> tuple[int, int]:
    file, manifest = create.create_backup(site, place / f"{turn}.zip", SQLITE)
    restored = place / f"restored{turn}"
    restore.restore_backup(file, restored, SQLITE)
    assert is_sound(restored)
    written = len(done)
    wait_until(lambda: len(done) > written)  # before the next copy is made
    return manifest.counts["a"], manifest.counts["b"]


def _written(folder: Path) -> int:
    """Bytes of a copy that is being made; -1 before it is begun."""
    with suppress(FileNotFoundError):  # it is over meanwhile
        for working in folder.glob(f"{create.WORKING}*"):
            return sum(file.stat().st_size for file in working.iterdir())
    return -1


@pytest.mark.one_in(3)
@pytest.mark.parametrize("written", [0, 1, 10_000_000])
def test_killed_in_the_middle(tmp_path: Path, written: int) -> None:
    """Half a copy never looks whole, and the next one is not disturbed by what is left."""
    more = "CREATE TABLE big (x); INSERT INTO big VALUES (randomblob(20000000));"
    site, target = old_folder(tmp_path / "site", more), tmp_path / "out" / "a.zip"
    target.parent.mkdir()
    before = state(site)
    command = [*COMMAND, "backup", str(target), "--data", str(site)]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()
    ) as process:
        wait_until(lambda: _written(target.parent) >= written or process.poll() is not None)
        process.send_signal(signal.SIGKILL)
    if target.exists():
        zip_archive.check_archive(target)
        target.unlink()
    assert state(site) == before
    old = time.time() - 2 * create.FORGOTTEN
    for left in target.parent.glob(f"{create.WORKING}*"):
        os.utime(left, (old, old))
    place, _manifest = create.create_backup(site, target, SQLITE)
    assert zip_archive.check_archive(place).counts["big"] == 1
    assert leftovers(target.parent) == []


@pytest.mark.long
def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    more = "CREATE TABLE big (x); INSERT INTO big VALUES (randomblob(3000000));"
    site = old_folder(tmp_path / "site", more)
    target = tmp_path / "out" / "a.zip"
    target.parent.mkdir()

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    ran = subprocess.run(
        [*COMMAND, "backup", str(target), "--data", str(site)],
        capture_output=True,
        text=True,
        env={**environment(), "TALLEYRAND_LANG": "fr"},
        preexec_fn=small,
        check=False,
        timeout=PATIENCE,
    )
    assert ran.returncode == 1
    assert ran.stderr.count("\n") == 1
    assert "Traceback" not in ran.stderr
    assert list(target.parent.iterdir()) == []


# the commands


@pytest.mark.parametrize(
    ("language", "saved", "restored", "aside"),
    [
        ("fr", "Sauvegardé", "Restauré", "Les données précédentes sont maintenant dans"),
        ("en", "Saved", "Restored", "The previous data is now in"),
    ],
)
def test_the_commands(run: Run, tmp_path: Path, language: str, saved: str, restored: str, aside: str) -> None:
    site, file = old_folder(tmp_path / "site"), tmp_path / "a.zip"
    ran = run("--lang", language, "backup", str(file), "--data", str(site))
    assert (ran.status, ran.err) == (0, "")
    assert saved in ran.out
    ran = run("--lang", language, "restore", str(file), "--data", str(site))
    assert (ran.status, ran.err) == (0, "")
    assert restored in ran.out
    assert aside in ran.out
    again = run("--lang", language, "backup", str(file), "--data", str(site))
    assert again.status == 1
    assert again.err.startswith("talleyrand: ")
    assert again.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["restore", "{tmp}/nowhere.zip"],
        ["restore", "{tmp}"],
        ["restore", "{tmp}/noise"],
        ["backup", "{tmp}/b.zip", "--data", "{tmp}/nowhere"],
        ["backup", "{tmp}/noise"],
        ["backup", "{tmp}/noise/b.zip"],
    ],
)
def test_what_cannot_be_is_one_line(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    site = old_folder(tmp_path / "site")
    (tmp_path / "noise").write_bytes(b"noise" * 100)
    given = [one.format(tmp=tmp_path) for one in arguments]
    data = [] if "--data" in given else ["--data", str(site)]
    before = state(tmp_path)
    ran = run(*given, *data)
    assert ran.status == 1
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert state(tmp_path) == before
