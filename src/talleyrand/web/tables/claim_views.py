"""A seat of a table in an account: kept by whoever sits there, or played from afar by its link."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.web.accounts import guests
from talleyrand.web.accounts.models import Person

from . import seat_claims, table_seats
from .models import TablePlayer
from .seat_texts import seat_refusal_text
from .table_seats import SeatRefusal


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keep_seat(request: HttpRequest, key: str) -> HttpResponse:
    """Whoever sits here keeps the game in the account that this phone is signed in to."""
    return _claim(request, table_seats.player_or_404(request, key), "tables:table")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play_from_afar(request: HttpRequest, key: str, number: int, token: str) -> HttpResponse:
    """Whoever has the link of a seat without a phone plays it from their account, on the game’s pages."""
    seats = TablePlayer.objects.select_related("person", "table__game")
    player = get_object_or_404(seats, table__game__key=key, number=number, seat_token=token)
    if player.phone_digest:
        return redirect("tables:move", key, number)
    return _claim(request, player, "games:game")


def _claim(request: HttpRequest, player: TablePlayer, way: str) -> HttpResponse:
    account, refusal = _account(request), ""
    key = player.table.game.key
    if account is not None and request.method == "POST":
        try:
            seat_claims.keep_in_account(player, account)
        except SeatRefusal as refused:
            refusal = seat_refusal_text(refused.code)
        else:
            messages.success(request, _("This game is now in your account."))
            return redirect(way, key)
    context = {
        "table": player.table,
        "name": guests.guest_name(player.person),
        "account": account,
        "mine": account is not None and player.person_id == account.pk,
        "refusal": refusal,
        "here": request.get_full_path(),
        "way": way,
    }
    return render(request, "tables/keep.html", context, status=409 if refusal else 200)


def _account(request: HttpRequest) -> Person | None:
    """Who is signed in, whomever of the table this browser is; None for nobody."""
    found = getattr(request, "account", request.user)
    return found if isinstance(found, Person) and not found.is_guest else None
