"""Whether the cause a verdict gives is true in the oracle's world, and names those who decided."""

from __future__ import annotations

from collections.abc import Callable

from talleyrand.engine.orders import Convoy, Move, Support
from talleyrand.engine.outcome import CauseCode, OrderResult, PhaseOutcome, Verdict
from tests.oracle.definitions import Orders, World
from tests.oracle.resolutions import Judged


def untrue(judged: Judged, outcome: PhaseOutcome) -> list[str]:
    """The verdicts whose cause does not hold."""
    return [
        f"{verdict.unit}: {verdict.cause}"
        for verdict in outcome.verdicts
        if not _Witness(judged.orders, judged.world, verdict).holds()
    ]


class _Witness:
    """One verdict before the oracle's world."""

    def __init__(self, orders: Orders, world: World, verdict: Verdict) -> None:
        self.orders, self.world, self.verdict = orders, world, verdict
        self.at = verdict.unit.province
        self.named = [unit.province for unit in verdict.cause.units]
        self.goal = orders.goals.get(self.at, "")
        self.felt = [mover for mover in orders.against.get(self.at, ()) if orders.felt(mover, world)]
        self.dislodger = orders.dislodger(self.at, world)

    def holds(self) -> bool:
        known = all(unit in self.orders.units.values() for unit in self.verdict.cause.units)
        return known and self._by_tells() and _TRUE[CauseCode(self.verdict.cause.code)](self)

    def _by_tells(self) -> bool:
        """A dislodged unit's verdict names its dislodger; no other verdict says dislodged."""
        by = {unit.province for unit in self.verdict.by}
        told = OrderResult.DISLODGED in self.verdict.results
        return told == (self.dislodger is not None) and (not told or self.dislodger in by)

    # moves

    def unopposed(self) -> bool:
        return not self._beaten() and not self._others()

    def idle_rivals(self) -> bool:
        """All those named attack the same place and keep nobody out."""
        return not self._beaten() and bool(self.named) and {*self.named} == self._others()

    def rivals_stranded(self) -> bool:
        return self.idle_rivals() and not any(self.orders.arrives(at, self.world) for at in self.named)

    def rivals_dislodged(self) -> bool:
        robbed = [self.orders.dislodger(at, self.world) == self.goal for at in self.named]
        return self.idle_rivals() and all(robbed)

    def _others(self) -> set[str]:
        return {*self.orders.against[self.goal]} - {self.at}

    def dislodges(self) -> bool:
        return self.named == [self.goal] and self.stronger()

    def swap(self) -> bool:
        """The two take each other's place, by sea."""
        moved = {self.at, self.goal} <= {*self.world.moved}
        by_sea = any(self.orders.by_sea(at, self.world) for at in (self.at, self.goal))
        return self.named == [self.goal] and moved and by_sea and self.orders.goals[self.goal] == self.at

    def stronger(self) -> bool:
        """All those named were there to be beaten: the goal's own unit, and attacks with effect."""
        return bool(self.named) and {*self.named} == self._beaten()

    def _beaten(self) -> set[str]:
        stays = {self.goal} & set(self.orders.units) - self.world.moved
        others = {*self.orders.against[self.goal]} - {self.at}
        return stays | {other for other in others if self.orders.prevention(other, self.world)}

    def rotation(self) -> bool:
        """Following the moves leads back, by those named."""
        here, seen = self.goal, [self.at]
        while here not in seen and here in self.world.moved:
            seen.append(here)
            here = self.orders.goals[here]
        return here == self.at and self.named == seen[1:] and len(self.named) > 1

    def stand_off(self) -> bool:
        strength = self.orders.attack(self.at, self.world)
        preventions = [self.orders.prevention(other, self.world) for other in self.named]
        entered = {*self.orders.against[self.goal]} & {*self.world.moved}
        return (
            bool(preventions)
            and min(preventions) >= strength
            and {*self.named} <= {*self.orders.against[self.goal]} - {self.at}
            and not entered
        )

    def beaten(self) -> bool:
        """The one named entered, at least as strong."""
        entered = [at for at in self.orders.against[self.goal] if at in self.world.moved]
        strength = self.orders.attack(self.at, self.world)
        return self.named == entered and strength <= self.orders.prevention(entered[0], self.world)

    def not_stronger(self) -> bool:
        strength = self.orders.attack(self.at, self.world)
        return self.named == [self.goal] and strength <= self.orders.resistance(self.at, self.world)

    def head_on(self) -> bool:
        """It met the unit where it goes, or an army at the sea that army comes from."""
        if self.named == [self.goal]:
            return self.not_stronger() and self.orders.faces(self.at, self.world)
        strength = self.orders.attack(self.at, self.world)
        met = all(self.orders.meets_at_sea(army, self.at) for army in self.named)
        return met and all(strength <= self.orders.helped(army, self.world) for army in self.named)

    def own_unit(self) -> bool:
        """It would have been strong enough for the unit, had that been another's."""
        units = self.orders.units
        wins = self.orders.helped(self.at, self.world) > self.orders.resistance(self.at, self.world)
        return wins and self.not_stronger() and units[self.at].power == units[self.goal].power

    def own_supports(self) -> bool:
        all_ = self.orders.helped(self.at, self.world)
        return self.not_stronger() and all_ > self.orders.resistance(self.at, self.world)

    def no_convoy(self) -> bool:
        return not self.orders.routes[self.at]

    def fleet_dislodged(self) -> bool:
        """The fleets named were lost, and with them alone the convoy."""
        chains = self.orders.routes[self.at]
        lost = all(self.orders.dislodger(fleet, self.world) for fleet in self.named)
        hit = [bool(chain & {*self.named}) for chain in chains]
        each = all(any(fleet in chain for chain in chains) for fleet in self.named)
        every_route = self.orders.book.multi_route_disruption == "all_routes"
        return bool(self.named) and lost and each and (all(hit) if every_route else any(hit))

    def paradox(self) -> bool:
        """Without the rule for paradoxes the order would have been followed."""
        if OrderResult.BOUNCES in self.verdict.results:
            return self.orders.book.convoy_paradox == "all_hold" and self.orders.succeeds(self.at, self.world)
        army = self.at if self.goal else self.named[0]
        return army not in self.world.sailed and self.orders.convoy_stands(army, self.world)

    # supports

    def not_attacked(self) -> bool:
        return not self.orders.against.get(self.at)

    def attack_stranded(self) -> bool:
        """Those named attack, and nobody arrives."""
        return bool(self.named) and not self.felt and {*self.named} == {*self.orders.against[self.at]}

    def own_attack(self) -> bool:
        power = self.orders.units[self.at].power
        return {*self.named} == {*self.felt} and all(self.orders.units[at].power == power for at in self.felt)

    def attack_from_target(self) -> bool:
        into = self.orders.directed(self.at)
        return self.named == [into] and into in self.felt and into not in self.world.moved

    def convoy_protected(self) -> bool:
        """Some attack named, by convoy or in the paradox, would have cut the support."""
        into, spared = self.orders.directed(self.at), self.orders.core | self.orders.tame
        able = [
            at for at in self.named if at in spared or (self.orders.by_sea(at, self.world) and at != into)
        ]
        return {*self.named} <= {*self.felt} and bool(able)

    def cut_by_attack(self) -> bool:
        """By all the attacks from elsewhere; or from the place it is aimed at, by convoy."""
        into, cutters = self.orders.directed(self.at), {*self.orders.cutters(self.at, self.world)}
        return {*self.named} == cutters - {into} or (
            {*self.named} == cutters == {into} and into not in self.world.moved
        )

    def cut_by_dislodgement(self) -> bool:
        """By the attack that dislodged its giver and would not have cut it otherwise."""
        into, lost = self.orders.directed(self.at), self.at in self.orders.fragile - self.world.lasting
        by, cutters = self.dislodger, self.orders.cutters(self.at, self.world)
        if by is None or self.named != [by]:
            return False
        behind = self.orders.from_sea_attacked(by, self.at, self.world)
        return (lost and by in self.orders.core) or (cutters == [by] and (by == into or behind))

    def misordered(self) -> bool:
        return self.orders.unsupportable(self.orders.units[self.named[0]])

    def against_own(self) -> bool:
        order = self.orders.given[self.at]
        return isinstance(order, Support) and self.orders.against_own(self.at, order)

    def target_moves(self) -> bool:
        return self.named[0] in self.orders.goals

    def target_stays(self) -> bool:
        return self.named[0] not in self.orders.goals

    # convoys and units that stay

    def army(self) -> str:
        return self.named[0]

    def convoys(self) -> bool:
        return self.army() in self.world.sailed and not self.dislodger

    def broken_elsewhere(self) -> bool:
        army = self.army()
        lost = [fleet for fleet in self.orders.offered[army] if self.orders.dislodger(fleet, self.world)]
        return bool(lost) and army not in self.world.sailed and not self.dislodger

    def ready(self) -> bool:
        """A whole chain is offered to an army that goes by land first, and by land in the end."""
        army, book = self.army(), self.orders.book
        land = self.orders.carried(army) and not self.orders.by_sea(army, self.world)
        return land and book.route_fallback == "to_sea" and not self.dislodger

    def other_path(self) -> bool:
        """The army names other seas."""
        order = self.orders.given[self.army()]
        return isinstance(order, Move) and bool(order.path) and self.at not in order.path

    def by_land(self) -> bool:
        return self.orders.travel[self.army()] == "land"

    def incomplete(self) -> bool:
        return not self.orders.routes[self.army()]

    def otherwise(self) -> bool:
        return self.at not in self.orders.offered.get(self.army(), ())

    def held_off(self) -> bool:
        return bool(self.named) and {*self.named} == {*self.felt} and not self.dislodger

    def at_peace(self) -> bool:
        return not self.felt

    def dislodged(self) -> bool:
        return self.named == [self.dislodger]

    def breaks_convoy(self) -> bool:
        """It is dislodged, and the army that it was to carry finds no other way."""
        order = self.orders.given[self.at]
        assert isinstance(order, Convoy)
        return self.dislodged() and not self.orders.convoy_stands(order.target.province, self.world)


