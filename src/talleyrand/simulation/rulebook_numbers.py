"""A rulebook's choices in numbers, for compiled code."""

from __future__ import annotations

import numpy as np

from talleyrand.engine.rulebook import Rulebook

from .array_layout import UInt16Array

PROTECTIONS = (
    "cuts",
    "never_cuts_any_convoying_fleet",
    "never_cuts_necessary_fleet",
    "never_cuts_action_in_convoy_sea",
)
ROUTES = (
    "opposite_move_only",
    "intent_of_orders",
    "own_fleet_or_marker",
    "own_chain_or_marker",
    "marker_required",
    "land_then_sea",
    "sea_then_land",
)
COASTS = ("ignored", "optional_must_match_if_given", "must_match")


def unknown_options(book: Rulebook) -> tuple[str, ...]:
    """The choices of a book that the kernel does not know, as `option = value`."""
    strange = {
        "convoy_paradox": book.convoy_paradox == "sea_first_always",
        "convoy_origin_in_paradoxes": book.convoy_origin_in_paradoxes == "last_fleet",
        "convoy_origin_in_head_to_head": book.convoy_origin_in_head_to_head == "last_fleet",
        "route_fallback": book.route_fallback == "to_sea",
    }
    return tuple(f"{option} = {getattr(book, option)}" for option, found in strange.items() if found)


def rulebook_numbers(book: Rulebook) -> UInt16Array | None:
    """The choices of a book, in the order of the columns of RULE; None where one of them is unknown."""
    if unknown_options(book):
        return None
    choices = [
        book.multi_route_disruption == "any_route",
        PROTECTIONS.index(book.convoy_self_protection),
        ROUTES.index(book.land_or_sea_route),
        book.route_fallback == "to_land",
        book.kidnapping == "possible",
        book.broken_own_chain == "attack_fails",
        book.support_cut_by_convoy_from_target == "cut",
        book.dislodged_unit_effect == "never",
        book.retreat_to_convoy_origin == "allowed",
        COASTS.index(book.support_coast_own),
        COASTS.index(book.support_coast_foreign),
        book.disrupted_convoy_effect == "cuts_and_bounces",
        book.convoy_exchange == "forbidden",
        book.support_against_own_unit == "illegal",
        book.civil_disorder_support == "forbidden",
        book.civil_disorder_retreat == "destroyed",
        book.illegal_order == "ignored_and_hold",
        book.convoy_paradox == "szykman",
        book.convoy_quasi_paradox == "convoys_take_place",
    ]
    return np.array(choices, np.uint16)
