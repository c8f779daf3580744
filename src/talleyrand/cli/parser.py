"""The arguments of every command, described in the reader's language."""

from __future__ import annotations

import argparse
import gettext
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from talleyrand import __version__
from talleyrand.variants import LANGUAGES

from . import catalogue_commands, game_commands, simulation_commands, site_commands, tournament_commands
from .console import CliSentences, CommandParser, RunCommand

# In the order in which they are listed.
DESCRIBED = (
    game_commands.describe_game_commands,
    catalogue_commands.describe_catalogue_commands,
    tournament_commands.describe_tournament_commands,
    simulation_commands.describe_simulation_commands,
    catalogue_commands.describe_check_variant,
    site_commands.describe_site_commands,
    site_commands.describe_keeping_commands,
)


def build_parser(say: CliSentences) -> argparse.ArgumentParser:
    """The parser of `talleyrand`; each command sets `run`."""
    parser = argparse.ArgumentParser(
        prog="talleyrand", description=say("help.talleyrand"), parents=[_common(say)], allow_abbrev=False
    )
    version = f"%(prog)s {__version__}"
    parser.add_argument("--version", action="version", version=version, help=say("help.version"))
    commands = parser.add_subparsers(title=say("help.commands"), metavar=say("metavar.command"))

    def command(name: str, run: RunCommand, languages: Sequence[str] = LANGUAGES) -> CommandParser:
        text, common = say(f"help.{name}"), _common(say, languages)
        made = commands.add_parser(name, help=text, description=text, parents=[common], allow_abbrev=False)
        made.set_defaults(run=run)
        return CommandParser(made, say)

    for describe in DESCRIBED:
        describe(command)
    return parser


def _common(say: CliSentences, languages: Sequence[str] = LANGUAGES) -> argparse.ArgumentParser:
    """What every command knows."""
    common = argparse.ArgumentParser(add_help=False)
    told = "help.lang" if languages == LANGUAGES else "help.answer_lang"
    common.add_argument("--lang", choices=languages, help=say(told))
    return common


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
