"""A whole drawing: the layers in their order, inside one SVG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from talleyrand.engine.outcome import Verdict
from talleyrand.engine.position import Position, check_position
from talleyrand.variants import Variant

from . import base_map, captions, map_style
from .base_map import insets_group
from .legend import draw_heading, draw_legend
from .map_scene import MapScene, Orders
from .order_layer import marks_group, orders_group
from .order_routes import plan_routes
from .svg_markup import escape_text, format_coordinate, layer_group
from .unit_symbols import units_group


@dataclass(frozen=True)
class MapLayers:
    """The groups that change from phase to phase, each a `<g>` with its fixed id."""

    owners: str
    orders: str
    units: str
    marks: str


def draw_layers(
    variant: Variant,
    position: Position,
    *,
    verdicts: Iterable[Verdict] = (),
    orders: Orders = (),
    contested: Iterable[str] = (),
    language: str = "fr",
) -> MapLayers:
    """Draw what a page swaps when the position or the orders change.

    `position` is the one the orders were given in. Orders without a verdict are drawn as given.
    `contested` names the provinces that these orders left empty by a standoff.
    Raises InvalidPosition for a position that cannot stand on the board, UnknownName for a language.
    """
    position = replace(position, contested=position.contested.union(contested))
    scene = _scene(variant, position, language)
    tasks = scene.drawn_orders(orders, verdicts)
    routes = plan_routes(scene, tasks)
    return MapLayers(
        owners=base_map.owners_group(scene),
        orders=orders_group(scene, tasks, routes),
        units=units_group(scene),
        marks=marks_group(scene, tasks, routes),
    )


def draw_order_layers(
    variant: Variant, position: Position, orders: Orders, language: str = "fr"
) -> tuple[str, str]:
    """The two layers that orders alone change, before they are judged: their lines, and the marks."""
    scene = _scene(variant, position, language)
    tasks = scene.drawn_orders(orders, ())
    routes = plan_routes(scene, tasks)
    return orders_group(scene, tasks, routes), marks_group(scene, tasks, routes)


def draw_empty_board(variant: Variant, language: str = "fr", *, labels: bool = True) -> str:
    """The board alone, with an empty group for each layer that a page fills."""
    captions.check_language(language)
    empty = MapLayers(*(layer_group(name) for name in ("owners", "orders", "units", "marks")))
    return _framed(variant, language, empty, base_map.load_base_map(variant).box, labels=labels)


def frame_layers(variant: Variant, layers: MapLayers, language: str = "fr") -> str:
    """The board with the layers that `draw_layers` has drawn: what `draw_board` gives without a caption."""
    captions.check_language(language)
    return _framed(variant, language, layers, base_map.load_base_map(variant).box, labels=True)


def draw_board(
    variant: Variant,
    position: Position,
    *,
    verdicts: Iterable[Verdict] = (),
    orders: Orders = (),
    contested: Iterable[str] = (),
    language: str = "fr",
    labels: bool = True,
    owners: bool = True,
    title: str | None = None,
    caption: bool = True,
    legend: bool = True,
) -> str:
    """A position as an SVG to be kept or printed, with its orders and what became of them.

    `position` is the one the orders were given in; `orders` either a list or the list of each power.
    `contested` names the provinces that these orders left empty by a standoff. `caption` adds a heading
    (`title`, or the variant's, and the phase) and, with `legend`, a legend around the board.
    Raises InvalidPosition for a position that cannot stand on the board, UnknownName for a language.
    """
    position = replace(position, contested=position.contested.union(contested))
    verdicts = tuple(verdicts)
    orders = orders if isinstance(orders, Mapping) else tuple(orders)
    drawn = draw_layers(variant, position, verdicts=verdicts, orders=orders, language=language)
    if not owners:
        drawn = MapLayers(layer_group("owners"), drawn.orders, drawn.units, drawn.marks)
    box = base_map.load_base_map(variant).box
    if not caption:
        return _framed(variant, language, drawn, box, labels=labels)
    scene = MapScene(variant, position, language)
    top, high = draw_heading(scene, variant.title[language] if title is None else title, box)
    tasks = scene.drawn_orders(orders, verdicts)
    bottom, tall = draw_legend(scene, tasks, box) if legend else ("", 0.0)
    frame = (box[0], box[1] - high, box[2], box[3] + high + tall)
    return _framed(variant, language, drawn, frame, labels=labels, around=top + "\n" + bottom + "\n")


@dataclass(frozen=True)
class DrawingSeries:
    """One position with several outcomes: what the drawings share, and the layers of each.

    `style` is their style sheet; `under` and `over` lie below the lines of the orders and above them.
    """

    box: tuple[float, ...]
    style: str
    under: str
    over: str
    drawn: tuple[MapLayers, ...]


def draw_series(
    variant: Variant,
    position: Position,
    outcomes: Iterable[tuple[Iterable[Verdict], Iterable[str]]],
    *,
    language: str = "fr",
) -> DrawingSeries:
    """Draw what became of the same orders several times; each outcome has its verdicts and its standoffs.

    Raises what `draw_layers` raises.
    """
    drawn = tuple(
        draw_layers(variant, position, verdicts=verdicts, contested=contested, language=language)
        for verdicts, contested in outcomes
    )
    shared = draw_layers(variant, position, language=language)
    under = (
        base_map.map_group(variant, language),
        shared.owners,
        base_map.borders_group(variant),
        base_map.centres_group(variant),
    )
    over = (base_map.labels_group(variant, language), shared.units)
    box = tuple(base_map.load_base_map(variant).box)
    return DrawingSeries(box, _style(variant), "\n".join(under), "\n".join(over), drawn)


def _style(variant: Variant) -> str:
    return f"{map_style.default_variables()}\n{base_map.load_base_map(variant).style}\n{map_style.BOARD_CSS}"


def _scene(variant: Variant, position: Position, language: str) -> MapScene:
    captions.check_language(language)
    check_position(variant.board, position)
    return MapScene(variant, position, language)


def _framed(
    variant: Variant, language: str, drawn: MapLayers, box: Iterable[float], *, labels: bool, around: str = ""
) -> str:
    sizes = " ".join(map(format_coordinate, box))
    groups = (
        base_map.map_group(variant, language),
        drawn.owners,
        base_map.borders_group(variant),
        base_map.centres_group(variant),
        drawn.orders,
        base_map.labels_group(variant, language) if labels else layer_group("labels"),
        drawn.units,
        drawn.marks,
    )
    name = f'role="group" lang="{escape_text(language)}" aria-label="{escape_text(variant.title[language])}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{sizes}" {name}>'
    style = f"<style>\n{_style(variant)}</style>"
    views = (view for view in (insets_group(variant, language),) if view)
    return "\n".join((head, style, *groups, *views)) + f"\n{around}</svg>\n"
