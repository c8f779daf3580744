"""What the keeper of a season does: its name and rule, its events, who is who."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.formats.visible_text import one_line_name
from talleyrand.messages import tournament_sentences as sentences
from talleyrand.tournament import name_matching, season_entrants, season_ranking
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.model import Event
from talleyrand.tournament.season_entrants import IdentityQuestion
from talleyrand.tournament.season_ranking import Circuit, EventPoints, SeasonRule
from talleyrand.tournament.whole_numbers import YEAR_DIGITS, parse_natural
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.tournaments.models import TournamentCircuit, random_token

from . import circuit_rows
from .circuit_events import CircuitEvent, circuit_events
from .circuit_views import circuit_page_context

LONGEST_NAME = 120
PLACES = "20 15 12 10 8 6 5 4 3 2"
LIST_SEPARATOR = re.compile(r";|,(?=\s)")  # as people write a list; 0,5 is a number


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_circuit_page(request: HttpRequest) -> HttpResponse:
    """Name it; all else is set on its own page."""
    assert isinstance(request.user, Person)
    if request.method != "POST":
        return render(
            request, "tournaments/circuit_pages/new.html", {"typed": {"submission": random_token()}}
        )
    try:
        made = circuit_rows.create_circuit(
            _name(request), request.user, order_requests.submission_id_of(request)
        )
    except ActRefused as error:
        context = {"typed": request.POST.dict(), "refusal": refusal_in_words(error)}
        return render(request, "tournaments/circuit_pages/new.html", context, status=409)
    return redirect("tournaments:season_keep", made.key)


def _name(request: HttpRequest) -> str:
    name = one_line_name(request.POST.get("name", ""))
    if len(name) > LONGEST_NAME:
        raise ActRefused("circuit_name")
    return name


def refusal_in_words(error: ActRefused | InvalidEvent) -> str:
    """Why something is refused, in the language in use."""
    return sentences.tournament_refusal(error)[display_names.reader_language()]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def circuit_settings_page(request: HttpRequest, key: str) -> HttpResponse:
    """Name, rule, events, whether all may see it."""
    season = circuit_rows.own_circuit_or_404(request, key)
    if request.method != "POST":
        return _settings_page(request, season)
    press = request.POST.get("press", "")
    try:
        if press == "delete":
            return _deleted(request, season)
        _change_settings(request, season, press)
    except (ActRefused, InvalidEvent) as error:
        return _settings_page(
            request, season, refusal=refusal_in_words(error), refused=press.partition("?")[0]
        )
    return redirect("tournaments:season_keep", season.key)


def _change_settings(request: HttpRequest, season: TournamentCircuit, press: str) -> None:
    name, _mark, number = press.partition("?")
    if name == "listed":
        TournamentCircuit.objects.filter(pk=season.pk).update(is_listed=bool(request.POST.get("listed")))
        return
    if name not in CIRCUIT_ACTIONS:
        raise ActRefused("circuit_unknown")
    circuit_rows.change_circuit(season, CIRCUIT_ACTIONS[name](request, number))


CircuitChange = Callable[[Circuit], Circuit]


def _renamed(request: HttpRequest, _number: str) -> CircuitChange:
    name = _name(request)
    return lambda circuit: replace(circuit, name=name)


def _ruled(request: HttpRequest, _number: str) -> CircuitChange:
    typed = request.POST
    rule = SeasonRule(
        gives=EventPoints.PLACES if typed.get("gives") == EventPoints.PLACES else EventPoints.TOTAL,
        best=_whole_number(typed.get("best", "")),
        places=tuple(LIST_SEPARATOR.sub(" ", typed.get("places", "")).split()),
        beyond=typed.get("beyond", "").strip() or "0",
        ties=typed.get("ties", "split"),
        least=_whole_number(typed.get("least", "")),
    )
    return lambda circuit: replace(circuit, rule=rule)


def _whole_number(told: str) -> int:
    number = parse_natural(told.strip() or "0", YEAR_DIGITS)
    if number is None:
        raise ActRefused("circuit_count")
    return number


def _added(request: HttpRequest, _number: str) -> CircuitChange:
    """One of the tournaments that he directs; to others he has no right."""
    assert isinstance(request.user, Person)
    wanted = request.POST.get("event", "")
    if wanted not in {one.key for one in circuit_rows.tournaments_directed_by(request.user)}:
        raise ActRefused("circuit_no_event")
    return lambda circuit: _once(circuit, wanted)


def _once(circuit: Circuit, key: str) -> Circuit:
    """The same click twice is one."""
    known = any(stage.key == key for stage in circuit.stages.values())
    return circuit if known else season_ranking.add_event(circuit, key)


def _counted(request: HttpRequest, number: str) -> CircuitChange:
    coefficient = request.POST.get(f"coefficient-{number}", "").strip()
    season_ranking.exact_points(coefficient)

    def how(circuit: Circuit) -> Circuit:
        at = _whole_number(number)
        if at not in circuit.stages:
            raise ActRefused("circuit_no_event")
        stage = replace(circuit.stages[at], coefficient=coefficient)
        return replace(circuit, stages={**circuit.stages, at: stage})

    return how


def _removed(_request: HttpRequest, number: str) -> CircuitChange:
    return lambda circuit: season_ranking.remove_event(circuit, _whole_number(number))


CIRCUIT_ACTIONS: Mapping[str, Callable[[HttpRequest, str], CircuitChange]] = {
    "name": _renamed,
    "rule": _ruled,
    "add": _added,
    "count": _counted,
    "remove": _removed,
}


def _deleted(request: HttpRequest, season: TournamentCircuit) -> HttpResponse:
    if not request.POST.get("sure"):
        raise ActRefused("circuit_unsure")
    season.delete()
    messages.success(request, _("Circuit deleted. Its events are unchanged."))
    return redirect("tournaments:seasons")


def _settings_page(
    request: HttpRequest, season: TournamentCircuit, refusal: str = "", refused: str = ""
) -> HttpResponse:
    assert isinstance(request.user, Person)
    season.refresh_from_db()
    circuit = circuit_rows.circuit_from_row(season)
    keys = {stage.key for stage in circuit.stages.values()}
    typed = request.POST.dict() if refusal else {}
    context = {
        **circuit_page_context(request, season, circuit, "keep"),
        "editions": _rows(circuit, circuit_events(circuit, request), typed),
        "others": [one for one in circuit_rows.tournaments_directed_by(request.user) if one.key not in keys],
        "rule": typed if refused == "rule" else _fields(circuit.rule),
        "name": typed.get("name", "") if refused == "name" else circuit.name,
        "refusal": refusal,
        "refused": refused,
    }
    return render(request, "tournaments/circuit_pages/keep.html", context, status=409 if refusal else 200)


def _fields(rule: SeasonRule) -> dict[str, Any]:
    return {
        "gives": rule.gives.value,
        "best": rule.best,
        "places": " ".join(rule.places) or PLACES,
        "beyond": rule.beyond,
        "ties": rule.ties,
        "least": rule.least,
    }


def _rows(circuit: Circuit, held: list[CircuitEvent], typed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The events; one that is not there any more can still be taken out."""
    known = {one.number: one for one in held}
    order = [*known, *(number for number in circuit.stages if number not in known)]
    return [
        {
            "number": number,
            "edition": known.get(number),
            "coefficient": typed.get(f"coefficient-{number}", circuit.stages[number].coefficient),
        }
        for number in order
    ]


