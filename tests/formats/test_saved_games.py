"""Saved games of the Python package `diplomacy`, written by it and read by it again."""

import json
import random
from typing import Any

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import diplomacy_package
from talleyrand.formats.game_record import read_game_record, replay, write_game_record

pytestmark = pytest.mark.filterwarnings("default")
PHASES = 18

STATE: dict[str, Any] = {
    "units": {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]},
    "retreats": {},
}
ORDERS = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": None}


def saved(**fields: Any) -> dict[str, Any]:
    phases = [{"name": "S1901M", "state": STATE, "orders": ORDERS, "results": {}, "messages": []}]
    return {"id": "x", "map": "standard", "rules": [], "phases": phases} | fields


def test_a_saved_game_is_replayed() -> None:
    (played,) = replay(diplomacy_package.read_saved_game(saved()))
    answer: Any = played.answer()
    assert answer["units"] == {"FRANCE": ["A BUR", "A MAR"], "GERMANY": ["A MUN"]}
    assert answer["notes"] == []


def test_a_saved_position_the_orders_do_not_lead_to_is_taken_and_noted() -> None:
    state = STATE | {"units": {"FRANCE": ["A GAS", "A MAR"], "GERMANY": ["A MUN"]}}
    after = {"name": "F1901M", "state": state, "orders": {"FRANCE": ["A GAS H"]}}
    played = list(replay(diplomacy_package.read_saved_game(saved(phases=[*saved()["phases"], after]))))
    answer: Any = played[1].answer()
    assert [note["kind"] for note in answer["notes"]] == ["position_set"]
    assert answer["units"]["FRANCE"] == ["A GAS", "A MAR"]


def test_saved_dislodged_units_keep_their_retreats() -> None:
    units = {"FRANCE": ["*A BUR"], "GERMANY": ["A BUR", "A RUH"]}
    state = STATE | {"units": units, "retreats": {"FRANCE": {"A BUR": ["GAS", "PAR"]}}}
    phase = {"name": "S1901R", "state": state, "orders": {"FRANCE": ["A BUR R GAS"]}}
    (played,) = replay(diplomacy_package.read_saved_game(saved(phases=[phase])))
    assert played.position.dislodged[0].retreats == ("GAS", "PAR")
    answer: Any = played.answer()
    assert answer["units"]["FRANCE"] == ["A GAS"]


def test_a_record_of_a_saved_game_is_the_same_game() -> None:
    record = diplomacy_package.read_saved_game(saved())
    again = read_game_record(json.loads(json.dumps(write_game_record(record))))
    assert [p.answer() for p in replay(again)] == [p.answer() for p in replay(record)]
    assert diplomacy_package.write_saved_game(again) == diplomacy_package.write_saved_game(record)


@pytest.mark.parametrize(
    "fields",
    [
        {"map": "ancmed"},
        {"map": None},
        {"phases": []},
        {"phases": [{"name": "S1901M"}, 3]},
        {"phases": [{"name": "S1901M", "state": {"units": {"FRANCE": ["A NTH"]}}}]},
        {"phases": [{"name": "S1901M", "state": {"units": {"FRANCE": [None]}}}]},
        {"phases": [{"name": "S1901R", "state": {"retreats": {"FRANCE": {"": ["PAR"]}}}}]},
        {"phases": [{"name": "S1901M", "orders": {"FRANCE": [1]}}]},
    ],
)
def test_what_is_no_saved_game_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(TalleyrandError):
        list(replay(diplomacy_package.read_saved_game(saved(**fields))))


def played_by_the_package(seed: int) -> Any:
    """A game of the package itself, with orders drawn from those it allows.

    Without `VIA`, which it lets an army ignore whose convoy is missing.
    """
    engine = pytest.importorskip("diplomacy")
    draw, game = random.Random(seed), engine.Game()
    for _ in range(PHASES):
        if game.is_game_done:
            break
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            listed = [[o for o in possible[place] if not o.endswith("VIA")] for place in places]
            game.set_orders(power, [draw.choice(sorted(orders)) for orders in listed if orders])
        game.process()
    return game


def as_json(game: Any) -> dict[str, Any]:
    export = pytest.importorskip("diplomacy.utils.export")
    ujson = pytest.importorskip("ujson")
    value: dict[str, Any] = json.loads(ujson.dumps(export.to_saved_game_format(game)))
    return value


def by_power(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(names) for power, names in found.items()}


@pytest.mark.peers
@pytest.mark.parametrize("number", range(3))
def test_games_of_the_package_go_there_and_back(number: int, seed: int) -> None:
    game = played_by_the_package(seed + number)
    source = as_json(game)
    record = diplomacy_package.read_saved_game(source)
    for played in replay(record):
        assert not [note for note in played.answer()["notes"] if note["kind"] == "position_set"]  # type: ignore[attr-defined]
    written = diplomacy_package.write_saved_game(record)
    assert [phase["name"] for phase in written["phases"]] == [phase["name"] for phase in source["phases"]]
    for ours, theirs in zip(written["phases"], source["phases"], strict=True):
        assert by_power(ours["state"]["units"]) == by_power(theirs["state"]["units"])
        assert by_power(ours["state"]["centers"]) == by_power(theirs["state"]["centers"])
        assert ours["state"]["retreats"].keys() == theirs["state"]["retreats"].keys()
    export = pytest.importorskip("diplomacy.utils.export")
    again = export.from_saved_game_format(json.loads(json.dumps(written)))
    assert again.get_current_phase() == game.get_current_phase()
    assert by_power(again.get_units()) == by_power(game.get_units())
    assert by_power(again.get_centers()) == by_power(game.get_centers())
    assert again.get_hash() == game.get_hash()
