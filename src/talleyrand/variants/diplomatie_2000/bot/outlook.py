"""What a seat thinks of every state: who threatens it, who helps it, who is about to win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from talleyrand.engine.board import Board
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.protocols import BotView
from talleyrand.engine.rulebook import Rulebook
from talleyrand.variants.diplomatie_2000.affairs import Affairs, affairs_of, owners
from talleyrand.variants.diplomatie_2000.reckoning import allowance, score
from talleyrand.variants.diplomatie_2000.states import UN, states

OWN, SHORT = 1.5, 1.5
"""How well a state wishes itself, and how much better where it may not keep all its units."""
AID_PAID, AID_PROMISED = 2.0, 0.5
LOST_HOME, LEADER, ALLY, WHIM = 2.0, 6.0, 0.15, 0.2
PRESSED = 1.5


@dataclass(frozen=True)
class Outlook:
    """The world as one seat sees it.

    `regard`: above zero for those whom it wishes well; `threat`: how many units of each state could enter
    its centres; `danger`: by how many foreign units each of its centres and units could be attacked.
    """

    board: Board
    position: Position
    seat: str
    book: Rulebook
    regard: Mapping[str, float]
    threat: Mapping[str, int]
    danger: Mapping[str, int]

    @property
    def affairs(self) -> Affairs:
        """What is on record."""
        return affairs_of(self.position)

    @property
    def others(self) -> list[str]:
        """The other states in the game, the best liked first."""
        return sorted(
            (state for state in self.regard if state != self.seat),
            key=lambda state: (-self.regard[state], state),
        )

    def goodwill(self, owner: str | None) -> float:
        """What good fortune of somebody is worth to the seat, its own most."""
        return self.regard.get(owner or "", 0.0)

    @property
    def pressed(self) -> bool:
        """Whether more foreign units stand before its centres than it has itself."""
        own = sum(unit.power == self.seat for unit in self.position.units)
        return sum(self.danger.values()) > PRESSED * max(1, own)

    def rivals(self, code: str, of: str) -> int:
        """How many units of others could enter a province against its holder."""
        return sum(
            unit.power != of and unit.kind != "M" and code in self.board.reach[unit.kind][unit.location]
            for unit in self.position.units
        )


def outlook(board: Board, position: Position, seat: str, book: Rulebook, view: BotView) -> Outlook:
    """What a seat thinks of the world; chance tips the scale between equals."""
    affairs = affairs_of(position)
    playing = [state for state in board.powers if state not in affairs.eliminated]
    pressure = _pressure(board, position)
    lead = {state: max(0, score(position, state)["total"]) / affairs.goal for state in playing}
    regard = {
        state: _regard(board, position, seat, state, pressure)
        - (LEADER * lead[state] ** 3 if state != seat else 0.0)
        + _whim(view)
        for state in playing
    }
    threat = {state: pressure[state, seat] for state in playing}
    return Outlook(board, position, seat, book, regard, threat, _danger(board, position, seat))


def _whim(view: BotView) -> float:
    return WHIM * (view.below(1001) / 500 - 1)


def _regard(
    board: Board, position: Position, seat: str, state: str, pressure: Mapping[tuple[str, str], int]
) -> float:
    """How well a seat wishes a state, its points aside."""
    if seat == UN:  # the weak come first
        base = states()[state].base
        return 2.0 * (base - len(position.owned_by(state))) / base
    if seat == state:
        return OWN
    affairs = affairs_of(position)
    paid = states()[state].aid_points(len(position.owned_by(state)))
    named = [place for place, to in enumerate(affairs.aid.get(state, ())) if to == seat]
    helps = sum(AID_PAID if place < paid else AID_PROMISED for place in named)
    lost = len(set(board.homes[seat]) & set(position.owned_by(state)))
    allied = sum(min(pressure[foe, seat], pressure[state, foe]) for foe in board.powers if foe != state)
    return helps + ALLY * allied - 0.5 * pressure[state, seat] - LOST_HOME * lost


def _pressure(board: Board, position: Position) -> Counter[tuple[str, str]]:
    """By how many units each state could enter centres of each other one."""
    owned, found = owners(board, position), Counter[tuple[str, str]]()
    for unit in _striking(position.units):
        near = {unit.province, *board.reach[unit.kind][unit.location]}
        threatened = {owned[code] for code in near if code in owned} - {unit.power}
        found.update((unit.power, victim) for victim in threatened)
    return found


def _danger(board: Board, position: Position, seat: str) -> dict[str, int]:
    """The seat's centres and units with the number of foreign units that could come there."""
    own = {unit.province for unit in position.units if unit.power == seat and unit.kind != "M"}
    held, found = own | set(position.owned_by(seat)), Counter[str]()
    for unit in _striking(position.units):
        if unit.power != seat:
            found.update(held & {unit.province, *board.reach[unit.kind][unit.location]})
    return dict(found)


def _striking(units: Iterable[Unit]) -> Iterable[Unit]:
    """The units that take orders from a state."""
    return (unit for unit in units if unit.kind != "M" and unit.power != UN)


def is_short(position: Position, state: str) -> bool:
    """Whether a state has more units than it may keep."""
    granted = allowance(position, state)
    return granted["allowed"] < granted["units"]
