"""Bots that share the powers of a board by one of its splits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from talleyrand import variants
from talleyrand.engine.errors import UnknownName
from talleyrand.formats.game_record import read_game_record, replay, write_game_record
from talleyrand.simulation.shards.record_export import record_of
from talleyrand.simulation.shards.result_queries import SimulationResults
from talleyrand.simulation.shards.simulation_plan import SimulationPlan, read_plan, read_seats
from tests.simulation.shards.plans import played

CLASSIC = variants.load("classic")


def plan(split: str, bots: str = "random,hold", begins: int = 0, years: int = 2) -> SimulationPlan:
    found = CLASSIC.splits[split]
    seats = read_seats(bots, [share[0] for share in found.shares])
    last = CLASSIC.begun(found, begins).definition.start.phase.year + years - 1
    return SimulationPlan(
        "classic", "anjou_feu", seats.bots, seats.rotating, 4, 1, 1901, last, split=split, begins=begins
    )


@pytest.mark.parametrize(
    ("split", "begins", "first"),
    [
        ("elimination_six", 0, "S1870M"),
        ("elimination_five", 0, "S1801M"),
        ("disorder_five", 0, "S1901M"),
        ("pairs", 1000, "S1000M"),
        ("russia_alone", 0, "S1901M"),
        ("three_two_two", 0, "S1901M"),
    ],
)
def test_a_split_is_played_and_its_record_tells_the_same_game(
    split: str, begins: int, first: str, tmp_path: Path
) -> None:
    asked = plan(split, begins=begins)
    assert read_plan(asked.as_json(), "games") == asked
    results = SimulationResults(played(tmp_path, asked).path)
    record = read_game_record(write_game_record(record_of(results, 1)))
    phases = list(replay(record))
    assert str(phases[0].position.phase) == first
    rows = {row["power"]: row for row in results.game(1)}
    last = phases[-1].judged.turn.outcome.position_after
    told = {power: len(last.owned_by(power)) for power in rows}
    assert told == {power: row["centres"] for power, row in rows.items()}
    found = CLASSIC.splits[split]
    for share in found.shares:
        assert len({asked.bot_of(1, power) for power in share}) == 1  # a share has one player
    for power in (*found.passive, *found.absent):
        assert asked.bot_of(1, power) == "nobody"
        assert not any(phase["orders"] for phase in rows[power]["phases"])


@pytest.mark.parametrize("bot", ["values", "search:easy"])
def test_bots_that_think_play_beside_eliminated_powers(bot: str, tmp_path: Path) -> None:
    asked = replace(plan("elimination_six", bot, years=1), games=1)
    rows = {row["power"]: row for row in SimulationResults(played(tmp_path, asked).path).game(0)}
    assert not any(phase["orders"] for phase in rows["ITALY"]["phases"])
    assert all(rows[power]["phases"][0]["orders"] for power in rows if power != "ITALY")


def test_bots_write_what_the_season_allows(tmp_path: Path) -> None:
    powers = variants.load("baltic_ice").definition.players
    seats = read_seats("values", powers)
    asked = SimulationPlan("baltic_ice", "datc", seats.bots, seats.rotating, 1, 1, 1703, 1705)
    record = record_of(SimulationResults(played(tmp_path, asked).path), 0)
    assert not any(phase.judged.turn.outcome.refused for phase in replay(record))


def test_a_plan_of_a_full_table_is_written_as_before() -> None:
    whole = replace(plan("pairs"), split="", bots=("hold",) * 7)
    assert {"split", "begins"}.isdisjoint(whole.as_json())
    assert read_plan(whole.as_json(), "games") == whole


def test_a_split_that_the_variant_lacks_is_refused() -> None:
    with pytest.raises(UnknownName):
        replace(plan("pairs"), split="quartets").check()
