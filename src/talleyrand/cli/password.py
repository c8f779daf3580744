"""`talleyrand password`: a link by which somebody sets a new password, for whoever runs the machine."""

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
    parser = command("password")
    parser.add_argument("name", metavar=say("metavar.name"), help=say("help.password.name"))
    parser.add_argument("--data", type=Path, metavar=say("metavar.folder"), help=say("help.data"))
    parser.set_defaults(run=password)


def password(options: argparse.Namespace, say: CliSentences) -> int:
    """Print the link; it works once, on the site as it is served."""
    missing = [name for name in SITE_PACKAGES if util.find_spec(name) is None]
    if missing:
        raise CommandError("error.no_web", missing=", ".join(missing))
    serve = import_module("talleyrand.web.server.site_server")
    try:
        path = serve.password_link(options.name, data_folder(options))
    except serve.CannotServe as problem:
        print(problem, file=sys.stderr)
        return FAULT
    if not path:
        raise CommandError("error.no_account", name=options.name)
    print(say("password.link"))
    print(path)
    return DONE
