"""The same with PostgreSQL's own tools, where the tests run beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection

from talleyrand.web.accounts.models import Person
from talleyrand.web.keeping import archive, backup, folders, postgres, restore, stages
from talleyrand.web.keeping.faults import CannotKeep
from tests.web.cast import person
from tests.web.keeping.folder import KEY

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="for PostgreSQL"),
]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "secret_key").write_text(KEY, "ascii")
    return folder


def test_there_and_back(site: Path, tmp_path: Path) -> None:
    person("Agathe")
    place, manifest = backup.make(site, tmp_path / "a.zip", connection.settings_dict)
    assert manifest.database == "postgresql"
    assert set(manifest.migrations) == stages.applied()
    Person.objects.all().delete()
    person("Edmond")
    connection.close()
    _manifest, aside = restore.put_back(place, site, connection.settings_dict)
    assert [one.name for one in Person.objects.all()] == ["Agathe"]
    assert aside is not None
    assert archive.examine(aside / "database.zip").database == "postgresql"
    assert (site / "secret_key").read_text("ascii") == KEY
    assert not (site / folders.STAGING).exists()


def test_a_dump_that_is_none_changes_nothing(site: Path, tmp_path: Path) -> None:
    person("Agathe")
    place, _manifest = backup.make(site, tmp_path / "a.zip", connection.settings_dict)
    noise = tmp_path / "noise"
    noise.write_bytes(b"noise")
    with pytest.raises(CannotKeep) as refused:
        postgres.load(connection.settings_dict, noise)
    assert refused.value.code == "tool_failed"
    assert Person.objects.count() == 1
    with pytest.raises(CannotKeep) as refused:
        restore.put_back(place, site, {"ENGINE": "django.db.backends.sqlite3"})
    assert refused.value.code == "other_database"


def test_without_its_tools(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotKeep) as refused:
        backup.make(site, tmp_path / "a.zip", connection.settings_dict)
    assert refused.value.code == "no_tool"
    assert "pg_dump" in str(refused.value)
    assert not (tmp_path / "a.zip").exists()
