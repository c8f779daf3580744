"""What the page of a phase shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse

from talleyrand import variants
from talleyrand.printing.pdf import installed
from talleyrand.variants import Variant
from talleyrand.web import addresses
from talleyrand.web.boards import drafts, picture, politics, results, standing, texts, wording
from talleyrand.web.boards.narrowing import Narrowing
from talleyrand.web.boards.picture import Sketch
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.referee import Question
from talleyrand.web.boards.scripting import script_words

from . import opponents, opponents_pages
from .games import Story
from .models import PracticeGame, PracticeTurn, address


@dataclass
class Desk:
    """One phase of a game as its reader sees it: `owner` may order, others only look. `query` is what the
    address asks for."""

    game: PracticeGame
    number: int
    owner: bool
    query: QueryDict = field(default_factory=QueryDict)

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
    def question(self) -> Question | None:
        return self.story.question(self.number)

    @cached_property
    def turn(self) -> PracticeTurn | None:
        return self.story.turn(self.number)

    @property
    def is_open(self) -> bool:
        return self.turn is None and self.question is not None

    @property
    def orders(self) -> Mapping[str, list[str]]:
        """The orders played, or those in preparation where the reader may see them."""
        if self.turn:
            return self.turn.orders
        return opponents.without(self.game.draft, self.game.bots) if self.owner else {}

    @property
    def sketch(self) -> Sketch:
        """A phase played with its results, an open one with the orders given, or the end of a game."""
        if self.turn and self.question:
            return picture.played(self.question, self.turn.answer).only(self.narrowed.keeps)
        if self.question:
            return picture.prepared(self.question, self.preparation.readings if self.preparation else ())
        last = self.game.turns.last()
        answer: Mapping[str, Any] = last.answer if last else {}
        phase = answer.get("phase") or self.game.start["phase"]
        kept = {name: answer[name] for name in ("units", "centers") if answer.get(name) is not None}
        game = self.game
        return picture.standing({"variant": game.variant, "rulebook": game.rulebook, "phase": phase, **kept})

    @cached_property
    def preparation(self) -> Preparation | None:
        """The orders of an open phase; those of others are not shown."""
        if not self.is_open or self.question is None:
            return None
        return Preparation(self.question, self.orders, self.game.plays, self.game.bots)

    @property
    def code(self) -> str:
        """The phase shown, or the last one played where the game is over."""
        return str(self.question["phase"]) if self.question else self.story.phases[-1]

    def address(self, number: int) -> str:
        name, key = ("phase", self.game.key) if self.owner else ("shared_phase", self.game.shared)
        path = reverse(f"practice:{name}", args=[key, number])
        return f"{path}?{self.narrowed.query}" if self.narrowed else path


def page(desk: Desk, request: HttpRequest) -> dict[str, Any]:
    """The context of the board's template."""
    words = script_words()
    prepared = _preparation(desk)
    if prepared:
        words["start"] = words[prepared["start_with"]]
    computers = opponents_pages.page(desk.game, desk.number) if desk.owner else {}
    idle = not (computers.get("thinking") or computers.get("watched"))
    return {
        "desk": desk,
        "ordering": desk.is_open and desk.owner and idle,
        "game": desk.game,
        "owner": desk.owner,
        "number": desk.number,
        "current": desk.story.current,
        "last_played": desk.story.current - 1,
        "variant_title": desk.variant.title[wording.language()],
        "rulebook_title": dict(wording.rulebook_titles()).get(desk.game.rulebook, desk.game.rulebook),
        "title": wording.title(desk.variant, desk.code, over=desk.question is None),
        "phases": _phases(desk),
        "drawing": desk.sketch.inline(getattr(request, "style_nonce", "")),
        "links": _links(desk, request),
        **_politics(desk),
        "standing": desk.narrowed.places(standing.rows(desk.variant, _at(desk), desk.preparation)),
        "scenes": _scenes(desk),
        "board_name": desk.game.shared,
        "played": desk.turn is not None,
        "strings": words,
        "copy_submission": address(),
        **prepared,
        **computers,
        **(_results(desk, desk.turn) if desk.turn else {}),
        "ended": _ended(desk) if desk.question is None else None,
    }


