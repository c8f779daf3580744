"""Putting a copy back: only what is whole and ours, and never over what is there."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from talleyrand.web.backup import create, data_folder, restore, zip_archive
from talleyrand.web.backup.backup_errors import BackupError, error_sentences
from talleyrand.web.common import restore_note
from tests.web.backup.folder import OLD_GAME, SQLITE, database, games, old_folder, state


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A backup of an old site."""
    return create.create_backup(old_folder(tmp_path / "first"), tmp_path / "a.zip", SQLITE)[0]


@pytest.fixture
def present(tmp_path: Path) -> Path:
    """A data folder in use, with another game."""
    site = old_folder(tmp_path / "present", "UPDATE practice_practicegame SET key = 'NewGameNewGa';")
    (site / "notes.txt").write_text("mine", "ascii")
    return site


def test_what_was_there_is_moved_aside(copy: Path, present: Path) -> None:
    _manifest, aside = restore.restore_backup(copy, present, SQLITE)
    assert aside is not None
    assert games(present) == [OLD_GAME]
    assert games(aside) == ["NewGameNewGa"]
    assert (aside / "notes.txt").read_text("ascii") == "mine"
    assert not (present / "notes.txt").exists()
    assert (present / "static" / "cached.css").exists()
    _manifest, again = restore.restore_backup(copy, present, SQLITE)
    assert again not in (None, aside)
    assert (aside / "notes.txt").exists()


def test_a_note_says_of_when_the_data_are(copy: Path, present: Path, tmp_path: Path) -> None:
    """So that mails of then are not sent again."""
    for _ in range(2):
        manifest, _aside = restore.restore_backup(copy, present, SQLITE)
        assert restore_note.read_note(present) == datetime.fromisoformat(manifest.made)
    later = create.create_backup(present, tmp_path / "b.zip", SQLITE)[0]  # before anybody has read the note
    manifest, _aside = restore.restore_backup(later, tmp_path / "elsewhere", SQLITE)
    assert restore_note.read_note(tmp_path / "elsewhere") == datetime.fromisoformat(manifest.made)


def test_not_while_a_site_serves(copy: Path, present: Path, tmp_path: Path) -> None:
    hold = data_folder.DataFolderLock(present)
    hold.share()
    before = state(present)
    with pytest.raises(BackupError) as refused:
        restore.restore_backup(copy, present, SQLITE)
    assert refused.value.code == "served"
    assert state(present) == before
    restore.restore_backup(copy, tmp_path / "elsewhere", SQLITE)
    hold.release()
    restore.restore_backup(copy, present, SQLITE)
    assert games(present) == [OLD_GAME]


Change = Callable[[dict[str, Any], dict[str, bytes]], Any]


def told(**facts: Any) -> Change:
    return lambda manifest, _members: manifest.update(facts)


