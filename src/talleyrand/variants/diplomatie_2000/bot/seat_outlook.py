"""What a seat thinks of every state: who threatens it, who helps it, who is about to win."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from talleyrand.engine.board import Board
from talleyrand.engine.politics_protocol import BotView
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.variants.diplomatie_2000.political_state import (
    UN,
    PoliticalState,
    centre_owners,
    political_state_of,
    state_rows,
)
from talleyrand.variants.diplomatie_2000.year_end import state_score, unit_allowance


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


OWN, SHORT = 1.5, 1.5
"""How well a state wishes itself, and how much better where it may not keep all its units."""
AID_PAID, AID_PROMISED = 2.0, 0.5
LOST_HOME, LEADER, ALLY, WHIM = 2.0, 6.0, 0.15, 0.2
PRESSED = 1.5


@dataclass(frozen=True)
class SeatOutlook:
    """The world as one seat sees it.

    `regard`: above zero for those whom it wishes well; `danger`: by how many foreign units each of its
    centres and units could be attacked.
    """

    situation: SharedSituation
    seat: str
    book: Rulebook
    regard: Mapping[str, float]
    danger: Mapping[str, int]

    @property
    def board(self) -> Board:
        """The board."""
        return self.situation.board

    @property
    def position(self) -> Position:
        """The position."""
        return self.situation.position

    @property
    def affairs(self) -> PoliticalState:
        """What is on record."""
        return political_state_of(self.position)

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
    def is_under_pressure(self) -> bool:
        """Whether more foreign units stand before its centres than it can well hold off."""
        own = sum(unit.power == self.seat for unit in self.position.units)
        return sum(self.danger.values()) > PRESSED * max(1, own)

    def rivals(self, code: str, of: str) -> int:
        """How many units of others could enter a province against its holder."""
        here = self.situation.possible_attackers.get(code, Counter())
        return here.total() - here[of]


def seat_outlook(board: Board, position: Position, seat: str, book: Rulebook, view: BotView) -> SeatOutlook:
    """What a seat thinks of the world; chance tips the scale between equals."""
    seen = shared_situation(board, position)
    foes = {state: seen.pressure[state, seat] for state in seen.lead if seen.pressure[state, seat]}
    regard = {
        state: _regard(seen, seat, state, foes) + WHIM * (view.random_below(1001) / 500 - 1)
        for state in seen.lead
    }
    return SeatOutlook(seen, seat, book, regard, _danger(seen, seat))


def _regard(seen: SharedSituation, seat: str, state: str, foes: Mapping[str, int]) -> float:
    """How well a seat wishes a state; nobody wishes well to whoever is about to win."""
    if seat == state:
        return OWN
    leads = LEADER * seen.lead[state] ** 3
    held = len(seen.position.owned_by(state))
    if seat == UN:  # the weak come first
        base = state_rows()[state].base
        return 2.0 * (base - held) / base - leads
    named = political_state_of(seen.position).aid.get(state, ())
    paid = state_rows()[state].aid_points(held)
    helps = sum(AID_PAID if place < paid else AID_PROMISED for place, to in enumerate(named) if to == seat)
    lost = sum(seen.owner.get(code) == state for code in seen.board.homes[seat])
    allied = sum(min(count, seen.pressure[state, foe]) for foe, count in foes.items() if foe != state)
    return helps + ALLY * allied - 0.5 * foes.get(state, 0) - LOST_HOME * lost - leads


def _danger(seen: SharedSituation, seat: str) -> dict[str, int]:
    """The seat's centres and units with the number of foreign units that are or could come there."""
    own = {unit.province for unit in seen.position.units if unit.power == seat and unit.kind != "M"}
    held = own | set(seen.position.owned_by(seat))
    here = {code: seen.possible_attackers[code] for code in sorted(held) if code in seen.possible_attackers}
    counted = {code: strikers.total() - strikers[seat] for code, strikers in here.items()}
    return {code: count for code, count in counted.items() if count}


def is_short(position: Position, state: str) -> bool:
    """Whether a state has more units than it may keep."""
    granted = unit_allowance(position, state)
    return granted["allowed"] < granted["units"]
