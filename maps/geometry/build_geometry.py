"""Make the geometry of the boards from open geodata: `maps/<name>/definitions.toml` gives `geometry.geojson`.

python maps/geometry/build_geometry.py [NAME …]           make them (maps/README.md: what must be installed)
python maps/geometry/build_geometry.py --check [NAME …]   say whether they are of the definitions at hand
                                                          (status 1 if not); needs Python alone
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Any

from stamp import carries, stamped

HERE = Path(__file__).resolve().parent
MAPS = HERE.parent
VARIANTS = MAPS.parent / "src" / "talleyrand" / "variants"


def main(arguments: list[str] | None = None) -> int:
    """Run the command; give the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true", help="compare instead of making")
    parser.add_argument(
        "--packages", type=Path, default=HERE / "node_modules", help="where npm put the geodata"
    )
    options = parser.parse_args(arguments)
    names = options.names or sorted(path.parent.name for path in MAPS.glob("*/definitions.toml"))
    if not options.check:
        return _make_all(names, options.packages)
    stale = [name for name in names if not carries(_geometry(name), _sources(name))]
    for name in stale:
        print(f"{_geometry(name)}: not of these definitions, run build_geometry.py {name}", file=sys.stderr)
    return 1 if stale else 0


def _geometry(name: str) -> Path:
    return MAPS / name / "geometry.geojson"


def _sources(name: str) -> list[Path]:
    """What a geometry is made from: its definitions, and the locks of packages and libraries."""
    locks = HERE / "package-lock.json", MAPS.parent / "requirements" / "maps.txt"
    return [MAPS / name / "definitions.toml", *locks]


def _make_all(names: list[str], packages: Path) -> int:
    """Make each geometry; what the definitions get wrong is a sentence."""
    for name in names:
        try:
            text = _made(name, packages)
        except (FileNotFoundError, ValueError) as fault:
            print(f"{name}: {fault}", file=sys.stderr)
            return 1
        _geometry(name).write_text(stamped(text, _sources(name)), "utf-8")
    return 0


def _made(name: str, packages: Path) -> str:
    from making import made
    from writing import geojson

    definitions = _toml(MAPS / name / "definitions.toml")
    folder = VARIANTS / definitions["variant"]
    provinces = _toml(folder / "variant.toml")["provinces"]
    kinds = {code: facts["kind"] for code, facts in provinces.items()}
    names = _toml(folder / "names.en.toml")["provinces"]
    flat, shapes = made(definitions, packages)
    missing = sorted(set(kinds) - set(shapes))
    if missing:
        raise ValueError(f"no surface for {', '.join(missing)}")
    return geojson(shapes, kinds, {code: entry["name"] for code, entry in names.items()}, definitions, flat)


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
