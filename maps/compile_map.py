"""Compile the boards: `maps/<name>/` and the variant's data give its `map.svg` and `anchors.toml`.

A board that is a further shape of its variant's gives `map-<shape>.svg` and `anchors-<shape>.toml`.

python maps/compile_map.py [NAME …]           write them
python maps/compile_map.py --check [NAME …]   say whether they are up to date (status 1 if not)
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Any

from bending import Bend, parted, read_bend
from projection import lines_of, projector
from shapes import Ring, Shape, load, tenths
from svg import Inset, Sheet, drawing
from thinning import thinned

MAPS = Path(__file__).resolve().parent
VARIANTS = MAPS.parent / "src" / "talleyrand" / "variants"
TOLERANCE = 3.5  # tenths of a board unit
MARKS = ("unit", "label", "centre", "retreat")
REPEAT = "repeat"  # where a unit is drawn once more, at the other edge of a map of the whole world


def compiled(name: str) -> dict[str, str]:
    """Give the text of each file of the board `name`: the same bytes for the same sources."""
    shapes, kinds, places, extent = sheet_of(name)
    folder, board = board_of(name)
    (width, height), bend = board["frame"], bend_of(name)
    sheet = Sheet(
        thinned(shapes, board.get("tolerance", TOLERANCE)),
        kinds,
        places,
        (width, height),
        extent,
        around="turn" in board,
        grid=_lines(board, "grid", bend),
        canals=_lines(board, "canals", bend),
        insets=[_inset(row, board["projection"]) for row in board.get("insets", [])],
        lettering=_lettering(folder, kinds),
    )
    mark = f"-{board['shape']}" if "shape" in board else ""
    return {f"map{mark}.svg": drawing(sheet), f"anchors{mark}.toml": _written(places)}


def variant_of(name: str) -> str:
    """The variant that a folder of `maps` is the board of."""
    return str(_toml(MAPS / name / "board.toml").get("variant", name))


def bend_of(name: str) -> Bend | None:
    """How a sheet bends the board that it shows; None for a board of its own."""
    folder, board = board_of(name)
    if "bends" not in board:
        return None
    around, left = "turn" in board, board["bend"].get("left", 0.0)
    return read_bend(folder / "bend.json", *bent_sizes(name), left=left, around=around)


def bent_sizes(name: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Width and height of the board that a sheet bends, and of the sheet: of a world, once around."""
    board = board_of(name)[1]
    base, sheet = (
        (each.get("turn", each["frame"][0]), each.get("extent", each["frame"])[1])
        for each in (board_of(board["bends"])[1], board)
    )
    return base, sheet


def sheet_of(name: str) -> tuple[list[Shape], dict[str, str], dict[str, Any], tuple[int, int]]:
    """The surfaces of a board, the kind of each province in play, the anchors, how far the map reaches."""
    shapes, provinces, extent, board = shapes_of(name)
    places = _anchors(board_of(name)[0] / board["anchors"], provinces)
    return shapes, {code: facts["kind"] for code, facts in provinces.items()}, places, extent


def shapes_of(name: str) -> tuple[list[Shape], dict[str, Any], tuple[int, int], dict[str, Any]]:
    """The surfaces of a board, the provinces in play, how far the map reaches, and its settings."""
    folder, board = board_of(name)
    provinces = dict(sorted(_variant(variant_of(name))["provinces"].items()))
    width, height = board.get("extent", board["frame"])
    kinds = {code: facts["kind"] for code, facts in provinces.items()}
    return load(folder, board, kinds, bend_of(name)), provinces, (width, height), board


def _lines(board: dict[str, Any], what: str, bend: Bend | None) -> list[Ring]:
    """Lines that a board gives in degrees, on the board."""
    found = lines_of(board.get(what, []), board["projection"]) if what in board else []
    if bend:
        found = ([bend.place(*point) for point in parted(line)] for line in found)
    return [[tenths(point) for point in line] for line in found]


