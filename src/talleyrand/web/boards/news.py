"""What happened in a phase, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.variants import Variant

from . import results, wording
from .referee import Answer, Question


def news(variant: Variant, question: Question | None, answer: Answer) -> Iterator[str]:
    """A sentence each: orders, centres, powers that are out."""
    for row in results.by_power(variant, answer):
        for entry in row["entries"]:
            yield _told(row["name"], entry)
    yield from _captures(variant, question, answer)
    for name in results.newly_out(variant, question, answer):
        yield _("%(power)s is out of the game.") % {"power": name}


def _told(power: str, entry: Mapping[str, Any]) -> str:
    came = ", ".join(result["words"] for result in entry["results"])
    facts = {"power": power, "order": entry["order"] or entry["line"], "came": came}
    return (_("%(power)s – %(order)s: %(came)s") if came else "%(power)s – %(order)s") % facts


def _captures(variant: Variant, question: Question | None, answer: Answer) -> Iterator[str]:
    before = _owners((question or {}).get("centers"))
    names = variant.names(wording.language())
    for place, power in _owners(answer.get("centers")).items():
        if before and before.get(place) != power:
            facts = {"place": names.location(place), "power": wording.power(variant, power)}
            yield _("%(place)s now belongs to %(power)s.") % facts


def _owners(centres: Any) -> dict[str, str]:
    return {place: power for power, places in (centres or {}).items() for place in places}
