"""What a game of Escalation remembers: who has chosen and given back what, and whether homes are named.

Also the choices of whoever makes none, which the game's terms tell: ours, for the text says nothing of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from talleyrand.engine.board import Board
from talleyrand.engine.errors import InvalidPosition, TalleyrandError
from talleyrand.engine.position import Position

CHOSEN = {3: 8, 4: 6, 5: 5}
"""How many centres each chooses, by the number of players; one of them is given back."""

HOMES = 3
NEAR = 2
"""Spaces within which free centres count for the first choice of a player who is absent."""

ANSWER_ONLY_FIELDS = frozenset(("chosen", "drafted", "homes"))
"""What only goes out."""


class Choice(NamedTuple):
    """A centre that a power has chosen, or given back."""

    power: str
    centre: str

    def __str__(self) -> str:
        return f"{self.power} {self.centre}"


class Turn(NamedTuple):
    """Whose turn it is, and whether to choose a centre or to give one back."""

    power: str
    gives_back: bool


@dataclass(frozen=True)
class DraftState:
    """The memory of a game. `snake`: every second round goes backwards."""

    picks: tuple[Choice, ...] = ()
    given_back: tuple[Choice, ...] = ()
    snake: bool = False
    homes_named: bool = False

    def turn(self, board: Board) -> Turn | None:
        """Who is to choose, or to give back; None once the draft is over."""
        order, rounds = board.powers, CHOSEN[len(board.powers)]
        done = len(self.picks) + len(self.given_back)
        number, place = divmod(done, len(order))
        if number > rounds:
            return None
        backwards = self.snake and number % 2 == 1
        return Turn(order[-1 - place] if backwards else order[place], number == rounds)

    def picks_left(self, board: Board, power: str) -> int:
        """How many centres a power has still to choose."""
        return CHOSEN[len(board.powers)] - sum(one.power == power for one in self.picks)


def state_of(position: Position) -> DraftState:
    """What a position remembers."""
    known = position.political_state
    return known if isinstance(known, DraftState) else DraftState()


def read_state(board: Board, given: Mapping[str, object]) -> tuple[DraftState, tuple[str, ...]]:
    """The table `politics`, and its fields that nobody knows.

    Raises TalleyrandError (`not_a_list`) and InvalidPosition (`unknown_power`, `not_a_centre`).
    """
    state = DraftState(
        _choices(board, given, "picks"),
        _choices(board, given, "given_back"),
        given.get("turns") == "snake",
        given.get("homes_named") is True,
    )
    known = ANSWER_ONLY_FIELDS | {"picks", "given_back", "turns", "homes_named"}
    return state, tuple(sorted(given.keys() - known))


def _choices(board: Board, given: Mapping[str, object], field: str) -> tuple[Choice, ...]:
    listed = given.get(field) or []
    if not isinstance(listed, list):
        raise TalleyrandError("not_a_list", field=f"politics.{field}", value=str(listed)[:40])
    return tuple(_choice(board, line) for line in listed)


def _choice(board: Board, line: object) -> Choice:
    power, _, centre = str(line)[:40].partition(" ")
    if power not in board.powers:
        raise InvalidPosition("unknown_power", power=power)
    if centre not in board.centres:
        raise InvalidPosition("not_a_centre", place=centre)
    return Choice(power, centre)


def write_state(board: Board, state: DraftState) -> dict[str, object]:
    """The table `politics`; what is usual is left out."""
    fields: dict[str, object] = {
        "picks": [str(one) for one in state.picks],
        "given_back": [str(one) for one in state.given_back],
        "turns": "snake" if state.snake else None,
        "drafted": state.turn(board) is None,
        "homes_named": state.homes_named,
    }
    return {name: value for name, value in fields.items() if value}


def free_centres(board: Board, position: Position) -> tuple[str, ...]:
    """The centres that nobody owns, by their numbers in the annex."""
    owned = {code for centres in (position.centres or {}).values() for code in centres}
    free = [code for code in board.centres if code not in owned]
    return tuple(sorted(free, key=lambda code: board.provinces[code].number))


def usual_choice(board: Board, position: Position, power: str) -> tuple[str, ...]:
    """The free centres, the one first that a power takes which says nothing: the nearest to its own, the one
    with most free centres near it, the annex."""
    free, own = free_centres(board, position), position.owned_by(power)

    def rank(code: str) -> tuple[int, int]:
        near = sum(board.spaces_to_nearest(other, (code,)) <= NEAR for other in free)
        return (board.spaces_to_nearest(code, own) if own else 0), -near

    return tuple(sorted(free, key=rank))


def usual_return(board: Board, position: Position, power: str) -> tuple[str, ...]:
    """A power's centres, the one first that it gives back where it says nothing: the farthest from the
    others, the annex."""
    own = position.owned_by(power)

    def rank(code: str) -> tuple[int, int]:
        far = sum(board.spaces_to_nearest(code, (other,)) for other in own if other != code)
        return -far, board.provinces[code].number

    return tuple(sorted(own, key=rank))


def usual_homes(board: Board, position: Position, power: str, named: Sequence[str] = ()) -> tuple[str, ...]:
    """The home centres of a power: those it has named, the first it chose and still owns, then the annex."""
    drafted: Sequence[str] = [one.centre for one in state_of(position).picks if one.power == power]

    def rank(code: str) -> tuple[int, int]:
        first = drafted.index(code) if code in drafted else len(drafted)
        return first, board.provinces[code].number

    return tuple(dict.fromkeys((*named, *sorted(position.owned_by(power), key=rank))))[:HOMES]
