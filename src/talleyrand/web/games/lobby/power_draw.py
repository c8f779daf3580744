"""Powers drawn by lot from a seed, so that anybody can draw them again: pure.

1. The players are numbered from 1 in the order in which they joined.
2. Lots put the players in an order, and the powers in another.
3. In their order the players get, each, the power they wished most of those still free.
4. Those without a power by then get, in the same order, the powers left, in theirs.

The lot of a player or a power is SHA-256 of the JSON list `[seed, kind, name]` (ASCII, no blank), where
`kind` is "player" or "power"; the smallest comes first. Before wishes all have the same chances; to hide
or to feign a wish helps nobody, since nobody’s wish changes what comes before his turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

PlayerPreferences = Mapping[int, Sequence[str]]


@dataclass(frozen=True)
class PowerDraw:
    """What the lots said: the order of the players and of the powers, and who got what."""

    players: tuple[int, ...]
    powers: tuple[str, ...]
    power_by_player: Mapping[int, str]


def power_draw_seed(game_seed: str) -> str:
    """The seed of the powers’ draw; it may be told to all, and says nothing of the game’s own."""
    return _sha([game_seed, "powers"])


def draw_powers(
    seed: str, players: Sequence[int], powers: Sequence[str], wishes: PlayerPreferences
) -> PowerDraw:
    """Give each player one of the powers; raises ValueError where there are more players than powers."""
    if len(players) > len(powers):
        raise ValueError("more players than powers")
    order = tuple(sorted(players, key=lambda number: _sha([seed, "player", str(number)])))
    ranked = tuple(sorted(powers, key=lambda power: _sha([seed, "power", power])))
    given = _wished(order, ranked, wishes)
    left = (power for power in ranked if power not in given.values())
    unwished = {number: next(left) for number in order if number not in given}
    return PowerDraw(order, ranked, {**given, **unwished})


def _wished(order: Iterable[int], powers: Sequence[str], wishes: PlayerPreferences) -> dict[int, str]:
    given: dict[int, str] = {}
    for number in order:
        free = [one for one in wishes.get(number, ()) if one in powers and one not in given.values()]
        if free:
            given[number] = free[0]
    return given


def _sha(told: list[str]) -> str:
    return sha256(json.dumps(told, ensure_ascii=True, separators=(",", ":")).encode("ascii")).hexdigest()
