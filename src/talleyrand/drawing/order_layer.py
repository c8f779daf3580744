"""The layer of orders: one group an order, with its words, its normal form and what became of it.

And that of marks: what became of each order, told by shapes, and where a standoff left nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from talleyrand.engine.orders import Build, Disband, Hold
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import Unit, UnitName

from . import captions
from .geometry import (
    Point,
    Track,
    direction_along,
    path_data,
    point_along,
    track_length,
    trim_track,
    wave_path,
)
from .map_scene import DrawnOrder, MapScene
from .map_style import css_variable
from .order_routes import OrderRoute
from .overlap import covers_label
from .svg_markup import element, format_coordinate, layer_group, title_element
from .unit_symbols import OCTAGON, burst_symbol, cross_symbol, draw_unit, place_transform, result_badge

RESULT_GLYPHS: Mapping[str, str] = {
    OrderResult.BOUNCES: "bounces",
    OrderResult.SUPPORT_GIVEN: "support_given",
    OrderResult.SUPPORT_CUT: "support_cut",
    OrderResult.SUPPORT_VOID: "void",
    OrderResult.CONVOYS: "convoys",
    OrderResult.CONVOY_VOID: "void",
    OrderResult.CONVOY_DISRUPTED: "convoy_disrupted",
    OrderResult.ILLEGAL: "illegal",
    OrderResult.DISLODGED: "dislodged",
    OrderResult.DESTROYED: "destroyed",
    OrderResult.BUILDS: "builds",
    OrderResult.BUILD_VOID: "void",
    OrderResult.BUILD_IGNORED: "void",
    OrderResult.REMOVAL_IGNORED: "void",
}
CROSSED_OUT_RESULTS = frozenset((OrderResult.DISBANDED, OrderResult.REMOVED))
CORNERS = (11 - 9j, -11 - 9j, 11 + 9j, -11 + 9j)  # where the marks at a unit go, the first one first
RESULTS_ON_LINE = frozenset(
    (
        OrderResult.BOUNCES,
        OrderResult.SUPPORT_GIVEN,
        OrderResult.SUPPORT_CUT,
        OrderResult.SUPPORT_VOID,
        OrderResult.CONVOY_DISRUPTED,
    )
)
QUIET_GLYPHS = frozenset(("support_given", "convoys"))  # what went as ordered is told in a lower voice
QUIET_SCALE = 0.8
RESULTS_AROUND_UNIT = frozenset((OrderResult.DISLODGED, OrderResult.DESTROYED))
SWORDS = "M-7 -7L5 5M7 -7L-5 5M-7.5 2.5L-2.5 7.5M7.5 2.5L2.5 7.5"


def marks_group(scene: MapScene, tasks: Sequence[DrawnOrder], routes: Sequence[OrderRoute]) -> str:
    """Contested provinces first, then the marks of each order."""
    contested = [_contested(scene, code) for code in sorted(scene.position.contested)]
    marks = [_marks(scene, task, route) for task, route in zip(tasks, routes, strict=True)]
    return layer_group("marks", *contested, *marks)


def _contested(scene: MapScene, code: str) -> str:
    left_later = code in scene.position.units_by_province
    spot = scene.point(code, "retreat" if left_later else "unit") or scene.point(code)
    if spot is None:
        return ""
    name = captions.place_caption(scene.variant, scene.language, code)
    said = title_element(captions.translate(scene.language, "{place}: left empty by a standoff", place=name))
    where = place_transform(spot, scene.scale)
    return element("g", said, standoff_symbol(), class_="mark contested", data_province=code, transform=where)


def standoff_symbol() -> str:
    """Two crossed swords: a standoff."""
    return element("path", class_="halo", d=SWORDS) + element("path", class_="swords", d=SWORDS)


def _marks(scene: MapScene, task: DrawnOrder, route: OrderRoute) -> str:
    if task.unit is None:
        return ""
    lying = task.unit in scene.dislodged_units
    home = scene.retreat_spot(task.unit) if lying else scene.spot(task.unit)
    if home is None:
        return ""
    corners = iter(
        sorted((home + corner * scene.scale for corner in CORNERS), key=partial(covers_label, scene))
    )
    told_already = lying or OrderResult.DESTROYED in task.results
    shown = [
        r for r in task.results if r in RESULT_GLYPHS and not (told_already and r is OrderResult.DISLODGED)
    ]
    places = (home if result in RESULTS_AROUND_UNIT else _on_line(route, result) for result in shown)
    out = [
        _mark(scene, task, RESULT_GLYPHS[result], next(corners) if spot is None else spot)
        for result, spot in zip(shown, places, strict=True)
    ]
    return "\n".join([_cross(scene, task, home), *out]).strip()


def _on_line(route: OrderRoute, result: str) -> Point | None:
    """Where on its line a result shows: at the end, or in the middle of a line that was broken."""
    if not route.track or result not in RESULTS_ON_LINE:
        return None
    if result in (OrderResult.SUPPORT_GIVEN, OrderResult.BOUNCES):
        return route.track[-1]
    return point_along(route.track, track_length(route.track) / 2)


def _mark(scene: MapScene, task: DrawnOrder, glyph: str, spot: Point) -> str:
    size = scene.scale * (QUIET_SCALE if glyph in QUIET_GLYPHS else 1)
    shape = burst_symbol(glyph) if glyph in RESULTS_AROUND_UNIT else result_badge(glyph)
    return _placed(scene, task, glyph, shape, place_transform(spot, size))


def _cross(scene: MapScene, task: DrawnOrder, spot: Point) -> str:
    """The cross over a unit that leaves the board, by an order or by the rules."""
    wanted = isinstance(task.order, Disband) and not task.results
    if not wanted and not CROSSED_OUT_RESULTS.intersection(task.results):
        return ""
    return _placed(scene, task, "leaves", cross_symbol(), place_transform(spot, scene.scale))


def _placed(scene: MapScene, task: DrawnOrder, kind: str, shape: str, transform: str) -> str:
    said = title_element(describe_drawn_order(scene, task))
    return element("g", said, shape, class_=f"mark {kind}", **order_attributes(task), transform=transform)


DASHED_RESULTS = frozenset(
    (
        OrderResult.BOUNCES,
        OrderResult.CONVOY_DISRUPTED,
        OrderResult.CONVOY_VOID,
        OrderResult.SUPPORT_CUT,
        OrderResult.SUPPORT_VOID,
        OrderResult.DISBANDED,
        OrderResult.BUILD_VOID,
        OrderResult.BUILD_IGNORED,
        OrderResult.REMOVAL_IGNORED,
    )
)
LAYER_DEPTHS = {"convoy": 1, "support": 2, "retreat": 3, "move": 4}
ARROW_HEAD_LENGTH = 10.0  # the length of an arrow's head
KNOB = 3.2  # what a support ends with
LINE_UNIT = 10.0  # widths and dashes of lines are told in this, as em
BUILD_RING_RADIUS = 13.6


def orders_group(scene: MapScene, tasks: Sequence[DrawnOrder], routes: Sequence[OrderRoute]) -> str:
    """Every order once. Lines that lie flat (supports, convoys) come below the arrows of moves."""
    pairs = sorted(
        zip(tasks, routes, strict=True), key=lambda pair: LAYER_DEPTHS.get(order_css_class(pair[0]), 0)
    )
    drawn = (_order(scene, task, route) for task, route in pairs)
    return layer_group("orders", *drawn, font_size=round(LINE_UNIT * scene.scale, 2))


def describe_drawn_order(scene: MapScene, task: DrawnOrder) -> str:
    """An order and its results in words."""
    if task.order is not None:
        what = captions.order_caption(scene.variant, scene.language, task.order)
    elif task.unit is not None:
        what = captions.unit_caption(scene.variant, scene.language, task.unit)
    else:
        what = captions.translate(scene.language, "no order")
    if task.power:
        what = f"{captions.power_caption(scene.variant, scene.language, task.power)} – {what}"
    results = ", ".join(
        captions.result_caption(scene.variant, scene.language, result) for result in task.results
    )
    return f"{what} ({results})" if results else what


def order_attributes(task: DrawnOrder) -> dict[str, str | None]:
    """The attributes by which a script finds an order."""
    return {
        "data_unit": str(task.unit) if task.unit else None,
        "data_province": task.unit.province if task.unit else None,
        "data_power": task.power or None,
        "data_order": str(task.order) if task.order else None,
        "data_result": " ".join(task.results) if task.results else None,
    }


def order_css_class(task: DrawnOrder) -> str:
    """The kind of an order, as a class of style."""
    return type(task.order).__name__.lower() if task.order else "none"


def has_failed(task: DrawnOrder) -> bool:
    return bool(DASHED_RESULTS.intersection(task.results))


def _order(scene: MapScene, task: DrawnOrder, route: OrderRoute) -> str:
    fate = " illegal" if OrderResult.ILLEGAL in task.results else " failed" if has_failed(task) else ""
    parts = (_still(scene, task), _onward(scene, route), _legs(scene, task, route), _line(scene, task, route))
    said = title_element(describe_drawn_order(scene, task))
    return element("g", said, *parts, class_=f"order {order_css_class(task)}{fate}", **order_attributes(task))


def _line(scene: MapScene, task: DrawnOrder, route: OrderRoute) -> str:
    if not route.track:
        return ""
    colour = scene.colour(task.power)
    if order_css_class(task) in ("move", "retreat") and OrderResult.BOUNCES not in task.results:
        return _arrow(scene, route.track, colour)
    knob = ""  # where a move bounced, a mark stands at the end instead of the head
    if order_css_class(task) == "support":
        end = route.track[-1]
        at = {"cx": format_coordinate(end.real), "cy": format_coordinate(end.imag)}
        knob = element("circle", class_="head", fill=colour, **at, r=round(KNOB * scene.scale, 1))
    return _twice(path_data(route.track), colour) + knob


def _arrow(scene: MapScene, track: Track, colour: str) -> str:
    """A line with a head; the head's base hides the end of the line."""
    size = min(ARROW_HEAD_LENGTH * scene.scale, track_length(track) * 0.5)
    shaft = trim_track(track, 0, size * 0.8)
    tip, way = track[-1], direction_along(track, track_length(track) - size / 2)
    wings = (tip - way * size + way * 1j * size * 0.6, tip - way * size - way * 1j * size * 0.6)
    head = path_data((tip, wings[0], wings[1]), closed=True)
    return _twice(path_data(shaft), colour) + element("path", class_="head", d=head, fill=colour)


