"""The rules a book may settle differently, one field a point.

Values are named after what they do; the letter of the DATC's chapter 4 stands in the comment.
A field's name and values are those of the profiles (`rulebooks/options.toml`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from .errors import ImpossibleCombination, UnknownName


class MultiRoute(StrEnum):
    """A convoy with several routes, one of them broken (DATC 4.A.1)."""

    ANY_ROUTE = "any_route"  # a
    ALL_ROUTES = "all_routes"  # b


class DisruptedEffect(StrEnum):
    """What an army whose convoy is disrupted does at its goal (the misprint of 2000, DATC chapter 2)."""

    NONE = "none"
    CUTS_AND_BOUNCES = "cuts_and_bounces"


class SelfProtection(StrEnum):
    """Which supports a convoyed attack never cuts (DATC 4.A.2)."""

    ANY_CONVOYING_FLEET = "never_cuts_any_convoying_fleet"  # a, 1971
    ACTION_IN_CONVOY_SEA = "never_cuts_action_in_convoy_sea"  # b, 1982
    NECESSARY_FLEET = "never_cuts_necessary_fleet"  # c, 2000 and 2023
    CUTS = "cuts"


class ConvoyParadox(StrEnum):
    """What settles a convoy paradox (DATC 4.A.2)."""

    SZYKMAN = "szykman"  # f
    ALL_HOLD = "all_hold"  # d
    RULE_1982 = "rule_1982"  # b, kept for paradoxes
    SEA_FIRST_IF_NO_RESOLUTION = "sea_first_if_no_resolution"
    SEA_FIRST_ALWAYS = "sea_first_always"


class ConvoyQuasiParadox(StrEnum):
    """Several consistent resolutions, one of them with all the convoys (DATC 6.F.22)."""

    CONVOYS_TAKE_PLACE = "convoys_take_place"
    CONVOYS_FAIL = "convoys_fail"


class YesNo(StrEnum):
    """A plain yes or no."""

    YES = "yes"
    NO = "no"


class ConvoyOrigin(StrEnum):
    """Where a convoyed attack comes from (DATC 4.A.4)."""

    STARTING_PROVINCE = "starting_province"
    LAST_FLEET = "last_fleet"  # Brannan


class LandOrSeaRoute(StrEnum):
    """How an army goes to a province that it reaches by land and by convoy (DATC 4.A.3)."""

    OPPOSITE_MOVE_ONLY = "opposite_move_only"  # a
    INTENT_OF_ORDERS = "intent_of_orders"  # b
    OWN_FLEET_OR_MARKER = "own_fleet_or_marker"  # c, d
    OWN_CHAIN_OR_MARKER = "own_chain_or_marker"
    MARKER_REQUIRED = "marker_required"  # DPTG
    LAND_THEN_SEA = "land_then_sea"
    SEA_THEN_LAND = "sea_then_land"


class RouteFallback(StrEnum):
    """What an army does whose chosen route fails (DATC 4.A.3)."""

    NONE = "none"
    TO_LAND = "to_land"
    TO_SEA = "to_sea"


class Kidnapping(StrEnum):
    """Whether foreign fleets can carry off an army that did not ask for it (DATC 6.G.2)."""

    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"


class ConvoyMarker(StrEnum):
    """The words by which an army asks for a convoy to a neighbour (DATC 4.A.3)."""

    NONE = "none"
    PAR_CONVOI = "par_convoi_or_C"
    VIA_CONVOY = "via_convoy"


class BrokenChain(StrEnum):
    """A convoy order beside an own fleet of the same chain that does not convoy (row M11)."""

    LAND_ROUTE = "convoy_orders_void_land_route"
    ATTACK_FAILS = "attack_fails"


class ConvoyPath(StrEnum):
    """The seas that a convoyed move names (DATC 4.A.6)."""

    IGNORED = "ignored"  # a
    ALLOWED = "allowed"  # b
    REQUIRED = "required"  # c


class CutFromTarget(StrEnum):
    """A convoyed attack on a unit that supports against the army's own province (DATC 4.A.4)."""

    NOT_CUT = "not_cut"
    CUT = "cut"


class Permission(StrEnum):
    """Allowed or not."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class DislodgedEffect(StrEnum):
    """When a dislodged unit has no effect on its attacker's province (DATC 4.A.7)."""

    NEVER = "never"  # a: it never has one
    ONLY_IF_HEAD_TO_HEAD = "only_if_head_to_head"  # b


