"""Themes, palettes and patterns: readable, told apart by every eye, the same in a page and in a file."""

import re
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import pytest

from talleyrand import drawing
from talleyrand.drawing.base_map import HATCHES
from talleyrand.engine.errors import UnknownName
from tests.drawing.colours import EYES, contrast, difference, mixed
from tests.drawing.pictures import CLASSIC, classed, layer, parsed

START = CLASSIC.definition.start
THEMES = drawing.themes()
PALETTES = {name: found or list(CLASSIC.colours.values()) for name, found in drawing.palettes().items()}
POWERS, LEAST, ON_GROUND = 7, 11.0, 6.0  # differences of CIEDE2000; 2.3 can just be noticed
TINTS, SHORES = 6.5, 8.0  # of the lands that two powers own; of land and sea
TEXT, LARGE = 4.5, 3.0  # contrasts that WCAG asks for
STATIC = Path(drawing.__file__).parents[1] / "web" / "static" / "css" / "looks.css"

each_theme = pytest.mark.parametrize("theme", THEMES)
each_palette = pytest.mark.parametrize("palette", PALETTES)
each_eye = pytest.mark.parametrize("eye", EYES)


def test_the_formula_is_the_published_one() -> None:
    # Rows of the test data of Sharma, Wu and Dalal 2005 cannot be met in sRGB: these were computed from it.
    assert difference("#ffffff", "#000000") == pytest.approx(100, abs=0.01)
    assert difference("#808080", "#808080") == 0
    assert difference("#ff0000", "#00ff00") == pytest.approx(86.61, abs=0.05)
    assert difference("#ff0000", "#00ff00", "deuteranopia") < 40


@each_palette
@each_eye
def test_no_two_powers_look_alike(palette: str, eye: str) -> None:
    found = {pair: difference(*pair, eye) for pair in combinations(PALETTES[palette], 2)}
    assert len(PALETTES[palette]) == POWERS
    assert {pair: apart for pair, apart in found.items() if apart < LEAST} == {}


@each_palette
@each_eye
@each_theme
def test_units_stand_out_from_the_ground(theme: str, palette: str, eye: str) -> None:
    values = THEMES[theme]
    grounds = [values["sea"], values["land"]]
    found = {(c, g): difference(c, g, eye) for c in PALETTES[palette] for g in grounds}
    edges = {ground: contrast(values["edge"], ground) for ground in grounds}
    faint = {pair for pair, apart in found.items() if apart < ON_GROUND and edges[pair[1]] < LARGE}
    assert faint == set()


@each_palette
@each_eye
@each_theme
def test_what_powers_own_stands_out_from_land_and_sea_and_from_what_others_own(
    theme: str, palette: str, eye: str
) -> None:
    """Grey Germany's too, and pink England's from lilac Russia's."""
    values = THEMES[theme]
    tints = [mixed(one, values["land"], float(values["owner-strength"])) for one in PALETTES[palette]]
    grounds = {(one, values[on]): ON_GROUND for one in tints for on in ("land", "sea")}
    least = grounds | dict.fromkeys(combinations(tints, 2), TINTS)
    assert {
        pair: difference(*pair, eye) for pair, bound in least.items() if difference(*pair, eye) < bound
    } == {}


@each_eye
@each_theme
def test_land_and_sea_are_told_apart(theme: str, eye: str) -> None:
    assert difference(THEMES[theme]["sea"], THEMES[theme]["land"], eye) >= SHORES


