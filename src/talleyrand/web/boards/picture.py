"""The map of a phase: inline for a page, or a file to keep."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from talleyrand import drawing, notation
from talleyrand.engine import game as engine_game
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import Result, Verdict
from talleyrand.engine.position import Position
from talleyrand.formats import asking
from talleyrand.variants import Variant

from . import wording
from .drafts import Reading
from .referee import Question

_RESULTS = frozenset(map(str, Result))  # a variant's own are told in words alone
_VIEW_BOX = re.compile(r'viewBox="([-\d. ]+)"')


@dataclass(frozen=True)
class Sketch:
    """What is drawn."""

    variant: Variant
    position: Position
    orders: Mapping[str, list[Order]]
    verdicts: tuple[Verdict, ...] = ()
    contested: frozenset[str] = frozenset()

    def only(self, kept: Callable[[str, str], bool]) -> Sketch:
        """The same with the orders of some units alone, told by their power and province."""
        orders = {
            power: [one for one in several if kept(power, _province(one))]
            for power, several in self.orders.items()
        }
        verdicts = (one for one in self.verdicts if kept(one.power, province_of(one.unit.location)))
        return replace(self, orders=orders, verdicts=tuple(verdicts))

    def svg(self, *, caption: bool) -> str:
        return drawing.draw(
            self.variant,
            self.position,
            verdicts=self.verdicts,
            orders=self.orders,
            contested=self.contested,
            language=wording.language(),
            caption=caption,
        )

    def inline(self, nonce: str) -> SafeString:
        """The map as part of a page."""
        return for_page(self.svg(caption=False), nonce)

    def every_layer(self) -> dict[str, str]:
        """The layers that tell one phase from another."""
        layers = drawing.layers(
            self.variant,
            self.position,
            verdicts=self.verdicts,
            orders=self.orders,
            contested=self.contested,
            language=wording.language(),
        )
        return {f"layer-{name}": getattr(layers, name) for name in ("owners", "orders", "units", "marks")}

    def changing_layers(self) -> dict[str, str]:
        """The layers that orders in preparation change."""
        lines, marks = drawing.given(self.variant, self.position, self.orders, wording.language())
        return {"layer-orders": lines, "layer-marks": marks}


def _province(order: Order) -> str:
    unit = getattr(order, "unit", None)
    return province_of(unit.location) if unit else ""


def places(variant: Variant) -> dict[str, tuple[str, float, float]]:
    """The name of each location, and the point of the board where its unit stands."""
    names = variant.names(wording.language())
    known = sorted(variant.board.locations | variant.board.provinces.keys())
    spots = {place: variant.anchors.get(place, {}).get("unit") for place in known}
    return {place: (names.location(place), spot[0], spot[1]) for place, spot in spots.items() if spot}


LARGE = 150  # provinces, from which one is searched for by its name


def findable(variant: Variant) -> list[tuple[str, str, float, float]]:
    """On a large board, each province with its name and where its unit stands, by name."""
    if len(variant.board.provinces) < LARGE:
        return []
    known = places(variant)
    found = [(code, *known[code]) for code in variant.board.provinces if code in known]
    return sorted(found, key=lambda one: one[1])


def standing(question: Question) -> Sketch:
    """A position without orders."""
    asked = asking.read_question(dict(question))
    return Sketch(asked.variant, asked.position, {})


def prepared(question: Question, readings: Iterable[Reading]) -> Sketch:
    """A phase with the orders that will be followed."""
    orders: dict[str, dict[str, Order]] = {}
    drawn = standing(question)
    for reading in readings:
        if reading.given and reading.unit:
            order = notation.parse_own(reading.order, drawn.variant)
            orders.setdefault(reading.power, {})[reading.province] = order
    given = {power: list(several.values()) for power, several in orders.items()}
    return Sketch(drawn.variant, drawn.position, given)


def played(question: Question, answer: Mapping[str, Any]) -> Sketch:
    """The phase judged once more, for its verdicts as values: by the orders that counted, even supplied."""
    asked = asking.read_question(dict(question))
    orders: dict[str, list[Order]] = {}
    for entry in answer["orders"]:
        if entry.get("order") and not entry.get("error"):
            orders.setdefault(entry["power"], []).append(notation.parse_own(entry["order"], asked.variant))
    outcome = engine_game.play(asked.variant.setting, asked.position, orders, asked.book.judge).outcome
    return Sketch(asked.variant, asked.position, orders, outcome.verdicts, outcome.after.contested)


def corrected(sketch: Sketch, answer: Mapping[str, Any]) -> Sketch:
    """A phase played, with the results that an answer tells where they are others than the judge’s."""
    told = {
        entry["unit"]: tuple(Result(code) for code in entry["results"] if code in _RESULTS)
        for entry in answer["orders"]
        if entry.get("unit") and entry.get("results") and not entry.get("error")
    }
    verdicts = (one._replace(results=told.get(str(one.unit), one.results)) for one in sketch.verdicts)
    return replace(sketch, verdicts=tuple(verdicts))


def for_page(svg: str, nonce: str) -> SafeString:
    """The drawing as part of a page, for eyes only: what it shows is said beside it in words.

    Its style sheet is let through the content policy by the nonce, and tells the page the shape of the map.
    """
    styled = svg.replace("<style>", f'<style nonce="{nonce}">{_shape(svg)}', 1)
    # Drawn by `drawing`, which escapes every word; nothing else of the visitor's is in it.
    return mark_safe(styled.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S308


def _shape(svg: str) -> str:
    found = _VIEW_BOX.search(svg)
    if found is None:
        return ""
    *_corner, width, height = map(float, found[1].split())
    return f":root {{ --ratio: {width / height:.4f}; }}"


def order_label(variant: Variant, order: str | None, unit: str) -> str:
    """An order in full words."""
    if not order:
        return unit_words(variant, unit)
    return notation.say(notation.parse_own(order, variant), variant, wording.language())


def unit_words(variant: Variant, unit: str) -> str:
    """ "Armée Paris"; what is no unit of the variant stays as it is."""
    kind, _, place = unit.partition(" ")
    names = variant.names(wording.language())
    if kind not in names.units or place not in variant.board.locations:
        return unit
    name = names.units[kind].name
    return f"{name[:1].upper()}{name[1:]} {names.location(place)}"
