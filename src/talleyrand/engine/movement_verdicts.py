"""From a settled battle to verdicts: what each unit did, and the cause; or to the bare results."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType

from .board import province_of
from .convoys import RouteChoice, seas_on_proper_routes
from .legality import retreat_places
from .movement_resolution import MovementResolution
from .orders import Convoy, Hold, Move, Order, Support
from .outcome import Cause, CauseCode, OrderResult, StrengthComparison, Verdict
from .position import DislodgedUnit, Unit

_HELD = Cause(CauseCode.ORDERED)
_IDLE = Cause(CauseCode.NO_ORDER)
_NOT_ATTACKED = Cause(CauseCode.NOT_ATTACKED)


class PositionAfterMoves:
    """Where everybody stands once the moves are made."""

    def __init__(self, battle: MovementResolution) -> None:
        self.resolution = battle
        self.dislodged_by = self._dislodgers()
        self.units = self._units()
        self.occupied = {province_of(unit.location) for unit in self.units}
        self.contested = self._contested()
        self.dislodged = {province: self._fall(province, by) for province, by in self.dislodged_by.items()}

    def _dislodgers(self) -> dict[str, str]:
        """Each dislodged unit's province with its attacker's."""
        battle = self.resolution
        return {
            goal: province
            for province, goal in battle.destination.items()
            if battle.move_succeeds[province] and goal in battle.units and not battle.move_succeeds.get(goal)
        }

    def _units(self) -> tuple[Unit, ...]:
        battle, units = self.resolution, []
        for province, unit in battle.units.items():
            if battle.move_succeeds.get(province):
                order = battle.orders[province]
                assert isinstance(order, Move)
                units.append(Unit(unit.kind, order.to, unit.power))
            elif province not in self.dislodged_by:
                units.append(unit)
        return tuple(units)

    def _contested(self) -> frozenset[str]:
        """Provinces left empty in which an attack with effect failed: stand-offs."""
        battle = self.resolution
        return frozenset(
            goal
            for province, goal in battle.destination.items()
            if goal not in self.occupied
            and not battle.move_succeeds[province]
            and battle.prevent_strength(province).most
        )

    def _fall(self, province: str, by: str) -> DislodgedUnit:
        battle = self.resolution
        unit, convoyed = battle.units[province], battle.goes_by_convoy(by) is True
        led = unit.power not in battle.position.passive and not battle.position.is_in_disorder(unit)
        if not led and battle.book.civil_disorder_retreat == "destroyed":
            return DislodgedUnit(unit, by, convoyed)
        closed = self.occupied | self.contested
        places = retreat_places(battle.board, unit, by, closed, convoyed=convoyed, book=battle.book)
        return DislodgedUnit(unit, by, convoyed, places)


def results_by_province(battle: MovementResolution) -> dict[str, tuple[str, ...]]:
    """The results of every unit, as `movement_verdicts` gives them, without their causes."""
    aftermath: PositionAfterMoves | None = None
    found: dict[str, tuple[str, ...]] = {}
    for province in battle.units:
        results: tuple[str, ...] = _RESULTS_ALONE[_order_result(battle, province)]
        if not battle.move_succeeds.get(province) and battle.is_dislodged(province):
            aftermath = aftermath or PositionAfterMoves(battle)
            results = _results_of_fallen(results, aftermath.dislodged[province])
        found[province] = results
    return found


_RESULTS_ALONE = {result: (result,) for result in OrderResult}


def _order_result(battle: MovementResolution, province: str) -> OrderResult:
    """What a unit's order came to, whatever befell the unit."""
    order = battle.orders.get(province)
    if isinstance(order, Move):
        return _move_result(battle, province)
    if isinstance(order, Support):
        if province in battle.void_orders:
            return OrderResult.SUPPORT_VOID
        return OrderResult.SUPPORT_GIVEN if battle.support_stands[province] else OrderResult.SUPPORT_CUT
    return _convoy_result(battle, province, order) if isinstance(order, Convoy) else OrderResult.HOLDS


def _move_result(battle: MovementResolution, province: str) -> OrderResult:
    if battle.move_succeeds[province]:
        return OrderResult.MOVES
    return OrderResult.BOUNCES if battle.can_arrive(province) else OrderResult.CONVOY_DISRUPTED


