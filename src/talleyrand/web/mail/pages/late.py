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
from talleyrand.web.boards import wording
from talleyrand.web.games import frame
from talleyrand.web.games.deadlines.words import said
from talleyrand.web.games.inbox import NotTaken
from talleyrand.web.games.models import Game
from talleyrand.web.games.sight import Sight
from talleyrand.web.mail.models import Arrival
from talleyrand.web.mail.orders import granting

from .doors import with_post


def _master(request: HttpRequest, key: str) -> tuple[Sight, Person]:
    """The game as its game master sees it: secret sheets are nobody else’s, so that there is no such page."""
    sight = frame.entered(request, key)
    if not sight.is_master or sight.person is None:
        raise Http404
    return sight, sight.person


@never_cache
@with_post
@require_safe
def late(request: HttpRequest, key: str) -> HttpResponse:
    """What came too late for the open phase, in the order in which it was received."""
    sight, _person = _master(request, key)
    rows = [_row(sight.game, arrival) for arrival in granting.late(sight.game)]
    return render(request, "mail/late.html", {**frame.page(sight, "desk"), "rows": rows})


def _row(game: Game, arrival: Arrival) -> dict[str, Any]:
    variant, power = variants.load(game.variant), arrival.mailbox.power
    return {
        "pk": arrival.pk,
        "power": wording.power(variant, power),
        "colour": wording.colour(variant, power),
        "at": said(arrival.message.received, str(timezone.get_current_timezone()), wording.language()),
        "lines": arrival.facts.get("lines", []),
    }


@with_post
@require_POST
def let_in(request: HttpRequest, key: str) -> HttpResponse:
    """One of them counts from now on, as received then; twice is once."""
    sight, person = _master(request, key)
    arrival = _arrival(sight.game, request.POST.get("mail", ""))
    try:
        sheet = granting.grant(arrival, person)
    except granting.NotGranted as refused:
        messages.warning(request, refused.sentence)
    except NotTaken:
        messages.warning(request, _("Nothing has been changed: the game has moved on meanwhile."))
    else:
        power = wording.power(variants.load(sight.game.variant), sheet.power)
        messages.success(request, _("The late orders of %(power)s count now.") % {"power": power})
    return redirect("mail:late", key)


def _arrival(game: Game, sent: str) -> Arrival:
    """A mail with orders to this game; any other does not exist."""
    number = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 12 else 0
    found = Arrival.objects.filter(pk=number, mailbox__game=game, mailbox__door="orders").first()
    if found is None:
        raise Http404
    return found