class OneCoast(StrEnum):
    """A move without coast where one can be reached (DATC 4.B.2)."""

    ONLY_POSSIBLE = "only_possible"  # a
    FAILS = "fails"  # b


class TwoCoasts(StrEnum):
    """A move without coast where two can be reached (DATC 4.B.1)."""

    FAILS = "fails"
    DEFAULT_COAST = "default_coast"


class ImpossibleCoast(StrEnum):
    """A move to a coast that cannot be reached while another can (DATC 4.B.3)."""

    IGNORED = "ignored"  # a
    ILLEGAL = "illegal"  # b


class SupportCoast(StrEnum):
    """The coast in the support of a fleet that can reach two (DATC 4.B.4)."""

    MUST_MATCH = "must_match"
    OPTIONAL = "optional_must_match_if_given"
    IGNORED = "ignored"


class NeedlessCoast(StrEnum):
    """A coast that is wrong or irrelevant where none is needed (DATC 4.B.5, 4.B.6)."""

    IGNORED = "ignored"
    FAILS = "fails"


class ManyOrders(StrEnum):
    """Several different legal orders for one unit (DATC 4.D.3)."""

    NONE_HOLDS = "none_holds"  # c
    FIRST = "first"  # a
    LAST = "last"  # b


class OneLegal(StrEnum):
    """Several orders for one unit, exactly one of them legal."""

    LEGAL_ONE = "legal_one"
    NONE_HOLDS = "none_holds"


class BareForm(StrEnum):
    """A bare support or hold beside another order for the same unit."""

    NOT_LEGAL = "bare_not_legal"
    COUNTS = "counts"


class ManyRetreats(StrEnum):
    """Several different legal retreats for one unit (DATC 4.D.3)."""

    DISBAND = "disband"
    FIRST = "first"
    LAST = "last"


class TooManyBuilds(StrEnum):
    """More builds than allowed (DATC 4.D.4)."""

    FIRST_LEGAL = "first_legal"
    LAST_LEGAL = "last_legal"
    NONE = "none"


class TwoBuildsOneCentre(StrEnum):
    """Two builds for one centre (DATC 4.D.5)."""

    FIRST = "first"
    LAST = "last"
    NONE = "none"


class TooManyRemovals(StrEnum):
    """More removals than due (DATC 4.D.6)."""

    FIRST_LEGAL = "first_legal"
    LAST_LEGAL = "last_legal"
    CIVIL_DISORDER = "civil_disorder"


class InlandFleet(StrEnum):
    """A fleet to be built on an inland centre (DATC 4.C.4)."""

    FAILS = "fails"  # a
    ARMY = "army"  # b


class UnusedBuilds(StrEnum):
    """Builds that a power does not make (DATC 4.D.7)."""

    LOST = "lost_for_the_year"  # a
    KEPT = "kept"
    MUST_BUILD = "must_build"  # b


class MissingRemovals(StrEnum):
    """Who chooses the removals that nobody wrote (DATC 4.D.8)."""

    CIVIL_DISORDER = "complete_by_civil_disorder"
    RANDOM = "random"


class RemovalReference(StrEnum):
    """What a removal's distance is measured to (DATC 4.D.8)."""

    HOME_CENTRES = "home_centres"  # a
    COUNTRY = "country"  # b
    OWNED_CENTRES = "owned_centres"  # c


class RemovalMetric(StrEnum):
    """How that distance is counted (DATC 4.D.8)."""

    ANY_SPACE = "any_space_graph"
    ARMY_ANY_FLEET_SEA = "army_any_fleet_sea"
    BY_UNIT_MOVES = "by_unit_moves"


class RemovalAlphabet(StrEnum):
    """The last tie-break of removals."""

    ENGLISH = "english"
    ANNEX_NUMBER = "english_annex_number"
    FRENCH = "french"


class DisorderRetreat(StrEnum):
    """A dislodged unit of a power in civil disorder."""

    DESTROYED = "destroyed"
    MAY_RETREAT = "may_retreat"


class DisorderBuilds(StrEnum):
    """What a power in civil disorder may build (row M57)."""

    NONE = "none"
    WRITTEN = "written_ones"


class DisorderTrigger(StrEnum):
    """What is in civil disorder (row M58)."""

    NO_ORDERS = "no_orders_for_a_season"
    UNIT = "unit_without_legal_order"