def _convoy_result(battle: MovementResolution, province: str, order: Convoy) -> OrderResult:
    if province in battle.void_orders:
        return OrderResult.CONVOY_VOID
    if battle.is_dislodged(province) or _fails_by_paradox(battle, order.target.province):
        return OrderResult.CONVOY_DISRUPTED
    return OrderResult.CONVOYS


def _fails_by_paradox(battle: MovementResolution, army: str) -> bool:
    """Whether a convoy has its fleets and does not take place, for a paradox was settled so."""
    stranded = army in battle.paradoxical_moves and not battle.route_found[army]
    return stranded and bool(battle.decide_route(army))


def _results_of_fallen(results: tuple[str, ...], fallen: DislodgedUnit) -> tuple[str, ...]:
    lost = () if fallen.retreats else (OrderResult.DESTROYED,)
    return (*results, OrderResult.DISLODGED, *lost)


def movement_verdicts(battle: MovementResolution, aftermath: PositionAfterMoves) -> tuple[Verdict, ...]:
    """One verdict a unit, in the order of the position."""
    judges = {Move: _move, Support: _support, Convoy: _convoy, Hold: _hold, NoneType: _hold}
    found = []
    for province, unit in battle.units.items():
        order = battle.orders.get(province)
        verdict = judges[type(order)](battle, unit, province, order, _order_result(battle, province))
        found.append(_fallen(battle, aftermath, verdict) if province in aftermath.dislodged_by else verdict)
    return tuple(found)


def _fallen(battle: MovementResolution, aftermath: PositionAfterMoves, verdict: Verdict) -> Verdict:
    fallen = aftermath.dislodged[verdict.unit.province]
    attacker = battle.units[fallen.by]
    results = _results_of_fallen(verdict.results, fallen)
    by = (*(unit for unit in verdict.by if unit != attacker), attacker)
    cause = verdict.cause
    if verdict.results == (OrderResult.HOLDS,) or cause.code in (
        CauseCode.DISLODGED_BY,
        CauseCode.CONVOY_BROKEN,
    ):
        code = CauseCode.DISLODGED_BY if verdict.results == (OrderResult.HOLDS,) else cause.code
        cause = Cause(code, (attacker,))
    return verdict._replace(results=results, cause=cause, by=by)


def _hold(
    battle: MovementResolution, unit: Unit, province: str, order: Order | None, result: OrderResult
) -> Verdict:
    cause = _HELD if order else _IDLE
    attackers = _attacking(battle, province)
    if attackers:
        cause = Cause(CauseCode.HELD_OFF, attackers)
    return Verdict(unit.name, unit.power, order, (result,), cause)


def _attacking(battle: MovementResolution, province: str) -> tuple[Unit, ...]:
    attackers = battle.attackers.get(province)
    if not attackers:
        return ()
    return tuple(battle.units[attacker] for attacker in attackers if battle.has_effect(attacker))


# moves ------------------------------------------------------------------------------------------


def _move(
    battle: MovementResolution, unit: Unit, province: str, order: Order | None, result: OrderResult
) -> Verdict:
    assert isinstance(order, Move)
    route = "sea" if battle.goes_by_convoy(province) else "land"
    by: tuple[Unit, ...] = ()
    if result is OrderResult.MOVES:
        cause = _success(battle, province)
    elif result is OrderResult.CONVOY_DISRUPTED:
        cause, route = _no_passage(battle, province), "sea"
        by = cause.units if cause.code is CauseCode.FLEET_DISLODGED else ()
    else:
        cause = _failure(battle, province)
        by = cause.units
    return Verdict(order.unit, unit.power, order, (result,), cause, order.to, by, route)


def _success(battle: MovementResolution, province: str) -> Cause:
    goal = battle.destination[province]
    others = _round(battle, province) if province in battle.rotating_moves else ()
    if len(others) > 1:
        return Cause(CauseCode.ROTATION, others, (goal,))
    rivals = _rivals(battle, province, 1)
    loser = (battle.units[goal],) if goal in battle.units and not battle.move_succeeds.get(goal) else ()
    if loser and not rivals:
        return Cause(CauseCode.DISLODGES, loser, (goal,))
    if rivals:
        return Cause(CauseCode.STRONGER, (*loser, *rivals), (goal,))
    if battle.destination.get(goal) == province:
        return Cause(CauseCode.SWAP, (battle.units[goal],), (goal,), "convoy_exchange")
    return _without_effect(battle, province)


