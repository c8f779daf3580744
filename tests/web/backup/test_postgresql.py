"""The same with PostgreSQL's own tools, where the tests run beside it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from talleyrand.web.accounts.models import Person
from talleyrand.web.backup import (
    create,
    data_folder,
    migration_state,
    older_schema,
    postgresql_tools,
    restore,
    upgrade,
    zip_archive,
)
from talleyrand.web.backup.backup_errors import BackupError
from tests.web.backup.folder import KEY
from tests.web.cast import person

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="for PostgreSQL"),
]


@pytest.fixture
def site(tmp_path: Path, transactional_db: None) -> Path:
    """A data folder; no thread of an earlier test is still connected."""
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "secret_key").write_text(KEY, "ascii")
    return folder


def test_there_and_back(site: Path, tmp_path: Path) -> None:
    person("Agathe")
    place, manifest = create.create_backup(site, tmp_path / "a.zip", connection.settings_dict)
    assert manifest.database == "postgresql"
    assert set(manifest.migrations) == migration_state.applied_migrations()
    Person.objects.all().delete()
    person("Edmond")
    connection.close()
    _manifest, aside = restore.restore_backup(place, site, connection.settings_dict)
    assert [one.name for one in Person.objects.all()] == ["Agathe"]
    assert aside is not None
    assert zip_archive.check_archive(aside / "database.zip").database == "postgresql"
    assert (site / "secret_key").read_text("ascii") == KEY
    assert not (site / data_folder.STAGING).exists()


def test_a_dump_that_is_none_changes_nothing(site: Path, tmp_path: Path) -> None:
    person("Agathe")
    place, _manifest = create.create_backup(site, tmp_path / "a.zip", connection.settings_dict)
    noise = tmp_path / "noise"
    noise.write_bytes(b"noise")
    with pytest.raises(BackupError) as refused:
        postgresql_tools.load_database(connection.settings_dict, noise)
    assert refused.value.code == "tool_failed"
    assert Person.objects.count() == 1
    with pytest.raises(BackupError) as refused:
        restore.restore_backup(place, site, {"ENGINE": "django.db.backends.sqlite3"})
    assert refused.value.code == "other_database"


def test_without_its_tools(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError) as refused:
        create.create_backup(site, tmp_path / "a.zip", connection.settings_dict)
    assert refused.value.code == "no_tool"
    assert "pg_dump" in str(refused.value)
    assert not (tmp_path / "a.zip").exists()


# data of an older version


@pytest.fixture
def older(site: Path) -> Iterator[Path]:
    """The data folder of a site whose database lacks the mail’s tables, and has former names of the
    accounts’; afterwards it has them all again."""
    person("Agathe")
    call_command("migrate", "mail", "zero", verbosity=0)
    _rename_back()
    yield site
    older_schema.complete()
    call_command("migrate", verbosity=0)


def _rename_back() -> None:
    """Leave the tables of the accounts as the first versions had them."""
    former, recorder = older_schema.former_tables(), MigrationRecorder(connection)
    for table in [table for table in former if table.startswith("accounts_")]:
        for column, name in former[table].get("columns", {}).items():
            _run(f'ALTER TABLE "{table}" RENAME COLUMN "{name}" TO "{column}"')
        if former[table]["table"] != table:
            _run(f'ALTER TABLE "{table}" RENAME TO "{former[table]["table"]}"')
    for step in ("0001_tables", "0001_initial", "0002_signed_in"):
        recorder.record_unapplied("accounts", step)


def _run(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def begin(site: Path) -> None:
    upgrade.lock_and_upgrade(site, connection.settings_dict).release()


def test_it_is_brought_up_to_date_after_a_copy(older: Path) -> None:
    before = migration_state.applied_migrations()
    begin(older)
    assert migration_state.applied_migrations() == migration_state.known_migrations()
    assert [one.name for one in Person.objects.all()] == ["Agathe"]
    (copy,) = (older / data_folder.BACKUPS).glob("before-*.zip")
    assert set(zip_archive.check_archive(copy).migrations) == before


def test_it_is_put_back_in_the_place_of_newer_tables(older: Path) -> None:
    """What a later version made would be in the way of the next update."""
    begin(older)
    (copy,) = (older / data_folder.BACKUPS).glob("before-*.zip")
    connection.close()
    restore.restore_backup(copy, older, connection.settings_dict)
    assert "mail_sendlock" not in connection.introspection.table_names()
    begin(older)
    assert [one.name for one in Person.objects.all()] == ["Agathe"]
    assert migration_state.applied_migrations() == migration_state.known_migrations()


def test_a_step_that_fails_undoes_those_before_it(older: Path) -> None:
    before, tables = migration_state.applied_migrations(), connection.introspection.table_names()
    _run("CREATE TABLE mail_unsubscribedaddress (x integer)")
    with pytest.raises(BackupError) as refused:
        begin(older)
    found = connection.introspection.table_names()
    _run("DROP TABLE mail_unsubscribedaddress")
    assert refused.value.code == "upgrade_failed"
    assert "mail_unsubscribedaddress" in str(refused.value)
    assert migration_state.applied_migrations() == before
    assert {*found} == {*tables, "mail_unsubscribedaddress"}
    begin(older)
    assert migration_state.applied_migrations() == migration_state.known_migrations()


def test_two_machines_at_once(older: Path, tmp_path: Path) -> None:
    """Each has a data folder of its own: the one waits for the other."""
    failed: list[Exception] = []
    start = threading.Barrier(2)

    def serve(folder: Path) -> None:
        try:
            start.wait()
            begin(folder)
        except Exception as problem:  # noqa: BLE001 told below
            failed.append(problem)
        finally:
            connection.close()

    (tmp_path / "second").mkdir()
    both = [threading.Thread(target=serve, args=[one]) for one in (older, tmp_path / "second")]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert failed == []
    assert migration_state.applied_migrations() == migration_state.known_migrations()
    assert len([*tmp_path.glob("*/backups/before-*.zip")]) == 1


def test_not_put_back_while_others_are_connected(site: Path, tmp_path: Path) -> None:
    place, _manifest = create.create_backup(site, tmp_path / "a.zip", connection.settings_dict)
    other = connection.copy()
    other.ensure_connection()
    with pytest.raises(BackupError) as refused:
        restore.restore_backup(place, site, connection.settings_dict)
    other.close()
    assert refused.value.code == "connected"
    restore.restore_backup(place, site, connection.settings_dict)
