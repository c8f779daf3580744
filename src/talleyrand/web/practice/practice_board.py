"""What the page of a phase shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse

from talleyrand import variants
from talleyrand.printing.pdf import is_installed
from talleyrand.variants import Variant
from talleyrand.web.boards import (
    display_names,
    order_drafts,
    phase_maps,
    politics_context,
    position_tables,
    position_texts,
    result_rows,
)
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.boards.board_filter import BoardFilter
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.boards.phase_maps import PhaseMap
from talleyrand.web.boards.script_texts import script_texts
from talleyrand.web.bots import bot_players
from talleyrand.web.common import absolute_urls

from . import bot_progress
from .models import PracticeGame, PracticeTurn, random_token
from .practice_games import PracticeHistory


@dataclass
class PracticeBoard:
    """One phase of a game as its reader sees it: `is_owner` may order, others only look. `query` is what the
    address asks for."""

    game: PracticeGame
    phase_number: int
    is_owner: bool
    query: QueryDict = field(default_factory=QueryDict)

    @cached_property
    def history(self) -> PracticeHistory:
        return PracticeHistory(self.game)

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @cached_property
    def board_filter(self) -> BoardFilter:
        """The powers and regions that alone are shown, where the address names any."""
        return BoardFilter.from_query(self.variant, self.query)

    @cached_property
    def question(self) -> Question | None:
        return self.history.question(self.phase_number)

    @cached_property
    def played_turn(self) -> PracticeTurn | None:
        return self.history.turn(self.phase_number)

    @property
    def is_open(self) -> bool:
        return self.played_turn is None and self.question is not None

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
            return played.only_orders(self.board_filter.shows)
        if self.question:
            return phase_maps.draft_map(self.question, self.preparation.readings if self.preparation else ())
        answer = self.last_answer
        phase = answer.get("phase") or self.game.start_situation["phase"]
        kept = {name: answer[name] for name in ("units", "centers") if answer.get(name) is not None}
        game = self.game
        return phase_maps.position_map(
            {"variant": game.variant, "rulebook": game.rulebook, "phase": phase, **kept}
        )

    def phase_url(self, number: int) -> str:
        name, key = ("phase", self.game.key) if self.is_owner else ("shared_phase", self.game.shared_key)
        path = reverse(f"practice:{name}", args=[key, number])
        return f"{path}?{self.board_filter.query_string}" if self.board_filter else path


def practice_board_context(desk: PracticeBoard, request: HttpRequest) -> dict[str, Any]:
    """The context of the board's template."""
    words = script_texts()
    prepared: dict[str, Any] = {}
    if desk.preparation:
        prepared = {**desk.preparation.page_context(), "submission": random_token()}
        words["start"] = words[prepared["start_with"]]
    at = desk.question if desk.phase_number == desk.history.open_phase_number else None
    computers = bot_progress.bot_context(desk.game, desk.phase_number, at) if desk.is_owner else {}
    idle = not (computers.get("thinking") or computers.get("watched"))
    return {
        "desk": desk,
        "ordering": desk.is_open and desk.is_owner and idle,
        "game": desk.game,
        "owner": desk.is_owner,
        "number": desk.phase_number,
        "current": desk.history.open_phase_number,
        "last_played": desk.history.open_phase_number - 1,
        "variant_title": desk.variant.title[display_names.reader_language()],
        "rulebook_title": dict(display_names.rulebook_titles()).get(desk.game.rulebook, desk.game.rulebook),
        "title": display_names.phase_title(desk.variant, desk.phase_code, over=desk.question is None),
        "phases": _phases(desk),
        "drawing": desk.phase_map.inline_svg(getattr(request, "style_nonce", "")),
        "links": _links(desk, request),
        **_politics(desk),
        "standing": desk.board_filter.filtered_places(
            position_tables.position_rows(desk.variant, desk.position, desk.preparation)
        ),
        "scenes": _scenes(desk),
        "board_name": desk.game.shared_key,
        "played": desk.played_turn is not None,
        "strings": words,
        "copy_submission": random_token(),
        **prepared,
        **computers,
        **(_results(desk, desk.played_turn) if desk.played_turn else {}),
        "ended": _ended(desk) if desk.question is None else None,
    }