def put(name: str, content: bytes = b"x", said: bool = True) -> Change:
    """Another member, which the manifest knows of or not."""

    def change(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
        import hashlib

        members[name] = content
        if said:
            manifest["files"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    return change


def drop(name: str) -> Change:
    return lambda _manifest, members: members.pop(name)


def spoil(name: str) -> Change:
    return lambda _manifest, members: members.update({name: members[name][:-1] + b"!"})


def swell(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    put("files/big", bytes(200 * 1024 * 1024))(manifest, members)


REFUSED: dict[str, tuple[Change, str]] = {
    "a changed database": (spoil("database.sqlite3"), "damaged"),
    "a changed key": (spoil("files/secret_key"), "damaged"),
    "no database": (drop("database.sqlite3"), "damaged"),
    "no key": (drop("files/secret_key"), "damaged"),
    "something more": (put("files/more", said=False), "damaged"),
    "out of the folder": (put("files/../../evil"), "damaged"),
    "at the root": (put("/etc/evil"), "damaged"),
    "a drive": (put("files/C:evil"), "damaged"),
    "backslashes": (put("files/..\\evil"), "damaged"),
    "a dot": (put("files/./x"), "damaged"),
    "a folder": (put("files/x/"), "damaged"),
    "over a cache": (put("files/static/x"), "damaged"),
    "over the database": (put("files/talleyrand.sqlite3"), "damaged"),
    "over the lock": (put("files/.lock"), "damaged"),
    "elsewhere": (put("evil"), "damaged"),
    "other counts": (told(counts={"practice_practicegame": 2}), "damaged"),
    "other steps": (told(migrations=["practice.0001_initial"]), "damaged"),
    "steps of tomorrow": (told(migrations=["practice.9999_tomorrow"]), "newer"),
    "a form of tomorrow": (told(form=2), "newer"),
    "another kind of database": (told(database="postgresql"), "damaged"),
    "no kind": (told(database=["sqlite"]), "damaged"),
    "no files": (told(files={}), "damaged"),
    "files of no size": (told(files={"database.sqlite3": {}}), "damaged"),
    "files as a list": (told(files=[]), "damaged"),
    "steps that are none": (told(migrations=None), "damaged"),
    "facts that nobody knows": (told(colour="blue"), "damaged"),
    "another program's": (told(talleyrand="games"), "foreign"),
    "a bomb": (swell, "damaged"),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("change", "code"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_whole_or_ours_is_refused(copy: Path, present: Path, change: Change, code: str) -> None:
    with zipfile.ZipFile(copy) as whole:
        members = {name: whole.read(name) for name in whole.namelist() if name != zip_archive.MANIFEST}
        manifest = json.loads(whole.read(zip_archive.MANIFEST))
    change(manifest, members)
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, content in members.items():
            made.writestr(name, content)
        made.writestr(zip_archive.MANIFEST, json.dumps(manifest))
    _refused(copy, present, code)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (lambda _whole: b"", "foreign"),
        (lambda _whole: b"noise" * 1000, "foreign"),
        (lambda whole: whole[: len(whole) // 2], "damaged"),
        (lambda whole: whole[:-10], "damaged"),
        (lambda whole: whole[:200] + b"\xff" * 50 + whole[250:], "damaged"),
        (lambda whole: whole[:40] + whole[41:], "damaged"),
    ],
    ids=["empty", "noise", "half", "no end", "flipped", "shifted"],
)
def test_bytes_that_went_wrong(
    copy: Path, present: Path, content: Callable[[bytes], bytes], code: str
) -> None:
    copy.write_bytes(content(copy.read_bytes()))
    _refused(copy, present, code)


def test_another_zip_is_foreign(tmp_path: Path, present: Path) -> None:
    other = tmp_path / "other.zip"
    for members in ({}, {"manifest.json": "{}"}, {"manifest.json": "[]"}, {"manifest.json": "null"}):
        with zipfile.ZipFile(other, "w") as made:
            for name, content in members.items():
                made.writestr(name, content)
        _refused(other, present, "foreign")
    for broken in ("{", "[" * 100_000, '{"talleyrand": "backup", "form": 1, "files": {"é": 1}}'):
        with zipfile.ZipFile(other, "w") as made:
            made.writestr("manifest.json", broken)
        _refused(other, present, "damaged")


def _refused(file: Path, present: Path, code: str) -> None:
    before = state(present)
    with pytest.raises(BackupError) as refused:
        restore.restore_backup(file, present, SQLITE)
    assert refused.value.code == code
    assert state(present) == before
    assert all(str(file) in refused.value.sentence(language) for language in ("fr", "en"))


class Killed(BaseException):
    """The process is gone at once: nothing is tidied up."""


def test_killed_at_any_move_it_is_ended_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = create.create_backup(old_folder(tmp_path / "first"), tmp_path / "a.zip", SQLITE)[0]
    whole = Path.rename
    for most in range(20):
        site = old_folder(tmp_path / f"site{most}", "UPDATE practice_practicegame SET key = 'NewGameNewGa';")
        left = most

        def rename(self: Path, target: Path) -> Path:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return whole(self, target)

        with monkeypatch.context() as dying:
            dying.setattr(Path, "rename", rename)
            try:
                restore.restore_backup(copy, site, SQLITE)
            except Killed:
                pass
            else:
                assert most > 4
                break
        restore.finish_restore(site)
        restore.finish_restore(site)
        assert games(site) in ([OLD_GAME], ["NewGameNewGa"])
        if games(site) == [OLD_GAME]:
            aside = next(site.glob(f"{data_folder.ASIDE_PREFIX}*"))
            assert games(aside) == ["NewGameNewGa"]
            assert (aside / "secret_key").exists()
        assert (site / "secret_key").exists()
        assert not (site / data_folder.STAGING / restore.PLAN).exists()
    else:
        pytest.fail("never ended")


def test_every_sentence_is_said_in_both_languages() -> None:
    for code, told in error_sentences().items():
        assert set(told) == {"fr", "en"}, code
        assert told["fr"] != told["en"], code
        assert told["fr"].count("{") == told["en"].count("{"), code


def test_the_database_of_another_kind(copy: Path, present: Path) -> None:
    with pytest.raises(BackupError) as refused:
        restore.restore_backup(copy, present, {"ENGINE": "django.db.backends.postgresql"})
    assert refused.value.code == "other_database"
    assert "PostgreSQL" in str(refused.value)


def test_journals_go_aside_with_their_database(copy: Path, present: Path) -> None:
    """A journal that stayed behind would be read into the restored database."""
    with database(present) as writing:
        writing.execute("UPDATE practice_practicegame SET seed = 'unfolded'")
        restore.restore_backup(copy, present, SQLITE)
        assert not (present / "talleyrand.sqlite3-wal").exists()
    writing.close()
    assert games(present) == [OLD_GAME]