def _twice(data: str, colour: str) -> str:
    """A line with a dark rim, so that it shows on a ground of its own colour."""
    rim = element("path", class_="rim", d=data)
    return rim + element("path", class_="line", d=data, stroke=colour)


def _onward(scene: MapScene, route: OrderRoute) -> str:
    """The move that a support or a convoy speaks of, when nobody ordered it."""
    if not route.onward:
        return ""
    return element("g", _arrow(scene, route.onward, css_variable("plain")), class_="unordered")


def _legs(scene: MapScene, task: DrawnOrder, route: OrderRoute) -> str:
    if not route.legs:
        return ""
    return _twice(wave_path(route.legs, 6 * scene.scale, 8 * scene.scale), scene.colour(task.power))


def _still(scene: MapScene, task: DrawnOrder) -> str:
    """What is drawn around a unit that doesn't go anywhere."""
    spot = scene.spot(task.unit) if task.unit else None
    if task.unit is None or spot is None:
        return ""
    if isinstance(task.order, Hold):
        return element("path", class_="stay", d=OCTAGON, transform=place_transform(spot, scene.scale))
    if isinstance(task.order, Build):
        ring = element(
            "circle", class_="ring", r=BUILD_RING_RADIUS, transform=place_transform(spot, scene.scale)
        )
        return ring + _absent(scene, task.unit, task.power)
    if (
        isinstance(task.order, Disband) or OrderResult.REMOVED in task.results
    ) and task.unit not in scene.dislodged_units:
        return _absent(scene, task.unit, task.power)
    return ""


def _absent(scene: MapScene, named: UnitName, power: str) -> str:
    """A unit that is not on the board yet, or no longer; "" where one stands."""
    if named.province in scene.position.units_by_province:
        return ""
    return draw_unit(scene, Unit(named.kind, named.location, power), "ghost")
