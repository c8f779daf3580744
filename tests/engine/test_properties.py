"""What holds of every movement phase, whatever is ordered: random positions of every variant and rulebook."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.engine import legality
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Convoy, Move, Order
from talleyrand.engine.outcome import CauseCode, OrderResult, PhaseOutcome, Verdict
from talleyrand.engine.position import check_position
from tests.engine.drawn import Scene, any_order, provinces, scenes


def _judge(scene: Scene) -> PhaseOutcome:
    rules = scene.setting.rules_for(scene.position.phase)
    return rules.adjudicate(scene.setting.board, scene.position, scene.orders, scene.book)


@pytest.mark.long
@given(scenes())
def test_the_position_after_can_stand(scene: Scene) -> None:
    after = _judge(scene).position_after
    check_position(scene.setting.board, after)
    assert len(set(provinces(after.units))) == len(after.units)


@given(scenes())
def test_units_are_conserved(scene: Scene) -> None:
    outcome = _judge(scene)
    after = [*outcome.units, *(fallen.unit for fallen in outcome.dislodged)]
    assert Counter((unit.kind, unit.power) for unit in after) == Counter(
        (unit.kind, unit.power) for unit in scene.position.units
    )


@given(scenes())
def test_every_unit_has_one_verdict_and_every_order_one_answer(scene: Scene) -> None:
    outcome = _judge(scene)
    assert [(verdict.unit, verdict.power) for verdict in outcome.verdicts] == [
        (unit.name, unit.power) for unit in scene.position.units
    ]
    followed = {(verdict.power, verdict.number) for verdict in outcome.verdicts if verdict.number is not None}
    refused = {(entry.power, entry.number) for entry in outcome.refused}
    assert not followed & refused
    told = {(verdict.power, verdict.order) for verdict in outcome.verdicts}
    for power, orders in scene.orders.items():
        for number, order in enumerate(orders):
            result = legality.check_movement_order(
                scene.setting.board, scene.position, power, order, scene.book
            )
            assert (power, number) in followed | refused or (power, result) in told


@pytest.mark.long
@given(scenes())
def test_verdicts_say_where_units_are(scene: Scene) -> None:
    outcome = _judge(scene)
    there = {(unit.kind, unit.location, unit.power) for unit in outcome.units}
    lost = {fallen.unit for fallen in outcome.dislodged}
    for verdict, unit in zip(outcome.verdicts, scene.position.units, strict=True):
        place = verdict.to if OrderResult.MOVES in verdict.results else unit.location
        assert ((unit.kind, place, unit.power) in there) == (OrderResult.DISLODGED not in verdict.results)
        assert (unit in lost) == (OrderResult.DISLODGED in verdict.results)


@pytest.mark.long
@given(scenes())
def test_retreats_are_open_and_complete(scene: Scene) -> None:
    outcome = _judge(scene)
    closed = {*provinces(outcome.units), *outcome.position_after.contested}
    for fallen in outcome.dislodged:
        steps = scene.setting.board.adjacent_locations[fallen.unit.kind].get(
            fallen.unit.location, frozenset()
        )
        open_ = {place for place in steps if province_of(place) not in closed}
        assert set(fallen.retreats) <= open_
        assert list(fallen.retreats) == sorted(fallen.retreats)
        leaderless = fallen.unit.power in scene.position.powers_in_disorder
        missing = {province_of(place) for place in open_ - set(fallen.retreats)}
        assert missing <= {fallen.by} or (leaderless and not fallen.retreats)
        assert Counter(provinces(outcome.units))[fallen.unit.province] == 1


@pytest.mark.long
@given(scenes())
def test_contested_provinces_are_empty(scene: Scene) -> None:
    outcome = _judge(scene)
    assert not outcome.position_after.contested & set(provinces(outcome.units))
    tried = {province_of(verdict.to) for verdict in outcome.verdicts if verdict.to}
    assert outcome.position_after.contested <= tried


@pytest.mark.long
@given(scenes())
def test_causes_name_units_and_places_that_exist(scene: Scene) -> None:
    units = set(scene.position.units)
    for verdict in _judge(scene).verdicts:
        assert {*verdict.cause.units, *verdict.by} <= units
        assert set(verdict.cause.places) <= scene.setting.board.locations
        by_somebody = _BY_SOMEBODY & set(verdict.results) and verdict.cause.code is not CauseCode.PARADOX
        assert verdict.by or not by_somebody


_BY_SOMEBODY = {OrderResult.DISLODGED, OrderResult.BOUNCES, OrderResult.SUPPORT_CUT}


@pytest.mark.long
@given(scenes(), st.randoms(use_true_random=False))
def test_the_order_of_powers_and_of_lines_does_not_matter(scene: Scene, dice: random.Random) -> None:
    powers = list(scene.orders)
    dice.shuffle(powers)
    other = replace(scene.position, units=tuple(dice.sample(scene.position.units, len(scene.position.units))))
    shuffled = scene._replace(
        position=other, orders={power: _shuffled(scene.orders[power], dice) for power in powers}
    )
    assert _content(_judge(scene)) == _content(_judge(shuffled))


def _shuffled(orders: list[Order], dice: random.Random) -> list[Order]:
    """The lines in another order; those for one unit keep theirs, which some books go by."""
    units = [str(order.unit.province) if order.unit else "" for order in orders]
    groups = {
        unit: iter([order for order, of in zip(orders, units, strict=True) if of == unit]) for unit in units
    }
    return [next(groups[unit]) for unit in dice.sample(units, len(units))]


def _content(outcome: PhaseOutcome) -> object:
    verdicts = {(verdict.unit, verdict.power): _unordered(verdict) for verdict in outcome.verdicts}
    refused = Counter((entry.power, entry.order, entry.refusal) for entry in outcome.refused)
    return verdicts, refused, set(outcome.units), set(outcome.dislodged), outcome.position_after.contested


def _unordered(verdict: Verdict) -> object:
    cause = verdict.cause
    return (
        verdict.order,
        verdict.results,
        (cause.code, set(cause.units), set(cause.places), cause.option),
        (verdict.to, set(verdict.by), verdict.route),
    )


@given(scenes())
def test_the_same_again_gives_the_same_bytes(scene: Scene) -> None:
    assert repr(_judge(scene)) == repr(_judge(scene))


@pytest.mark.long
@given(scenes())
def test_refused_orders_change_nothing(scene: Scene) -> None:
    outcome = _judge(scene)
    refused = {(entry.power, entry.number) for entry in outcome.refused}
    kept = {
        power: [order for number, order in enumerate(orders) if (power, number) not in refused]
        for power, orders in scene.orders.items()
    }
    assert _judge(scene._replace(orders=kept)).position_after == outcome.position_after


@pytest.mark.long
@given(scenes(most_units=8))
def test_every_order_on_offer_is_legal_as_it_stands(scene: Scene) -> None:
    rules, board = scene.setting.rules_for(scene.position.phase), scene.setting.board
    for power in rules.powers_with_choices(board, scene.position, scene.book):
        options = rules.legal_orders(board, scene.position, power, scene.book)
        assert len(set(options)) == len(options) > 0
        for order in options:
            assert rules.check_order(board, scene.position, power, order, scene.book) == order


@pytest.mark.long
@given(scenes(most_units=8), st.data())
def test_every_legal_move_and_convoy_is_on_offer(scene: Scene, data: st.DataObject) -> None:
    board = scene.setting.board
    unit = data.draw(st.sampled_from(scene.position.units))
    order = data.draw(any_order(board, scene.position, unit))
    result = legality.check_movement_order(board, scene.position, unit.power, order, scene.book)
    if isinstance(result, Move | Convoy):
        options = legality.legal_movement_orders(board, scene.position, unit.power, scene.book)
        assert result in options
