"""The rules a book may settle differently, one field a point.

Values are named after what they do; the letter of the DATC's chapter 4 stands in the comment.
A field's name and values are those of the profiles (`rulebooks/options.toml`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, get_type_hints

from .errors import ImpossibleCombination, UnknownName


class MultiRoute(StrEnum):
    """A convoy with several routes, one of them broken (DATC 4.A.1)."""

    ANY_ROUTE = "any_route"  # a
    ALL_ROUTES = "all_routes"  # b


class SelfProtection(StrEnum):
    """Which supports a convoyed attack never cuts (DATC 4.A.2)."""

    ANY_CONVOYING_FLEET = "never_cuts_any_convoying_fleet"  # a, 1971
    ACTION_IN_CONVOY_SEA = "never_cuts_action_in_convoy_sea"  # b, 1982
    NECESSARY_FLEET = "never_cuts_necessary_fleet"  # c, 2000 and 2023
    CUTS = "cuts"


class Paradox(StrEnum):
    """What settles a convoy paradox (DATC 4.A.2)."""

    SZYKMAN = "szykman"  # f
    ALL_HOLD = "all_hold"  # d
    SEA_FIRST_IF_NO_RESOLUTION = "sea_first_if_no_resolution"


class QuasiParadox(StrEnum):
    """Several consistent resolutions, one of them with all the convoys (DATC 6.F.22)."""

    CONVOYS_TAKE_PLACE = "convoys_take_place"
    CONVOYS_FAIL = "convoys_fail"


class Route(StrEnum):
    """How an army goes to a province that it reaches by land and by convoy (DATC 4.A.3)."""

    OPPOSITE_MOVE_ONLY = "opposite_move_only"  # a
    OWN_FLEET_OR_MARKER = "own_fleet_or_marker"  # c, d
    OWN_CHAIN_OR_MARKER = "own_chain_or_marker"
    MARKER_REQUIRED = "marker_required"


class Fallback(StrEnum):
    """What an army does whose chosen route fails (DATC 4.A.3)."""

    NONE = "none"
    TO_LAND = "to_land"


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


class Surplus(StrEnum):
    """More builds than allowed (DATC 4.D.4)."""

    FIRST_LEGAL = "first_legal"
    LAST_LEGAL = "last_legal"
    NONE = "none"


class SameCentre(StrEnum):
    """Two builds for one centre (DATC 4.D.5)."""

    FIRST = "first"
    LAST = "last"
    NONE = "none"


class SurplusRemovals(StrEnum):
    """More removals than due (DATC 4.D.6)."""

    FIRST_LEGAL = "first_legal"
    LAST_LEGAL = "last_legal"
    CIVIL_DISORDER = "civil_disorder"


class RemovalReference(StrEnum):
    """What a removal's distance is measured to (DATC 4.D.8)."""

    HOME_CENTRES = "home_centres"
    OWNED_CENTRES = "owned_centres"


class RemovalMetric(StrEnum):
    """How that distance is counted (DATC 4.D.8)."""

    ANY_SPACE = "any_space_graph"


class RemovalAlphabet(StrEnum):
    """The last tie-break of removals."""

    ENGLISH = "english"
    ANNEX_NUMBER = "english_annex_number"


class DisorderRetreat(StrEnum):
    """A dislodged unit of a power in civil disorder."""

    DESTROYED = "destroyed"
    MAY_RETREAT = "may_retreat"


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
    convoy_self_protection: SelfProtection = SelfProtection.CUTS
    convoy_paradox: Paradox = Paradox.SZYKMAN
    convoy_quasi_paradox: QuasiParadox = QuasiParadox.CONVOYS_FAIL
    land_or_sea_route: Route = Route.OWN_FLEET_OR_MARKER
    route_fallback: Fallback = Fallback.NONE
    support_cut_by_convoy_from_target: CutFromTarget = CutFromTarget.NOT_CUT
    retreat_to_convoy_origin: Permission = Permission.ALLOWED
    dislodged_unit_effect: DislodgedEffect = DislodgedEffect.ONLY_IF_HEAD_TO_HEAD
    coast_missing_two_possible: TwoCoasts = TwoCoasts.FAILS
    coast_missing_one_possible: OneCoast = OneCoast.ONLY_POSSIBLE
    coast_impossible: ImpossibleCoast = ImpossibleCoast.ILLEGAL
    support_coast_foreign: SupportCoast = SupportCoast.OPTIONAL
    support_coast_own: SupportCoast = SupportCoast.OPTIONAL
    ordered_unit_coast: NeedlessCoast = NeedlessCoast.IGNORED
    irrelevant_coast: NeedlessCoast = NeedlessCoast.IGNORED
    multiple_legal_orders: ManyOrders = ManyOrders.FIRST
    multiple_one_legal: OneLegal = OneLegal.LEGAL_ONE
    bare_support_competition: BareForm = BareForm.COUNTS
    multiple_retreats: ManyRetreats = ManyRetreats.FIRST
    too_many_builds: Surplus = Surplus.FIRST_LEGAL
    two_builds_one_centre: SameCentre = SameCentre.FIRST
    too_many_removals: SurplusRemovals = SurplusRemovals.FIRST_LEGAL
    removal_reference: RemovalReference = RemovalReference.OWNED_CENTRES
    removal_metric: RemovalMetric = RemovalMetric.ANY_SPACE
    removal_alphabet: RemovalAlphabet = RemovalAlphabet.ENGLISH
    civil_disorder_support: Permission = Permission.ALLOWED
    civil_disorder_retreat: DisorderRetreat = DisorderRetreat.MAY_RETREAT
    single_retreat_space: SingleRetreat = SingleRetreat.ORDERED_GOES
    elimination: Elimination = Elimination.ZERO_CENTRES

    def with_options(self, options: Mapping[str, str]) -> Rulebook:
        """The same book with other choices.

        Raises UnknownName (`unknown_option`, `unknown_value`) and ImpossibleCombination.
        """
        book = replace(self, **{name: _value(name, value) for name, value in options.items()})
        _check(book)
        return book


def option_values() -> Mapping[str, tuple[str, ...]]:
    """Every option of a judge with its values, in the order of the fields."""
    hints = _hints()
    return {option.name: tuple(map(str, hints[option.name])) for option in fields(Rulebook)}


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


_CONTRADICTIONS = (
    # a fallback to land leaves nothing of a rule that ties the army to its own chain (M08, M11)
    (
        "land_or_sea_route",
        Route.OWN_CHAIN_OR_MARKER,
        "route_fallback",
        Fallback.TO_LAND,
    ),
    # where all moves of a paradox fail, none of its convoys can take place (M04, M05)
    (
        "convoy_paradox",
        Paradox.ALL_HOLD,
        "convoy_quasi_paradox",
        QuasiParadox.CONVOYS_TAKE_PLACE,
    ),
)


def _check(book: Rulebook) -> None:
    for first, one, second, other in _CONTRADICTIONS:
        if getattr(book, first) is one and getattr(book, second) is other:
            raise ImpossibleCombination(
                "impossible_combination", first=f"{first} = {one}", second=f"{second} = {other}"
            )
