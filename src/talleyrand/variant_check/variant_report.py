"""All checks of a variant, one after the other; those that need what is broken are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from errno import ENOENT, ENOTDIR
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from talleyrand.variants import LANGUAGES

from .findings import VariantFinding
from .map_anchors import anchor_findings, anchor_marks
from .map_borders import BorderRules, Pair, border_findings, gap_findings, sorted_pair
from .map_contacts import MapContacts, clearance, measure_contacts
from .map_outlines import MapOutlines, UnreadableMap, read_outlines
from .table_checks import name_findings, start_findings
from .variant_files import CheckedBoard, TomlShape, VariantFiles, read_board, read_files

VARIANT = "variant.toml"


@dataclass(frozen=True)
class VariantReport:
    """What was found, what of it the variant's own list admits, and the tightest measures."""

    name: str
    findings: tuple[VariantFinding, ...]
    admitted: tuple[VariantFinding, ...]
    measures: Mapping[str, tuple[tuple[str, float], ...]]


def check_variant(folder: Path | Traversable) -> VariantReport:
    """Check the variant in a folder. Raises OSError where there is no folder, and nothing for its files."""
    if not folder.is_dir():
        raise OSError(ENOTDIR if folder.is_file() else ENOENT, "", str(folder))
    files = read_files(folder)
    shaped, found = TomlShape(VARIANT), list(files.findings)
    measures: dict[str, tuple[tuple[str, float], ...]] = {}
    if files.table:
        board = read_board(files.table, shaped)
        found += start_findings(files.table, board, shaped)
        found += name_findings(files.table, files.names, board)
        found += _drawn(files, board, shaped, measures)
    found[len(files.findings) : 0] = shaped.findings
    admitted, rest = _admitted(files.table, list(_each_once(found)))
    return VariantReport(files.name, rest, admitted, measures)


def _each_once(found: Iterable[VariantFinding]) -> Iterator[VariantFinding]:
    """The findings, each once."""
    seen = set()
    for finding in found:
        if finding.key not in seen:
            seen.add(finding.key)
            yield finding


def _drawn(
    files: VariantFiles,
    board: CheckedBoard,
    shaped: TomlShape,
    measures: dict[str, tuple[tuple[str, float], ...]],
) -> Iterator[VariantFinding]:
    """What the drawing says, if it can be read."""
    if files.drawing is None:
        return
    try:
        outlines, findings = read_outlines(files.drawing)
        contacts = measure_contacts(outlines)
    except UnreadableMap as fault:
        yield fault.finding
        return
    yield from findings
    yield from (
        VariantFinding("shape_missing", (code,)) for code in sorted(set(board.kinds) - set(outlines.rings))
    )
    strange = {name for name in outlines.rings if name not in board.kinds and not name.startswith("_")}
    yield from (VariantFinding("shape_unknown", (name,)) for name in sorted(strange))
    rules = _rules(files.table, board, shaped)
    yield from gap_findings(outlines, contacts)
    yield from border_findings(rules, contacts)
    yield from anchor_findings(files.anchors, board, rules, outlines)
    measures |= _measures(rules, contacts, files.anchors, outlines)


def _rules(table: Mapping[str, Any], board: CheckedBoard, shaped: TomlShape) -> BorderRules:
    excused = [frozenset(_declared(table, key, board, shaped)) for key in ("crossings", "barriers")]
    return BorderRules(board.kinds, board.coasts, frozenset(board.land), frozenset(board.sea), *excused)


def _declared(table: Mapping[str, Any], key: str, board: CheckedBoard, shaped: TomlShape) -> Iterator[Pair]:
    """The pairs of a list of exceptions, each of which says why in both languages."""
    for entry in shaped.value(table, key, list, "", needed=False) or ():
        pair = entry.get("between") if isinstance(entry, dict) else None
        sound = isinstance(pair, list) and len(pair) == 2 and all(str(code) in board.kinds for code in pair)
        if pair and sound and _reasoned(entry):
            yield sorted_pair(str(pair[0]), str(pair[1]))
        else:
            shaped.findings.append(
                VariantFinding("exception_shape", (VARIANT, key), {"value": str(entry)[:80]})
            )


def _reasoned(entry: Mapping[str, Any]) -> bool:
    why = entry.get("why")
    return isinstance(why, dict) and all(
        isinstance(why.get(tongue), str) and why[tongue] for tongue in LANGUAGES
    )


def _admitted(
    table: Mapping[str, Any], found: list[VariantFinding]
) -> tuple[tuple[VariantFinding, ...], tuple[VariantFinding, ...]]:
    """Findings that `[[admitted]]` names, and the others; what it names in vain is found too."""
    entries = table.get("admitted", [])
    listed = {}
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("about"), list) and _reasoned(entry):
            listed[str(entry.get("finding")), tuple(map(str, entry["about"]))] = entry
        else:
            found.append(VariantFinding("exception_shape", (VARIANT, "admitted"), {"value": str(entry)[:80]}))
    keys = {finding.key for finding in found}
    found += [VariantFinding("admitted_in_vain", (key[0], *key[1])) for key in listed if key not in keys]
    known = tuple(finding for finding in found if finding.key in listed)
    return known, tuple(finding for finding in found if finding.key not in listed)


def _measures(
    rules: BorderRules, contacts: MapContacts, anchors: Mapping[str, Any], outlines: MapOutlines
) -> dict[str, tuple[tuple[str, float], ...]]:
    """The shortest borders and the tightest places, in board units."""
    borders = [
        (" – ".join(pair), length)
        for pair, length in contacts.pairs().items()
        if set(pair) <= set(rules.kinds)
    ]
    rooms = []
    for place, marks in anchor_marks(anchors).items():
        rings = outlines.rings.get(place.partition("/")[0], ())
        if rings and "unit" in marks:
            rooms.append((place, clearance(marks["unit"], rings)))
    return {"borders": _least(borders), "units": _least(rooms)}


def _least(items: list[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple((name, round(value, 1)) for name, value in sorted(items, key=lambda item: item[1])[:8])
