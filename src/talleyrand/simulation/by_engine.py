"""One game by the engine's values, seat by seat: for variants that have more than arrays hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand.engine import game
from talleyrand.engine.game import Turn
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position

from .bots.bot_protocol import Bot
from .bots.facts import Facts
from .bots.politics import decide, openly
from .bots.streams import started


class EngineGame:
    """A game of bots, a phase at a time, to a winner or the end of the year `until`.

    `position` is where it stands, `orders` and `turn` what was played last; `winner` is empty while nobody
    has won.
    """

    def __init__(self, facts: Facts, bots: Mapping[str, Bot], seed: int, number: int, until: int) -> None:
        self.facts, self.bots, self.until = facts, bots, until
        self.seed, self.number, self.steps = seed, number, 0
        self.position: Position = replace(facts.setting.start, seed=f"{seed}/{number}")
        self.orders: dict[str, Sequence[Order]] = {}
        self.turn: Turn | None = None
        self.winner: tuple[str, ...] = ()
        self.over = False

    def step(self) -> Turn:
        """Have every seat with a choice write its orders, and play the phase. Those without land write last,
        and know what the others have said openly."""
        setting, book, position = self.facts.setting, self.facts.book, self.position
        board = setting.board
        rules = setting.rules(position.phase)
        self.orders = {}
        for seat in rules.choosers(board, position, book):
            if seat in self.bots:
                heard = openly(self.orders) if seat in board.landless else {}
                start = started(self.seed, self.number, self.steps, board.seats.index(seat))
                self.orders[seat] = decide(self.facts, position, seat, self.bots[seat], start, heard)
        self.turn = game.play(setting, position, self.orders, book)
        self.steps += 1
        self.winner = self.turn.winner
        self.position = self.turn.next or self.turn.outcome.after
        self.over = self.turn.next is None or self.turn.next.phase.year > self.until
        return self.turn
