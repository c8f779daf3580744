"""The First World War for two between bots: whole games, the rules held after every phase.

A few in the everyday run, two hundred with `--full`; `--seed` draws others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import sha256

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.game import ResolvedPhase
from talleyrand.engine.orders import Build
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import Position
from talleyrand.simulation.bots import by_name
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.engine_game import EngineGame

WAR = variants.load("first_world_war")
FACTS = BotContext(WAR.definition, rulebooks.load("classic_1976").adjudication_rules)
SIDES = {"ENTENTE": {"ENGLAND", "FRANCE", "RUSSIA"}, "CENTRAL": {"AUSTRIA", "GERMANY", "TURKEY"}}
ITALIAN_LAND = {"PIE", "VEN", "TUS", "ROM", "APU", "NAP"}
LAST = 1940
Record = Callable[[str, object], None]


class Ledger:
    """The rules, counted apart from those of the game."""

    def __init__(self) -> None:
        self.sides = {side: set(powers) for side, powers in SIDES.items()}
        self.italy = ""
        self.seen: Counter[str] = Counter()

    def follow(self, before: Position, turn: ResolvedPhase) -> None:
        """One phase."""
        after = turn.outcome.position_after
        if not self.italy:
            assert {unit for unit in after.units if unit.power == "ITALY"} == {
                unit for unit in before.units if unit.power == "ITALY"
            }
            assert all(unit.power == "ITALY" for unit in after.units if unit.province in ITALIAN_LAND), (
                before.phase
            )
        self._no_partner_is_dislodged(turn)
        self._toss(before, turn)
        if before.phase.kind == "A":
            self._winter(before, turn)
        self._victory(before, turn)

    def _no_partner_is_dislodged(self, turn: ResolvedPhase) -> None:
        for one in turn.outcome.verdicts:
            if OrderResult.DISLODGED in one.results:
                self.seen["dislodged"] += 1
                attacker = one.by[-1].power
                assert not any({attacker, one.power} <= powers for powers in self.sides.values()), one

    def _toss(self, before: Position, turn: ResolvedPhase) -> None:
        toss = turn.outcome.findings.get("toss")
        autumn_ends = before.phase.year == 1914 and turn.adjustment_counts is not None
        assert (toss is not None) == (autumn_ends and before.phase.kind != "A"), before.phase
        if isinstance(toss, dict):
            text = f'["{toss["seed"]}","ITALY1914",["CENTRAL","ENTENTE"]]'
            odd = int(sha256(text.encode()).hexdigest(), 16) % 2
            self.italy = ("CENTRAL", "ENTENTE")[odd]
            assert toss["drawn"] == self.italy
            assert toss["seed"] == sha256(f"Italy {before.seed}".encode()).hexdigest()
            self.sides[self.italy].add("ITALY")
            self.seen[f"joins {self.italy}"] += 1

    def _winter(self, before: Position, turn: ResolvedPhase) -> None:
        for one in turn.outcome.verdicts:
            if OrderResult.BUILDS in one.results and isinstance(one.order, Build):
                assert one.order.unit.province in WAR.board.homes[one.power]
                assert one.order.unit.province in before.owned_by(one.power)
                self.seen["built"] += 1
        for power in WAR.board.powers:
            units = sum(unit.power == power for unit in turn.outcome.position_after.units)
            assert units <= len(before.owned_by(power)), power

    def _victory(self, before: Position, turn: ResolvedPhase) -> None:
        wintered = before.phase.kind == "A" or (
            turn.next_position is None or turn.next_position.phase.year > before.phase.year
        )
        after = turn.outcome.position_after
        counts = {
            side: sum(unit.power in powers for unit in after.units) for side, powers in self.sides.items()
        }
        won = [side for side, count in counts.items() if count >= 24 and wintered]
        alive = {unit.power for unit in after.units} | {
            power for power, owned in (after.centres or {}).items() if owned
        }
        won += [side for side in SIDES if wintered and not self.sides[side] - (self.sides[side] - alive)]
        assert bool(turn.winner) == bool(won), (before.phase, counts)
        if turn.winner:
            assert set(turn.winner) in self.sides.values()
            self.seen[f"won with {max(counts.values())}"] += 1


def followed(number: int, seed: int, bots: str) -> tuple[EngineGame, Ledger]:
    """A game played to its end, and its ledger."""
    played = EngineGame(FACTS, {seat: by_name(bots) for seat in WAR.board.seats}, seed, number, LAST)
    ledger = Ledger()
    while not played.over:
        before = played.position
        turn = played.step()
        try:
            ledger.follow(before, turn)
        except AssertionError as fault:
            raise AssertionError(f"seed {seed}, game {number}, {before.phase}: {fault}") from fault
    return played, ledger


@pytest.mark.long
def test_games_of_two_sides_hold_together(seed: int, full: bool, record_property: Record) -> None:
    seen: Counter[str] = Counter()
    games, years = 200 if full else 4, []
    for number in range(games):
        played, ledger = followed(number, seed, "values")
        seen += ledger.seen
        years.append(played.position.phase.year)
    record_property("sampled", f"{games} games, seed {seed}: to {sum(years) / games:.1f}; {dict(seen)}")
    assert seen["joins ENTENTE"] + seen["joins CENTRAL"] == games
    assert seen["built"]
    assert seen["dislodged"]


def test_the_bot_of_a_side_leads_italy_once_it_has_joined(seed: int) -> None:
    bots = {seat: by_name("values") for powers in SIDES.values() for seat in powers}
    played = EngineGame(FACTS, bots, seed, 0, LAST)
    while str(played.position.phase) != "S1915M":
        played.step()
        assert "ITALY" not in played.orders or played.position.phase.kind != "M"
    played.step()
    assert len(played.orders["ITALY"]) == 3
