"""The files of a variant's folder, whoever wrote them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any

from talleyrand.variants import LANGUAGES, all_names, full_table, merge_tables, variant_folder

from .findings import VariantFinding
from .map_outlines import LARGEST as LARGEST_DRAWING

Toml = dict[str, Any]
LARGEST = 2_000_000  # bytes of a table
LONG = re.compile(rb"[0-9A-Fa-f][0-9A-Fa-f_]{64}")  # a number that no board needs, and that Python may refuse
PARTS = 100  # of a dotted key, which the library reads in a time that grows with their square


@dataclass
class VariantFiles:
    """What was read: tables, the bytes of the drawing, and what could not be read."""

    name: str
    table: Toml = field(default_factory=dict)
    names: dict[str, Toml] = field(default_factory=dict)
    anchors: Toml = field(default_factory=dict)
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
    behind = variant_folder(base) if base else None
    for language in LANGUAGES:
        files.names[language] = _toml(folder, f"names.{language}.toml", files, behind)
    files.anchors = _toml(folder, "anchors.toml", files, behind)
    files.drawing = _bytes(folder, "map.svg", files, behind)
    return files


def _on_top(base: str, own: Toml, files: VariantFiles) -> Toml:
    """A table on top of the one it extends; what it removes must be there."""
    try:
        return merge_tables(full_table(base), own)
    except (AttributeError, KeyError, TypeError, ValueError):
        files.findings.append(VariantFinding("extends_remove", (base,)))
        return {}


def _toml(
    folder: Path | Traversable, file: str, files: VariantFiles, behind: Traversable | None = None
) -> Toml:
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
    folder: Path | Traversable, file: str, files: VariantFiles, behind: Traversable | None
) -> bytes | None:
    """A file's first bytes, from what the variant extends where it has none of its own.

    Never more than is too many, and nothing of what is no file: a pipe or a device may have no end.
    """
    found = next((place / file for place in (folder, behind) if place and (place / file).is_file()), None)
    try:
        if found:
            with found.open("rb") as opened:
                return opened.read(LARGEST_DRAWING + 1)
    except OSError:
        files.findings.append(VariantFinding("file_unreadable", (file,)))
        return None
    files.findings.append(VariantFinding("file_missing", (file,)))
    return None
