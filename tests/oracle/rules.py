"""The rules that are compared: each value of the paradox and multi-route options, and mixes of all."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from talleyrand import rulebooks
from talleyrand.engine.errors import ImpossibleCombination
from talleyrand.engine.rulebook import Rulebook, option_values

DATC = rulebooks.load("datc").adjudication_rules
SHIPPED, MIXED = "shipped books", "mixed"
_LOST = {"paradox_support_survives_dislodgement": "no"}
OPTIONS: Mapping[str, Mapping[str, str]] = {
    "szykman": {"convoy_paradox": "szykman"},
    "all_hold": {"convoy_paradox": "all_hold"},
    "rule_1982": {"convoy_paradox": "rule_1982"},
    "sea_first_if_no_resolution": {"convoy_paradox": "sea_first_if_no_resolution"},
    "sea_first_always": {"convoy_paradox": "sea_first_always"},
    "sea_first_if_no_resolution, supports lost": {"convoy_paradox": "sea_first_if_no_resolution", **_LOST},
    "sea_first_always, supports lost": {"convoy_paradox": "sea_first_always", **_LOST},
    "convoys_take_place": {"convoy_quasi_paradox": "convoys_take_place"},
    "any_route": {"multi_route_disruption": "any_route"},
    "never_cuts_any_convoying_fleet": {"convoy_self_protection": "never_cuts_any_convoying_fleet"},
    "never_cuts_necessary_fleet": {"convoy_self_protection": "never_cuts_necessary_fleet"},
    "never_cuts_action_in_convoy_sea": {"convoy_self_protection": "never_cuts_action_in_convoy_sea"},
    "cuts_and_bounces": {"disrupted_convoy_effect": "cuts_and_bounces"},
    "last_fleet in paradoxes": {"convoy_origin_in_paradoxes": "last_fleet"},
    "last_fleet in head-to-head": {"convoy_origin_in_head_to_head": "last_fleet"},
}
BOOKS = ("renegade_2023", "anjou_feu")
RULES = (*OPTIONS, *BOOKS, SHIPPED, MIXED)
# Where an army lands without cutting any action at sea, or cuts even when its convoy fails, or the sea is
# settled before anything waits for it, nothing is left of a paradox: what counts is whether the same
# orders hold one under the choices of the DATC.
BY_PLAIN_CUTS = (
    "never_cuts_action_in_convoy_sea",
    "cuts_and_bounces",
    "sea_first_always",
    "sea_first_always, supports lost",
)
# Options that make no difference to one movement phase of orders that are written in full.
_ELSEWHERE = (
    *("coast_", "ordered_unit", "irrelevant", "multiple_", "bare_", "single_retreat", "elimination"),
    *("build", "too_many", "two_builds", "unused", "missing_", "removal", "civil_disorder", "adjust"),
)


def book_of(rule: str, random: Random) -> Rulebook:
    """The book of a rule; of the shipped ones and of the mix, one drawn."""
    if rule == MIXED:
        return _mixed(random)
    if rule == SHIPPED:
        return rulebooks.load(random.choice(rulebooks.names())).adjudication_rules
    return DATC.with_options(OPTIONS[rule]) if rule in OPTIONS else rulebooks.load(rule).adjudication_rules


def _mixed(random: Random) -> Rulebook:
    """A book of any choices that go together."""
    values = {name: values for name, values in option_values().items() if not name.startswith(_ELSEWHERE)}
    while True:
        choices = {name: random.choice(some) for name, some in values.items()}
        try:
            return DATC.with_options(choices)
        except ImpossibleCombination:
            continue