def _round(battle: MovementResolution, province: str) -> tuple[Unit, ...]:
    """The others of a rotation, each where the one before it goes; none where the moves lead elsewhere."""
    found, here = [], battle.destination[province]
    while battle.move_succeeds.get(here) and here != province and battle.units[here] not in found:
        found.append(battle.units[here])
        here = battle.destination[here]
    return tuple(found) if here == province else ()


def _without_effect(battle: MovementResolution, province: str) -> Cause:
    """A move that nothing stops, and the attacks on its goal, if any, that keep nobody out."""
    goal = battle.destination[province]
    idle = tuple(rival for rival in battle.attackers[goal] if rival != province)
    code = CauseCode.RIVAL_WITHOUT_EFFECT
    if not idle:
        code = CauseCode.UNOPPOSED
    elif not any(battle.can_arrive(rival) for rival in idle):
        code = CauseCode.RIVAL_STRANDED
    elif all(battle.can_arrive(rival) for rival in idle):
        code = CauseCode.RIVAL_DISLODGED
    return Cause(code, tuple(battle.units[rival] for rival in idle), (goal,))


def _rivals(battle: MovementResolution, province: str, strength: int) -> tuple[Unit, ...]:
    """The others that attack a move's goal with at least this strength."""
    return tuple(
        battle.units[rival]
        for rival in battle.attackers[battle.destination[province]]
        if rival != province and battle.prevent_strength(rival).most >= strength
    )


def _no_passage(battle: MovementResolution, province: str) -> Cause:
    goal = battle.destination[province]
    used = battle.convoying_fleets[province]
    if province not in battle.moves_naming_route:
        used = seas_on_proper_routes(battle.board, used, province, goal)
    seas = sorted(used & set(battle.units))
    fallen = tuple(battle.units[sea] for sea in seas if battle.is_dislodged(sea))
    if province in battle.paradoxical_moves and battle.decide_route(province):
        return Cause(CauseCode.PARADOX, tuple(battle.units[sea] for sea in seas), (goal,), "convoy_paradox")
    if fallen and province in battle.complete_convoys:
        several = len(fallen) < len(seas) and province not in battle.moves_naming_route
        option = "multi_route_disruption" if several else None
        return Cause(CauseCode.FLEET_DISLODGED, fallen, (goal,), option)
    return Cause(CauseCode.NO_CONVOY, places=(goal,))


def _failure(battle: MovementResolution, province: str) -> Cause:
    """Why an attack that arrives fails: who entered, who stayed, who came the other way, who attacked too."""
    goal = battle.destination[province]
    attack = battle.support_strength(battle.move_supporters.get(province)).most
    if battle.units.get(goal) is None or battle.units[goal].power != battle.units[province].power:
        attack = battle.attack_strength(province).most
    winner = next(
        (battle.units[rival] for rival in battle.attackers[goal] if battle.move_succeeds[rival]), None
    )
    occupant, leaves = battle.units.get(goal), bool(battle.move_succeeds.get(goal))
    if occupant is not None and (battle.is_head_to_head(province) if leaves else winner is None):
        cause = _stopped_by(battle, province, occupant, attack)
        if cause is not None:
            return cause
    if winner is not None:
        edge = _edge(attack, [battle.prevent_strength(winner.province).most])
        return Cause(CauseCode.BEATEN, (winner,), (goal,), comparison=edge)
    armies = _met_at_sea(battle, province, attack)
    if armies:
        edge = _edge(
            attack, [battle.support_strength(battle.move_supporters.get(army)).most for army in armies]
        )
        met = tuple(battle.units[army] for army in armies)
        return Cause(CauseCode.HEAD_ON, met, (goal,), "convoy_origin_in_head_to_head", edge)
    rivals = _rivals(battle, province, attack)
    if rivals:
        edge = _edge(attack, [battle.prevent_strength(rival.province).most for rival in rivals])
        return Cause(CauseCode.STAND_OFF, rivals, (goal,), comparison=edge)
    return Cause(CauseCode.PARADOX, places=(goal,), option="convoy_paradox")


