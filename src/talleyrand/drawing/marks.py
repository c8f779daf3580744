"""The layer of marks: what became of each order, told by shapes, and where a standoff left nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from talleyrand.engine.orders import Disband
from talleyrand.engine.outcome import OrderResult

from . import captions
from .geometry import Point, point_along, track_length
from .map_scene import DrawnOrder, MapScene
from .order_layer import describe_drawn_order, order_attributes
from .order_routes import OrderRoute
from .overlap import covers_label
from .svg_markup import element, layer_group, title_element
from .unit_symbols import cross_symbol, result_badge
from .units import place_transform

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
    places = (_on_line(route, result) for result in shown)
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
    return _placed(scene, task, glyph, result_badge(glyph), place_transform(spot, size))


def _cross(scene: MapScene, task: DrawnOrder, spot: Point) -> str:
    """The cross over a unit that leaves the board, by an order or by the rules."""
    wanted = isinstance(task.order, Disband) and not task.results
    if not wanted and not CROSSED_OUT_RESULTS.intersection(task.results):
        return ""
    return _placed(scene, task, "leaves", cross_symbol(), place_transform(spot, scene.scale))


def _placed(scene: MapScene, task: DrawnOrder, kind: str, shape: str, transform: str) -> str:
    said = title_element(describe_drawn_order(scene, task))
    return element("g", said, shape, class_=f"mark {kind}", **order_attributes(task), transform=transform)
