"""The rules of Intimate Diplomacy: its phases, and what it has beside units and centres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from talleyrand.engine import game
from talleyrand.engine.board import Board
from talleyrand.engine.game import PhaseRules
from talleyrand.engine.orders import Order
from talleyrand.engine.politics_protocol import (
    BotView,
    OrderForm,
    OrderFormChoice,
    OrderFormField,
    Politics,
    PoliticsTable,
    YearlyFigure,
)
from talleyrand.engine.position import Phase, Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.standard_politics import StandardPolitics

from . import duel_bot, duel_lines, duel_state
from .bidding import BID, LIST, BiddingRules, HomeChoiceRules, bids_of
from .command_rules import CommandedAdjustments, CommandedMovement, CommandedRetreats, commanded_counts
from .duel_state import OPTION_VALUES, SIDES, DuelState, duel_state_of, mercenaries, powers_of_board


class DuelPolitics(StandardPolitics):
    """The protocol `Politics`: home powers, credits, bids, commands."""

    options: Mapping[str, tuple[str, ...]] = OPTION_VALUES
    wins_each_season = True

    read_line = staticmethod(duel_lines.read_line)
    explain_unread_line = staticmethod(duel_lines.explain_unread_line)
    adjustment_counts = staticmethod(commanded_counts)

    def initial_state(self, chosen: Mapping[str, str]) -> Mapping[str, object]:
        """The options that are not as usual; raises UnknownName."""
        return duel_state.write_duel_state(DuelState(options=duel_state.chosen_options(chosen)))

    def read_state(
        self, board: Board, phase: Phase, given: Mapping[str, object]
    ) -> tuple[DuelState, tuple[str, ...]]:
        """The state of a question, and the fields nobody knows."""
        return duel_state.read_duel_state(board, given)

    def write_state(self, board: Board, position: Position) -> Mapping[str, object]:
        """The state as it stands."""
        return duel_state.write_duel_state(duel_state_of(position))

    def powers_stood_for(self, told: Mapping[str, Any]) -> Mapping[str, str] | None:
        """A side stands for its home power."""
        return dict(told.get("homes") or {})

    def leader(self, position: Position, power: str) -> str:
        """The side that has a power as its home or has hired it for the year."""
        return duel_state_of(position).leader(power)

    def close_year(
        self, board: Board, position: Position, book: Rulebook
    ) -> tuple[Position, Mapping[str, object]]:
        """The year's captures, and a credit for each centre of a home power."""
        held = game.capture_centres(board, position, book)
        state = duel_state_of(position)
        income = {side: len(held.owned_by(home)) for side, home in state.homes.items()}
        treasury = {
            side: min(state.credits.get(side, 0) + income[side], duel_state.MAX_CREDITS) for side in income
        }
        return held.changed(political_state=replace(state, credits=treasury)), {"income": income}

    def winners(self, board: Board, position: Position) -> tuple[str, ...]:
        """The side that alone stands in a home centre of the other; where both do, the one that stands in
        more of them, then the richer one; nobody where that is even too. A side whose home power is no more
        has lost."""
        state = duel_state_of(position)
        if len(state.homes) < len(SIDES):
            return ()
        out = [side for side in SIDES if side in self.eliminated(position)]
        if len(out) == 1:
            return tuple(side for side in SIDES if side not in out)
        taken = {side: _occupied(board, position, state, side) for side in SIDES}
        standing = {side: (taken[side], state.credits.get(side, 0)) for side in SIDES}
        best = max(standing.values())
        ahead = tuple(side for side in SIDES if standing[side] == best) if any(taken.values()) else ()
        return ahead if len(ahead) == 1 else ()

    def eliminated(self, position: Position) -> tuple[str, ...]:
        """The powers that have neither centre nor unit, and the sides whose home power is one."""
        state = duel_state_of(position)
        gone = super().eliminated(position)
        sides = tuple(side for side in SIDES if state.homes.get(side) in gone)
        return (*(power for power in gone if power not in SIDES), *sides)

    def phase_tables(self, asked: Mapping[str, Any], told: Mapping[str, Any]) -> tuple[PoliticsTable, ...]:
        """The lists and the home powers; the bids and who commands; the credits that came in."""
        found = (_home_table(told), _bid_table(told), _income_table(told))
        return tuple(one for one in found if one.rows)

    def describe_order(self, words: str) -> tuple[tuple[str, Mapping[str, str]], ...]:
        """A list or bids, part by part."""
        if words.startswith(f"{BID} "):
            return tuple(("bid", {"power": power, "amount": str(amount)}) for power, amount in bids_of(words))
        return (("list", {"powers": ",".join(words.split()[1:])}),)

    def order_forms(
        self, board: Board, position: Position, power: str, book: Rulebook, told: Mapping[str, object]
    ) -> tuple[OrderForm, ...]:
        """The list of home powers; a bid for each mercenary power."""
        if power not in SIDES or position.phase.kind not in "HB":
            return ()
        if position.phase.kind == "H":
            homes = powers_of_board(board)
            picks = tuple(OrderFormChoice(home) for home in homes)
            fields = tuple(OrderFormField(str(place), picks) for place in range(1, len(homes) + 1))
            return (OrderForm("list", LIST, fields, " "),)
        state = duel_state_of(position)
        amounts = range(1, state.credits.get(power, 0) + 1)
        fields = tuple(
            OrderFormField(
                name, tuple(OrderFormChoice(f"{name} {amount}", label=str(amount)) for amount in amounts)
            )
            for name in mercenaries(board, state)
        )
        return (OrderForm("bids", BID, fields),) if amounts else ()

    def power_table(self, board: Board, position: Position) -> Mapping[str, Mapping[str, str]]:
        """Who commands each power; the home power and the credits of each side."""
        state = duel_state_of(position)
        sides = {
            side: {"leader": state.homes.get(side, ""), "credits": str(state.credits.get(side, ""))}
            for side in SIDES
        }
        return {
            power: {"leader": state.leader(power), "credits": ""} for power in powers_of_board(board)
        } | sides

    def yearly_figures(self, board: Board, position: Position) -> tuple[YearlyFigure, ...]:
        """The credits of the sides."""
        state = duel_state_of(position)
        figures = {power: state.credits.get(power, 0) for power in board.powers}
        return (YearlyFigure("credits", figures),) if state.credits else ()

    def bot_position(self, board: Board, position: Position, seat: str) -> Position:
        """The position with all that a side commands under it."""
        state = duel_state_of(position)

        def led(power: str) -> str:
            return state.leader(power) or power

        centres: dict[str, tuple[str, ...]] = dict.fromkeys(board.powers, ())
        for power, owned in (position.centres or {}).items():
            centres[led(power)] = (*centres[led(power)], *owned)
        return replace(
            position,
            units=tuple(unit._replace(power=led(unit.power)) for unit in position.units),
            dislodged=tuple(
                one._replace(unit=one.unit._replace(power=led(one.unit.power))) for one in position.dislodged
            ),
            centres=None if position.centres is None else centres,
            political_state=None,
        )

    def bot_orders(
        self, board: Board, position: Position, seat: str, book: Rulebook, view: BotView
    ) -> Sequence[Order]:
        """A list, bids, or a winter."""
        writers = {"H": duel_bot.list_of_homes, "B": duel_bot.bids, "A": duel_bot.winter}
        writer = writers.get(position.phase.kind)
        return writer(board, position, seat, book, view) if writer else ()


