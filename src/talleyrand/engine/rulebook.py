"""The rules a book may settle differently, one field a point.

Values are named after what they do; the letters of the DATC's chapter 4 stand in the comments.
A field's name and values are those of the profiles (`rulebooks/options.toml`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

from .errors import ImpossibleCombination, UnknownName

# Shared by several options; the others say their values in their field.
Permission = Literal["allowed", "forbidden"]
ConvoyOrigin = Literal["starting_province", "last_fleet"]  # the latter: Brannan
SupportCoast = Literal["must_match", "optional_must_match_if_given", "ignored"]
NeedlessCoast = Literal["ignored", "fails"]
SeveralOrders = Literal["none_holds", "first", "last"]  # c, a, b
LandOrSeaRoute = Literal[
    "opposite_move_only",  # a
    "intent_of_orders",  # b
    "own_fleet_or_marker",  # c, d
    "own_chain_or_marker",
    "marker_required",  # DPTG
    "land_then_sea",
    "sea_then_land",
]


@dataclass(frozen=True)
class Rulebook:
    """The choices a judge needs. The defaults are those of the DATC 3.2."""

    # A convoy with several routes, one of them broken (DATC 4.A.1: a, b).
    multi_route_disruption: Literal["any_route", "all_routes"] = "all_routes"
    # What an army whose convoy is disrupted does at its goal (the misprint of 2000, DATC chapter 2).
    disrupted_convoy_effect: Literal["none", "cuts_and_bounces"] = "none"
    # Which supports a convoyed attack never cuts (DATC 4.A.2).
    convoy_self_protection: Literal[
        "never_cuts_any_convoying_fleet",  # a, 1971
        "never_cuts_action_in_convoy_sea",  # b, 1982
        "never_cuts_necessary_fleet",  # c, 2000 and 2023
        "cuts",
    ] = "cuts"
    # What settles a convoy paradox (DATC 4.A.2).
    convoy_paradox: Literal[
        "szykman",  # f
        "all_hold",  # d
        "rule_1982",  # b, kept for paradoxes
        "sea_first_if_no_resolution",
        "sea_first_always",
    ] = "szykman"
    # Several consistent resolutions, one of them with all the convoys (DATC 6.F.22).
    convoy_quasi_paradox: Literal["convoys_take_place", "convoys_fail"] = "convoys_fail"
    paradox_support_survives_dislodgement: Literal["yes", "no"] = "yes"
    # Where a convoyed attack comes from (DATC 4.A.4).
    convoy_origin_in_paradoxes: ConvoyOrigin = "starting_province"
    convoy_origin_in_head_to_head: ConvoyOrigin = "starting_province"
    # How an army goes to a province that it reaches by land and by convoy (DATC 4.A.3).
    land_or_sea_route: LandOrSeaRoute = "own_fleet_or_marker"
    # What an army does whose chosen route fails (DATC 4.A.3).
    route_fallback: Literal["none", "to_land", "to_sea"] = "none"
    # Whether foreign fleets can carry off an army that did not ask for it (DATC 6.G.2).
    kidnapping: Literal["possible", "impossible"] = "impossible"
    # The words by which an army asks for a convoy to a neighbour (DATC 4.A.3).
    convoy_marker: Literal["none", "par_convoi_or_C", "via_convoy"] = "via_convoy"
    # A convoy order beside an own fleet of the same chain that does not convoy (row M11).
    broken_own_chain: Literal["convoy_orders_void_land_route", "attack_fails"] = "attack_fails"
    convoy_exchange: Permission = "allowed"
    # A convoyed attack on a unit that supports against the army's own province (DATC 4.A.4).
    support_cut_by_convoy_from_target: Literal["not_cut", "cut"] = "not_cut"
    retreat_to_convoy_origin: Permission = "allowed"
    # The seas that a convoyed move names (DATC 4.A.6: a, b, c).
    convoy_path: Literal["ignored", "allowed", "required"] = "ignored"
    # When a dislodged unit has no effect on its attacker's province (DATC 4.A.7: a, b).
    dislodged_unit_effect: Literal["never", "only_if_head_to_head"] = "only_if_head_to_head"
    # A move without coast where two can be reached (DATC 4.B.1), or one (4.B.2: a, b).
    coast_missing_two_possible: Literal["fails", "default_coast"] = "fails"
    coast_missing_one_possible: Literal["only_possible", "fails"] = "only_possible"
    # A move to a coast that cannot be reached while another can (DATC 4.B.3: a, b).
    coast_impossible: Literal["ignored", "illegal"] = "illegal"
    # The coast in the support of a fleet that can reach two (DATC 4.B.4).
    support_coast_foreign: SupportCoast = "optional_must_match_if_given"
    support_coast_own: SupportCoast = "optional_must_match_if_given"
    # A coast that is wrong or irrelevant where none is needed (DATC 4.B.5, 4.B.6).
    ordered_unit_coast: NeedlessCoast = "ignored"
    irrelevant_coast: NeedlessCoast = "ignored"
    # A fleet to be built on an inland centre (DATC 4.C.4: a, b).
    build_fleet_inland: Literal["fails", "army"] = "fails"
    # Several different legal orders for one unit (DATC 4.D.3), or several of which one is legal.
    multiple_legal_orders: SeveralOrders = "first"
    multiple_one_legal: Literal["legal_one", "none_holds"] = "legal_one"
    # A bare support or hold beside another order for the same unit.
    bare_support_competition: Literal["bare_not_legal", "counts"] = "counts"
    # Several different legal retreats for one unit (DATC 4.D.3).
    multiple_retreats: Literal["disband", "first", "last"] = "first"
    # More builds than allowed (DATC 4.D.4), two for one centre (4.D.5), more removals than due (4.D.6).
    too_many_builds: Literal["first_legal", "last_legal", "none"] = "first_legal"
    two_builds_one_centre: Literal["first", "last", "none"] = "first"
    too_many_removals: Literal["first_legal", "last_legal", "civil_disorder"] = "first_legal"
    # Builds that a power does not make (DATC 4.D.7: a, –, b).
    unused_builds: Literal["lost_for_the_year", "kept", "must_build"] = "lost_for_the_year"
    # Who chooses the removals that nobody wrote, what a removal's distance is measured to (a, b, c), and how
    # it is counted (DATC 4.D.8); the last tie-break.
    missing_removals: Literal["complete_by_civil_disorder", "random"] = "complete_by_civil_disorder"
    removal_reference: Literal["home_centres", "country", "owned_centres"] = "owned_centres"
    removal_metric: Literal["any_space_graph", "army_any_fleet_sea", "by_unit_moves"] = "any_space_graph"
    removal_alphabet: Literal["english", "english_annex_number", "french"] = "english"
    civil_disorder_support: Permission = "allowed"
    # A dislodged unit of a power in civil disorder, what it may build (row M57), and what is in it (row M58).
    civil_disorder_retreat: Literal["destroyed", "may_retreat"] = "may_retreat"
    civil_disorder_builds: Literal["none", "written_ones"] = "written_ones"
    civil_disorder_trigger: Literal["no_orders_for_a_season", "unit_without_legal_order"] = (
        "unit_without_legal_order"
    )
    # Whether an eliminated power loses a unit with each centre (games for five and six).
    eliminated_removals: Literal["by_rule", "none"] = "by_rule"
    # Centres gained and lost in one year (row M59).
    adjust_balance: Literal["net", "gross"] = "net"
    # What a unit does whose order is impossible (DATC 4.E.1).
    illegal_order: Literal["hold_supportable", "ignored_and_hold"] = "hold_supportable"
    # A support of a foreign attack on one's own unit (row M76).
    support_against_own_unit: Literal["valid_but_no_dislodgement", "illegal"] = "valid_but_no_dislodgement"
    # Two dislodged units with one space, one of them without order.
    single_retreat_space: Literal["explicit_disband_of_other", "ordered_one_goes"] = "ordered_one_goes"
    # When a power is out of the game.
    elimination: Literal["zero_centres", "zero_centres_or_no_unit_and_no_home_centre"] = "zero_centres"

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
    return {name: get_args(kind) for name, kind in get_type_hints(Rulebook).items()}


def _value(name: str, value: str) -> Any:
    values = option_values().get(name)
    if values is None:
        raise UnknownName("unknown_option", option=name)
    if value not in values:
        raise UnknownName("unknown_value", option=name, value=str(value), values=", ".join(values))
    return values[values.index(value)]


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


_WHEN_ASKED = frozenset({"marker_required"})
_LAND_FIRST = frozenset({"land_then_sea"})
_NO_ARMY_LANDS = frozenset({"szykman", "all_hold", "rule_1982"})
CONTRADICTIONS = tuple(
    Contradiction(first, first_values, second, frozenset({value}), reason)
    for first, first_values, second, value, reason in (
        ("land_or_sea_route", _WHEN_ASKED, "kidnapping", "possible", "sails_only_when_asked"),
        ("land_or_sea_route", _WHEN_ASKED, "convoy_marker", "none", "no_words_to_ask_with"),
        (
            "land_or_sea_route",
            frozenset(get_args(LandOrSeaRoute)) - _LAND_FIRST,
            "route_fallback",
            "to_sea",
            "sea_not_left",
        ),
        ("land_or_sea_route", _LAND_FIRST, "route_fallback", "to_land", "land_not_left"),
        ("convoy_paradox", _NO_ARMY_LANDS, "paradox_support_survives_dislodgement", "no", "nobody_dislodged"),
        (
            "convoy_paradox",
            frozenset({"sea_first_always"}),
            "convoy_quasi_paradox",
            "convoys_take_place",
            "no_choice_left",
        ),
    )
)


def contradictions_in(choices: Mapping[str, str]) -> tuple[Contradiction, ...]:
    """Those among the choices of a book, which need not be complete."""
    return tuple(one for one in CONTRADICTIONS if one.applies_to(choices))


def _check(book: Rulebook) -> None:
    choices = {option.name: getattr(book, option.name) for option in fields(book)}
    for one in contradictions_in(choices):
        first, second = (f"{name} = {choices[name]}" for name in (one.first, one.second))
        raise ImpossibleCombination("impossible_combination", first=first, second=second, reason=one.reason)
