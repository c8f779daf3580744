"""The map of the whole world: the Pacific at both edges; on the true one, views of its crowded parts."""

from dataclasses import replace

import pytest

from talleyrand import drawing, variants
from talleyrand.drawing.base_map import LAYERS
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.variants import Variant
from talleyrand.variants.diplomatie_2000.political_state import PoliticalState
from tests.drawing.pictures import classed, layer, line, order, ordered, parsed, spot

WORLD = variants.load_board("diplomatie_2000")
SPRING = Phase.parse("S2001M")
TRUE = WORLD.in_shape("true")
at_both_edges = pytest.mark.parametrize(("world", "turn"), [(WORLD, 1560), (TRUE, 2880)])


def test_sectors_without_a_centre_have_their_colour_and_an_m_that_of_the_un() -> None:
    start = WORLD.definition.start
    held = replace(start, political_state=PoliticalState(colours={"ALN": "RUSS"}))
    assert drawing.draw_layers(WORLD, held, language="en").owners.count("colour of Russia") == (
        drawing.draw_layers(WORLD, start, language="en").owners.count("colour of Russia") + 1
    )
    [m] = [unit for unit in start.units if (unit.kind, unit.power) == ("M", "ETUN")]
    alone = replace(start, units=(m,))
    drawn = drawing.draw_layers(WORLD, alone).units
    assert WORLD.colours["ONU"] in drawn
    assert WORLD.colours["ETUN"] not in drawn


def standing(*units: Unit) -> Position:
    return Position(SPRING, units)


def test_four_crowded_parts_are_seen_again_larger() -> None:
    assert classed(parsed(drawing.draw_empty_board(WORLD)), "view") == []
    views = classed(parsed(drawing.draw_empty_board(TRUE)), "view")
    assert len(views) == 4
    for view in views:
        assert [use.get("href") for use in view.iter("use")] == [f"#layer-{name}" for name in LAYERS]
        _, _, wide, tall = map(float, (view.get("viewBox") or "").split())
        scale = float(view.get("width") or 0) / wide
        assert scale > 1.5
        assert abs(float(view.get("height") or 0) / tall - scale) < 0.02


def test_insets_are_named_in_the_language() -> None:
    for language, name in (("fr", "Proche-Orient"), ("en", "Near East")):
        titles = classed(parsed(drawing.draw_empty_board(TRUE, language)), "view-title")
        assert name in [title.text for title in titles]


@at_both_edges
def test_a_unit_at_the_edge_stands_at_the_other_too(world: Variant, turn: int) -> None:
    once, again = layer(parsed(drawing.draw_layers(world, standing(Unit("F", "MBG", "RUSS"))).units), "units")
    assert "repeat" in (again.get("class") or "").split()
    assert once.get("data-unit") == again.get("data-unit") == "F MBG"
    assert abs(spot(once) - spot(again)) > turn * 0.9


@at_both_edges
def test_a_move_over_the_edge_takes_the_short_way(world: Variant, turn: int) -> None:
    position = standing(Unit("F", "ANC", "ETUN"))
    drawn = parsed(drawing.draw_board(world, position, orders=[order("F ANC - MBG")]))
    track = line(ordered(drawn, "F ANC - MBG"))
    assert abs(track[0] - track[-1]) < turn / 8


def test_powers_told_by_their_codes() -> None:
    drawn = parsed(drawing.draw_layers(WORLD, WORLD.definition.start).units)
    signs = {node.get("data-power"): classed(node, "sign")[0].text for node in drawn}
    assert signs == {seat: seat for seat in WORLD.board.seats}


def test_symbols_are_small_on_the_true_map() -> None:
    drawn = parsed(drawing.draw_layers(TRUE, WORLD.definition.start).units)
    assert all("scale(0.6" in (node.get("transform") or "") for node in drawn)
