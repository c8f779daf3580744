"""The map of a phase: inline for a page, or a file to keep."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from talleyrand import drawing, notation
from talleyrand.engine import game as engine_game
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import OrderResult, Verdict
from talleyrand.engine.position import Position
from talleyrand.formats import question_input
from talleyrand.variants import Variant

from . import display_names, map_excerpts, map_shapes
from .adjudicator import Question
from .order_drafts import DraftLine

_RESULTS = frozenset(map(str, OrderResult))  # a variant's own are told in words alone
MOST_KEPT = 128  # drawings of 30 to 60 kB
_kept_layers: OrderedDict[tuple[Variant, str, str], drawing.MapLayers] = OrderedDict()
_VIEW_BOX = re.compile(r'viewBox="([-\d. ]+)"')


@dataclass(frozen=True)
class PhaseMap:
    """What is drawn."""

    variant: Variant
    position: Position
    orders: Mapping[str, list[Order]]
    verdicts: tuple[Verdict, ...] = ()
    contested: frozenset[str] = frozenset()

    def only_orders(self, kept: Callable[[str, str], bool]) -> PhaseMap:
        """The same with the orders of some units alone, told by their power and province."""
        orders = {
            power: [one for one in several if kept(power, _province(one))]
            for power, several in self.orders.items()
        }
        verdicts = tuple(one for one in self.verdicts if kept(one.power, province_of(one.unit.location)))
        if (orders, verdicts) == (self.orders, self.verdicts):
            return self
        return replace(self, orders=orders, verdicts=verdicts)

    def in_readers_shape(self) -> PhaseMap:
        """The same as whoever asked sees it."""
        return replace(self, variant=map_shapes.in_readers_shape(self.variant))

    def svg(self, *, caption: bool, title: str | None = None, legend: bool = True) -> str:
        """The drawing to be kept; with a caption, under this title or the variant’s."""
        return drawing.draw_board(
            self.variant,
            self.position,
            verdicts=self.verdicts,
            orders=self.orders,
            contested=self.contested,
            language=display_names.reader_language(),
            title=title,
            caption=caption,
            legend=legend,
        )

    def inline_svg(self, nonce: str) -> SafeString:
        """The map as part of a page."""
        svg = drawing.frame_layers(self.variant, self._layers(), display_names.reader_language())
        shapes = " ".join(self.variant.shapes)
        return svg_for_page(
            svg.replace("<svg ", f'<svg data-shapes="{shapes}" ', 1) if shapes else svg, nonce
        )

    def _layers(self) -> drawing.MapLayers:
        """What is drawn of this map alone, kept in the process for whoever looks at it next."""
        language = display_names.reader_language()
        if " at 0x" in self._content:  # two that look the same may be told apart by nothing but this
            return self._draw_layers(language)
        known = (self.variant, self._content, language)
        found = _kept_layers.get(known)
        if found is None:
            found = _kept_layers[known] = self._draw_layers(language)
            with suppress(KeyError):  # another thread was quicker
                if len(_kept_layers) > MOST_KEPT:
                    _kept_layers.popitem(last=False)
        return found

    @cached_property
    def _content(self) -> str:
        position = replace(self.position, seed="")  # which no map shows
        return repr((position, self.orders, self.verdicts, sorted(self.contested)))

    def _draw_layers(self, language: str) -> drawing.MapLayers:
        return drawing.draw_layers(
            self.variant,
            self.position,
            verdicts=self.verdicts,
            orders=self.orders,
            contested=self.contested,
            language=language,
        )

    def all_layers(self) -> dict[str, str]:
        """The layers that tell one phase from another."""
        layers = self._layers()
        return {f"layer-{name}": getattr(layers, name) for name in ("owners", "orders", "units", "marks")}

    def changing_layers(self) -> dict[str, str]:
        """The layers that orders in preparation change."""
        lines, marks = drawing.draw_order_layers(
            self.variant, self.position, self.orders, display_names.reader_language()
        )
        return {"layer-orders": lines, "layer-marks": marks}


def _province(order: Order) -> str:
    unit = getattr(order, "unit", None)
    return province_of(unit.location) if unit else ""


def place_points(variant: Variant) -> dict[str, tuple[str, float, float]]:
    """The name of each location, and the point of the reader's map where its unit stands."""
    variant = map_shapes.in_readers_shape(variant)
    names = variant.names(display_names.reader_language())
    known = sorted(variant.board.locations | variant.board.provinces.keys())
    spots = {place: variant.anchors.get(place, {}).get("unit") for place in known}
    return {place: (names.location(place), spot[0], spot[1]) for place, spot in spots.items() if spot}