def _edge(attack: int, others: Sequence[int]) -> StrengthComparison | None:
    """How the strengths that stop an attack compare with it, where all do alike."""
    if all(other == attack for other in others):
        return StrengthComparison.EVEN
    return StrengthComparison.STRONGER if all(other > attack for other in others) else None


def _met_at_sea(battle: MovementResolution, province: str, attack: int) -> tuple[str, ...]:
    """The armies met half-way at their last fleet that a move does not overcome (DATC 4.A.4.1)."""
    return tuple(
        army
        for army in battle.met_at_last_fleet.get(province, ())
        if battle.support_strength(battle.move_supporters.get(army)).most >= attack
    )


def _stopped_by(battle: MovementResolution, province: str, occupant: Unit, attack: int) -> Cause | None:
    goal = battle.destination[province]
    resistance = battle.defence_strength(province).most
    if attack > resistance:
        own = occupant.power == battle.units[province].power and not _rivals(battle, province, attack)
        return Cause(CauseCode.OWN_UNIT, (occupant,), (goal,), "self_dislodgement") if own else None
    edge = _edge(attack, [resistance])
    if battle.is_head_to_head(province):
        return Cause(CauseCode.HEAD_ON, (occupant,), (goal,), _half_way(battle, province), edge)
    if battle.support_strength(battle.move_supporters.get(province)).most > resistance:
        return Cause(CauseCode.OWN_SUPPORTS, (occupant,), (goal,), "support_against_own_unit")
    return Cause(CauseCode.NOT_STRONGER_THAN_UNIT, (occupant,), (goal,), comparison=edge)


def _half_way(battle: MovementResolution, province: str) -> str | None:
    """The option by which an attack by sea is met half-way, if one does."""
    if battle.destination.get(battle.destination[province]) != province:
        return "convoy_origin_in_head_to_head"
    either = battle.goes_by_convoy(province) or battle.goes_by_convoy(battle.destination[province])
    return "convoy_exchange" if either else None


# supports and convoys -----------------------------------------------------------------------------


def _support(
    battle: MovementResolution, unit: Unit, province: str, order: Order | None, result: OrderResult
) -> Verdict:
    assert isinstance(order, Support)
    by: tuple[Unit, ...] = ()
    if result is OrderResult.SUPPORT_VOID:
        reason, target = battle.void_orders[province], battle.units[order.target.province]
        option = _option(reason, own=target.power == unit.power)
        cause = Cause(reason, (target,), _meant(battle, order), option)
    elif result is OrderResult.SUPPORT_GIVEN:
        cause = _stood(battle, province)
    else:
        cause = _cut(battle, province, battle.cutting_attackers(province))
        by = cause.units
    return Verdict(order.unit, unit.power, order, (result,), cause, by=by)


def _cut(battle: MovementResolution, province: str, cutters: tuple[str, ...]) -> Cause:
    by = tuple(battle.units[cutter] for cutter in cutters)
    supporter = battle.supporters[province]
    if province in battle.supports_until_dislodged:
        return Cause(CauseCode.CUT_BY_DISLODGEMENT, by, option="paradox_support_survives_dislodgement")
    if cutters != (supporter.directed_at,):
        behind = all(battle.comes_from_last_fleet(cutter, supporter) for cutter in cutters)
        if behind:
            return Cause(CauseCode.CUT_BY_DISLODGEMENT, by, option="convoy_origin_in_paradoxes")
        return Cause(CauseCode.CUT_BY_ATTACK, by)
    if battle.move_succeeds[cutters[0]]:
        return Cause(CauseCode.CUT_BY_DISLODGEMENT, by)
    return Cause(CauseCode.CUT_BY_ATTACK, by, option="support_cut_by_convoy_from_target")


