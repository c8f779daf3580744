"""Recorded games as lines of a file have them: those that `diplomacy` brings along, and some drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from random import Random
from typing import Any

from talleyrand import rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from tests.peers import positions

Given = dict[str, list[Order]]


def saved_games() -> Iterator[dict[str, Any]]:
    """The three games of the package."""
    folder = resources.files("diplomacy") / "tests" / "network"
    for file in sorted(folder.iterdir(), key=str):
        if file.name.endswith(".json"):
            yield json.loads(file.read_text("utf-8"))


def drawn_game(variant: str, book: str, lot: Random, years: int, unusual: float = 0.0) -> dict[str, Any]:
    """A record of a game in which all powers want centres; a share of its orders `unusual`: left out, given
    to two units, impossible, in other words."""
    setting, rules = variants.load(variant).definition, rulebooks.load(book).adjudication_rules
    position: Position | None = setting.start
    last, phases = setting.start.phase.year + years, list[dict[str, Any]]()
    while position is not None and position.phase.year < last:
        given = _given(setting, position, rules, lot)
        lines = {power: [str(order) for order in orders] for power, orders in given.items()}
        spoilt = {power: _spoilt(listed, lines, lot, unusual) for power, listed in lines.items()}
        phases.append({"phase": str(position.phase), "orders": spoilt} | _circumstances(lines, lot, unusual))
        position = game.play_phase(setting, position, given, rules).next_position
    return {"talleyrand": 1, "variant": variant, "rulebook": book, "phases": phases}


def _given(setting: GameDefinition, position: Position, rules: Rulebook, lot: Random) -> Given:
    given: Given = {}
    if position.phase.kind == "M":
        for (power, _), order in positions.orders(
            setting.board, position, lot, setting.board.centres
        ).items():
            given.setdefault(power, []).append(order)
        return given
    phase = setting.rules_for(position.phase)
    due = {} if position.phase.kind == "R" else setting.adjustment_counts(position, rules)
    for power in phase.powers_with_choices(setting.board, position, rules):
        options = list(phase.legal_orders(setting.board, position, power, rules))
        lot.shuffle(options)
        first = {option.unit and option.unit.province: option for option in options}
        most = max(due[power].removals, due[power].possible) if power in due else len(first)
        given[power] = list(first.values())[:most]
    return given


def _spoilt(listed: list[str], lines: dict[str, list[str]], lot: Random, unusual: float) -> list[str]:
    """The lines of a power, some of them changed."""
    written = []
    for line in listed:
        if lot.random() >= unusual:
            written.append(line)
            continue
        other = lot.choice(lines[lot.choice(sorted(lines))] or [line])
        changed = (
            line.lower(),
            other,
            f"{line} VIA",
            line[:6] + other[6:],
            line.partition(" - ")[0],
            f"{line} ?",
        )
        written += lot.choice(([], [line, other], [line, line], [lot.choice(changed)], [lot.choice(changed)]))
    return written


def _circumstances(lines: dict[str, list[str]], lot: Random, unusual: float) -> dict[str, Any]:
    if not lines or lot.random() >= unusual / 2:
        return {}
    return {lot.choice(("absent", "torn")): [lot.choice(sorted(lines))]}
