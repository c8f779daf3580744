"""One phase of a game as one visitor sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import Http404, QueryDict
from django.urls import reverse

from talleyrand.web.boards import adjudicator, phase_maps, politics_context
from talleyrand.web.boards.adjudicator import Answer, Question
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.boards.phase_board import PhaseBoard
from talleyrand.web.boards.phase_maps import PhaseMap
from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.games import binding_orders, order_submission
from talleyrand.web.games.game_history import GameHistory, opening_situation
from talleyrand.web.games.models import RUNNING_STATES, Game, PhaseRevision
from talleyrand.web.games.viewer_permissions import GameViewer

from .own_orders import OwnOrders

ANSWER = PreparedQuery(
    lambda: PhaseRevision.objects.filter(pk=Given(PhaseRevision, "id")).values_list("answer")
)


@dataclass
class GameBoard(PhaseBoard):
    """Phase `phase_number` of a game, from 1; the last number is the open phase, or where the game ended.

    `power` is the one of the visitor’s powers whose orders are shown, "" for somebody who plays none.
    `shown_revision` is a revision to show in place of the current one, `query` what the address asks for.
    """

    viewer: GameViewer
    phase_number: int
    power: str = ""
    shown_revision: PhaseRevision | None = None
    query: QueryDict = field(default_factory=QueryDict)

    @property
    def game(self) -> Game:
        return self.viewer.game

    @cached_property
    def history(self) -> GameHistory:
        return GameHistory(self.game)

    @property
    def last_phase_number(self) -> int:
        return len(self.history.published_phases) + 1

    @property
    def phase_codes(self) -> list[str]:
        codes = list(self.history.published_phases)
        if self.last_phase_number == self.phase_number and self.question:
            codes.append(self.phase_code)
        elif self.game.phase and len(codes) < self.last_phase_number:
            codes.append(self.game.phase)
        return codes

    @property
    def revision(self) -> PhaseRevision | None:
        """The phase as it was published; None while it is open."""
        return self.shown_revision or (
            self.history.revision(self.phase_number) if self.phase_number else None
        )

    @cached_property
    def question(self) -> Question | None:
        """The phase without orders; None before the start and after the end."""
        found = self.shown_revision
        if found is None or found.situation is None:
            return self.history.question(self.phase_number)
        asked = {
            **found.situation,
            **({"absent": found.powers_without_orders} if found.powers_without_orders else {}),
        }
        return adjudicator.make_question(
            self.game.variant_of_phase(self.phase_number), self.game.rulebook, self.game.seed, asked
        )

    @cached_property
    def announced_answer(self) -> Answer | None:
        """What was made public in the open phase already; None where nothing is before its end."""
        if not self.is_open or self.question is None or self.viewer.is_delayed:
            return None
        return binding_orders.announced_so_far(self.game, self.question)

    @property
    def public_question(self) -> Question:
        """The phase without orders, with what has been made public in it since it opened."""
        return politics_context.with_announced_affairs(self.question or {}, self.announced_answer)

    @property
    def is_announcement_published(self) -> bool:
        return self.revision is not None and self.history.is_optional(self.phase_code)

    @property
    def public_affairs(self) -> Mapping[str, Any] | None:
        told = self.announced_answer or (
            self.answer if self.history.is_optional(self.phase_code) else self.question
        )
        return told.get("politics") if told else None

    @property
    def own_powers(self) -> Collection[str]:
        return self.viewer.powers

    @property
    def is_played(self) -> bool:
        return self.revision is not None

    @property
    def is_decided_by_orders(self) -> bool:
        return not (self.revision is None or self.revision.overrides or self.shown_revision)

    @property
    def answer(self) -> Answer:
        revision = self.revision
        if revision is not None and "answer" in revision.get_deferred_fields():
            (revision.answer,) = ANSWER.first(id=revision.pk) or (None,)
        return (revision.answer if revision else None) or {}

    @property
    def is_open(self) -> bool:
        """Whether the phase waits for orders."""
        playing = self.game.state in RUNNING_STATES
        return playing and self.revision is None and self.question is not None

    @property
    def may_order(self) -> bool:
        """Whether the visitor may order the power shown, now."""
        return self.is_open and self.viewer.may_order(self.power)

    @cached_property
    def own_orders(self) -> OwnOrders | None:
        """The sheet of the power shown, for those who may see it while the phase is open."""
        if not self.is_open or not self.viewer.may_see_draft(self.power):
            return None
        return OwnOrders.load(self.game, self.power, self.phase_number, self.public_question)

    @cached_property
    def preparation(self) -> OrderPreparation | None:
        """The orders in preparation of the power shown, where the visitor gives them."""
        return self.own_orders.preparation if self.own_orders and self.may_order else None

    @property
    def phase_code(self) -> str:
        """The phase shown, or the last one where the game is over."""
        if self.question:
            return str(self.question["phase"])
        return self.history.published_phases[-1] if self.history.published_phases else self.position["phase"]

    @property
    def position(self) -> Mapping[str, Any]:
        """The position shown: of the phase, of the end, or the variant’s first."""
        if self.question:
            return self.question
        last = self.history.revision(self.phase_number - 1)
        return (last.answer if last else None) or opening_situation(self.game)

    @cached_property
    def phase_map(self) -> PhaseMap:
        """What is drawn: the results; before they are published, what the visitor may see of the orders."""
        if self.question is None:
            return phase_maps.position_map(_standing(self.game, self.position))
        if self.revision:
            drawn = phase_maps.results_map(self.question, self.answer).only_orders(self.board_filter.shows)
            return phase_maps.map_with_overrides(drawn, self.answer) if self.revision.overrides else drawn
        drawn = phase_maps.draft_map(self.question, self._readings())
        return drawn if self.own_orders else drawn.only_orders(self.board_filter.shows)

    def _readings(self) -> list[Any]:
        if self.own_orders:
            return self.own_orders.preparation.readings
        if not self.is_open or not self.viewer.is_game_master:
            return []
        sheets = order_submission.counting_order_sets(self.game, self.phase_number).values()
        return [reading for sheet in sheets for reading in order_submission.understood_lines(sheet)]

    @property
    def public_map(self) -> PhaseMap:
        """What anybody may keep of it: the results, or an open phase without any order."""
        if self.revision or self.question is None:
            return self.phase_map
        return phase_maps.position_map(self.question)

    @property
    def powers_on_paper(self) -> Sequence[str]:
        """The powers whose orders the visitor may print forms for: their own, all at the desk."""
        return self.variant.definition.seats if self.viewer.is_at_desk else self.viewer.powers

    @property
    def maps_of_phase(self) -> tuple[PhaseMap, ...]:
        """A published phase as it began, with its orders and results, and what it led to."""
        after = GameBoard(self.viewer, self.phase_number + 1)
        stands = after.question or _standing(self.game, after.position)
        return phase_maps.position_map(self.question or {}), self.public_map, phase_maps.position_map(stands)

    @property
    def opening_mark(self) -> str:
        """Names the time for which the phase is open, so that pages of an earlier one are known."""
        return opening_mark(self.game)

    def url(self, name: str, *args: int | str) -> str:
        return reverse(f"games:{name}", args=[self.game.key, *args])

    def kept_query(self, name: str) -> str:
        says = self.power and (name == "scene" or len(self.viewer.powers) > 1)
        return "&".join(filter(None, (f"power={self.power}" if says else "", super().kept_query(name))))


def game_board_or_404(
    sight: GameViewer, number: int | None, power: str = "", query: QueryDict | None = None
) -> GameBoard:
    """A phase that is there, and the power the visitor asks for among his own; raises Http404."""
    mine = sight.powers
    if power and power not in mine:
        raise Http404
    chosen = power or next(iter(sight.orderable_powers or mine), "")
    board = GameBoard(sight, 1, chosen, query=query or QueryDict())
    board.phase_number = board.last_phase_number if number is None else number
    if not 1 <= board.phase_number <= board.last_phase_number:
        raise Http404
    return board


def opening_mark(game: Game) -> str:
    """The moment at which the open phase was opened, as a number for addresses."""
    return str(round(game.phase_opened_at.timestamp() * 1_000_000)) if game.phase_opened_at else ""


def _standing(game: Game, at: Mapping[str, Any]) -> Question:
    fields = ("units", "centers", "phase", *(() if game.phase_number else ("dislodged",)))
    kept = {name: at[name] for name in fields if at.get(name) is not None}
    return {"variant": game.variant, "rulebook": game.rulebook, **kept}
