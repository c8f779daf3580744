"""The page that makes a game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import order_requests
from talleyrand.web.games.deadlines.deadline_settings import DeadlineSettings
from talleyrand.web.games.deadlines.forms import DeadlineForm, default_deadline_settings
from talleyrand.web.games.finding_models import PlayerGroup
from talleyrand.web.games.models import GameRole, random_token
from talleyrand.web.library.rulebook_input import RulebookInputRefusal

from . import game_creation, game_form_layout, invitations, player_groups
from .forms import GameForm, with_game
from .game_presets import GamePreset, game_presets
from .lobby_refusals import LobbyRefusal
from .opening_positions import SHARED, OpeningPosition, practice_opening

LONGEST_NUMBER, LONGEST_NAME = 2, 200  # what is shown again of a name that is too long


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_game_page(request: HttpRequest) -> HttpResponse:
    """A game by its name alone, or with any other answers; `fill` only changes what the page proposes.

    So does `count`, by which it shows what fits so many. `kind` names a preset for what is not answered,
    and asks for a link by which players join.
    """
    person = request.user
    assert isinstance(person, Person)
    if why := game_creation.why_no_new_game(person):
        messages.error(request, LobbyRefusal(why).sentence)
        return redirect("games:all")
    if request.method != "POST" or request.POST.get("fill") or request.POST.get("count"):
        return _page(request, *_fresh(request, person), _submission(request))
    preset, begun = _preset(request.POST.get("kind", ""), person)
    form = GameForm(
        {**(preset.answers if preset else {}), **request.POST.dict()}, request.FILES, zone=person.time_zone
    )
    dates = _dates(request, person)
    if not all([form.is_valid(), dates is None or dates.is_valid()]):
        shown = dates or DeadlineForm(rhythm=begun)
        return _page(request, form, shown, begun, _submission(request), status=400)
    rhythm = dates.deadline_settings() if dates else begun
    game = game_creation.create_game(
        replace(form.game_plan(rhythm.as_json()), group=_group(request, person)),
        person,
        order_requests.submission_id_of(request),
    )
    if preset and not invitations.open_invitations(game).exists():
        invitations.create_invitation(game, person, GameRole.PLAYER)
    messages.success(request, _("Game created. Now invite your players."))
    return redirect(f"{reverse('games:table', args=[game.key])}{'#links' if preset else ''}")


def _group(request: HttpRequest, person: Person) -> PlayerGroup | None:
    """The group of one's own for which the game is made, None where none was named."""
    key = (request.POST or request.GET).get("group", "")
    group = player_groups.group_of_member(person, key) if key else None
    if key and group is None:
        raise Http404
    return group


def _dates(request: HttpRequest, person: Person) -> DeadlineForm | None:
    """The rule for dates as it was sent; None where the page was sent without one."""
    sent = any(name.startswith("dates-") for name in request.POST)
    return DeadlineForm(request.POST, zone=person.time_zone) if sent else None


def _fresh(request: HttpRequest, person: Person) -> tuple[GameForm, DeadlineForm, DeadlineSettings]:
    """The page as it is proposed, the name already typed on it; whoever says how many they are keeps all
    answers."""
    asked = request.POST or request.GET
    chosen, begun = _preset(_filled(asked), person)
    counted = bool(request.POST.get("count"))
    told = with_game(request.POST.dict()) if counted else {}
    dates = _dates(request, person) if counted else None
    people = asked.get("count") or asked.get("people", "")
    typed = {"name": asked.get("name", "")[:LONGEST_NAME], "people": people[:LONGEST_NUMBER]}
    opening, _wrong = _opening(request)
    kept = {"variant": opening.variant.name, "rulebook": opening.rulebook} if opening else {}
    answers = {**(chosen.answers if chosen else {}), **told, **kept, **typed}
    return GameForm(zone=person.time_zone, begun=answers), dates or DeadlineForm(rhythm=begun), begun


def _filled(asked: QueryDict) -> str:
    """The preset that fills the page: the one just chosen, or the one that did before."""
    return asked.get("fill") or asked.get("filled") or asked.get("kind", "")


def _preset(name: str, person: Person) -> tuple[GamePreset | None, DeadlineSettings]:
    """A preset by its name, None where there is none, and the dates to begin with."""
    chosen = game_presets().get(name)
    zone = person.time_zone
    return chosen, chosen.deadline_settings(zone) if chosen else default_deadline_settings(zone)


def _opening(request: HttpRequest) -> tuple[OpeningPosition | None, list[str]]:
    """The position that the page was asked to begin with, and why there is none although it was."""
    try:
        return practice_opening(request.POST or request.GET), []
    except RulebookInputRefusal as refused:
        return None, [refused.sentence]


def _submission(request: HttpRequest) -> str:
    return order_requests.submission_id_of(request) or random_token()


def _page(
    request: HttpRequest,
    form: GameForm,
    dates: DeadlineForm,
    begun: DeadlineSettings,
    submission: str,
    status: int = 200,
) -> HttpResponse:
    asked = request.POST or request.GET
    opening, missing = _opening(request)
    context: dict[str, Any] = {
        "name": form["name"].value() or "",
        "name_errors": form["name"].errors,
        "part": game_form_layout.role_question(form),
        "groups": game_form_layout.question_groups(form, dates, begun),
        "rhythm": dates,
        "presets": game_presets().items(),
        "filled": _filled(asked),
        "game": game_form_layout.game_question(form),
        "people": form["people"].value() or "",
        "people_choices": game_form_layout.people_choices(form),
        "kind": asked.get("kind", ""),
        "submission": submission,
        "faulty": status != 200,
        "group": _group(request, cast(Person, request.user)),
        "opening": opening,
        "opening_errors": form.errors.get(SHARED, []) or missing,
    }
    return render(request, "games/lobby/new.html", context, status=status)
