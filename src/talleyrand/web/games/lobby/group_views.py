"""Private groups: one's own, the page of one, and its door."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import order_requests
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.games import visibility
from talleyrand.web.games.finding_models import PlayerGroup
from talleyrand.web.games.models import RUNNING_STATES, Game, GameMembership

from . import player_groups
from .lobby_refusals import LobbyRefusal

MOST_GAMES = 50  # of a group on its page, the newest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def groups_page(request: HttpRequest) -> HttpResponse:
    """One's own groups, and a new one."""
    person, refusal = cast(Person, request.user), ""
    if request.method == "POST":
        try:
            made = player_groups.create_group(person, request.POST.get("name", ""))
        except LobbyRefusal as refused:
            refusal = refused.sentence
        else:
            messages.success(request, _("Group created. Send its link to those who should be in it."))
            return redirect("games:group", made.key)
    found = PlayerGroup.objects.filter(members__person=person).order_by("name", "pk")
    context = {"groups": found, "refusal": refusal, "typed": request.POST.get("name", "")}
    return render(request, "games/lobby/groups.html", context, status=409 if refusal else 200)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def group_page(request: HttpRequest, key: str) -> HttpResponse:
    """A group for its members: for all others it does not exist."""
    person = cast(Person, request.user)
    group = player_groups.group_of_member(person, key)
    if group is None:
        raise Http404
    refusal = ""
    if request.method == "POST":
        try:
            return _act(request, group, person)
        except LobbyRefusal as refused:
            refusal = refused.sentence
    members = list(group.members.select_related("person"))
    context = {
        "group": group,
        "members": members,
        "owns": any(one.is_owner and one.person_id == person.pk for one in members),
        "games": _games(group, person),
        "link": absolute_url(request, reverse("games:group_door", args=[group.token])),
        "refusal": refusal,
    }
    return render(request, "games/lobby/group.html", context, status=409 if refusal else 200)


def _games(group: PlayerGroup, person: Person) -> list[tuple[Game, bool]]:
    """The newest, each with whether one may open it: of some only those who play see the board."""
    games = list(group.games.order_by("-pk")[:MOST_GAMES])
    mine = GameMembership.objects.filter(game__in=games, person=person, left_at=None)
    shown = {*mine.values_list("game", flat=True)}
    shown |= {*visibility.watchable_games(group.games.all()).values_list("pk", flat=True)}
    return [(game, game.pk in shown or game.state not in RUNNING_STATES) for game in games]


def _act(request: HttpRequest, group: PlayerGroup, person: Person) -> HttpResponse:
    """What a button says."""
    match request.POST.get("do", ""):
        case "leave":
            player_groups.leave_group(group, person)
            messages.success(request, _("You left the group. Games you play in go on."))
            return redirect("games:groups")
        case "delete":
            player_groups.delete_group(group, person)
            messages.success(request, _("Group deleted. Its games go on, by invitation."))
            return redirect("games:groups")
        case "link":
            player_groups.renew_group_link(group, person)
            messages.success(request, _("New link. The one before no longer works."))
        case "remove":
            member = order_requests.whole_number_of(request.POST.get("member", ""))
            player_groups.remove_group_member(group, member, person)
            messages.success(request, _("Removed from the group; the link has changed."))
        case _unknown:
            raise LobbyRefusal("group_act")
    return redirect("games:group", group.key)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def group_door_page(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever has the link of a group."""
    group = get_object_or_404(PlayerGroup, token=token)
    person = request.user if isinstance(request.user, Person) else None
    if request.method == "POST" and person is None:
        return redirect_to_login(request.get_full_path())
    refusal = ""
    if request.method == "POST" and person:
        try:
            new = player_groups.join_group(group, token, person)
        except LobbyRefusal as refused:
            refusal = refused.sentence
        else:
            said = _("You are in the group.") if new else _("You are in this group already.")
            messages.success(request, said)
            return redirect("games:group", group.key)
    context = {"group": group, "refusal": refusal, "here": request.get_full_path()}
    return render(request, "games/lobby/group_door.html", context, status=409 if refusal else 200)
