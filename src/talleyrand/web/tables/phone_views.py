"""What the script of a phone's page sends."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from talleyrand.web.boards import order_requests
from talleyrand.web.boards.order_drafts import DraftRefusal
from talleyrand.web.boards.order_requests import RequestRefusal
from talleyrand.web.limits.thread_pool import received_at

from . import orders_after_bell, table_seats
from .models import TablePlayer
from .orders_after_bell import LateRefusal, LateSheet

LONGEST_AGE = timedelta(days=2)


@require_POST
def late_orders_view(request: HttpRequest, key: str, number: int, power: str) -> HttpResponse:
    """Orders that a phone had and that the table did not take any more, in JSON: `lines`, `changes` of which
    the table had not heard, `submission`, and `ago`, for how many seconds they have been written.
    """
    player, at = table_seats.player_or_404(request, key), received_at(request)
    if not orders_after_bell.has_held(player, power, number):
        raise Http404
    try:
        sent = order_requests.json_body(request)
        sheet = _late_sheet(player, sent, power, number, at)
        kept = orders_after_bell.keep_late_orders(player, sheet)
    except (RequestRefusal, DraftRefusal) as refused:
        return order_requests.refusal_json(refused)
    except LateRefusal as refused:
        return _late_refusal(refused)
    return JsonResponse({"message": orders_after_bell.late_orders_text(kept), "kept": True})


def _late_refusal(refused: LateRefusal) -> HttpResponse:
    if refused.code == "counted":
        told = _("Received: the same orders are at the table, v%(receipt)d.") % {"receipt": refused.receipt}
        return JsonResponse({"message": told, "kept": True})
    if refused.code == "many":
        return JsonResponse({"message": _("Many late orders wait already: tell the referee.")}, status=429)
    return JsonResponse({"message": _("This phase is open: submit your orders."), "open": True}, status=409)


def _late_sheet(
    player: TablePlayer, sent: dict[str, Any], power: str, number: int, at: datetime
) -> LateSheet:
    lines, changes = sent.get("lines", []), sent.get("changes", [])
    key, ago = sent.get("submission"), sent.get("ago")
    texts = isinstance(lines, list) and all(isinstance(line, str) for line in lines)
    if not texts or not isinstance(changes, list) or not isinstance(key, str):
        raise order_requests.meaningless_request()
    if not (16 <= len(key) <= 64 and key.isascii() and key.isprintable()):
        raise order_requests.meaningless_request()
    age = timedelta(seconds=ago) if isinstance(ago, int) and 0 <= ago <= LONGEST_AGE.total_seconds() else None
    whole = orders_after_bell.lines_after(player.table.game, power, number, lines, changes)
    return LateSheet(power, number, key, whole, at - age if age is not None else None, at)
