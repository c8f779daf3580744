"""What an update changed is noted at the start, and told; before it, the plan says what would change."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client

from talleyrand.web.administration import version_changes
from tests.web.backup import whole
from tests.web.backup.folder import old_folder
from tests.web.cast import client_of, person

PAGE = "/administration/mises-a-jour/"
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def test_the_changelog_is_read_in_both_languages() -> None:
    every = version_changes.changelog_entries()
    french, english = ([one for one in every if one.language == language] for language in ("fr", "en"))
    assert len(french) > 50
    assert len(english) > 50
    assert all(one.title and one.text for one in every)
    assert len({one.digest for one in every}) == len(every)


def _forget(folder: Path, few: int, **changed: str) -> list[version_changes.ChangelogEntry]:
    """As if the folder were of a version that said less."""
    note = json.loads((folder / version_changes.FILE).read_text())
    fresh = list(version_changes.changelog_entries()[:few])
    note["seen"] = [digest for digest in note["seen"] if digest not in {one.digest for one in fresh}]
    (folder / version_changes.FILE).write_text(json.dumps({**note, **changed}))
    return fresh


def test_what_is_new_is_told_once_noted(chief: Client, folder: Path) -> None:
    assert chief.get(PAGE).status_code == 200
    version_changes.note_start(folder, ["games.0001_tables"], NOW)
    assert version_changes.last_update(folder) is None  # a first start is no update
    fresh = _forget(folder, 2, version="0.0.9")
    assert version_changes.unseen_entries(folder) == fresh
    version_changes.note_start(folder, ["games.0002_more"], NOW)
    assert version_changes.unseen_entries(folder) == []
    page = chief.get(PAGE).content.decode()
    new = page.partition("Avant une mise à jour")[0]
    assert "0.0.9" in new
    assert "games.0002_more" in new
    assert all(one.text.split("**")[1].replace("'", "&#x27;") in new for one in fresh)
    # The next start of the same version keeps what was noted.
    version_changes.note_start(folder, [], NOW)
    assert chief.get(PAGE).content.decode() == page


@pytest.mark.parametrize("text", ["", "{", "[]", '{"seen": 3, "last": {"at": 1}}', '{"last": {}}', "\xff"])
def test_a_spoilt_note_is_none(chief: Client, folder: Path, text: str) -> None:
    (folder / version_changes.FILE).write_bytes(text.encode("latin-1"))
    assert chief.get(PAGE).status_code == 200
    version_changes.note_start(folder, [], NOW)
    assert json.loads((folder / version_changes.FILE).read_text())["seen"]


def test_others_do_not_see_the_page(db: None) -> None:
    assert {one.get(PAGE).status_code for one in (Client(), client_of(person("Bruno").name))} == {404}


def _upgrade(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "talleyrand", "upgrade", "--lang", "en", "--data", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, env=whole.environment(folder), check=False)


@pytest.mark.long
def test_the_plan_changes_nothing_and_the_upgrade_all(tmp_path: Path) -> None:
    assert "no site" in _upgrade(tmp_path / "none", "--plan").stderr
    site = old_folder(tmp_path / "site")
    before = (site / "talleyrand.sqlite3").read_bytes()
    planned = _upgrade(site, "--plan")
    assert planned.returncode == 0, planned.stderr
    assert "accounts.0004_approval" in planned.stdout
    assert (site / "talleyrand.sqlite3").read_bytes() == before
    assert not list(site.glob("backups/*"))
    assert "Done" in _upgrade(site).stdout
    assert len(list(site.glob("backups/before-*.zip"))) == 1
    assert "up to date" in _upgrade(site, "--plan").stdout
