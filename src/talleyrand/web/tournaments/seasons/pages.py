"""What all may read of seasons: the ranking, the winners, the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.messages import tournament as sentences
from talleyrand.scoring import Line
from talleyrand.tournament import records
from talleyrand.tournament.circuits import Circuit, SeasonLine
from talleyrand.tournament.prizes import Award
from talleyrand.tournament.records import Medals, Results, Sat, Tally
from talleyrand.tournament.regulations import PrizeKind
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import naming
from talleyrand.web.tournaments.models import Season
from talleyrand.web.tournaments.naming import points

from . import keeping
from .reckoning import Reckoned, text

LISTED = 100


@never_cache
@require_safe
def every(request: HttpRequest) -> HttpResponse:
    """The seasons that all may see, and one's own."""
    mine = request.user.pk if isinstance(request.user, Person) else None
    found = Season.objects.filter(Q(listed=True) | Q(keeper=mine, keeper__isnull=False))[:LISTED]
    return render(request, "tournaments/seasons/all.html", {"found": found, "mine": mine})


def frame(request: HttpRequest, season: Season, circuit: Circuit, tab: str) -> dict[str, Any]:
    """What every page of a season has."""
    return {"season": season, "circuit": circuit, "tab": tab, "keeps": keeping.keeps(request, season)}


def _entered(request: HttpRequest, key: str, tab: str) -> tuple[Reckoned, dict[str, Any]]:
    season = keeping.entered(request, key)
    circuit = keeping.circuit_of(season)
    reckoned = Reckoned.of(circuit, request)
    events = [(one, reckoned.state(one)) for one in reckoned.editions]
    return reckoned, {**frame(request, season, circuit, tab), "events": events}


@never_cache
@require_safe
def ranking(request: HttpRequest, key: str) -> HttpResponse:
    """Who leads, and why."""
    reckoned, context = _entered(request, key, "ranking")
    names = _events(reckoned)
    context["rows"] = [_row(line, names) for line in reckoned.ranking]
    return render(request, "tournaments/seasons/ranking.html", context)


def _events(reckoned: Reckoned) -> dict[int, str]:
    return {one.number: one.event.name for one in reckoned.editions}


def _row(line: SeasonLine, events: Mapping[int, str]) -> dict[str, Any]:
    shares = [
        {
            "event": events[share.stage],
            "points": points(share.points),
            "counted": share.counted,
            "line": said(share.line),
        }
        for share in line.shares
    ]
    total = points(line.total)
    return {
        "place": line.place,
        "name": line.entrant.name,
        "total": total,
        "shares": shares,
        "line": said(line.line),
    }


def said(line: Line) -> str:
    """A line of working, in the language in use."""
    return sentences.working(line)[wording.language()]


@never_cache
@require_safe
def winners(request: HttpRequest, key: str) -> HttpResponse:
    """Who won what at each event, and everybody's medals."""
    reckoned, context = _entered(request, key, "winners")
    context["editions"] = [
        {"edition": one, "podium": _podium(held), "prizes": _prizes(held)}
        for one in reversed(reckoned.editions)
        if (held := reckoned.held.get(one.number))
    ]
    found = records.medals(reckoned.held, reckoned.entrants)
    context["medals"] = [_medal(one, reckoned) for one in found]
    context["by_prize"] = _by_prize(reckoned)
    return render(request, "tournaments/seasons/winners.html", context)


def _podium(held: Results) -> list[dict[str, Any]]:
    return [
        {"place": int(award.key), "names": _names(held, award), "points": points(award.points or Fraction(0))}
        for award in held.podium
    ]


def _prizes(held: Results) -> list[dict[str, Any]]:
    given = [award for award in held.awards.values() if award.holders]
    return [{"title": text(award.title, award.key), "names": _names(held, award)} for award in given]


def _by_prize(reckoned: Reckoned) -> list[dict[str, Any]]:
    names = _events(reckoned)
    return [
        {
            "title": text(given[-1][1].title, key),
            "given": [
                {"event": names[stage], "names": _names(reckoned.held[stage], award)}
                for stage, award in given
            ],
        }
        for key, given in records.by_prize(reckoned.held).items()
    ]


def _names(held: Results, award: Award) -> str:
    if award.kind == PrizeKind.TEAM:
        return ", ".join(held.event.teams[one].name for one in award.holders)
    return ", ".join(held.event.people[one].name for one in award.holders)


def _medal(one: Medals, reckoned: Reckoned) -> dict[str, Any]:
    powers = Counter(_title(reckoned, *won) for won in one.powers)
    prizes = Counter(_title(reckoned, *won) for won in one.prizes)
    return {
        "name": one.entrant.name,
        "places": one.places,
        "powers": sorted(powers.items()),
        "prizes": sorted(prizes.items()),
        "count": len(one.powers) + len(one.prizes),
    }


def _title(reckoned: Reckoned, stage: int, key: str) -> str:
    return text(reckoned.held[stage].awards[key].title, key)


@never_cache
@require_safe
def statistics(request: HttpRequest, key: str) -> HttpResponse:
    """Figures of the events, of powers, of people."""
    reckoned, context = _entered(request, key, "statistics")
    names, sat = _events(reckoned), reckoned.games
    editions = records.editions(list(reckoned.held), reckoned.held, reckoned.entrants)
    context |= {
        "editions": [{"name": names[one.stage], "figures": one} for one in editions],
        "powers": [_power(power, one, names) for power, one in records.by_power(sat).items()],
        "careers": [
            {
                "name": one.entrant.name,
                "events": one.events,
                "figures": one.tally,
                "mean": points(one.tally.mean),
            }
            for one in records.careers(sat)
        ],
        "whole": records.tally(sat),
        "best": _best(records.tally(sat).best, names),
    }
    return render(request, "tournaments/seasons/statistics.html", context)


def _power(power: str, figures: Tally, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "name": naming.power(power),
        "figures": figures,
        "mean": points(figures.mean),
        "best": _best(figures.best, names),
    }


def _best(sat: Iterable[Sat], names: Mapping[int, str]) -> list[dict[str, str]]:
    return [
        {
            "name": one.entrant.name,
            "points": points(one.raw),
            "event": names[one.stage],
            "power": naming.power(one.power),
        }
        for one in sat
    ]
