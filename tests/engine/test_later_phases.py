"""What holds of every retreat and every winter, legal orders and nonsense mixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import variants
from talleyrand.engine import adjustments
from talleyrand.engine.board import province_of
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Order, Retreat
from talleyrand.engine.outcome import OrderResult, PhaseOutcome
from talleyrand.engine.position import Phase, Position, Unit, check_position
from talleyrand.engine.rulebook import Rulebook
from tests.engine.drawn import VARIANTS, Scene, any_order, books, positions, provinces, scenes, some


@st.composite
def retreats(draw: st.DrawFn) -> Scene:
    """A movement phase judged, then every dislodged unit ordered once, twice or not at all."""
    scene = draw(scenes())
    setting, book = scene.setting, scene.book
    outcome = setting.rules_for(scene.position.phase).adjudicate(
        setting.board, scene.position, scene.orders, book
    )
    position = replace(outcome.position_after, phase=setting.calendar.next_phase(scene.position.phase))
    return Scene(setting, book, position, draw(_sheets(setting, position, book)))


@st.composite
def winters(draw: st.DrawFn) -> Scene:
    """Units and centres that do not match, and a sheet for every power."""
    setting = variants.load(draw(st.sampled_from(VARIANTS))).definition
    book = draw(books())
    standing = draw(positions(setting, 12))
    owners = st.sampled_from((*setting.board.powers, None))
    owned: dict[str, tuple[str, ...]] = {}
    for code in setting.board.centres:
        power = draw(owners)
        if power is not None:
            owned[power] = (*owned.get(power, ()), code)
    code = next(code for code in setting.calendar.cycle if code[1] == "A")
    position = replace(
        standing,
        phase=Phase(code[0], 1, code[1]),
        centres=owned,
        torn=draw(some(setting.board.powers)),
        passive=draw(some(setting.board.powers)),
        centres_before=draw(st.one_of(st.none(), st.just(standing.centres))),
        kept_builds=draw(st.dictionaries(st.sampled_from(setting.board.powers), st.integers(1, 3))),
        seed=draw(st.sampled_from(("", "a", "b"))),
    )
    return Scene(setting, book, position, draw(_sheets(setting, position, book)))


@st.composite
def _sheets(
    draw: st.DrawFn, setting: GameDefinition, position: Position, book: Rulebook
) -> dict[str, list[Order]]:
    rules, board = setting.rules_for(position.phase), setting.board
    somebody = (*position.units, *(fallen.unit for fallen in position.dislodged))
    sheets = {}
    for power in board.powers:
        own = [unit for unit in somebody if unit.power == power]
        legal = rules.legal_orders(board, position, power, book)
        sheets[power] = draw(st.lists(_orders(setting, position, own or somebody, legal), max_size=6))
    return sheets


def _orders(
    setting: GameDefinition, position: Position, units: Sequence[Unit], legal: Sequence[Order]
) -> st.SearchStrategy[Order]:
    wild = st.sampled_from(units).flatmap(lambda unit: any_order(setting.board, position, unit))
    return st.one_of(st.sampled_from(legal), st.sampled_from(legal), wild) if legal else wild


def _judge(scene: Scene) -> PhaseOutcome:
    rules = scene.setting.rules_for(scene.position.phase)
    return rules.adjudicate(scene.setting.board, scene.position, scene.orders, scene.book)


@pytest.mark.long
@given(retreats())
def test_each_dislodged_unit_goes_where_it_may_or_is_lost(scene: Scene) -> None:
    outcome = _judge(scene)
    check_position(scene.setting.board, outcome.position_after)
    assert len(outcome.verdicts) == len(scene.position.dislodged)
    for verdict, fallen in zip(outcome.verdicts, scene.position.dislodged, strict=True):
        assert (verdict.unit, verdict.power) == (fallen.unit.name, fallen.unit.power)
        if OrderResult.RETREATS in verdict.results:
            assert verdict.to in fallen.retreats
    arrived = [verdict.to for verdict in outcome.verdicts if OrderResult.RETREATS in verdict.results]
    assert len(outcome.units) == len(scene.position.units) + len(arrived)
    assert not outcome.dislodged


@pytest.mark.long
@given(retreats())
def test_units_lost_for_one_space_wanted_the_same(scene: Scene) -> None:
    for verdict in _judge(scene).verdicts:
        if verdict.cause.code == "retreat_conflict" and verdict.cause.option is None:
            assert isinstance(verdict.order, Retreat)
            place = province_of(verdict.order.to)
            orders = [order for lines in scene.orders.values() for order in lines]
            rivals = {
                order.unit.province
                for order in orders
                if isinstance(order, Retreat) and province_of(order.to) == place
            }
            assert {unit.province for unit in verdict.by} < rivals


@pytest.mark.long
@given(winters())
def test_a_winter_brings_units_down_to_centres_and_builds_no_more(scene: Scene) -> None:
    outcome, board = _judge(scene), scene.setting.board
    check_position(board, outcome.position_after)
    before = adjustments.adjustment_counts(board, scene.position, scene.book)
    units = Counter(unit.power for unit in outcome.units)
    had = Counter(unit.power for unit in scene.position.units)
    for power, due in before.items():
        change = units[power] - had[power]
        assert 0 <= change + due.removals <= due.possible <= due.builds
        kept = scene.position.kept_builds.get(power, 0) if scene.book.unused_builds == "kept" else 0
        assert units[power] <= max(len(scene.position.owned_by(power)), had[power] + kept)


@pytest.mark.long
@given(winters())
def test_units_are_built_in_free_home_centres_alone(scene: Scene) -> None:
    outcome = _judge(scene)
    new = set(outcome.units) - set(scene.position.units)
    for unit in new:
        assert unit.province in adjustments.free_home_centres(scene.setting.board, scene.position, unit.power)
    assert len(set(provinces(outcome.units))) == len(outcome.units)


@pytest.mark.long
@given(st.one_of(winters(), retreats()))
def test_every_order_has_one_answer(scene: Scene) -> None:
    outcome, board = _judge(scene), scene.setting.board
    rules = scene.setting.rules_for(scene.position.phase)
    told = {(verdict.power, verdict.number) for verdict in outcome.verdicts}
    told |= {(entry.power, entry.number) for entry in outcome.refused}
    results = {(verdict.power, verdict.order) for verdict in outcome.verdicts}
    for power, orders in scene.orders.items():
        for number, order in enumerate(orders):
            result = rules.check_order(board, scene.position, power, order, scene.book)
            assert (power, number) in told or (power, result) in results


@pytest.mark.long
@given(st.one_of(winters(), retreats()))
def test_every_order_on_offer_is_legal_as_it_stands(scene: Scene) -> None:
    rules, board = scene.setting.rules_for(scene.position.phase), scene.setting.board
    for power in rules.powers_with_choices(board, scene.position, scene.book):
        options = rules.legal_orders(board, scene.position, power, scene.book)
        assert len(set(options)) == len(options) > 0
        for order in options:
            assert rules.check_order(board, scene.position, power, order, scene.book) == order


@pytest.mark.long
@given(st.one_of(winters(), retreats()))
def test_the_order_of_powers_does_not_matter(scene: Scene) -> None:
    reversed_ = scene._replace(orders=dict(reversed(scene.orders.items())))
    assert repr(_judge(scene)) == repr(_judge(reversed_))
