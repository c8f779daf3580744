"""A power’s sheet of the open phase: what is in preparation, what was handed in, and how they differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from talleyrand.web.boards import politics_context
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.games import binding_orders, order_queries, order_submission
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game, GameSeat, OrderSet


@dataclass
class OwnOrders:
    """The draft of a power, and the last sheet it handed in."""

    game: Game
    seat: GameSeat
    phase_number: int
    question: Question
    submitted: OrderSet | None

    @classmethod
    def load(cls, game: Game, power: str, number: int, question: Question) -> OwnOrders:
        """As it stands now."""
        seat = order_queries.SEAT.get(game=game.pk, power=power)
        return cls(game, seat, number, question, order_submission.counting_order_set(game, power, number))

    @classmethod
    def after_submission(cls, sheet: OrderSet) -> OwnOrders | None:
        """As a sheet has left it that was written this moment: the draft is the same, and it counts.

        None where its game is at a phase without a question.
        """
        question = GameHistory(sheet.game).open_question()
        if question is None:
            return None
        seat = GameSeat(
            power=sheet.power,
            draft_orders=sheet.lines,
            draft_phase_number=sheet.phase_number,
            is_ready=sheet.is_ready,
        )
        known = politics_context.with_announced_affairs(
            question, binding_orders.announced_so_far(sheet.game, question)
        )
        return cls(sheet.game, seat, sheet.phase_number, known, sheet)

    @property
    def power(self) -> str:
        return self.seat.power

    @property
    def draft_lines(self) -> list[str]:
        """The orders in preparation."""
        return order_submission.draft_lines(self.seat, self.phase_number)

    @property
    def state(self) -> str:
        """nothing, draft, saved or final, as the desk has it."""
        if self.submitted:
            return order_submission.READY if self.seat.is_ready else order_submission.SUBMITTED
        return order_queries.DRAFT if self.draft_lines else order_submission.NO_ORDERS

    @property
    def draft_differs(self) -> bool:
        """Whether the draft is another than the sheet that was handed in."""
        return self.submitted is not None and self.submitted.lines != self.draft_lines

    @property
    def has_unsent_orders(self) -> bool:
        """Whether the draft holds what would not count if nothing more were handed in."""
        if self.submitted is not None:
            return self.draft_differs
        return bool(self.draft_lines) and not self.game.settings.drafts_count

    @cached_property
    def preparation(self) -> OrderPreparation:
        return OrderPreparation(
            self.question, {self.power: self.draft_lines} if self.draft_lines else {}, self.power
        )

    @property
    def counting_preparation(self) -> OrderPreparation:
        """What counts if nothing else is handed in: the sheet, or the draft."""
        if self.submitted is None or not self.draft_differs:
            return self.preparation
        return OrderPreparation(self.question, {self.power: self.submitted.lines}, self.power)


def units_without_order(preparation: OrderPreparation) -> list[str]:
    """The units that might be ordered and are not, by their names; in adjustments none is."""
    given = preparation.followed_orders
    subjects = (one for menu in preparation.menus if menu.adjustments_due is None for one in menu.subjects)
    return [
        one.label
        for one in subjects
        if one.unit and one.province not in given and preparation.may_be_ordered(one)
    ]
