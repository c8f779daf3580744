"""`talleyrand pages`, `talleyrand events`, `talleyrand worker`: a large site, in processes of its own."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable
from importlib import import_module, util
from pathlib import Path
from typing import Any

from .failures import DONE, FAULT, CommandError
from .sentences import Speaker
from .serve import HERE, NEEDED, data_folder, port

Command = Callable[[str], argparse.ArgumentParser]
NEEDED_BESIDE = ("granian", "procrastinate", "psycopg", "psycopg_pool")
PAGES, EVENTS = 8000, 8100
THREADS, JOBS = 8, 4


def describe(command: Command, say: Speaker) -> None:
    """Add the commands."""
    parser = _place(command("pages"), say, PAGES)
    parser.add_argument(
        "--processes", type=_few, default=1, metavar=say("metavar.number"), help=say("help.pages.processes")
    )
    parser.add_argument(
        "--threads", type=_few, default=THREADS, metavar=say("metavar.number"), help=say("help.pages.threads")
    )
    parser.set_defaults(run=pages)
    _place(command("events"), say, EVENTS).set_defaults(run=events)
    parser = _data(command("worker"), say)
    parser.add_argument(
        "--jobs", type=_few, default=JOBS, metavar=say("metavar.number"), help=say("help.worker.jobs")
    )
    parser.set_defaults(run=work)


def _place(parser: argparse.ArgumentParser, say: Speaker, usual: int) -> argparse.ArgumentParser:
    parser.add_argument("--host", default=HERE, help=say("help.host"))
    parser.add_argument("--port", type=port, default=usual, help=say("help.large.port", port=str(usual)))
    return _data(parser, say)


def _data(parser: argparse.ArgumentParser, say: Speaker) -> argparse.ArgumentParser:
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    return parser


def _few(text: str) -> int:
    """From 1 to 64; ValueError for any other text."""
    found = int(text)
    if not 1 <= found <= 64:
        raise ValueError(text)
    return found


def pages(options: argparse.Namespace, _say: Speaker) -> int:
    """Serve pages until interrupted."""
    many = {"processes": options.processes, "threads": options.threads}
    status: int = _processes().pages(options.host, options.port, data_folder(options), **many)
    return status


def events(options: argparse.Namespace, _say: Speaker) -> int:
    """Serve what is live until interrupted."""
    status: int = _processes().events(options.host, options.port, data_folder(options))
    return status


def work(options: argparse.Namespace, say: Speaker) -> int:
    """Do the slow work until interrupted."""
    processes = _processes()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())

    def told() -> None:
        print(say("worker.begun"), flush=True)

    try:
        processes.work(stop, told, data_folder(options), at_once=options.jobs)
    except processes.CannotServe as problem:
        print(problem, file=sys.stderr)
        return FAULT
    return DONE


def _processes() -> Any:
    if missing := [name for name in NEEDED if util.find_spec(name) is None]:
        raise CommandError("error.no_web", missing=", ".join(missing))
    if missing := [name for name in NEEDED_BESIDE if util.find_spec(name) is None]:
        raise CommandError("error.no_large", missing=", ".join(missing))
    return import_module("talleyrand.web.processes")
