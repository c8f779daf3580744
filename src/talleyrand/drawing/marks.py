"""The layer of marks: what became of each order, told by shapes, and where a stand-off left nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from talleyrand.engine.orders import Disband
from talleyrand.engine.outcome import Result

from . import words
from .arrows import attributes, told
from .clutter import on_label
from .geometry import Point, along, length
from .markup import element, layer, title
from .routes import Route
from .scene import Scene, Task
from .symbols import badge, cross
from .units import placed

GLYPHS: Mapping[str, str] = {
    Result.BOUNCES: "bounces",
    Result.SUPPORT_GIVEN: "support_given",
    Result.SUPPORT_CUT: "support_cut",
    Result.SUPPORT_VOID: "void",
    Result.CONVOYS: "convoys",
    Result.CONVOY_VOID: "void",
    Result.CONVOY_DISRUPTED: "convoy_disrupted",
    Result.ILLEGAL: "illegal",
    Result.DISLODGED: "dislodged",
    Result.DESTROYED: "destroyed",
    Result.BUILDS: "builds",
    Result.BUILD_VOID: "void",
    Result.BUILD_IGNORED: "void",
    Result.REMOVAL_IGNORED: "void",
}
CROSSED = frozenset((Result.DISBANDED, Result.REMOVED))
CORNERS = (11 - 9j, -11 - 9j, 11 + 9j, -11 + 9j)  # where the marks at a unit go, the first one first
ON_LINE = frozenset(
    (Result.BOUNCES, Result.SUPPORT_GIVEN, Result.SUPPORT_CUT, Result.SUPPORT_VOID, Result.CONVOY_DISRUPTED)
)
QUIET = frozenset(("support_given", "convoys"))  # what went as ordered is told in a lower voice
SMALL = 0.8
SWORDS = "M-7 -7L5 5M7 -7L-5 5M-7.5 2.5L-2.5 7.5M7.5 2.5L2.5 7.5"


def mark_layer(scene: Scene, tasks: Sequence[Task], routes: Sequence[Route]) -> str:
    """Contested provinces first, then the marks of each order."""
    contested = [_contested(scene, code) for code in sorted(scene.position.contested)]
    marks = [_marks(scene, task, route) for task, route in zip(tasks, routes, strict=True)]
    return layer("marks", *contested, *marks)


def _contested(scene: Scene, code: str) -> str:
    left_later = code in scene.position.at
    spot = scene.point(code, "retreat" if left_later else "unit") or scene.point(code)
    if spot is None:
        return ""
    name = words.place(scene.variant, scene.language, code)
    said = title(words.say(scene.language, "{place}: left empty by a stand-off", place=name))
    where = placed(spot, scene.scale)
    return element("g", said, swords(), class_="mark contested", data_province=code, transform=where)


def swords() -> str:
    """Two crossed swords: a stand-off."""
    return element("path", class_="halo", d=SWORDS) + element("path", class_="swords", d=SWORDS)


def _marks(scene: Scene, task: Task, route: Route) -> str:
    if task.unit is None:
        return ""
    lying = task.unit in scene.fallen
    home = scene.refuge(task.unit) if lying else scene.spot(task.unit)
    if home is None:
        return ""
    corners = iter(sorted((home + corner * scene.scale for corner in CORNERS), key=partial(on_label, scene)))
    told_already = lying or Result.DESTROYED in task.results
    shown = [r for r in task.results if r in GLYPHS and not (told_already and r is Result.DISLODGED)]
    places = (_on_line(route, result) for result in shown)
    out = [
        _mark(scene, task, GLYPHS[result], next(corners) if spot is None else spot)
        for result, spot in zip(shown, places, strict=True)
    ]
    return "\n".join([_cross(scene, task, home), *out]).strip()


def _on_line(route: Route, result: str) -> Point | None:
    """Where on its line a result shows: at the end, or in the middle of a line that was broken."""
    if not route.track or result not in ON_LINE:
        return None
    if result in (Result.SUPPORT_GIVEN, Result.BOUNCES):
        return route.track[-1]
    return along(route.track, length(route.track) / 2)


def _mark(scene: Scene, task: Task, glyph: str, spot: Point) -> str:
    size = scene.scale * (SMALL if glyph in QUIET else 1)
    return _placed(scene, task, glyph, badge(glyph), placed(spot, size))


def _cross(scene: Scene, task: Task, spot: Point) -> str:
    """The cross over a unit that leaves the board, by an order or by the rules."""
    wanted = isinstance(task.order, Disband) and not task.results
    if not wanted and not CROSSED.intersection(task.results):
        return ""
    return _placed(scene, task, "leaves", cross(), placed(spot, scene.scale))


def _placed(scene: Scene, task: Task, kind: str, shape: str, transform: str) -> str:
    said = title(told(scene, task))
    return element("g", said, shape, class_=f"mark {kind}", **attributes(task), transform=transform)
