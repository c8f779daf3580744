"""Provinces as people write them on a phone or at the desk, to tell how far units went."""

from __future__ import annotations

from talleyrand.engine.board import province_of
from talleyrand.notation import places_named
from talleyrand.tournament import traveller
from talleyrand.tournament.boards import variant_of
from talleyrand.tournament.errors import Refused

from . import naming

LONGEST = 60  # characters


def code_of(variant: str, text: str) -> str:
    """The province that a text names, in French or English, whole or short; "" for nothing.

    A number of territories stays one where the judge has no map. Raises Refused (`act_no_place`).
    """
    bare = text.strip()
    if not bare or traveller.may_reach(variant, bare.upper()):
        return bare.upper()
    named = places_named(bare[:LONGEST], variant_of(variant)) if traveller.knows(variant) else ()
    found = {province_of(location) for location in named}
    if len(found) != 1:
        raise Refused("act_no_place", place=bare[:LONGEST])
    return found.pop()


def names(variant: str) -> list[str]:
    """Every province by its name, for lists to choose from; none where the judge has no map."""
    if not traveller.knows(variant):
        return []
    return sorted(naming.province(code, variant) for code in variant_of(variant).board.provinces)
