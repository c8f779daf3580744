"""Leagues as all may read them, and what their keeper does: divisions, who moves, the next season."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.formats.visible_text import one_line_name
from talleyrand.messages import tournament_sentences as sentences
from talleyrand.tournament.acts.event_acts import LONGEST_NAME
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import RoundState
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.tournaments import tournament_names
from talleyrand.web.tournaments.models import TournamentLeague, random_token
from talleyrand.web.tournaments.public_site import cached_fragments, public_standings
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import league_seasons
from .league_seasons import DivisionState, SeasonState

LEAGUES_A_PAGE = 50
MOST_MOVING = 20
CONFLICT = 409
REFUSALS = (ActRefused, LobbyRefusal)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def league_list_page(request: HttpRequest) -> HttpResponse:
    """The leagues that all may see, and one's own; a new one in one line."""
    mine = request.user if isinstance(request.user, Person) else None
    refusal = ""
    if request.method == "POST":
        if mine is None:
            raise Http404
        try:
            made = league_seasons.create_league(
                _name(request), mine, order_requests.submission_id_of(request)
            )
            return redirect("tournaments:league_keep", made.key)
        except REFUSALS as error:
            refusal = _in_words(error)
    found = league_seasons.visible_leagues(mine)
    context = {
        "found": Paginator(found, LEAGUES_A_PAGE).get_page(request.GET.get("page")),
        "mine": mine,
        "refusal": refusal,
        "name": request.POST.get("name", "")[:LONGEST_NAME],
        "submission": order_requests.submission_id_of(request) or random_token(),
    }
    status = CONFLICT if refusal else 200
    return render(request, "tournaments/league_pages/all.html", context, status=status)


def _name(request: HttpRequest) -> str:
    name = one_line_name(request.POST.get("name", "").replace("\0", ""))
    if not name or len(name) > LONGEST_NAME:
        raise ActRefused("league_name")
    return name


def _in_words(error: ActRefused | LobbyRefusal) -> str:
    if isinstance(error, LobbyRefusal):
        return error.sentence
    return sentences.tournament_refusal(error)[display_names.reader_language()]


def _league_or_404(request: HttpRequest, key: str, *, own: bool = False) -> TournamentLeague:
    """A league that the visitor may open; `own`: that they keep."""
    league = get_object_or_404(TournamentLeague, key=key.replace("\0", ""))
    if not (_keeps(request, league) or (league.is_listed and not own)):
        raise Http404
    return league


def _keeps(request: HttpRequest, league: TournamentLeague) -> bool:
    return isinstance(request.user, Person) and league.keeper_id == request.user.pk


@never_cache
@require_safe
def league_page(request: HttpRequest, key: str) -> HttpResponse:
    """A season, without `season` the last: each division as it stands, and who moves once it is over."""
    league = _league_or_404(request, key)
    asked, numbers = request.GET.get("season", ""), league_seasons.season_numbers(league)
    season = league_seasons.season_of(league, (parse_natural(asked) or 0) if asked else None)
    if asked and season is None:
        raise Http404
    context = {
        "league": league,
        "keeps": _keeps(request, league),
        "tab": "league",
        "season": _season_html(request, season) if season else "",
        "shown": season.number if season else 0,
        "seasons": numbers if len(numbers) > 1 else [],
    }
    return render(request, "tournaments/league_pages/league.html", context)


def _season_html(request: HttpRequest, season: SeasonState) -> SafeString:
    """Its divisions that the visitor may open: made once for each state of them."""
    sights = [TournamentViewer.for_request(one.row.tournament, request) for one in season.divisions]
    shown = [(one, sight) for one, sight in zip(season.divisions, sights, strict=True) if sight.may_open]

    def made() -> SafeString:
        context = {
            "number": season.number,
            "over": season.is_over,
            "divisions": [_division(season, one, sight) for one, sight in shown],
        }
        return render_to_string("tournaments/league_pages/season.html", context)

    return cached_fragments.cached_html(
        (
            "league season",
            display_names.reader_language(),
            season.league.moving,
            season.league.name,
            *((one.row.pk, one.row.tournament.state_token) for one in season.divisions),
            *((one.row.pk, sight.person_number) for one, sight in shown),
        ),
        made,
    )


