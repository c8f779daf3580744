"""The judge's outcome beside the oracle's: where units stand, what counted, and whether causes are true."""

from __future__ import annotations

from talleyrand.engine import movement
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.orders import Move, Support
from talleyrand.engine.outcome import Outcome, Result, Verdict
from talleyrand.engine.position import Dislodged, Unit
from talleyrand.engine.rulebook import Rulebook
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


def _positions(judged: Judged, outcome: Outcome) -> list[str]:
    found = []
    expected = units_after(judged)
    if set(outcome.units) != expected:
        found.append(f"units {_odd(set(outcome.units), expected)}")
    left = contested(judged)
    if outcome.after.contested != left:
        found.append(f"contested {_odd(set(outcome.after.contested), set(left))}")
    lost = set(dislodged(judged))
    if set(outcome.dislodged) != lost:
        found.append(f"dislodged {_odd(set(outcome.dislodged), lost)}")
    return found


def _odd(judge: set[object] | set[Unit] | set[str] | set[Dislodged], oracle: object) -> str:
    assert isinstance(oracle, set | frozenset)
    return f"judge {sorted(map(str, judge - oracle))}, oracle {sorted(map(str, oracle - judge))}"


def units_after(judged: Judged) -> set[Unit]:
    """Everybody who is not dislodged, where he stands."""
    orders, world = judged.orders, judged.world
    after = set()
    for at, unit in orders.units.items():
        order = orders.given.get(at)
        if at in world.moved and isinstance(order, Move):
            after.add(unit._replace(location=order.to))
        elif not orders.dislodger(at, world):
            after.add(unit)
    return after


def contested(judged: Judged) -> frozenset[str]:
    """The provinces empty after the moves where an attack that kept others out failed."""
    orders, world = judged.orders, judged.world
    full = {unit.province for unit in units_after(judged)}
    return frozenset(
        goal
        for mover, goal in orders.goals.items()
        if goal not in full and mover not in world.moved and orders.prevention(mover, world)
    )


def dislodged(judged: Judged) -> list[Dislodged]:
    """The dislodged, with the places they may retreat to."""
    orders, world = judged.orders, judged.world
    closed = {unit.province for unit in units_after(judged)} | contested(judged)
    found = []
    for at, unit in orders.units.items():
        by = orders.dislodger(at, world)
        if by:
            sea = orders.by_sea(by, world)
            allowed = sea and orders.book.retreat_to_convoy_origin == "allowed"
            barred = closed if allowed else closed | {by}
            steps = orders.board.steps[unit.kind].get(unit.location, ())
            places = sorted(place for place in steps if province_of(place) not in barred)
            found.append(Dislodged(unit, by, sea, tuple(places)))
    return found


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


def _results(judged: Judged, outcome: Outcome) -> list[str]:
    return [
        f"{verdict.unit} is {verdict.results[0]}, not {result}"
        for verdict in outcome.verdicts
        for result in [_result(judged, verdict)]
        if result and verdict.results[0] != result
    ]


def _result(judged: Judged, verdict: Verdict) -> Result | None:
    """What became of a move or a support."""
    orders, world, at = judged.orders, judged.world, verdict.unit.province
    order = orders.given.get(at)
    if isinstance(order, Move):
        if at in world.moved:
            return Result.MOVES
        return Result.BOUNCES if orders.arrives(at, world) else Result.CONVOY_DISRUPTED
    if isinstance(order, Support):
        if at not in orders.supports:
            return Result.SUPPORT_VOID
        return Result.SUPPORT_GIVEN if orders.counts(at, world) else Result.SUPPORT_CUT
    return None
