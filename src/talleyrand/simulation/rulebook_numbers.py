"""A rulebook's choices in numbers, for compiled code."""

from __future__ import annotations

import numpy as np

from talleyrand.engine.rulebook import (
    BrokenChain,
    ConvoyOrigin,
    ConvoyParadox,
    ConvoyQuasiParadox,
    CutFromTarget,
    DislodgedEffect,
    DisorderRetreat,
    DisruptedEffect,
    IllegalOrder,
    Kidnapping,
    LandOrSeaRoute,
    MultiRoute,
    OwnUnitSupport,
    Permission,
    RouteFallback,
    Rulebook,
    SelfProtection,
    SupportCoast,
)

from .array_layout import UInt16Array

PROTECTIONS = (
    SelfProtection.CUTS,
    SelfProtection.ANY_CONVOYING_FLEET,
    SelfProtection.NECESSARY_FLEET,
    SelfProtection.ACTION_IN_CONVOY_SEA,
)
ROUTES = (
    LandOrSeaRoute.OPPOSITE_MOVE_ONLY,
    LandOrSeaRoute.INTENT_OF_ORDERS,
    LandOrSeaRoute.OWN_FLEET_OR_MARKER,
    LandOrSeaRoute.OWN_CHAIN_OR_MARKER,
    LandOrSeaRoute.MARKER_REQUIRED,
    LandOrSeaRoute.LAND_THEN_SEA,
    LandOrSeaRoute.SEA_THEN_LAND,
)
COASTS = (SupportCoast.IGNORED, SupportCoast.OPTIONAL, SupportCoast.MUST_MATCH)


def unknown_options(book: Rulebook) -> tuple[str, ...]:
    """The choices of a book that the kernel does not know, as `option = value`."""
    strange = {
        "convoy_paradox": book.convoy_paradox is ConvoyParadox.SEA_FIRST_ALWAYS,
        "convoy_origin_in_paradoxes": book.convoy_origin_in_paradoxes is ConvoyOrigin.LAST_FLEET,
        "convoy_origin_in_head_to_head": book.convoy_origin_in_head_to_head is ConvoyOrigin.LAST_FLEET,
        "route_fallback": book.route_fallback is RouteFallback.TO_SEA,
    }
    return tuple(f"{option} = {getattr(book, option)}" for option, found in strange.items() if found)


def rulebook_numbers(book: Rulebook) -> UInt16Array | None:
    """The choices of a book, in the order of the columns of RULE; None where one of them is unknown."""
    if unknown_options(book):
        return None
    choices = [
        book.multi_route_disruption is MultiRoute.ANY_ROUTE,
        PROTECTIONS.index(book.convoy_self_protection),
        ROUTES.index(book.land_or_sea_route),
        book.route_fallback is RouteFallback.TO_LAND,
        book.kidnapping is Kidnapping.POSSIBLE,
        book.broken_own_chain is BrokenChain.ATTACK_FAILS,
        book.support_cut_by_convoy_from_target is CutFromTarget.CUT,
        book.dislodged_unit_effect is DislodgedEffect.NEVER,
        book.retreat_to_convoy_origin is Permission.ALLOWED,
        COASTS.index(book.support_coast_own),
        COASTS.index(book.support_coast_foreign),
        book.disrupted_convoy_effect is DisruptedEffect.CUTS_AND_BOUNCES,
        book.convoy_exchange is Permission.FORBIDDEN,
        book.support_against_own_unit is OwnUnitSupport.ILLEGAL,
        book.civil_disorder_support is Permission.FORBIDDEN,
        book.civil_disorder_retreat is DisorderRetreat.DESTROYED,
        book.illegal_order is IllegalOrder.UNSUPPORTABLE,
        book.convoy_paradox is ConvoyParadox.SZYKMAN,
        book.convoy_quasi_paradox is ConvoyQuasiParadox.CONVOYS_TAKE_PLACE,
    ]
    return np.array(choices, np.uint16)
