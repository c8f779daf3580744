"""Whatever a variant, a game or an order is called, the drawing stays one well-formed drawing."""

from dataclasses import replace

import pytest

from talleyrand import drawing
from talleyrand.engine.orders import Move
from talleyrand.engine.position import UnitName
from talleyrand.variants import PlaceName, PowerName, Variant
from tests.drawing.pictures import CLASSIC, classed, layer, parsed, titles

HOSTILE = [
    "</title><script>alert(1)</script>",
    '" onload="alert(1)',
    "' x='",
    "a & b < c ]]>",
    "&lt;script&gt;",
    "{unit} {0.__class__} %s",
    "nul \x00 bell \x07 lone \ud800 end",
    "Ω 中文 עברית 🇫🇷",
]
BARE = {node.tag for node in parsed(drawing.draw_board(CLASSIC, CLASSIC.definition.start)).iter()}


def renamed(name: str) -> Variant:
    """The classic variant with a name in all the places that are drawn."""
    names = CLASSIC.names("fr")
    hostile = replace(
        names,
        provinces={**names.provinces, "PAR": PlaceName(name)},
        powers={**names.powers, "FRANCE": PowerName(name)},
        units={**names.units, "A": PlaceName(name)},
        abbreviations={**names.abbreviations, "classic_fr": {"PAR": (name,)}},
    )
    return replace(
        CLASSIC,
        title={"fr": name},
        colours={"FRANCE": name},
        names_by_language={"fr": hostile, "en": hostile},
    )


@pytest.mark.parametrize("name", HOSTILE)
class TestHostileNames:
    def test_stay_text(self, name: str) -> None:
        root = parsed(
            drawing.draw_board(
                renamed(name), CLASSIC.definition.start, orders=[Move(UnitName("A", "PAR"), "BUR")]
            )
        )
        assert {node.tag for node in root.iter()} <= BARE | {"title"}
        assert not [key for node in root.iter() for key in node.attrib if key.startswith("on") or key == "x="]

    def test_are_shown_as_they_are(self, name: str) -> None:
        shown = "".join("\ufffd" if char in "\x00\x07\ud800" else char for char in name)
        root = parsed(drawing.draw_board(renamed(name), CLASSIC.definition.start))
        assert any(shown in said for said in titles(layer(root, "map")))
        assert [node.text for node in classed(root, "title")] == [shown]
        assert shown in [node.text for node in layer(root, "labels").iter("text")]

    def test_can_be_written_to_a_file(self, name: str) -> None:
        assert drawing.draw_board(renamed(name), CLASSIC.definition.start, title=name).encode()

    def test_in_an_order_stay_text(self, name: str) -> None:
        svg = drawing.draw_board(CLASSIC, CLASSIC.definition.start, orders=[Move(UnitName(name, name), name)])
        root = parsed(svg)
        assert {node.tag for node in root.iter()} <= BARE | {"title"}
        assert len(layer(root, "orders")) == 1
