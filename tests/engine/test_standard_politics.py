"""A variant whose politics say nothing of their own is played as if it had none."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.errors import UnknownName
from talleyrand.engine.game import play_phase
from talleyrand.engine.politics_protocol import Politics
from talleyrand.engine.position import Position
from talleyrand.engine.standard_politics import StandardPolitics

SILENT: Politics = StandardPolitics()
CLASSIC = variants.load("classic").definition


def test_a_game_goes_as_without() -> None:
    book, draw = rulebooks.load("datc").adjudication_rules, Random(4)
    silent = replace(CLASSIC, politics=SILENT)
    position: Position | None = CLASSIC.start
    for _phase in range(40):
        if position is None:
            break
        rules = CLASSIC.rules_for(position.phase)
        orders = {
            power: [
                draw.choice(legal)
                for legal in [rules.legal_orders(CLASSIC.board, position, power, book)] * 4
                if legal
            ]
            for power in rules.powers_with_choices(CLASSIC.board, position, book)
        }
        usual, found = (play_phase(setting, position, orders, book) for setting in (CLASSIC, silent))
        assert (found.outcome, found.next_position, found.winner, found.adjustment_counts) == (
            usual.outcome,
            usual.next_position,
            usual.winner,
            usual.adjustment_counts,
        )
        position = found.next_position


def test_it_has_no_options() -> None:
    assert SILENT.initial_state({}) == {}
    with pytest.raises(UnknownName):
        SILENT.initial_state({"anything": "yes"})
