"""What bots know of a board and its calendar before a game begins, in arrays for compiled code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board, Mobility
from talleyrand.engine.calendar import Calendar
from talleyrand.engine.game import GameDefinition, capture_centres
from talleyrand.engine.orders import Order
from talleyrand.engine.position import DislodgedUnit, Phase, Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.scripted_rules import without_scripts
from talleyrand.negotiation.bot_duties import BotDuties
from talleyrand.simulation.array_layout import NONE, Int64Array, UInt8Array, UInt16Array
from talleyrand.simulation.board_arrays import BoardArrays, BoardNames, board_arrays, board_names
from talleyrand.simulation.game_batch import GameBatch, write_position
from talleyrand.simulation.game_runner import GameRunner
from talleyrand.simulation.phase_encoding import board_numbers

ZEAL = 1.5  # what a centre is worth of a power that one has agreed to fight


class BotBoard(NamedTuple):
    """A board in the eyes of a bot. P provinces, L locations, K kinds of unit, N nodes.

    A node is a kind of unit at a location where it may stand: `nodes` (N, 2), and `node` (K, L) back.
    `links` holds the nodes one step away, those of node n from `first_link[n]` on; `ferries` likewise rows
    of a sea and a node across it, for kinds that can be convoyed. `place` (P): the location of a province
    without coast. `moves_left` (phases of a year): the movement phases from this one, itself included,
    until centres change hands.
    """

    board_arrays: BoardArrays
    centre: UInt8Array
    homes: UInt8Array
    place: UInt16Array
    moves_at_sea: UInt8Array
    captures: UInt8Array
    convoyable: UInt8Array
    nodes: UInt16Array
    node: UInt16Array
    first_link: Int64Array
    links: UInt16Array
    first_ferry: Int64Array
    ferries: UInt16Array
    moves_left: Int64Array


class GivenWord(NamedTuple):
    """What bots keep to by agreement: `closed` (powers, P) where a power does not go, `zeal` (powers, powers)
    how much more the centres of another are worth to it.
    """

    closed: UInt8Array
    zeal: NDArray[np.float64]


def no_given_word(board: Board) -> GivenWord:
    """Nothing is agreed."""
    seats = len(board.seats)
    return GivenWord(np.zeros((seats, len(board.provinces)), np.uint8), np.ones((seats, seats)))


class BotContext:
    """What a bot is told before its games begin: their variant, and the book they are judged by.

    `bot_board` is the board in arrays; `runner` plays games on for those that look ahead; `owed`: the orders
    that the one who is asked gives whatever else it thinks of. To those who look ahead a power
    that plays by a script is one more opponent.
    """

    def __init__(self, setting: GameDefinition, book: Rulebook) -> None:
        self.definition, self.book = without_scripts(setting), book
        self.bot_board = bot_board(setting.board, setting.calendar)
        self._written: list[tuple[Position, GameBatch]] = []
        self.given_word = no_given_word(setting.board)
        self.owed: tuple[Order, ...] = ()

    def simplified_position(self, position: Position) -> Position:
        """The position without what the arrays have no room for, and a bot no thought.

        Where nobody knows who owns the centres, each is its home power's, or that of the unit in it.
        """
        nothing, board = frozenset[str](), self.definition.board
        if position.centres is None:
            position = capture_centres(board, replace(position, centres=board.homes), self.book)
        dislodged = tuple(_stepping(board, fallen) for fallen in position.dislodged)
        plain = replace(
            position,
            homes={},
            powers_in_disorder=nothing,
            passive=nothing,
            torn=nothing,
            provinces_in_disorder=nothing,
        )
        return replace(plain, dislodged=dislodged)

    def position_arrays(self, position: Position, seat: str) -> GameBatch:
        """One game where a position stands, as the moves of a seat see it, to be read alone; that of the last
        position is kept, as every seat asks for it in turn."""
        politics, board = self.definition.politics, self.definition.board
        seen = politics.bot_position(board, position, seat) if politics else position
        for written, games in self._written:
            if written == seen:
                return games
        games = GameBatch.blank(board, 1)
        write_position(self.definition, self.simplified_position(seen), games, 0)
        self._written[:] = [*self._written[-1:], (seen, games)]
        return games

    def keep_to(self, duties: BotDuties, power: str) -> None:
        """Have the orders that are written from now on respect what a power has agreed to."""
        number, seats = board_numbers(self.definition.board), self.definition.board.seats
        self.given_word, self.owed = no_given_word(self.definition.board), duties.owes
        for one, places in duties.closed.items():
            self.given_word.closed[seats.index(one), [number.provinces[place] for place in places]] = 1
        for third in duties.fights:
            self.given_word.zeal[seats.index(power), seats.index(third)] = ZEAL

    @cached_property
    def runner(self) -> GameRunner:
        """Plays games on."""
        return GameRunner(self.definition, self.book)


def _stepping(board: Board, fallen: DislodgedUnit) -> DislodgedUnit:
    """A dislodged unit with those of its retreats, which anybody may have written, that are steps."""
    near = board.adjacent_locations[fallen.unit.kind].get(fallen.unit.location, frozenset())
    return fallen._replace(retreats=tuple(place for place in fallen.retreats if place in near))


@lru_cache(maxsize=16)
def bot_board(board: Board, calendar: Calendar) -> BotBoard:
    """The arrays of a board."""
    called = board_names(board)
    homes = np.array(
        [[code in board.homes.get(power, ()) for code in called.provinces] for power in called.powers],
        np.uint8,
    )
    kinds = list(board.kinds.values())
    listed, node = _nodes(board, called)
    steps = [list(_links(board, called, node, *one)) for one in listed]
    ferries = [list(_ferries(board, called, node, *one)) for one in listed]
    return BotBoard(
        board_arrays(board),
        np.array([board.provinces[code].centre for code in called.provinces], np.uint8),
        homes,
        np.array([called.locations.index(code) for code in called.provinces], np.uint16),
        np.array([kind.mobility is Mobility.SEA for kind in kinds], np.uint8),
        np.array([kind.captures for kind in kinds], np.uint8),
        np.array([kind.convoyable for kind in kinds], np.uint8),
        np.array(listed, np.uint16),
        node,
        _firsts(steps),
        np.array([one for row in steps for one in row], np.uint16),
        _firsts(ferries),
        np.array([one for row in ferries for one in row], np.uint16).reshape(-1, 2),
        _moves_left(calendar),
    )


def _nodes(board: Board, called: BoardNames) -> tuple[list[tuple[int, int]], UInt16Array]:
    listed = [
        (kind, place)
        for kind, letter in enumerate(called.kinds)
        for place, location in enumerate(called.locations)
        if board.can_stand(letter, location)
    ]
    node = np.full((len(called.kinds), len(called.locations)), NONE, np.uint16)
    for number, one in enumerate(listed):
        node[one] = number
    return listed, node


def _links(board: Board, called: BoardNames, node: UInt16Array, kind: int, place: int) -> Iterator[int]:
    steps = board.adjacent_locations[called.kinds[kind]].get(called.locations[place], frozenset())
    for step in sorted(steps):
        yield int(node[kind, board_numbers(board).locations[step]])


def _ferries(
    board: Board, called: BoardNames, node: UInt16Array, kind: int, place: int
) -> Iterator[tuple[int, int]]:
    """The shores across one sea."""
    here, number = called.locations[place], board_numbers(board)
    if not board.kinds[called.kinds[kind]].convoyable:
        return
    for sea in sorted(board.adjacent_seas.get(here, ())):
        for shore in sorted(board.neighbours[sea]):
            if shore != here and board.can_stand(called.kinds[kind], shore):
                yield number.provinces[sea], int(node[kind, number.locations[shore]])


def _firsts(rows: list[list[int]] | list[list[tuple[int, int]]]) -> Int64Array:
    return np.array([0, *accumulate(len(row) for row in rows)], np.int64)


def _moves_left(calendar: Calendar) -> Int64Array:
    found = []
    for code in calendar.opening + calendar.cycle:
        phase, moves = Phase(code[0], 1, code[1]), 0
        while True:
            moves += phase.kind == "M"
            entered = calendar.next_phase(phase)
            if calendar.captures_between(phase, entered) or phase.year > 2:
                break
            phase = entered
        found.append(moves)
    return np.array(found, np.int64)