class AdjustBalance(StrEnum):
    """Centres gained and lost in one year (row M59)."""

    NET = "net"
    GROSS = "gross"


class IllegalOrder(StrEnum):
    """What a unit does whose order is impossible (DATC 4.E.1)."""

    SUPPORTABLE = "hold_supportable"
    UNSUPPORTABLE = "ignored_and_hold"


class OwnUnitSupport(StrEnum):
    """A support of a foreign attack on one's own unit (row M76)."""

    VALID = "valid_but_no_dislodgement"
    ILLEGAL = "illegal"


class SingleRetreat(StrEnum):
    """Two dislodged units with one space, one of them without order."""

    EXPLICIT = "explicit_disband_of_other"
    ORDERED_GOES = "ordered_one_goes"


class Elimination(StrEnum):
    """When a power is out of the game."""

    ZERO_CENTRES = "zero_centres"
    NO_UNIT_AND_NO_HOME = "zero_centres_or_no_unit_and_no_home_centre"


@dataclass(frozen=True)
class Rulebook:
    """The choices a judge needs. The defaults are those of the DATC 3.2."""

    multi_route_disruption: MultiRoute = MultiRoute.ALL_ROUTES
    disrupted_convoy_effect: DisruptedEffect = DisruptedEffect.NONE
    convoy_self_protection: SelfProtection = SelfProtection.CUTS
    convoy_paradox: ConvoyParadox = ConvoyParadox.SZYKMAN
    convoy_quasi_paradox: ConvoyQuasiParadox = ConvoyQuasiParadox.CONVOYS_FAIL
    paradox_support_survives_dislodgement: YesNo = YesNo.YES
    convoy_origin_in_paradoxes: ConvoyOrigin = ConvoyOrigin.STARTING_PROVINCE
    convoy_origin_in_head_to_head: ConvoyOrigin = ConvoyOrigin.STARTING_PROVINCE
    land_or_sea_route: LandOrSeaRoute = LandOrSeaRoute.OWN_FLEET_OR_MARKER
    route_fallback: RouteFallback = RouteFallback.NONE
    kidnapping: Kidnapping = Kidnapping.IMPOSSIBLE
    convoy_marker: ConvoyMarker = ConvoyMarker.VIA_CONVOY
    broken_own_chain: BrokenChain = BrokenChain.ATTACK_FAILS
    convoy_exchange: Permission = Permission.ALLOWED
    support_cut_by_convoy_from_target: CutFromTarget = CutFromTarget.NOT_CUT
    retreat_to_convoy_origin: Permission = Permission.ALLOWED
    convoy_path: ConvoyPath = ConvoyPath.IGNORED
    dislodged_unit_effect: DislodgedEffect = DislodgedEffect.ONLY_IF_HEAD_TO_HEAD
    coast_missing_two_possible: TwoCoasts = TwoCoasts.FAILS
    coast_missing_one_possible: OneCoast = OneCoast.ONLY_POSSIBLE
    coast_impossible: ImpossibleCoast = ImpossibleCoast.ILLEGAL
    support_coast_foreign: SupportCoast = SupportCoast.OPTIONAL
    support_coast_own: SupportCoast = SupportCoast.OPTIONAL
    ordered_unit_coast: NeedlessCoast = NeedlessCoast.IGNORED
    irrelevant_coast: NeedlessCoast = NeedlessCoast.IGNORED
    build_fleet_inland: InlandFleet = InlandFleet.FAILS
    multiple_legal_orders: ManyOrders = ManyOrders.FIRST
    multiple_one_legal: OneLegal = OneLegal.LEGAL_ONE
    bare_support_competition: BareForm = BareForm.COUNTS
    multiple_retreats: ManyRetreats = ManyRetreats.FIRST
    too_many_builds: TooManyBuilds = TooManyBuilds.FIRST_LEGAL
    two_builds_one_centre: TwoBuildsOneCentre = TwoBuildsOneCentre.FIRST
    too_many_removals: TooManyRemovals = TooManyRemovals.FIRST_LEGAL
    unused_builds: UnusedBuilds = UnusedBuilds.LOST
    missing_removals: MissingRemovals = MissingRemovals.CIVIL_DISORDER
    removal_reference: RemovalReference = RemovalReference.OWNED_CENTRES
    removal_metric: RemovalMetric = RemovalMetric.ANY_SPACE
    removal_alphabet: RemovalAlphabet = RemovalAlphabet.ENGLISH
    civil_disorder_support: Permission = Permission.ALLOWED
    civil_disorder_retreat: DisorderRetreat = DisorderRetreat.MAY_RETREAT
    civil_disorder_builds: DisorderBuilds = DisorderBuilds.WRITTEN
    civil_disorder_trigger: DisorderTrigger = DisorderTrigger.UNIT
    adjust_balance: AdjustBalance = AdjustBalance.NET
    illegal_order: IllegalOrder = IllegalOrder.SUPPORTABLE
    support_against_own_unit: OwnUnitSupport = OwnUnitSupport.VALID
    single_retreat_space: SingleRetreat = SingleRetreat.ORDERED_GOES
    elimination: Elimination = Elimination.ZERO_CENTRES

    def with_options(self, options: Mapping[str, str]) -> Rulebook:
        """The same book with other choices.

        Raises UnknownName (`unknown_option`, `unknown_value`) and ImpossibleCombination.
        """
        book = replace(self, **{name: _value(name, value) for name, value in options.items()})
        _check(book)
        return book


