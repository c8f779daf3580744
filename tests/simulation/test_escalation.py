"""Escalation between bots: whole games of five, four and three, its own rules held after every phase.

A few in the everyday run, two hundred of each with `--full`; `--seed` draws others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.game import ResolvedPhase
from talleyrand.engine.orders import Build
from talleyrand.engine.position import Position
from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.engine_game import EngineGame

BOOK = rulebooks.load("anjou_feu").adjudication_rules
LAST = 1910
CHOSEN = {"escalation_5": 5, "escalation_4": 6, "escalation_3": 8}
Record = Callable[[str, object], None]


def _owners(position: Position) -> dict[str, str]:
    return {code: power for power, codes in (position.centres or {}).items() for code in codes}


def _follow(before: Position, turn: ResolvedPhase, number: int) -> None:
    """What the rules say of one phase, whatever the variant's own code thinks."""
    after = turn.next_position or turn.outcome.position_after
    kind, owned = before.phase.kind, {power: set(codes) for power, codes in (after.centres or {}).items()}
    assert len(_owners(after)) == sum(map(len, owned.values()))
    if str(before.phase) == "W1900D":
        assert not after.units
        told = turn.outcome.findings["chosen"]
        assert isinstance(told, list)
        assert told
        moved = set(_owners(after).items()) ^ set(_owners(before).items())
        assert moved == {(one["centre"], one["power"]) for one in told}
        assert max(map(len, owned.values())) <= number
    if str(before.phase) == "W1900A":
        assert all(len(codes) == number - 1 for codes in owned.values())
        assert all(unit.province in owned[unit.power] for unit in after.units)
    if kind == "N":
        assert before.phase.year == 1901
        for power, homes in after.homes.items():
            assert set(homes) <= owned[power]
            assert len(homes) == min(3, len(owned[power]))
    if kind == "A" and before.phase.year > 1900:
        for one in turn.outcome.verdicts:
            if isinstance(one.order, Build) and "builds" in one.results:
                assert one.unit.province in before.homes[one.power]
        units = Counter(unit.power for unit in after.units)
        assert all(units[power] <= len(codes) for power, codes in owned.items())
    won = [power for power, codes in owned.items() if len(codes) >= 18]
    assert not turn.winner or list(turn.winner) == won


@pytest.mark.long
@pytest.mark.parametrize("name", CHOSEN)
def test_games_between_bots_hold_the_rules(name: str, seed: int, full: bool, record_property: Record) -> None:
    facts = BotContext(variants.load(name).definition, BOOK)
    winners: Counter[str] = Counter()
    games = 200 if full else 3
    for number in range(games):
        bots = {seat: by_name("values") for seat in facts.definition.seats}
        played, phases = EngineGame(facts, bots, seed, number, LAST), []
        while not played.over:
            before = played.position
            phases.append(str(before.phase))
            try:
                _follow(before, played.step(), CHOSEN[name])
            except AssertionError as fault:
                raise AssertionError(
                    f"{name}, seed {seed}, game {number}, {before.phase}: {fault}"
                ) from fault
        picks = phases.count("W1900D")
        assert picks == len(facts.definition.seats) * (CHOSEN[name] + 1)
        assert phases[picks : picks + 2] == ["W1900A", "S1901M"]
        assert len([phase for phase in phases if phase[-1] == "N"]) == 1
        assert all(one != other for one, other in pairwise(phases[picks:]))
        winners.update(played.winner or ("nobody",))
    record_property("sampled", f"{games} games of {name}, seed {seed}: {dict(winners.most_common())}")
