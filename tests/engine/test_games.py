"""What holds of every game, whatever is ordered: random games of every variant, phase by phase."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from talleyrand.engine import game
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import check_position
from tests.engine.random_games import GAMES, Played, play

pytestmark = pytest.mark.one_in(3, of="played")


@pytest.fixture(scope="module", params=GAMES, ids="-".join)
def played(request: pytest.FixtureRequest, seed: int, full: bool) -> list[Played]:
    """Games of one variant under one rulebook, all their phases."""
    variant, book = request.param
    games, phases = (40, 80) if full else (1, 24)
    return [phase for number in range(games) for phase in play(variant, book, f"{seed} {number}", phases)]


def test_every_phase_leads_to_one_that_can_be_played(played: list[Played]) -> None:
    for one in played:
        before, turn, setting = one.before, one.turn, one.setting
        check_position(setting.board, turn.outcome.position_after)
        assert (turn.next_position is None) == bool(turn.winner)
        if turn.next_position is not None:
            check_position(setting.board, turn.next_position)
            assert (turn.next_position.phase.year, turn.next_position.phase) != (
                before.phase.year,
                before.phase,
            )
            rules = setting.rules_for(turn.next_position.phase)
            assert (
                rules.powers_with_choices(setting.board, turn.next_position, one.book)
                or not turn.next_position.units
            )


def test_orders_on_offer_are_legal_and_followed(played: list[Played]) -> None:
    for one in played:
        rules, board = one.setting.rules_for(one.before.phase), one.setting.board
        for power, orders in one.orders.items():
            for order in orders:
                assert rules.check_order(board, one.before, power, order, one.book) == order
        assert not one.turn.outcome.refused
        told = {(verdict.power, verdict.order) for verdict in one.turn.outcome.verdicts}
        assert {(power, order) for power, orders in one.orders.items() for order in orders} <= told


def test_centres_belong_to_one_power_and_change_hands_at_the_end_of_a_year(played: list[Played]) -> None:
    for one in played:
        before, after = one.before.centres or {}, one.turn.outcome.position_after.centres or {}
        listed = [code for codes in after.values() for code in codes]
        assert len(listed) == len(set(listed))
        assert set(listed) >= {code for codes in before.values() for code in codes}
        if (
            one.before.phase.season not in one.setting.calendar.capture_after
            or one.before.phase.kind not in "MR"
        ):
            assert dict(before) == dict(after)


def test_a_capture_follows_the_unit_on_the_centre(played: list[Played]) -> None:
    for one in played:
        if one.turn.adjustment_counts is None or one.before.phase.kind == "A":
            continue
        after, board = one.turn.outcome.position_after, one.setting.board
        owner = {code: power for power, codes in (after.centres or {}).items() for code in codes}
        for unit in one.turn.outcome.position_after.units:
            if board.provinces[unit.province].centre and board.kinds[unit.kind].captures:
                assert owner[unit.province] == unit.power


def test_after_a_winter_nobody_has_more_units_than_centres(played: list[Played]) -> None:
    for one in played:
        if one.before.phase.kind == "A":
            after = one.turn.outcome.position_after
            units = Counter(unit.power for unit in after.units)
            assert all(units[power] <= len(after.owned_by(power)) for power in units)


def test_retreats_and_adjustments_account_for_every_unit(played: list[Played]) -> None:
    gains = {OrderResult.RETREATS, OrderResult.BUILDS}
    for one in played:
        if one.before.phase.kind == "M":
            continue
        results = [result for verdict in one.turn.outcome.verdicts for result in verdict.results]
        added = sum(result in gains for result in results)
        removed = sum(result is OrderResult.REMOVED for result in results)
        assert len(one.turn.outcome.position_after.units) == len(one.before.units) + added - removed


def test_the_winner_has_the_centres_and_the_eliminated_none(played: list[Played]) -> None:
    for one in played:
        after, needed = one.turn.outcome.position_after, one.setting.victory.centres_needed(one.setting.board)
        assert all(len(after.owned_by(power)) >= needed for power in one.turn.winner)
        standing = {unit.power for unit in after.units}
        for power in one.turn.eliminated:
            homes = set(after.homes_of(one.setting.board, power))
            assert not after.owned_by(power) or (
                power not in standing and not homes & set(after.owned_by(power))
            )


def test_a_game_replayed_from_its_orders_is_the_same(played: list[Played]) -> None:
    for one in played:
        again = game.play_phase(one.setting, one.before, one.orders, one.book)
        assert repr(again) == repr(one.turn)


def digest() -> str:
    """A few games of every variant as one number."""
    sums = hashlib.sha256()
    for variant, book in GAMES:
        for one in play(variant, book, "digest", 12):
            sums.update(repr(one.turn).encode())
    return sums.hexdigest()


@pytest.mark.long
def test_games_are_the_same_in_every_process() -> None:
    command = "from tests.engine.test_games import digest; print(digest())"
    found = {
        subprocess.run(
            [sys.executable, "-c", command],
            cwd=Path(__file__).parents[2],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for hash_seed in ("1", "2")
    }
    assert found == {digest()}
