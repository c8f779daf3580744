"""The standings, and the prizes once all is over."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString

from talleyrand.tournament.numbers import natural
from talleyrand.web.tournaments.ranked import Ranked
from talleyrand.web.tournaments.sight import Sight

from . import prize_list, ranking, visiting
from .fragments import fragment


@visiting.page
def standings(request: HttpRequest, sight: Sight) -> HttpResponse:
    """The official ones; after an earlier round; or as if every game ended now, where one may see that."""
    now = "now" in request.GET
    if now and not ranking.may_see_now(sight):
        raise Http404
    last = ranking.latest(sight.event)
    through = _through(request.GET.get("round", ""), last)
    held = ranking.held(sight, provisional=now, through=through)
    found = held.standings
    counted = sorted({game.round for game in found.games}) if found else []
    context = visiting.context(
        sight,
        "standings",
        rows=_rows(sight, held) if counted else "",
        row=ranking.row_of(sight, sight.number) if not now and through is None else None,
        through=counted[-1] if counted else 0,
        steps=_steps(sight, last),
        hidden=[number for number, one in sight.event.rounds.items() if number > last],
        now=now,
        may_see_now=ranking.may_see_now(sight),
        unread=found is None,
        faults=[(fault.round, fault.board) for fault in found.faults] if found else [],
    )
    return render(request, "tournaments/hall/standings.html", context)


def _rows(sight: Sight, held: Ranked) -> SafeString:
    names = tuple(sight.event.people[number].name for number in held.basis.people)
    return fragment(
        sight,
        "standings_rows.html",
        lambda _event: {"rows": ranking.rows(sight, held.standings)},
        rests_on=(held.mark, names),
    )


def _steps(sight: Sight, last: int) -> list[int]:
    """The rounds that have brought points."""
    whole = ranking.of(sight, through=last)
    return sorted({game.round for game in whole.games}) if whole else []


def _through(told: str, last: int) -> int | None:
    """The round asked for; None for the last one."""
    if not told:
        return None
    number = natural(told)
    if number is None or not 1 <= number <= last:
        raise Http404
    return number


@visiting.page
def prizes(request: HttpRequest, sight: Sight) -> HttpResponse:
    """The prizes, once the desk has said that the event is over and every round is shown."""
    shown = prize_list.is_shown(sight)
    context = visiting.context(
        sight, "prizes", shown=shown, prizes=prize_list.prizes(sight) if shown else prize_list.titles(sight)
    )
    return render(request, "tournaments/hall/prizes.html", context)
