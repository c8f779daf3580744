"""A check finds nothing in the variants at hand, and every single fault put into one."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from talleyrand.variant_check import VariantFinding, check_variant, finding_sentence
from talleyrand.variant_check.findings import CATALOGUE
from talleyrand.variants import LANGUAGES, full_table, playable_names, variant_folder

ROOT = Path(__file__).resolve().parents[2]
FILES = ("variant.toml", "names.fr.toml", "names.en.toml", "anchors.toml", "map.svg")


@pytest.fixture
def trio(tmp_path: Path) -> Path:
    """A copy of the smallest variant, to spoil."""
    folder = tmp_path / "trio"
    folder.mkdir()
    for file in FILES:
        shutil.copy(str(variant_folder("trio") / file), folder / file)
    return folder


def spoil(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")


def found(folder: Path) -> set[tuple[str, tuple[str, ...]]]:
    return {finding.key for finding in check_variant(folder).findings}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", playable_names())
def test_nothing_is_amiss_in_the_variants_that_can_be_played(name: str) -> None:
    """But for what the page of a board drawn from the world admits."""
    done = check_variant(variant_folder(name))
    admitted = () if name == "diplomatie_2000" else done.admitted
    assert [finding_sentence(finding, "en") for finding in (*done.findings, *admitted)] == []
    assert done.measures["borders"]


def test_the_copy_is_as_sound_as_the_original(trio: Path) -> None:
    assert found(trio) == set()


SLIPS = [
    ("variant.toml", '["FRO", "PEA"],', "", ("border_extra", ("FRO", "PEA"))),
    (
        "variant.toml",
        '["BEA", "FRO"], ["BEA", "PEA"]',
        '["BEA", "FRO"], ["BEA", "HEA"], ["BEA", "PEA"]',
        ("border_missing", ("BEA", "HEA")),
    ),
    (
        "variant.toml",
        '["BEA", "FRO"], ["BEA", "MOR"]',
        '["BEA", "MOR"]',
        ("fleet_border_extra", ("BEA", "FRO")),
    ),
    ("variant.toml", '["FRO", "NEE/EC"]', '["FRO", "NEE/WC"]', ("fleet_border_missing", ("FRO", "NEE/WC"))),
    ("variant.toml", '["FRO", "NEE/EC"]', '["FRO", "NEE"]', ("pair_unknown", ("FRO", "NEE"))),
    (
        "variant.toml",
        '["BEA", "FRO"], ["BEA", "PEA"]',
        '["BEA", "FRO"], ["FRO", "BEA"], ["BEA", "PEA"]',
        ("pair_twice", ("BEA", "FRO")),
    ),
    ("variant.toml", '["PEA", "SAF"]', '["PEA", "SAF", "SAF"]', ("pair_shape", ("adjacency.land",))),
    ("variant.toml", "number = 2 }", "number = 1 }", ("number_twice", ("BEA", "EVE"))),
    ("variant.toml", 'kind = "inland"', 'kind = "swamp"', ("kind_unknown", ("PEA",))),
    (
        "variant.toml",
        'kind = "inland", number',
        "number",
        ("key_missing", ("variant.toml", "provinces.PEA.kind")),
    ),
    (
        "variant.toml",
        'homes = ["FRO", "NEE"]',
        'homes = ["FRO", "MOR"]',
        ("home_no_centre", ("BOREA", "MOR")),
    ),
    ("variant.toml", 'homes = ["FRO", "NEE"]', 'homes = ["FRO", "XXX"]', ("home_unknown", ("BOREA", "XXX"))),
    (
        "variant.toml",
        'homes = ["FRO", "NEE"]',
        'homes = ["FRO", "BEA"]',
        ("home_twice", ("BOREA", "SOLANA", "BEA")),
    ),
    (
        "variant.toml",
        'homes = ["FRO", "NEE"]',
        'homes = "FRO"',
        ("key_kind", ("variant.toml", "powers.BOREA.homes")),
    ),
    ("variant.toml", "[units]", '[regions]\nnorth = ["XXX"]\n[units]', ("region_unknown", ("north", "XXX"))),
    ("variant.toml", "units = []", 'units = ["F NEE"]', ("unit_astray", ("BOREA", "F NEE"))),
    ("variant.toml", "units = []", 'units = ["A MOR"]', ("unit_astray", ("BOREA", "A MOR"))),
    ("variant.toml", "units = []", 'units = ["Z FRO"]', ("unit_unknown", ("BOREA", "Z FRO"))),
    ("variant.toml", "units = []", 'units = ["F NEE/EC", "A NEE"]', ("unit_twice", ("F NEE/EC", "A NEE"))),
    (
        "variant.toml",
        "units = []",
        'units = ["F NEE/EC", "F NEE/EC"]',
        ("unit_twice", ("F NEE/EC", "F NEE/EC")),
    ),
    ("variant.toml", "PEA = { ", '"P/A" = { ', ("code_shape", ("provinces", "P/A"))),
    ("variant.toml", "[units]", "[units]\nB = {}", ("key_missing", ("variant.toml", "units.B.mobility"))),
    (
        "names.fr.toml",
        'PEA = ["Cim"]',
        'PEA = "Cim"',
        ("key_kind", ("names.fr.toml", "abbreviations.trio_fr.PEA")),
    ),
    ("variant.toml", '"#4480f7"', '"blue"', ("colour_unknown", ("BOREA",))),
    ("variant.toml", '"#4480f7"', '"#DED02D"', ("colour_twice", ("BOREA", "SOLANA"))),
    ("variant.toml", 'first = "Y1M"', 'first = "S1M"', ("first_phase", ("variant.toml", "S1M"))),
    ("variant.toml", '"YM", "YR"', '"YM", "YM"', ("phase_twice", ("variant.toml",))),
    ("variant.toml", 'opening = ["YD"]', 'opening = ["summer"]', ("phase_shape", ("variant.toml", "summer"))),
    (
        "variant.toml",
        'capture_after = ["Y"]',
        'capture_after = ["F"]',
        ("season_unknown", ("calendar.capture_after", "F")),
    ),
    ("variant.toml", "Y = { fr", "X = { fr", ("season_nameless", ("variant.toml", "Y"))),
    ("variant.toml", "majority = true", "centres = 40", ("victory_centres", ("variant.toml",))),
    ("variant.toml", 'mobility = "any"', 'mobility = "fly"', ("mobility_unknown", ("P",))),
    ("variant.toml", 'fr = "Trio"', 'fr = ""', ("title_missing", ("variant.toml", "fr"))),
    ("variant.toml", 'fr = "trio_fr"', 'fr = "other"', ("abbreviations_missing", ("names.fr.toml", "other"))),
    (
        "names.en.toml",
        'FRO = { name = "Frost"',
        'FRO = { name = " "',
        ("name_missing", ("provinces.FRO", "en")),
    ),
    ("names.fr.toml", 'name = "Cime"', 'name = "PHARE"', ("name_twice", ("BEA", "PEA", "fr"))),
    ("names.fr.toml", 'PEA = ["Cim"]', "", ("abbreviation_missing", ("PEA", "trio_fr"))),
    ("names.en.toml", 'P = { name = "patrol"', 'Q = { name = "patrol"', ("name_missing", ("units.P", "en"))),
    (
        "anchors.toml",
        "PEA = { unit = [205, 178]",
        "PEA = { unit = [20, 178]",
        ("anchor_outside", ("PEA", "unit")),
    ),
    ("anchors.toml", "unit = [205, 178]", "unit = [216, 163]", ("anchor_tight", ("PEA", "unit"))),
    ("anchors.toml", "label = [205, 195, 11.5]", "label = [205, 195, 80]", ("label_outside", ("PEA",))),
    ("anchors.toml", "centre = [217, 162]", "centre = [205, 172]", ("anchors_close", ("PEA", "centre"))),
    ("anchors.toml", "retreat = [202, 192]", "retreat = [207, 178]", ("retreat_close", ("PEA",))),
    ("anchors.toml", "retreat = [202, 192]", 'retreat = "beside"', ("anchor_missing", ("PEA",))),
    ("anchors.toml", "unit = [259, 70]", "unit = [175, 91]", ("coast_unit_astray", ("NEE/EC", "NEE/WC"))),
    ("map.svg", 'id="p-PEA"', 'id="p-OTHER"', ("shape_unknown", ("OTHER",))),
    ("map.svg", 'id="p-PEA"', 'id="p-OTHER"', ("shape_missing", ("PEA",))),
    ("map.svg", 'id="p-PEA"', 'id="p-FRO"', ("svg_twice", ("FRO",))),
    ("map.svg", 'id="p-PEA"', 'transform="scale(2)" id="p-PEA"', ("svg_moved", ("PEA",))),
    ("map.svg", 'id="p-PEA"', 'onclick="x()" id="p-PEA"', ("svg_alive", ())),
    ("map.svg", 'id="p-PEA"', 'style="transform:scale(2)" id="p-PEA"', ("svg_moved", ("PEA",))),
    ("map.svg", 'id="p-PEA"', 'fill="url(https://example.org/x)" id="p-PEA"', ("svg_alive", ())),
    ("map.svg", 'id="p-PEA"', 'style="fill: u\\72l(x)" id="p-PEA"', ("svg_alive", ())),
    ("map.svg", "</svg>", '<style><g/>@import "x";</style></svg>', ("svg_alive", ())),
    ("map.svg", "<svg", '<?xml-stylesheet href="https://example.org/x.css"?><svg', ("svg_alive", ())),
    ("map.svg", "</svg>", "<script>x()</script></svg>", ("svg_alive", ())),
    ("map.svg", "</svg>", '<image href="https://example.org/x.png"/></svg>', ("svg_alive", ())),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("file", "old", "new", "fault"), SLIPS)
def test_each_slip_is_found(
    trio: Path, file: str, old: str, new: str, fault: tuple[str, tuple[str, ...]]
) -> None:
    spoil(trio, file, old, new)
    assert fault in found(trio)


def test_a_slip_in_one_border_is_one_finding(trio: Path) -> None:
    """The check does not drown one fault in others."""
    spoil(trio, "variant.toml", '["FRO", "PEA"],', "")
    assert found(trio) == {("border_extra", ("FRO", "PEA"))}


def outline(folder: Path, code: str, change: Callable[[str], str]) -> None:
    text = (folder / "map.svg").read_text("utf-8")
    path = re.search(rf'(<path id="p-{code}"[^>]* d=")([^"]*)', text)
    assert path
    (folder / "map.svg").write_text(text.replace(path[0], path[1] + change(path[2]), 1), "utf-8")


SQUARE = "M300 260h120v120h-120z"


def test_a_province_drawn_over_its_neighbours_is_an_overlap(trio: Path) -> None:
    outline(trio, "PEA", lambda _: SQUARE)
    assert any(code == "overlap" and "PEA" in about for code, about in found(trio))


def test_a_province_drawn_too_small_leaves_a_gap(trio: Path) -> None:
    outline(trio, "PEA", lambda _: "M340 300h40v40h-40z")
    faults = found(trio)
    assert ("border_missing", ("FRO", "PEA")) in faults
    assert any(code == "gap" for code, _ in faults)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "data",
    [
        "M300,260 L420,260 420,380 300,380 Z",
        "M300 260H420V380H300Z",
        "m300 260 h120 v120 h-120 z",
        "M300 260C340 260 380 260 420 260Q420 320 420 380L300 380z",
    ],
)
def test_one_outline_in_several_spellings(trio: Path, data: str) -> None:
    outline(trio, "PEA", lambda _: SQUARE)
    expected = found(trio)
    outline(trio, "PEA", lambda _: data)
    assert found(trio) == expected


HEAD = '<?xml version="1.0" encoding="{}"?>'
ENTITY = '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg viewBox="0 0 9 9">&a;</svg>'
DRAWN = '<svg viewBox="0 0 9 9"><path id="p-PEA" d="{}"/></svg>'


def repr_of_beginning(value: bytes | str) -> str:
    return repr(value[:24])


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "svg_syntax"),
        (b"<svg", "svg_syntax"),
        (b"<html/>", "svg_root"),
        (b"\xff\xfe\x00", "svg_syntax"),
        (b"<svg/>", "svg_box"),
        (b'<svg viewBox="0 0 0 10"/>', "svg_box"),
        (b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg viewBox="0 0 9 9">&a;</svg>', "svg_doctype"),
        (b'<svg viewBox="0 0 9 9"><path id="p-PEA" d="M0 0 x 3"/></svg>', "svg_path"),
        (b'<svg viewBox="0 0 9 9"><path id="p-PEA" d="M0 0 L 3"/></svg>', "svg_path"),
        (b'<svg viewBox="0 0 9 9"><path id="p-PEA" d="M0 0 L 1e99 3"/></svg>', "svg_path"),
        (b'<svg viewBox="0 0 9 9"><path id="p-PEA" d="3 4 5"/></svg>', "svg_path"),
        (b'<svg viewBox="0 0 1e400 9"/>', "svg_box"),
        (f"{HEAD.format('utf-16')}{ENTITY}".encode("utf-16"), "svg_doctype"),
        (HEAD.format("cp037").encode() + ENTITY.encode("cp037"), "svg_syntax"),
        (DRAWN.format("M0 0" + "h90000h-90000" * 6).encode(), "svg_long"),
        (DRAWN.format("M0 0" + "l1 1-1-1" * 4000).encode(), "svg_crowded"),
        (DRAWN.format("M0 0" + "l1 1-1-1" * 100_001).encode(), "svg_points"),
        (b" " * 5_000_001, "svg_too_long"),
    ],
    ids=repr_of_beginning,
)
def test_absurd_drawings_are_a_finding(trio: Path, data: bytes, code: str) -> None:
    (trio / "map.svg").write_bytes(data)
    assert code in {code for code, _ in found(trio)}


@pytest.mark.parametrize("file", FILES)
def test_each_missing_file_is_named(trio: Path, file: str) -> None:
    (trio / file).unlink()
    assert ("file_missing", (file,)) in found(trio)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("file", [file for file in FILES if file.endswith("toml")])
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"a = [", "file_not_toml"),
        (b"a = 1\na = 2", "file_not_toml"),
        (b"# \xe9\n", "file_not_utf8"),
        (b"[" * 3000, "file_not_toml"),
        (b"a = " + b"1" * 5000, "file_beyond"),
        (b"a = 0x" + b"f" * 5000, "file_beyond"),
        (b"a" + b".a" * 20_000 + b" = 1", "file_beyond"),
        (b"#" * 2_000_001, "file_too_long"),
    ],
)
def test_each_broken_table_is_named(trio: Path, file: str, data: bytes, code: str) -> None:
    (trio / file).write_bytes(data)
    assert (code, (file,)) in found(trio)


@pytest.mark.parametrize("file", FILES)
def test_what_is_no_file_is_not_waited_for(trio: Path, file: str) -> None:
    (trio / file).unlink()
    os.mkfifo(trio / file)
    assert ("file_missing", (file,)) in found(trio)


def test_a_folder_is_called_by_its_name_from_within(trio: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(trio)
    assert check_variant(Path()).name == "trio"


def test_the_words_of_a_stranger_do_not_move_a_terminal() -> None:
    assert "\x1b" not in finding_sentence(VariantFinding("unit_unknown", ("BOREA", "\x1b[2J")), "en")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "name = 3",
        "provinces = 3\npowers = []\ncalendar = 'x'",
        "[provinces]\nA = 1\n[adjacency]\nland = 3",
        'extends = "nothing"',
        "extends = 3",
        'extends = "classic"\nremove = 3',
        'extends = "classic"\n[remove]\nprovinces = ["XXX"]',
    ],
)
def test_tables_of_the_wrong_shape_raise_nothing(trio: Path, text: str) -> None:
    (trio / "variant.toml").write_text(text, "utf-8")
    assert text == "" or found(trio)


def test_a_declared_crossing_excuses_a_border_that_is_not_drawn(trio: Path) -> None:
    spoil(
        trio,
        "variant.toml",
        '["BEA", "FRO"], ["BEA", "PEA"]',
        '["BEA", "FRO"], ["BEA", "HEA"], ["BEA", "PEA"]',
    )
    with (trio / "variant.toml").open("a") as file:
        file.write('\n[[crossings]]\nbetween = ["HEA", "BEA"]\nwhy = { fr = "un bac", en = "a ferry" }\n')
    assert found(trio) == set()


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('between = ["BEA", "FRO"]\nwhy = { fr = "a", en = "b" }', ("crossing_needless", ("BEA", "FRO"))),
        ('between = ["BEA", "HEA"]\nwhy = { fr = "a", en = "b" }', ("crossing_unknown", ("BEA", "HEA"))),
        ('between = ["BEA", "FRO"]', ("exception_shape", ("variant.toml", "crossings"))),
        (
            'between = ["BEA"]\nwhy = { fr = "a", en = "b" }',
            ("exception_shape", ("variant.toml", "crossings")),
        ),
    ],
)
def test_a_crossing_is_needed_and_says_why(
    trio: Path, entry: str, fault: tuple[str, tuple[str, ...]]
) -> None:
    with (trio / "variant.toml").open("a") as file:
        file.write(f"\n[[crossings]]\n{entry}\n")
    assert fault in found(trio)


def test_what_a_variant_admits_is_no_finding_and_nothing_is_admitted_in_vain(trio: Path) -> None:
    spoil(trio, "anchors.toml", "unit = [205, 178]", "unit = [216, 163]")
    faults = found(trio)
    with (trio / "variant.toml").open("a") as file:
        for code, about in [*faults, ("border_short", ("BEA", "FRO"))]:
            entry = f'finding = "{code}"\nabout = {list(about)!r}\nwhy = {{ fr = "a", en = "b" }}'
            file.write(f"\n[[admitted]]\n{entry}\n")
    done = check_variant(trio)
    assert {finding.key for finding in done.admitted} == faults
    assert [finding.key for finding in done.findings] == [
        ("admitted_in_vain", ("border_short", "BEA", "FRO"))
    ]


def test_every_finding_has_a_sentence_in_both_languages() -> None:
    source = "".join(
        path.read_text("utf-8")
        for path in Path(str(check_variant.__globals__["__file__"])).parent.glob("*.py")
    )
    codes = set(re.findall(r'Finding\(\s*"(\w+)"', source)) | {"border_extra", "border_corner"}
    assert len(codes) > 50
    for language in LANGUAGES:
        assert all(CATALOGUE.pattern(language, code) for code in codes)
        assert "BEA" in finding_sentence(VariantFinding("border_missing", ("BEA", "HEA")), language)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_world_has_only_the_exceptions_that_its_page_lists(language: str) -> None:
    done = check_variant(variant_folder("diplomatie_2000"))
    assert [finding_sentence(finding, "en") for finding in done.findings] == []
    page = (ROOT / "docs" / language / "variants" / "diplomatie_2000.md").read_text("utf-8")
    listed = set(re.findall(r"`([A-Z]{3})`", page[page.index("`check-variant` adm") :]))
    table = full_table("diplomatie_2000")
    excused = {
        code for kind in ("crossings", "barriers") for entry in table[kind] for code in entry["between"]
    }
    # a short border has two ends; what else crosses or lies astray is told by its own code
    told = {
        code for one in done.admitted for code in (one.about if one.code == "border_short" else one.about[:1])
    }
    assert {code.partition("/")[0] for code in told} | excused == listed
