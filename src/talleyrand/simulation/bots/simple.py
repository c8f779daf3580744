"""The two bots that do not think: `hold` and `random`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from talleyrand.simulation.codes import (
    BUILD,
    CONVOY,
    DISBAND,
    FALLEN_KIND,
    FALLEN_LOCATION,
    FALLEN_POWER,
    HOLD,
    KIND,
    LOCATION,
    MOVE,
    MOVEMENT,
    NONE,
    OVER,
    POWER,
    REMOVE,
    RETREAT,
    RETREATS,
    SHEET_ORDER,
    STAGE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    Cell,
    Cells,
    Masks,
)
from talleyrand.simulation.compiling import compiled, compiled_and_kept, edition
from talleyrand.simulation.world import Games

from .bot_protocol import Asked
from .facts import Facts, Ground
from .planning import write
from .streams import Stream, below
from .wintering import dues, is_free

DrawAll = Callable[[Ground, Cells, Masks, Masks, Masks, Asked, Cells, Stream], int]


class Hold:
    """Stays where it is, disbands what is dislodged, builds nothing; its removals are the book's choice."""

    name = "hold"

    def order(self, facts: Facts, games: Games, asked: Asked, orders: Cells, streams: Stream) -> None:  # noqa: ARG002 (Bot)
        """Write its orders (`registry.Bot`)."""
        stage = games.clock[:, STAGE]
        for at, kind, power, order in (
            (MOVEMENT, KIND, POWER, HOLD),
            (RETREATS, FALLEN_KIND, FALLEN_POWER, DISBAND),
        ):
            owner = np.minimum(games.places[:, power], asked.shape[1] - 1)
            theirs = np.take_along_axis(asked, owner.astype(np.int64), axis=1)
            mine = theirs & (games.places[:, kind] != NONE) & ((stage == at) & ~games.over)[:, None]
            orders[:, SHEET_ORDER][mine] = order


class Random:
    """Any legal order for each unit, of convoys those over one sea; builds and removes whatever it may."""

    name = "random"

    def order(self, facts: Facts, games: Games, asked: Asked, orders: Cells, streams: Stream) -> None:
        """Write its orders (`registry.Bot`)."""
        with np.errstate(over="ignore"):
            draw_all(
                facts.ground,
                games.places,
                games.escapes,
                games.clock,
                games.rights,
                asked,
                orders,
                streams.copy(),
            )


# moves --------------------------------------------------------------------------------------------


@compiled
def _draw_moves(f: Ground, places: Cells, power: int, sheet: Cells, lot: Stream) -> None:
    for unit in range(places.shape[1]):
        if places[KIND, unit] != NONE and places[POWER, unit] == power:
            write(sheet, unit, HOLD, NONE, NONE)
            seen = _draw_step(f, places, unit, sheet, 1, lot)
            seen = _draw_support(f, places, unit, sheet, seen, lot)
            _draw_passage(f, places, unit, sheet, seen, lot)


@compiled
def _draw(sheet: Cells, unit: Cell, order: int, target: Cell, goal: Cell, seen: int, lot: Stream) -> int:
    """Take one more order in the place of the one drawn so far, each as likely; gives how many were seen."""
    if below(lot, seen + 1) == 0:
        write(sheet, unit, order, target, goal)
    return seen + 1


@compiled
def _draw_step(f: Ground, places: Cells, unit: Cell, sheet: Cells, seen: int, lot: Stream) -> int:
    for i in range(f.table.near.shape[2]):
        step = f.table.near[places[KIND, unit], places[LOCATION, unit], i]
        if step == NONE:
            break
        seen = _draw(sheet, unit, MOVE, NONE, step, seen, lot)
    return seen


@compiled
def _draw_support(f: Ground, places: Cells, unit: Cell, sheet: Cells, seen: int, lot: Stream) -> int:
    reach = f.table.reach[places[KIND, unit], places[LOCATION, unit]]
    for other in range(places.shape[1]):
        if places[KIND, other] == NONE or other == unit:
            continue
        if reach[other]:
            seen = _draw(sheet, unit, SUPPORT_HOLD, other, NONE, seen, lot)
        for i in range(f.table.near.shape[2]):
            step = f.table.near[places[KIND, other], places[LOCATION, other], i]
            if step == NONE:
                break
            if reach[f.table.province[step]] and f.table.province[step] != unit:
                seen = _draw(sheet, unit, SUPPORT_MOVE, other, step, seen, lot)
    return seen


