"""A game of a shard, exported and replayed by the readable engine, is the same game."""

import json
from pathlib import Path

import pytest

from talleyrand.formats.game_record import GameRecord, read_game_record, replay, write_game_record
from talleyrand.simulation.shards.record_export import record_of
from talleyrand.simulation.shards.result_queries import SimulationResults
from tests.simulation.shards.plans import plan, played

BOOKS = ("datc", "renegade_2023", "anjou_feu", "classic_1976", "play_by_mail_001")
TABLE = "hold,values"
CASES = [("classic", book) for book in BOOKS] + [
    ("sandad", "anjou_feu"),
    ("survivor_turkey", "anjou_feu"),
    ("trio", "datc"),
    ("trio", "anjou_feu"),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("variant", "book"), CASES)
def test_the_engine_counts_the_same_centres(variant: str, book: str, tmp_path: Path, full: bool) -> None:
    games = 20 if full else 1
    folder = played(tmp_path, plan(TABLE, variant=variant, rulebook=book, games=games, shards=1, years=6))
    results = SimulationResults(folder.path)
    for game in range(games):
        record = read_game_record(json.loads(json.dumps(write_game_record(record_of(results, game)))))
        rows = {row["power"]: row for row in results.game(game)}
        assert _replayed(record) == {
            power: {one["year"]: one["centres"] for one in row["years"]} for power, row in rows.items()
        }


def _replayed(record: GameRecord) -> dict[str, dict[int, int]]:
    """The centres of each power at the end of each year, as the engine plays the game."""
    found: dict[str, dict[int, int]] = {power: {} for power in record.variant.board.powers}
    for turn in replay(record):
        for entry in turn.judged.entries():
            assert entry["error"] is None, entry
        after = turn.judged.turn.next_position or turn.judged.turn.outcome.position_after
        for power, years in found.items():
            years[turn.position.phase.year] = len(after.owned_by(power))
    return found
