"""The command that plays every variant's games to their end, and what it says of illegal orders."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks import whole_games

from talleyrand.engine.orders import Hold
from talleyrand.engine.position import UnitName
from talleyrand.simulation import engine_game


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *options: str) -> int:
    shape = ["--games", "2", "--years", "2", "--workers", "1"]
    monkeypatch.setattr(sys, "argv", ["whole_games", str(folder), *shape, *options])
    return whole_games.main()


def test_games_end_without_an_illegal_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(monkeypatch, tmp_path, "--variants", "trio", "intimate", "--bots", "random", "search:easy") == 0
    )
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    # `search` does not play where there are politics
    assert [row[:3] for row in rows[1:]] == [
        ["| trio", "random", "2"],
        ["| trio", "search:easy", "2"],
        ["| intimate", "random", "2"],
    ]
    assert {row[7] for row in rows[1:]} == {"0"}


def test_orders_that_are_none_are_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = Hold(UnitName("A", "ATLANTIS"))
    monkeypatch.setattr(engine_game, "orders_for_power", lambda *_: [nowhere])
    assert run(monkeypatch, tmp_path, "--variants", "baltic_ice", "--bots", "hold") == 1
    assert int(capsys.readouterr().out.splitlines()[-1].split(" | ")[7]) > 0
