"""What became of the orders of a phase, as its page shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from talleyrand.messages.sentence_names import FAILURE_RESULTS, RESULT_SIGNS
from talleyrand.variants import Variant

from . import display_names, phase_maps
from .adjudicator import Answer, Question

_HOLDS = "holds"


def results_by_power(variant: Variant, answer: Answer) -> list[dict[str, Any]]:
    """The entries of an answer, power by power in the variant's order."""
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in answer["orders"]:
        found.setdefault(entry["power"], []).append(result_entry(variant, entry))
    return [
        {
            "code": code,
            "name": display_names.power_name(variant, code),
            "colour": display_names.power_colour(variant, code),
            "entries": found[code],
            "quiet": all(one["quiet"] for one in found[code]),
        }
        for code in variant.board.seats
        if code in found
    ]


def with_explanation_urls(rows: list[dict[str, Any]], address: Callable[[str], str]) -> list[dict[str, Any]]:
    """The entries of a movement phase, each with the address of its chain of causes where it has one."""
    gone = display_names.result_name("removed")  # in the winter that a page shows with its autumn
    for entry in (entry for row in rows for entry in row["entries"]):
        removed = any(result["words"] == gone for result in entry["results"])
        if entry["province"] and entry["why"] and not entry["error"] and not removed:
            entry["ask"] = address(entry["province"])
    return rows


def adjudicator_notes(answer: Answer) -> list[str]:
    tongue = display_names.reader_language()
    return [note[tongue] for note in answer.get("notes") or () if tongue in note]


def newly_eliminated(variant: Variant, question: Question | None, answer: Answer) -> list[str]:
    """The powers that this phase put out of the game."""
    before = question or {}
    held = [before.get(name) or {} for name in ("units", "dislodged", "centers")]
    out = [code for code in answer.get("eliminated") or () if any(one.get(code) for one in held)]
    return [display_names.power_name(variant, code) for code in out]


def result_entry(variant: Variant, entry: Mapping[str, Any]) -> dict[str, Any]:
    """An order or a unit with what became of it, in the reader's words."""
    tongue = display_names.reader_language()
    unit = entry.get("unit") or ""
    error = entry.get("error")
    quiet = not (entry.get("line") or entry.get("order") or error) and entry.get("results") == [_HOLDS]
    return {
        "quiet": quiet,  # a unit that nobody ordered, and that nothing happened to
        "province": unit.partition(" ")[2].partition("/")[0],
        "line": entry.get("line"),
        "order": phase_maps.order_label(variant, entry.get("order"), unit),
        "results": [result_label(code, variant) for code in entry.get("results") or ()],
        "why": (entry.get("why") or {}).get(tongue, ""),
        "error": error["message"][tongue] if error else "",
        "notes": [
            note[tongue] for note in entry.get("notes") or () if isinstance(note, Mapping) and tongue in note
        ],
    }


def result_label(code: str, variant: Variant | None = None) -> dict[str, Any]:
    """A result with its sign, and whether it is a failure."""
    sign = RESULT_SIGNS.get(code, "·")
    return {
        "sign": sign,
        "words": display_names.result_name(code, variant),
        "failure": code in FAILURE_RESULTS,
    }
