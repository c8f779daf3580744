"""Giving orders: the draft, handing it in, and what was received."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.boards import (
    board_context,
    display_names,
    order_drafts,
    order_requests,
    phase_maps,
    politics_context,
)
from talleyrand.web.boards.adjudicator import Lines, Question, QuestionRefusal
from talleyrand.web.boards.order_drafts import DraftRefusal
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.boards.order_requests import DraftChange, RequestRefusal
from talleyrand.web.conduct import game_traces
from talleyrand.web.games import binding_orders, order_queries, order_submission, page_context, visibility
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game, OrderSet, random_token
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.limits.thread_pool import received_at

from . import order_texts, views
from .game_board import GameBoard, game_board_or_404, opening_mark
from .own_orders import OwnOrders

SUBMIT, SUBMIT_AS_READY, NOT_READY_YET, SAVE = "hand_in", "final", "open_again", "save"
OrderProblem = OrdersRefusal | DraftRefusal | RequestRefusal | QuestionRefusal
PROBLEMS = (OrdersRefusal, DraftRefusal, RequestRefusal, QuestionRefusal)


@dataclass(frozen=True)
class OrderRequest:
    """A visitor’s wish about the orders of one of his powers, received at `received_at`."""

    viewer: GameViewer
    power: str
    phase_number: int
    received_at: datetime
    opening_mark: str = ""

    def check_still_open(self) -> None:
        """A page made before the phase was taken back, and opened again, may show another position.

        Raises OrdersRefusal.
        """
        game = self.viewer.game
        if (
            self.opening_mark
            and self.phase_number == game.phase_number
            and self.opening_mark != opening_mark(game)
        ):
            raise OrdersRefusal("moved")

    def change_draft(self, change: DraftChange) -> OwnOrders:
        """The power’s orders, as they are with this change."""
        game, person, number = self.viewer.game, self.viewer.person, self.phase_number
        known: Question = {}

        def informed(question: Question, draft: Lines) -> Lines:
            nonlocal known
            known = politics_context.with_announced_affairs(
                question, binding_orders.announced_so_far(game, question)
            )
            return change(known, draft)

        seat = order_submission.change_draft(game, self.power, number, informed, self.received_at, person)
        submitted = order_submission.counting_order_set(seat.game, self.power, number)
        return OwnOrders(seat.game, seat, number, known, submitted)

    def set_ready(self, *, final: bool) -> None:
        game, person = self.viewer.game, self.viewer.person
        order_submission.set_ready(game, self.power, self.phase_number, final, self.received_at, person)

    def own_orders(self, handed: OrderSet | None = None) -> OwnOrders | None:
        """The power’s sheet as it stands now, or as this request has left it if it `handed` one in; None
        where its phase is open no more.
        """
        if handed is not None and handed.received_at == self.received_at:
            return OwnOrders.after_submission(handed)
        game = order_queries.GAME.get(id=self.viewer.game.pk)
        question = (
            GameHistory(game).question(self.phase_number) if self.phase_number == game.phase_number else None
        )
        if question is None or game.state not in RUNNING_STATES:
            return None
        known = politics_context.with_announced_affairs(
            question, binding_orders.announced_so_far(game, question)
        )
        return OwnOrders.load(game, self.power, self.phase_number, known)

    def open_board(self) -> GameBoard:
        """The open phase as it stands now."""
        told = page_context.signed_game_topic(self.viewer.game.key)
        fresh = GameViewer(Game.objects.get(pk=self.viewer.game.pk), self.viewer.person, told)
        return game_board_or_404(fresh, None, self.power)

    @property
    def phase_url(self) -> str:
        """Where the phase is shown."""
        return GameBoard(self.viewer, self.phase_number, self.power).phase_url(self.phase_number)


def _order_request(request: HttpRequest, key: str, number: int, power: str) -> OrderRequest:
    """Raises Http404 for a power that the visitor does not play, as for one that is not there."""
    at = received_at(request)
    sight = page_context.game_viewer_of_power(request, key, power)
    return OrderRequest(sight, power, number, at, request.GET.get("opening", ""))


def order_problem_text(problem: OrderProblem) -> str:
    """Why nothing was done, in the reader’s language."""
    if isinstance(problem, OrdersRefusal):
        return order_texts.orders_refusal_text(problem)
    return (
        order_texts.own_draft_refusal_text(problem) if isinstance(problem, DraftRefusal) else problem.sentence
    )


def _status(problem: OrderProblem) -> int:
    if isinstance(problem, OrdersRefusal):
        return 409
    return problem.status if isinstance(problem, RequestRefusal) else 400


# by the scripts of the page


@require_POST
def change_draft_view(request: HttpRequest, key: str, number: int, power: str) -> HttpResponse:
    """Change the orders in preparation: `{"orders": …}`, `{"sheet": …}` or `{"lines": …}`, in JSON."""
    asked = _order_request(request, key, number, power)
    try:
        asked.check_still_open()
        sent = order_requests.json_body(request)
        own = asked.change_draft(order_requests.change_from_json(sent, power))
    except PROBLEMS as problem:
        return _refusal(problem)
    drawn = phase_maps.draft_map(own.question, own.preparation.readings)
    told = board_context.changed_orders_context(own.preparation, drawn, str(sent.get("sheet", "")))
    standing = _standing(own, order_texts.order_status(own))
    return JsonResponse({**told, "lines": {own.power: own.draft_lines}, **standing})


def _refusal(problem: OrderProblem) -> HttpResponse:
    told = {"message": order_problem_text(problem), "code": getattr(problem, "code", "")}
    return JsonResponse(told, status=_status(problem))


def _standing(own: OwnOrders, mine: dict[str, Any]) -> dict[str, Any]:
    """How far the sheet is: as it stands on the page, and in the head of it."""
    return {
        "standing": render_to_string("games/phase_pages/standing.html", {"mine": mine}),
        "state": {"code": mine["state"].code, "sign": mine["state"].sign, "words": mine["state"].text},
        "outlook": order_texts.order_outlook_text(own),
        "current": own.submitted is not None and not own.draft_differs,
        "final": mine["final"],
    }


# by a form, with scripts or without


@require_POST
def submit_orders_view(request: HttpRequest, key: str, number: int, power: str) -> HttpResponse:
    """Hand in, say or unsay that it is final, or keep the draft; in JSON, or as a form of the page."""
    asked = _order_request(request, key, number, power)
    by_script = request.content_type == "application/json"
    answer = _by_script(request, asked) if by_script else _by_form(request, asked)
    game, person = asked.viewer.game, asked.viewer.person
    if person is not None and answer.status_code < HTTPStatus.BAD_REQUEST:
        game_traces.note_trace(request, person, game.key, game.deadline, asked.received_at)
    return answer


def _by_script(request: HttpRequest, asked: OrderRequest) -> HttpResponse:
    try:
        asked.check_still_open()
        sent = order_requests.json_body(request)
        lines = _lines(sent.get("lines"), asked.power)
        sheet = _acted(asked, str(sent.get("action", "")), lines, str(sent.get("submission", "")), "map")
    except PROBLEMS as problem:
        return _refusal(problem)
    own = asked.own_orders(sheet)  # what the board shows has not changed by it
    mine = order_texts.order_status(own) if own else {}
    told: dict[str, Any] = {
        "message": _acknowledgement(own, sheet, mine),
        "short": order_texts.short_acknowledgement(sheet) if sheet else "",
        "refused": mine.get("refused", ""),
    }
    if own:
        told |= {**_standing(own, mine), "readings": board_context.readings_html(own.preparation)}
    return JsonResponse({**told, "submission": random_token()})


def _lines(sent: Any, power: str) -> list[str]:
    """The lines of one power and of no other; raises RequestRefusal."""
    if not isinstance(sent, dict) or not set(sent) <= {power}:
        raise order_requests.meaningless_request()
    lines = sent.get(power, [])
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise order_requests.meaningless_request()
    return list(lines)


def _by_form(request: HttpRequest, asked: OrderRequest) -> HttpResponse:
    action = request.POST.get("action", "")
    typed = "sheet" in request.POST
    try:
        asked.check_still_open()
        lines = asked.change_draft(_change(request, asked.power)).draft_lines
        sheet = _acted(
            asked, action, lines, order_requests.submission_id_of(request), "text" if typed else "map"
        )
    except PROBLEMS as problem:
        return _refused(request, asked, problem)
    own = asked.own_orders(sheet)
    mine = order_texts.order_status(own) if own else {}
    told = messages.warning if mine.get("refused") else messages.success
    told(request, _acknowledgement(own, sheet, mine))
    return redirect(asked.phase_url)


def _change(request: HttpRequest, power: str) -> DraftChange:
    if "sheet" in request.POST:
        return order_requests.change_from_text(request.POST["sheet"], None, power)
    return order_requests.change_from_menus(request.POST, power)


def _refused(request: HttpRequest, asked: OrderRequest, problem: OrderProblem) -> HttpResponse:
    """The page as it stands now, with what was sent: nothing typed is lost."""
    more = {"refused": order_problem_text(problem), "typed": _typed(request)}
    return views.render_phase_page(request, asked.open_board(), _status(problem), **more)


def _typed(request: HttpRequest) -> str:
    """What was sent, as one may copy it."""
    if "sheet" in request.POST:
        return request.POST["sheet"][: order_drafts.LARGEST_ORDER_TEXT]
    given = (str(value) for name, value in request.POST.items() if name.startswith("order-") and value)
    return "\n".join(given)


# what both do


def _acted(
    asked: OrderRequest, action: str, lines: list[str], submission: str, origin: str
) -> OrderSet | None:
    """Do what a button says; the sheet that was received, if any. Raises what keeps it from being done."""
    if action in (SUBMIT, SUBMIT_AS_READY):
        return _handed_in(asked, lines, submission, origin, final=action == SUBMIT_AS_READY)
    if action == NOT_READY_YET:
        asked.set_ready(final=False)
        return None
    if action == SAVE:
        return None
    raise order_requests.meaningless_request()


def _handed_in(
    asked: OrderRequest, lines: list[str], submission: str, origin: str, *, final: bool
) -> OrderSet:
    game = asked.viewer.game
    counted = order_submission.counting_order_set(game, asked.power, asked.phase_number) if final else None
    if counted is not None and counted.lines == lines:
        asked.set_ready(final=True)
        return counted
    return order_submission.submit_orders(
        game,
        asked.power,
        lines,
        number=asked.phase_number,
        key=_key(submission, lines, final),
        origin=origin,
        at=asked.received_at,
        by=asked.viewer.person,
        final=final,
    )


def _key(submission: str, lines: list[str], final: bool) -> str:
    """A form that comes back with other orders brings another sheet; "" where the page sent none."""
    if not submission:
        return ""
    whole = "\0".join((submission, "final" if final else "", *lines))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def _acknowledgement(own: OwnOrders | None, sheet: OrderSet | None, mine: dict[str, Any]) -> str:
    """What was received, also where the phase has been published since; `mine` is how far it is now."""
    if own is None:
        return order_texts.short_acknowledgement(sheet) if sheet else ""
    if sheet is None:
        return str(mine["sentence"])
    said = order_texts.acknowledgement(sheet, own, mine)
    handed = own.submitted
    if handed is None or handed.pk == sheet.pk:
        return said
    later = _("These orders had been received before; v%(receipt)d came later and counts.")
    return f"{said} {later % {'receipt': handed.receipt_number}}"


@require_POST
def restore_orders_view(request: HttpRequest, key: str, number: int, power: str) -> HttpResponse:
    """Put the lines of a former sheet into the draft again."""
    asked = _order_request(request, key, number, power)
    found = _receipt(asked.viewer, number, power, request.POST.get("receipt", ""))
    try:
        own = asked.change_draft(lambda _question, _draft: {power: list(found.lines)})
    except PROBLEMS as problem:
        return _refused(request, asked, problem)
    if own.draft_differs:
        messages.success(
            request,
            _("Orders v%(receipt)d are back in your draft. Submit them to use them.")
            % {"receipt": found.receipt_number},
        )
    else:
        messages.success(request, _("Your draft is the same as your submitted orders again."))
    return redirect(asked.phase_url)


@never_cache
@require_safe
def receipt_page(request: HttpRequest, key: str, number: int, power: str, receipt: int) -> HttpResponse:
    """A sheet that was received, with what was understood of it; for those who may see it alone."""
    sight = page_context.game_viewer_of_page(request, key)
    found = _receipt(sight, number, power, str(receipt))
    board = GameBoard(sight, number, found.power if found.power in sight.powers else "")
    told = {"politics": board.public_affairs} if board.public_affairs else None
    question = politics_context.with_announced_affairs(board.question, told) if board.question else None
    read = OrderPreparation(question, {found.power: found.lines}, found.power) if question else None
    context = {
        **page_context.game_page_context(sight, "board"),
        "sheet": found,
        "receipt": order_texts.receipt_row(found),
        "power_name": display_names.power_name(board.variant, found.power),
        "title": display_names.phase_name(board.variant, board.phase_code),
        "readings": read.readings if read else [],
        "remarks": read.remarks() if read else [],
        "missing": order_texts.missing_orders_text(read) if read else "",
        "back": board.phase_url(number),
        "may_restore": board.is_open and sight.may_order(found.power),
    }
    return render(request, "games/phase_pages/receipt.html", context)


def _receipt(sight: GameViewer, number: int, power: str, text: str) -> OrderSet:
    """One of the sheets that the visitor may see; raises Http404."""
    wanted = order_requests.whole_number_of(text)
    found = (
        visibility.visible_order_sets(sight)
        .filter(phase_number=number, power=power, receipt_number=wanted)
        .first()
    )
    if found is None:
        raise Http404
    return found