@dataclass(frozen=True)
class PossibleSamePerson:
    """Two entries that somebody should look at, as words."""

    question: IdentityQuestion
    names: tuple[str, str]
    events: tuple[str, str]
    settled: str = ""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def same_people_page(request: HttpRequest, key: str) -> HttpResponse:
    """Who of several events is one person."""
    season = circuit_rows.own_circuit_or_404(request, key)
    refusal = ""
    if request.method == "POST":
        try:
            circuit_rows.change_circuit(
                season, _namesakes(request) if _of_one_name(request) else _settled(request)
            )
        except (ActRefused, InvalidEvent) as error:
            refusal = refusal_in_words(error)
        else:
            return redirect("tournaments:season_people", season.key)
    circuit = circuit_rows.circuit_from_row(TournamentCircuit.objects.get(pk=season.pk))
    context = {
        **circuit_page_context(request, season, circuit, "people"),
        **_pairs(circuit, circuit_events(circuit, request)),
        "refusal": refusal,
    }
    return render(request, "tournaments/circuit_pages/people.html", context, status=409 if refusal else 200)


def _of_one_name(request: HttpRequest) -> bool:
    return request.POST.get("press") == "namesakes"


def _namesakes(request: HttpRequest) -> CircuitChange:
    """All that bear one name, and were not told apart by birth, are one person."""

    def how(circuit: Circuit) -> Circuit:
        events = {one.number: one.event for one in circuit_events(circuit, request)}
        for question in season_entrants.identity_questions(events, circuit.decisions):
            if _bear_one_name(question, events):
                circuit = season_ranking.settle_identity(circuit, question.one, question.two, same=True)
        return circuit

    return how


def _bear_one_name(question: IdentityQuestion, events: Mapping[int, Event]) -> bool:
    both = [events[one.stage].people[one.person] for one in (question.one, question.two)]
    return not question.taken and name_matching.have_same_name(*both)


def _settled(request: HttpRequest) -> CircuitChange:
    told, _mark, pair = request.POST.get("press", "").partition("?")
    first, _mark, second = pair.partition("+")
    one, two = season_ranking.parse_entry(first), season_ranking.parse_entry(second)
    said_so = {"same": True, "apart": False, "forget": None}
    if told not in said_so:
        raise ActRefused("circuit_unknown")
    return lambda circuit: season_ranking.settle_identity(circuit, one, two, same=said_so[told])


def _pairs(circuit: Circuit, held: list[CircuitEvent]) -> dict[str, Any]:
    """Those to look at, those taken for one, those settled."""
    events = {one.number: one.event for one in held}
    asked = season_entrants.identity_questions(events, circuit.decisions)
    decided = [
        *((pair, "same") for pair in circuit.decisions.same),
        *((pair, "apart") for pair in circuit.decisions.apart),
    ]
    told = [(IdentityQuestion(min(pair), max(pair), taken=False), word) for pair, word in decided]

    def words(question: IdentityQuestion, settled: str = "") -> PossibleSamePerson | None:
        both = (question.one, question.two)
        if any(one.stage not in events or one.person not in events[one.stage].people for one in both):
            return None
        names = [events[one.stage].people[one.person].name for one in both]
        places = [events[one.stage].name for one in both]
        return PossibleSamePerson(question, (names[0], names[1]), (places[0], places[1]), settled)

    found = [pair for question in asked if (pair := words(question))]
    settled = [pair for question, word in sorted(told, key=str) if (pair := words(question, word))]
    return {
        "open": [pair for pair in found if not pair.question.taken],
        "taken": [pair for pair in found if pair.question.taken],
        "settled": settled,
        "namesakes": sum(_bear_one_name(question, events) for question in asked),
    }
