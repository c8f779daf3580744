"""What became of the orders of a phase, as its page shows it."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from talleyrand.messages.sentence_names import FAILURE_RESULTS, RESULT_SIGNS
from talleyrand.variants import Variant

from . import display_names, phase_maps
from .adjudicator import Answer, Question

_HOLDS = "holds"
_FEW_ORDERS = 8  # beyond which those of other powers are folded, but what failed


def results_by_power(variant: Variant, answer: Answer, own: Container[str] = ()) -> list[dict[str, Any]]:
    """The entries of an answer, power by power in the variant's order; the reader plays the powers `own`."""
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in answer["orders"]:
        found.setdefault(entry["power"], []).append(result_entry(variant, entry))
    rows: list[dict[str, Any]] = [
        {
            "code": code,
            "name": display_names.power_name(variant, code),
            "colour": display_names.power_colour(variant, code),
            "own": code in own,
            **divided_entries(found[code]),
        }
        for code in variant.board.seats
        if code in found
    ]
    ordered = sum(not entry["quiet"] for row in rows for entry in row["entries"])
    few = len(answer["orders"]) <= _FEW_ORDERS
    for row in rows:
        row["folded"] = not (row["own"] or few) and (row["quiet"] or ordered > _FEW_ORDERS)
    return rows


def divided_entries(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """The entries of a power with what failed of them first, and both parts by themselves."""
    failed = [one for one in entries if one["failed"]]
    plain = [one for one in entries if not one["failed"]]
    return {
        "entries": failed + plain,
        "failed": failed,
        "plain": plain,
        "quiet": all(one["quiet"] for one in entries),
    }


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
    codes = entry.get("results") or ()
    quiet = not (entry.get("line") or entry.get("order") or error) and entry.get("results") == [_HOLDS]
    return {
        "failed": bool(error) or not FAILURE_RESULTS.isdisjoint(codes),
        "quiet": quiet,  # a unit that nobody ordered, and that nothing happened to
        "province": unit.partition(" ")[2].partition("/")[0],
        "line": entry.get("line"),
        "order": phase_maps.order_label(variant, entry.get("order"), unit),
        "results": [result_label(code, variant) for code in codes],
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
