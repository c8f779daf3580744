"""One’s own orders: the draft, the sheets handed in, and that nobody need wait."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _
from ninja.params import Path
from pydantic import Field, StringConstraints

from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import TokenRequest, idempotency_key_or_new, open_game
from talleyrand.web.api.resource import Refusals, Resource
from talleyrand.web.api.schemas import (
    PRINTABLE,
    GameKey,
    IdempotencyKey,
    Moment,
    PageAfter,
    PageLimit,
    PhaseNumber,
    PowerCode,
    RequestSchema,
    ResponseSchema,
    page_out,
    paginate,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.boards import display_names, order_drafts
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.boards.order_drafts import DraftLine, DraftRefusal
from talleyrand.web.boards.order_requests import RequestRefusal
from talleyrand.web.games import order_submission, visibility
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game, OrderSet
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.games.phase_pages import order_texts
from talleyrand.web.games.phase_pages.game_board import opening_mark
from talleyrand.web.games.phase_pages.own_orders import OwnOrders
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.limits.thread_pool import received_at


def open_order_sets(request: TokenRequest, key: GameKey, power: PowerCode) -> GameViewer:
    """The game as the caller sees it, where he reads the sheets of this power: those of others at the desk,
    which a token for one’s own orders does not reach.
    """
    sight = open_game(request, key)
    if not sight.may_see_orders(power) or not sight.game.seats.filter(power=power).exists():
        raise Http404
    if power not in sight.powers and Scope.DESK not in request.auth.token.scopes:
        raise ApiError(403)
    return sight


def open_for_orders(request: TokenRequest, key: GameKey, power: PowerCode) -> GameViewer:
    """The game as the caller sees it, where he orders this power now."""
    sight = open_game(request, key)
    if power not in sight.orderable_powers:
        raise Http404
    return sight


def _draft_refused(refused: DraftRefusal, _sight: GameViewer) -> ApiError:
    sentence = order_texts.own_draft_refusal_text(refused)
    return ApiError(422, refused.code, sentence, [FieldError("body.lines", sentence)])


ORDER_REFUSALS: Refusals = {
    OrdersRefusal: lambda refused, _sight: ApiError(
        409, refused.code, order_texts.orders_refusal_text(refused)
    ),
    DraftRefusal: _draft_refused,
    RequestRefusal: lambda refused, _sight: ApiError(422, sentence=refused.sentence),
    QuestionRefusal: lambda refused, _sight: ApiError(422, sentence=refused.sentence),
}
RESOURCE = Resource("orders", Scope.ORDERS, sight=open_for_orders, refused=ORDER_REFUSALS)
PLACE = "/games/{key}/phases/{number}/orders/{power}"
ORIGIN = "program"
Line = Annotated[str, StringConstraints(max_length=order_drafts.LONGEST_LINE, pattern=PRINTABLE)]
Lines = Annotated[
    list[Line], Field(max_length=order_drafts.MOST_LINES, description=_("As a player would write them."))
]
Opening = Annotated[
    str | None,
    Field(max_length=24, pattern="^[0-9]*$", description=_("`opening` of the phase these orders are for.")),
]
ReceiptNumber = Annotated[
    int, Path(description=_("The number of an order set of this power."), ge=1, le=1_000_000)
]


class OrderReadingOut(ResponseSchema):
    line: str
    unit: str = Field(description=_("In normal form; empty if nothing was understood."))
    order: str = Field(description=_("In normal form; empty if nothing was understood."))
    error: str | None


class OrderSetOut(ResponseSchema):
    receipt: int = Field(description=_("Counted for each power from 1: the latest one counts."))
    number: int
    power: str
    at: Moment = Field(description=_("When it was received."))
    digest: str = Field(description=_("SHA-256 of what was received, given with the receipt."))
    origin: Literal["map", "text", "mail", "granted", "master", "draft", "program", "computer"]
    final: bool
    counts: bool = Field(description=_("Whether these are the orders that count."))
    lines: list[str]


class OrderSetReadOut(OrderSetOut):
    understood: list[OrderReadingOut]


class OrderStatusOut(ResponseSchema):
    number: int
    power: str
    state: Literal["nothing", "draft", "saved", "final"]
    draft: list[str]
    understood: list[OrderReadingOut] = Field(description=_("How the draft is understood."))
    sheet: OrderSetOut | None = Field(description=_("The orders that count."))
    differs: bool = Field(description=_("Whether the draft differs from the orders that count."))


class DraftIn(RequestSchema):
    lines: Lines
    opening: Opening = None


class OrderSetIn(RequestSchema):
    lines: Lines
    final: bool = Field(default=False, description=_("Ready: no one needs to wait for me in this phase."))
    opening: Opening = None


class ReadyIn(RequestSchema):
    final: bool


@RESOURCE.get(
    PLACE, _("Where one of your powers’ orders stand in the current phase."), OrderStatusOut, sight=open_game
)
def order_status(sight: GameViewer, number: PhaseNumber, power: PowerCode) -> object:
    if power not in sight.powers:
        raise Http404
    return _standing(sight.game, power, number)


@RESOURCE.put(
    f"{PLACE}/draft",
    _("Replace the draft. A draft is not submitted: submit what has to count."),
    OrderStatusOut,
)
def save_draft(
    request: TokenRequest, sight: GameViewer, number: PhaseNumber, power: PowerCode, sent: DraftIn
) -> object:
    at = received_at(request)
    lines = list(sent.lines)
    _check(sight.game, number, sent.opening)
    order_submission.change_draft(
        sight.game, power, number, lambda _question, _draft: {power: lines}, at, sight.person
    )
    return _standing(_fresh(sight), power, number)


@RESOURCE.post(
    f"{PLACE}/sheets",
    _("Submit a complete set of orders. The answer is its receipt: it counts until the next one."),
    OrderSetReadOut,
    status=201,
)
def submit_orders(
    request: TokenRequest,
    sight: GameViewer,
    number: PhaseNumber,
    power: PowerCode,
    sent: OrderSetIn,
    idempotency_key: IdempotencyKey = None,
) -> object:
    at = received_at(request)
    _check(sight.game, number, sent.opening)
    sheet = order_submission.submit_orders(
        sight.game,
        power,
        sent.lines,
        number=number,
        key=idempotency_key_or_new(idempotency_key),
        origin=ORIGIN,
        at=at,
        by=sight.person,
        final=sent.final,
    )
    return order_set_read(_fresh(sight), sheet)


@RESOURCE.put(f"{PLACE}/final", _("Say that you are ready, or no longer."), OrderStatusOut)
def set_ready(
    request: TokenRequest, sight: GameViewer, number: PhaseNumber, power: PowerCode, sent: ReadyIn
) -> object:
    at = received_at(request)
    order_submission.set_ready(sight.game, power, number, sent.final, at, sight.person)
    return _standing(_fresh(sight), power, number)


@RESOURCE.get(
    f"{PLACE}/sheets",
    _("Order sets of a power received in a phase: yours; with `desk`, any."),
    page_out("OrderSetsOut", OrderSetOut),
    sight=open_order_sets,
)
def list_order_sets(
    sight: GameViewer, number: PhaseNumber, power: PowerCode, after: PageAfter = None, limit: PageLimit = 50
) -> object:
    found = (
        visibility.visible_order_sets(sight)
        .filter(phase_number=number, power=power)
        .order_by("receipt_number")
    )
    counting = order_submission.counting_order_sets(sight.game, number)
    return paginate(found, after, limit, lambda one: _facts(one, counting.get(power)))


@RESOURCE.get(
    f"{PLACE}/sheets/{{receipt}}",
    _("One set of orders, with how it was understood."),
    OrderSetReadOut,
    sight=open_order_sets,
)
def get_order_set(sight: GameViewer, number: PhaseNumber, power: PowerCode, receipt: ReceiptNumber) -> object:
    mine = visibility.visible_order_sets(sight).filter(phase_number=number, power=power)
    found = get_object_or_404(mine, receipt_number=receipt)
    return order_set_read(sight.game, found)


def _check(game: Game, number: int, given: str | None) -> None:
    """Orders made for a phase that was taken back and opened again may be meant for another position."""
    if given and number == game.phase_number and given != opening_mark(game):
        raise OrdersRefusal("moved")


def _fresh(sight: GameViewer) -> Game:
    return Game.objects.get(pk=sight.game.pk)


def _standing(game: Game, power: str, number: int) -> dict[str, Any]:
    question = GameHistory(game).question(number) if number == game.phase_number else None
    if question is None or game.state not in RUNNING_STATES:
        raise Http404
    own = OwnOrders.load(game, power, number, question)
    told = {
        "number": number,
        "power": power,
        "state": own.state,
        "draft": own.draft_lines,
        "differs": own.draft_differs,
    }
    handed = _facts(own.submitted, own.submitted) if own.submitted else None
    return {**told, "sheet": handed, "understood": [_note(one) for one in own.preparation.readings]}


def order_set_read(game: Game, sheet: OrderSet) -> dict[str, Any]:
    """A sheet with what was understood of it."""
    counting = order_submission.counting_order_sets(game, sheet.phase_number).get(sheet.power)
    return {
        **_facts(sheet, counting),
        "understood": [_note(one) for one in order_submission.understood_lines(sheet)],
    }


def _facts(sheet: OrderSet, counting: OrderSet | None) -> dict[str, Any]:
    return {
        "receipt": sheet.receipt_number,
        "number": sheet.phase_number,
        "power": sheet.power,
        "at": sheet.received_at,
        "digest": sheet.digest,
        "origin": sheet.origin,
        "final": sheet.is_ready,
        "lines": sheet.lines,
        "counts": counting is not None and counting.pk == sheet.pk,
    }


def _note(reading: DraftLine) -> dict[str, Any]:
    error = reading.error[display_names.reader_language()] if reading.error else None
    return {"line": reading.line, "unit": reading.unit, "order": reading.order, "error": error}
