"""`talleyrand backup` and `talleyrand restore`: copies of a site, while it runs."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module, util
from pathlib import Path
from typing import Any

from .console import CliSentences
from .failures import CommandError
from .site_commands import SITE_PACKAGES, data_folder

Command = Callable[[str], argparse.ArgumentParser]


def describe(command: Command, say: CliSentences) -> None:
    """Add both commands."""
    parser = command("backup")
    parser.add_argument(
        "file", nargs="?", type=Path, metavar=say("metavar.file"), help=say("help.backup.file")
    )
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    parser.set_defaults(run=backup)
    parser = command("restore")
    parser.add_argument("file", type=Path, metavar=say("metavar.file"), help=say("help.restore.file"))
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    parser.set_defaults(run=restore)


def backup(options: argparse.Namespace, say: CliSentences) -> int:
    """Copy a site into a file."""
    folder = data_folder(options)
    with site_database(say) as database:
        making = import_module("talleyrand.web.backup.create")
        place, manifest = making.create_backup(folder, options.file or Path(), database)
    size = f"{place.stat().st_size / 1_000_000:.1f}"
    print(say("backup.done", file=str(place), size=size, rows=str(sum(manifest.counts.values()))))
    return 0


def restore(options: argparse.Namespace, say: CliSentences) -> int:
    """Put the site of a file back."""
    folder = data_folder(options)
    with site_database(say) as database:
        putting = import_module("talleyrand.web.backup.restore")
        manifest, aside = putting.restore_backup(options.file, folder, database)
    print(say("restore.done", folder=str(folder), made=manifest.made, version=manifest.version))
    if aside is not None:
        print(say("restore.aside", folder=str(aside)))
    return 0


@contextmanager
def site_database(say: CliSentences) -> Iterator[dict[str, Any]]:
    """Django's settings of the database, read with a passing folder: so the site's own stays untouched."""
    missing = [name for name in SITE_PACKAGES if util.find_spec(name) is None]
    if missing:
        raise CommandError("error.no_web", missing=", ".join(missing))
    faults = import_module("talleyrand.web.backup.backup_errors")
    try:
        yield _settings()
    except faults.BackupError as problem:
        raise CommandError("error.keeping", reason=problem.sentence(say.language)) from problem


def _settings() -> dict[str, Any]:
    import django
    from django.core.exceptions import ImproperlyConfigured

    before = os.environ.get("TALLEYRAND_DATA")
    with tempfile.TemporaryDirectory() as passing:
        os.environ["TALLEYRAND_DATA"] = passing
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
        try:
            django.setup()
            found: dict[str, Any] = import_module("django.conf").settings.DATABASES["default"]
        except ImproperlyConfigured as problem:
            raise CommandError("error.keeping", reason=str(problem)) from problem
        finally:
            os.environ["TALLEYRAND_DATA"] = before or ""
    return found