def _division(season: SeasonState, one: DivisionState, sight: TournamentViewer) -> dict[str, Any]:
    event, rank = sight.visible_event, one.row.rank
    rows = public_standings.standings_rows(sight, public_standings.visible_standings(sight))
    ranked = {row.number for row in rows}
    over = season.is_over
    staying = {who: known for who, known in event.people.items() if known.rounds and not known.gone}
    playing = [at for at, held in event.rounds.items() if held.state is RoundState.PLAYING]
    states = {held.state for held in event.rounds.values()}
    return {
        "rank": rank,
        "tournament": sight.tournament,
        "name": "" if event.name.startswith(f"{season.league.name}, ") else event.name,
        "round": max(playing, default=0),
        "over": event.over,
        "begun": states != {RoundState.PLANNED},
        "signups": event.takes_sign_ups and RoundState.PLANNED in states and not sight.person_number,
        "me": sight.person_number,
        "rows": [(row, season.movement(rank, row.number) if over else "") for row in rows],
        "waiting": [staying[who].name for who in tournament_names.alphabetical(event, {*staying} - ranked)],
    }


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def league_settings_page(request: HttpRequest, key: str) -> HttpResponse:
    """For who keeps a league: its name, who may see it, how many move, its divisions, the next season."""
    league = _league_or_404(request, key, own=True)
    refusal = ""
    if request.method == "POST":
        try:
            return _act_on_league(request, league, request.POST.get("press", ""))
        except REFUSALS as error:
            refusal = _in_words(error)
            league.refresh_from_db()
    season = league_seasons.season_of(league)
    assert isinstance(request.user, Person)
    context = {
        **(_next_season(season) if season else {}),
        "league": league,
        "keeps": True,
        "tab": "keep",
        "refusal": refusal,
        "typed": request.POST if refusal else None,
        "season": season,
        "divisions": [
            (one, TournamentViewer.for_request(one.row.tournament, request).may_open)
            for one in (season.divisions if season else ())
        ],
        "others": league_seasons.addable_tournaments(request.user),
    }
    status = CONFLICT if refusal else 200
    return render(request, "tournaments/league_pages/keep.html", context, status=status)


def _next_season(season: SeasonState) -> dict[str, Any]:
    """Who will be where, or why the keeper cannot make it although the season is over."""
    if not season.is_over:
        return {}
    try:
        season.check_next()
    except REFUSALS as error:
        return {"waits": _in_words(error)}
    return {"moves": list(_moves(season))}


def _moves(season: SeasonState) -> Any:
    """Each division of the next season, with who will be in it."""
    names = {
        (one.row.rank, who): one.event.people[who].name for one in season.divisions for who in one.ranked
    }
    for one in season.divisions:
        rank = one.row.rank
        there = [who for who, after in season.next_ranks.items() if after == rank]
        yield rank, [(names[who], season.movement(*who)) for who in there]


def _act_on_league(request: HttpRequest, league: TournamentLeague, press: str) -> HttpResponse:
    """What a button of the settings asks; raises ActRefused."""
    assert isinstance(request.user, Person)
    name, _mark, told = press.partition("?")
    rows = TournamentLeague.objects.filter(pk=league.pk)
    if name == "about":
        moving = parse_natural(request.POST.get("moving", "").strip() or "0")
        if moving is None or moving > MOST_MOVING:
            raise ActRefused("league_moving", most=str(MOST_MOVING))
        rows.update(name=_name(request), moving=moving, is_listed=bool(request.POST.get("listed")))
        messages.success(request, _("League saved."))
    elif name == "add":
        league_seasons.add_division(
            league, request.user, request.POST.get("tournament", "").replace("\0", "")
        )
    elif name == "remove":
        league.divisions.filter(pk=parse_natural(told) or 0).delete()
    elif name == "next":
        if league_seasons.begin_next_season(league, parse_natural(told) or 0):
            messages.success(request, _("The next season is ready. Set when its first round begins."))
    elif name == "delete":
        if not request.POST.get("sure"):
            raise ActRefused("league_unsure")
        rows.delete()
        messages.success(request, _("League deleted. Its tournaments stay."))
        return redirect("tournaments:leagues")
    else:
        raise ActRefused("circuit_unknown")
    return redirect("tournaments:league_keep", league.key)
