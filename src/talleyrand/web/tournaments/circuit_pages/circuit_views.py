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

from talleyrand.messages import tournament_sentences as sentences
from talleyrand.scoring import ScoreLine
from talleyrand.tournament import season_records
from talleyrand.tournament.prizes import Award
from talleyrand.tournament.regulations import PrizeKind
from talleyrand.tournament.season_ranking import Circuit, SeasonLine
from talleyrand.tournament.season_records import EventResults, GameFigures, MedalCount, SeasonGame
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.boards.score_texts import points_text
from talleyrand.web.tournaments import tournament_names
from talleyrand.web.tournaments.models import TournamentCircuit
from talleyrand.web.tournaments.tournament_names import in_reader_language

from . import circuit_rows
from .circuit_results import CircuitResults

MOST_LISTED = 100


@never_cache
@require_safe
def circuit_list_page(request: HttpRequest) -> HttpResponse:
    """The seasons that all may see, and one's own."""
    mine = request.user.pk if isinstance(request.user, Person) else None
    found = TournamentCircuit.objects.filter(Q(is_listed=True) | Q(keeper=mine, keeper__isnull=False))[
        :MOST_LISTED
    ]
    return render(request, "tournaments/circuit_pages/all.html", {"found": found, "mine": mine})


def circuit_page_context(
    request: HttpRequest, season: TournamentCircuit, circuit: Circuit, tab: str
) -> dict[str, Any]:
    """What every page of a season has."""
    return {
        "season": season,
        "circuit": circuit,
        "tab": tab,
        "keeps": circuit_rows.is_keeper(request, season),
    }


def _entered(request: HttpRequest, key: str, tab: str) -> tuple[CircuitResults, dict[str, Any]]:
    season = circuit_rows.circuit_or_404(request, key)
    circuit = circuit_rows.circuit_from_row(season)
    reckoned = CircuitResults.for_visitor(circuit, request)
    events = [(one, reckoned.event_state(one)) for one in reckoned.editions]
    return reckoned, {**circuit_page_context(request, season, circuit, tab), "events": events}


@never_cache
@require_safe
def circuit_standings_page(request: HttpRequest, key: str) -> HttpResponse:
    """Who leads, and why."""
    reckoned, context = _entered(request, key, "ranking")
    names = _events(reckoned)
    context["rows"] = [_row(line, names) for line in reckoned.ranking]
    return render(request, "tournaments/circuit_pages/ranking.html", context)


def _events(reckoned: CircuitResults) -> dict[int, str]:
    return {one.number: one.event.name for one in reckoned.editions}


def _row(line: SeasonLine, events: Mapping[int, str]) -> dict[str, Any]:
    shares = [
        {
            "event": events[share.stage],
            "points": points_text(share.points),
            "counted": share.counted,
            "line": working_in_words(share.line),
        }
        for share in line.shares
    ]
    total = points_text(line.total)
    return {
        "place": line.place,
        "name": line.entrant.name,
        "total": total,
        "shares": shares,
        "line": working_in_words(line.line),
    }


def working_in_words(line: ScoreLine) -> str:
    """A line of working, in the language in use."""
    return sentences.working_sentences(line)[display_names.reader_language()]


@never_cache
@require_safe
def winners_page(request: HttpRequest, key: str) -> HttpResponse:
    """Who won what at each event, and everybody's medals."""
    reckoned, context = _entered(request, key, "winners")
    context["editions"] = [
        {"edition": one, "podium": _podium(held), "prizes": _prizes(held)}
        for one in reversed(reckoned.editions)
        if (held := reckoned.results_by_event.get(one.number))
    ]
    found = season_records.count_medals(reckoned.results_by_event, reckoned.entrants)
    context["medals"] = [_medal(one, reckoned) for one in found]
    context["by_prize"] = _by_prize(reckoned)
    return render(request, "tournaments/circuit_pages/winners.html", context)


def _podium(held: EventResults) -> list[dict[str, Any]]:
    return [
        {
            "place": int(award.key),
            "names": _names(held, award),
            "points": points_text(award.points or Fraction(0)),
        }
        for award in held.podium
    ]


def _prizes(held: EventResults) -> list[dict[str, Any]]:
    given = [award for award in held.awards.values() if award.holders]
    return [
        {"title": in_reader_language(award.title, award.key), "names": _names(held, award)} for award in given
    ]


def _by_prize(reckoned: CircuitResults) -> list[dict[str, Any]]:
    names = _events(reckoned)
    return [
        {
            "title": in_reader_language(given[-1][1].title, key),
            "given": [
                {"event": names[stage], "names": _names(reckoned.results_by_event[stage], award)}
                for stage, award in given
            ],
        }
        for key, given in season_records.prize_winners(reckoned.results_by_event).items()
    ]


def _names(held: EventResults, award: Award) -> str:
    if award.kind == PrizeKind.TEAM:
        return ", ".join(held.event.teams[one].name for one in award.holders)
    return ", ".join(held.event.people[one].name for one in award.holders)


def _medal(one: MedalCount, reckoned: CircuitResults) -> dict[str, Any]:
    powers = Counter(_title(reckoned, *won) for won in one.powers)
    prizes = Counter(_title(reckoned, *won) for won in one.prizes)
    return {
        "name": one.entrant.name,
        "places": one.places,
        "powers": sorted(powers.items()),
        "prizes": sorted(prizes.items()),
        "count": len(one.powers) + len(one.prizes),
    }


def _title(reckoned: CircuitResults, stage: int, key: str) -> str:
    return in_reader_language(reckoned.results_by_event[stage].awards[key].title, key)


@never_cache
@require_safe
def statistics_page(request: HttpRequest, key: str) -> HttpResponse:
    """Figures of the events, of powers, of people."""
    reckoned, context = _entered(request, key, "statistics")
    names, sat = _events(reckoned), reckoned.games
    editions = season_records.figures_by_event(
        list(reckoned.results_by_event), reckoned.results_by_event, reckoned.entrants
    )
    context |= {
        "editions": [{"name": names[one.stage], "figures": one} for one in editions],
        "powers": [_power(power, one, names) for power, one in season_records.figures_by_power(sat).items()],
        "careers": [
            {
                "name": one.entrant.name,
                "events": one.events,
                "figures": one.tally,
                "mean": points_text(one.tally.mean),
            }
            for one in season_records.figures_by_person(sat)
        ],
        "whole": season_records.game_figures(sat),
        "best": _best(season_records.game_figures(sat).best, names),
    }
    return render(request, "tournaments/circuit_pages/statistics.html", context)


def _power(power: str, figures: GameFigures, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "name": tournament_names.power_name(power),
        "figures": figures,
        "mean": points_text(figures.mean),
        "best": _best(figures.best, names),
    }


def _best(sat: Iterable[SeasonGame], names: Mapping[int, str]) -> list[dict[str, str]]:
    return [
        {
            "name": one.entrant.name,
            "points": points_text(one.raw),
            "event": names[one.stage],
            "power": tournament_names.power_name(one.power),
        }
        for one in sat
    ]
