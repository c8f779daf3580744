"""The referee's page, for a phone in the hand and for the laptop; one page for each seat; every act."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.common import absolute_urls, qr_codes
from talleyrand.web.games import page_context
from talleyrand.web.games.game_master.game_master_access import confirmed
from talleyrand.web.tables import table_seats
from talleyrand.web.tables.room_screen import screen_access

from . import consents, orders_as_received, referee_context
from .referee_acts import ACTS, Act
from .referee_desk import REFUSALS, RefereeDesk, RefereeRefusal, for_referee
from .referee_texts import refusal_text


@require_safe
@for_referee
def referee_page(request: HttpRequest, desk: RefereeDesk) -> HttpResponse:
    """What asks for the referee, the clock, the seats, and the ways to all the rest."""
    context = {**_frame(desk), **referee_context.referee_context(desk)}
    return render(request, "tables/referee/referee.html", context)


@require_safe
@for_referee
def seat_page(request: HttpRequest, desk: RefereeDesk, number: int) -> HttpResponse:
    """One seat: its orders, its phone, who sits there."""
    try:
        seat = desk.seat(str(number))
    except RefereeRefusal:
        raise Http404 from None
    context = {**_frame(desk), **referee_context.seat_context(desk, seat)}
    if not seat.phone_digest:
        path = reverse("tables:seat", args=[desk.game.key, seat.number, seat.seat_token])
        door = absolute_urls.absolute_url(request, path)
        context |= {"door_url": door, "square": qr_codes.address_qr_svg(door)}
    return render(request, "tables/referee/seat.html", context)


@require_POST
@for_referee
def act_view(request: HttpRequest, desk: RefereeDesk, act: str) -> HttpResponse:
    """Do one of ACTS, say what was done or why not, and go back; some say first what they do."""
    found = ACTS.get(act)
    if found is None:
        raise Http404
    try:
        if found.asks is not None and not confirmed(request):
            asked = found.asks(desk, request.POST)
            context = {
                **_frame(desk),
                "asked": asked,
                "sent": _posted_values(request),
                "back": _back(request, desk, found),
            }
            return render(request, "tables/referee/confirm.html", context)
        messages.success(request, found.do(desk, request.POST))
    except ValidationError as refused:
        messages.warning(request, " ".join(refused.messages))
    except REFUSALS as refused:
        messages.warning(request, refusal_text(refused))
    return redirect(_back(request, desk, found))


def _posted_values(request: HttpRequest) -> list[tuple[str, str]]:
    return [
        (name, value)
        for name, value in request.POST.items()
        if isinstance(value, str) and name not in ("csrfmiddlewaretoken", "confirmed")
    ]


def _back(request: HttpRequest, desk: RefereeDesk, act: Act) -> str:
    """Where an act leads back to."""
    seat = request.POST.get("seat", "")
    if act.page == "referee_seat" and seat in [str(one.number) for one in desk.seats]:
        return reverse("tables:referee_seat", args=[desk.game.key, int(seat)])
    return reverse("tables:consents" if act.page == "consents" else "tables:referee", args=[desk.game.key])


def _frame(desk: RefereeDesk) -> dict[str, object]:
    return {
        "table": desk.table,
        "game": desk.game,
        "player": desk.player,
        "topics": page_context.signed_game_topic(desk.game.key),
    }


# for everyone at the table


@never_cache
@require_safe
def received_page(request: HttpRequest, key: str, number: int = 0) -> HttpResponse:
    """What was received for a resolved phase, word for word; for the open one, that it was and when. For the
    table’s phones and its screen.
    """
    player = table_seats.seated_player(request, key)
    table = player.table if player else screen_access.screen_table_or_404(request, key)
    game = table.game
    phases = orders_as_received.resolved_phases(game)
    numbers = [one for one, _title in phases]
    shown = number or (numbers[0] if numbers else game.phase_number)
    if not game.phase_number or shown not in (*numbers, game.phase_number):
        raise Http404
    context = {
        "table": table,
        "game": game,
        "player": player,
        "phases": phases,
        "shown": shown,
        "is_open": shown not in numbers,
        "rows": orders_as_received.orders_received(game, shown),
        "topics": page_context.signed_game_topic(key),
    }
    return render(request, "tables/referee/received.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def consents_page(request: HttpRequest, key: str) -> HttpResponse:
    """Whether all agree that orders are entered electronically; each player answers here."""
    player = table_seats.player_or_404(request, key)
    desk = RefereeDesk(player, timezone.now())
    if request.method == "POST":
        agrees = {"yes": True, "no": False}.get(request.POST.get("answer", ""))
        if agrees is None or not consents.answer(player, agrees=agrees, now=desk.now):
            messages.warning(request, _("Nothing was changed: this is not asked of you now."))
        return redirect("tables:consents", key)
    playing = referee_context.players(desk)
    found = consents.consents_of(player.table, playing)
    context = {
        **_frame(desk),
        "asked": consents.is_asked(player.table),
        "rows": [{"seat": referee_context.seat_row(desk, one.player), "consent": one} for one in found],
        "all_agree": consents.all_agree(found),
        "someone_refuses": any(one.agrees is False for one in found),
        "mine": next((one for one in found if one.player.pk == player.pk), None),
    }
    return render(request, "tables/referee/consents.html", context)