def _inset(row: dict[str, Any], projection: dict[str, Any]) -> Inset:
    """A part of the map drawn again, larger: what it shows and where, in board units."""
    place, (west, north, east, south) = projector(projection), row["from"]
    (left, top), (right, bottom) = place(west, north), place(east, south)
    x, y, width = row["at"]
    scale = width / (right - left)
    return Inset(row["title"], (left, top, right - left, bottom - top), (x, y, width, (bottom - top) * scale))


def _lettering(folder: Path, kinds: dict[str, str]) -> dict[str, dict[str, Any]]:
    """The rows of the names of each language, of the provinces in play."""
    path = folder / "lettering.toml"
    tables = _toml(path) if path.exists() else {}
    return {
        language: {code: row for code, row in rows.items() if code.split("/")[0] in kinds}
        for language, rows in tables.items()
    }


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf8"))


def _variant(name: str) -> dict[str, Any]:
    """The variant's own data on top of what it extends, without what it removes."""
    own = _toml(VARIANTS / name / "variant.toml")
    base = _variant(own["extends"]) if "extends" in own else {"provinces": {}}
    removed = own.get("remove", {}).get("provinces", [])
    provinces = base["provinces"] | own.get("provinces", {})
    return {"provinces": {code: facts for code, facts in provinces.items() if code not in removed}}


def board_of(name: str) -> tuple[Path, dict[str, Any]]:
    """The folder that holds the sources of a board, and its settings, on top of those of the one it bends."""
    board = _toml(MAPS / name / "board.toml")
    if "extends" in board:
        return board_of(board["extends"])
    if "bends" not in board:
        return MAPS / name, board
    folder, base = board_of(board["bends"])
    kept = {key: value for key, value in base.items() if key not in ("shape", "extent")}
    return MAPS / name, kept | {"geometry": str(folder / base["geometry"])} | board


def _anchors(path: Path, provinces: dict[str, Any]) -> dict[str, Any]:
    """The anchors of the locations in play; every one needs its marks."""
    if not path.exists():
        raise SystemExit(f"{path}: there is no such file yet, run maps/place_anchors.py {path.parent.name}")
    places = {place: marks for place, marks in _toml(path).items() if place.split("/")[0] in provinces}
    for place, wanted in _wanted(provinces).items():
        missing = [mark for mark in wanted if mark not in places.get(place, {})]
        if missing:
            raise SystemExit(
                f"{path}: {place} lacks {', '.join(missing)}; write them, or run maps/place_anchors.py"
            )
    return places


def _wanted(provinces: dict[str, Any]) -> dict[str, list[str]]:
    wanted = {}
    for code, facts in provinces.items():
        wanted[code] = [mark for mark in MARKS if mark != "centre" or facts.get("centre")]
        wanted |= {f"{code}/{coast}": ["unit", "retreat"] for coast in facts.get("coasts", [])}
    return wanted


def _written(places: dict[str, Any]) -> str:
    lines = ["# Written by maps/compile_map.py from the board's own anchors."]
    for place, marks in sorted(places.items()):
        cells = (
            f"{mark} = [{', '.join(f'{n:g}' for n in marks[mark])}]"
            for mark in (*MARKS, REPEAT)
            if mark in marks
        )
        lines.append(f"{toml_key(place)} = {{ {', '.join(cells)} }}")
    return "\n".join(lines) + "\n"


def toml_key(place: str) -> str:
    """The key of a place's row: quoted where it names a coast."""
    return f'"{place}"' if "/" in place else place


def _names() -> list[str]:
    return sorted(path.parent.name for path in MAPS.glob("*/board.toml"))


def _stale(name: str) -> list[Path]:
    """The files of a board that are not what its sources give."""
    texts = {VARIANTS / variant_of(name) / file: text.encode() for file, text in compiled(name).items()}
    return [path for path, text in texts.items() if not path.exists() or path.read_bytes() != text]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; give the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args(arguments)
    names = options.names or _names()
    if options.check:
        stale = [path for name in names for path in _stale(name)]
        for path in stale:
            print(f"{path}: not up to date, run maps/compile_map.py", file=sys.stderr)
        return 1 if stale else 0
    for name in names:
        for file, text in compiled(name).items():
            (VARIANTS / variant_of(name) / file).write_bytes(text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
