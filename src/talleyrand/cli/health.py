"""`talleyrand health`: whether a site is well, for whoever watches over it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module, util
from pathlib import Path

from .console import CliSentences
from .failures import DONE, FAULT, CommandError
from .site_commands import SITE_PACKAGES, data_folder


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("health")
    parser.add_argument("--quiet", action="store_true", help=say("help.health.quiet"))
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    parser.set_defaults(run=health)


def health(options: argparse.Namespace, say: CliSentences) -> int:
    """Print each check; 0 if all is well, 1 if something is not, or cannot be asked."""
    missing = [name for name in SITE_PACKAGES if util.find_spec(name) is None]
    if missing:
        raise CommandError("error.no_web", missing=", ".join(missing))
    serve = import_module("talleyrand.web.server.site_server")
    try:
        is_well, lines = serve.check_site_health(data_folder(options))
    except serve.CannotServe as problem:
        print(problem, file=sys.stderr)
        return FAULT
    if not (is_well and options.quiet):
        print("\n".join(lines))
        print(say("health.well" if is_well else "health.failing"))
    return DONE if is_well else FAULT
