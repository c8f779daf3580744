"""Pages of a large board narrowed to some powers or regions by the address: `?only=RUSS&only=asia`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.http import urlencode

from talleyrand.variants import Variant

from . import display_names, result_rows

MANY_POWERS = 10  # powers, beyond which their lists are too long to be read at once


class FilterOption(NamedTuple):
    """A power or a region that a page can be narrowed to."""

    code: str
    name: str
    is_chosen: bool
    colour: str = ""


@dataclass(frozen=True)
class BoardFilter:
    """What is shown: what these powers have or do, and what stands in these provinces; all where nothing is
    chosen. Words that name neither count for nothing."""

    variant: Variant
    powers: frozenset[str] = frozenset()
    regions: frozenset[str] = frozenset()

    @classmethod
    def from_query(cls, variant: Variant, query: QueryDict) -> BoardFilter:
        """What an address asks for."""
        asked = frozenset(query.getlist("only"))
        return cls(variant, asked & set(variant.board.seats), asked & variant.regions.keys())

    @property
    def query_string(self) -> str:
        """The part of an address that asks for it; "" for everything."""
        return urlencode([("only", code) for code in self.chosen_codes])

    def __bool__(self) -> bool:
        return bool(self.powers or self.regions)

    @property
    def chosen_codes(self) -> tuple[str, ...]:
        """The codes, for an address."""
        return (*sorted(self.regions), *sorted(self.powers))

    def shows(self, power: str, province: str = "") -> bool:
        """Whether something of a power, in a province, is shown."""
        return (
            not self
            or power in self.powers
            or any(province in self.variant.regions[code] for code in self.regions)
        )

    def filtered_results(self, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Results by power without the entries that are not shown."""
        found = []
        for row in rows:
            shown = [one for one in row["entries"] if self.shows(row["code"], one["province"])]
            folded = row["folded"] and not self
            found.append({**row, **result_rows.divided_entries(shown), "folded": folded})
        return [row for row in found if row["entries"]]

    def filtered_places(self, rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The rows of a position that are shown, by whose unit or centre they tell."""
        return [row for row in rows if any(self.shows(power, row["province"]) for power in row["powers"])]

    def shown_powers(self, at: Mapping[str, Any]) -> frozenset[str]:
        """The powers that a table shows: those chosen, and those with a unit or a centre in the regions."""
        held = [(power, code) for power, codes in (at.get("centers") or {}).items() for code in codes]
        standing = [
            (power, unit.partition(" ")[2].partition("/")[0])
            for power, units in (at.get("units") or {}).items()
            for unit in units
        ]
        return self.powers | {power for power, code in (*held, *standing) if self.shows(power, code)}

    def filtered_rows(
        self, rows: Iterable[Mapping[str, Any]], at: Mapping[str, Any]
    ) -> list[Mapping[str, Any]]:
        """The rows of a table of the powers that are shown."""
        present = self.shown_powers(at) if self else frozenset()
        return [row for row in rows if not self or row["code"] in present]

    def form_context(self, seats: Iterable[str], kept: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
        """What the form shows: the regions, and these powers by name; nothing on a small board. `kept`: what
        else the address says."""
        if len(self.variant.board.powers) < MANY_POWERS and not self.variant.regions:
            return {}
        named = self.variant.names(display_names.reader_language()).regions
        powers = [
            FilterOption(
                code,
                display_names.power_name(self.variant, code),
                code in self.powers,
                display_names.power_colour(self.variant, code),
            )
            for code in seats
        ]
        regions = [
            FilterOption(code, named.get(code, code), code in self.regions) for code in self.variant.regions
        ]
        return {
            "regions": regions,
            "powers": sorted(powers, key=lambda one: one.name),
            "chosen": self.chosen_codes,
            "names": [one.name for one in (*regions, *powers) if one.is_chosen],
            "kept": kept,
            "all": f"?{urlencode(kept)}",
        }
