"""What a phase did in politics beside votes, as tables to read: subversion, aid, scores, allowances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from talleyrand.engine.politics_protocol import PoliticsTable, VariantSentence

from .political_state import UN

Told = Mapping[str, Any]
Row = tuple[VariantSentence | str | int, ...]


def phase_tables(asked: Told, told: Told) -> tuple[PoliticsTable, ...]:
    """The tables of a phase; those that would be empty are left out."""
    found = (
        PoliticsTable("announced", ("by", "sector"), tuple(_announced(told))),
        PoliticsTable("subverted", ("by", "sector", "unit"), tuple(_subverted(told))),
        PoliticsTable("aid", ("state", "first", "second", "third"), tuple(_aid(asked, told))),
        PoliticsTable(
            "scores", ("state", "total", "centres", "raw", "adjustment", "contribution"), tuple(_scores(told))
        ),
        PoliticsTable("given", ("by", "to"), tuple((one["by"], one["to"]) for one in told.get("given", ()))),
        PoliticsTable("allowance", ("state", "allowed", "units"), tuple(_allowance(told))),
    )
    return tuple(one for one in found if one.rows)


def _announced(told: Told) -> Iterator[Row]:
    target = (told.get("intervention") or {}).get("target")
    if target:
        yield UN, VariantSentence("place", {"place": target})


def _subverted(told: Told) -> Iterator[Row]:
    for one in told.get("subverted", ()):
        unit = VariantSentence("unit_of", {"unit": one["unit"], "state": one["power"]})
        yield (
            one["by"],
            VariantSentence("place", {"place": one["sector"]}),
            unit if one["unit"] else VariantSentence("nobody"),
        )


def _aid(asked: Told, told: Told) -> Iterator[Row]:
    """The programmes that were changed."""
    before = asked.get("aid", {})
    for state, places in told.get("aid", {}).items():
        if list(places) != list(before.get(state, ())):
            yield state, *(place or "" for place in places)


def _scores(told: Told) -> Iterator[Row]:
    """Highest first, with the working of each; those that stand as they began are left out."""
    scores = told.get("scores", {})
    for state in sorted(scores, key=lambda state: (-scores[state]["total"], state)):
        one = scores[state]
        if one["total"] == 0 and one["centres"] == one["base"]:
            continue
        raw = VariantSentence("raw_of", {name: one[name] for name in ("raw", "centres", "base", "rate")})
        given = VariantSentence(
            "contribution_of", {name: one[name] for name in ("contribution", "mandates", "per_mandate")}
        )
        yield (
            state,
            one["total"],
            one["centres"],
            raw if one["raw"] else 0,
            one["adjustment"],
            given if one["contribution"] else 0,
        )


def _allowance(told: Told) -> Iterator[Row]:
    for state, one in told.get("allowance", {}).items():
        if one["allowed"] != one["units"] or one["allowed"] != one["centres"]:
            working = {name: one[name] for name in ("allowed", "centres", "aid", "imf", "embargo")}
            yield state, VariantSentence("allowed_of", working), one["units"]
