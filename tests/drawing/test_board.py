"""The board: layers, names, labels, owners, heading, the same bytes each time."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from talleyrand import drawing, variants
from talleyrand.engine.errors import InvalidPosition, UnknownName
from talleyrand.engine.position import Phase, Unit
from tests.drawing.pictures import CLASSIC, LAYERS, TRIO, classed, layer, parsed, titles, verdicts

START = CLASSIC.definition.start
NAMES = [(name, language) for name in variants.playable_names() for language in ("fr", "en")]


@pytest.mark.parametrize(("name", "language"), NAMES)
class TestEveryVariant:
    def test_layers_come_in_their_order(self, name: str, language: str) -> None:
        variant = variants.load(name)
        root = parsed(drawing.draw_board(variant, variant.definition.start, language=language))
        found = [node.get("id") for node in root if (node.get("id") or "").startswith("layer-")]
        assert found == [f"layer-{each}" for each in (*LAYERS, "heading", "legend")]

    def test_each_province_is_drawn_once_with_its_name(self, name: str, language: str) -> None:
        variant = variants.load(name)
        ground = layer(parsed(drawing.draw_empty_board(variant, language)), "map")
        drawn = {node.get("data-province"): node.findtext("title") for node in classed(ground, "province")}
        known = variant.names(language).provinces
        assert drawn == {code: known[code].name for code in variant.board.provinces}
        assert len(classed(ground, "province")) == len(drawn)

    def test_labels_are_the_abbreviations_of_the_language(self, name: str, language: str) -> None:
        variant = variants.load(name)
        labels = layer(parsed(drawing.draw_empty_board(variant, language)), "labels")
        short = variant.names(language).abbreviations[variant.naming[language]]
        shown = {node.get("data-province"): node.text for node in classed(labels, "label")}
        assert shown == {code: short[code][0] for code in variant.board.provinces}

    @pytest.mark.one_in(3)
    def test_the_legend_counts_centres(self, name: str, language: str) -> None:
        variant = variants.load(name)
        legend = layer(
            parsed(drawing.draw_board(variant, variant.definition.start, language=language)), "legend"
        )
        centres = variant.definition.start.centres or {}
        for power, known in variant.names(language).powers.items():
            if power in variant.board.homes:
                wanted = f"{known.name} {len(centres[power])}"
                assert wanted in [node.text for node in classed(legend, "said")]


class TestBase:
    def test_the_changing_layers_are_there_and_empty(self) -> None:
        root = parsed(drawing.draw_empty_board(CLASSIC))
        assert [len(layer(root, name)) for name in ("owners", "orders", "units", "marks")] == [0, 0, 0, 0]

    def test_the_frame_is_the_one_of_the_map(self) -> None:
        assert parsed(drawing.draw_empty_board(CLASSIC)).get("viewBox") == "0 0 1000 696"

    def test_labels_can_be_left_out(self) -> None:
        assert len(layer(parsed(drawing.draw_empty_board(CLASSIC, labels=False)), "labels")) == 0
        assert len(classed(parsed(drawing.draw_empty_board(CLASSIC)), "label")) == 75


def test_single_layers_are_those_of_the_whole() -> None:
    whole = drawing.draw_board(CLASSIC, START, caption=False)
    layers = drawing.draw_layers(CLASSIC, START)
    for part in (layers.owners, layers.orders, layers.units, layers.marks):
        assert part in whole


class TestOwners:
    def test_a_province_takes_the_colour_of_its_owner(self) -> None:
        owners = layer(parsed(drawing.draw_board(CLASSIC, START)), "owners")
        drawn = {node.get("data-province"): (node.get("data-power"), node[1].get("fill")) for node in owners}
        assert len(owners) == 22
        assert drawn["PAR"] == ("FRANCE", f"var(--board-power-3, {CLASSIC.colours['FRANCE']})")

    def test_the_tint_has_the_outline_of_the_province(self) -> None:
        root = parsed(drawing.draw_board(CLASSIC, START))
        (tint,) = (node for node in layer(root, "owners") if node.get("data-province") == "PAR")
        (ground,) = (node for node in layer(root, "map").iter("path") if node.get("id") == "p-PAR")
        assert {node.get("d") for node in tint.iter("path")} == {ground.get("d")}

    def test_the_title_names_the_owner(self) -> None:
        assert "Paris\N{NO-BREAK SPACE}: centre (France)" in titles(
            parsed(drawing.draw_layers(CLASSIC, START).owners)
        )
        assert "Paris: centre of France" in titles(
            parsed(drawing.draw_layers(CLASSIC, START, language="en").owners)
        )

    def test_nothing_is_tinted_where_ownership_is_unknown_or_not_wanted(self) -> None:
        unknown = drawing.draw_board(CLASSIC, replace(START, centres=None))
        unwanted = drawing.draw_board(CLASSIC, START, owners=False)
        assert [len(layer(parsed(svg), "owners")) for svg in (unknown, unwanted)] == [0, 0]


class TestHeading:
    @pytest.mark.parametrize(
        ("phase", "language", "said"),
        [
            ("S1901M", "fr", "printemps 1901, mouvements"),
            ("S1901R", "fr", "été 1901, retraites"),
            ("W1902A", "en", "winter 1902, adjustments"),
        ],
    )
    def test_says_the_phase(self, phase: str, language: str, said: str) -> None:
        position = replace(START, phase=Phase.parse(phase))
        heading = layer(parsed(drawing.draw_board(CLASSIC, position, language=language)), "heading")
        assert [node.text for node in classed(heading, "phase")] == [said]

    def test_says_the_title_or_the_name_of_the_game(self) -> None:
        for title, said in ((None, "Diplomacy"), ("Table 3", "Table 3")):
            heading = layer(parsed(drawing.draw_board(CLASSIC, START, title=title)), "heading")
            assert [node.text for node in classed(heading, "title")] == [said]

    def test_the_frame_leaves_room_for_it(self) -> None:
        box = parsed(drawing.draw_board(CLASSIC, START)).get("viewBox") or ""
        left, top, width, height = map(float, box.split())
        assert (left, width) == (0, 1000)
        assert top < 0
        assert top + height > 696

    def test_can_be_left_out(self) -> None:
        root = parsed(drawing.draw_board(CLASSIC, START, caption=False))
        assert root.get("viewBox") == "0 0 1000 696"
        assert classed(root, "phase") == []


PRINT = """
from talleyrand import drawing, variants
variant = variants.load("classic")
print(drawing.draw_board(variant, variant.definition.start))
"""


@pytest.mark.long
def test_bytes_are_the_same_in_every_process() -> None:
    def run(seed: str) -> bytes:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        return subprocess.run(
            [sys.executable, "-c", PRINT], capture_output=True, check=True, env=environment
        ).stdout

    assert run("1") == run("2") == f"{drawing.draw_board(CLASSIC, START)}\n".encode()


class TestRefused:
    def test_a_unit_on_no_place(self) -> None:
        position = replace(START, units=(Unit("A", "XXX", "FRANCE"),))
        with pytest.raises(InvalidPosition) as refused:
            drawing.draw_board(CLASSIC, position)
        assert refused.value.code == "unknown_place"

    def test_another_variants_position(self) -> None:
        with pytest.raises(InvalidPosition):
            drawing.draw_layers(TRIO, START)

    @pytest.mark.parametrize("language", ["de", "../fr", ""])
    def test_a_language_without_words(self, language: str) -> None:
        for attempt in (drawing.draw_board, drawing.draw_layers):
            with pytest.raises(UnknownName) as refused:
                attempt(CLASSIC, START, language=language)
            assert refused.value.code == "unknown_language"
        with pytest.raises(UnknownName):
            drawing.draw_empty_board(CLASSIC, language)


def test_a_series_is_the_same_drawing_in_parts() -> None:
    outcomes = [
        (verdicts("FRANCE: A PAR - BUR: bounces\nGERMANY: A MUN - BUR: bounces"), ("BUR",)),
        (verdicts("FRANCE: A PAR - BUR: moves\nGERMANY: A MUN H: holds"), ()),
    ]
    series = drawing.draw_series(CLASSIC, START, outcomes)
    for (judged, contested), drawn in zip(outcomes, series.drawn, strict=True):
        whole = drawing.draw_board(CLASSIC, START, verdicts=judged, contested=contested, caption=False)
        parts = f"{series.under}\n{drawn.orders}\n{series.over}\n{drawn.marks}"
        assert whole.partition("</style>\n")[2] == f"{parts}\n</svg>\n"
        assert whole.partition("<style>\n")[2].startswith(series.style)
