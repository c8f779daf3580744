"""One power's orders by a bot, in any phase of any variant: the door for pages and for the command line.

answer(setting, book, position, "FRANCE", by_name("search", "normal"), seed=1901)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from zlib import crc32

import numpy as np

from talleyrand.engine.adjustments import adjustment_count
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Build, Disband, Hold, Move, Order, Waive
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.negotiation.bot_duties import NO_DUTIES, BotDuties
from talleyrand.simulation.game_batch import GameBatch

from .bot_context import BotContext
from .bot_protocol import Bot, ThinkingBot
from .political_bots import PublicOrders, leading_seat, orders_for_seat
from .random_streams import RandomStream, stream_start

Report = Callable[[float], None]


def _silent(done: float) -> None:
    """Nobody watches."""


def orders_for_power(
    setting: GameDefinition,
    book: Rulebook,
    position: Position,
    power: str,
    bot: Bot,
    seed: int,
    report: Report = _silent,
    heard: PublicOrders | None = None,
    duties: BotDuties = NO_DUTIES,
) -> list[Order]:
    """The orders of a power: legal, and one for each unit, build or removal that is asked for.

    `power` is any seat, with land or without; `heard` what others have said openly in this phase; `duties`
    what it has agreed to.

    The same seed, position and power give the same orders, as long as the bot's time limit does not cut its
    thinking short. `report` is told how much of it is done, from 0 to 1. Raises InvalidPosition for a phase
    that the variant lacks, UnknownName (`unknown_bot`) for a bot that does not play it.
    """
    report(0.0)
    if isinstance(bot, ThinkingBot):
        bot.on_progress = report
    orders = _answer(setting, book, position, power, bot, seed, heard, duties)
    report(1.0)
    return orders


def _answer(
    setting: GameDefinition,
    book: Rulebook,
    position: Position,
    power: str,
    bot: Bot,
    seed: int,
    heard: PublicOrders | None,
    duties: BotDuties,
) -> list[Order]:
    start = _start(setting, position, power, seed)
    if setting.politics is not None:
        return orders_for_seat(BotContext(setting, book), position, power, bot, start, heard)
    if bot.name == "hold":
        return _held(setting, book, position, power)
    if bot.name == "random":
        return _complete(setting, book, position, power, RandomStream(start))
    orders = [*duties.owes, *_thought(setting, book, position, power, bot, start, duties)]
    return _complete(setting, book, position, power, RandomStream(start), orders)


def _thought(
    setting: GameDefinition,
    book: Rulebook,
    position: Position,
    power: str,
    bot: Bot,
    start: int,
    duties: BotDuties,
) -> list[Order]:
    """What a bot writes into arrays."""
    facts = context_at(setting, book, position)
    facts.keep_to(duties, power)
    number, games = facts.definition.board.seats.index(power), GameBatch.blank(setting.board, 1)
    facts.runner.write(facts.simplified_position(position), games, 0)
    sheets, streams = games.blank_orders(), np.full((1, len(setting.board.seats)), start, np.uint64)
    asked = np.zeros(streams.shape, np.bool_)
    asked[0, number] = True
    bot.write_orders(facts, games, asked, sheets, streams)
    return list(facts.runner.orders_of(games, 0, sheets).get(power, ()))


def context_at(setting: GameDefinition, book: Rulebook, position: Position) -> BotContext:
    """The variant as a bot sees it; homes that powers have named for themselves count as the board's."""
    if not position.homes:
        return BotContext(setting, book)
    homes = {power: position.homes_of(setting.board, power) for power in setting.board.powers}
    return BotContext(replace(setting, board=replace(setting.board, homes=homes)), book)


def _start(setting: GameDefinition, position: Position, power: str, seed: int) -> int:
    """A stream of its own for each power and phase; partners whom one mind leads share theirs."""
    phase = crc32(str(position.phase).encode())
    lead = leading_seat(setting, position, power)
    return stream_start(seed, 0, phase, setting.board.seats.index(lead))


def _held(setting: GameDefinition, book: Rulebook, position: Position, power: str) -> list[Order]:
    """Nobody moves or retreats, nothing is built; what must be removed is the book's choice."""
    if position.phase.kind == "M":
        led = power not in position.passive
        return [Hold(unit.name) for unit in position.units if unit.power == power and led]
    if position.phase.kind == "R":
        return [Disband(fallen.unit.name) for fallen in position.dislodged if fallen.unit.power == power]
    if book.unused_builds == "must_build":
        return []
    return [Waive()] * max(0, adjustment_count(setting.board, position, power, book).possible)


def _complete(
    setting: GameDefinition,
    book: Rulebook,
    position: Position,
    power: str,
    lots: RandomStream,
    wanted: Sequence[Order] = (),
) -> list[Order]:
    """The wanted orders that are legal; one of its legal orders, by lot, for every unit without; by lot as
    well the builds and removals that are lacking."""
    options = setting.rules_for(position.phase).legal_orders(setting.board, position, power, book)
    if position.phase.kind in "MR":
        units = groupby(options, key=lambda order: order.unit)
        return [_one_of(list(orders), wanted, lots) for _, orders in units]
    due = adjustment_count(setting.board, position, power, book)
    found: list[Order] = []
    leaving: list[Order] = [order for order in options if isinstance(order, Disband)]
    coming: list[Order] = [order for order in options if isinstance(order, Build)]
    found += _first(leaving, wanted, lots)[: due.removals]
    for order in _first(coming, wanted, lots):
        lacking = len(found) < due.removals + due.possible
        if lacking and _is_built(setting, book, position, power, [*found, order]):
            found.append(order)
    return found


def _one_of(legal: list[Order], wanted: Sequence[Order], lots: RandomStream) -> Order:
    """The wanted order of a unit, its seas named where the book has them named."""
    for order in wanted:
        if order in legal:
            return order
        for named in legal:
            if isinstance(order, Move) and isinstance(named, Move) and replace(named, path=()) == order:
                return named
    return lots.choice(legal)


def _first(legal: list[Order], wanted: Sequence[Order], lots: RandomStream) -> list[Order]:
    """The wanted of the legal orders, then the others in any order."""
    chosen = [order for order in wanted if order in legal]
    return chosen + [order for order in lots.shuffled(legal) if order not in chosen]


def _is_built(
    setting: GameDefinition, book: Rulebook, position: Position, power: str, orders: list[Order]
) -> bool:
    """Whether the last of these builds is made beside the others: a variant may have rules of its own."""
    rules = setting.rules_for(position.phase)
    outcome = rules.adjudicate(setting.board, position, {power: orders}, book)
    made = [verdict for verdict in outcome.verdicts if verdict.power == power and verdict.order is not None]
    return OrderResult.BUILD_VOID not in made[-1].results
