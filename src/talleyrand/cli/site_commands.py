"""`talleyrand serve`: the site."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module, util
from pathlib import Path

from .console import CliSentences
from .failures import CommandError

SITE_PACKAGES = ("django", "uvicorn", "whitenoise", "aiosmtpd", "segno")
WARM_UP_ARGUMENTS = ("-m", "talleyrand.simulation.bots.precompile")
ALL_INTERFACES, LOCALHOST = "0.0.0.0", "127.0.0.1"  # noqa: S104 the player asked for the local network


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("serve")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--host", default=LOCALHOST, help=say("help.host"))
    place.add_argument("--lan", action="store_true", help=say("help.lan"))
    parser.add_argument("--port", type=port_number, default=8000, help=say("help.port"))
    parser.add_argument(
        "--smtp", type=address_and_port, metavar=say("metavar.place"), help=say("help.serve.smtp")
    )
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    parser.set_defaults(run=serve)


def serve(options: argparse.Namespace, _say: CliSentences) -> int:
    """Serve until interrupted."""
    missing = [name for name in SITE_PACKAGES if util.find_spec(name) is None]
    if missing:
        raise CommandError("error.no_web", missing=", ".join(missing))
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
        (sys.executable, *WARM_UP_ARGUMENTS), subprocess.DEVNULL, silent=True
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
