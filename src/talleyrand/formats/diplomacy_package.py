"""Saved games of the Python package `diplomacy`: one JSON object a game, read and written.

Written games leave out `zobrist_hash`, which that package computes again; `timestamp` counts phases.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from talleyrand.engine.adjustments import adjustment_count, free_home_centres
from talleyrand.engine.board import Board
from talleyrand.engine.orders import Move
from talleyrand.engine.outcome import OrderResult, Verdict
from talleyrand.engine.position import Phase, Position
from talleyrand.variants import load

from . import json_checks
from .game_record import GameRecord, PhaseInputs, ReplayedPhase, replay, write_game_record
from .json_checks import InvalidQuestion, Json, JsonObject, clip_json
from .position_json import read_position, write_units
from .question_input import read_phase, read_rulebook

VARIANT_OF_MAP = {"standard": "classic"}
DEFAULT_RULEBOOK = "datc"
SavedFields = dict[str, Any]


def is_saved_game(value: Json) -> bool:
    """Whether a JSON value looks like a saved game rather than a record of ours."""
    return isinstance(value, dict) and "map" in value and "phases" in value and "talleyrand" not in value


# reading


def read_saved_game(value: Json, rulebook: Json = None) -> GameRecord:
    """A saved game as a record, every phase with the position that was saved.

    Replaying it notes where the saved position is not the one the orders lead to, and goes on from the
    saved one. Raises TalleyrandError.
    """
    saved = json_checks.json_object(value, "game")
    name = json_checks.json_text(saved.get("map"), "map")
    if name not in VARIANT_OF_MAP:
        raise InvalidQuestion("map_unknown", map=clip_json(name), known=", ".join(VARIANT_OF_MAP))
    variant = load(VARIANT_OF_MAP[name])
    book = read_rulebook(DEFAULT_RULEBOOK if rulebook is None else rulebook)
    phases = [
        json_checks.json_object(entry, "phases")
        for entry in json_checks.json_list(saved.get("phases"), "phases")
    ]
    played = [entry for entry in phases if entry.get("name") not in ("FORMING", "COMPLETED")]
    if not played:
        raise InvalidQuestion("not_a_game", value=clip_json(value))
    inputs = tuple(_inputs(entry, read_phase(entry.get("name"), variant), variant.board) for entry in played)
    first = inputs[0]
    assert first.position is not None
    start = read_position(first.position, first.phase, variant.board, book.adjudication_rules)
    start = variant.definition.start if _same(start, variant.definition.start, variant.board) else start
    return GameRecord(
        variant, DEFAULT_RULEBOOK if rulebook is None else rulebook, book, start, _with_orders(inputs)
    )


def _with_orders(inputs: tuple[PhaseInputs, ...]) -> tuple[PhaseInputs, ...]:
    """The last phase of a saved game is the one still to be played, unless it has orders."""
    return inputs[:-1] if len(inputs) > 1 and inputs[-1].empty else inputs


def _same(one: Position, other: Position, board: Board) -> bool:
    centres = [{power: sorted(codes) for power, codes in (p.centres or {}).items()} for p in (one, other)]
    return (
        one.phase == other.phase
        and write_units(one.units, board) == write_units(other.units, board)
        and centres[0] == centres[1]
    )


def _inputs(entry: JsonObject, phase: Phase, board: Board) -> PhaseInputs:
    state = json_checks.json_object(entry.get("state"), "state")
    orders = json_checks.json_by_power(entry.get("orders"), "orders", board.powers)
    sheets = {power: (json_checks.json_texts(lines, f"orders.{power}"),) for power, lines in orders.items()}
    return PhaseInputs(phase, sheets, position=_position(state, phase, board))


def _position(state: JsonObject, phase: Phase, board: Board) -> SavedFields:
    """A state's fields as a question has them; who dislodged a unit is not saved: its own province stands."""
    units = json_checks.json_by_power(state.get("units"), "units", board.powers)
    standing = {
        power: [name for name in json_checks.json_texts(names, "units") if not name.startswith("*")]
        for power, names in units.items()
    }
    fields: SavedFields = {"phase": str(phase), "units": standing, "centers": state.get("centers")}
    if phase.kind == "R":
        fields["dislodged"] = _dislodged(state.get("retreats"), board)
    homes = json_checks.json_by_power(state.get("homes"), "homes", board.powers)
    own = {
        power: codes
        for power, codes in homes.items()
        if sorted(json_checks.json_texts(codes, "homes")) != sorted(board.homes[power])
    }
    return fields | ({"homes": own} if own else {})


def _dislodged(value: Json, board: Board) -> SavedFields:
    found: SavedFields = {}
    for power, units in json_checks.json_by_power(value, "retreats", board.powers).items():
        for name, places in json_checks.json_object(units, "retreats").items():
            own = name.partition(" ")[2].partition("/")[0]
            found.setdefault(power, []).append({"unit": name, "by": own, "retreats": places})
    return found


# writing


