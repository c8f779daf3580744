"""The doors of people who come: a link of one's own, the code on the screen of the room, and the way out."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament.acts.presence import Arrive, Leave
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event, RoundState
from talleyrand.tournament.numbers import natural
from talleyrand.web import errors
from talleyrand.web.accounts import attempts
from talleyrand.web.games.writing import writing
from talleyrand.web.tournaments import frame, journal, passes
from talleyrand.web.tournaments.documents import opened
from talleyrand.web.tournaments.models import Pass
from talleyrand.web.tournaments.sight import Sight

from . import showing, visiting, words

LONGEST_CODE = 40


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, key: str, held: str) -> HttpResponse:
    """One's own link: at the touch of a button this device is that person.

    Looking makes it nobody: mail programs look at links beforehand, and pages of others may lead here.
    """
    tournament = opened(key)
    found = get_object_or_404(Pass, tournament=tournament, key=held)
    sight = Sight.of(tournament, request)
    number = passes.person_of(tournament, found)
    if not number:
        raise Http404
    if request.method == "POST":
        passes.enter(request, tournament, found)
    elif passes.held(request, tournament) != found:
        here = sight.event.people.get(sight.number) if sight.number != number else None
        names = {"other": sight.event.people[number].name, "mine": here.name if here else ""}
        return render(request, "tournaments/hall/enter.html", visiting.context(sight, "mine", **names))
    return redirect("tournaments:mine", key)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, key: str) -> HttpResponse:
    """The door of the room: whoever has the code of its screen finds his name and taps it."""
    tournament = opened(key)
    sight = Sight.of(tournament, request)
    typed = (request.POST.get("code") or request.GET.get("code", ""))[:LONGEST_CODE]
    inside, before = passes.opens_room(tournament, typed), passes.opened_room(tournament, typed)
    if typed.strip() and not (inside or before) and not attempts.allowed(request, "link"):
        return errors.too_many(request)  # who reads the screen is never counted: a whole room has one address
    if not (inside or before or sight.may_open):
        raise Http404
    if sight.number:
        return redirect("tournaments:mine", key)
    if not inside:
        return _show(request, sight, "" if before else typed, refusal=_wrong(typed, before=before))
    if request.method == "POST" and request.POST.get("person"):
        return _claim(request, sight, typed)
    return _show(request, sight, typed, inside=True)


def _wrong(typed: str, *, before: bool) -> str:
    if before:
        return _(
            "This code was that of an earlier round: it changes with each. Type the one that the screen "
            "shows now."
        )
    return _("This is not the code on the screen of the room: look again.") if typed.strip() else ""


def _claim(request: HttpRequest, sight: Sight, typed: str) -> HttpResponse:
    number = natural(request.POST["person"]) or 0
    try:
        held, at = _come(sight, number)
    except TalleyrandError as refused:
        return _show(request, sight, typed, inside=True, refusal=words.refusal(refused, sight.shown))
    passes.enter(request, sight.tournament, held, tapped=True)
    name = sight.event.people[number].name
    messages.success(request, _("This telephone is %(name)s’s now.") % {"name": name})
    if at is not None:
        messages.success(request, _("You are checked in for round %(round)d.") % {"round": at})
    return redirect("tournaments:mine", sight.tournament.key)


@writing
def _come(sight: Sight, number: int) -> tuple[Pass, int | None]:
    """A name taken and its bearer checked in, in one turn at the database; for no round: None."""
    held = passes.claimed(sight.tournament, number)
    return held, _check_in(replace(sight, number=number))


def _check_in(sight: Sight) -> int | None:
    """Whoever takes his name in the room is there, while people arrive."""
    at = open_round(sight.event)
    if at is None or sight.number in sight.event.rounds[at].present:
        return None
    try:
        journal.perform(sight.tournament, [Arrive(at, sight.number, visiting.now())], sight.as_player)
    except Refused:  # the round has begun meanwhile: his own page says what now
        return None
    return at


def _check_out(sight: Sight, at: int) -> None:
    try:
        journal.perform(sight.tournament, [Leave(at, sight.number)], sight.as_player)
    except Refused:  # he has been given a seat meanwhile: the desk sees that nobody comes
        return


def open_round(event: Event) -> int | None:
    """The round for which people arrive."""
    return next(
        (at for at, one in event.rounds.items() if one.state is RoundState.OPEN and not one.cancelled), None
    )


def _show(
    request: HttpRequest, sight: Sight, typed: str, *, inside: bool = False, refusal: str = ""
) -> HttpResponse:
    event, tournament = sight.shown, sight.tournament
    taken = passes.taken(tournament)
    listed = [
        (showing.Somebody(number, event.people[number].name), number in taken)
        for number in words.in_order(event, event.people)
        if not event.people[number].gone
    ]
    context = visiting.context(
        sight, "mine", inside=inside, code=typed, refusal=refusal, listed=listed if inside else []
    )
    return render(request, "tournaments/hall/join.html", context, status=409 if refusal else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """ "That is not me": this device is nobody any more; the name that it had taken is free again."""
    sight = frame.entered(request, key)
    if request.method != "POST":
        return redirect("tournaments:mine", key)
    held = passes.not_me(request, sight.tournament)
    if held is None:
        return redirect("tournaments:mine", key)
    at = open_round(sight.event)
    if held.claimed is not None and at is not None and sight.number in sight.event.rounds[at].present:
        _check_out(sight, at)
    messages.success(request, _("This device is nobody’s any more."))
    if not sight.tournament.listed:
        return redirect("tournaments:all")
    return redirect("tournaments:welcome", key)
