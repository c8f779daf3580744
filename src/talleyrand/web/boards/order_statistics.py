"""What became of the orders of a whole game, power by power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from talleyrand.engine.outcome import OrderResult
from talleyrand.variants import Variant

from . import display_names

COUNTED = {
    "moves": OrderResult.MOVES,
    "bounces": OrderResult.BOUNCES,
    "supports": OrderResult.SUPPORT_GIVEN,
    "cut": OrderResult.SUPPORT_CUT,
    "convoys": OrderResult.CONVOYS,
    "dislodged": OrderResult.DISLODGED,
}
DONE = ("moves", "supports", "convoys")
FAILED = (
    OrderResult.BOUNCES,
    OrderResult.SUPPORT_CUT,
    OrderResult.SUPPORT_VOID,
    OrderResult.CONVOY_VOID,
    OrderResult.CONVOY_DISRUPTED,
    OrderResult.ILLEGAL,
)


def order_statistics(variant: Variant, answers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each power that ordered anything in these movement phases; `rate`: of a hundred moves,
    supports and convoys how many did what they should, None for a power that only held."""
    found: dict[str, Counter[str]] = {}
    for answer in answers:
        for entry in answer.get("orders") or ():
            found.setdefault(str(entry["power"]), Counter()).update(set(entry.get("results") or ()))
    return [
        {
            "name": display_names.power_name(variant, power),
            "colour": display_names.power_colour(variant, power),
            **{name: found[power][result] for name, result in COUNTED.items()},
            "rate": _rate(found[power]),
        }
        for power in variant.board.powers
        if power in found
    ]


def _rate(counted: Counter[str]) -> int | None:
    done = sum(counted[COUNTED[name]] for name in DONE)
    failed = sum(counted[result] for result in FAILED)
    return round(100 * done / (done + failed)) if done + failed else None
