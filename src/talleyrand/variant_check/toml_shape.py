"""Whether tables have the shape that the loader wants: each slip is a finding, and what is sound is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .findings import VariantFinding

Toml = Mapping[str, Any]
KINDS = ("sea", "coastal", "inland")
MOBILITIES = ("land", "sea", "any")
WORDS = {str: "text", int: "number", bool: "truth", list: "list", dict: "table"}


@dataclass
class TomlShape:
    """Reads values by their path and remembers which were missing or of another kind."""

    file: str
    findings: list[VariantFinding] = field(default_factory=list)

    def value(self, table: Toml, key: str, kind: type, path: str, *, needed: bool = True) -> Any:
        """The value of a key if it is of that kind; else None, and a finding."""
        found = table.get(key)
        name = f"{path}.{key}" if path else key
        if found is None:
            if needed:
                self.findings.append(VariantFinding("key_missing", (self.file, name)))
            return None
        if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
            self.findings.append(VariantFinding("key_kind", (self.file, name), {"kind": WORDS[kind]}))
            return None
        return found

    def table(self, table: Toml, key: str, path: str = "", *, needed: bool = True) -> Toml:
        """The table of a key, empty where there is none."""
        found: Toml = self.value(table, key, dict, path, needed=needed) or {}
        return found

    def tables(self, table: Toml, key: str, *, needed: bool = True) -> dict[str, Toml]:
        """A table of tables, without the entries that are none."""
        entries = self.table(table, key, needed=needed)
        found = {name: self.value(entries, name, dict, key) for name in entries}
        return {name: entry for name, entry in found.items() if entry is not None}

    def texts(self, table: Toml, key: str, path: str, *, needed: bool = True) -> list[str]:
        """A list of texts, without the items that are none."""
        found = self.value(table, key, list, path, needed=needed) or []
        if any(not isinstance(item, str) for item in found):
            self.findings.append(VariantFinding("key_kind", (self.file, f"{path}.{key}"), {"kind": "texts"}))
        return [item for item in found if isinstance(item, str)]

    def codes(self, names: Iterable[str], path: str) -> None:
        """Codes are written in orders, sheets and addresses: plain letters and digits."""
        for name in names:
            if not (name.isascii() and name.replace("_", "").isalnum()):
                self.findings.append(VariantFinding("code_shape", (path, name[:40])))


@dataclass(frozen=True)
class CheckedBoard:
    """The provinces and borders of a variant, as far as they are sound."""

    kinds: dict[str, str]
    centres: frozenset[str]
    coasts: dict[str, tuple[str, ...]]
    land: tuple[tuple[str, str], ...]
    sea: tuple[tuple[str, str], ...]

    def places(self, code: str) -> tuple[str, ...]:
        """Where a fleet may stand in a province: its coasts, or itself."""
        return tuple(f"{code}/{coast}" for coast in self.coasts.get(code, ())) or (code,)


def read_board(table: Toml, shaped: TomlShape) -> CheckedBoard:
    """Provinces and adjacency, each slip noted."""
    provinces = shaped.tables(table, "provinces")
    kinds = {code: _kind(code, entry, shaped) for code, entry in provinces.items()}
    coasts = {
        code: tuple(shaped.texts(entry, "coasts", f"provinces.{code}"))
        for code, entry in provinces.items()
        if "coasts" in entry
    }
    shaped.codes(kinds, "provinces")
    for code, names in coasts.items():
        shaped.codes(names, f"provinces.{code}.coasts")
    centres = frozenset(code for code, entry in provinces.items() if entry.get("centre") is True)
    board = CheckedBoard(kinds, centres, coasts, (), ())
    adjacency = shaped.table(table, "adjacency")
    land = tuple(_pairs(adjacency, "land", shaped, set(kinds)))
    sea = tuple(_pairs(adjacency, "sea", shaped, {place for code in kinds for place in board.places(code)}))
    _numbers(provinces, shaped)
    return CheckedBoard(kinds, centres, coasts, land, sea)


def _kind(code: str, entry: Toml, shaped: TomlShape) -> str:
    kind = shaped.value(entry, "kind", str, f"provinces.{code}")
    if kind is not None and kind not in KINDS:
        shaped.findings.append(
            VariantFinding("kind_unknown", (code,), {"value": kind[:40], "known": ", ".join(KINDS)})
        )
    return kind if kind in KINDS else "inland"


def _numbers(provinces: Mapping[str, Toml], shaped: TomlShape) -> None:
    """Each province has a number of its own."""
    seen: dict[int, str] = {}
    for code, entry in provinces.items():
        number = shaped.value(entry, "number", int, f"provinces.{code}")
        if number is not None and seen.setdefault(number, code) != code:
            shaped.findings.append(
                VariantFinding("number_twice", (seen[number], code), {"number": str(number)})
            )


def _pairs(adjacency: Toml, key: str, shaped: TomlShape, known: set[str]) -> Iterator[tuple[str, str]]:
    seen = set()
    for pair in shaped.value(adjacency, key, list, "adjacency") or ():
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(end, str) for end in pair)):
            shaped.findings.append(
                VariantFinding("pair_shape", (f"adjacency.{key}",), {"value": str(pair)[:60]})
            )
            continue
        a, b = sorted(pair)
        strange = [end for end in (a, b) if end not in known]
        if strange:
            shaped.findings.append(VariantFinding("pair_unknown", (a, b), {"place": strange[0]}))
        elif a == b or (a, b) in seen:
            shaped.findings.append(VariantFinding("pair_twice", (a, b), {"table": f"adjacency.{key}"}))
        else:
            seen.add((a, b))
            yield a, b
