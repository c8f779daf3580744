"""Provinces as people write them on a phone or at the desk, to tell how far units went."""

from __future__ import annotations

from talleyrand.engine.board import province_of
from talleyrand.notation import find_places
from talleyrand.tournament import traveller
from talleyrand.tournament.board_rules import board_variant
from talleyrand.tournament.event_errors import ActRefused

from . import tournament_names

LONGEST = 60  # characters


def province_from_text(variant: str, text: str) -> str:
    """The province that a text names, in French or English, whole or short; "" for nothing.

    A number of territories stays one where the judge has no map. Raises ActRefused (`act_no_place`).
    """
    bare = text.strip()
    if not bare or traveller.is_reachable(variant, bare.upper()):
        return bare.upper()
    named = find_places(bare[:LONGEST], board_variant(variant)) if traveller.knows_homes(variant) else ()
    found = {province_of(location) for location in named}
    if len(found) != 1:
        raise ActRefused("act_no_place", place=bare[:LONGEST])
    return found.pop()


def province_names(variant: str) -> list[str]:
    """Every province by its name, for lists to choose from; none where the judge has no map."""
    if not traveller.knows_homes(variant):
        return []
    return sorted(
        tournament_names.province_name(code, variant) for code in board_variant(variant).board.provinces
    )
