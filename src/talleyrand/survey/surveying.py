"""All checks of a variant, one after the other; those that need what is broken are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from errno import ENOENT, ENOTDIR
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from talleyrand.variants import LANGUAGES

from .anchors import anchor_findings, marked
from .beginnings import beginning_findings
from .borders import Pair, Rules, border_findings, ordered, sheet_findings
from .contacts import Contacts, clearance, measured
from .files import Files, read_files
from .findings import Finding
from .names import name_findings
from .outlines import NotDrawn, Outlines, read_outlines
from .shape import Board, Shaped, read_board

VARIANT = "variant.toml"


@dataclass(frozen=True)
class Survey:
    """What was found, what of it the variant's own list admits, and the tightest measures."""

    name: str
    findings: tuple[Finding, ...]
    admitted: tuple[Finding, ...]
    measures: Mapping[str, tuple[tuple[str, float], ...]]


def survey(folder: Path | Traversable) -> Survey:
    """Check the variant in a folder. Raises OSError where there is no folder, and nothing for its files."""
    if not folder.is_dir():
        raise OSError(ENOTDIR if folder.is_file() else ENOENT, "", str(folder))
    files = read_files(folder)
    shaped, found = Shaped(VARIANT), list(files.findings)
    measures: dict[str, tuple[tuple[str, float], ...]] = {}
    if files.table:
        board = read_board(files.table, shaped)
        found += beginning_findings(files.table, board, shaped)
        found += name_findings(files.table, files.names, board)
        found += _drawn(files, board, shaped, measures)
    found[len(files.findings) : 0] = shaped.findings
    admitted, rest = _admitted(files.table, list(_each_once(found)))
    return Survey(files.name, rest, admitted, measures)


def _each_once(found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, each once."""
    seen = set()
    for finding in found:
        if finding.key not in seen:
            seen.add(finding.key)
            yield finding


def _drawn(
    files: Files, board: Board, shaped: Shaped, measures: dict[str, tuple[tuple[str, float], ...]]
) -> Iterator[Finding]:
    """What the drawing says, if it can be read."""
    if files.drawing is None:
        return
    try:
        outlines, findings = read_outlines(files.drawing)
        contacts = measured(outlines)
    except NotDrawn as fault:
        yield fault.finding
        return
    yield from findings
    yield from (Finding("shape_missing", (code,)) for code in sorted(set(board.kinds) - set(outlines.rings)))
    strange = {name for name in outlines.rings if name not in board.kinds and not name.startswith("_")}
    yield from (Finding("shape_unknown", (name,)) for name in sorted(strange))
    rules = _rules(files.table, board, shaped)
    yield from sheet_findings(outlines, contacts)
    yield from border_findings(rules, contacts)
    yield from anchor_findings(files.anchors, board, rules, outlines)
    measures |= _measures(rules, contacts, files.anchors, outlines)


def _rules(table: Mapping[str, Any], board: Board, shaped: Shaped) -> Rules:
    excused = [frozenset(_declared(table, key, board, shaped)) for key in ("crossings", "barriers")]
    return Rules(board.kinds, board.coasts, frozenset(board.land), frozenset(board.sea), *excused)


def _declared(table: Mapping[str, Any], key: str, board: Board, shaped: Shaped) -> Iterator[Pair]:
    """The pairs of a list of exceptions, each of which says why in both languages."""
    for entry in shaped.value(table, key, list, "", needed=False) or ():
        pair = entry.get("between") if isinstance(entry, dict) else None
        sound = isinstance(pair, list) and len(pair) == 2 and all(str(code) in board.kinds for code in pair)
        if pair and sound and _reasoned(entry):
            yield ordered(str(pair[0]), str(pair[1]))
        else:
            shaped.findings.append(Finding("exception_shape", (VARIANT, key), {"value": str(entry)[:80]}))


def _reasoned(entry: Mapping[str, Any]) -> bool:
    why = entry.get("why")
    return isinstance(why, dict) and all(
        isinstance(why.get(tongue), str) and why[tongue] for tongue in LANGUAGES
    )


def _admitted(
    table: Mapping[str, Any], found: list[Finding]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Findings that `[[admitted]]` names, and the others; what it names in vain is found too."""
    entries = table.get("admitted", [])
    listed = {}
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("about"), list) and _reasoned(entry):
            listed[str(entry.get("finding")), tuple(map(str, entry["about"]))] = entry
        else:
            found.append(Finding("exception_shape", (VARIANT, "admitted"), {"value": str(entry)[:80]}))
    keys = {finding.key for finding in found}
    found += [Finding("admitted_in_vain", (key[0], *key[1])) for key in listed if key not in keys]
    known = tuple(finding for finding in found if finding.key in listed)
    return known, tuple(finding for finding in found if finding.key not in listed)


def _measures(
    rules: Rules, contacts: Contacts, anchors: Mapping[str, Any], outlines: Outlines
) -> dict[str, tuple[tuple[str, float], ...]]:
    """The shortest borders and the tightest places, in board units."""
    borders = [
        (" – ".join(pair), length)
        for pair, length in contacts.pairs().items()
        if set(pair) <= set(rules.kinds)
    ]
    rooms = []
    for place, marks in marked(anchors).items():
        rings = outlines.rings.get(place.partition("/")[0], ())
        if rings and "unit" in marks:
            rooms.append((place, clearance(marks["unit"], rings)))
    return {"borders": _least(borders), "units": _least(rooms)}


def _least(items: list[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple((name, round(value, 1)) for name, value in sorted(items, key=lambda item: item[1])[:8])
