"""The game master’s page of orders that came too late by mail, each to be let in while its phase is open."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games import page_context
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone
from talleyrand.web.games.models import Game
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.mailed_orders import late_orders
from talleyrand.web.mail.models import InboundDelivery

from .page_access import only_with_game_mail


def _master(request: HttpRequest, key: str) -> tuple[GameViewer, Person]:
    """The game as its game master sees it: secret sheets are nobody else’s, so that there is no such page."""
    sight = page_context.game_viewer_of_page(request, key)
    if not sight.is_game_master or sight.person is None:
        raise Http404
    return sight, sight.person


@never_cache
@only_with_game_mail
@require_safe
def late_orders_page(request: HttpRequest, key: str) -> HttpResponse:
    """What came too late for the open phase, in the order in which it was received."""
    sight, _person = _master(request, key)
    rows = [_row(sight.game, arrival) for arrival in late_orders.waiting_late_orders(sight.game)]
    return render(request, "mail/late.html", {**page_context.game_page_context(sight, "desk"), "rows": rows})


def _row(game: Game, arrival: InboundDelivery) -> dict[str, Any]:
    variant, power = variants.load(game.variant), arrival.mailbox.power
    return {
        "pk": arrival.pk,
        "power": display_names.power_name(variant, power),
        "colour": display_names.power_colour(variant, power),
        "at": date_text_with_zone(
            arrival.email.received_at, str(timezone.get_current_timezone()), display_names.reader_language()
        ),
        "lines": arrival.facts.get("lines", []),
    }


@only_with_game_mail
@require_POST
def grant_view(request: HttpRequest, key: str) -> HttpResponse:
    """One of them counts from now on, as received then; twice is once."""
    sight, person = _master(request, key)
    arrival = _arrival(sight.game, request.POST.get("mail", ""))
    try:
        sheet = late_orders.grant_late_orders(arrival, person)
    except late_orders.LateOrdersRefused as refused:
        messages.warning(request, refused.sentence)
    except OrdersRefusal:
        messages.warning(request, _("Nothing was changed: the game has moved on in the meantime."))
    else:
        power = display_names.power_name(variants.load(sight.game.variant), sheet.power)
        messages.success(request, _("Late orders accepted: %(power)s.") % {"power": power})
    return redirect("mail:late", key)


def _arrival(game: Game, sent: str) -> InboundDelivery:
    """A mail with orders to this game; any other does not exist."""
    number = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 12 else 0
    found = InboundDelivery.objects.filter(pk=number, mailbox__game=game, mailbox__purpose="orders").first()
    if found is None:
        raise Http404
    return found
