"""`talleyrand clock`: publishes what is due, beside the site."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from importlib import import_module, util
from pathlib import Path

from .console import CliSentences
from .failures import DONE, FAULT, CommandError
from .site_commands import SITE_PACKAGES, data_folder

# What a sweep may have done that somebody would want to read; the rest is looking.
REPORTED_ACTIONS = ("publish", "extend", "spare", "restart", "wait", "end", "warn", "parked")


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("clock")
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    parser.set_defaults(run=run_clock)


def run_clock(options: argparse.Namespace, say: CliSentences) -> int:
    """Look every second at what is due, until interrupted."""
    missing = [name for name in SITE_PACKAGES if util.find_spec(name) is None]
    if missing:
        raise CommandError("error.no_web", missing=", ".join(missing))
    serve = import_module("talleyrand.web.server.site_server")
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    print(say("clock.begun"), flush=True)
    try:
        serve.run_clock(stop, lambda done: _tell(done, say), data_folder(options))
    except serve.CannotServe as problem:
        print(problem, file=sys.stderr)
        return FAULT
    except KeyboardInterrupt:
        print()
    return DONE


def _tell(done: Mapping[str, int], say: CliSentences) -> None:
    """One line for a sweep that did something."""
    said = [say(f"clock.{step}", count=str(done[step])) for step in REPORTED_ACTIONS if done.get(step)]
    if said:
        print(f"{datetime.now().astimezone():%H:%M:%S}  {', '.join(said)}", flush=True)
