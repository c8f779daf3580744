"""`talleyrand play`, and the games that a file or a folder holds."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from talleyrand.formats import diplomacy_package
from talleyrand.formats.game_record import GameRecord, read_game_record, replay, with_seed, write_game_record
from talleyrand.formats.json_lines import read_json
from talleyrand.formats.plain_text import read_game_text
from talleyrand.formats.sheet_folder import read_game_folder, record_from_text

from . import answer_output
from .console import (
    DONE,
    STDIN_NAME,
    AddCommand,
    CliSentences,
    CommandError,
    parse_rulebook_option,
    print_json,
    read_utf8_input,
)


def describe_play(command: AddCommand) -> None:
    """Add the command."""
    parser = command("play", play)
    parser.add("game", told="help.game", shown="metavar.game")
    parser.add("--rulebook", told="help.rulebook", shown="metavar.rulebook")
    form = parser.one_of()
    form.add("--json", told="help.play.json", action="store_true")
    form.add("--record", told="help.play.record", action="store_true")
    form.add("--saved-game", told="help.play.saved_game", action="store_true")


def play(options: argparse.Namespace, say: CliSentences) -> int:
    """Replay a game, or every game of a file of saved games, and print it."""
    for record in map(with_seed, read_games(options.game, options.rulebook)):
        if options.record:
            print_json(write_game_record(record))
        elif options.saved_game:
            print_json(diplomacy_package.write_saved_game(record))
        elif record.phases:
            _print_game(record, say, as_json=options.json)
        else:
            raise CommandError("error.no_phases", file=options.game)
    return DONE


def read_games(name: str, rulebook: str | None = None) -> Iterator[GameRecord]:
    """The games a file or folder holds: a record, saved games (one a line), or sheets."""
    chosen = parse_rulebook_option(rulebook)
    if name != STDIN_NAME and Path(name).is_dir():
        yield read_game_folder(Path(name), chosen)
        return
    text = read_utf8_input(name)
    if not text.lstrip().startswith("{"):
        yield record_from_text(read_game_text(text), chosen)
        return
    for value in _values(text):
        if diplomacy_package.is_saved_game(value):
            yield diplomacy_package.read_saved_game(value, chosen)
        else:
            extra = {} if chosen is None else {"rulebook": chosen}
            yield read_game_record(value | extra if isinstance(value, dict) else value)


def _values(text: str) -> Iterator[object]:
    """One JSON value over many lines, or one a line."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and lines[1].lstrip().startswith("{") and lines[0].rstrip().endswith("}"):
        yield from map(read_json, lines)
    else:
        yield read_json(text)


def _print_game(record: GameRecord, say: CliSentences, *, as_json: bool) -> None:
    for played in replay(record):
        answer = played.answer()
        if as_json:
            print_json(answer)
        else:
            answer_output.print_answer({"variant": record.variant.name}, answer, say)
