"""The rows of phases that the readable engine has played."""

from __future__ import annotations

import numpy as np

from talleyrand.engine.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    PoliticalOrder,
    Retreat,
    Support,
    Waive,
)
from talleyrand.engine.outcome import PhaseOutcome, Verdict
from talleyrand.engine.position import DislodgedUnit, Phase
from talleyrand.simulation.phase_encoding import BoardNumbers, board_numbers

from .outcome_rows import FIELDS, NULL, ORDER_NUMBER, Rows, RowTexts, blank_rows

_WORDS = {
    Hold: "hold",
    Move: "move",
    Support: "support",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
    Waive: "waive",
    PoliticalOrder: "political",
}


def engine_rows(game: int, played: Phase, outcome: PhaseOutcome, texts: RowTexts) -> Rows:
    """The rows of a phase of a game, in the order of the provinces."""
    number, phase = board_numbers(texts.board), texts.phase(str(played))
    fallen = {one.unit.province: one for one in outcome.dislodged if played.kind == "M"}
    rows = [
        _row(verdict, fallen.get(verdict.unit.province), number, texts) | {"game": game, "phase": phase}
        for verdict in outcome.verdicts
    ]
    listed = [[row.get(name, NULL) for name in FIELDS] for row in sorted(rows, key=lambda row: row["place"])]
    return np.array(listed, np.int32).T if listed else blank_rows(0)


def _row(
    verdict: Verdict, fallen: DislodgedUnit | None, number: BoardNumbers, texts: RowTexts
) -> dict[str, int]:
    row = {"place": len(number.provinces), "power": number.powers[verdict.power], "via": 0, "by_sea": 0}
    if verdict.unit.location:
        row["place"] = number.provinces[verdict.unit.province]
        row["unit"] = number.kinds[verdict.unit.kind]
        row["location"] = number.locations[verdict.unit.location]
    row["result"] = texts.result(verdict.results[0])
    row["by_sea"] = int(verdict.route == "sea")
    if fallen is not None:
        row["dislodged_by"] = number.provinces[fallen.by]
        row["retreats"] = texts.retreat_list(fallen.retreats)
    return row | _ordered(verdict.order, number)


def _ordered(order: Order | None, number: BoardNumbers) -> dict[str, int]:
    """What an order says, in numbers."""
    if order is None:
        return {}
    said = {"order": ORDER_NUMBER[_WORDS[type(order)]]}
    if isinstance(order, Support | Convoy):
        said["target_unit"] = number.kinds[order.target.kind]
        said["target"] = number.locations[order.target.location]
    if isinstance(order, Move | Support | Convoy | Retreat) and order.to is not None:
        said["destination"] = number.locations[order.to]
    return said | ({"via": int(order.via)} if isinstance(order, Move) else {})
