"""`talleyrand smtp`: takes the mail of games played by post, beside the site."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable
from importlib import import_module, util
from pathlib import Path

from .console import CliSentences
from .failures import DONE, FAULT, USAGE, CommandError
from .site_commands import (
    LOCALHOST,
    SITE_PACKAGES,
    data_folder,
    port_number,
)

PORT = 8025


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("smtp")
    parser.add_argument("--host", default=LOCALHOST, help=say("help.host"))
    parser.add_argument("--port", type=port_number, default=PORT, help=say("help.smtp.port"))
    parser.add_argument("--lmtp", action="store_true", help=say("help.smtp.lmtp"))
    parser.add_argument("--socket", type=Path, metavar=say("metavar.file"), help=say("help.smtp.socket"))
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    parser.set_defaults(run=run_smtp)


def run_smtp(options: argparse.Namespace, say: CliSentences) -> int:
    """Take mail, read it and answer it, until interrupted."""
    missing = [name for name in SITE_PACKAGES if util.find_spec(name) is None]
    if missing:
        raise CommandError("error.no_web", missing=", ".join(missing))
    if options.socket and not options.lmtp:
        raise CommandError("error.socket", USAGE)
    serve = import_module("talleyrand.web.server.site_server")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        serve.run_mail_server(
            stop,
            lambda place: print(say("smtp.begun", place=place), flush=True),
            data_folder(options),
            place=(options.host, options.port),
            lmtp=options.lmtp,
            path=options.socket,
        )
    except serve.CannotServe as problem:
        print(problem, file=sys.stderr)
        return FAULT
    return DONE
