"""Lines of order sheets written by hand, each with what a careful arbiter makes of it.

They are an examination of the reader: their expectations come from the rules, never from what the
reader answers. A file holds scenes, a scene its lines:

    [[scene]]
    name = "printemps-france"       # unique among all files of a language
    phase = "S1901M"
    power = "FRANCE"
    units = { FRANCE = ["A PAR"] }  # `dislodged`, `centers`, `contested`, `rulebook`, `naming` where needed
    [[scene.line]]
    text = "A Par - Bou"
    order = "A PAR - BUR"           # or `orders`, `refused`, `nothing`: exactly one
    theme = "abbreviated"
    why = "…"                       # where the expectation is not obvious

`order`: the one order of the line (what it says beside, such as a condition, is left out); `orders`:
those of a line that holds several; `refused`: the kind of the error; `nothing`: no order and no error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from talleyrand import rulebooks, variants
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit, UnitName
from talleyrand.notation import ReadingContext

THEMES = ("sites", "abbreviated", "misspelt", "mixed", "forms", "hostile", "later", "layout")
EXPECTATIONS = ("order", "orders", "refused", "nothing")
REFUSALS = (
    "not_understood",
    "illegal",
    "ambiguous",
    "coast_missing",
    "multiple_orders",
    "conditional",
    "foreign_unit",
    "no_such_unit",
)
SCENE_FIELDS = frozenset(
    {
        "name",
        "phase",
        "power",
        "rulebook",
        "naming",
        "units",
        "dislodged",
        "contested",
        "centers",
        "line",
    }
)
LINE_FIELDS = frozenset({"text", "theme", "why", *EXPECTATIONS})

_HERE = Path(__file__).parent
_Table = Mapping[str, Any]


@dataclass(frozen=True)
class Written:
    """One line, where it is read, and what is expected: `orders` or `refused`, or neither (`nothing`)."""

    scene: str
    context: ReadingContext
    text: str
    theme: str
    orders: tuple[str, ...]
    refused: str | None
    why: str

    @property
    def nothing(self) -> bool:
        """Whether the line is a title, a comment or a blank."""
        return not self.orders and self.refused is None

    def __str__(self) -> str:
        text = self.text if len(self.text) <= 60 else f"{self.text[:59]}…"
        return f"{self.scene}: {text!a}"


def scenes(language: str) -> Iterator[_Table]:
    """The scenes of a language (`fr`, `en`), as their files hold them."""
    for path in sorted((_HERE / f"lines_{language}").glob("*.toml")):
        yield from tomllib.loads(path.read_text("utf-8"))["scene"]


def written_lines(language: str) -> list[Written]:
    """Every line of a language."""
    return [line for scene in scenes(language) for line in _lines(scene)]


def _lines(scene: _Table) -> Iterator[Written]:
    context = _context(scene)
    for line in scene["line"]:
        orders = (line["order"],) if "order" in line else tuple(line.get("orders", ()))
        yield Written(
            scene["name"],
            context,
            line["text"],
            line["theme"],
            orders,
            line.get("refused"),
            line.get("why", ""),
        )


def _context(scene: _Table) -> ReadingContext:
    book = rulebooks.load(scene.get("rulebook", "anjou_feu"))
    return ReadingContext(
        variants.load("classic"), _position(scene), scene["power"], book, scene.get("naming")
    )


def _position(scene: _Table) -> Position:
    centres = scene.get("centers")
    return Position(
        Phase.parse(scene["phase"]),
        tuple(_unit(unit, power) for power, units in scene["units"].items() for unit in units),
        tuple(_fallen(unit, power) for power, units in scene.get("dislodged", {}).items() for unit in units),
        frozenset(scene.get("contested", ())),
        {power: tuple(codes) for power, codes in centres.items()} if centres else None,
    )


def _unit(text: str, power: str) -> Unit:
    return Unit(*UnitName.parse(text), power)


def _fallen(entry: _Table, power: str) -> DislodgedUnit:
    return DislodgedUnit(
        _unit(entry["unit"], power),
        entry["by"],
        entry.get("convoyed", False),
        tuple(entry["retreats"]),
    )
