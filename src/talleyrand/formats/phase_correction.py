"""What a game master decided of a phase in place of what the adjudicator found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from talleyrand.engine.game import ResolvedPhase
from talleyrand.engine.outcome import OrderResult, Verdict
from talleyrand.engine.position import Position, province_of
from talleyrand.variants import LANGUAGES, Variant

from . import json_checks
from .json_checks import InvalidQuestion, Json, JsonObject, clip_json

LONGEST_REASON = 1000  # characters, as many as the site lets a game master write
_RESULTS = tuple(map(str, OrderResult))
OrderKey = tuple[str, str, str]


@dataclass(frozen=True)
class PhaseCorrection:
    """A decision: other results of some orders, the position that follows, who has won with it, and why.

    An order is found by its power, the kind and province of its unit, and its text ("" for a unit without
    one); `reason` is as the game master wrote it.
    """

    results: Mapping[OrderKey, tuple[str, ...]]
    following: Position
    winner: tuple[str, ...] = ()
    reason: str = ""

    def turn(self, judged: ResolvedPhase) -> ResolvedPhase:
        """The phase as it counts: the adjudicator's verdicts where nothing else was decided."""
        outcome, after = judged.outcome, self.following
        verdicts = tuple(
            verdict._replace(results=self.results.get(_verdict_key(verdict), verdict.results))
            for verdict in outcome.verdicts
        )
        reached = replace(
            outcome.position_after, units=after.units, dislodged=after.dislodged, centres=after.centres
        )
        return replace(
            judged,
            outcome=replace(outcome, verdicts=verdicts, position_after=reached),
            next_position=None if self.winner else after,
            winner=self.winner,
        )

    def entries(self, judged: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The entries of an answer as they count, each that was decided with its reason."""
        return [self._entry(entry) for entry in judged]

    def _entry(self, entry: dict[str, Any]) -> dict[str, Any]:
        results = self.results.get(_order_key(entry["power"], entry["unit"], entry["order"]))
        if results is None:
            return entry
        error = entry["error"] if OrderResult.ILLEGAL in results else None
        return entry | {"results": [*results], "why": dict.fromkeys(LANGUAGES, self.reason), "error": error}


def read_correction(fields: JsonObject, following: Position, variant: Variant) -> PhaseCorrection:
    """A decision from its JSON, `following` being its position; raises InvalidQuestion."""
    results, powers = {}, variant.board.seats
    for value in json_checks.json_list(fields.get("results"), "results"):
        entry = json_checks.json_object(value, "results")
        key = _order_key(
            json_checks.json_power(entry.get("power"), "power", powers),
            json_checks.optional_json_text(entry.get("unit"), "unit"),
            json_checks.optional_json_text(entry.get("order"), "order"),
        )
        results[key] = json_checks.json_texts(entry.get("results"), "results")
        for code in results[key]:
            if code not in _RESULTS and not variant.sentence(LANGUAGES[0], "result", code):
                raise InvalidQuestion(
                    "result_unknown", field="results", result=clip_json(code), known=", ".join(_RESULTS)
                )
    winners = json_checks.json_list(fields.get("winner"), "winner")
    return PhaseCorrection(
        results,
        following,
        tuple(json_checks.json_power(name, "winner", powers) for name in winners),
        _readable(json_checks.optional_json_text(fields.get("reason"), "reason") or ""),
    )


def _readable(reason: str) -> str:
    """A reason as any page can show it beside each result; of a longer one the beginning."""
    text = reason.replace("\x00", "").encode("utf-8", "replace").decode()
    return text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON - 1]}…"


def write_correction(correction: PhaseCorrection, following: Json) -> dict[str, Json]:
    """The JSON of a decision, `following` being that of its position."""
    return {
        "results": [
            {"power": power, "unit": unit or None, "order": order or None, "results": [*results]}
            for (power, unit, order), results in correction.results.items()
        ],
        "next": following,
        "winner": [*correction.winner],
        "reason": correction.reason,
    }


def _verdict_key(verdict: Verdict) -> OrderKey:
    return _order_key(verdict.power, str(verdict.unit), str(verdict.order) if verdict.order else "")


def _order_key(power: str, unit: str | None, order: str | None) -> OrderKey:
    kind, _, place = (unit or "").partition(" ")
    return power, f"{kind} {province_of(place)}" if place else kind, order or ""
