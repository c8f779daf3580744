"""What places are worth to a power: the worth of centres, spread over the board step by step, compiled.

After the description of David Norman's DumbBot: each centre is worth the size of its owner, or that of the
power that threatens it; the worth spreads over neighbours round by round; near worth counts most; one's own
strength around a province adds to it, and that of the strongest rival takes from it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from talleyrand.simulation.codes import CENTRE, KIND, LOCATION, NONE, POWER, Bytes, Cell, Cells, Masks
from talleyrand.simulation.compiling import compiled

from .facts import Ground
from .weights import Floats, Weights

# Rows of a desk's counts and of its marks, a column for each province.
RIVALS, HELPED, OWN, COUNTS = range(4)


class Desk(NamedTuple):
    """Room to think in. `reach` (powers, P): the units of each power that could go to a province next.

    `sizes` (powers); `spread` (2, N) the worth of nodes in a round and the one before; `value` (N) what a
    node is worth to a power. `counts` (COUNTS, P) and the rest are those of `planning`.
    """

    reach: Masks
    sizes: Floats
    spread: Floats
    value: Floats
    counts: Masks
    taste: Floats
    lists: Cells
    seen: Bytes


def desk(ground: Ground) -> Desk:
    """A desk for one board."""
    powers, provinces = ground.homes.shape
    nodes, steps = len(ground.nodes), ground.table.near.shape[2]
    return Desk(
        np.zeros((powers, provinces), np.int64),
        np.zeros(powers),
        np.zeros((2, nodes)),
        np.zeros(nodes),
        np.zeros((COUNTS, provinces), np.int64),
        np.zeros((provinces, steps + 1)),
        np.zeros((8, provinces), np.uint16),
        np.zeros((4, provinces), np.uint8),
    )


@compiled
def look_around(f: Ground, w: Weights, d: Desk, places: Cells) -> None:
    """Count centres and reach: the same for every power."""
    d.reach[:] = 0
    d.sizes[:] = 0
    for province in range(places.shape[1]):
        owner = places[CENTRE, province]
        if owner != NONE:
            d.sizes[owner] += 1
        if places[KIND, province] != NONE:
            _reach_out(f, d, places, province)
    for power in range(len(d.sizes)):
        d.sizes[power] = (d.sizes[power] + w.size) ** 2


@compiled
def _reach_out(f: Ground, d: Desk, places: Cells, province: Cell) -> None:
    kind, power, location = places[KIND, province], places[POWER, province], places[LOCATION, province]
    before = NONE
    for i in range(f.table.near.shape[2]):
        step = f.table.near[kind, location, i]
        if step == NONE:
            break
        there = f.table.province[step]
        if there != before:
            d.reach[power, there] += 1
        before = there


@compiled
def appraise(f: Ground, w: Weights, d: Desk, places: Cells, power: Cell, season: int) -> None:
    """Fill `value` for one power. Season 0: centres change hands after the coming moves; 1: later."""
    scale = 0.0
    for size in d.sizes:
        scale += size / len(d.sizes)
    _find_rivals(d, places, power)
    for n in range(len(f.nodes)):
        province = f.table.province[f.nodes[n, 1]]
        d.spread[0, n] = _worth(f, w, d, places, power, province) / scale
        d.value[n] = w.near[season, 0] * d.spread[0, n]
    for turn in range(1, w.near.shape[1]):
        _spread(f, w, d, places, power, turn % 2)
        for n in range(len(f.nodes)):
            d.value[n] += w.near[season, turn] * d.spread[turn % 2, n]
    for n in range(len(f.nodes)):
        province = f.table.province[f.nodes[n, 1]]
        d.value[n] += w.strength * d.reach[power, province] - w.rivalry * d.counts[RIVALS, province]


@compiled
def _find_rivals(d: Desk, places: Cells, power: Cell) -> None:
    """The most units that any other power could bring against one in each province, its own there too."""
    for province in range(places.shape[1]):
        most = 0
        for other in range(d.reach.shape[0]):
            if other != power:
                here = places[KIND, province] != NONE and places[POWER, province] == other
                most = max(most, d.reach[other, province] + here)
        d.counts[RIVALS, province] = most


@compiled
def _worth(f: Ground, w: Weights, d: Desk, places: Cells, power: Cell, province: Cell) -> Cell:
    if not f.centre[province]:
        return 0.0
    owner = places[CENTRE, province]
    if owner == NONE:
        return (w.neutral + w.size) ** 2
    if owner != power:
        return d.sizes[owner]
    threat = 0.0
    for other in range(len(d.sizes)):
        here = places[KIND, province] != NONE and places[POWER, province] == other
        if other != power and (d.reach[other, province] or here):
            threat = max(threat, d.sizes[other])
    return w.defence * threat


@compiled
def _spread(f: Ground, w: Weights, d: Desk, places: Cells, power: Cell, new: int) -> None:
    """One round: a node takes in what its neighbours have, and the best shore that it may sail to."""
    for n in range(len(f.nodes)):
        total = d.spread[1 - new, n]
        for i in range(f.first_link[n], f.first_link[n + 1]):
            total += d.spread[1 - new, f.links[i]]
        best = 0.0
        for i in range(f.first_ferry[n], f.first_ferry[n + 1]):
            sea = f.ferries[i, 0]
            ready = places[KIND, sea] != NONE and places[POWER, sea] == power
            best = max(best, d.spread[1 - new, f.ferries[i, 1]] * (1.0 if ready else w.ferry))
        d.spread[new, n] = (total + best) / 6.0
