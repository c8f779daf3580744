"""Games whose book draws lots: the seed is kept with the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.run import Run, run

__all__ = ["run"]

TEXT = """regles : conspiracy
{seed}
Positions
France : A Par, A Bou, F Bre
Centres
France : Par, Mar

Hiver 1901
France :
"""


def _game(folder: Path, seed: str = "") -> str:
    file = folder / "game.txt"
    file.write_text(TEXT.format(seed=seed), "utf-8")
    return str(file)


def _answers(ran: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.splitlines()]


def test_a_game_without_a_seed_is_given_one(run: Run, tmp_path: Path) -> None:
    played = run("play", _game(tmp_path), "--json")
    record = run("play", _game(tmp_path), "--record")
    assert json.loads(record.out)["seed"]
    kept = tmp_path / "kept.json"
    kept.write_text(record.out, "utf-8")
    assert run("play", str(kept), "--json").out == played.out
    (answer,) = _answers(played.out)
    assert len(answer["chance"]) == 1
    assert answer["notes"] == []


def test_the_seed_of_a_text_is_its_own(run: Run, tmp_path: Path) -> None:
    drawn = set()
    for number in range(12):
        file = _game(tmp_path, f"graine : {number}")
        assert json.loads(run("play", file, "--record").out)["seed"] == str(number)
        (answer,) = _answers(run("play", file, "--json").out)
        drawn.add(answer["chance"][0]["drawn"])
    assert len(drawn) == 3


def test_people_are_told_that_it_was_a_lot(run: Run, tmp_path: Path) -> None:
    assert "par tirage au sort" in run("play", "--lang", "fr", _game(tmp_path)).out
    assert "by random draw" in run("play", "--lang", "en", _game(tmp_path)).out
