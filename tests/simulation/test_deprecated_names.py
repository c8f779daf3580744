"""The names that the reference gave before still work, and warn."""

from importlib import import_module
from typing import Any

import pytest

from talleyrand import rulebooks, seating, variants
from talleyrand.engine import legality
from talleyrand.simulation import array_layout, batch_adjudicator
from talleyrand.simulation.arena import Arena
from talleyrand.simulation.batch_adjudicator import BatchAdjudicator

GAME = variants.load("classic").definition
BOOK = rulebooks.load("datc").adjudication_rules


def warned(thing: Any, former: str) -> Any:
    with pytest.warns(DeprecationWarning, match=former):
        return getattr(thing, former)


@pytest.mark.parametrize(
    ("module", "former", "new"),
    [
        ("talleyrand.simulation.judging", "Judge", batch_adjudicator.BatchAdjudicator),
        ("talleyrand.simulation.judging", "SlowJudge", batch_adjudicator.NumbaMissingWarning),
        ("talleyrand.simulation.codes", "SHEET_ORDER", array_layout.ORDER_KIND),
        ("talleyrand.simulation.codes", "PHASE", array_layout.PHASE),
        ("talleyrand.seating", "Request", seating.SeatingRequest),
        ("talleyrand.seating", "judge", seating.evaluate_draw),
        ("talleyrand.engine.legality", "settle", legality.settle_movement_orders),
        ("talleyrand.engine.legality", "check", legality.check_movement_order),
    ],
)
def test_modules_have_their_former_names(module: str, former: str, new: object) -> None:
    assert warned(import_module(module), former) == new


@pytest.mark.parametrize("module", ["talleyrand.simulation.codes", "talleyrand.engine.legality"])
def test_a_name_that_never_was_is_refused(module: str) -> None:
    with pytest.raises(AttributeError, match="nothing"):
        assert import_module(module).nothing


def test_positions_are_judged_by_the_former_names() -> None:
    assert warned(variants.load("classic"), "setting") is GAME
    assert warned(rulebooks.load("datc"), "judge") is BOOK
    adjudicator = BatchAdjudicator(GAME.board, BOOK)
    answers = warned(adjudicator, "judge")(adjudicator.encode([(GAME.start, {})]))
    assert warned(answers, "by_engine") == answers.left_to_engine


def test_games_are_played_by_the_former_names() -> None:
    arena = Arena("classic", "datc", games=2)
    assert warned(arena, "referee") is arena.runner
    assert warned(arena, "legal")().orders.size == arena.legal_orders().orders.size
    games = arena.games
    assert warned(games, "escapes") is games.retreat_options
    assert warned(games, "rights") is games.build_rights
    assert len(warned(games, "take")([0, 0, 1])) == 3
    arena.step(warned(games, "sheets")())
    assert warned(arena.last, "by_engine") == {}
