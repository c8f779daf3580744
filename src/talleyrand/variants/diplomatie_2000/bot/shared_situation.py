"""What everybody sees alike: who owns what, who could come where, how near each state is to its goal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from talleyrand.engine.board import Board
from talleyrand.engine.position import Position
from talleyrand.variants.diplomatie_2000.political_state import centre_owners, political_state_of
from talleyrand.variants.diplomatie_2000.state_table import UN
from talleyrand.variants.diplomatie_2000.year_end import state_score


@dataclass(frozen=True, eq=False)
class SharedSituation:
    """A position in numbers.

    `owner` of each centre; `possible_attackers`: for each province, how many units of each state stand there
    or could go there; `pressure`: by how many units one state could enter centres of another; `lead`: the
    part of its goal that each state in the game has reached.
    """

    board: Board
    position: Position
    owner: Mapping[str, str]
    possible_attackers: Mapping[str, Counter[str]]
    pressure: Counter[tuple[str, str]]
    lead: Mapping[str, float]


_latest: list[SharedSituation] = []


def shared_situation(board: Board, position: Position) -> SharedSituation:
    """The situation of a position; the last one is kept, as every seat asks for it in turn."""
    kept = _latest[:1]
    if not kept or kept[0].position is not position or kept[0].board is not board:
        kept = _latest[:] = [_seen(board, position)]
    return kept[0]


def _seen(board: Board, position: Position) -> SharedSituation:
    affairs, owner = political_state_of(position), centre_owners(board, position)
    strikers: dict[str, Counter[str]] = defaultdict(Counter)
    pressure = Counter[tuple[str, str]]()
    for unit in position.units:
        if unit.kind != "M" and unit.power != UN:
            near = {unit.province, *board.adjacent_provinces[unit.kind][unit.location]}
            for code in near:
                strikers[code][unit.power] += 1
            threatened = {owner[code] for code in near if code in owner} - {unit.power}
            pressure.update((unit.power, victim) for victim in threatened)
    lead = {
        state: max(0, state_score(position, state)["total"]) / affairs.points_to_win
        for state in board.powers
        if state not in affairs.eliminated
    }
    return SharedSituation(board, position, owner, dict(strikers), pressure, lead)
