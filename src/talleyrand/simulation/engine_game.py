"""One game by the engine's values, seat by seat: for variants that have more than arrays hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand.engine import game
from talleyrand.engine.game import ResolvedPhase
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position

from .bots.bot_context import BotContext
from .bots.bot_protocol import Bot
from .bots.political_bots import leading_seat, orders_for_seat, public_orders
from .bots.power_orders import orders_for_power
from .bots.random_streams import stream_start


class EngineGame:
    """A game of bots, a phase at a time, to a winner or the end of the year `until`.

    `position` is where it stands, `orders` and `resolved_phase` what was played last; `winner` is empty while
    nobody has won. `absent` powers are in civil disorder all through.
    """

    def __init__(
        self,
        facts: BotContext,
        bots: Mapping[str, Bot],
        seed: int,
        number: int,
        until: int,
        absent: frozenset[str] = frozenset(),
    ) -> None:
        self.facts, self.bots, self.until, self.absent = facts, bots, until, absent
        self.seed, self.number, self.steps = seed, number, 0
        self.position: Position = replace(facts.definition.start, seed=f"{seed}/{number}")
        self.orders: dict[str, Sequence[Order]] = {}
        self.resolved_phase: ResolvedPhase | None = None
        self.winner: tuple[str, ...] = ()
        self.over = False

    def step(self) -> ResolvedPhase:
        """Have every seat with a choice write its orders, and play the phase. Those without land write last,
        and know what the others have said openly."""
        setting, book = self.facts.definition, self.facts.book
        position = self.position.changed(powers_in_disorder=self.position.powers_in_disorder | self.absent)
        board = setting.board
        rules = setting.rules_for(position.phase)
        self.orders = {}
        for seat in rules.powers_with_choices(board, position, book):
            bot = self._bot_of(seat)
            if bot is not None and setting.politics is None:
                seed = stream_start(self.seed, self.number)
                self.orders[seat] = orders_for_power(setting, book, position, seat, bot, seed)
            elif bot is not None:
                heard = public_orders(self.orders) if seat in board.landless else {}
                lead = board.seats.index(leading_seat(setting, position, seat))
                start = stream_start(self.seed, self.number, self.steps, lead)
                self.orders[seat] = orders_for_seat(self.facts, position, seat, bot, start, heard)
        self.resolved_phase = game.play_phase(setting, position, self.orders, book)
        self.steps += 1
        self.winner = self.resolved_phase.winner
        self.position = self.resolved_phase.next_position or self.resolved_phase.outcome.position_after
        self.over = (
            self.resolved_phase.next_position is None
            or self.resolved_phase.next_position.phase.year > self.until
        )
        return self.resolved_phase

    def _bot_of(self, seat: str) -> Bot | None:
        """Who plays a seat: its bot, or that of the first other seat whose player the rules give it to."""
        politics = self.facts.definition.politics
        heirs = politics.given_seats(self.position).get(seat, ()) if politics else ()
        return next((self.bots[one] for one in (seat, *heirs) if one in self.bots), None)
