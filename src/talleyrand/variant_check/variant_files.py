"""The files of a variant's folder, whoever wrote them, and the shape that the loader wants of tables.

Each slip is a finding, and what is sound is kept.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any

from talleyrand.variants import (
    LANGUAGES,
    all_names,
    base_names,
    full_names,
    full_table,
    merge_names,
    merge_tables,
    variant_folder,
)

from .findings import VariantFinding
from .map_outlines import LARGEST as LARGEST_DRAWING

TomlTable = dict[str, Any]
Toml = Mapping[str, Any]
LARGEST = 2_000_000  # bytes of a table
LONG = re.compile(rb"[0-9A-Fa-f][0-9A-Fa-f_]{64}")  # a number that no board needs, and that Python may refuse
PARTS = 100  # of a dotted key, which the library reads in a time that grows with their square


@dataclass
class VariantFiles:
    """What was read: tables, the bytes of the drawing, and what could not be read."""

    name: str
    table: TomlTable = field(default_factory=dict)
    names: dict[str, TomlTable] = field(default_factory=dict)
    anchors: TomlTable = field(default_factory=dict)
    drawing: bytes | None = None
    findings: list[VariantFinding] = field(default_factory=list)


def read_files(folder: Path | Traversable) -> VariantFiles:
    """Read a variant's folder; what is missing or broken is a finding, never an exception of its own."""
    files = VariantFiles(folder.name or Path(str(folder)).resolve().name)
    own = _toml(folder, "variant.toml", files)
    base = own.get("extends")
    if base is not None and base not in all_names():
        files.findings.append(
            VariantFinding("extends_unknown", (str(base),), {"known": ", ".join(all_names())})
        )
        base = None
    files.table = _on_top(base, own, files) if base else own
    behind = tuple(map(variant_folder, base_names(base))) if base else ()
    for language in LANGUAGES:
        names = _toml(folder, f"names.{language}.toml", files, behind)
        files.names[language] = merge_names(full_names(base, language), names) if base else names
    files.anchors = _toml(folder, "anchors.toml", files, behind)
    files.drawing = _bytes(folder, "map.svg", files, behind)
    return files


def _on_top(base: str, own: TomlTable, files: VariantFiles) -> TomlTable:
    """A table on top of the one it extends; what it removes must be there."""
    try:
        return merge_tables(full_table(base), own)
    except (AttributeError, KeyError, TypeError, ValueError):
        files.findings.append(VariantFinding("extends_remove", (base,)))
        return {}


def _toml(
    folder: Path | Traversable, file: str, files: VariantFiles, behind: tuple[Traversable, ...] = ()
) -> TomlTable:
    data = _bytes(folder, file, files, behind)
    if data is None:
        return {}
    if len(data) > LARGEST:
        files.findings.append(VariantFinding("file_too_long", (file,), {"limit": str(LARGEST // 1_000_000)}))
        return {}
    if beyond := _beyond(data):
        files.findings.append(VariantFinding("file_beyond", (file,), {"line": str(beyond)}))
        return {}
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        files.findings.append(VariantFinding("file_not_utf8", (file,), {"line": str(line)}))
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        files.findings.append(VariantFinding("file_not_toml", (file,), _fault_place(fault)))
    return {}


def _beyond(data: bytes) -> int:
    """The first line with a number or a key longer than any board needs; 0 where there is none."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if LONG.search(line) or any(part.count(b".") > PARTS for part in re.split(rb"[=,\[\]{}]", line)):
            return number
    return 0


def _fault_place(fault: BaseException) -> Mapping[str, str]:
    """Where a table breaks off, from the words of the library."""
    words = str(fault).replace("(", " ").replace(")", " ").replace(",", " ").split()
    numbers = (after for word, after in pairwise(words) if word == "line" and after.isdigit())
    return {"line": next(numbers, "1")}


def _bytes(
    folder: Path | Traversable, file: str, files: VariantFiles, behind: tuple[Traversable, ...]
) -> bytes | None:
    """A file's first bytes, from what the variant extends where it has none of its own.

    Never more than is too many, and nothing of what is no file: a pipe or a device may have no end.
    """
    found = next((place / file for place in (folder, *behind) if (place / file).is_file()), None)
    try:
        if found:
            with found.open("rb") as opened:
                return opened.read(LARGEST_DRAWING + 1)
    except OSError:
        files.findings.append(VariantFinding("file_unreadable", (file,)))
        return None
    files.findings.append(VariantFinding("file_missing", (file,)))
    return None


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
