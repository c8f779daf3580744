"""The wish that the best share a board, and its price: a draw that pays for it beside one that does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import comb

from talleyrand import seating
from talleyrand.tournament.model import SeatingRepeat, TogetherWish

UNPAID = 100  # the weight of the wish where no meeting and no power gives way to it


def draw_together(
    request: seating.SeatingRequest, *, paid: bool
) -> tuple[seating.RoundDraw, TogetherWish | None]:
    """A draw with the best together as far as that costs nothing; further where its price is `paid`.

    Nothing is worth a third meeting that the draw without a price avoids. Raises what `seating.draw` raises.
    """
    wishes = request.soft_rules
    dear = seating.draw(request)
    if not wishes.together:
        return dear, None
    pairs = sum(comb(len(group), 2) for group in wishes.together)
    together = pairs - dear.cost["together"] // wishes.weights.together
    free, together_free = dear, together
    if not dear.is_proven_optimal:
        unpaid = replace(wishes, weights=replace(wishes.weights, together=UNPAID))
        free = seating.draw(replace(request, soft_rules=unpaid))
        together_free = pairs - free.cost["together"] // UNPAID
    again = {(one.first, one.second) for one in free.third_meetings}
    third = [one for one in dear.third_meetings if (one.first, one.second) not in again]
    wish = TogetherWish(
        people=tuple(sorted(frozenset[int]().union(*wishes.together))),
        pairs=pairs,
        together=together,
        together_free=together_free,
        meetings=dear.repeats,
        meetings_free=free.repeats,
        powers=dear.power_repeats,
        powers_free=free.power_repeats,
        third=meetings_again(third) if len(dear.third_meetings) > len(free.third_meetings) else (),
    )
    granted = wish.is_free or (paid and not wish.third)
    return dear if granted else free, replace(wish, granted=granted)


def meetings_again(found: Iterable[seating.RepeatedMeeting]) -> tuple[SeatingRepeat, ...]:
    """Meetings as an event keeps them."""
    return tuple(SeatingRepeat(one.board, one.times, one.first, other=one.second) for one in found)
