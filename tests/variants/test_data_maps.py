"""The drawings: a path a province, anchors inside, borders that say what the rules say."""

import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from talleyrand.variant_check import check_variant
from tests.variants.board_files import (
    DRAWN,
    FOLDER,
    ROOT,
    SVG,
    anchors,
    contacts,
    drawing,
    inside,
    outlines,
    table,
)

each_variant = pytest.mark.parametrize("name", DRAWN)


@pytest.mark.long
def test_the_drawings_are_what_their_sources_give() -> None:
    command = [sys.executable, str(ROOT / "maps" / "compile_map.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT / "maps")
    assert done.returncode == 0, done.stderr


GROUND = ["seas", "grid", "water", "shores", "board-shore", "lands"]


@each_variant
def test_one_path_a_province(name: str) -> None:
    provinces = table(name)["provinces"]
    ids = [path.attrib["id"] for path in drawing(name).iter(f"{SVG}path") if path.get("id")]
    assert sorted(ids) == sorted(f"p-{code}" for code in provinces)
    classes = {
        path.attrib["id"]: path.attrib["class"] for path in drawing(name).iter(f"{SVG}path") if path.get("id")
    }
    assert classes == {f"p-{code}": f"province {facts['kind']}" for code, facts in provinces.items()}


@each_variant
def test_groups_in_order(name: str) -> None:
    groups = [group.get("id") for group in drawing(name).findall(f"{SVG}g")]
    assert groups == [*GROUND, "lakes", "borders", "insets", "centres", "labels", "names-fr", "names-en"]


@each_variant
def test_nothing_but_shapes_and_text(name: str) -> None:
    tags = {element.tag.removeprefix(SVG) for element in drawing(name).iter()}
    assert tags == {"svg", "style", "g", "path", "use", "rect", "circle", "text"}
    assert not [
        e for e in drawing(name).iter() if any(key.startswith("on") or key == "style" for key in e.attrib)
    ]


@each_variant
def test_a_label_a_province_and_a_symbol_a_centre(name: str) -> None:
    provinces = table(name)["provinces"]
    labels = {text.attrib["id"]: text.text for text in _group(name, "labels")}
    assert labels == {f"l-{code}": code for code in provinces}
    symbols = {group.get("id") for group in _group(name, "centres")}
    assert symbols == {f"c-{code}" for code, facts in provinces.items() if facts.get("centre")}


def _group(name: str, identity: str) -> ET.Element:
    return next(group for group in drawing(name) if group.get("id") == identity)


@each_variant
def test_every_location_has_its_anchors(name: str) -> None:
    wanted = {}
    for code, facts in table(name)["provinces"].items():
        wanted[code] = {"unit", "label", "retreat"} | ({"centre"} if facts.get("centre") else set())
        wanted |= {f"{code}/{coast}": {"unit", "retreat"} for coast in facts.get("coasts", [])}
    given = {place: set(marks) for place, marks in anchors(name).items()}
    assert {place: marks - {"repeat"} for place, marks in given.items()} == wanted


@each_variant
def test_anchors_lie_in_their_province(name: str) -> None:
    astray = [
        (place, mark)
        for place, marks in anchors(name).items()
        for mark, at in marks.items()
        if not inside(name, place.split("/")[0], at[0], at[1])
    ]
    assert astray == []


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in DRAWN if name != "diplomatie_2000 true"])
def test_units_do_not_cover_centres(name: str) -> None:
    """But for the true world, which is cramped: one plays on the bent one."""
    radius, symbol = 8.0, 3.8
    for place, marks in anchors(name).items():
        centre = anchors(name)[place.split("/")[0]].get("centre")
        if centre:
            (x, y), (unit_x, unit_y) = centre, marks["unit"]
            assert ((x - unit_x) ** 2 + (y - unit_y) ** 2) ** 0.5 >= radius + symbol, place


@pytest.mark.parametrize(
    "name", [name for name in DRAWN if not name.startswith("diplomatie_2000")]
)  # its check is talleyrand check-variant
def test_provinces_touch_exactly_where_the_rules_say(name: str) -> None:
    adjacency = table(name)["adjacency"]
    pairs = [*adjacency["land"], *([a.split("/")[0], b.split("/")[0]] for a, b in adjacency["sea"])]
    over_water = {tuple(row["between"]) for row in table(name).get("crossings", ())}
    assert contacts(name) | over_water == {(min(pair), max(pair)) for pair in pairs}


@each_variant
def test_outlines_stay_in_the_frame(name: str) -> None:
    left, top, width, height = (float(n) * 10 for n in drawing(name).attrib["viewBox"].split())
    points = [point for rings in outlines(name).values() for ring in rings for point in ring]
    assert all(left <= x <= left + width and top <= y <= top + height for x, y in points)


@pytest.mark.parametrize("language", ["fr", "en"])
@each_variant
def test_names_stand_in_their_province_and_clear_of_units(name: str, language: str) -> None:
    provinces, marks = table(name)["provinces"], anchors(name)
    named = [text for text in _group(name, f"names-{language}") if "strand" not in text.attrib["class"]]
    assert len({text.attrib["data-province"] for text in named}) >= 0.75 * len(provinces)
    for text in named:
        code = text.attrib["data-province"]
        xs, ys = (list(map(float, text.attrib[axis].split())) for axis in "xy")
        x, y, size = xs[len(xs) // 2], ys[len(ys) // 2], float(text.attrib["font-size"])
        assert len(xs) in (1, len(text.text or ""))
        assert inside(name, code, x, y - size / 4) or "transform" in text.attrib, code
        unit = marks[code]["unit"]
        assert max(abs(x - unit[0]) / 2, abs(y - size / 4 - unit[1])) > 5, code


def test_the_frames_of_the_classic_sheets() -> None:
    """The wide one has the shape of the room on a desk of 1440 by 900, the tall one that of a phone."""
    found = [drawing(name).get("viewBox") for name in ("classic", "classic tall", "classic true")]
    assert found == ["0 0 1000 696", "0 0 440 564", "0 0 1200 1000"]


def test_what_sandad_removes_is_drawn_as_impassable() -> None:
    extra = len(table("classic")["provinces"]) - len(table("sandad")["provinces"])
    drawn = {
        name: sum(path.get("class") == "impassable" for path in drawing(name).iter())
        for name in ("classic", "sandad")
    }
    assert drawn["sandad"] == drawn["classic"] + extra


CRAMPED = {name: {"label_outside"} for name in DRAWN if name.endswith(" tall")} | {
    "diplomatie_2000 true": {
        "anchor_tight",
        "anchors_close",
        "label_outside",
        "coast_unit_astray",
        "admitted_in_vain",
    }
}


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in DRAWN if " " in name])
def test_the_check_of_a_variant_finds_nothing_in_a_further_shape(name: str, tmp_path: Path) -> None:
    """What `check-variant` measures of the usual map; a code may cross a border on the tall one.

    The true world is cramped elsewhere than the bent one, of which the variant tells; what touches is the
    same.
    """
    variant, _, shape = name.partition(" ")
    folder = shutil.copytree(FOLDER / variant, tmp_path / variant)
    for file in ("map.svg", "anchors.toml"):
        stem, _, ending = file.partition(".")
        shutil.copyfile(folder / f"{stem}-{shape}.{ending}", folder / file)
    found = {finding.key for finding in check_variant(folder).findings}
    assert {key for key in found if key[0] not in CRAMPED.get(name, ())} == set()
