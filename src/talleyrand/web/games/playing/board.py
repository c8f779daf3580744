"""One phase of a game as one visitor sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import Http404, QueryDict
from django.urls import reverse

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import picture, politics, referee
from talleyrand.web.boards.narrowing import Narrowing
from talleyrand.web.boards.picture import Sketch
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.referee import Answer, Question
from talleyrand.web.games import inbox, lasting
from talleyrand.web.games.models import RUNNING, Game, Revision
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story, first_situation

from .sheets import OwnSheet


@dataclass
class Board:
    """Phase `number` of a game, from 1; the last number is the open phase, or where the game ended.

    `power` is the one of the visitor’s powers whose orders are shown, "" for somebody who plays none.
    `shown` is a revision to show in place of the current one, `query` what the address asks for.
    """

    sight: Sight
    number: int
    power: str = ""
    shown: Revision | None = None
    query: QueryDict = field(default_factory=QueryDict)

    @property
    def game(self) -> Game:
        return self.sight.game

    @cached_property
    def story(self) -> Story:
        return Story(self.game)

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @cached_property
    def narrowed(self) -> Narrowing:
        """The powers and regions that alone are shown, where the address names any."""
        return Narrowing.of(self.variant, self.query)

    @cached_property
    def current(self) -> int:
        """The number of the open phase, or of the end."""
        return len(self.story.phases) + 1

    @property
    def revision(self) -> Revision | None:
        """The phase as it was published; None while it is open."""
        return self.shown or (self.story.revision(self.number) if self.number else None)

    @cached_property
    def question(self) -> Question | None:
        """The phase without orders; None before the start and after the end."""
        found = self.shown
        if found is None or found.situation is None:
            return self.story.question(self.number)
        asked = {**found.situation, **({"absent": found.absent} if found.absent else {})}
        return referee.ask(self.game.variant_at(self.number), self.game.rulebook, self.game.seed, asked)

    @cached_property
    def announced(self) -> Answer | None:
        """What was made public in the open phase already; None where nothing is before its end."""
        if not self.is_open or self.question is None:
            return None
        return lasting.announced(self.game, self.question)

    @property
    def public_question(self) -> Question:
        """The phase without orders, with what has been made public in it since it opened."""
        return politics.known(self.question or {}, self.announced)

    @property
    def is_told(self) -> bool:
        """Whether what the phase announced stands among its results."""
        return self.revision is not None and self.story.is_optional(self.code)

    @property
    def known(self) -> Mapping[str, Any] | None:
        """The affairs as everybody knows them in the phase shown."""
        told = self.announced or (self.answer if self.story.is_optional(self.code) else self.question)
        return told.get("politics") if told else None

    @property
    def answer(self) -> Answer:
        """What became of the orders of a published phase."""
        return (self.revision.answer if self.revision else None) or {}

    @property
    def is_open(self) -> bool:
        """Whether the phase waits for orders."""
        playing = self.game.state in RUNNING
        return playing and self.revision is None and self.question is not None

    @property
    def orders_here(self) -> bool:
        """Whether the visitor may order the power shown, now."""
        return self.is_open and self.sight.may_order(self.power)

    @cached_property
    def own(self) -> OwnSheet | None:
        """The sheet of the power shown, for those who may see it while the phase is open."""
        if not self.is_open or not self.sight.sees_draft(self.power):
            return None
        return OwnSheet.of(self.game, self.power, self.number, self.public_question)

    @cached_property
    def preparation(self) -> Preparation | None:
        """The orders in preparation of the power shown, where the visitor gives them."""
        return self.own.preparation if self.own and self.orders_here else None

    @property
    def code(self) -> str:
        """The phase shown, or the last one where the game is over."""
        if self.question:
            return str(self.question["phase"])
        return self.story.phases[-1] if self.story.phases else self.at["phase"]

    @property
    def at(self) -> Mapping[str, Any]:
        """The position shown: of the phase, of the end, or the variant’s first."""
        if self.question:
            return self.question
        last = self.story.revision(self.number - 1)
        return (last.answer if last else None) or first_situation(self.variant, self.game.terms.readings)

    @cached_property
    def sketch(self) -> Sketch:
        """What is drawn: the results; before they are published, what the visitor may see of the orders."""
        if self.question is None:
            return picture.standing(_standing(self.game, self.at))
        if self.revision:
            drawn = picture.played(self.question, self.answer).only(self.narrowed.keeps)
            return picture.corrected(drawn, self.answer) if self.revision.changes else drawn
        drawn = picture.prepared(self.question, self._readings())
        return drawn if self.own else drawn.only(self.narrowed.keeps)

    def _readings(self) -> list[Any]:
        if self.own:
            return self.own.preparation.readings
        if not self.is_open or not self.sight.is_master:
            return []
        sheets = inbox.counting(self.game, self.number).values()
        return [reading for sheet in sheets for reading in inbox.understood(sheet)]

    @property
    def bare(self) -> Sketch:
        """What anybody may keep of it: the results, or an open phase without any order."""
        if self.revision or self.question is None:
            return self.sketch
        return picture.standing(self.question)

    @property
    def opening(self) -> str:
        """Names the time for which the phase is open, so that pages of an earlier one are known."""
        return opening(self.game)

    def address(self, number: int) -> str:
        path = reverse("games:phase", args=[self.game.key, number])
        power = f"power={self.power}" if self.power and len(self.sight.powers) > 1 else ""
        query = "&".join(filter(None, (power, self.narrowed.query)))
        return f"{path}?{query}" if query else path


def opened(sight: Sight, number: int | None, power: str = "", query: QueryDict | None = None) -> Board:
    """A phase that is there, and the power the visitor asks for among his own; raises Http404."""
    mine = sight.powers
    if power and power not in mine:
        raise Http404
    chosen = power or next(iter(sight.acting or mine), "")
    board = Board(sight, 1, chosen, query=query or QueryDict())
    board.number = board.current if number is None else number
    if not 1 <= board.number <= board.current:
        raise Http404
    return board


def opening(game: Game) -> str:
    """The moment at which the open phase was opened, as a number for addresses."""
    return str(round(game.opened.timestamp() * 1_000_000)) if game.opened else ""


def _standing(game: Game, at: Mapping[str, Any]) -> Question:
    kept = {name: at[name] for name in ("units", "centers", "phase") if at.get(name) is not None}
    return {"variant": game.variant, "rulebook": game.rulebook, **kept}
