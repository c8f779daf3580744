"""Shards of a variant with politics: played by the engine's values, recorded, replayed."""

from pathlib import Path

import pytest

from talleyrand import variants
from talleyrand.engine.errors import UnknownName
from talleyrand.formats.game_record import replay
from talleyrand.simulation.shards.record_export import record_of
from talleyrand.simulation.shards.result_queries import SimulationResults
from talleyrand.simulation.shards.shard_playing import play_shard
from talleyrand.simulation.shards.simulation_plan import SimulationPlan, read_seats
from tests.simulation.shards.plans import played, silent

WORLD = variants.load("diplomatie_2000")


def plan(bots: str = "values", games: int = 1, until: int = 2001) -> SimulationPlan:
    seats = read_seats(bots, WORLD.definition.players)
    made = SimulationPlan("diplomatie_2000", "anjou_feu", seats.bots, seats.rotating, games, 1, 1901, until)
    made.check()
    return made


@pytest.mark.long
def test_a_year_is_recorded_and_replayed_with_every_vote(tmp_path: Path) -> None:
    results = SimulationResults(played(tmp_path, plan()).path)
    rows = {row["power"]: row for row in results.game(0)}
    assert list(rows) == list(WORLD.board.seats)
    counted = {power: row["years"][-1]["centres"] for power, row in rows.items() if row["years"]}
    assert list(counted) == list(WORLD.board.powers)
    turns = list(replay(record_of(results, 0)))
    for turn in turns:
        for entry in turn.judged.entries():
            uncertain = entry["results"] == ["build_void"]  # abroad: the host, or another guest
            assert entry["error"] is None or uncertain, entry
    assert str(turns[-1].position.phase) == "W2001A"
    after = turns[-1].judged.turn.next_position
    assert after is not None
    assert {power: len(after.owned_by(power)) for power in counted} == counted
    found = [turn.judged.turn.outcome.findings.get("ballots", {}) for turn in turns]
    assert any(found)


def test_seats_without_land_are_nobody_s_share(tmp_path: Path) -> None:
    results = SimulationResults(played(tmp_path, plan("hold", until=2001)).path)
    reached = results.results_by(by_bot=False, by_power=True)
    assert {row["power"] for row in reached} == set(WORLD.board.powers)
    assert sum(row["share"] for row in reached) == pytest.approx(1)
    assert {row["who"] for row in results.years(by_bot=False)} == set(WORLD.board.powers)


@pytest.mark.long
def test_the_same_shard_is_the_same_bytes() -> None:
    asked = plan("hold,values,random", until=2001)
    assert play_shard(asked, 1, silent) == play_shard(asked, 1, silent)


def test_a_bot_that_knows_nothing_of_votes_does_not_play() -> None:
    with pytest.raises(UnknownName) as refused:
        plan("search")
    assert refused.value.code == "unknown_bot"