MANY_PROVINCES = 150  # provinces, from which one is searched for by its name


def searchable_provinces(variant: Variant) -> list[tuple[str, str, float, float]]:
    """On a large board, each province with its name and where its unit stands, by name."""
    if len(variant.board.provinces) < MANY_PROVINCES:
        return []
    known = place_points(variant)
    found = [(code, *known[code]) for code in variant.board.provinces if code in known]
    return sorted(found, key=lambda one: one[1])


REGION_MARGIN = 24.0  # board units around the outermost units of a region


def map_regions(variant: Variant) -> list[tuple[str, str]]:
    """Each region of a large board by its name, and its part of the map: left, top, width, height."""
    variant = map_shapes.in_readers_shape(variant)
    names = variant.names(display_names.reader_language()).regions
    found = []
    for code, provinces in variant.seen_regions.items():
        xs, ys = zip(*map_excerpts.unit_points(variant, provinces), strict=True)
        left, top = min(xs) - REGION_MARGIN, min(ys) - REGION_MARGIN
        width, height = max(xs) + REGION_MARGIN - left, max(ys) + REGION_MARGIN - top
        found.append((names[code], f"{left:.0f} {top:.0f} {width:.0f} {height:.0f}"))
    return found


def position_map(question: Question) -> PhaseMap:
    """A position without orders."""
    asked = question_input.read_question(dict(question))
    return PhaseMap(asked.variant, asked.position, {})


def draft_map(question: Question, readings: Iterable[DraftLine]) -> PhaseMap:
    """A phase with the orders that will be followed."""
    orders: dict[str, dict[str, Order]] = {}
    drawn = position_map(question)
    for reading in readings:
        if reading.is_followed and reading.unit:
            order = notation.parse_order(reading.order, drawn.variant)
            orders.setdefault(reading.power, {})[reading.province] = order
    given = {power: list(several.values()) for power, several in orders.items()}
    return PhaseMap(drawn.variant, drawn.position, given)


def results_map(question: Question, answer: Mapping[str, Any]) -> PhaseMap:
    """The phase judged once more, for its verdicts as values: by the orders that counted, even supplied."""
    counted = tuple(
        (entry["power"], entry["order"])
        for entry in answer["orders"]
        if entry.get("order") and not entry.get("error")
    )
    return _results_map(json.dumps(question, sort_keys=True), counted)


@lru_cache(maxsize=MOST_KEPT)
def _results_map(question: str, counted: tuple[tuple[str, str], ...]) -> PhaseMap:
    asked = question_input.read_question(json.loads(question))
    orders: dict[str, list[Order]] = {}
    for power, order in counted:
        orders.setdefault(power, []).append(notation.parse_order(order, asked.variant))
    outcome = engine_game.play_phase(
        asked.variant.definition, asked.position, orders, asked.rulebook.adjudication_rules
    ).outcome
    return PhaseMap(asked.variant, asked.position, orders, outcome.verdicts, outcome.position_after.contested)


def map_with_overrides(sketch: PhaseMap, answer: Mapping[str, Any]) -> PhaseMap:
    """A phase played, with the results that an answer tells where they are others than the judge’s."""
    told = {
        entry["unit"]: tuple(OrderResult(code) for code in entry["results"] if code in _RESULTS)
        for entry in answer["orders"]
        if entry.get("unit") and entry.get("results") and not entry.get("error")
    }
    verdicts = (one._replace(results=told.get(str(one.unit), one.results)) for one in sketch.verdicts)
    return replace(sketch, verdicts=tuple(verdicts))


def svg_for_page(svg: str, nonce: str) -> SafeString:
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
        return unit_text(variant, unit)
    return notation.describe_order(
        notation.parse_order(order, variant), variant, display_names.reader_language()
    )


def unit_text(variant: Variant, unit: str) -> str:
    """ "Armée Paris"; what is no unit of the variant stays as it is."""
    kind, _, place = unit.partition(" ")
    names = variant.names(display_names.reader_language())
    if kind not in names.units or place not in variant.board.locations:
        return unit
    name = names.units[kind].name
    return f"{name[:1].upper()}{name[1:]} {names.location(place)}"
