"""The pages of a table with one device: opening it, and the curtain between two players."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand import variants
from talleyrand.web.accounts import attempt_limits
from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.common import error_pages
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import ENDED_STATES, Game, random_token

from . import class_bell, one_device, table_seats
from .models import Table
from .one_device_forms import OneDeviceForm


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_one_device(request: HttpRequest) -> HttpResponse:
    """The page that opens a table for one device, which is this one."""
    form = OneDeviceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if not attempt_limits.count_attempt(request, "table"):
            return error_pages.too_many(request)
        try:
            submission = order_requests.submission_id_of(request)
            table = one_device.open_one_device(request, form.plan(), submission, timezone.now())
        except (LobbyRefusal, QuestionRefusal) as refused:
            form.add_error(None, refused.sentence)
        else:
            return redirect("tables:hand", table.game.key)
    context = {"form": form, "submission": random_token()}
    return render(request, "tables/one_device_new.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hand(request: HttpRequest, key: str) -> HttpResponse:
    """The curtain: to whom the device is to be handed. It is lifted there; nobody's orders are here."""
    table = one_device.table_of_device(request, key)
    if table is None:
        raise Http404
    if request.method == "POST":
        return _acted(request, table)
    game = Game.objects.get(pk=table.game.pk)
    held = table_seats.seated_player(request, key)
    hands = one_device.hands(table)
    waiting = [one for one in hands if not one.has_sent]
    mine = [one for one in hands if held is not None and one.number == held.number]
    variant = variants.load(game.variant)
    context = {
        "table": table,
        "game": game,
        "phase": display_names.phase_name(variant, game.phase) if game.phase else "",
        "is_over": game.state in ENDED_STATES,
        "next": next(iter(mine or waiting), None),
        "sent": [one for one in hands if one.has_sent and one not in mine],
        "last": game.phase_number - 1 if game.phase_number > 1 else 0,
    }
    return render(request, "tables/hand.html", context)


def _acted(request: HttpRequest, table: Table) -> HttpResponse:
    act, now, key = request.POST.get("act", ""), timezone.now(), table.game.key
    if act == "lift":
        if one_device.lift(request, table, order_requests.whole_number_of(request.POST.get("seat", "")), now):
            return redirect("tables:table", key)
        raise Http404
    if act == "done":
        held = table_seats.seated_player(request, key)
        if held is not None and held.number:
            one_device.submit_all(held, now)
        one_device.cover(request, table)
        return redirect("tables:hand", key)
    if act == "resolve":
        one_device.cover(request, table)
        number = Game.objects.get(pk=table.game.pk).phase_number
        if not all(one.has_sent for one in one_device.hands(table)):
            return redirect("tables:hand", key)
        for sentence in class_bell.resolve_table(table, now):
            messages.error(request, sentence)
            return redirect("tables:hand", key)
        return redirect("games:phase", key, number)
    raise Http404
