"""Pages of a large board narrowed to some powers or regions by the address: `?only=RUSS&only=asia`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import QueryDict

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

    def present(self, at: Mapping[str, Any]) -> frozenset[str]:
        """The powers that a table shows: those chosen, and those with a unit or a centre in the regions."""
        held = [(power, code) for power, codes in (at.get("centers") or {}).items() for code in codes]
        standing = [
            (power, unit.partition(" ")[2].partition("/")[0])
            for power, units in (at.get("units") or {}).items()
            for unit in units
        ]
        return self.powers | {power for power, code in (*held, *standing) if self.keeps(power, code)}

    def page(self, seats: Iterable[str]) -> dict[str, Any]:
        """What the form shows: the regions, and these powers by name; nothing on a small board."""
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
        return {
            "regions": [
                Choice(code, named.get(code, code), code in self.regions) for code in self.variant.regions
            ],
            "powers": sorted(powers, key=lambda one: one.name),
            "chosen": self.chosen,
        }
