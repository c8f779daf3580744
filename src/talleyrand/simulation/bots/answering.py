"""One power's orders by a bot, in any phase of any variant: the door for pages and for the command line.

answer(setting, book, position, "FRANCE", by_name("search", "normal"), seed=1901)
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from zlib import crc32

from talleyrand.engine.balances import balance
from talleyrand.engine.game import STANDARD, PhaseRules, Setting
from talleyrand.engine.orders import Build, Disband, Hold, Order, Waive
from talleyrand.engine.outcome import Result
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook, UnusedBuilds

from .registry import Bot
from .streams import Lots, started

Report = Callable[[float], None]


def _silent(done: float) -> None:
    """Nobody watches."""


def answer(
    setting: Setting,
    book: Rulebook,
    position: Position,
    power: str,
    bot: Bot,
    seed: int,
    report: Report = _silent,
) -> list[Order]:
    """The orders of a power: legal, and one for each unit, build or removal that is asked for.

    The same seed, position and power give the same orders, as long as the bot's time limit does not cut its
    thinking short. `report` is told how much of it is done, from 0 to 1. Raises BadPosition for a phase that
    the variant lacks.
    """
    report(0.0)
    orders = _answer(setting, book, position, power, bot, seed)
    report(1.0)
    return orders


def _answer(
    setting: Setting, book: Rulebook, position: Position, power: str, bot: Bot, seed: int
) -> list[Order]:
    if bot.name == "hold" and position.phase.kind in STANDARD:
        return _held(setting, book, position, power)
    return _chosen_by_lot(setting, book, position, power, Lots(_start(setting, position, power, seed)))


def _start(setting: Setting, position: Position, power: str, seed: int) -> int:
    """A stream of its own for each power and phase."""
    phase = crc32(str(position.phase).encode())
    return started(seed, 0, phase, setting.board.powers.index(power))


def _held(setting: Setting, book: Rulebook, position: Position, power: str) -> list[Order]:
    """Nobody moves or retreats, nothing is built; what must be removed is the book's choice."""
    if position.phase.kind == "M":
        led = power not in position.passive
        return [Hold(unit.name) for unit in position.units if unit.power == power and led]
    if position.phase.kind == "R":
        return [Disband(fallen.unit.name) for fallen in position.dislodged if fallen.unit.power == power]
    if book.unused_builds is UnusedBuilds.MUST_BUILD:
        return []
    return [Waive()] * max(0, balance(setting.board, position, power, book).possible)


def _chosen_by_lot(
    setting: Setting, book: Rulebook, position: Position, power: str, lots: Lots
) -> list[Order]:
    """One of its legal orders for each unit; all the builds and removals that are due."""
    rules = setting.rules(position.phase)
    options = rules.options(setting.board, position, power, book)
    if position.phase.kind in "MR":
        units = groupby(options, key=lambda order: order.unit)
        return [lots.one(list(orders)) for _, orders in units]
    due = balance(setting.board, position, power, book)
    leaving = [order for order in options if isinstance(order, Disband)]
    coming = [order for order in options if isinstance(order, Build)]
    found: list[Order] = [*lots.shuffled(leaving)[: due.removals]]
    for order in lots.shuffled(coming):
        takes = len(found) < due.removals + due.possible
        if takes and _is_built(rules, setting, book, position, power, [*found, order]):
            found.append(order)
    return found


def _is_built(
    rules: PhaseRules, setting: Setting, book: Rulebook, position: Position, power: str, orders: list[Order]
) -> bool:
    """Whether the last of these builds is made beside the others: a variant may have rules of its own."""
    outcome = rules.adjudicate(setting.board, position, {power: orders}, book)
    made = [verdict for verdict in outcome.verdicts if verdict.power == power and verdict.order is not None]
    return Result.BUILD_VOID not in made[-1].results
