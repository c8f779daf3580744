"""What a game master says came of an order, in place of what the judge found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from talleyrand.engine.outcome import Result
from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Answer
from talleyrand.web.games.models import Json, Revision

from .acts import NotDone

ALONE = {
    "M": (
        Result.MOVES,
        Result.BOUNCES,
        Result.HOLDS,
        Result.SUPPORT_GIVEN,
        Result.SUPPORT_CUT,
        Result.SUPPORT_VOID,
        Result.CONVOYS,
        Result.CONVOY_VOID,
        Result.CONVOY_DISRUPTED,
        Result.ILLEGAL,
    ),
    "R": (Result.RETREATS, Result.DISBANDED, Result.DESTROYED, Result.BOUNCES, Result.ILLEGAL),
    "A": (Result.BUILDS, Result.BUILD_VOID, Result.REMOVED, Result.REMOVAL_IGNORED, Result.WAIVED),
}
STAYING = frozenset(ALONE["M"]) - {Result.MOVES}


@dataclass(frozen=True)
class Change:
    """The entry `at` of an answer counts as `results`."""

    at: int
    results: tuple[str, ...]


def possible(kind: str) -> list[tuple[str, ...]]:
    """The results that may be said of an order in a kind of phase; a unit that stays may be dislodged too."""
    alone: list[tuple[str, ...]] = [(str(one),) for one in ALONE.get(kind, ALONE["M"])]
    if kind != "M":
        return alone
    fallen = [(str(one), str(Result.DISLODGED)) for one in ALONE["M"] if one in STAYING]
    return [*alone, (str(Result.DISLODGED),), *fallen, (str(Result.DESTROYED),)]


def changed(revision: Revision, changes: Iterable[Change]) -> list[Json]:
    """All that differs from what the judge found, earlier overrides included; raises NotDone (`moved`)."""
    answer = revision.answer or {}
    kept = {one["at"]: one for one in revision.changes}
    for change in changes:
        if _differs(answer, change):
            kept[change.at] = _change(answer, change, kept)
    return [one for _at, one in sorted(kept.items()) if one["before"] != one["after"]]


def _differs(answer: Answer, change: Change) -> bool:
    return tuple(_entry(answer, change.at).get("results") or ()) != change.results


def _entry(answer: Answer, at: int) -> dict[str, Any]:
    entries: Sequence[dict[str, Any]] = answer["orders"]
    if not 0 <= at < len(entries):
        raise NotDone("moved")
    return entries[at]


def _change(answer: Answer, change: Change, kept: Mapping[int, Json]) -> Json:
    entry = _entry(answer, change.at)
    judged = kept[change.at]["before"] if change.at in kept else list(entry.get("results") or ())
    named = {name: entry.get(name) for name in ("power", "unit", "order", "line")}
    return {"at": change.at, **named, "before": judged, "after": list(change.results)}


def overridden(
    answer: Answer, changes: Iterable[Change], after: Json, reason: str, won: Sequence[str] = ()
) -> Answer:
    """The answer as it counts: other results with the reason for them, and the position that follows."""
    orders = [dict(entry) for entry in answer["orders"]]
    for change in changes:
        if _differs(answer, change):
            said = dict.fromkeys(("fr", "en"), reason.strip())
            error = orders[change.at].get("error") if Result.ILLEGAL in change.results else None
            orders[change.at] |= {"results": list(change.results), "why": said, "error": error}
    return {**standing(answer, after, won), "orders": orders}


def standing(answer: Answer, after: Json, won: Sequence[str] = ()) -> Answer:
    """An answer that leads to another position than the judge’s, in which `won` are the winners."""
    carried = {name: after[name] for name in referee.CARRIED if name in after}
    return {**answer, **carried, "next": after["phase"], "winner": list(won)}
