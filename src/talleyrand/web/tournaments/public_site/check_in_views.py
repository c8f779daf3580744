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
from talleyrand.tournament.acts.round_acts import CheckIn, UndoCheckIn
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, RoundState
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.accounts import attempt_limits
from talleyrand.web.common import error_pages
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.tournaments import access_tokens, event_journal, event_times, tournament_context
from talleyrand.web.tournaments.event_documents import tournament_or_404
from talleyrand.web.tournaments.models import AccessToken
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import player_actions, public_boards, public_texts

LONGEST_CODE = 40


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_by_link(request: HttpRequest, key: str, held: str) -> HttpResponse:
    """One's own link: at the touch of a button this device is that person.

    Looking makes it nobody: mail programs look at links beforehand, and pages of others may lead here.
    """
    tournament = tournament_or_404(key)
    found = get_object_or_404(AccessToken, tournament=tournament, token=held)
    sight = TournamentViewer.for_request(tournament, request)
    number = access_tokens.person_of_token(tournament, found)
    if not number:
        raise Http404
    if request.method == "POST":
        access_tokens.remember_token(request, tournament, found)
    elif access_tokens.token_of_browser(request, tournament) != found:
        here = sight.event.people.get(sight.person_number) if sight.person_number != number else None
        names = {"other": sight.event.people[number].name, "mine": here.name if here else ""}
        return render(
            request,
            "tournaments/public_site/enter.html",
            player_actions.public_page_context(sight, "mine", **names),
        )
    return redirect("tournaments:mine", key)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_with_room_code(request: HttpRequest, key: str) -> HttpResponse:
    """The door of the room: whoever has the code of its screen finds his name and taps it."""
    tournament = tournament_or_404(key)
    sight = TournamentViewer.for_request(tournament, request)
    typed = (request.POST.get("code") or request.GET.get("code", ""))[:LONGEST_CODE]
    inside, before = (
        access_tokens.is_room_code(tournament, typed),
        access_tokens.is_old_room_code(tournament, typed),
    )
    if typed.strip() and not (inside or before) and not attempt_limits.count_attempt(request, "link"):
        return error_pages.too_many(
            request
        )  # who reads the screen is never counted: a whole room has one address
    if not (inside or before or sight.may_open):
        raise Http404
    if sight.person_number:
        return redirect("tournaments:mine", key)
    if not inside:
        return _show(request, sight, "" if before else typed, refusal=_wrong(typed, before=before))
    if request.method == "POST" and request.POST.get("person"):
        return _claim(request, sight, typed)
    return _show(request, sight, typed, inside=True)


def _wrong(typed: str, *, before: bool) -> str:
    if before:
        return _(
            "This code is from an earlier round; it changes every round. Enter the one on the screen now."
        )
    return _("Wrong code. Check the screen in the room.") if typed.strip() else ""


def _claim(request: HttpRequest, sight: TournamentViewer, typed: str) -> HttpResponse:
    number = parse_natural(request.POST["person"]) or 0
    try:
        held, at = _come(sight, number)
    except TalleyrandError as refused:
        return _show(
            request,
            sight,
            typed,
            inside=True,
            refusal=public_texts.refusal_text(refused, sight.visible_event),
        )
    access_tokens.remember_token(request, sight.tournament, held, tapped=True)
    name = sight.event.people[number].name
    messages.success(request, _("This phone is now linked to %(name)s.") % {"name": name})
    if at is not None:
        messages.success(request, _("You are checked in for round %(round)d.") % {"round": at})
    return redirect("tournaments:mine", sight.tournament.key)


@write_transaction
def _come(sight: TournamentViewer, number: int) -> tuple[AccessToken, int | None]:
    """A name taken and its bearer checked in, in one turn at the database; for no round: None."""
    held = access_tokens.claim_in_room(sight.tournament, number)
    return held, _check_in(replace(sight, person_number=number))


def _check_in(sight: TournamentViewer) -> int | None:
    """Whoever takes his name in the room is there, while people arrive."""
    at = arriving_round(sight.event)
    if at is None or sight.person_number in sight.event.rounds[at].present:
        return None
    try:
        event_journal.perform_acts(
            sight.tournament,
            [CheckIn(at, sight.person_number, event_times.act_time())],
            sight.journal_actor_as_player,
        )
    except ActRefused:  # the round has begun meanwhile: his own page says what now
        return None
    return at


def _check_out(sight: TournamentViewer, at: int) -> None:
    try:
        event_journal.perform_acts(
            sight.tournament, [UndoCheckIn(at, sight.person_number)], sight.journal_actor_as_player
        )
    except ActRefused:  # he has been given a seat meanwhile: the desk sees that nobody comes
        return


def arriving_round(event: Event) -> int | None:
    """The round for which people arrive."""
    return next(
        (at for at, one in event.rounds.items() if one.state is RoundState.OPEN and not one.cancelled), None
    )


def _show(
    request: HttpRequest, sight: TournamentViewer, typed: str, *, inside: bool = False, refusal: str = ""
) -> HttpResponse:
    event, tournament = sight.visible_event, sight.tournament
    taken = access_tokens.claimed_people(tournament)
    listed = [
        (public_boards.PersonName(number, event.people[number].name), number in taken)
        for number in public_texts.alphabetical(event, event.people)
        if not event.people[number].gone
    ]
    context = player_actions.public_page_context(
        sight, "mine", inside=inside, code=typed, refusal=refusal, listed=listed if inside else []
    )
    return render(request, "tournaments/public_site/join.html", context, status=409 if refusal else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave_device(request: HttpRequest, key: str) -> HttpResponse:
    """ "That is not me": this device is nobody any more; the name that it had taken is free again."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    if request.method != "POST":
        return redirect("tournaments:mine", key)
    held = access_tokens.leave_person(request, sight.tournament)
    if held is None:
        return redirect("tournaments:mine", key)
    at = arriving_round(sight.event)
    if (
        held.claimed_at is not None
        and at is not None
        and sight.person_number in sight.event.rounds[at].present
    ):
        _check_out(sight, at)
    messages.success(request, _("This device is no longer linked to a player."))
    if not sight.tournament.is_listed:
        return redirect("tournaments:all")
    return redirect("tournaments:welcome", key)