def _occupied(board: Board, position: Position, state: DuelState, side: str) -> int:
    """The home centres of the other side in which units that count for a side stand."""
    home = state.homes[next(one for one in SIDES if one != side)]
    any_unit = state.option("occupier") == "any_unit"
    standing = (position.units_by_province.get(code) for code in position.homes_of(board, home))
    return sum(
        unit is not None
        and (unit.power == state.homes[side] or (any_unit and state.leader(unit.power) == side))
        for unit in standing
    )


def _home_table(told: Mapping[str, Any]) -> PoliticsTable:
    lists = told.get("lists") or {}
    rows = tuple(
        (side, told["homes"][side], told["credits"][side], *lists[side][:3])
        for side in SIDES
        if side in lists
    )
    return PoliticsTable("homes", ("side", "home", "credits", "first", "second", "third"), rows)


def _bid_table(told: Mapping[str, Any]) -> PoliticsTable:
    bids = told.get("bids") or {}
    hired = told.get("hired") or {}
    named = sorted({power for side in SIDES for power in bids.get(side, {})})
    rows = tuple(
        (power, *(bids[side].get(power, 0) for side in SIDES), hired.get(power, "")) for power in named
    )
    return PoliticsTable("bids", ("power", "first_bid", "second_bid", "commands"), rows)


def _income_table(told: Mapping[str, Any]) -> PoliticsTable:
    income = told.get("income") or {}
    rows = tuple((side, income[side], told["credits"][side]) for side in SIDES if side in income)
    return PoliticsTable("income", ("side", "income", "credits"), rows)


PHASES: Mapping[str, PhaseRules] = {
    "H": HomeChoiceRules(),
    "B": BiddingRules(),
    "M": CommandedMovement(),
    "R": CommandedRetreats(),
    "A": CommandedAdjustments(),
}
POLITICS: Politics = DuelPolitics()
