"""The arguments of every command, described in the reader's language."""

from __future__ import annotations

import argparse
import gettext
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from talleyrand import __version__
from talleyrand.variants import LANGUAGES

from . import (
    adjudicate,
    backup,
    catalogue_commands,
    check_variant,
    clock,
    draw,
    game_commands,
    health,
    history_command,
    large,
    moving,
    password,
    score,
    seat,
    simulation_commands,
    site_commands,
    smtp,
    standings,
)
from .console import CliSentences


def build_parser(say: CliSentences) -> argparse.ArgumentParser:
    """The parser of `talleyrand`; each command sets `run`."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--lang", choices=LANGUAGES, help=say("help.lang"))
    parser = argparse.ArgumentParser(
        prog="talleyrand", description=say("help.talleyrand"), parents=[common], allow_abbrev=False
    )
    version = f"%(prog)s {__version__}"
    parser.add_argument("--version", action="version", version=version, help=say("help.version"))
    commands = parser.add_subparsers(title=say("help.commands"), metavar=say("metavar.command"))

    def command(name: str) -> argparse.ArgumentParser:
        text = say(f"help.{name}")
        return commands.add_parser(name, help=text, description=text, parents=[common], allow_abbrev=False)

    for module in (
        adjudicate,
        game_commands,
        draw,
        history_command,
        catalogue_commands,
        score,
        seat,
        standings,
        simulation_commands,
        check_variant,
        site_commands,
        clock,
        large,
        health,
        smtp,
        backup,
        moving,
        password,
    ):
        module.describe(command, say)
    return parser


@contextmanager
def translated_argparse(language: str) -> Iterator[None]:
    """While it lasts, the library's own sentences come from our catalogue."""
    before, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    gettext.bindtextdomain("argparse", str(Path(__file__).parent / "locale"))
    gettext.textdomain("argparse")
    os.environ["LANGUAGE"] = language
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before
