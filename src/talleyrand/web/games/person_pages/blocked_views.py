"""Whom somebody blocks: a page for them alone."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.web.accounts.models import Person, folded_name, signed_in_person
from talleyrand.web.boards import order_requests
from talleyrand.web.common.model_fields import json_text
from talleyrand.web.conduct import blocks
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.games.player_records import person_page_access

LONGEST_NAME = 80


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def blocked_people(request: HttpRequest) -> HttpResponse:
    """Those whom one blocks, and a form for another one, whose name a page may have filled in."""
    person, refusal = signed_in_person(request), ""
    if person.is_guest:
        raise Http404
    typed = (request.POST.get("name") or request.GET.get("name", "")).replace("\0", "").strip()
    if request.POST.get("do") == "unblock":
        blocks.unblock(person, order_requests.whole_number_of(request.POST.get("person", "")))
        messages.success(request, _("No longer blocked."))
        return redirect("games:blocked")
    if request.method == "POST":
        refusal = _blocked(person, typed[:LONGEST_NAME])
        if not refusal:
            messages.success(request, _("Blocked: %(name)s. They are not told.") % {"name": typed})
            return redirect("games:blocked")
    context = {"blocks": blocks.blocked_by(person), "typed": typed[:LONGEST_NAME], "refusal": refusal}
    return render(request, "games/person_pages/blocked.html", context, status=409 if refusal else 200)


def _blocked(person: Person, name: str) -> str:
    """Block whoever has this name; why not, in a sentence that is the same for nobody and for strangers."""
    other = person_page_access.people_with_profiles().filter(folded_name=folded_name(name)).first()
    if other == person:
        return _("You can’t block yourself.")
    if other is None or not _has_met(person, other):
        return _("You can block people whose page you can open, or whom you have played with by name.")
    if not blocks.block(person, other):
        return _("You block %(most)s people already: unblock someone first.") % {"most": blocks.MOST_BLOCKS}
    return ""


def _has_met(person: Person, other: Person) -> bool:
    """Whether somebody may know that there is another: by their page, or a game that named them."""
    if person_page_access.may_open_page(other, person):
        return True
    games = Game.objects.filter(memberships__person=person).filter(
        pk__in=Game.objects.filter(memberships__person=other).values("pk")
    )
    named = games.annotate(naming_of_players=json_text("settings_json__anonymity")).filter(
        Q(naming_of_players=Anonymity.OPEN)
        | Q(powers_revealed_at__isnull=False)
        | Q(state__in=(GameState.ENDED, GameState.ABANDONED), phase_number__gt=0)
    )
    return named.exists()
