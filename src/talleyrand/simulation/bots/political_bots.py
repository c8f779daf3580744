"""Bots in a variant with politics of its own: moves by the bot, everything else by the variant's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np

from talleyrand.engine.board import province_of
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Build, Disband, Hold, Order, PoliticalOrder, Support, Waive
from talleyrand.engine.position import Position, UnitName
from talleyrand.simulation.order_encoding import OrderRowReader
from talleyrand.simulation.phase_encoding import board_numbers

from .bot_context import BotContext
from .bot_protocol import Bot
from .bot_registry import check_bot_plays
from .place_values import FloatArray
from .random_streams import RandomStream
from .value_bot import ValueBot

PublicOrders = Mapping[str, Sequence[Order]]


def public_orders(orders: Mapping[str, Sequence[Order]]) -> dict[str, Sequence[Order]]:
    """What everybody hears at once: measures that cannot be undone."""
    return {
        seat: [one for one in some if isinstance(one, PoliticalOrder) and one.irrevocable]
        for seat, some in orders.items()
    }


def leading_seat(setting: GameDefinition, position: Position, seat: str) -> str:
    """The seat in whose name a bot moves another's units; its chance is theirs too."""
    return setting.politics.bot_seat(position, seat) if setting.politics else seat


def orders_for_seat(
    facts: BotContext, position: Position, seat: str, bot: Bot, start: int, heard: PublicOrders | None = None
) -> list[Order]:
    """All that a bot writes for a seat: lawful orders, one for each unit that it leads and that has a choice.

    Raises UnknownName (`unknown_bot`) for a bot that does not play the variant.
    """
    check_bot_plays(facts.definition, bot.name)
    seated = _SeatedBot(facts, position, seat, RandomStream(start))
    if bot.name == "hold":
        return list(seated.lawful(seated.still()))
    if isinstance(bot, ValueBot):
        return list(seated.lawful(seated.thought(bot, start, heard or {})))
    return list(seated.drawn())


class _SeatedBot:
    """A bot in its seat."""

    def __init__(self, facts: BotContext, position: Position, seat: str, lots: RandomStream) -> None:
        self.facts, self.position, self.seat, self.lots = facts, position, seat, lots
        self.setting, self.board, self.book = facts.definition, facts.definition.board, facts.book
        self.rules = self.setting.rules_for(position.phase)

    def lawful(self, orders: Sequence[Order]) -> Iterator[Order]:
        """The orders that stand as they are, one for each unit."""
        done: set[UnitName] = set()
        for order in orders:
            if order.unit is not None and order.unit in done and not isinstance(order, Build):
                continue
            if self.rules.check_order(self.board, self.position, self.seat, order, self.book) == order:
                done.update(() if order.unit is None else (order.unit,))
                yield order

    def still(self) -> list[Order]:
        """Nobody moves or retreats, nothing is said or built; what must be removed is the rules' choice."""
        led = self.setting.led_position(self.position)
        if self.position.phase.kind == "M":
            return [Hold(unit.name) for unit in led.units if unit.power == self.seat]
        if self.position.phase.kind == "R":
            return [Disband(one.unit.name) for one in led.dislodged if one.unit.power == self.seat]
        return []

    def thought(self, bot: ValueBot, start: int, heard: PublicOrders) -> list[Order]:
        """Moves and retreats by what places are worth, the rest by the variant's own rules."""
        politics = self.setting.politics
        if politics is None:
            raise ValueError("this variant has no politics")
        moves, worth = self._moved(bot, start)
        view = PoliticalBotView(self.facts, worth, self.lots, heard)
        own = politics.bot_orders(self.board, self.position, self.seat, self.book, view)
        if own is None:
            return [*moves, *self.still()]
        return [*own, *moves, *self.still()] if self.position.phase.kind in "MR" else list(own)

    def _moved(self, bot: ValueBot, start: int) -> tuple[list[Order], FloatArray]:
        """What the bot writes into arrays, and what places were worth to it."""
        board, lead = self.board, leading_seat(self.setting, self.position, self.seat)
        games, number = self.facts.position_arrays(self.position, self.seat), board.seats.index(lead)
        sheets = games.blank_orders()
        streams = np.full((1, len(board.seats)), start, np.uint64)
        asked = np.zeros(streams.shape, np.bool_)
        asked[0, number] = True
        bot.write_orders(self.facts, games, asked, sheets, streams)
        read = OrderRowReader(board, games.places[0], games.clock[0]).read(sheets[0])
        return [one for one in read.get(lead, []) if not self._endangers_partner(one)], bot.node_values()

    def _endangers_partner(self, order: Order) -> bool:
        """Whether an order supports a move to where a partner of the mover stands, who may not get away."""
        if not isinstance(order, Support) or order.to is None:
            return False
        units = self.position.units_by_province
        mover, stands = units.get(order.target.province), units.get(province_of(order.to))
        if mover is None or stands is None or mover.power == stands.power:
            return False
        led = [leading_seat(self.setting, self.position, one.power) for one in (mover, stands)]
        return led[0] == led[1]

    def drawn(self) -> Iterator[Order]:
        """One of its legal orders for each unit, by lot; of what is about no unit, one of each sort."""
        options = self.rules.legal_orders(self.board, self.position, self.seat, self.book)
        winter = self.position.phase.kind == "A"
        if winter and self.seat in self.board.powers:
            yield from self._winter(options)
        elif winter:
            yield self.lots.choice(options)
        else:
            for _, sort in groupby(sorted(options, key=_sort), key=_sort):
                yield self.lots.choice(list(sort))

    def _winter(self, options: Sequence[Order]) -> Iterator[Order]:
        due = self.setting.adjustment_counts(self.position, self.book)[self.seat]
        leaving = [order for order in options if isinstance(order, Disband)]
        coming = [order for order in options if isinstance(order, Build)]
        yield from self.lots.shuffled(leaving)[: due.removals]
        yield from self.lots.shuffled(coming)[: due.possible]


def _sort(order: Order) -> str:
    """What two orders have in common of which one is enough."""
    if isinstance(order, PoliticalOrder):
        return order.text.split()[0][0]
    return "" if isinstance(order, Waive) else str(order.unit)


class PoliticalBotView:
    """What the variant's rules may ask of a bot (`engine.protocols.BotView`)."""

    def __init__(self, facts: BotContext, worth: FloatArray, lots: RandomStream, heard: PublicOrders) -> None:
        self.public_orders, self.random_below = heard, lots.random_below
        self._worth, self._node, self._number = (
            worth,
            facts.bot_board.node,
            board_numbers(facts.definition.board),
        )

    def unit_value(self, unit: UnitName) -> float:
        """What it would be worth to have such a unit there."""
        return float(
            self._worth[self._node[self._number.kinds[unit.kind], self._number.locations[unit.location]]]
        )
