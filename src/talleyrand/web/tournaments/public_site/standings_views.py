"""The standings, and the prizes once all is over."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString

from talleyrand.tournament.exports.played_seats import last_public_round
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.tournaments.cached_standings import CachedStandings
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import player_actions, public_prizes, public_standings
from .cached_fragments import cached_fragment


@player_actions.public_page
def standings_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The official ones; after an earlier round; or as if every game ended now, where one may see that."""
    now = "now" in request.GET
    if now and not public_standings.may_see_provisional(sight):
        raise Http404
    last = last_public_round(sight.event)
    through = _through(request.GET.get("round", ""), last)
    held = public_standings.visible_ranking(sight, provisional=now, through=through)
    found = held.standings
    counted = sorted({game.round for game in found.games}) if found else []
    context = player_actions.public_page_context(
        sight,
        "standings",
        rows=_rows(sight, held) if counted else "",
        row=public_standings.standings_row_of(sight, sight.person_number)
        if not now and through is None
        else None,
        through=counted[-1] if counted else 0,
        steps=_steps(sight, last),
        hidden=[number for number, one in sight.event.rounds.items() if number > last],
        now=now,
        may_see_now=public_standings.may_see_provisional(sight),
        unread=found is None,
        faults=[(fault.round, fault.board) for fault in found.faults] if found else [],
    )
    return render(request, "tournaments/public_site/standings.html", context)


def _rows(sight: TournamentViewer, held: CachedStandings) -> SafeString:
    names = tuple(sight.event.people[number].name for number in held.basis.people)
    return cached_fragment(
        sight,
        "standings_rows.html",
        lambda _event: {"rows": public_standings.standings_rows(sight, held.standings)},
        rests_on=(held.mark, names),
    )


def _steps(sight: TournamentViewer, last: int) -> list[int]:
    """The rounds that have brought points."""
    whole = public_standings.visible_standings(sight, through=last)
    return sorted({game.round for game in whole.games}) if whole else []


def _through(told: str, last: int) -> int | None:
    """The round asked for; None for the last one."""
    if not told:
        return None
    number = parse_natural(told)
    if number is None or not 1 <= number <= last:
        raise Http404
    return number


@player_actions.public_page
def prizes_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The prizes, once the desk has said that the event is over and every round is shown."""
    shown = public_prizes.are_prizes_public(sight)
    context = player_actions.public_page_context(
        sight,
        "prizes",
        shown=shown,
        prizes=public_prizes.public_prizes(sight) if shown else public_prizes.prize_titles(sight),
    )
    return render(request, "tournaments/public_site/prizes.html", context)
