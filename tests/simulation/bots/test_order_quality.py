"""What the measuring of bots counts: careless orders, and the orders of people."""

from __future__ import annotations

from benchmarks.arena import held_back_games, peoples_orders
from benchmarks.order_quality import order_faults

from talleyrand.formats.game_record import read_game_record


def faults(orders: dict[str, list[str]]) -> dict[str, int]:
    record = read_game_record({"phases": [{"phase": "S1901M", "orders": orders}]})
    return {fault: count for fault, count in order_faults(record).items() if count and fault != "orders"}


def test_a_bounce_that_gains_nothing() -> None:
    found = faults({"FRANCE": ["A PAR - BUR", "A MAR - BUR", "F BRE - MAO"]})
    assert (found["self_bounce"], found["needless_self_bounce"]) == (2, 2)


def test_a_bounce_that_keeps_somebody_out() -> None:
    """Without the move from Paris, Marseilles is left and Italy comes in."""
    start = {"units": {"FRANCE": ["A PAR", "A MAR"], "ITALY": ["A PIE"]}, "phase": "S1901M"}
    orders = {"FRANCE": ["A PAR - BUR", "A MAR - BUR"], "ITALY": ["A PIE - MAR"]}
    record = read_game_record({"start": start, "phases": [{"phase": "S1901M", "orders": orders}]})
    found = order_faults(record)
    assert (found["self_bounce"], found["needless_self_bounce"]) == (2, 1)


def test_a_support_for_something_else() -> None:
    found = faults({"FRANCE": ["A PAR - BUR", "A MAR S A PAR - GAS", "F BRE - MAO"]})
    assert found["void_own_support"] == 1


def test_units_that_nobody_can_reach_are_idle() -> None:
    moving = faults({"ENGLAND": ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"]})
    still = faults({"ENGLAND": ["F LON - NTH", "F EDI - NWG", "A LVP H"]})
    assert still["idle"] == moving["idle"] + 1


def test_the_games_of_people_are_parted_and_replayed() -> None:
    measured, learnt = list(held_back_games()), list(held_back_games(held_back=False))
    assert (len(measured), len(learnt)) == (13, 26)
    first = measured[0]
    found = list(peoples_orders(first))
    assert {one.power for one in found if one.position.phase.year == 1901} == {
        "AUSTRIA",
        "ENGLAND",
        "FRANCE",
        "GERMANY",
        "ITALY",
        "RUSSIA",
        "TURKEY",
    } - {first["program"]}  # type: ignore[index]
    assert all(
        len(one.orders) == len([u for u in one.position.units if u.power == one.power]) for one in found
    )
