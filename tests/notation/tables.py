"""The tables of lines: what stands on the board, then one line of a sheet with what it is read as.

== classic S1901M anjou_feu [naming]      a board, a phase, books (with commas, or `any` for all);
                                          `=` repeats the units before
FRANCE: A PAR, F BRE                      its units
FRANCE owns PAR, MAR                      centres
RUSSIA dislodged A STP by NWY: LVN, MOS   a unit that must retreat, and where it may go
FRANCE | A Par - Pic | A PAR - PIC        power (or -), line, order in normal form
FRANCE | A Par - Lon | ! illegal unreachable A PAR - LON    kind and reason of a refusal, and the order
… | ~ read_as, letter_corrected           the notes
… | nearest A PAR - PIC | among X, Y      the order suggested; the candidates
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from talleyrand import rulebooks, variants
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit
from talleyrand.notation import ReadingContext

FOLDER = Path(__file__).parent / "tables"


@dataclass(frozen=True)
class Row:
    """One line of a table."""

    place: str
    context: ReadingContext
    text: str
    order: str
    refusal: tuple[str, str] | None
    notes: tuple[str, ...]
    nearest: str | None
    among: tuple[str, ...] | None


def rows() -> Iterator[Row]:
    """Every row of every table."""
    for path in sorted(FOLDER.glob("*.txt")):
        yield from _rows(path)


def _rows(path: Path) -> Iterator[Row]:
    base = ReadingContext(
        variants.load("classic"), Position(Phase("S", 1901, "M")), None, rulebooks.load("anjou_feu")
    )
    books: tuple[str, ...] = (base.rulebook.name,)
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.startswith("=="):
            books, base = _board(line[2:].split(), base)
        elif "|" in line:
            for book in books:
                place = f"{path.stem}:{number}:{book}"
                yield _row(place, line, replace(base, rulebook=rulebooks.load(book)))
        elif line.strip() and not line.startswith("//"):
            base = replace(base, position=_with(base.position, line))


def _board(words: list[str], before: ReadingContext | None) -> tuple[tuple[str, ...], ReadingContext]:
    name, phase, named, *naming = words
    books = rulebooks.names() if named == "any" else tuple(named.split(","))
    variant = variants.load(name)
    position = Position(Phase.parse(phase))
    if "=" in naming and before:
        position = replace(before.position, phase=Phase.parse(phase))
        naming.remove("=")
    return books, ReadingContext(
        variant, position, None, rulebooks.load(books[0]), naming[0] if naming else None
    )


def _with(position: Position, line: str) -> Position:
    power, _, rest = line.replace(":", " : ", 1).partition(" ")
    verb, _, rest = rest.partition(" ")
    if verb == ":":
        units = tuple(_unit(unit, power) for unit in rest.split(","))
        return replace(position, units=position.units + units)
    if verb == "owns":
        owned = tuple(code.strip() for code in rest.split(","))
        return replace(position, centres={**(position.centres or {}), power: owned})
    unit, _, where = rest.partition(" by ")
    by, _, places = where.partition(" : ")
    retreats = tuple(place.strip() for place in places.split(",") if place.strip())
    fallen = DislodgedUnit(_unit(unit, power), by.strip(), retreats=retreats)
    return replace(position, dislodged=(*position.dislodged, fallen))


def _unit(text: str, power: str) -> Unit:
    kind, location = text.split()
    return Unit(kind, location, power)


def _row(place: str, line: str, base: ReadingContext) -> Row:
    power, text, wanted, *extras = [part.strip() for part in line.split(" | ")]
    context = replace(base, power=None if power == "-" else power)
    refusal, order = None, wanted
    if wanted.startswith("!"):
        kind, reason, *words = wanted[1:].split()
        refusal, order = (kind, reason), " ".join(words)
    return Row(
        place,
        context,
        text.strip("`"),
        order,
        refusal,
        tuple(sorted(_extra(extras, "~"))),
        (_extra(extras, "nearest") or (None,))[0],
        _extra(extras, "among") or None,
    )


def _extra(extras: list[str], mark: str) -> tuple[str, ...]:
    for extra in extras:
        if extra.startswith(mark):
            return tuple(part.strip() for part in extra.removeprefix(mark).split(","))
    return ()