def _politics(desk: PracticeBoard) -> dict[str, Any]:
    """The table of the powers, and the proposals on the table."""
    at = desk.position
    columns = politics_context.power_columns(desk.variant, at)
    more = columns.get("rows", {})
    answered = (
        desk.played_turn is not None and desk.phase_code[-1] in desk.variant.definition.calendar.optional
    )
    told = desk.played_turn.answer if desk.played_turn and answered else at
    rows = desk.board_filter.filtered_rows(position_tables.power_counts(desk.variant, at), at)
    return {
        "table": [{**row, "more": more.get(row["code"], [])} for row in rows],
        "columns": columns,
        "findable": phase_maps.searchable_provinces(desk.variant),
        "debate": politics_context.open_motions(desk.variant, told.get("politics")),
        "announced": []
        if answered
        else politics_context.announced_tables(desk.variant, told.get("politics")),
        "narrowed": desk.board_filter.form_context(desk.variant.board.seats),
    }


def _phases(desk: PracticeBoard) -> list[dict[str, Any]]:
    codes = list(desk.history.played_phases)
    last = (
        desk.question
        if desk.phase_number == desk.history.open_phase_number
        else desk.history.question(desk.history.open_phase_number)
    )
    if last is not None:
        codes.append(last["phase"])
    return [
        {
            "number": number,
            "title": display_names.phase_name(desk.variant, code),
            "url": desk.phase_url(number),
        }
        for number, code in enumerate(codes, 1)
    ]


def _links(desk: PracticeBoard, request: HttpRequest) -> dict[str, str]:
    share = reverse("practice:shared", args=[desk.game.shared_key])
    key = desk.game.key if desk.is_owner else desk.game.shared_key
    prefix = "" if desk.is_owner else "shared_"
    picture_at = f"practice:{prefix}picture"
    return {
        "share": absolute_urls.absolute_url(request, share),
        "png": reverse(picture_at, args=[key, desk.phase_number, "png"]),
        "svg": reverse(picture_at, args=[key, desk.phase_number, "svg"]),
        "txt": reverse(f"practice:{prefix}record", args=[key, "txt"]),
        "json": reverse(f"practice:{prefix}record", args=[key, "json"]),
        "pdf": reverse(f"practice:{prefix}record", args=[key, "pdf"]) if is_installed() else "",
        "curves": reverse(f"practice:{prefix}curves", args=[key]),
        "previous": desk.phase_url(desk.phase_number - 1) if desk.phase_number > 1 else "",
        "next": desk.phase_url(desk.phase_number + 1)
        if desk.phase_number < desk.history.open_phase_number
        else "",
        "last": desk.phase_url(desk.history.open_phase_number),
    }


def _scenes(desk: PracticeBoard) -> str:
    """Where the phases of the history are; the page's script puts their number in place of 0."""
    key = desk.game.key if desk.is_owner else desk.game.shared_key
    path = reverse("practice:scene" if desk.is_owner else "practice:shared_scene", args=[key, 0])
    return f"{path}?{desk.board_filter.query_string}" if desk.board_filter else path


def _ended(desk: PracticeBoard) -> dict[str, Any]:
    winners = [display_names.power_name(desk.variant, code) for code in desk.last_answer.get("winner") or ()]
    return {"winners": winners}


def _asked(desk: PracticeBoard, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results of a movement phase, each order with the address of its chain of causes."""
    if not desk.phase_code.endswith("M"):
        return rows
    key = desk.game.key if desk.is_owner else desk.game.shared_key
    name = "practice:why" if desk.is_owner else "practice:shared_why"
    return result_rows.with_explanation_urls(
        rows, lambda province: reverse(name, args=[key, desk.phase_number, province])
    )


def _played_by(turn: PracticeTurn, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results with the name of the computer's player that ordered a power."""
    for row in rows:
        row["player"] = bot_players.bot_title(turn.bots[row["code"]]) if row["code"] in turn.bots else ""
    return rows


def _results(desk: PracticeBoard, turn: PracticeTurn) -> dict[str, Any]:
    answer = turn.answer
    lost = turn.orders.get(order_drafts.NO_POWER, ())
    before = (desk.question or {}).get("politics") or {}
    return {
        "unowned": [
            (line, order_drafts.owner_unknown_texts()[display_names.reader_language()]) for line in lost
        ],
        "results": desk.board_filter.filtered_results(
            _played_by(turn, _asked(desk, result_rows.results_by_power(desk.variant, answer)))
        ),
        "votes": politics_context.vote_results(desk.variant, answer, before),
        "minutes": politics_context.minutes_tables(desk.variant, before, answer.get("politics") or {}),
        "notes": result_rows.adjudicator_notes(answer),
        "chance": answer.get("chance") or [],
        "eliminated": result_rows.newly_eliminated(desk.variant, desk.question, answer),
        "is_last": turn.phase_number >= desk.history.last_decided_phase_number,
        "asked": position_texts.question_text(desk.question, turn.orders) if desk.question else "",
    }