def _politics(desk: Desk) -> dict[str, Any]:
    """The table of the powers, and the proposals on the table."""
    at = _at(desk)
    columns = politics.table(desk.variant, at)
    more = columns.get("rows", {})
    answered = desk.turn is not None and desk.code[-1] in desk.variant.setting.calendar.optional
    told = desk.turn.answer if desk.turn and answered else at
    rows = desk.narrowed.rows(standing.counts(desk.variant, at), at)
    return {
        "table": [{**row, "more": more.get(row["code"], [])} for row in rows],
        "columns": columns,
        "findable": picture.findable(desk.variant),
        "debate": politics.debate(desk.variant, told.get("politics")),
        "announced": [] if answered else politics.announcements(desk.variant, told.get("politics")),
        "narrowed": desk.narrowed.page(desk.variant.board.seats),
    }


def _phases(desk: Desk) -> list[dict[str, Any]]:
    codes = list(desk.story.phases)
    last = desk.question if desk.number == desk.story.current else desk.story.question(desk.story.current)
    if last is not None:
        codes.append(last["phase"])
    return [
        {"number": number, "title": wording.phase(desk.variant, code), "url": desk.address(number)}
        for number, code in enumerate(codes, 1)
    ]


def _links(desk: Desk, request: HttpRequest) -> dict[str, str]:
    share = reverse("practice:shared", args=[desk.game.shared])
    key = desk.game.key if desk.owner else desk.game.shared
    prefix = "" if desk.owner else "shared_"
    picture_at = f"practice:{prefix}picture"
    return {
        "share": addresses.absolute(request, share),
        "png": reverse(picture_at, args=[key, desk.number, "png"]),
        "svg": reverse(picture_at, args=[key, desk.number, "svg"]),
        "txt": reverse(f"practice:{prefix}record", args=[key, "txt"]),
        "json": reverse(f"practice:{prefix}record", args=[key, "json"]),
        "pdf": reverse(f"practice:{prefix}record", args=[key, "pdf"]) if installed() else "",
        "curves": reverse(f"practice:{prefix}curves", args=[key]),
        "previous": desk.address(desk.number - 1) if desk.number > 1 else "",
        "next": desk.address(desk.number + 1) if desk.number < desk.story.current else "",
        "last": desk.address(desk.story.current),
    }


def _at(desk: Desk) -> Mapping[str, Any]:
    """The position of the phase shown, or the one the game ended in."""
    return desk.question or _last_answer(desk)


def _scenes(desk: Desk) -> str:
    """Where the phases of the history are; the page's script puts their number in place of 0."""
    key = desk.game.key if desk.owner else desk.game.shared
    path = reverse("practice:scene" if desk.owner else "practice:shared_scene", args=[key, 0])
    return f"{path}?{desk.narrowed.query}" if desk.narrowed else path


def _last_answer(desk: Desk) -> dict[str, Any]:
    turn = desk.game.turns.last()
    return turn.answer if turn else {}


def _ended(desk: Desk) -> dict[str, Any]:
    answer = _last_answer(desk)
    winners = [wording.power(desk.variant, code) for code in answer.get("winner") or ()]
    return {"winners": winners}


def _preparation(desk: Desk) -> dict[str, Any]:
    return {**desk.preparation.page(), "submission": address()} if desk.preparation else {}


def _asked(desk: Desk, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results of a movement phase, each order with the address of its chain of causes."""
    if not desk.code.endswith("M"):
        return rows
    key = desk.game.key if desk.owner else desk.game.shared
    name = "practice:why" if desk.owner else "practice:shared_why"
    return results.explained(rows, lambda province: reverse(name, args=[key, desk.number, province]))


def _played_by(turn: PracticeTurn, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results with the name of the computer's player that ordered a power."""
    for row in rows:
        row["player"] = opponents.title(turn.bots[row["code"]]) if row["code"] in turn.bots else ""
    return rows


def _results(desk: Desk, turn: PracticeTurn) -> dict[str, Any]:
    answer = turn.answer
    lost = turn.orders.get(drafts.NOBODY, ())
    before = (desk.question or {}).get("politics") or {}
    return {
        "unowned": [(line, drafts.owner_unknown()[wording.language()]) for line in lost],
        "results": desk.narrowed.entries(
            _played_by(turn, _asked(desk, results.by_power(desk.variant, answer)))
        ),
        "votes": politics.votes(desk.variant, answer, before),
        "minutes": politics.minutes(desk.variant, before, answer.get("politics") or {}),
        "notes": results.notes(answer),
        "chance": answer.get("chance") or [],
        "eliminated": results.newly_out(desk.variant, desk.question, answer),
        "is_last": turn.number >= desk.story.decided,
        "asked": texts.question_text(desk.question, turn.orders) if desk.question else "",
    }
