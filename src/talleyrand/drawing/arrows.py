"""The layer of orders: one group an order, with its words, its normal form and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from talleyrand.engine.orders import Build, Disband, Hold
from talleyrand.engine.outcome import Result
from talleyrand.engine.position import Unit, UnitName

from . import words
from .geometry import Track, cut, heading, length, path, wave
from .looks import variable
from .markup import element, layer, title
from .routes import Route
from .scene import Scene, Task
from .symbols import OCTAGON
from .units import drawn, placed

FAILED = frozenset(
    (
        Result.BOUNCES,
        Result.CONVOY_DISRUPTED,
        Result.CONVOY_VOID,
        Result.SUPPORT_CUT,
        Result.SUPPORT_VOID,
        Result.DISBANDED,
        Result.BUILD_VOID,
        Result.BUILD_IGNORED,
        Result.REMOVAL_IGNORED,
    )
)
DEPTHS = {"convoy": 1, "support": 2, "retreat": 3, "move": 4}
TIP = 8.0  # the length of an arrow's head
RING = 13.6


def order_layer(scene: Scene, tasks: Sequence[Task], routes: Sequence[Route]) -> str:
    """Every order once. Lines that lie flat (supports, convoys) come below the arrows of moves."""
    pairs = sorted(zip(tasks, routes, strict=True), key=lambda pair: _depth(pair[0]))
    return layer("orders", *(_order(scene, task, route) for task, route in pairs))


def told(scene: Scene, task: Task) -> str:
    """An order and its results in words."""
    if task.order is not None:
        what = words.order(scene.variant, scene.language, task.order)
    elif task.unit is not None:
        what = words.unit(scene.variant, scene.language, task.unit)
    else:
        what = words.say(scene.language, "no order")
    if task.power:
        what = f"{words.power(scene.variant, scene.language, task.power)} – {what}"
    results = ", ".join(words.result(scene.variant, scene.language, result) for result in task.results)
    return f"{what} ({results})" if results else what


def attributes(task: Task) -> dict[str, str | None]:
    """The attributes by which a script finds an order."""
    return {
        "data_unit": str(task.unit) if task.unit else None,
        "data_province": task.unit.province if task.unit else None,
        "data_power": task.power or None,
        "data_order": str(task.order) if task.order else None,
        "data_result": " ".join(task.results) if task.results else None,
    }


def kind_of(task: Task) -> str:
    """The kind of an order, as a class of style."""
    return type(task.order).__name__.lower() if task.order else "none"


def failed(task: Task) -> bool:
    return bool(FAILED.intersection(task.results))


def _depth(task: Task) -> int:
    return DEPTHS.get(kind_of(task), 0)


def _order(scene: Scene, task: Task, route: Route) -> str:
    fate = " illegal" if Result.ILLEGAL in task.results else " failed" if failed(task) else ""
    parts = (_still(scene, task), _onward(scene, route), _legs(scene, task, route), _line(scene, task, route))
    said = title(told(scene, task))
    return element("g", said, *parts, class_=f"order {kind_of(task)}{fate}", **attributes(task))


def _line(scene: Scene, task: Task, route: Route) -> str:
    if not route.track:
        return ""
    if kind_of(task) not in ("move", "retreat"):
        return _twice(path(route.track), scene.colour(task.power))
    if Result.BOUNCES in task.results:  # the mark stands where the head would be
        return _twice(path(route.track), scene.colour(task.power))
    return _arrow(scene, route.track, scene.colour(task.power))


def _arrow(scene: Scene, track: Track, colour: str) -> str:
    """A line with a head; the head's base hides the end of the line."""
    size = min(TIP * scene.scale, length(track) * 0.6)
    shaft = cut(track, 0, size * 0.8)
    tip, way = track[-1], heading(track, length(track) - size / 2)
    wings = (tip - way * size + way * 1j * size * 0.6, tip - way * size - way * 1j * size * 0.6)
    head = path((tip, wings[0], wings[1]), closed=True)
    return _twice(path(shaft), colour) + element("path", class_="head", d=head, fill=colour)


def _twice(data: str, colour: str) -> str:
    """A line with a dark rim, so that it shows on a ground of its own colour."""
    rim = element("path", class_="rim", d=data)
    return rim + element("path", class_="line", d=data, stroke=colour)


def _onward(scene: Scene, route: Route) -> str:
    """The move that a support or a convoy speaks of, when nobody ordered it."""
    if not route.onward:
        return ""
    return element("g", _arrow(scene, route.onward, variable("plain")), class_="unordered")


def _legs(scene: Scene, task: Task, route: Route) -> str:
    if not route.legs:
        return ""
    return _twice(wave(route.legs, 6 * scene.scale, 8 * scene.scale), scene.colour(task.power))


def _still(scene: Scene, task: Task) -> str:
    """What is drawn around a unit that doesn't go anywhere."""
    spot = scene.spot(task.unit) if task.unit else None
    if task.unit is None or spot is None:
        return ""
    if isinstance(task.order, Hold):
        return element("path", class_="stay", d=OCTAGON, transform=placed(spot, scene.scale))
    if isinstance(task.order, Build):
        ring = element("circle", class_="ring", r=RING, transform=placed(spot, scene.scale))
        return ring + _absent(scene, task.unit, task.power)
    if (isinstance(task.order, Disband) or Result.REMOVED in task.results) and task.unit not in scene.fallen:
        return _absent(scene, task.unit, task.power)
    return ""


def _absent(scene: Scene, named: UnitName, power: str) -> str:
    """A unit that is not on the board yet, or no longer; "" where one stands."""
    if named.province in scene.position.at:
        return ""
    return drawn(scene, Unit(named.kind, named.location, power), "ghost")