_VOID_BY = {
    CauseCode.POWER_IN_DISORDER: "civil_disorder_support",
    CauseCode.SUPPORTED_UNIT_MISORDERED: "illegal_order",
    CauseCode.AGAINST_OWN_UNIT: "support_against_own_unit",
    CauseCode.ARMY_BY_LAND: "land_or_sea_route",
    CauseCode.OTHER_PATH: "convoy_path",
}


def _option(reason: CauseCode, *, own: bool) -> str | None:
    """The option that makes a support void, if one does."""
    if reason in (CauseCode.COAST_NOT_SAID, CauseCode.COAST_DIFFERS):
        return "support_coast_own" if own else "support_coast_foreign"
    return _VOID_BY.get(reason)


def _meant(battle: MovementResolution, order: Support) -> tuple[str, ...]:
    """Where the supported unit really goes, if anywhere."""
    move = battle.orders.get(order.target.province)
    return (move.to,) if isinstance(move, Move) else ()


def _stood(battle: MovementResolution, province: str) -> Cause:
    """Why a support counts although its giver is attacked; the attackers named are those it speaks of."""
    attackers = _attacking(battle, province)
    if not attackers:
        ordered = tuple(battle.units[attacker] for attacker in battle.attackers.get(province, ()))
        return Cause(CauseCode.ATTACK_STRANDED, ordered) if ordered else _NOT_ATTACKED
    foes = tuple(unit for unit in attackers if unit.power != battle.units[province].power)
    if not foes:
        return Cause(CauseCode.OWN_ATTACK, attackers)
    settled = _settled_at_sea(battle, province, foes)
    if settled:
        return Cause(CauseCode.CONVOY_PROTECTED, settled, option="convoy_paradox")
    supporter = battle.supporters[province]
    beaten = tuple(unit for unit in foes if not battle.move_succeeds[unit.province])
    into = tuple(unit for unit in beaten if unit.province == supporter.directed_at)
    if into:
        option = "support_cut_by_convoy_from_target" if battle.goes_by_convoy(supporter.directed_at) else None
        return Cause(CauseCode.ATTACK_FROM_TARGET, into, (supporter.directed_at,), option)
    behind = tuple(unit for unit in beaten if battle.comes_from_last_fleet(unit.province, supporter))
    if behind:
        return Cause(CauseCode.CONVOY_PROTECTED, behind, option="convoy_origin_in_paradoxes")
    return Cause(CauseCode.CONVOY_PROTECTED, foes, option="convoy_self_protection")


def _settled_at_sea(battle: MovementResolution, province: str, foes: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The attackers that a support withstands because a paradox was settled so (DATC 4.A.2)."""
    settled = (
        battle.paradoxical_moves
        if province in battle.frozen_supports | battle.supports_until_dislodged
        else battle.attacks_cutting_no_support
    )
    return tuple(unit for unit in foes if unit.province in settled)


def _convoy(
    battle: MovementResolution, unit: Unit, province: str, order: Order | None, result: OrderResult
) -> Verdict:
    assert isinstance(order, Convoy)
    cause = _convoy_cause(battle, province, battle.units[order.target.province], result)
    return Verdict(order.unit, unit.power, order, (result,), cause, province_of(order.to))


def _convoy_cause(battle: MovementResolution, province: str, army: Unit, result: OrderResult) -> Cause:
    if result is OrderResult.CONVOY_VOID:
        reason = battle.void_orders[province]
        return Cause(reason, (army,), option=_VOID_BY.get(reason))
    route = battle.route_choice[army.province]
    if battle.is_dislodged(province):
        lost = not battle.route_found[army.province] and not battle.decide_route(army.province)
        broken = lost and route is not RouteChoice.LAND_ELSE_SEA
        return Cause(CauseCode.CONVOY_BROKEN if broken else CauseCode.DISLODGED_BY)
    if result is OrderResult.CONVOY_DISRUPTED:
        return Cause(CauseCode.PARADOX, (army,), option="convoy_paradox")
    if route is RouteChoice.LAND_ELSE_SEA and not battle.goes_by_convoy(army.province):
        return Cause(CauseCode.CONVOY_READY, (army,), option="route_fallback")
    passes = battle.route_found[army.province]
    return Cause(CauseCode.CONVOY_STANDS if passes else CauseCode.CHAIN_BROKEN, (army,))
