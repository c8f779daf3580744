"""A game kept as sheets: one text with phase headings, or a folder of files.

In a folder the name of a file says the phase (`S1901M.txt`, `Printemps 1901.txt`), then, after a dash or
in a folder of that name, the power and the number of the sheet (`S1901M-FRANCE.txt`,
`S1901M/FRANCE-2.txt`). A file with no power's name holds them all under headings. `game.txt` or
`partie.txt` holds settings and the first position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from talleyrand import notation
from talleyrand.engine.position import Phase, Position
from talleyrand.variants import Variant

from .game_record import GameRecord, PhaseInputs
from .json_checks import InvalidQuestion, Json
from .phase_heading_parser import read_phase_heading
from .plain_text import GameText, read_game_text
from .position_json import read_position
from .question_input import read_rulebook

SETTINGS_FILES = ("game.txt", "partie.txt")
Phases = dict[Phase, PhaseInputs]
Sheets = dict[str, tuple[str, ...]]
_NUMBERED = re.compile(r"(.*?)[-_ ](\d)$")


def record_from_text(text: GameText, rulebook: Json = None) -> GameRecord:
    """A game from one text; raises InvalidQuestion (`no_phase`) where orders stand under no phase."""
    phases: Phases = {}
    turns: list[PhaseInputs] = []
    for chapter in text.phase_texts:
        if chapter.phase is None:
            raise InvalidQuestion("no_phase")
        sheets, loose = chapter.sheets(text.variant)
        written = {power: tuple(lines) for power, lines in sheets.items()}
        if chapter.phase.kind in text.variant.definition.calendar.repeated:  # each heading is another turn
            turns.append(
                PhaseInputs(
                    chapter.phase, {power: (own,) for power, own in written.items()}, loose=tuple(loose)
                )
            )
        else:
            _add(phases, text.variant, chapter.phase, written, loose)
    return _record(text, (*turns, *phases.values()), rulebook)


def read_game_folder(folder: Path, rulebook: Json = None) -> GameRecord:
    """A game from a folder of sheets; raises InvalidQuestion (`no_sheets`) where there is none."""
    settings = next((folder / name for name in SETTINGS_FILES if (folder / name).is_file()), None)
    text = read_game_text(read_utf8(settings) if settings else "")
    phases: Phases = {}
    for path in sorted(folder.rglob("*.txt")):
        if path != settings:
            _file(path, path.relative_to(folder), text.variant, phases)
    if not phases:
        raise InvalidQuestion("no_sheets", folder=folder.name)
    return _record(text, phases.values(), rulebook)


def read_utf8(path: Path) -> str:
    """A text in UTF-8; raises InvalidQuestion (`not_utf8`)."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InvalidQuestion("not_utf8", place=str(fault.start + 1)) from None


def _record(text: GameText, phases: Iterable[PhaseInputs], rulebook: Json) -> GameRecord:
    fields = text.fields
    chosen = rulebook if rulebook is not None else fields.get("rulebook")
    book = read_rulebook(chosen)
    naming, seed = fields.get("naming"), fields.get("seed")
    record = GameRecord(text.variant, chosen, book, text.variant.definition.start, tuple(phases))
    record = replace(record, naming=str(naming) if naming else None, seed=str(seed or ""))
    return replace(record, start=_start(text, record)) if "units" in fields else record


def _start(text: GameText, record: GameRecord) -> Position:
    first = record.phases[0].phase if record.phases else text.variant.definition.start.phase
    phase = read_phase_heading(str(text.fields.get("phase", first)), text.variant) or first
    return read_position(text.fields, phase, text.variant.board, record.loaded_rulebook.adjudication_rules)


def _add(phases: Phases, variant: Variant, phase: Phase, sheets: Sheets, loose: list[str]) -> None:
    """Retreats written under "Hiver", as many game masters do, belong to the phase before."""
    earlier = _retreats_before(phase, variant)
    if earlier is not None:
        retreats = {
            power: tuple(line for line in lines if notation.names_destination(line, variant))
            for power, lines in sheets.items()
        }
        if any(retreats.values()):
            _take(phases, earlier, {power: lines for power, lines in retreats.items() if lines}, [])
            sheets = {
                power: tuple(line for line in lines if line not in retreats[power])
                for power, lines in sheets.items()
            }
    _take(phases, phase, sheets, loose)


def _retreats_before(phase: Phase, variant: Variant) -> Phase | None:
    """The retreats that come just before an adjustment phase, in the same year."""
    cycle = variant.definition.calendar.cycle
    code = phase.season + phase.kind
    before = cycle[cycle.index(code) - 1] if code in cycle and phase.kind == "A" else ""
    return Phase(before[0], phase.year, "R") if before.endswith("R") else None


def _take(phases: Phases, phase: Phase, sheets: Sheets, loose: list[str]) -> None:
    """A further sheet of a power supersedes the one before it, as the book says."""
    before = phases.get(phase, PhaseInputs(phase))
    merged = dict(before.sheets)
    for power, lines in sheets.items():
        merged[power] = (*merged.get(power, ()), lines)
    phases[phase] = replace(before, sheets=merged, loose=(*before.loose, *loose))


def _file(path: Path, name: Path, variant: Variant, phases: Phases) -> None:
    phase, power = _phase_and_power(name, variant)
    if phase is None:
        raise InvalidQuestion("file_name", file=str(name))
    text = read_utf8(path)
    if power is None:
        body = read_game_text(text, variant)
        for chapter in body.phase_texts:
            sheets, loose = chapter.sheets(variant)
            _add(phases, variant, phase, {one: tuple(lines) for one, lines in sheets.items()}, loose)
    else:
        lines = tuple(line.strip() for line in re.split(r"[\n;]", text) if line.strip())
        _add(phases, variant, phase, {power: lines}, [])


def _phase_and_power(name: Path, variant: Variant) -> tuple[Phase | None, str | None]:
    """`S1901M-FRANCE.txt`, `S1901M/FRANCE-2.txt`, `Printemps 1901.txt`."""
    parts = [*name.parent.parts, name.stem]
    if len(parts) > 1:
        return read_phase_heading(parts[-2], variant), _power(parts[-1], variant)
    phase = read_phase_heading(parts[0], variant)
    if phase is not None:
        return phase, None
    head, _, tail = parts[0].replace("_", "-").partition("-")
    return read_phase_heading(head, variant), _power(tail, variant)


def _power(text: str, variant: Variant) -> str | None:
    numbered = _NUMBERED.fullmatch(text)
    return notation.find_power(numbered[1] if numbered else text, variant)