@cache
def option_values() -> Mapping[str, tuple[str, ...]]:
    """Every option of a judge with its values, in the order of the fields."""
    hints = _hints()
    return {option.name: tuple(map(str, hints[option.name])) for option in fields(Rulebook)}


@cache
def _hints() -> dict[str, Any]:
    return get_type_hints(Rulebook)


def _value(name: str, value: str) -> Any:
    kind = _hints().get(name)
    if kind is None:
        raise UnknownName("unknown_option", option=name)
    try:
        return kind(value)
    except ValueError:
        raise UnknownName(
            "unknown_value", option=name, value=str(value), values=", ".join(map(str, kind))
        ) from None


class Contradiction(NamedTuple):
    """Values of two options of which a book can have one alone; `reason` is a code with a sentence."""

    first: str
    first_values: frozenset[str]
    second: str
    second_values: frozenset[str]
    reason: str

    def applies_to(self, choices: Mapping[str, str]) -> bool:
        """Whether these choices make it."""
        return choices.get(self.first) in self.first_values and choices.get(self.second) in self.second_values


_LAND_FIRST = frozenset({LandOrSeaRoute.LAND_THEN_SEA})
_NO_ARMY_LANDS = frozenset({ConvoyParadox.SZYKMAN, ConvoyParadox.ALL_HOLD, ConvoyParadox.RULE_1982})
CONTRADICTIONS = (
    Contradiction(
        "land_or_sea_route",
        frozenset({LandOrSeaRoute.MARKER_REQUIRED}),
        "kidnapping",
        frozenset({Kidnapping.POSSIBLE}),
        "sails_only_when_asked",
    ),
    Contradiction(
        "land_or_sea_route",
        frozenset({LandOrSeaRoute.MARKER_REQUIRED}),
        "convoy_marker",
        frozenset({ConvoyMarker.NONE}),
        "no_words_to_ask_with",
    ),
    Contradiction(
        "land_or_sea_route",
        frozenset(LandOrSeaRoute) - _LAND_FIRST,
        "route_fallback",
        frozenset({RouteFallback.TO_SEA}),
        "sea_not_left",
    ),
    Contradiction(
        "land_or_sea_route",
        _LAND_FIRST,
        "route_fallback",
        frozenset({RouteFallback.TO_LAND}),
        "land_not_left",
    ),
    Contradiction(
        "convoy_paradox",
        _NO_ARMY_LANDS,
        "paradox_support_survives_dislodgement",
        frozenset({YesNo.NO}),
        "nobody_dislodged",
    ),
    Contradiction(
        "convoy_paradox",
        frozenset({ConvoyParadox.SEA_FIRST_ALWAYS}),
        "convoy_quasi_paradox",
        frozenset({ConvoyQuasiParadox.CONVOYS_TAKE_PLACE}),
        "no_choice_left",
    ),
)


def contradictions_in(choices: Mapping[str, str]) -> tuple[Contradiction, ...]:
    """Those among the choices of a book, which need not be complete."""
    return tuple(one for one in CONTRADICTIONS if one.applies_to(choices))


def _check(book: Rulebook) -> None:
    choices = {option.name: str(getattr(book, option.name)) for option in fields(book)}
    for one in contradictions_in(choices):
        first, second = (f"{name} = {choices[name]}" for name in (one.first, one.second))
        raise ImpossibleCombination("impossible_combination", first=first, second=second, reason=one.reason)
