"""The storm of `benchmarks.storm_tables`, small: tables whose site dies lose nothing; never how quickly."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest
from benchmarks import storm_tables


@pytest.mark.long
def test_tables_lose_nothing_over_kills(full: bool, draw: str, record_property: Any) -> None:
    """`talleyrand serve` is killed while phones send; what it acknowledged is there, once, as it was sent."""
    tables, kills = (3, 5) if full else (1, 2)
    wanted = Namespace(tables=tables, phases=1, kills=kills, within=2.0, seed=sum(draw.encode()))
    found = storm_tables.tried(wanted)
    assert found is not None
    assert found["wrong"] == []
    assert found["orders"] == 7 * tables
    assert found["orders_killed"] > 0
    record_property(
        "storms",
        f"tables: {kills} kills, {found['failures']} requests cut, "
        f"{found['orders_killed']} orders acknowledged meanwhile, draw {draw}",
    )
