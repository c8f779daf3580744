"""The storm of `benchmarks.storm_bots`, small: bots whose process dies order as they do alone."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest
from benchmarks import storm_bots


@pytest.mark.long
def test_games_of_bots_lose_nothing_over_kills(full: bool, draw: str, record_property: Any) -> None:
    """The process in which bots think is killed: each phase is published once, with the orders of all."""
    games, kills = (6, 3) if full else (2, 1)
    found = storm_bots.tried(Namespace(games=games, bot="values:easy", kills=kills, seed=sum(draw.encode())))
    assert found is not None
    assert found["wrong"] == found["wrong_at_once"] == []
    record_property("storms", f"bots: {games} games, {found['kills']} kills, draw {draw}")
