"""What a game master says came of an order, in place of what the judge found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from talleyrand.engine.outcome import OrderResult
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Answer
from talleyrand.web.games.models import Json, PhaseRevision

from .action_base import GameMasterRefusal

SINGLE_RESULTS = {
    "M": (
        OrderResult.MOVES,
        OrderResult.BOUNCES,
        OrderResult.HOLDS,
        OrderResult.SUPPORT_GIVEN,
        OrderResult.SUPPORT_CUT,
        OrderResult.SUPPORT_VOID,
        OrderResult.CONVOYS,
        OrderResult.CONVOY_VOID,
        OrderResult.CONVOY_DISRUPTED,
        OrderResult.ILLEGAL,
    ),
    "R": (
        OrderResult.RETREATS,
        OrderResult.DISBANDED,
        OrderResult.DESTROYED,
        OrderResult.BOUNCES,
        OrderResult.ILLEGAL,
    ),
    "A": (
        OrderResult.BUILDS,
        OrderResult.BUILD_VOID,
        OrderResult.REMOVED,
        OrderResult.REMOVAL_IGNORED,
        OrderResult.WAIVED,
    ),
}
RESULTS_OF_UNITS_THAT_STAY = frozenset(SINGLE_RESULTS["M"]) - {OrderResult.MOVES}


@dataclass(frozen=True)
class ResultOverride:
    """The entry `entry_index` of an answer counts as `results`."""

    entry_index: int
    results: tuple[str, ...]


def allowed_results(kind: str) -> list[tuple[str, ...]]:
    """The results that may be said of an order in a kind of phase; a unit that stays may be dislodged too."""
    alone: list[tuple[str, ...]] = [(str(one),) for one in SINGLE_RESULTS.get(kind, SINGLE_RESULTS["M"])]
    if kind != "M":
        return alone
    fallen = [
        (str(one), str(OrderResult.DISLODGED))
        for one in SINGLE_RESULTS["M"]
        if one in RESULTS_OF_UNITS_THAT_STAY
    ]
    return [*alone, (str(OrderResult.DISLODGED),), *fallen, (str(OrderResult.DESTROYED),)]


def merged_overrides(revision: PhaseRevision, changes: Iterable[ResultOverride]) -> list[Json]:
    """All that differs from what the judge found, earlier overrides included; raises GameMasterRefusal
    (`moved`).
    """
    answer = revision.answer or {}
    kept = {one["at"]: one for one in revision.overrides}
    for change in changes:
        if _differs(answer, change):
            kept[change.entry_index] = _change(answer, change, kept)
    return [one for _at, one in sorted(kept.items()) if one["before"] != one["after"]]


def _differs(answer: Answer, change: ResultOverride) -> bool:
    return tuple(_entry(answer, change.entry_index).get("results") or ()) != change.results


def _entry(answer: Answer, at: int) -> dict[str, Any]:
    entries: Sequence[dict[str, Any]] = answer["orders"]
    if not 0 <= at < len(entries):
        raise GameMasterRefusal("moved")
    return entries[at]


def _change(answer: Answer, change: ResultOverride, kept: Mapping[int, Json]) -> Json:
    entry = _entry(answer, change.entry_index)
    judged = (
        kept[change.entry_index]["before"] if change.entry_index in kept else list(entry.get("results") or ())
    )
    named = {name: entry.get(name) for name in ("power", "unit", "order", "line")}
    return {"at": change.entry_index, **named, "before": judged, "after": list(change.results)}


def apply_overrides(
    answer: Answer, changes: Iterable[ResultOverride], after: Json, reason: str, won: Sequence[str] = ()
) -> Answer:
    """The answer as it counts: other results with the reason for them, and the position that follows."""
    orders = [dict(entry) for entry in answer["orders"]]
    for change in changes:
        if _differs(answer, change):
            said = dict.fromkeys(("fr", "en"), reason.strip())
            error = orders[change.entry_index].get("error") if OrderResult.ILLEGAL in change.results else None
            orders[change.entry_index] |= {"results": list(change.results), "why": said, "error": error}
    return {**with_new_position(answer, after, won), "orders": orders}


def with_new_position(answer: Answer, after: Json, won: Sequence[str] = ()) -> Answer:
    """An answer that leads to another position than the judge’s, in which `won` are the winners."""
    carried = {name: after[name] for name in adjudicator.SITUATION_FIELDS if name in after}
    return {**answer, **carried, "next": after["phase"], "winner": list(won)}
