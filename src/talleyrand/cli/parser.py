"""The arguments of every command, described in the reader's language."""

from __future__ import annotations

import argparse
import gettext
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from talleyrand import __version__
from talleyrand.variants import LANGUAGES

from .console import CliSentences, CommandParser, RunCommand

# Which commands a function of which module describes; a command stands where it is listed.
DESCRIBED = {
    ("game_commands", "describe_game_commands"): ("adjudicate", "read"),
    ("record_commands", "describe_play"): ("play",),
    ("picture_commands", "describe_picture_commands"): ("draw", "history"),
    ("catalogue_commands", "describe_catalogue_commands"): ("rulebooks", "variants"),
    ("tournament_commands", "describe_tournament_commands"): ("score", "seat", "standings"),
    ("simulation_commands", "describe_simulation_commands"): ("simulate",),
    ("catalogue_commands", "describe_check_variant"): ("check-variant",),
    ("site_commands", "describe_site_commands"): (
        *("serve", "clock", "pages", "events", "worker", "health", "smtp"),
    ),
    ("site_commands", "describe_keeping_commands"): (
        *("backup", "restore", "upgrade", "move", "password", "ratings"),
    ),
}


class ParserOnDemand:
    """The parser of a command, which is made, and its module imported, when the command is called."""

    describe: Callable[[], None]

    def __init__(self, **given: Any) -> None:
        self._given = given

    @cached_property
    def parser(self) -> argparse.ArgumentParser:
        """The parser itself, before anything is described."""
        return argparse.ArgumentParser(**self._given)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, after the arguments of the command have been described."""
        self.describe()
        return self.parser.parse_known_args(args, namespace)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.parser, name)


def build_parser(say: CliSentences) -> argparse.ArgumentParser:
    """The parser of `talleyrand`; each command sets `run`."""
    parser = argparse.ArgumentParser(
        prog="talleyrand", description=say("help.talleyrand"), allow_abbrev=False
    )
    _add_language(parser, say)
    version = f"%(prog)s {__version__}"
    parser.add_argument("--version", action="version", version=version, help=say("help.version"))
    commands = parser.add_subparsers(
        title=say("help.commands"),
        metavar=say("metavar.command"),
        parser_class=ParserOnDemand,  # type: ignore[type-var]  # it does what is asked of one
    )
    for (module, function), names in DESCRIBED.items():
        made: dict[str, ParserOnDemand] = {}
        for name in names:
            text = say(f"help.{name}")
            made[name] = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        describe = partial(_describe, module, function, made, say)
        for one in made.values():
            one.describe = describe
    return parser


def _describe(module: str, function: str, parsers: Mapping[str, ParserOnDemand], say: CliSentences) -> None:
    """Let a module describe its commands, all that are in one function."""

    def command(name: str, run: RunCommand, languages: Sequence[str] = LANGUAGES) -> CommandParser:
        made = parsers[name].parser
        made.set_defaults(run=run)
        _add_language(made, say, languages)
        return CommandParser(made, say)

    getattr(import_module(f"{__package__}.{module}"), function)(command)


def _add_language(
    parser: argparse.ArgumentParser, say: CliSentences, languages: Sequence[str] = LANGUAGES
) -> None:
    told = "help.lang" if languages == LANGUAGES else "help.answer_lang"
    parser.add_argument("--lang", choices=languages, help=say(told))


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