def write_saved_game(record: GameRecord) -> SavedFields:
    """A game as the package saves it, every phase with its orders and results."""
    if record.variant.name not in VARIANT_OF_MAP.values():
        raise InvalidQuestion(
            "map_unknown", map=record.variant.name, known=", ".join(VARIANT_OF_MAP.values())
        )
    name = next(key for key, variant in VARIANT_OF_MAP.items() if variant == record.variant.name)
    writer = _SavedGameWriter(record, name)
    phases = [writer.phase(played) for played in replay(record)]
    phases.append(writer.last())
    return {"id": writer.identity, "map": name, "rules": list(writer.rules), "phases": phases}


class _SavedGameWriter:
    """Writes one game, keeping what a state depends on: who was last in each province."""

    rules = ("NO_PRESS", "POWER_CHOICE")

    def __init__(self, record: GameRecord, name: str) -> None:
        self.record, self.map = record, name
        self.board = record.variant.board
        self.identity = _identity(record)
        self.influence: dict[str, str] = {}
        self.count = 0
        self.reached = record.start
        self.over = False

    def phase(self, played: ReplayedPhase) -> SavedFields:
        turn = played.judged.turn
        state = self._state(played.position)
        self.over = turn.next_position is None
        self.reached = turn.outcome.position_after if turn.next_position is None else turn.next_position
        return {
            "name": str(played.position.phase),
            "state": state,
            "orders": self._orders(turn.outcome.verdicts),
            "results": _results(turn.outcome.verdicts),
            "messages": [],
        }

    def last(self) -> SavedFields:
        """The phase still to be played, or the end of the game."""
        state = self._state(self.reached)
        name = "COMPLETED" if self.over else str(self.reached.phase)
        unset = dict.fromkeys(self.board.powers)
        return {"name": name, "state": state | {"name": name}, "orders": unset, "results": {}, "messages": []}

    def _state(self, position: Position) -> SavedFields:
        self.count += 1
        self.influence |= {unit.province: unit.power for unit in position.units}
        powers = self.board.powers
        centres = {power: sorted(position.owned_by(power)) for power in powers}
        return {
            "timestamp": self.count,
            "note": "",
            "name": str(position.phase),
            "units": {power: _names(position, power) for power in powers},
            "retreats": {power: _retreats(position, power) for power in powers},
            "centers": centres,
            "homes": {power: sorted(position.homes_of(self.board, power)) for power in powers},
            "influence": {power: self._last_in(power) for power in powers},
            "civil_disorder": {power: int(power in position.powers_in_disorder) for power in powers},
            "builds": {power: self._builds(position, power) for power in powers},
            "game_id": self.identity,
            "map": self.map,
            "rules": list(self.rules),
        }

    def _last_in(self, power: str) -> list[str]:
        return sorted(code for code, owner in self.influence.items() if owner == power)

    def _builds(self, position: Position, power: str) -> SavedFields:
        if position.phase.kind != "A":
            return {"count": 0, "homes": []}
        due = adjustment_count(self.board, position, power, self.record.loaded_rulebook.adjudication_rules)
        if due.balance <= 0:
            return {"count": due.balance, "homes": []}
        return {"count": due.possible, "homes": list(free_home_centres(self.board, position, power))}

    def _orders(self, verdicts: Iterable[Verdict]) -> dict[str, list[str]]:
        orders: dict[str, list[str]] = {power: [] for power in self.board.powers}
        for verdict in verdicts:
            if verdict.order is not None and not set(verdict.results) & _WITHOUT_EFFECT:
                orders[verdict.power].append(_result_text(verdict))
        return {power: sorted(listed) for power, listed in orders.items()}


_WITHOUT_EFFECT = {OrderResult.BUILD_VOID, OrderResult.BUILD_IGNORED, OrderResult.REMOVAL_IGNORED}
_WORDS = {
    OrderResult.BOUNCES: "bounce",
    OrderResult.SUPPORT_CUT: "cut",
    OrderResult.SUPPORT_VOID: "void",
    OrderResult.CONVOY_VOID: "void",
    OrderResult.CONVOY_DISRUPTED: "no convoy",
    OrderResult.DISLODGED: "dislodged",
    OrderResult.DESTROYED: "disband",
}


def _results(verdicts: Iterable[Verdict]) -> dict[str, list[str]]:
    return {
        str(verdict.unit): [_WORDS[OrderResult(result)] for result in verdict.results if result in _WORDS]
        for verdict in verdicts
        if verdict.unit.location
    }


def _result_text(verdict: Verdict) -> str:
    """That package writes VIA after every move by convoy."""
    order = verdict.order
    if isinstance(order, Move) and verdict.route == "sea" and not order.via:
        order = replace(order, via=True)
    return str(order)


def _names(position: Position, power: str) -> list[str]:
    standing = sorted(str(unit) for unit in position.units if unit.power == power)
    return standing + sorted(f"*{fallen.unit}" for fallen in position.dislodged if fallen.unit.power == power)


def _retreats(position: Position, power: str) -> dict[str, list[str]]:
    return {
        str(fallen.unit): list(fallen.retreats) for fallen in position.dislodged if fallen.unit.power == power
    }


def _identity(record: GameRecord) -> str:
    """The same game has the same name."""
    text = json.dumps(write_game_record(record), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
