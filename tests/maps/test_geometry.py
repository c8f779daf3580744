"""The geometry of the boards: of the definitions at hand, and every shape and name in its place."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

MAPS = Path(__file__).resolve().parents[2] / "maps"
NAMES = sorted(path.parent.name for path in MAPS.glob("*/definitions.toml"))
each_board = pytest.mark.parametrize("name", NAMES)


def check(maps: Path, *names: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(maps / "geometry" / "build_geometry.py"), "--check", *names]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def definitions(name: str) -> dict[str, Any]:
    return tomllib.loads((MAPS / name / "definitions.toml").read_text("utf-8"))


def provinces(name: str) -> dict[str, Any]:
    folder = MAPS.parent / "src" / "talleyrand" / "variants" / definitions(name)["variant"]
    table: dict[str, Any] = tomllib.loads((folder / "variant.toml").read_text("utf-8"))["provinces"]
    return table


def features(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((MAPS / name / "geometry.geojson").read_text("utf-8"))[
        "features"
    ]
    return found


def test_these_boards_are_made_so() -> None:
    assert NAMES == ["baltic_ice", "classic", "world"]


def test_the_geometry_is_of_the_definitions_at_hand() -> None:
    done = check(MAPS)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("file", ["definitions.toml", "geometry.geojson"])
def test_a_change_of_either_shows(tmp_path: Path, file: str) -> None:
    """Copies of what the check reads; then one of them changes by a blank."""
    for part in ("maps/geometry", "maps/classic", "requirements"):
        ignored = shutil.ignore_patterns("node_modules", "__pycache__")
        shutil.copytree(MAPS.parent / part, tmp_path / part, ignore=ignored)
    maps = tmp_path / "maps"
    assert check(maps, "classic").returncode == 0
    with (maps / "classic" / file).open("a") as changed:
        changed.write(" ")
    done = check(maps, "classic")
    assert done.returncode == 1
    assert "build_geometry.py classic" in done.stderr


@pytest.mark.long
@each_board
def test_a_shape_for_every_province_of_its_kind(name: str) -> None:
    found = {feature["id"]: feature["properties"]["kind"] for feature in features(name)}
    assert {code: kind for code, kind in found.items() if not code.startswith("_")} == {
        code: facts["kind"] for code, facts in provinces(name).items()
    }


@each_board
def test_every_province_is_defined_once(name: str) -> None:
    table = definitions(name)
    seas = {code for code in table["seas"] if not code.startswith("_")}
    assert seas == {code for code, facts in provinces(name).items() if facts["kind"] == "sea"}
    assert set(table["land"]) == set(provinces(name)) - seas
    assert all(owner.startswith("_") for owner in table["out_of_play"])


@each_board
def test_hand_work_says_why(name: str) -> None:
    table = definitions(name)
    rules = [rule for kind in ("islands", "patches", "straits", "swells") for rule in table.get(kind, [])]
    assert rules
    assert all(rule["why"].strip() for rule in rules)


@pytest.mark.long
@each_board
def test_neighbours_share_their_points(name: str) -> None:
    """A piece of line belongs to two surfaces, or to one on the edge of the sheet; none to more."""
    pieces: Counter[tuple[Any, Any]] = Counter()
    for feature in features(name):
        if feature["properties"]["kind"] == "overlay" or feature["id"] in set(
            definitions(name).get("overlays", {}).values()
        ):
            continue
        geometry = feature["geometry"]
        polygons = (
            geometry["coordinates"] if geometry["type"] == "MultiPolygon" else [geometry["coordinates"]]
        )
        for ring in (ring for rings in polygons for ring in rings):
            assert ring[0] == ring[-1]
            for a, b in pairwise(map(tuple, ring)):
                pieces[min(a, b), max(a, b)] += 1
    assert max(pieces.values()) == 2
    assert Counter(pieces.values())[2] > 10 * Counter(pieces.values())[1]
