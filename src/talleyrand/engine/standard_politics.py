"""Politics of a variant that has little beside units and centres: what it does not say goes as everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from . import adjustments, game
from .adjustments import AdjustmentCount
from .board import Board
from .errors import UnknownName
from .orders import Order
from .outcome import AdjudicationNote, Verdict
from .politics_protocol import (
    BotView,
    NameLookup,
    OrderForm,
    PoliticsTable,
    PublicProposal,
    UnderstoodLine,
    VariantSentence,
    VoteCount,
    YearlyFigure,
)
from .position import Phase, Position
from .rulebook import Rulebook


class StandardPolitics:
    """Fills `Politics` for a variant to inherit from: it overrides what its own rules say.

    `options`: what a game may settle before it begins, the usual value first. `victory_centres`: how many
    centres win. A variant with a memory overrides the four methods of its state together.
    """

    options: Mapping[str, tuple[str, ...]] = {}
    victory_centres: int = 0
    wins_each_season = False

    def initial_state(self, chosen: Mapping[str, str]) -> Mapping[str, object]:
        """Nothing but the options, as they were chosen; raises UnknownName (`unknown_option`,
        `unknown_value`)."""
        for option, value in chosen.items():
            values = self.options.get(option)
            if values is None:
                raise UnknownName("unknown_option", option=option, nearest="")
            if value not in values:
                raise UnknownName("unknown_value", option=option, value=value, values=", ".join(values))
        return {}

    def read_state(
        self,
        board: Board,
        phase: Phase,
        given: Mapping[str, object],
    ) -> tuple[object, tuple[str, ...]]:
        """No memory; every field is unknown."""
        return None, tuple(given)

    def write_state(self, board: Board, position: Position) -> Mapping[str, object]:
        """No memory."""
        return {}

    def without_secrets(
        self,
        asked: Mapping[str, object],
        told: Mapping[str, object],
    ) -> Mapping[str, object]:
        """Everything is told."""
        return told

    def close_year(
        self, board: Board, position: Position, book: Rulebook
    ) -> tuple[Position, Mapping[str, object]]:
        """The year's captures, and nothing else."""
        return game.capture_centres(board, position, book), {}

    def adjustment_counts(
        self, board: Board, position: Position, book: Rulebook
    ) -> Mapping[str, AdjustmentCount]:
        """One unit a centre."""
        return adjustments.adjustment_counts(board, position, book)

    def winners(self, board: Board, position: Position) -> tuple[str, ...]:
        """Whoever has `victory_centres` centres, or more than half of the board's."""
        needed = game.VictoryCondition(self.victory_centres).centres_needed(board)
        return tuple(power for power in board.powers if len(position.owned_by(power)) >= needed)

    def eliminated(self, position: Position) -> tuple[str, ...]:
        """The powers that have neither centre nor unit."""
        units = {unit.power for unit in (*position.units, *(fallen.unit for fallen in position.dislodged))}
        owned = position.centres or {}
        return tuple(power for power, centres in owned.items() if not centres and power not in units)

    def powers_stood_for(self, told: Mapping[str, object]) -> Mapping[str, str] | None:
        """Every power stands for itself."""
        return None

    def sides(self, told: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
        """Each power plays for itself."""
        return ()

    def leader(self, position: Position, power: str) -> str:
        """Each power leads its own units."""
        return power

    def power_figures(self, board: Board) -> Mapping[str, Mapping[str, int | None]]:
        """None."""
        return {}

    def phase_tables(
        self,
        asked: Mapping[str, object],
        told: Mapping[str, object],
    ) -> tuple[PoliticsTable, ...]:
        """None."""
        return ()

    def read_line(
        self,
        board: Board,
        position: Position,
        power: str | None,
        text: str,
        names: NameLookup,
    ) -> UnderstoodLine | None:
        """Every line is the usual reader's."""
        return None

    def explain_unread_line(
        self,
        board: Board,
        position: Position,
        power: str | None,
        text: str,
        names: NameLookup,
    ) -> UnderstoodLine | None:
        """Nothing to add."""
        return None

    def given_seats(self, position: Position) -> Mapping[str, tuple[str, ...]]:
        """None."""
        return {}

    def bot_seat(self, position: Position, seat: str) -> str:
        """Every seat has a mind of its own."""
        return seat

    def bot_position(self, board: Board, position: Position, seat: str) -> Position:
        """The position, without the variant's memory."""
        return replace(position, political_state=None)

    def bot_orders(
        self,
        board: Board,
        position: Position,
        seat: str,
        book: Rulebook,
        view: BotView,
    ) -> Sequence[Order] | None:
        """Those to units, as everywhere."""
        return None

    def order_forms(
        self,
        board: Board,
        position: Position,
        power: str,
        book: Rulebook,
        told: Mapping[str, object],
    ) -> tuple[OrderForm, ...]:
        """None."""
        return ()

    def describe_order(self, words: str) -> tuple[tuple[str, Mapping[str, str]], ...]:
        """None."""
        return ()

    def public_proposals(self, told: Mapping[str, object]) -> tuple[PublicProposal, ...]:
        """None."""
        return ()

    def vote_counts(self, told: Mapping[str, object]) -> tuple[VoteCount, ...]:
        """None."""
        return ()

    def has_secret_votes(self, asked: Mapping[str, object]) -> bool:
        """No."""
        return False

    def kept_orders(
        self,
        board: Board,
        position: Position,
        seat: str,
        orders: Sequence[Order],
    ) -> Sequence[Order]:
        """Nothing."""
        return ()

    def has_chosen(
        self,
        board: Board,
        position: Position,
        seat: str,
        orders: Sequence[Order],
    ) -> bool:
        """Whatever they say."""
        return bool(orders)

    def is_secret(self, words: str) -> bool:
        """No."""
        return False

    def province_colours(self, board: Board, position: Position) -> Mapping[str, str]:
        """None beside those of centres."""
        return {}

    def power_table(self, board: Board, position: Position) -> Mapping[str, Mapping[str, str]]:
        """Nothing beside centres and units."""
        return {}

    def yearly_figures(self, board: Board, position: Position) -> tuple[YearlyFigure, ...]:
        """None."""
        return ()

    def unit_forecast(
        self,
        board: Board,
        position: Position,
        power: str,
        orders: Sequence[Order],
        book: Rulebook,
    ) -> VariantSentence | None:
        """Nothing to say."""
        return None

    def why_barred(self, board: Board, position: Position, power: str) -> VariantSentence | None:
        """Nobody is."""
        return None

    def awaited_permission(
        self,
        board: Board,
        position: Position,
        verdict: Verdict,
    ) -> AdjudicationNote | None:
        """Nobody is waited for."""
        return None
