"""What happened in a phase, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.variants import Variant

from . import display_names, position_tables, result_rows
from .adjudicator import Answer, Question


def phase_summary(variant: Variant, question: Question | None, answer: Answer) -> Iterator[str]:
    """A sentence each: orders that failed, centres, powers that are out, then the orders that succeeded.

    Of a power none of whose units was ordered or met anything, that alone.
    """
    rows = result_rows.results_by_power(variant, answer)
    yield from (_order_sentence(row["name"], entry) for row in rows for entry in row["failed"])
    yield from _captures(variant, question, answer)
    for name in result_rows.newly_eliminated(variant, question, answer):
        yield _("%(power)s is eliminated.") % {"power": name}
    for row in rows:
        if row["quiet"]:
            yield _("%(power)s – no orders.") % {"power": row["name"]}
        else:
            yield from (_order_sentence(row["name"], entry) for entry in row["plain"] if not entry["quiet"])


def _order_sentence(power: str, entry: Mapping[str, Any]) -> str:
    came = ", ".join(result["words"] for result in entry["results"])
    facts = {"power": power, "order": entry["order"] or entry["line"], "came": came}
    return (_("%(power)s – %(order)s: %(came)s") if came else "%(power)s – %(order)s") % facts


def _captures(variant: Variant, question: Question | None, answer: Answer) -> Iterator[str]:
    before = position_tables.centre_owners(question or {})
    names = variant.names(display_names.reader_language())
    for place, power in position_tables.centre_owners(answer).items():
        if before and before.get(place) != power:
            facts = {"place": names.location(place), "power": display_names.power_name(variant, power)}
            yield _("%(place)s now belongs to %(power)s.") % facts
