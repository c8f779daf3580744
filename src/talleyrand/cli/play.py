"""`talleyrand play`: a game replayed phase by phase."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from talleyrand.formats import saved_games
from talleyrand.formats.folders import read_folder, record_of_text
from talleyrand.formats.lines import read_json
from talleyrand.formats.plain import read_text
from talleyrand.formats.records import Record, read_record, replay, seeded, write_record

from . import show
from .failures import DONE, CommandError
from .inputs import STANDARD, read_whole, rulebook_of
from .output import print_json
from .sentences import Speaker


def describe(command: Callable[[str], argparse.ArgumentParser], say: Speaker) -> None:
    """Add the command."""
    parser = command("play")
    parser.add_argument("game", metavar=say("metavar.game"), help=say("help.game"))
    parser.add_argument("--rulebook", metavar=say("metavar.rulebook"), help=say("help.rulebook"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=say("help.play.json"))
    form.add_argument("--record", action="store_true", help=say("help.play.record"))
    form.add_argument("--saved-game", action="store_true", help=say("help.play.saved_game"))
    parser.set_defaults(run=play)


def play(options: argparse.Namespace, say: Speaker) -> int:
    """Replay a game, or every game of a file of saved games, and print it."""
    for record in map(seeded, read_games(options.game, options.rulebook)):
        if options.record:
            print_json(write_record(record))
        elif options.saved_game:
            print_json(saved_games.write(record))
        elif record.phases:
            _print(record, say, as_json=options.json)
        else:
            raise CommandError("error.no_phases", file=options.game)
    return DONE


def read_games(name: str, rulebook: str | None = None) -> Iterator[Record]:
    """The games a file or folder holds: a record, saved games (one a line), or sheets."""
    chosen = rulebook_of(rulebook)
    if name != STANDARD and Path(name).is_dir():
        yield read_folder(Path(name), chosen)
        return
    text = read_whole(name)
    if not text.lstrip().startswith("{"):
        yield record_of_text(read_text(text), chosen)
        return
    for value in _values(text):
        if saved_games.is_saved_game(value):
            yield saved_games.read(value, chosen)
        else:
            extra = {} if chosen is None else {"rulebook": chosen}
            yield read_record(value | extra if isinstance(value, dict) else value)


def _values(text: str) -> Iterator[object]:
    """One JSON value over many lines, or one a line."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and lines[1].lstrip().startswith("{") and lines[0].rstrip().endswith("}"):
        yield from map(read_json, lines)
    else:
        yield read_json(text)


def _print(record: Record, say: Speaker, *, as_json: bool) -> None:
    for played in replay(record):
        answer = played.answer()
        if as_json:
            print_json(answer)
        else:
            show.print_answer({"variant": record.variant.name}, answer, say)
