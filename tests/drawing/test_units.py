"""The units: each once, at its place, its kind told by shape, its power by a sign."""

from dataclasses import replace

import pytest

from talleyrand import drawing, variants
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit
from tests.drawing.pictures import CLASSIC, TRIO, anchor, classed, layer, parsed, spot, titles

START = CLASSIC.definition.start
SPRING = Phase.parse("S1905M")


def test_every_unit_is_drawn_once_at_its_anchor() -> None:
    drawn = layer(parsed(drawing.draw_board(CLASSIC, START)), "units")
    found = {
        (node.get("data-unit"), node.get("data-power"), node.get("data-province")): spot(node)
        for node in drawn
    }
    wanted = {(str(unit), unit.power, unit.province): anchor(CLASSIC, unit.location) for unit in START.units}
    assert found == wanted
    assert len(drawn) == 22


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", variants.playable_names())
def test_every_place_of_every_variant_can_hold_its_units(name: str) -> None:
    variant = variants.load(name)
    power = variant.board.powers[0]
    for letter in variant.board.kinds:
        for code in variant.board.provinces:
            for place in variant.board.standable_locations(letter, code):
                position = Position(
                    Phase.parse(str(variant.definition.calendar.first)), (Unit(letter, place, power),)
                )
                # where the map repeats a place, its unit too
                node, *_again = parsed(drawing.draw_layers(variant, position).units)
                assert spot(node) == anchor(variant, place)


def test_an_army_and_a_fleet_on_coasts_of_one_name_stand_apart() -> None:
    places = [("A", "STP"), ("F", "STP/NC"), ("F", "STP/SC")]
    spots = set()
    for kind, place in places:
        (node,) = parsed(drawing.draw_layers(CLASSIC, Position(SPRING, (Unit(kind, place, "RUSSIA"),))).units)
        spots.add(spot(node))
    assert len(spots) == 3


class TestDislodged:
    position = Position(
        Phase.parse("S1905R"),
        (Unit("A", "BUR", "FRANCE"),),
        (DislodgedUnit(Unit("A", "BUR", "GERMANY"), "PAR", retreats=("MUN", "RUH")),),
    )

    def test_lies_beside_the_victor(self) -> None:
        loser, victor = parsed(drawing.draw_layers(CLASSIC, self.position).units)
        assert (spot(victor), spot(loser)) == (anchor(CLASSIC, "BUR"), anchor(CLASSIC, "BUR", "retreat"))

    def test_is_told_by_a_burst_and_in_words(self) -> None:
        loser, victor = parsed(drawing.draw_layers(CLASSIC, self.position).units)
        assert classed(victor, "burst") == []
        assert len(classed(loser, "burst")) == 1
        assert "armée, Bourgogne (Allemagne)\u00a0: dislogée (attaque depuis Paris)" in titles(loser)


class TestShapes:
    def shape(self, variant: variants.Variant, letter: str, place: str) -> tuple[str | None, int]:
        unit = Unit(letter, place, variant.board.powers[0])
        drawn = parsed(drawing.draw_layers(variant, Position(Phase.parse("Y5M"), (unit,))).units)
        return classed(drawn, "body")[0].get("d"), len(classed(drawn, "tag"))

    def test_each_mobility_has_its_own(self) -> None:
        shapes = [self.shape(TRIO, letter, "HEA") for letter in "AFP"]
        assert len({outline for outline, _ in shapes}) == 3

    def test_a_kind_that_goes_anywhere_shows_its_letter(self) -> None:
        assert [self.shape(TRIO, letter, "HEA")[1] for letter in "AFP"] == [0, 0, 1]

    def test_a_second_kind_of_one_mobility_shows_its_letter(self) -> None:
        kinds = {**CLASSIC.board.kinds, "V": replace(CLASSIC.board.kinds["A"], letter="V")}
        setting = replace(CLASSIC.definition, board=replace(CLASSIC.board, kinds=kinds))
        variant = replace(CLASSIC, definition=setting)
        drawn = [self.shape(variant, letter, "PAR") for letter in "AV"]
        assert drawn[0][0] == drawn[1][0]
        assert [tags for _, tags in drawn] == [0, 1]


def test_powers_are_told_by_signs_that_differ() -> None:
    for language in ("fr", "en"):
        drawn = layer(parsed(drawing.draw_board(CLASSIC, START, language=language)), "units")
        signs = {node.get("data-power"): classed(node, "sign")[0].text for node in drawn}
        assert len(set(signs.values())) == 7
    assert signs["FRANCE"] == "Fr"


def test_a_unit_is_named_in_the_language() -> None:
    assert "flotte, Brest (France)" in titles(parsed(drawing.draw_layers(CLASSIC, START).units))
    assert "fleet, Brest (France)" in titles(parsed(drawing.draw_layers(CLASSIC, START, language="en").units))
