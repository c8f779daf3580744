"""A game between bots, exported from its shard, opens on the practice board."""

import json
from pathlib import Path

import pytest
from django.test import Client

from talleyrand.web.practice.models import PracticeGame

pytest.importorskip("duckdb")

from talleyrand.formats.game_record import write_game_record
from talleyrand.simulation.shards.record_export import record_of
from talleyrand.simulation.shards.result_queries import SimulationResults
from tests.simulation.shards.plans import plan, played

pytestmark = pytest.mark.django_db


@pytest.mark.long
@pytest.mark.parametrize("variant", ["classic", "trio"])
def test_it_opens_and_stands_where_the_shard_ended(variant: str, client: Client, tmp_path: Path) -> None:
    results = SimulationResults(played(tmp_path, plan("random", variant=variant, games=1, shards=1)).path)
    text = json.dumps(write_game_record(record_of(results, 0)))
    assert client.post("/p/import/", {"text": text}, follow=True).status_code == 200
    game = PracticeGame.objects.latest("pk")
    turns = list(game.turns.all())
    rows = {row["power"]: row for row in results.game(0)}
    anybody = next(iter(rows.values()))
    assert [turn.phase for turn in turns if turn.answer] == [one["phase"] for one in anybody["phases"]]
    centres = [turn.answer for turn in turns if turn.answer and turn.answer.get("centers")][-1]["centers"]
    assert {power: len(centres.get(power, ())) for power in rows} == {
        power: row["centres"] for power, row in rows.items()
    }
    assert turns[0].bots == dict.fromkeys(rows, "random")