@each_theme
class TestThemes:
    def test_names_can_be_read_on_lands_and_seas(self, theme: str) -> None:
        values = THEMES[theme]
        pairs = [("ink", "land"), ("ink", "impassable"), ("sea-ink", "sea"), ("ink", "band")]
        assert {
            pair: contrast(*(values[name] for name in pair)) for pair in pairs if _dim(values, pair)
        } == {}

    @each_palette
    def test_names_can_be_read_on_what_powers_own(self, theme: str, palette: str) -> None:
        values = THEMES[theme]
        strength = float(values["owner-strength"])
        tints = [mixed(colour, values["land"], strength) for colour in PALETTES[palette]]
        assert {tint for tint in tints if contrast(values["ink"], tint) < TEXT} == set()

    @each_palette
    def test_signs_can_be_read_on_units(self, theme: str, palette: str) -> None:
        ink = THEMES[theme]["unit-ink"]
        assert {c: contrast(ink, c) for c in PALETTES[palette] if contrast(ink, c) < TEXT} == {}

    def test_coasts_and_marks_can_be_seen(self, theme: str) -> None:
        values = THEMES[theme]
        assert max(contrast(values["coast"], values[ground]) for ground in ("sea", "land")) >= LARGE
        assert contrast(values["plain-ink"], values["plain"]) >= TEXT
        assert contrast(values["alarm"], values["plain"]) >= TEXT
        assert contrast(values["centre-ink"], values["centre"]) >= TEXT

    def test_says_the_same_things_as_the_others(self, theme: str) -> None:
        assert THEMES[theme].keys() == THEMES["paper"].keys()


def _dim(values: Mapping[str, str], pair: tuple[str, str]) -> bool:
    return contrast(values[pair[0]], values[pair[1]]) < TEXT


class TestKept:
    def test_nothing_is_left_open(self) -> None:
        for theme in THEMES:
            svg = drawing.standalone_svg(drawing.draw_board(CLASSIC, START), drawing.MapStyle(theme))
            assert "var(" not in svg.replace("--board", "")
            assert THEMES[theme]["sea"] in svg

    def test_the_letters_come_along(self) -> None:
        assert (
            drawing.standalone_svg(drawing.draw_board(CLASSIC, START)).count("data:font/woff2;base64,") == 3
        )

    def test_a_palette_colours_the_powers_by_their_rank(self) -> None:
        kept = drawing.apply_style(drawing.draw_board(CLASSIC, START), drawing.MapStyle(palette="strong"))
        units = layer(parsed(kept), "units")
        drawn = {node.get("data-power"): classed(node, "body")[0].get("fill") for node in units}
        assert drawn == dict(zip(CLASSIC.board.powers, drawing.palettes()["strong"], strict=True))

    def test_patterns_and_codes_are_chosen_by_attributes(self) -> None:
        look = drawing.MapStyle(patterns=True, names=False)
        root = parsed(drawing.apply_style(drawing.draw_board(CLASSIC, START), look))
        assert (root.get("data-patterns"), root.get("data-names")) == ("on", "off")

    @pytest.mark.parametrize("look", [drawing.MapStyle("sepia"), drawing.MapStyle(palette="neon")])
    def test_refuses_what_does_not_exist(self, look: drawing.MapStyle) -> None:
        with pytest.raises(UnknownName) as refused:
            drawing.standalone_svg(drawing.draw_board(CLASSIC, START), look)
        assert refused.value.code in ("unknown_theme", "unknown_palette")


def test_each_power_has_a_hatching_of_its_own() -> None:
    root = parsed(drawing.draw_board(CLASSIC, START))
    known = {node.get("id"): classed(node, "thread")[0].get("d") for node in root.iter("pattern")}
    used = {node.get("data-power"): classed(node, "hatch")[0].get("fill") for node in layer(root, "owners")}
    assert len(set(known.values())) == len(set(used.values())) == POWERS <= len(HATCHES)
    assert {fill for fill in used.values() if fill} == {f"url(#{name})" for name in known}


def test_every_variable_of_a_drawing_has_a_value() -> None:
    drawn = drawing.draw_board(CLASSIC, START)
    used = set(re.findall(r"var\(--board-([a-z-]+)\)", drawn))
    assert used
    assert used <= THEMES["paper"].keys()


def test_the_sheet_of_the_site_is_the_one_of_the_looks() -> None:
    assert STATIC.read_text("utf-8") == drawing.theme_stylesheet("../fonts/")


@pytest.mark.parametrize("sheet", ["looks.css", "site.css", "board.css"])
def test_a_dark_device_has_the_night_until_a_theme_is_chosen(sheet: str) -> None:
    rules = re.findall(
        r'\[data-theme="(night|system)"\] \{([^}]*)\}', STATIC.with_name(sheet).read_text("utf-8")
    )
    found = dict(rules)
    assert len(rules) == len(found) == 2
    assert found["system"].split() == found["night"].split()
