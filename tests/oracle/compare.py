"""The judge's outcome beside the oracle's: where units stand, what counted, and whether causes are true."""

from __future__ import annotations

from talleyrand.engine import movement
from talleyrand.engine.board import Board
from talleyrand.engine.orders import Move, Support
from talleyrand.engine.outcome import OrderResult, PhaseOutcome, Verdict
from talleyrand.engine.position import DislodgedUnit, Unit
from talleyrand.engine.rulebook import Rulebook
from tests.oracle.aftermath import contested, dislodged, units_after
from tests.oracle.causes import untrue
from tests.oracle.definitions import Orders
from tests.oracle.resolutions import Judged, resolve
from tests.oracle.scenes import Crowd


def differences(board: Board, crowd: Crowd, book: Rulebook) -> tuple[list[str], Judged]:
    """What the judge says otherwise than the oracle, and the oracle's own word; raises TooMany."""
    judged = resolve(Orders(board, crowd.position, crowd.by_province(), book))
    outcome = movement.adjudicate(board, crowd.position, crowd.by_power(), book)
    told = [*_positions(judged, outcome), *_results(judged, outcome)]
    return told or untrue(judged, outcome), judged


def _positions(judged: Judged, outcome: PhaseOutcome) -> list[str]:
    found = []
    expected = units_after(judged)
    if set(outcome.units) != expected:
        found.append(f"units {_odd(set(outcome.units), expected)}")
    left = contested(judged)
    if outcome.position_after.contested != left:
        found.append(f"contested {_odd(set(outcome.position_after.contested), set(left))}")
    lost = set(dislodged(judged))
    if set(outcome.dislodged) != lost:
        found.append(f"dislodged {_odd(set(outcome.dislodged), lost)}")
    return found


def _odd(judge: set[object] | set[Unit] | set[str] | set[DislodgedUnit], oracle: object) -> str:
    assert isinstance(oracle, set | frozenset)
    return f"judge {sorted(map(str, judge - oracle))}, oracle {sorted(map(str, oracle - judge))}"


def fates(judged: Judged) -> dict[str, str]:
    """The provinces of the units that move, are dislodged, find no convoy, or whose support is cut."""
    orders, world = judged.orders, judged.world
    found = {
        "moves": world.moved,
        "dislodged": {fallen.unit.province for fallen in dislodged(judged)},
        "stranded": {mover for mover in orders.goals if not orders.arrives(mover, world)},
        "cut": {at for at in orders.supports if not orders.counts(at, world)},
    }
    return {fate: " ".join(sorted(places)) for fate, places in found.items()}


def _results(judged: Judged, outcome: PhaseOutcome) -> list[str]:
    return [
        f"{verdict.unit} is {verdict.results[0]}, not {result}"
        for verdict in outcome.verdicts
        for result in [_result(judged, verdict)]
        if result and verdict.results[0] != result
    ]


def _result(judged: Judged, verdict: Verdict) -> OrderResult | None:
    """What became of a move or a support."""
    orders, world, at = judged.orders, judged.world, verdict.unit.province
    order = orders.given.get(at)
    if isinstance(order, Move):
        if at in world.moved:
            return OrderResult.MOVES
        return OrderResult.BOUNCES if orders.arrives(at, world) else OrderResult.CONVOY_DISRUPTED
    if isinstance(order, Support):
        if at not in orders.supports:
            return OrderResult.SUPPORT_VOID
        return OrderResult.SUPPORT_GIVEN if orders.counts(at, world) else OrderResult.SUPPORT_CUT
    return None
