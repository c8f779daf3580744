"""Orders as text: the normal form, abbreviations, or full names."""

from __future__ import annotations

from talleyrand.engine.errors import TalleyrandError, UnknownName
from talleyrand.engine.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    PoliticalOrder,
    Retreat,
    Support,
    Waive,
    parse_normal,
)
from talleyrand.engine.position import UnitName
from talleyrand.variants import Variant, VariantNames

from .name_index import CODES_PROFILE
from .vocabulary import ORDER_WORDS

ORDER_STYLES = ("normal", "short", "full")

_WORDS = ORDER_WORDS["written"]  # by style and language


def parse_order(text: str, variant: Variant) -> Order:
    """An order in normal form, or a measure of the variant's own where it has any.

    Raises TalleyrandError (`not_normal_form`).
    """
    try:
        return parse_normal(text)
    except TalleyrandError:
        if variant.definition.politics is None:
            raise
        return PoliticalOrder(text)


def write_order(
    order: Order, variant: Variant, language: str, style: str = "normal", naming: str | None = None
) -> str:
    """An order as text.

    Styles: `normal` (codes), `short` (abbreviations of the language, or of the profile `naming`),
    `full` (names). Raises UnknownName (`unknown_style`, `unknown_language`, `unknown_naming`).
    """
    if style not in ORDER_STYLES:
        raise UnknownName("unknown_style", style=style, known=", ".join(ORDER_STYLES))
    if language not in _WORDS["full"]:
        raise UnknownName("unknown_language", language=language, known=", ".join(_WORDS["full"]))
    if style == "normal":
        return str(order)
    return _OrderWriter(variant, language, style, naming).order(order)


def write_unit(unit: UnitName, variant: Variant, language: str, naming: str | None = None) -> str:
    """A unit as orders begin with it: "F StP (cs)". `naming` and what is raised are as for `write_order`."""
    return _OrderWriter(variant, language, "short", naming).unit(unit)


def write_place(location: str, variant: Variant, language: str, naming: str | None = None) -> str:
    """A location as orders name it: "StP (cs)". `naming` and what is raised are as for `write_order`."""
    return _OrderWriter(variant, language, "short", naming).place(location)


class _OrderWriter:
    """One language and style."""

    def __init__(self, variant: Variant, language: str, style: str, naming: str | None) -> None:
        self.variant = variant
        self.words = _WORDS[style][language]
        self.names = variant.names(language)
        self.full = style == "full"
        self.forms = (
            {} if self.full or naming == CODES_PROFILE else _abbreviations(variant, self.names, naming)
        )

    def order(self, order: Order) -> str:
        if isinstance(order, Waive | PoliticalOrder):
            return self.words["W"] if isinstance(order, Waive) else self.measure(order, "written")
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

    def measure(self, measure: PoliticalOrder, family: str = "measure") -> str:
        """A measure in the words of the variant's own rules, told or written; its normal form where they have
        none."""
        politics = self.variant.definition.politics
        told = []
        for code, blanks in politics.describe_order(measure.text) if politics else ():
            pattern = self.variant.sentence(self.names.language, family, code)
            if not pattern:
                return str(measure)
            told.append(pattern.format_map({name: self._listed(said) for name, said in blanks.items()}))
        return ", ".join(told) or str(measure)

    def _listed(self, codes: str) -> str:
        return ", ".join(self.named(code) for code in codes.split(",") if code)

    def named(self, code: str) -> str:
        """A power, a place, a choice of the variant's own rules, an order; what is none of these as it is."""
        if code in self.names.powers:
            return self.names.powers[code].name
        if code.partition("/")[0] in self.names.provinces:
            return self.names.location(code)
        letter, _, place = code.partition(" ")
        if letter in self.names.units and place.partition("/")[0] in self.names.provinces:
            return self.unit(UnitName(letter, place))
        try:
            return self.order(parse_normal(code))
        except TalleyrandError:
            return self.variant.sentence(self.names.language, "choice", code) or code

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
        return (own.get(coast) or self.names.coasts[coast].other_forms)[0]


_SIGNS: dict[type, str] = {Hold: "H", Disband: "D", Build: "B"}


def describe_order(order: Order, variant: Variant, language: str) -> str:
    """An order in full names for whoever reads it; a measure of the variant's own as a sentence, which is not
    to be read back."""
    writer = _OrderWriter(variant, language, "full", None)
    return writer.measure(order) if isinstance(order, PoliticalOrder) else writer.order(order)


def describe_code(code: str, variant: Variant, language: str) -> str:
    """What a word of a measure is called: a power, a place, an order, a choice of the variant's own."""
    return _OrderWriter(variant, language, "full", None).named(code)


def _abbreviations(variant: Variant, names: VariantNames, naming: str | None) -> dict[str, tuple[str, ...]]:
    if naming is None:
        return dict(next(iter(names.abbreviations.values()), {}))
    for tongue in ("fr", "en"):
        if naming in variant.names(tongue).abbreviations:
            return dict(variant.names(tongue).abbreviations[naming])
    raise UnknownName("unknown_naming", naming=naming)
