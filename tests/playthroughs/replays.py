"""Games kept as folders of sheets, replayed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from talleyrand.formats.game_record import GameRecord, replay
from talleyrand.formats.sheet_folder import read_game_folder

FOLDER = Path(__file__).parent
GAMES = ("demonstration", "trio")


def record(game: str) -> GameRecord:
    """The game as the list of its inputs."""
    return read_game_folder(FOLDER / game)


def answers(game: GameRecord) -> list[dict[str, Any]]:
    """The answer of every phase."""
    return [played.answer() for played in replay(game)]


def results(given: Iterable[dict[str, Any]]) -> str:
    """What became of every order, one a line: phase, power, order or unit, results."""
    lines = []
    for answer in given:
        for entry in answer["orders"]:
            words = (
                answer["phase"],
                entry["power"],
                entry["order"] or entry["unit"],
                " ".join(entry["results"]),
            )
            lines.append("\t".join(words) + "\n")
    return "".join(lines)


def told(game: str) -> str:
    """The results that the game is known to have."""
    return (FOLDER / game / "results.tsv").read_text("utf-8")
