"""What phones and the referee do in the waiting room, and the cards to print."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.accounts import guests
from talleyrand.web.boards import order_requests
from talleyrand.web.common import absolute_urls, qr_codes
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.lobby.preference_form import preferences_from_post

from . import table_seats, waiting_room
from .models import TablePlayer
from .seat_texts import seat_refusal_text
from .table_opening import REFEREE_SEAT
from .table_seats import SeatRefusal
from .views import seats_of

ACTS = ("rename", "leave", "sit", "play", "wish", "free")


@require_POST
def seat_act(request: HttpRequest, key: str) -> HttpResponse:
    """`act` is one of `ACTS`: `rename` (`name`), `leave`, `sit` (`seat`: another free one), `wish` (`wish-1`
    …), and for the referee `free` (`seat`) and `play` (`name`: to take a seat too).
    """
    player, act = table_seats.player_or_404(request, key), request.POST.get("act", "")
    if act not in ACTS or (act in ("free", "play") and not player.is_referee):
        raise Http404
    try:
        _do_act(request, player, act)
    except SeatRefusal as refused:
        messages.error(request, seat_refusal_text(refused.code))
    except LobbyRefusal as refused:
        messages.error(request, refused.sentence)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    else:
        if act == "leave":
            return redirect("tables:door", player.table.code)
    return redirect("tables:table", key)


def _do_act(request: HttpRequest, player: TablePlayer, act: str) -> None:
    said, now = request.POST, timezone.now()
    seat = order_requests.whole_number_of(said.get("seat", ""))
    if act == "rename":
        waiting_room.rename_seat(player, said.get("name", ""))
    elif act == "leave":
        waiting_room.leave_seat(request, player)
    elif act == "sit":
        if player.number == REFEREE_SEAT:
            raise Http404
        waiting_room.change_seat(request, player, seat, now, guests.guest_name(player.person))
    elif act == "play":
        waiting_room.change_seat(request, player, None, now, said.get("name", ""))
    elif act == "wish":
        waiting_room.set_wishes(player, preferences_from_post(said))
    else:
        waiting_room.free_seat(get_object_or_404(player.table.players, number=seat, number__gt=0))


@never_cache
@require_safe
def cards_page(request: HttpRequest, key: str) -> HttpResponse:
    """A card to print for each seat, and one for the door."""
    player = table_seats.player_or_404(request, key)
    if not player.is_referee:
        raise Http404
    table = player.table
    door = absolute_urls.absolute_url(request, reverse("tables:door", args=[table.code]))
    cards = [_card(request, key, seat) for seat in seats_of(table)]
    square = qr_codes.address_qr_svg(door)
    context = {"table": table, "game": table.game, "door_url": door, "square": square, "cards": cards}
    return render(request, "tables/cards.html", context)


def _card(request: HttpRequest, key: str, seat: dict[str, Any]) -> dict[str, Any]:
    address = absolute_urls.absolute_url(
        request, reverse("tables:seat", args=[key, seat["number"], seat["token"]])
    )
    return {**seat, "address": address, "square": qr_codes.address_qr_svg(address)}
