"""The facts that may be claimed of a movement phase: who attacked, supported, entered, bounced, dislodged.

Each public method of `Facts` that gives a truth is one. Units come as they are written ("F STP/SC"), one or
several; places as codes. Strengths, moves and convoys are those of the oracle's own world: nothing here knows
the judge's verdicts, causes or reasons.
"""

from __future__ import annotations

from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Convoy, Hold, Move, Support
from tests.oracle.worlds import Fate, World

Units = str | tuple[str, ...]
Sets = tuple[tuple[str, ...], ...]
Owed = tuple[str, tuple[str, ...]]
FEW = 2


class Facts(World):
    """What may be claimed."""

    def known(self, unit: str) -> bool:
        """Whether such a unit is on the board."""
        there = self.orders.units.get(_at(unit))
        return there is not None and str(there) == unit

    def owed(self, at: str) -> list[Owed]:
        """What a unit's sentence has to say, whatever else it says: who dislodged it, who got in."""
        unit, goal = str(self.orders.units[at]), self.orders.goals.get(at, "")
        by, winner = self.orders.dislodger(at, self.world), self.winner(goal)
        owed: list[Owed] = []
        if by:
            owed.append(("dislodges", (str(self.orders.units[by]), unit)))
        thrown_back = goal in self.world.moved and self.faced(at) == goal if goal else False
        if winner and self.result(at) == "bounces" and not thrown_back:
            owed.append(("takes", (str(self.orders.units[winner]), goal)))
        return owed

    # moves ----------------------------------------------------------------------------------------

    def moves_to(self, unit: str, place: str) -> bool:
        """It got there, on this coast if one is named."""
        return _at(unit) in self.world.moved and self.goes_to(unit, place)

    def goes_to(self, unit: str, place: str) -> bool:
        """It was ordered there, and the order counts."""
        move = self.orders.given.get(_at(unit))
        return isinstance(move, Move) and place in (move.to, province_of(move.to))

    def bounces(self, unit: str) -> bool:
        return self.result(_at(unit)) == "bounces"

    def stranded(self, unit: str) -> bool:
        return self.result(_at(unit)) == "convoy_disrupted"

    def unopposed(self, unit: str) -> bool:
        """Nobody else was to go there, and nobody remained."""
        goal = self.orders.goals[_at(unit)]
        return self.nobody_stays(goal) and self.orders.against[goal] == (_at(unit),)

    def nobody_stays(self, place: str) -> bool:
        """Nobody was there, or whoever was there left."""
        goal = province_of(place)
        return goal not in self.orders.units or goal in self.world.moved

    def nobody_enters(self, place: str) -> bool:
        return not self.winner(province_of(place))

    def takes(self, unit: str, place: str) -> bool:
        """It is the one that entered."""
        return self.winner(province_of(place)) == _at(unit)

    def attack(self, units: Units, place: str) -> bool:
        """Each attacks that province."""
        return all(self.orders.goals.get(at) == province_of(place) for at in _all(units))

    def attacks_unit(self, unit: str, other: str) -> bool:
        """It attacks the province of that unit."""
        return self.orders.goals.get(_at(unit)) == _at(other)

    def all_rivals(self, units: Units, unit: str) -> bool:
        """These are all the others that attack where it goes."""
        against = self.orders.against[self.orders.goals[_at(unit)]]
        return {*_all(units), _at(unit)} == {*against}

    def stay(self, units: Units) -> bool:
        """Each keeps its province."""
        gone = self.world.moved
        return not any(at in gone or self.orders.dislodger(at, self.world) for at in _all(units))

    def head_on(self, units: Units, unit: str) -> bool:
        """Each comes the other way: from where the unit goes, or by the sea that it attacks."""
        at, faced = _at(unit), self.faced(_at(unit))
        return all(other == faced or self.orders.meets_at_sea(other, at) for other in _all(units))

    def _forces(self, units: Units, unit: str) -> list[int]:
        """The strength with which each stands against an attack, beside the strength of the attack.

        Against a unit of its own power an attack has none; what is told is what it has apart from that.
        """
        at, goal = _at(unit), self.orders.goals[_at(unit)]
        powers = {self.orders.units[place].power for place in (at, goal) if place in self.orders.units}
        own = self.orders.attack(at, self.world)
        if goal in self.orders.units and len(powers) == 1 and self.orders.arrives(at, self.world):
            own = self.orders.helped(at, self.world)
        return [self._force(other, at, goal) - own for other in _all(units)]

    def _force(self, other: str, at: str, goal: str) -> int:
        if other == goal:
            return self.orders.resistance(at, self.world)
        if self.orders.meets_at_sea(other, at):
            return self.orders.helped(other, self.world)
        return self.orders.prevention(other, self.world) if other in self.orders.goals else 0

    def even(self, units: Units, unit: str) -> bool:
        """Each is exactly as strong as the attack it stops."""
        return not any(self._forces(units, unit))

    def stronger(self, units: Units, unit: str) -> bool:
        return min(self._forces(units, unit)) > 0

    def not_weaker(self, units: Units, unit: str) -> bool:
        return min(self._forces(units, unit)) >= 0

    def weaker(self, units: Units, unit: str) -> bool:
        return max(self._forces(units, unit)) < 0

    def all_beaten(self, units: Units, unit: str) -> bool:
        """These are all that opposed the attack: who stayed, and whose attacks kept others out."""
        goal = self.orders.goals[_at(unit)]
        stays = {goal} & set(self.orders.units) - self.world.moved
        others = {*self.orders.against[goal]} - {_at(unit)}
        rivals = {other for other in others if self.orders.prevention(other, self.world)}
        return {*_all(units)} == stays | rivals

    def same_power(self, units: Units, unit: str) -> bool:
        own = self.orders.units[_at(unit)].power
        return all(self.orders.units[at].power == own for at in _all(units))

    def strong_but_for_own(self, unit: str, power: str) -> bool:
        """The attack fails because a power's supports do not count against its own unit."""
        at, goal = _at(unit), self.orders.goals[_at(unit)]
        enough = self.orders.helped(at, self.world) > self.orders.resistance(at, self.world)
        return enough and self.orders.units[goal].power == power

    # circles and exchanges ------------------------------------------------------------------------

    def circle(self, units: tuple[str, ...], unit: str) -> bool:
        """Exactly these move round, each to where the next one was, and it is one of them."""
        round_ = self._circle(_at(unit))
        return len(units) > len(("there", "back")) and _all(units) == tuple(round_)

    def swap(self, one: str, other: str) -> bool:
        """The two take each other's place, one of them by convoy at least."""
        by_sea = any(self.orders.by_sea(_at(unit), self.world) for unit in (one, other))
        return by_sea and self._circle(_at(one)) == [_at(one), _at(other)]

    def among(self, unit: str, one: str, other: str) -> bool:
        return unit in (one, other)

    def _circle(self, at: str) -> list[str]:
        """The provinces of those who moved round with this one, none if it did not."""
        seen, here = [at], self.orders.goals.get(at, "")
        while here in self.world.moved and here not in seen:
            seen.append(here)
            here = self.orders.goals[here]
        return seen if here == at and at in self.world.moved else []

    # convoys --------------------------------------------------------------------------------------

    def by_sea(self, units: Units) -> bool:
        """Each travels by convoy."""
        return all(self.orders.by_sea(at, self.world) for at in _all(units))

    def without_chain(self, unit: str) -> bool:
        """No whole chain of fleets was ordered to carry it."""
        return not self.orders.routes[_at(unit)]

    def breaks(self, fleets: Units, army: str) -> bool:
        """The loss of these fleets, all of them dislodged, broke the convoy."""
        at, lost = _at(army), {*_all(fleets)}
        chains = self.orders.routes[at]
        gone = all(self.orders.dislodger(fleet, self.world) for fleet in lost)
        needed = all(any(fleet in chain for chain in chains) for fleet in lost)
        return gone and needed and not self.orders.convoy_stands(at, self.world)

    def not_convoyed(self, army: str) -> bool:
        """It was to go by sea and does not."""
        return _at(army) not in self.world.sailed

    def not_arrived(self, units: Units) -> bool:
        """Each was to come by sea and did not."""
        return all(not self.orders.arrives(at, self.world) for at in _all(units))

    def no_effect(self, units: Units) -> bool:
        """None of these attacks keeps anybody out."""
        return not any(self.orders.prevention(at, self.world) for at in _all(units))

    def beaten_from_there(self, units: Units) -> bool:
        """Each was dislodged by the unit of the very place it attacked."""
        goals, world = self.orders.goals, self.world
        return all(self.orders.dislodger(at, world) == goals[at] for at in _all(units))

    def paradox(self, unit: str) -> bool:
        """A rule for paradoxes, and nothing else, stopped it."""
        at, order = _at(unit), self.orders.given[_at(unit)]
        if isinstance(order, Convoy):
            return self.paradoxical(order.target.province)
        if self.result(at) == "bounces":
            return self.orders.book.convoy_paradox == "all_hold" and self.orders.succeeds(at, self.world)
        return self.paradoxical(at)

    def convoys(self, fleets: Units, army: str, place: str) -> bool:
        """Each fleet carries the army there: the convoy takes place."""
        ordered = self.to_convoy(fleets, army, place) and _at(army) in self.world.sailed
        return ordered and not any(self.orders.dislodger(at, self.world) for at in _all(fleets))

    def to_convoy(self, fleets: Units, army: str, place: str) -> bool:
        """Each was ordered to carry the army there."""
        orders = [self.orders.given.get(at) for at in _all(fleets)]
        return all(
            isinstance(order, Convoy) and (str(order.target), order.to) == (army, place) for order in orders
        )

    def goes_elsewhere(self, army: str, place: str) -> bool:
        """What the army does is no attack on that place."""
        return self.orders.goals.get(_at(army)) != place

    def by_land(self, army: str, place: str) -> bool:
        at = _at(army)
        return self.orders.goals.get(at) == place and not self.orders.by_sea(at, self.world)

    def other_seas(self, army: str, unit: str) -> bool:
        order = self.orders.given[_at(army)]
        return isinstance(order, Move) and bool(order.path) and _at(unit) not in order.path

    def broken_elsewhere(self, army: str, unit: str) -> bool:
        """The convoy was broken, and not by the loss of this fleet."""
        offered = self.orders.offered[_at(army)]
        lost = {at for at in offered if self.orders.dislodger(at, self.world)}
        stands = self.orders.convoy_stands(_at(army), self.world)
        return bool(lost) and _at(unit) not in lost and not stands

    # supports -------------------------------------------------------------------------------------

    def gives_support(self, unit: str) -> bool:
        return self.result(_at(unit)) == "support_given"

    def loses_support(self, unit: str) -> bool:
        return self.result(_at(unit)) == "support_cut"

    def void_support(self, unit: str) -> bool:
        return self.result(_at(unit)) == "support_void"

    def void_convoy(self, unit: str) -> bool:
        return self.result(_at(unit)) == "convoy_void"

    def not_attacked(self, unit: str) -> bool:
        """No attack on it was ordered, by whomever."""
        return not self.orders.against.get(_at(unit))

    def attacked_by(self, unit: str, attackers: Units) -> bool:
        """Each of them attacks it, and arrives."""
        against = self.orders.against.get(_at(unit), ())
        return all(at in against and self.orders.felt(at, self.world) for at in _all(attackers))

    def all_attackers(self, attackers: Units, unit: str) -> bool:
        """Nobody else attacks it."""
        return {*_all(attackers)} == {*self.orders.against.get(_at(unit), ())}

    def cut_by(self, unit: str, attackers: Units) -> bool:
        """Each of these attacks would have cut the support alone."""
        return {*_all(attackers)} <= {*self.orders.cutters(_at(unit), self.world)}

    def from_target(self, attacker: str, unit: str) -> bool:
        """It comes from where the support is aimed."""
        return _at(attacker) == self.orders.directed(_at(unit))

    def from_sea_aimed_at(self, attackers: Units, unit: str) -> bool:
        """Each counts as coming from the sea where the support is aimed."""
        return all(self.orders.from_sea_attacked(at, _at(unit), self.world) for at in _all(attackers))

    def against_their_fleet(self, unit: str, attackers: Units) -> bool:
        """The support is for an attack on a fleet that is to convoy each of them."""
        where = self.orders.directed(_at(unit))
        order = self.orders.given[_at(unit)]
        assert isinstance(order, Support)
        return order.to is not None and all(where in self.orders.offered[at] for at in _all(attackers))

    def against_needed_fleet(self, unit: str, attackers: Units) -> bool:
        """The same, a fleet without which the convoy would not take place."""
        where = self.orders.directed(_at(unit))
        left = [self.orders.offered[at] - {where} for at in _all(attackers)]
        lost = {at for fleets in left for at in fleets if self.orders.dislodger(at, self.world)}
        routes = [
            self.orders.chains(at, fleets - lost) for at, fleets in zip(_all(attackers), left, strict=True)
        ]
        return self.against_their_fleet(unit, attackers) and not any(routes)

    def into_convoying_sea(self, unit: str) -> bool:
        return isinstance(self.orders.given.get(self.orders.directed(_at(unit))), Convoy)

    def in_paradox(self, attackers: Units) -> bool:
        """A rule for paradoxes tames each of these attacks."""
        return {*_all(attackers)} <= self.orders.tame

    def settled_before(self, unit: str, attackers: Units) -> bool:
        """Whether the support counts was settled without these attacks."""
        return bool(self.orders.kept.get(_at(unit))) and {*_all(attackers)} <= self.orders.core

    def lost_after(self, unit: str, attacker: str) -> bool:
        """It counted until this attack, settled afterwards, dislodged its giver."""
        lost = _at(unit) in self.orders.fragile - set(self.world.lasting)
        return lost and _at(attacker) in self.orders.core

    def dislodges(self, by: str, unit: str) -> bool:
        return self.orders.dislodger(_at(unit), self.world) == _at(by)

    def not_dislodged(self, unit: str) -> bool:
        return self.orders.dislodger(_at(unit), self.world) is None

    def not_dislodged_by(self, unit: str, attackers: Units) -> bool:
        return self.orders.dislodger(_at(unit), self.world) not in _all(attackers)

    def helps(self, unit: str, target: str) -> bool:
        """Whom its support or convoy is for."""
        order = self.orders.given.get(_at(unit))
        return isinstance(order, Support | Convoy) and str(order.target) == target

    def supports_in_place(self, unit: str, target: str) -> bool:
        order = self.orders.given.get(_at(unit))
        return isinstance(order, Support) and order.to is None and str(order.target) == target

    def supports_to(self, unit: str, target: str, place: str) -> bool:
        order = self.orders.given.get(_at(unit))
        return isinstance(order, Support) and (str(order.target), order.to) == (target, place)

    def without_coast(self, unit: str) -> bool:
        """Its support of a move names no coast."""
        order = self.orders.given.get(_at(unit))
        return isinstance(order, Support) and order.to is not None and "/" not in order.to

    def two_coasts(self, unit: str, place: str) -> bool:
        """It could reach the province on two coasts."""
        there = self.orders.units[_at(unit)]
        steps = self.orders.board.adjacent_locations[there.kind].get(there.location, frozenset())
        return sum(province_of(step) == province_of(place) for step in steps) > 1

    def does_not_move(self, unit: str) -> bool:
        return _at(unit) not in self.orders.goals

    def support(self, helpers: Units, unit: str) -> bool:
        """Each supports what the unit does, and counts."""
        helping = self.orders.helping.get(_at(unit), ())
        return all(at in helping and self.orders.counts(at, self.world) for at in _all(helpers))

    def helped_by(self, unit: str, strength: int) -> bool:
        """One, and one for each support that counts."""
        return self.orders.helped(_at(unit), self.world) == strength

    def misordered(self, unit: str) -> bool:
        return self.orders.unsupportable(self.orders.units[_at(unit)])

    def in_disorder(self, unit: str) -> bool:
        return self.orders.units[_at(unit)].power in self.orders.position.powers_in_disorder

    def against_own(self, unit: str) -> bool:
        order = self.orders.given.get(_at(unit))
        return isinstance(order, Support) and self.orders.against_own(_at(unit), order)

    # staying --------------------------------------------------------------------------------------

    def unwritten(self, unit: str) -> bool:
        """Its power gave it no order at all."""
        return _at(unit) not in self.orders.written

    def without_order(self, unit: str) -> bool:
        """None of its orders counts."""
        return _at(unit) not in self.orders.given

    def told_to_hold(self, unit: str) -> bool:
        return isinstance(self.orders.given.get(_at(unit)), Hold)

    def idle(self, unit: str) -> bool:
        """It is not to leave."""
        return not isinstance(self.orders.given.get(_at(unit)), Move)

    def wanted_to(self, unit: str, place: str) -> bool:
        """It was to leave for that place and could not."""
        return self.goes_to(unit, place) and _at(unit) not in self.world.moved

    def cannot_retreat(self, unit: str) -> bool:
        return self.fate(_at(unit)).destroyed

    # what would have been -------------------------------------------------------------------------

    def few(self, sets: Sets) -> bool:
        """No more than one sentence may tell."""
        return len(sets) <= FEW

    def otherwise(self, unit: str, sets: Sets) -> bool:
        """Without all of any one of these sets, something else becomes of the unit."""
        base = self.fate(_at(unit))
        return all(fate != base for fate in self._fates(unit, sets))

    def well_without(self, unit: str, sets: Sets) -> bool:
        """Without all of any one of these sets its order would have succeeded, as it did not."""
        return not self.fate(_at(unit)).well and all(fate.well for fate in self._fates(unit, sets))

    def ill_without(self, unit: str, sets: Sets) -> bool:
        """Without all of any one of these sets its order would have failed, as it did not."""
        return self.fate(_at(unit)).well and not any(fate.well for fate in self._fates(unit, sets))

    def spared_without(self, unit: str, sets: Sets) -> bool:
        fell = self.fate(_at(unit)).dislodged
        return fell and not any(fate.dislodged for fate in self._fates(unit, sets))

    def lost_without(self, unit: str, sets: Sets) -> bool:
        fell = self.fate(_at(unit)).dislodged
        return not fell and all(fate.dislodged for fate in self._fates(unit, sets))

    def _fates(self, unit: str, sets: Sets) -> list[Fate]:
        return [self.without(_all(units)).fate(_at(unit)) for units in sets]


def _at(unit: str) -> str:
    """The province in which a unit stands."""
    return province_of(unit.partition(" ")[2])


def _all(units: Units) -> tuple[str, ...]:
    """The provinces of one unit or several."""
    return (_at(units),) if isinstance(units, str) else tuple(map(_at, units))