@compiled
def _draw_passage(f: Ground, places: Cells, unit: Cell, sheet: Cells, seen: int, lot: Stream) -> int:
    """Over one sea: of an army to the other shores, of a fleet for the armies round its sea."""
    for sea in range(places.shape[1]):
        fleet = places[KIND, sea]
        if fleet == NONE or not (f.table.sea[sea] and f.table.convoys[fleet]):
            continue
        for army in range(places.shape[1]):
            kind = places[KIND, army]
            carried = kind != NONE and f.convoyable[kind] and f.table.waters[army, sea]
            if not carried or (unit != army and unit != sea):
                continue
            for shore in range(places.shape[1]):
                if shore == army or not f.table.waters[shore, sea] or f.node[kind, f.place[shore]] == NONE:
                    continue
                if unit == sea:
                    seen = _draw(sheet, unit, CONVOY, army, f.place[shore], seen, lot)
                elif not f.table.reach[kind, places[LOCATION, army], shore]:
                    seen = _draw(sheet, unit, MOVE, NONE, f.place[shore], seen, lot)
    return seen


# retreats and winter ------------------------------------------------------------------------------


@compiled
def _draw_retreats(f: Ground, places: Cells, escapes: Masks, power: int, sheet: Cells, lot: Stream) -> None:
    for unit in range(places.shape[1]):
        kind = places[FALLEN_KIND, unit]
        if kind == NONE or places[FALLEN_POWER, unit] != power:
            continue
        write(sheet, unit, DISBAND, NONE, NONE)
        seen = 1
        for i in range(f.table.near.shape[2]):
            if escapes[unit] >> i & 1:
                step = f.table.near[kind, places[FALLEN_LOCATION, unit], i]
                seen = _draw(sheet, unit, RETREAT, NONE, step, seen, lot)


@compiled
def _draw_winter(
    f: Ground, places: Cells, due: tuple[int, int], power: int, sheet: Cells, lot: Stream
) -> None:
    for _ in range(due[1]):
        _draw_one(f, places, power, sheet, REMOVE, lot)
    for _ in range(due[0]):
        _draw_one(f, places, power, sheet, BUILD, lot)


@compiled
def _draw_one(f: Ground, places: Cells, power: int, sheet: Cells, order: int, lot: Stream) -> None:
    """One build, or one removal, in a column that is still free."""
    found, kind, place, seen = NONE, NONE, NONE, 0
    for n in range(len(f.nodes)):
        here = f.table.province[f.nodes[n, 1]]
        stands = places[KIND, here] == f.nodes[n, 0] and places[LOCATION, here] == f.nodes[n, 1]
        open_ = is_free(f, places, power, here) if order == BUILD else stands and places[POWER, here] == power
        if open_ and sheet[SHEET_ORDER, here] == NONE:
            if below(lot, seen + 1) == 0:
                found, kind, place = here, f.nodes[n, 0], f.nodes[n, 1]
            seen += 1
    if seen and order == BUILD:
        write(sheet, found, BUILD, kind, place)
    elif seen:
        write(sheet, found, REMOVE, NONE, NONE)


def _entry(made_from: int) -> DrawAll:
    """`draw_all` made from this edition of the sources, which Numba cannot tell by itself."""

    def draw_all(
        f: Ground,
        places: Cells,
        escapes: Masks,
        clock: Masks,
        rights: Masks,
        asked: Asked,
        orders: Cells,
        streams: Stream,
    ) -> int:
        """Draw orders for every power asked for, in games that are not over; gives the edition."""
        for game in range(places.shape[0]):
            stage = clock[game, STAGE]
            for power in range(asked.shape[1]):
                lot = streams[game, power : power + 1]
                if clock[game, OVER] or not asked[game, power]:
                    continue
                if stage == MOVEMENT:
                    _draw_moves(f, places[game], power, orders[game], lot)
                elif stage == RETREATS:
                    _draw_retreats(f, places[game], escapes[game], power, orders[game], lot)
                else:
                    due = dues(f, places[game], clock[game], rights[game], power)
                    _draw_winter(f, places[game], due, power, orders[game], lot)
        return made_from

    return compiled_and_kept(draw_all)


draw_all = _entry(edition(Path(__file__).parent))
