"""What is careless in the orders of games: counted by playing each phase again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from talleyrand.engine.board import province_of
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Hold, Move, Order, Support
from talleyrand.engine.outcome import OrderResult, PhaseOutcome, Verdict
from talleyrand.engine.position import Position
from talleyrand.formats.game_record import GameRecord, replay
from talleyrand.simulation.phase_encoding import steps_of_unit

FAULTS = ("self_bounce", "needless_self_bounce", "void_own_support", "idle")


def order_faults(record: GameRecord) -> Counter[str]:
    """The faults of all movement orders of a game, and the `orders` themselves.

    `self_bounce`: moves that bounce off another move of the same power. `needless_self_bounce`: those of them
    that could have held instead with the same result for everybody else. `void_own_support`: supports for a
    unit of the same power that does something else (a power cannot cut its own support). `idle`: units that
    hold, help nobody and are helped by nobody, where no foreign unit can go next.
    """
    found: Counter[str] = Counter()
    setting, book = record.variant.definition, record.loaded_rulebook.adjudication_rules
    for played in replay(record):
        if played.position.phase.kind != "M":
            continue
        outcome = played.judged.turn.outcome
        orders = _orders(outcome)
        found["orders"] += len(outcome.verdicts)
        for verdict in outcome.verdicts:
            if _bounces_off_itself(verdict, outcome):
                found["self_bounce"] += 1
                own = [Hold(verdict.unit) if one is verdict.order else one for one in orders[verdict.power]]
                again = setting.rules_for(played.position.phase).adjudicate(
                    setting.board, played.position, {**orders, verdict.power: own}, book
                )
                found["needless_self_bounce"] += _elsewhere(outcome, verdict) == _elsewhere(again, verdict)
            found["void_own_support"] += _supports_nothing_of_its_own(verdict, played.position)
        found["idle"] += sum(1 for _ in _idle(setting, played.position, outcome))
    return found


def _orders(outcome: PhaseOutcome) -> dict[str, list[Order]]:
    found: dict[str, list[Order]] = {}
    for verdict in outcome.verdicts:
        if verdict.order is not None:
            found.setdefault(verdict.power, []).append(verdict.order)
    return found


def _bounces_off_itself(verdict: Verdict, outcome: PhaseOutcome) -> bool:
    if not isinstance(verdict.order, Move) or OrderResult.BOUNCES not in verdict.results:
        return False
    goal = province_of(verdict.order.to)
    return any(
        other is not verdict
        and other.power == verdict.power
        and isinstance(other.order, Move)
        and province_of(other.order.to) == goal
        for other in outcome.verdicts
    )


def _elsewhere(outcome: PhaseOutcome, verdict: Verdict) -> object:
    """What the phase came to for every power but one: units, and who was dislodged."""
    after = outcome.position_after
    return (
        {(unit.name, unit.power) for unit in after.units if unit.power != verdict.power},
        {(fallen.unit.name, fallen.unit.power) for fallen in after.dislodged},
    )


def _supports_nothing_of_its_own(verdict: Verdict, position: Position) -> bool:
    if not isinstance(verdict.order, Support) or OrderResult.SUPPORT_VOID not in verdict.results:
        return False
    target = position.units_by_province.get(verdict.order.target.province)
    return target is not None and target.power == verdict.power


def _idle(setting: GameDefinition, position: Position, outcome: PhaseOutcome) -> Iterator[Verdict]:
    threatened = _reach(setting, position)
    helped = {
        verdict.order.target.province for verdict in outcome.verdicts if isinstance(verdict.order, Support)
    }
    for verdict in outcome.verdicts:
        place = verdict.unit.province
        waits = verdict.order is None or isinstance(verdict.order, Hold)
        if waits and place not in helped and not threatened[place] - {verdict.power}:
            yield verdict


def _reach(setting: GameDefinition, position: Position) -> Mapping[str, set[str]]:
    """The powers whose units could go to each province next."""
    found: dict[str, set[str]] = {code: set() for code in setting.board.provinces}
    for unit in position.units:
        for step in steps_of_unit(setting.board, unit):
            found[province_of(step)].add(unit.power)
    return found
