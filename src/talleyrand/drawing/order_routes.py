"""Where the lines of the orders run.

Moves come first, then what is drawn onto them: convoys, supports. Every line is chosen among a few
so that it covers as little as possible of units, labels and earlier lines.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from talleyrand.engine.orders import Convoy, Move, Retreat, Support
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import UnitName, province_of

from .geometry import (
    Point,
    Track,
    curved_track,
    cut_at_disc,
    nearest_distance,
    point_along,
    smooth_track,
    track_length,
    trim_track,
)
from .map_scene import DrawnOrder, MapScene
from .overlap import OverlapTracker
from .unit_symbols import BADGE, REACH

BULGES = (0.0, 9.0, -9.0, 17.0, -17.0, 26.0, -26.0, 38.0, -38.0)
STEEPEST = 0.35  # the largest bulge, in lengths of the straight way
RIGHT = (7.0, 10.0, 17.0, 26.0, 38.0)  # for a line that another follows the opposite way
NEIGHBOURS = 5.0  # between units that stand closer, in reaches, a line may bulge as it needs
JOINTS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)  # of what is seen of the line that a support ends on
LEG_END = 14.0  # what is left free of waves at both ends of a convoy
CROWDED = 1.5  # orders for each centre: among more than any game has, lines run as they come
HEAD = 22.0  # what an arrow's head and its mark need at the end


@dataclass(frozen=True)
class OrderRoute:
    """The lines of one order.

    `track` is the main line; `onward` what a support or a convoy says of a move nobody ordered;
    `legs` the stretch of the army's way that a convoying fleet answers for.
    """

    track: Track = ()
    onward: Track = ()
    legs: Track = ()


def plan_routes(scene: MapScene, tasks: Sequence[DrawnOrder]) -> tuple[OrderRoute, ...]:
    """The route of each task, in their order; an empty one where the map lacks a place."""
    return RoutePlanner(scene, tasks).routes()


class RoutePlanner:
    """The routes found so far, by the number of their task."""

    def __init__(self, scene: MapScene, tasks: Sequence[DrawnOrder]) -> None:
        self.scene, self.tasks = scene, tasks
        self.clutter = OverlapTracker(scene)
        self.crowded = len(tasks) > CROWDED * len(scene.variant.board.centres)
        self.gap = (REACH + 1.5) * scene.scale
        self.found: dict[int, OrderRoute] = {}
        self.moves: dict[tuple[str, str], Track] = {}
        self.stages: dict[Track, tuple[float, ...]] = {}
        self.pairs = {(unit.province, province_of(to)) for unit, to in map(_walk, tasks) if unit and to}

    def routes(self) -> tuple[OrderRoute, ...]:
        # Moves are laid twice: the first ones did not know yet where the others would run.
        again = () if self.crowded else (self._move,)
        for wanted in (self._move, *again, self._retreat, self._convoy, self._support):
            for number, task in enumerate(self.tasks):
                if wanted == self._move and number in self.found:
                    self.clutter.forget(self.found[number].track)
                route = wanted(task)
                if route:
                    self.found[number] = route
        return tuple(self.found.get(number, OrderRoute()) for number in range(len(self.tasks)))

    def _move(self, task: DrawnOrder) -> OrderRoute | None:
        order = task.order
        if not isinstance(order, Move):
            return None
        fleets = self._fleets(task, order)
        track = self._over(order, fleets) if fleets else self._direct(task, order)
        if track:
            self.moves[order.unit.province, province_of(order.to)] = track
            spots = [spot for fleet in fleets if (spot := self.scene.spot(fleet)) is not None]
            self.stages[track] = tuple(nearest_distance(track, spot) for spot in spots)
        return OrderRoute(track)

    def _direct(self, task: DrawnOrder, order: Move) -> Track:
        start, end = nearest_pair(self.scene.spots(order.unit), self.scene.spots_of_location(order.to))
        if start is None or end is None:
            return ()
        met = (province_of(order.to), order.unit.province) in self.pairs
        return self._clear(start, end, RIGHT if met else BULGES, stopped=OrderResult.BOUNCES in task.results)

    def _clear(self, start: Point, end: Point, bulges: Iterable[float], *, stopped: bool = False) -> Track:
        """The best of the lines between two points; it ends before a unit there, or a mark before it."""
        scale, apart = self.scene.scale, abs(end - start)
        gap = self.gap + stopped * BADGE * scale
        close = apart < NEIGHBOURS * self.clutter.reach
        steepest = max(apart * STEEPEST, (RIGHT[-1] if close else RIGHT[0]) * scale)
        bulges = [bulge * scale for bulge in bulges if abs(bulge) * scale <= steepest]
        lines = [curved_track(start, end, bulge) for bulge in (bulges[:1] if self.crowded else bulges)]
        return self.clutter.choose(
            cut_at_disc(line, end, gap) or trim_track(line, 0, track_length(line) * 0.45) for line in lines
        )

    def _over(self, order: Move | Convoy, fleets: Sequence[UnitName]) -> Track:
        """The way of an army over the fleets that carry it."""
        army = order.unit if isinstance(order, Move) else order.target
        points = _chained(
            [self.scene.spots(army), *map(self.scene.spots, fleets), self.scene.spots_of_location(order.to)]
        )
        if not points:
            return ()
        track = smooth_track(points)
        track = trim_track(track, 0, min(self.gap, track_length(track) * 0.4))
        self.clutter.add(track)
        return track

    def _fleets(self, task: DrawnOrder, order: Move) -> tuple[UnitName, ...]:
        """The shortest chain of fleets that would carry this move, () if it goes by land or there is none."""
        if not self._at_sea(task, order):
            return ()
        carriers = {
            other.order.unit.province: other.order.unit
            for other in self.tasks
            if isinstance(other.order, Convoy) and _carries(other.order, order)
        }
        chain = _chain(self.scene, order.unit.province, province_of(order.to), carriers)
        return tuple(carriers[code] for code in chain)

    def _at_sea(self, task: DrawnOrder, order: Move) -> bool:
        """Whether the move goes by convoy, as far as is known."""
        board = self.scene.variant.board
        if order.unit.kind not in board.kinds or not board.kinds[order.unit.kind].convoyable:
            return False
        if task.verdict and task.verdict.route:
            return task.verdict.route == "sea"
        near = board.adjacent_provinces[order.unit.kind].get(order.unit.location, frozenset())
        return order.via or province_of(order.to) not in near

    def _retreat(self, task: DrawnOrder) -> OrderRoute | None:
        if not isinstance(task.order, Retreat):
            return None
        start, end = self.scene.retreat_spot(task.order.unit), self.scene.point(task.order.to)
        return OrderRoute(() if start is None or end is None else self._clear(start, end, BULGES))

    def _convoy(self, task: DrawnOrder) -> OrderRoute | None:
        order = task.order
        if not isinstance(order, Convoy):
            return None
        fleet = self.scene.spot(order.unit)
        way = self._way(order.target, order.to)
        carried = bool(way) and fleet is not None and _passes(way, fleet)
        track = way if carried else self._over(order, (order.unit,))
        if fleet is None or not track:
            return OrderRoute()
        return OrderRoute(
            onward=() if carried else track,
            legs=_leg(track, fleet, self.stages.get(way, ()), LEG_END * self.scene.scale),
        )

    def _support(self, task: DrawnOrder) -> OrderRoute | None:
        order = task.order
        if not isinstance(order, Support):
            return None
        start, target = nearest_pair(self.scene.spots(order.unit), self.scene.spots(order.target))
        if start is None or target is None:
            return OrderRoute()
        if order.to is None:
            return OrderRoute(self._to_unit(order, start, target))
        way = self._way(order.target, order.to)
        if way:
            start, _ = nearest_pair(self.scene.spots(order.unit), (point_along(way, track_length(way) / 2),))
            return OrderRoute(self._onto(start or target, way))
        target, end = nearest_pair((target,), self.scene.spots_of_location(order.to))
        if target is None or end is None:
            return OrderRoute()
        onward = self._clear(target, end, BULGES)
        return OrderRoute(self._onto(start, onward), onward)

    def _to_unit(self, order: Support, start: Point, target: Point) -> Track:
        met = (order.target.province, order.unit.province) in self.pairs
        return self._clear(start, target, RIGHT if met else BULGES)

    def _onto(self, start: Point, way: Track) -> Track:
        """From a supporting unit to a point of the way it helps along."""
        whole, hidden = track_length(way), self.clutter.reach
        seen = max(whole - hidden, whole * 0.3)
        furthest = max(whole - HEAD * self.scene.scale, whole - seen / 2)
        joints = [point_along(way, min(whole - seen * (1 - part), furthest)) for part in JOINTS]
        bulges = [bulge * self.scene.scale for bulge in BULGES]
        return self.clutter.choose(curved_track(start, joint, bulge) for joint in joints for bulge in bulges)

    def _way(self, unit: UnitName, to: str) -> Track:
        """The drawn way of the move that an order speaks of, () if there is none."""
        return self.moves.get((unit.province, province_of(to)), ())


def nearest_pair(starts: Sequence[Point], ends: Sequence[Point]) -> tuple[Point | None, Point | None]:
    """The start and the end that are nearest to each other, of those that stand for the same place."""
    pairs = [(start, end) for start in starts for end in ends]
    return min(pairs, key=lambda pair: abs(pair[0] - pair[1]), default=(None, None))


def _chained(stops: Sequence[Sequence[Point]]) -> list[Point]:
    """A way through all the stops, each where it is nearest to the one before; none if one is missing."""
    if not all(stops):
        return []
    first, _ = nearest_pair(stops[0], stops[1])
    points = [first] if first is not None else []
    for stop in stops[1:]:
        points.append(min(stop, key=lambda spot: abs(spot - points[-1])))
    return points


def _walk(task: DrawnOrder) -> tuple[UnitName | None, str | None]:
    """From where to where the straight line of an order runs."""
    match task.order:
        case Move(unit, to) | Retreat(unit, to):
            return unit, to
        case Support(unit, target, None):
            return unit, target.province
    return None, None


def _carries(convoy: Convoy, move: Move) -> bool:
    wanted = (move.unit.province, province_of(move.to))
    return (convoy.target.province, province_of(convoy.to)) == wanted


def _leg(track: Track, fleet: Point, stages: Sequence[float], margin: float) -> Track:
    """The stretch of a way that one of its fleets answers for: half way to the fleets next to it."""
    middle, whole = nearest_distance(track, fleet), track_length(track)
    before = [stage for stage in stages if stage < middle - 1]
    beyond = [stage for stage in stages if stage > middle + 1]
    start = (max(before) + middle) / 2 if before else margin
    end = (min(beyond) + middle) / 2 if beyond else whole - margin
    return trim_track(track, start, whole - end)


def _passes(track: Track, point: Point) -> bool:
    return abs(point_along(track, nearest_distance(track, point)) - point) < 3


def _chain(scene: MapScene, start: str, end: str, carriers: Iterable[str]) -> tuple[str, ...]:
    """The shortest chain of the carriers' provinces from start to end."""
    near = scene.variant.board.neighbours
    free = sorted(carriers)
    queue: deque[tuple[str, ...]] = deque((code,) for code in free if code in near.get(start, ()))
    seen = {chain[0] for chain in queue}
    while queue:
        chain = queue.popleft()
        if end in near.get(chain[-1], ()):
            return chain
        for code in free:
            if code not in seen and code in near.get(chain[-1], ()):
                seen.add(code)
                queue.append((*chain, code))
    return ()
