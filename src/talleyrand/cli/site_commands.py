"""The commands of a site: it serves, publishes, takes mail, is looked after, kept and moved."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from importlib import import_module, util
from pathlib import Path
from typing import Any

from .console import (
    DONE,
    FAULT,
    USAGE,
    AddCommand,
    CliSentences,
    CommandError,
    CommandParser,
    ProgressLine,
    RunCommand,
    require_packages,
)

SITE_PACKAGES = ("django", "uvicorn", "whitenoise", "aiosmtpd", "segno")
LARGE_SITE_PACKAGES = ("granian", "procrastinate", "psycopg", "psycopg_pool")
WARM_UP_ARGUMENTS = ("-m", "talleyrand.simulation.bots.precompile")
ALL_INTERFACES, LOCALHOST = "0.0.0.0", "127.0.0.1"  # noqa: S104 the player asked for the local network
SITE_PORT, EVENTS_PORT, SMTP_PORT = 8000, 8100, 8025
DEFAULT_THREADS, DEFAULT_JOBS = 8, 4
# What a sweep may have done that somebody would want to read; the rest is looking.
REPORTED_ACTIONS = ("publish", "extend", "spare", "restart", "wait", "end", "warn", "parked")
SiteCommand = Callable[[argparse.Namespace, CliSentences, Any], int]


def describe_site_commands(command: AddCommand) -> None:
    """Add the commands that serve a site, in one process or several."""
    parser = command("serve", serve)
    place = parser.one_of()
    place.add("--host", told="help.host", default=LOCALHOST)
    place.add("--lan", told="help.lan", action="store_true")
    parser.add("--port", told="help.port", type=port_number, default=SITE_PORT)
    parser.add("--smtp", told="help.serve.smtp", shown="metavar.place", type=address_and_port)
    _add_folder(parser)
    _add_folder(command("clock", run_clock))
    parser = command("pages", run_pages)
    _add_place(parser, SITE_PORT)
    parser.add("--processes", told="help.pages.processes", shown="metavar.number", type=_few, default=1)
    parser.add(
        "--threads", told="help.pages.threads", shown="metavar.number", type=_few, default=DEFAULT_THREADS
    )
    _add_place(command("events", run_events), EVENTS_PORT)
    parser = command("worker", run_worker)
    _add_folder(parser)
    parser.add("--jobs", told="help.worker.jobs", shown="metavar.number", type=_few, default=DEFAULT_JOBS)
    parser = command("health", health)
    parser.add("--quiet", told="help.health.quiet", action="store_true")
    _add_folder(parser)
    parser = command("smtp", run_smtp)
    parser.add("--host", told="help.host", default=LOCALHOST)
    parser.add("--port", told="help.smtp.port", type=port_number, default=SMTP_PORT)
    parser.add("--lmtp", told="help.smtp.lmtp", action="store_true")
    parser.add("--socket", told="help.smtp.socket", shown="metavar.file", type=Path)
    _add_folder(parser)


def describe_keeping_commands(command: AddCommand) -> None:
    """Add the commands that keep a site and its accounts."""
    parser = command("backup", backup)
    parser.add("file", told="help.backup.file", shown="metavar.file", nargs="?", type=Path)
    _add_folder(parser)
    parser = command("restore", restore)
    parser.add("file", told="help.restore.file", shown="metavar.file", type=Path)
    _add_folder(parser)
    parser = command("upgrade", upgrade)
    parser.add("--plan", told="help.upgrade.plan", action="store_true")
    _add_folder(parser)
    parser = command("move", move_site)
    parser.add("--to", told="help.move.to", shown="metavar.database", required=True)
    _add_folder(parser)
    parser = command("password", password)
    parser.add("name", told="help.password.name", shown="metavar.name")
    _add_folder(parser)
    _add_folder(command("ratings", ratings))


def _add_place(parser: CommandParser, usual: int) -> None:
    parser.add("--host", told="help.host", default=LOCALHOST)
    told = parser.say("help.large.port", port=str(usual))
    parser.arguments.add_argument("--port", type=port_number, default=usual, help=told)
    _add_folder(parser)


def _add_folder(parser: CommandParser) -> None:
    parser.add("--data", told="help.data", shown="metavar.folder", type=Path)


def site_command(run: SiteCommand) -> RunCommand:
    """A command that is given the module that serves; where that cannot, it says why and is at fault."""

    @wraps(run)
    def run_command(options: argparse.Namespace, say: CliSentences) -> int:
        require_packages(SITE_PACKAGES, "error.no_web")
        server = import_module("talleyrand.web.server.site_server")
        try:
            return run(options, say, server)
        except server.CannotServe as problem:
            print(problem, file=sys.stderr)
            return FAULT

    return run_command


def _stopped_by(*signals: signal.Signals) -> threading.Event:
    """An event that is set when the process is asked to end."""
    stop = threading.Event()
    for number in signals:
        signal.signal(number, lambda *_: stop.set())
    return stop


def serve(options: argparse.Namespace, _say: CliSentences) -> int:
    """Serve until interrupted."""
    require_packages(SITE_PACKAGES, "error.no_web")
    data = data_folder(options)
    server = import_module("talleyrand.web.server.site_server")
    with _rehearsal():
        host = ALL_INTERFACES if options.lan else options.host
        status: int | None = server.serve_site(host, options.port, data, options.smtp)
    return status or 0


def data_folder(options: argparse.Namespace) -> Path:
    """The folder of a site: as asked for, or from the environment, or `data`."""
    return Path(options.data or os.environ.get("TALLEYRAND_DATA", "").strip() or "data")


@contextmanager
def _rehearsal() -> Iterator[None]:
    """Meanwhile a process compiles what the computer's players need, unless it is kept already."""
    if util.find_spec("numba") is None:
        yield
        return
    offspring = import_module("talleyrand.web.limits.child_processes")
    process: subprocess.Popen[bytes] = offspring.start_child(
        (sys.executable, "-P", *WARM_UP_ARGUMENTS), subprocess.DEVNULL, silent=True
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def port_number(text: str) -> int:
    """The number of a port; ValueError for any other text."""
    found = int(text)
    if not 0 <= found < 65536:
        raise ValueError(text)
    return found


def address_and_port(text: str) -> tuple[str, int]:
    """A port, on this machine alone unless an address stands before it."""
    host, _colon, number = text.rpartition(":")
    return host.removeprefix("[").removesuffix("]") or LOCALHOST, port_number(number)


@site_command
def run_clock(options: argparse.Namespace, say: CliSentences, server: Any) -> int:
    """Look every second at what is due, until interrupted."""
    stop = _stopped_by(signal.SIGTERM)
    print(say("clock.begun"), flush=True)
    try:
        server.run_clock(stop, lambda done: _print_sweep(done, say), data_folder(options))
    except KeyboardInterrupt:
        print()
    return DONE


def _print_sweep(done: Mapping[str, int], say: CliSentences) -> None:
    """One line for a sweep that did something."""
    said = [say(f"clock.{step}", count=str(done[step])) for step in REPORTED_ACTIONS if done.get(step)]
    if said:
        print(f"{datetime.now().astimezone():%H:%M:%S}  {', '.join(said)}", flush=True)


def _few(text: str) -> int:
    """From 1 to 64; ValueError for any other text."""
    found = int(text)
    if not 1 <= found <= 64:
        raise ValueError(text)
    return found


def run_pages(options: argparse.Namespace, _say: CliSentences) -> int:
    """Serve pages until interrupted."""
    many = {"processes": options.processes, "threads": options.threads}
    status: int = _processes().serve_pages(options.host, options.port, data_folder(options), **many)
    return status


def run_events(options: argparse.Namespace, _say: CliSentences) -> int:
    """Serve what is live until interrupted."""
    status: int = _processes().serve_event_streams(options.host, options.port, data_folder(options))
    return status


def run_worker(options: argparse.Namespace, say: CliSentences) -> int:
    """Do the slow work until interrupted."""
    processes = _processes()
    stop = _stopped_by(signal.SIGTERM, signal.SIGINT)

    def announce_start() -> None:
        print(say("worker.begun"), flush=True)

    try:
        processes.run_worker(stop, announce_start, data_folder(options), at_once=options.jobs)
    except processes.CannotServe as problem:
        print(problem, file=sys.stderr)
        return FAULT
    return DONE


def _processes() -> Any:
    require_packages(SITE_PACKAGES, "error.no_web")
    require_packages(LARGE_SITE_PACKAGES, "error.no_large")
    return import_module("talleyrand.web.server.large_site")


@site_command
def health(options: argparse.Namespace, say: CliSentences, server: Any) -> int:
    """Print each check; 0 if all is well, 1 if something is not, or cannot be asked."""
    is_well, lines = server.check_site_health(data_folder(options))
    if not (is_well and options.quiet):
        print("\n".join(lines))
        print(say("health.well" if is_well else "health.failing"))
    return DONE if is_well else FAULT


@site_command
def run_smtp(options: argparse.Namespace, say: CliSentences, server: Any) -> int:
    """Take mail, read it and answer it, until interrupted."""
    if options.socket and not options.lmtp:
        raise CommandError("error.socket", USAGE)
    server.run_mail_server(
        _stopped_by(signal.SIGTERM, signal.SIGINT),
        lambda place: print(say("smtp.begun", place=place), flush=True),
        data_folder(options),
        place=(options.host, options.port),
        lmtp=options.lmtp,
        path=options.socket,
    )
    return DONE


@site_command
def password(options: argparse.Namespace, say: CliSentences, server: Any) -> int:
    """Print the link; it works once, on the site as it is served."""
    path = server.password_link(options.name, data_folder(options))
    if not path:
        raise CommandError("error.no_account", name=options.name)
    print(say("password.link"))
    print(path)
    return DONE


@site_command
def upgrade(options: argparse.Namespace, say: CliSentences, server: Any) -> int:
    """Say what the next start would change, or change it."""
    folder = data_folder(options)
    steps, entries = server.planned_upgrade(folder)
    print(say("upgrade.steps", steps=", ".join(steps)) if steps else say("upgrade.none"))
    for language, text in entries:
        if language == say.language:
            print(f"- {text}")
    if not options.plan:
        server.upgrade_site(folder)
        print(say("upgrade.done"))
    elif steps:
        print(say("upgrade.next"))
    return DONE


@site_command
def ratings(options: argparse.Namespace, say: CliSentences, server: Any) -> int:
    """Compute all ratings again, and print what tells whether two sites have the same."""
    for pool, count, digest in server.compute_ratings_again(data_folder(options)):
        print(say("ratings.pool", pool=pool, count=str(count), digest=digest))
    return DONE


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
    require_packages(SITE_PACKAGES, "error.no_web")
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


def move_site(options: argparse.Namespace, say: CliSentences) -> int:
    """Move the site from the database in use to another."""
    folder, progress = data_folder(options), ProgressLine(at_once=False)

    def tell(table: str, done: int, total: int) -> None:
        if progress.is_due():
            percent = f"{100 * done / max(total, 1):.0f}"
            progress.write(say("move.progress", percent=percent, done=str(done), all=str(total), table=table))

    with site_database(say) as settings:
        target = _target(options.to)
        try:
            moved = import_module("talleyrand.web.backup.database_move").move_database(
                folder, settings, target, tell
            )
        finally:
            progress.end()
    print(say("move.done", rows=str(moved.rows)))
    if moved.files:
        print(say("move.files", files=", ".join(moved.files)))
    print(
        say("move.next.folder", folder=options.to) if isinstance(target, Path) else say("move.next.database")
    )
    _tell_of_the_key(target if isinstance(target, Path) else folder, say)
    return 0


def _target(text: str) -> dict[str, Any] | Path:
    """The settings of a PostgreSQL, or a folder."""
    if "://" not in text:
        return Path(text)
    from django.core.exceptions import ImproperlyConfigured

    try:
        found: dict[str, Any] = import_module("talleyrand.web.settings.databases").postgresql_settings(
            "--to", text
        )
    except ImproperlyConfigured as problem:
        raise CommandError("error.keeping", reason=str(problem)) from problem
    return found


def _tell_of_the_key(folder: Path, say: CliSentences) -> None:
    """Where the key is that sessions and links are signed with: no database holds it."""
    if os.environ.get("TALLEYRAND_SECRET_KEY", "").strip():
        print(say("move.key.variable"))
    elif (folder / "secret_key").is_file():
        print(say("move.key.file", file=str(folder / "secret_key")))
    else:
        print(say("move.key.missing", folder=str(folder)))
