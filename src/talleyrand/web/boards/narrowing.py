"""Pages of a large board narrowed to some powers or regions by the address: `?only=RUSS&only=asia`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.http import urlencode

from talleyrand.variants import Variant

from . import wording

MANY = 10  # powers, beyond which their lists are too long to be read at once


class Choice(NamedTuple):
    """A power or a region that a page can be narrowed to."""

    code: str
    name: str
    chosen: bool
    colour: str = ""


@dataclass(frozen=True)
class Narrowing:
    """What is shown: what these powers have or do, and what stands in these provinces; all where nothing is
    chosen. Words that name neither count for nothing."""

    variant: Variant
    powers: frozenset[str] = frozenset()
    regions: frozenset[str] = frozenset()

    @classmethod
    def of(cls, variant: Variant, query: QueryDict) -> Narrowing:
        """What an address asks for."""
        asked = frozenset(query.getlist("only"))
        return cls(variant, asked & set(variant.board.seats), asked & variant.regions.keys())

    @property
    def query(self) -> str:
        """The part of an address that asks for it; "" for everything."""
        return urlencode([("only", code) for code in self.chosen])

    def __bool__(self) -> bool:
        return bool(self.powers or self.regions)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The codes, for an address."""
        return (*sorted(self.regions), *sorted(self.powers))

    def keeps(self, power: str, province: str = "") -> bool:
        """Whether something of a power, in a province, is shown."""
        return not self or power in self.powers or any(self._lies(province, code) for code in self.regions)

    def _lies(self, province: str, region: str) -> bool:
        return province in self.variant.regions[region]

    def entries(self, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Results by power without the entries that are not shown."""
        found = [
            {**row, "entries": [one for one in row["entries"] if self.keeps(row["code"], one["province"])]}
            for row in rows
        ]
        return [row for row in found if row["entries"]]

    def places(self, rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The rows of a position that are shown, by whose unit or centre they tell."""
        return [row for row in rows if any(self.keeps(power, row["province"]) for power in row["powers"])]

    def present(self, at: Mapping[str, Any]) -> frozenset[str]:
        """The powers that a table shows: those chosen, and those with a unit or a centre in the regions."""
        held = [(power, code) for power, codes in (at.get("centers") or {}).items() for code in codes]
        standing = [
            (power, unit.partition(" ")[2].partition("/")[0])
            for power, units in (at.get("units") or {}).items()
            for unit in units
        ]
        return self.powers | {power for power, code in (*held, *standing) if self.keeps(power, code)}

    def rows(self, rows: Iterable[Mapping[str, Any]], at: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """The rows of a table of the powers that are shown."""
        present = self.present(at) if self else frozenset()
        return [row for row in rows if not self or row["code"] in present]

    def page(self, seats: Iterable[str], kept: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
        """What the form shows: the regions, and these powers by name; nothing on a small board. `kept`: what
        else the address says."""
        if len(self.variant.board.powers) < MANY and not self.variant.regions:
            return {}
        named = self.variant.names(wording.language()).regions
        powers = [
            Choice(
                code,
                wording.power(self.variant, code),
                code in self.powers,
                wording.colour(self.variant, code),
            )
            for code in seats
        ]
        regions = [Choice(code, named.get(code, code), code in self.regions) for code in self.variant.regions]
        return {
            "regions": regions,
            "powers": sorted(powers, key=lambda one: one.name),
            "chosen": self.chosen,
            "names": [one.name for one in (*regions, *powers) if one.chosen],
            "kept": kept,
            "all": f"?{urlencode(kept)}",
        }
