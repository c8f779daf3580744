"""Decisions that wait for one another: circles of moves and convoy paradoxes.

When propagation stalls, the open decisions form groups; one from which no other open decision is
reached is settled on its own, so that what does not hang on a paradox is never touched by it.
Without a convoy in it the group is a rotation, and its moves succeed (DATC 6.C). With convoys, every
assignment of "takes place" to them is considered; the consistent ones are its resolutions, and
where there is not exactly one the rulebook decides (DATC 4.A.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .convoys import RouteChoice
from .movement_resolution import MovementResolution, TriState

Decision = tuple[str, str]


class Resolution(NamedTuple):
    """One consistent way to settle a group: which of its convoyed attacks find a route."""

    successful_convoys: frozenset[str]


def resolve_decisions(battle: MovementResolution) -> None:
    """Settle every decision of a battle."""
    if battle.book.convoy_paradox == "sea_first_always":
        _sea_always_first(battle)
    pending = battle.propagate(battle.open_decisions())
    while pending:
        _settle_group(battle, _first_group(battle, pending))
        pending = battle.propagate([entry for entry in pending if _open(battle, entry)])


def _settle_group(battle: MovementResolution, group: list[Decision]) -> None:
    kept = [
        province
        for kind, province in group
        if kind == "support_stands" and province in battle.supports_until_dislodged
    ]
    if any(kind == "route_found" for kind, _ in group):
        _settle_paradox(battle, group)
    elif kept:
        battle.support_stands.update(dict.fromkeys(kept, True))
    else:
        _rotate(battle, group)


def _open(battle: MovementResolution, decision: Decision) -> bool:
    kind, province = decision
    return battle.decisions(kind)[province] is None


def _rotate(battle: MovementResolution, group: Iterable[Decision]) -> None:
    for kind, province in group:
        if kind == "move_succeeds":
            battle.move_succeeds[province] = True
            battle.rotating_moves.add(province)


# groups -----------------------------------------------------------------------------------------


def _first_group(battle: MovementResolution, pending: list[Decision]) -> list[Decision]:
    """A group on which no other open decision bears, in a fixed order."""
    waits = {decision: _waits_for(battle, decision) for decision in pending}
    closures = (_closure(waits, decision) for decision in pending)
    return min((sorted(closure) for closure in closures), key=lambda group: (len(group), group))


def _closure(waits: dict[Decision, list[Decision]], start: Decision) -> set[Decision]:
    seen = {start}
    edge = [start]
    while edge:
        for decision in waits[edge.pop()]:
            if decision not in seen:
                seen.add(decision)
                edge.append(decision)
    return seen


def _waits_for(battle: MovementResolution, decision: Decision) -> list[Decision]:
    kind, province = decision
    sources = {"route_found": _path_reads, "support_stands": _support_reads, "move_succeeds": _move_reads}
    return [
        source
        for source in dict.fromkeys(sources[kind](battle, province))
        if battle.decisions(source[0]).get(source[1], True) is None
    ]


def _path_reads(battle: MovementResolution, province: str) -> Iterator[Decision]:
    for sea in battle.convoying_fleets[province]:
        for attacker in battle.attackers.get(sea, ()):
            yield "move_succeeds", attacker


def _support_reads(battle: MovementResolution, province: str) -> Iterator[Decision]:
    supporter = battle.supporters[province]
    behind = battle.book.convoy_origin_in_paradoxes == "last_fleet"
    for attacker in battle.attackers.get(province, ()):
        if province in battle.supports_until_dislodged:
            yield "move_succeeds", attacker
            continue
        yield from _felt_reads(battle, attacker)
        yield from _way_reads(battle, attacker)
        if attacker == supporter.directed_at or behind:
            yield "move_succeeds", attacker
        if attacker in battle.convoying_fleets:
            yield from _path_reads(battle, attacker)


def _felt_reads(battle: MovementResolution, province: str) -> Iterator[Decision]:
    if not battle.has_effect_despite_disruption(province):
        yield "route_found", province


def _way_reads(battle: MovementResolution, province: str) -> Iterator[Decision]:
    """What tells whether a move that may go by land or by sea goes by sea."""
    goal = battle.destination[province]
    if battle.route_choice[province] is RouteChoice.SEA_ELSE_LAND:
        yield "route_found", province
    if (
        battle.route_choice[province] is RouteChoice.LAND_ELSE_SEA
        and battle.destination.get(goal) == province
    ):
        yield "route_found", province
        for rival in (goal, *battle.attackers[goal]):
            yield from _felt_reads(battle, rival)
            yield from _supports_of(battle, rival)


def _supports_of(battle: MovementResolution, mover: str) -> Iterator[Decision]:
    for supporter in battle.move_supporters.get(mover, ()):
        yield "support_stands", supporter


def _move_reads(battle: MovementResolution, province: str) -> Iterator[Decision]:
    goal = battle.destination[province]
    yield "route_found", province
    yield "move_succeeds", goal
    yield "route_found", goal
    for supporter in battle.hold_supporters.get(goal, ()):
        yield "support_stands", supporter
    for mover in (goal, *battle.attackers[goal]):
        yield from _rival_reads(battle, mover, goal)
    for army in battle.met_at_last_fleet.get(province, ()):
        yield from _supports_of(battle, army)


def _rival_reads(battle: MovementResolution, mover: str, goal: str) -> Iterator[Decision]:
    if mover in battle.destination:
        yield from _felt_reads(battle, mover)
        yield from _way_reads(battle, mover)
    if battle.destination.get(goal) == mover:
        yield "move_succeeds", mover
    yield from _supports_of(battle, mover)


# paradoxes --------------------------------------------------------------------------------------


def _settle_paradox(battle: MovementResolution, group: list[Decision]) -> None:
    found = list(_resolutions(battle, group))
    if len(found) == 1:
        _sail(battle, group, found[0].successful_convoys)
        return
    greatest = _greatest(found)
    if greatest is not None and battle.book.convoy_quasi_paradox == "convoys_take_place":
        _sail(battle, group, greatest)
    else:
        _call_backup(battle, group, found)


def _call_backup(battle: MovementResolution, group: list[Decision], found: list[Resolution]) -> None:
    rule = battle.book.convoy_paradox
    if rule == "sea_first_if_no_resolution":
        _sea_first(battle, group, _core(group, found))
    elif rule == "all_hold":
        _all_hold(battle, group)
    elif rule == "rule_1982" and not _paths(group) <= battle.attacks_cutting_no_support:
        battle.attacks_cutting_no_support |= _paths(group)
    else:
        _sail(battle, group, frozenset())
        battle.paradoxical_moves |= _paths(group)


def _paths(group: Iterable[Decision]) -> frozenset[str]:
    return frozenset(province for kind, province in group if kind == "route_found")


def _sail(battle: MovementResolution, group: list[Decision], sailing: frozenset[str]) -> None:
    for province in _paths(group):
        battle.route_found[province] = province in sailing


def _all_hold(battle: MovementResolution, group: list[Decision]) -> None:
    _sail(battle, group, frozenset())
    battle.paradoxical_moves |= _paths(group)
    for kind, province in group:
        if kind == "move_succeeds":
            battle.move_succeeds[province] = False
            battle.paradoxical_moves.add(province)


def _greatest(found: list[Resolution]) -> frozenset[str] | None:
    """The convoys of the resolution that has all those of every other, if there is one."""
    union = frozenset[str]().union(*(resolution.successful_convoys for resolution in found))
    return union if any(resolution.successful_convoys == union for resolution in found) else None


def _core(group: list[Decision], found: list[Resolution]) -> frozenset[str]:
    """The convoyed attacks whose convoy is undetermined: in some resolutions but not in all."""
    if not found:
        return _paths(group)
    everywhere = frozenset.intersection(*(resolution.successful_convoys for resolution in found))
    return frozenset[str]().union(*(resolution.successful_convoys for resolution in found)) - everywhere


def _resolutions(battle: MovementResolution, group: list[Decision]) -> Iterator[Resolution]:
    """Every consistent way to settle the group, in a fixed order."""
    with _TentativeDecisions(battle, group):
        yield from _search(battle, group, {})


def _search(
    battle: MovementResolution, group: list[Decision], assumed: dict[str, bool]
) -> Iterator[Resolution]:
    """Assume one open path after the other: what follows from each prunes the rest."""
    battle.propagate([entry for entry in group if _open(battle, entry)])
    if any(battle.decide_route(path) is (not state) for path, state in assumed.items()):
        return
    undecided = [province for province in sorted(_paths(group)) if battle.route_found[province] is None]
    if not undecided:
        _settle_rest(battle, group)
        if all(battle.decide_route(path) is state for path, state in assumed.items()):
            yield Resolution(frozenset(path for path in _paths(group) if battle.route_found[path]))
        return
    for state in (False, True):
        with _TentativeDecisions(battle, [entry for entry in group if _open(battle, entry)]):
            battle.route_found[undecided[0]] = state
            yield from _search(battle, group, {**assumed, undecided[0]: state})


def _settle_rest(battle: MovementResolution, group: list[Decision]) -> None:
    """Settle the supports and moves of a group whose paths are given; rotations take place."""
    pending = battle.propagate([entry for entry in group if _open(battle, entry)])
    while pending:
        first = _first_group(battle, pending)
        _sail(battle, first, frozenset())
        if not _paths(first):
            _rotate(battle, first)
        pending = battle.propagate([entry for entry in pending if _open(battle, entry)])


class _TentativeDecisions:
    """Within it a group is settled for the sake of argument; afterwards it is open again."""

    def __init__(self, battle: MovementResolution, group: list[Decision]) -> None:
        self.battle, self.group = battle, group

    def __enter__(self) -> None:
        self.rotating = set(self.battle.rotating_moves)

    def __exit__(self, *_: object) -> None:
        for kind, province in self.group:
            self.battle.decisions(kind)[province] = None
        self.battle.rotating_moves = self.rotating


def _sea_first(battle: MovementResolution, group: list[Decision], core: frozenset[str]) -> None:
    """The conflicts at sea are settled as if the core attacks did not exist; then these take place
    where their fleets survived, cutting no support that was counted (Anjou Feu, IV, paradoxes)."""
    attacked = {battle.destination[province] for province in core}
    survived, counted = _paradox_without(battle, group, core, attacked & set(battle.support_stands))
    battle.route_found.update(survived)
    _keep(
        battle,
        {province: state for province, state in counted.items() if ("support_stands", province) in group},
    )
    battle.paradoxical_moves |= core


def _sea_always_first(battle: MovementResolution) -> None:
    """The same before anything else, for every convoy that may take place, and for the supports of
    actions against or for the fleets that convoy (Descartes, as Anjou Feu quotes it)."""
    sailing = (RouteChoice.SEA, RouteChoice.SEA_ELSE_LAND)
    core = frozenset(
        province for province in battle.complete_convoys if battle.route_choice[province] in sailing
    )
    seas = frozenset[str]().union(*(battle.convoying_fleets[province] for province in core))
    attacked = {battle.destination[province] for province in core} & set(battle.support_stands)
    concerned = {province for province in attacked if battle.supporters[province].directed_at in seas}
    survived, counted = _paradox_without(battle, battle.open_decisions(), core, concerned)
    battle.route_found.update(survived)
    _keep(battle, counted)
    battle.paradoxical_moves |= core


def _paradox_without(
    battle: MovementResolution, group: list[Decision], core: frozenset[str], supports: set[str]
) -> tuple[dict[str, TriState], dict[str, TriState]]:
    """Which convoys of the core find their fleets, and which of these supports count, without the
    attacks of the core."""
    with _TentativeDecisions(battle, group):
        battle.ignored_attacks = core
        battle.route_found.update(dict.fromkeys(core, False))
        _settle_rest(battle, group)
        battle.ignored_attacks = frozenset()
        survived = {province: battle.decide_route(province) for province in core}
        return survived, {province: battle.support_stands[province] for province in supports}


def _keep(battle: MovementResolution, counted: dict[str, TriState]) -> None:
    """Supports stay as they were counted; or, if the book says so, until their giver is dislodged."""
    for province, state in counted.items():
        if state and battle.book.paradox_support_survives_dislodgement == "no":
            battle.supports_until_dislodged.add(province)
        else:
            battle.support_stands[province] = state
            battle.frozen_supports.add(province)