_TRUE: dict[CauseCode, Callable[[_Witness], bool]] = {
    CauseCode.UNOPPOSED: _Witness.unopposed,
    CauseCode.RIVAL_STRANDED: _Witness.rivals_stranded,
    CauseCode.RIVAL_DISLODGED: _Witness.rivals_dislodged,
    CauseCode.RIVAL_WITHOUT_EFFECT: _Witness.idle_rivals,
    CauseCode.DISLODGES: _Witness.dislodges,
    CauseCode.STRONGER: _Witness.stronger,
    CauseCode.ROTATION: _Witness.rotation,
    CauseCode.SWAP: _Witness.swap,
    CauseCode.STAND_OFF: _Witness.stand_off,
    CauseCode.BEATEN: _Witness.beaten,
    CauseCode.NOT_STRONGER_THAN_UNIT: _Witness.not_stronger,
    CauseCode.HEAD_ON: _Witness.head_on,
    CauseCode.OWN_UNIT: _Witness.own_unit,
    CauseCode.OWN_SUPPORTS: _Witness.own_supports,
    CauseCode.NO_CONVOY: _Witness.no_convoy,
    CauseCode.FLEET_DISLODGED: _Witness.fleet_dislodged,
    CauseCode.PARADOX: _Witness.paradox,
    CauseCode.NOT_ATTACKED: _Witness.not_attacked,
    CauseCode.ATTACK_STRANDED: _Witness.attack_stranded,
    CauseCode.OWN_ATTACK: _Witness.own_attack,
    CauseCode.ATTACK_FROM_TARGET: _Witness.attack_from_target,
    CauseCode.CONVOY_PROTECTED: _Witness.convoy_protected,
    CauseCode.CUT_BY_ATTACK: _Witness.cut_by_attack,
    CauseCode.CUT_BY_DISLODGEMENT: _Witness.cut_by_dislodgement,
    CauseCode.SUPPORTED_UNIT_MOVES: _Witness.target_moves,
    CauseCode.SUPPORTED_UNIT_STAYS: _Witness.target_stays,
    CauseCode.SUPPORTED_UNIT_ELSEWHERE: _Witness.target_moves,
    CauseCode.COAST_NOT_SAID: _Witness.target_moves,
    CauseCode.COAST_DIFFERS: _Witness.target_moves,
    CauseCode.SUPPORTED_UNIT_MISORDERED: _Witness.misordered,
    CauseCode.AGAINST_OWN_UNIT: _Witness.against_own,
    CauseCode.CONVOY_STANDS: _Witness.convoys,
    CauseCode.CONVOY_READY: _Witness.ready,
    CauseCode.OTHER_PATH: _Witness.other_path,
    CauseCode.ARMY_OTHERWISE: _Witness.otherwise,
    CauseCode.ARMY_BY_LAND: _Witness.by_land,
    CauseCode.CHAIN_BROKEN: _Witness.broken_elsewhere,
    CauseCode.CHAIN_INCOMPLETE: _Witness.incomplete,
    CauseCode.HELD_OFF: _Witness.held_off,
    CauseCode.ORDERED: _Witness.at_peace,
    CauseCode.NO_ORDER: _Witness.at_peace,
    CauseCode.DISLODGED_BY: _Witness.dislodged,
    CauseCode.CONVOY_BROKEN: _Witness.breaks_convoy,
}
