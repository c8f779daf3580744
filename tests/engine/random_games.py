"""Random games of every variant under every rulebook, phase by phase."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from talleyrand import rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.game import GameDefinition, ResolvedPhase
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from tests.variants.plain import PLAIN

GAMES = [(variant, book) for variant in PLAIN for book in rulebooks.names()]


class Played(NamedTuple):
    """One phase of a game: before, what was ordered, and what became of it."""

    setting: GameDefinition
    book: Rulebook
    before: Position
    orders: dict[str, list[Order]]
    turn: ResolvedPhase


def play(variant: str, book: str, seed: str, phases: int, missing: float = 0.05) -> Iterator[Played]:
    """A game of so many phases at most, with orders drawn among the legal ones, some of them missing."""
    setting, judge = variants.load(variant).definition, rulebooks.load(book).adjudication_rules
    dice = random.Random(seed)
    position: Position | None = setting.start
    for _ in range(phases):
        if position is None:
            return
        orders = _orders(setting, position, judge, dice, missing)
        turn = game.play_phase(setting, position, orders, judge)
        yield Played(setting, judge, position, orders, turn)
        position = turn.next_position


def _orders(
    setting: GameDefinition, position: Position, book: Rulebook, dice: random.Random, missing: float
) -> dict[str, list[Order]]:
    rules, orders = setting.rules_for(position.phase), {}
    for power in rules.powers_with_choices(setting.board, position, book):
        by_unit: dict[object, list[Order]] = {}
        for order in rules.legal_orders(setting.board, position, power, book):
            by_unit.setdefault(order.unit, []).append(order)
        orders[power] = [dice.choice(options) for options in by_unit.values() if dice.random() >= missing]
    return orders
