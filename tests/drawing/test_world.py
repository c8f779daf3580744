"""The map of the whole world: views of its crowded parts, and the Pacific at both edges."""

from dataclasses import replace

from talleyrand import drawing, variants
from talleyrand.drawing.base_map import LAYERS
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.variants.diplomatie_2000.political_state import PoliticalState
from tests.drawing.pictures import classed, layer, line, order, ordered, parsed, spot

WORLD = variants.load_board("diplomatie_2000")
SPRING = Phase.parse("S2001M")
TURN = 2880


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
    views = classed(parsed(drawing.draw_empty_board(WORLD)), "view")
    assert len(views) == 4
    for view in views:
        assert [use.get("href") for use in view.iter("use")] == [f"#layer-{name}" for name in LAYERS]
        _, _, wide, tall = map(float, (view.get("viewBox") or "").split())
        scale = float(view.get("width") or 0) / wide
        assert scale > 1.5
        assert abs(float(view.get("height") or 0) / tall - scale) < 0.02


def test_insets_are_named_in_the_language() -> None:
    for language, name in (("fr", "Proche-Orient"), ("en", "Near East")):
        titles = classed(parsed(drawing.draw_empty_board(WORLD, language)), "view-title")
        assert name in [title.text for title in titles]


def test_a_unit_at_the_edge_stands_at_the_other_too() -> None:
    once, again = layer(parsed(drawing.draw_layers(WORLD, standing(Unit("F", "MBG", "RUSS"))).units), "units")
    assert "repeat" in (again.get("class") or "").split()
    assert once.get("data-unit") == again.get("data-unit") == "F MBG"
    assert abs(spot(once) - spot(again)) > TURN * 0.9


def test_a_move_over_the_edge_takes_the_short_way() -> None:
    position = standing(Unit("F", "ANC", "ETUN"))
    drawn = parsed(drawing.draw_board(WORLD, position, orders=[order("F ANC - MBG")]))
    track = line(ordered(drawn, "F ANC - MBG"))
    assert abs(track[0] - track[-1]) < TURN / 8


def test_symbols_are_small_and_powers_told_by_their_codes() -> None:
    drawn = parsed(drawing.draw_layers(WORLD, WORLD.definition.start).units)
    signs = {node.get("data-power"): classed(node, "sign")[0].text for node in drawn}
    assert signs == {seat: seat for seat in WORLD.board.seats}
    assert all("scale(0.6" in (node.get("transform") or "") for node in drawn)
