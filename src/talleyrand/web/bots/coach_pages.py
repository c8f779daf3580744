"""The page of the coach: what else a power could have ordered in moves that were played."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from talleyrand import drawing
from talleyrand.engine.board import province_of
from talleyrand.engine.outcome import Verdict
from talleyrand.web.background.generated_documents import DocumentFailed, DocumentPending, QuotaUsedUp
from talleyrand.web.boards import display_names, map_excerpts, map_shapes, phase_maps
from talleyrand.web.boards.adjudicator import Lines
from talleyrand.web.boards.phase_board import PhaseBoard
from talleyrand.web.common import error_pages

from . import bot_players, coach_reviews
from .coach_texts import CoachTexts


def coach_response(
    request: HttpRequest,
    board: PhaseBoard,
    orders: Lines,
    *,
    apart: bool = False,
    broken: Callable[[str, list[str]], list[str]] = lambda _power, _orders: [],
) -> HttpResponse:
    """The review of the power that the address names, else of the reader's own; Http404 for phases that
    cannot be reviewed and for powers without units. `broken` says which agreements a power's orders break."""
    question = board.question
    if question is None or not _is_reviewed(board):
        raise Http404
    powers = coach_reviews.reviewable_powers(question, board.variant)
    own = next((power for power in board.own_powers if power in powers), next(iter(powers), ""))
    power = request.GET.get("power", own)
    if power not in powers:
        raise Http404
    page = _page(board, powers, power)
    if sentence := _why_not(board):
        return render(request, "boards/coach.html", {**page, "sentence": sentence})
    try:
        review = coach_reviews.review_of_moves(request, question, orders, power, apart=apart)
    except DocumentPending:
        response = render(request, "boards/coach.html", {**page, "waits": True}, status=202)
        response["Refresh"] = "3"
        return response
    except QuotaUsedUp:
        return error_pages.quota_used_up(request)
    except DocumentFailed:
        return error_pages.document_failed(request)
    context = _Told(board, orders, power, review, apart=apart).context(request)
    for one, found in zip(context["better"], review["better"], strict=True):
        one["sentences"] += broken(power, found["orders"])
    return render(request, "boards/coach.html", {**page, **context})


def coach_url(board: PhaseBoard) -> str:
    """Where the coach reviews the phase shown; "" where it does not."""
    return board.url("coach", board.phase_number) if _is_reviewed(board) else ""


def _is_reviewed(board: PhaseBoard) -> bool:
    return board.is_decided_by_orders and board.phase_code[-1:] in coach_reviews.REVIEWED_KINDS


def _why_not(board: PhaseBoard) -> str:
    if board.variant.definition.politics is not None:
        return _(
            "No coach in this variant: it tries moves, and can’t weigh what the powers agree and vote on."
        )
    if not bot_players.bots_are_compiled():
        return _(
            "No coach on this site: its administrator can add it with pip install 'talleyrand[simulation]'."
        )
    return ""


def _page(board: PhaseBoard, powers: list[str], power: str) -> dict[str, Any]:
    here = board.url("coach", board.phase_number)
    return {
        "title": display_names.phase_name(board.variant, board.phase_code),
        "back": board.phase_url(board.phase_number),
        "power": power,
        "power_name": display_names.power_name(board.variant, power),
        "powers": [
            {
                "name": display_names.power_name(board.variant, code),
                "colour": display_names.power_colour(board.variant, code),
                "url": f"{here}?power={code}",
                "shown": code == power,
            }
            for code in powers
        ],
    }


class _Told:
    """A review in the reader's words, each set of orders with its picture."""

    def __init__(
        self, board: PhaseBoard, orders: Lines, power: str, review: Mapping[str, Any], *, apart: bool
    ) -> None:
        self.board, self.orders, self.power, self.review, self.apart = board, orders, power, review, apart
        self.variant = map_shapes.in_readers_shape(board.variant)
        self.texts = CoachTexts(board.variant, review)

    def context(self, request: HttpRequest) -> dict[str, Any]:
        better = self.review["better"]
        pictures, ground = self._pictures(getattr(request, "style_nonce", ""))
        return {
            "review": self.review,
            "effort": self.texts.effort,
            "none_better": self.texts.none_better,
            "played": {
                "orders": self._orders(self.review["orders"]),
                "risk": self.texts.risk(self.review["risk"], compared=False),
                "shares": self.texts.played_shares(),
                "picture": pictures[0],
            },
            "better": [
                {
                    "title": self.texts.title(one),
                    "orders": self._orders(one["orders"], one["changed"]),
                    "lines": "\n".join(one["orders"]),
                    "sentences": [
                        self.texts.hindsight(one),
                        self.texts.chances(one),
                        self.texts.risk(one["risk"]),
                    ],
                    "shares": self.texts.shares(one),
                    "picture": picture,
                    "submission": secrets.token_urlsafe(16),
                }
                for one, picture in zip(better, pictures[1:], strict=True)
            ],
            "ground": ground,
            "copy_url": self.board.url("copy", self.board.phase_number),
        }

    def _orders(self, orders: list[str], changed: list[str] | None = None) -> list[dict[str, Any]]:
        """Each order in full words, and whether it is another than what was played."""
        return [
            {
                "text": phase_maps.order_label(self.variant, order, ""),
                "changed": any(f"{order} ".startswith(f"{unit} ") for unit in changed or ()),
            }
            for order in orders
        ]

    def _pictures(self, nonce: str) -> tuple[list[SafeString], SafeString]:
        """Of the orders played and of each better set, with their results by hindsight: the power's own."""
        asked = self.board.question or {}
        sets = [self.orders, *({**self.orders, self.power: one["orders"]} for one in self.review["better"])]
        judged = [coach_reviews.judged_with(asked, lines, apart=self.apart) for lines in sets]
        own = [self._own(one.turn.outcome.verdicts) for one in judged]
        series = drawing.draw_series(
            self.variant,
            judged[0].question.position,
            [(verdicts, frozenset()) for verdicts in own],
            language=display_names.reader_language(),
        )
        places = [place for verdicts in own for one in verdicts for place in _places(one)]
        part = map_excerpts.excerpt_box(list(map_excerpts.unit_points(self.variant, places)), series.box)
        return [map_excerpts.excerpt_svg(part, drawn) for drawn in series.drawn], map_excerpts.shared_ground(
            series, nonce
        )

    def _own(self, verdicts: tuple[Verdict, ...]) -> list[Verdict]:
        return [one for one in verdicts if one.power == self.power]


def _places(one: Verdict) -> tuple[str, ...]:
    if not one.unit.location:
        return ()
    return (one.unit.province, province_of(one.to)) if one.to else (one.unit.province,)
