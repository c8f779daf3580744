"""Opening a table, coming to it with a phone, and beginning."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand import variants
from talleyrand.web.accounts import attempt_limits, guests
from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.common import absolute_urls, error_pages, qr_codes, visitor_quota
from talleyrand.web.games import game_bots, page_context
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import GameState, random_token

from . import phone_page, table_opening, table_seats, table_start, waiting_context
from .forms import MOST_PEOPLE, PLAN_REFUSALS, USUAL_PEOPLE, OpenTableForm, people_numbers
from .models import Table, TablePlayer
from .seat_texts import seat_refusal_text
from .table_seats import SEATS_SESSION_KEY, SeatRefusal

LONGEST_CODE = 12


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """The page that opens a table; the browser that does is its referee's."""
    asked = order_requests.whole_number_of((request.POST or request.GET).get("people", "")) or USUAL_PEOPLE
    form = OpenTableForm(request.POST or None, people=min(max(asked, 2), MOST_PEOPLE))
    if request.method == "POST" and form.is_valid():
        if not attempt_limits.count_attempt(request, "table"):
            return error_pages.too_many(request)
        try:
            table = table_opening.open_table(form.plan(), order_requests.submission_id_of(request))
        except (*PLAN_REFUSALS, QuestionRefusal) as refused:
            form.add_error(None, getattr(refused, "sentence", "") or _("This clock is out of range."))
        else:
            referee = table.players.get(number=table_opening.REFEREE_SEAT)
            if not referee.phone_digest:
                table_seats.take_seat(request, referee, timezone.now())
            return redirect("tables:table", table.game.key)
    context = {"form": form, "submission": random_token(), "numbers": people_numbers(form.people)}
    return render(request, "tables/new.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest, code: str = "") -> HttpResponse:
    """The door of a table: whoever has its code gives a name and has a seat."""
    typed = (code or request.GET.get("code", ""))[:LONGEST_CODE].strip().upper()
    table = (
        Table.objects.select_related("game", "class_session").filter(code=typed).first() if typed else None
    )
    if typed and table is None and not attempt_limits.count_attempt(request, "link"):
        return error_pages.too_many(request)  # guesses alone: a whole room has one address
    if table is None:
        context = {"typed": typed, "refusal": _("Wrong code. Check the table’s screen.") if typed else ""}
        return render(request, "tables/door_code.html", context, status=404 if typed else 200)
    if table_seats.player_of_request(request, table.game.key) is not None:
        return redirect("tables:table", table.game.key)
    if table.class_session is not None:
        return redirect("tables:class_door", table.class_session.code)
    refusal, seat = "", order_requests.whole_number_of(request.POST.get("seat", ""))
    form = order_requests.submission_id_of(request)
    if request.method == "POST":
        try:
            name = request.POST.get("name", "")
            table_seats.come_in(request, table, name, timezone.now(), seat, form)
            return redirect("tables:table", table.game.key)
        except SeatRefusal as refused:
            refusal = seat_refusal_text(refused.code)
        except ValidationError as refused:
            refusal = " ".join(refused.messages)
    seats = seats_of(table)
    shown: dict[str, Any] = {
        "table": table,
        "free": [one for one in seats if not one["has_phone"]],
        "taken": [one for one in seats if one["has_phone"]],
        "chosen": seat,
        "refusal": refusal,
        "typed": request.POST.get("name", ""),
        "gathers": table.game.state == GameState.GATHERING,
        "submission": form or random_token(),
    }
    return render(request, "tables/door.html", shown, status=409 if refusal else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seat_door(request: HttpRequest, key: str, number: int, token: str) -> HttpResponse:
    """The QR code of one seat: at the touch of a button this phone has it; a second phone needs the PIN."""
    player = get_object_or_404(_players(key), number=number, seat_token=token)
    if table_seats.is_phone_of(request, player):
        return redirect("tables:table", key)
    if request.method == "POST":
        try:
            table_seats.take_seat(request, player, timezone.now())
            return redirect("tables:table", key)
        except SeatRefusal:
            pass
    if player.phone_digest:
        return redirect("tables:move", key, number)
    context = {"table": player.table, "seat": _seat(player), "other": _other_seat(request, key)}
    return render(request, "tables/seat_door.html", context)


def _other_seat(request: HttpRequest, key: str) -> str:
    """Who sits at the table with this phone already; "" for nobody."""
    held = table_seats.seated_player(request, key)
    return guests.guest_name(held.person) if held else ""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def move_seat(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A seat moves to this phone, by the PIN that the table's screen shows."""
    player = get_object_or_404(_players(key), number=number)
    if table_seats.is_phone_of(request, player):
        return redirect("tables:table", key)
    refusal = ""
    if request.method == "POST":
        if not attempt_limits.count_attempt(request, "link"):
            return error_pages.too_many(request)
        now = timezone.now()
        try:
            if "pin" in request.POST:
                table_seats.move_seat(request, player, request.POST["pin"][:LONGEST_CODE], now)
                return redirect("tables:table", key)
            table_seats.ask_for_pin(player, now)
        except SeatRefusal as refused:
            refusal = seat_refusal_text(refused.code)
    context = {"table": player.table, "seat": _seat(player), "refusal": refusal}
    context["other"] = _other_seat(request, key)
    asked = request.method == "POST" and not refusal
    return render(request, "tables/move.html", {**context, "asked": asked}, status=409 if refusal else 200)


@never_cache
@require_safe
def table_page(request: HttpRequest, key: str) -> HttpResponse:
    """The page of a phone: who is there until the game begins, then its seat."""
    if table_seats.seated_player(request, key) is None and key in request.session.get(SEATS_SESSION_KEY, {}):
        return phone_page.moved_away(request, key)
    player = table_seats.player_or_404(request, key)
    table = player.table
    if table.game.state != GameState.GATHERING:
        return phone_page.phone_page(request, player)
    door_url = absolute_urls.absolute_url(request, reverse("tables:door", args=[table.code]))
    context: dict[str, Any] = {
        "table": table,
        "game": table.game,
        "me": _seat(player),
        "player": player,
        "topics": page_context.signed_game_topic(key),
        **waiting_context.waiting_context(player),
        "seats": seats_of(table),
        "door_url": door_url,
        "square": qr_codes.address_qr_svg(door_url),
    }
    waits = "tables/class_waiting.html" if table.class_session is not None else "tables/table.html"
    return render(request, waits, context)


@require_POST
def start(request: HttpRequest, key: str) -> HttpResponse:
    """The powers are dealt and the game begins, by the referee's hand."""
    player = table_seats.player_or_404(request, key)
    if not player.is_referee:
        raise Http404
    try:
        begun = table_start.start_table(player.table, timezone.now())
        game_bots.charge_bots_to(begun, visitor_quota.visitor_id(request))
    except (LobbyRefusal, QuestionRefusal) as refused:
        messages.error(request, refused.sentence)
        return redirect("tables:table", key)
    return redirect("tables:table" if player.number else "tables:referee", key)


def _players(key: str) -> Any:
    return TablePlayer.objects.select_related("person", "table__game", "table__class_session").filter(
        table__game__key=key
    )


def seats_of(table: Table) -> list[dict[str, Any]]:
    """The seats of players for a page."""
    return [_seat(one) for one in table.players.select_related("person", "table__game") if one.number]


def _seat(player: TablePlayer) -> dict[str, Any]:
    """A seat for a page: its number, the name, the powers it has from the start, whether it is taken."""
    variant = variants.load(player.table.game.variant)
    return {
        "number": player.number,
        "name": guests.guest_name(player.person),
        "powers": [display_names.power_name(variant, power) for power in player.powers],
        "has_phone": bool(player.phone_digest) or not player.person.is_guest,
        "token": player.seat_token,
    }
