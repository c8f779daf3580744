"""What the page of a phase shows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, QueryDict
from django.urls import reverse

from talleyrand.web.boards import board_context, display_names, order_drafts, phase_maps, position_texts
from talleyrand.web.boards.adjudicator import Answer, Question
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.boards.phase_board import PhaseBoard
from talleyrand.web.boards.phase_maps import PhaseMap
from talleyrand.web.bots import bot_players, coach_pages
from talleyrand.web.common import absolute_urls

from . import bot_progress, practice_access, practice_bot_tasks
from .models import PracticeBotTask, PracticeGame, PracticeTurn
from .practice_games import PracticeHistory
from .talk_context import broken_words_text, talk_context

ORDER_PAGES = {"draft": "draft", "orders": "resolve", "sheet": "sheet"}


@dataclass
class PracticeBoard(PhaseBoard):
    """One phase of a game as its reader sees it: `is_owner` may order, others only look. `query` is what the
    address asks for."""

    game: PracticeGame
    phase_number: int
    is_owner: bool
    query: QueryDict = field(default_factory=QueryDict)

    @classmethod
    def opened(
        cls, key: str, shared: str, number: int | None = None, query: QueryDict | None = None
    ) -> PracticeBoard:
        """The phase at one of the two addresses of a game, for None the open one; Http404 for none."""
        board = cls(practice_access.game_or_404(key, shared), 1, bool(key), query or QueryDict())
        _ = board.bot_task  # before the phases: what ends in between is then read as played
        board.phase_number = board.last_phase_number if number is None else number
        if not 1 <= board.phase_number <= board.last_phase_number:
            raise Http404
        return board

    @cached_property
    def bot_task(self) -> PracticeBotTask | None:
        """What the computer is at."""
        return practice_bot_tasks.practice_bot_task_of(self.game)

    @cached_property
    def history(self) -> PracticeHistory:
        return PracticeHistory(self.game)

    @property
    def last_phase_number(self) -> int:
        return self.history.open_phase_number

    @property
    def phase_codes(self) -> list[str]:
        here, last = self.phase_number, self.last_phase_number
        question = self.question if here == last else self.history.question(last)
        return [*self.history.played_phases, *([question["phase"]] if question else [])]

    @cached_property
    def question(self) -> Question | None:
        return self.history.question(self.phase_number)

    @cached_property
    def played_turn(self) -> PracticeTurn | None:
        return self.history.turn(self.phase_number)

    @property
    def own_powers(self) -> Collection[str]:
        """The one that is played, or those without a bot; none where one plays them all."""
        chosen, bots = self.game.played_power, self.game.bots
        if chosen or not bots:
            return [chosen] if chosen else ()
        return [code for code in self.variant.definition.seats if code not in bots]

    @property
    def is_played(self) -> bool:
        return self.played_turn is not None

    @property
    def answer(self) -> Answer:
        return self.played_turn.answer if self.played_turn else {}

    @property
    def is_decided_by_orders(self) -> bool:
        return self.is_played and not self.is_corrected

    @property
    def is_corrected(self) -> bool:
        """Whether a game master had decided the phase, in the file that the game is from."""
        return "corrected" in (self.question or {})

    @property
    def is_open(self) -> bool:
        return self.played_turn is None and self.question is not None

    @property
    def is_announcement_published(self) -> bool:
        return self.is_played and self.phase_code[-1] in self.variant.definition.calendar.optional

    @property
    def public_affairs(self) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = (
            self.answer if self.is_announcement_published else self.position
        ).get("politics")
        return found

    def url(self, name: str, *args: int | str) -> str:
        own = self.is_owner
        key = self.game.key if own else self.game.shared_key
        return reverse(f"practice:{name}" if own else f"practice:shared_{name}", args=[key, *args])

    @property
    def orders(self) -> Mapping[str, list[str]]:
        """The orders played, or those in preparation where the reader may see them."""
        if self.played_turn:
            return self.played_turn.orders
        return bot_players.without_bot_powers(self.game.draft_orders, self.game.bots) if self.is_owner else {}

    @cached_property
    def preparation(self) -> OrderPreparation | None:
        """The orders of an open phase; those of others are not shown."""
        if not self.is_open or self.question is None:
            return None
        return OrderPreparation(self.question, self.orders, self.game.played_power, self.game.bots)

    @property
    def phase_code(self) -> str:
        """The phase shown, or the last one played where the game is over."""
        return str(self.question["phase"]) if self.question else self.history.played_phases[-1]

    @cached_property
    def last_answer(self) -> Mapping[str, Any]:
        """The answer to the last phase played; empty where none was."""
        turn = self.game.turns.last()
        return turn.answer if turn else {}

    @property
    def position(self) -> Mapping[str, Any]:
        """The position of the phase shown, or the one the game ended in."""
        return self.question or self.last_answer

    @cached_property
    def phase_map(self) -> PhaseMap:
        """A phase played with its results, an open one with the orders given, or the end of a game."""
        if self.played_turn and self.question:
            played = phase_maps.results_map(self.question, self.played_turn.answer)
            played = played.only_orders(self.board_filter.shows)
            return phase_maps.map_with_overrides(played, self.answer) if self.is_corrected else played
        if self.question:
            return phase_maps.draft_map(self.question, self.preparation.readings if self.preparation else ())
        answer = self.last_answer
        phase = answer.get("phase") or self.game.start_situation["phase"]
        kept = {name: answer[name] for name in ("units", "centers") if answer.get(name) is not None}
        game = self.game
        return phase_maps.position_map(
            {"variant": game.variant, "rulebook": game.rulebook, "phase": phase, **kept}
        )

    @property
    def outlook(self) -> str:
        """What the orders in preparation lead to, and which agreements with bots they would break."""
        if self.preparation is None or self.question is None:
            return ""
        given = self.preparation.followed_orders if self.question["phase"].endswith("M") else {}
        broken = broken_words_text(self.game, self.phase_number, self.question, given) if given else ""
        said = (self.preparation.outlook_text, self.preparation.unfilled_text, broken)
        return " ".join(filter(None, said))


def practice_board_context(board: PracticeBoard, request: HttpRequest) -> dict[str, Any]:
    """The context of the board's template."""
    told = board_context.board_context(board, request)
    at = board.question if board.phase_number == board.last_phase_number else None
    computers = (
        bot_progress.bot_context(board.game, board.phase_number, at, board.bot_task) if board.is_owner else {}
    )
    idle = not (computers.get("thinking") or computers.get("watched"))
    here = [board.game.key, board.phase_number]
    share = reverse("practice:shared", args=[board.game.shared_key])
    return {
        **told,
        "links": {**told["links"], "share": absolute_urls.absolute_url(request, share)},
        "outlook": board.outlook if board.is_owner else "",
        "orders_are": "kept" if board.is_open and board.is_owner and idle else "",
        **{f"{what}_url": reverse(f"practice:{name}", args=here) for what, name in ORDER_PAGES.items()},
        "powers_written": not board.game.played_power,
        "bots": board.game.bots,
        "game": board.game,
        "owner": board.is_owner,
        "board_name": board.game.shared_key,
        **computers,
        **(talk_context(board.game, at, is_open=board.is_open and idle) if board.is_owner else {}),
        **(_results(board, board.played_turn, told["results"]) if board.played_turn else {}),
        "ended": _ended(board) if board.question is None else None,
    }


def _ended(board: PracticeBoard) -> dict[str, Any]:
    winners = [
        display_names.power_name(board.variant, code) for code in board.last_answer.get("winner") or ()
    ]
    return {"kind": "solo", "winners": winners, "nobody": not winners}


def _results(board: PracticeBoard, turn: PracticeTurn, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The results with the bot that ordered each power, and what only a practice game has."""
    lost = turn.orders.get(order_drafts.NO_POWER, ())
    unknown = order_drafts.owner_unknown_texts()[display_names.reader_language()]
    bots = {power: bot_players.bot_title(code) for power, code in turn.bots.items()}
    return {
        "results": [{**row, "player": bots.get(row["code"], "")} for row in rows],
        "unowned": [(line, unknown) for line in lost],
        "coach_url": coach_pages.coach_url(board),
        "is_last": turn.phase_number >= board.history.last_decided_phase_number,
        "asked": position_texts.question_text(board.question, turn.orders) if board.question else "",
    }
