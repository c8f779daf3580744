"""Orders as text: the normal form, abbreviations, or full names."""

from __future__ import annotations

from talleyrand.engine.errors import UnknownName
from talleyrand.engine.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Measure,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from talleyrand.engine.position import UnitName
from talleyrand.variants import Names, Variant

from .places import JUDGE

STYLES = ("normal", "short", "full")

_WORDS = {
    "short": {
        "fr": {"H": "H", "S": "S", "C": "C", "R": "R", "D": "D", "B": "B", "VIA": "par convoi", "W": "passe"},
        "en": {"H": "H", "S": "S", "C": "C", "R": "R", "D": "D", "B": "B", "VIA": "via convoy", "W": "waive"},
    },
    "full": {
        "fr": {
            "H": "tient",
            "S": "soutient",
            "C": "convoie",
            "R": "retraite vers",
            "D": "se saborde",
            "B": "construite",
            "VIA": "par convoi",
            "W": "renonce à construire",
        },
        "en": {
            "H": "holds",
            "S": "supports",
            "C": "convoys",
            "R": "retreats to",
            "D": "disbands",
            "B": "built",
            "VIA": "via convoy",
            "W": "waives a build",
        },
    },
}


def write(
    order: Order, variant: Variant, language: str, style: str = "normal", naming: str | None = None
) -> str:
    """An order as text.

    Styles: `normal` (codes), `short` (abbreviations of the language, or of the profile `naming`),
    `full` (names). Raises UnknownName (`unknown_style`, `unknown_language`, `unknown_naming`).
    """
    if style not in STYLES:
        raise UnknownName("unknown_style", style=style, known=", ".join(STYLES))
    if language not in _WORDS["full"]:
        raise UnknownName("unknown_language", language=language, known=", ".join(_WORDS["full"]))
    if style == "normal":
        return str(order)
    return _Writer(variant, language, style, naming).order(order)


class _Writer:
    """One language and style."""

    def __init__(self, variant: Variant, language: str, style: str, naming: str | None) -> None:
        self.words = _WORDS[style][language]
        self.names = variant.names(language)
        self.full = style == "full"
        self.forms = {} if self.full or naming == JUDGE else _abbreviations(variant, self.names, naming)

    def order(self, order: Order) -> str:
        if isinstance(order, Waive | Measure):
            return self.words["W"] if isinstance(order, Waive) else str(order)
        unit = self.unit(order.unit)
        if isinstance(order, Move):
            stops = " - ".join((unit, *map(self.place, order.path), self.place(order.to)))
            return stops + (f" {self.words['VIA']}" if order.via else "")
        if isinstance(order, Support):
            return f"{unit} {self.words['S']} {self.unit(order.target)}" + self._goal(order.to)
        if isinstance(order, Convoy):
            return f"{unit} {self.words['C']} {self.unit(order.target)}" + self._goal(order.to)
        if isinstance(order, Retreat):
            return f"{unit} {self.words['R']} {self.place(order.to)}"
        return f"{unit} {self.words[_SIGNS[type(order)]]}"

    def _goal(self, to: str | None) -> str:
        return f" - {self.place(to)}" if to else ""

    def unit(self, unit: UnitName) -> str:
        return f"{unit.kind} {self.place(unit.location)}"

    def place(self, location: str) -> str:
        if self.full:
            return self.names.location(location)
        code, _, coast = location.partition("/")
        form = self.forms.get(code, (code,))[0]
        return f"{form} ({self.coast(code, coast)})" if coast else form

    def coast(self, code: str, coast: str) -> str:
        own = self.names.coast_forms.get(code, {})
        return (own.get(coast) or self.names.coasts[coast].others)[0]


_SIGNS: dict[type, str] = {Hold: "H", Disband: "D", Build: "B"}


def _abbreviations(variant: Variant, names: Names, naming: str | None) -> dict[str, tuple[str, ...]]:
    if naming is None:
        return dict(next(iter(names.abbreviations.values()), {}))
    for tongue in ("fr", "en"):
        if naming in variant.names(tongue).abbreviations:
            return dict(variant.names(tongue).abbreviations[naming])
    raise UnknownName("unknown_naming", naming=naming)
