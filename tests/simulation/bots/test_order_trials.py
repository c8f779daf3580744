"""Where the sheets come from that `search` tries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from talleyrand.engine.orders import Move, Support
from talleyrand.engine.position import Unit
from talleyrand.simulation.bots.order_trials import OrderTrial, SheetMaker
from tests.simulation.bots.playing import facts_of

FACTS = facts_of()
START, POWERS = FACTS.definition.start, list(FACTS.definition.board.powers)


def test_variants_are_legal_and_help_no_foreign_unit() -> None:
    """Austria and Italy stand unit by unit, so that most of what could be supported is foreign."""
    games = FACTS.runner.start(1)
    units = [Unit("A", place, "AUSTRIA") for place in ("TRI", "TYR", "VIE")]
    units += [Unit("A", place, "ITALY") for place in ("VEN", "PIE", "BOH")]
    FACTS.runner.write(replace(START, units=tuple(units)), games, 0)
    trial = OrderTrial(FACTS, games, seed=7)
    maker, power = SheetMaker(trial), POWERS.index("AUSTRIA")
    parents = maker.own_part(power, maker.written(4))
    seen: set[type] = set()
    for sheet in maker.variants(power, parents, 120):
        orders = FACTS.runner.orders_of(games, 0, sheet[None])["AUSTRIA"]
        seen.update(type(order) for order in orders)
        for order in orders:
            if isinstance(order, Support):
                assert order.target.location in ("TRI", "TYR", "VIE"), order
        written = np.where(trial.columns[power], sheet, trial.blank)[None]
        assert not FACTS.runner.step(games.copy_games([0]), np.ascontiguousarray(written)).illegal
    assert {Move, Support} <= seen
