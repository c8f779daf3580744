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

from .failures import DONE, FAULT, CommandError
from .sentences import Speaker
from .serve import NEEDED, data_folder

# What a sweep may have done that somebody would want to read; the rest is looking.
TOLD = ("publish", "extend", "spare", "restart", "wait", "end", "warn", "parked")


def describe(command: Callable[[str], argparse.ArgumentParser], say: Speaker) -> None:
    """Add the command."""
    parser = command("clock")
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    parser.set_defaults(run=keep_time)


def keep_time(options: argparse.Namespace, say: Speaker) -> int:
    """Look every second at what is due, until interrupted."""
    missing = [name for name in NEEDED if util.find_spec(name) is None]
    if missing:
        raise CommandError("error.no_web", missing=", ".join(missing))
    serve = import_module("talleyrand.web.serve")
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    print(say("clock.begun"), flush=True)
    try:
        serve.keep_time(stop, lambda done: _tell(done, say), data_folder(options))
    except serve.CannotServe as problem:
        print(problem, file=sys.stderr)
        return FAULT
    except KeyboardInterrupt:
        print()
    return DONE


def _tell(done: Mapping[str, int], say: Speaker) -> None:
    """One line for a sweep that did something."""
    said = [say(f"clock.{step}", count=str(done[step])) for step in TOLD if done.get(step)]
    if said:
        print(f"{datetime.now().astimezone():%H:%M:%S}  {', '.join(said)}", flush=True)
