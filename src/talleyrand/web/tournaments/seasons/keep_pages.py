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

from talleyrand.formats.signs import on_one_line
from talleyrand.messages import tournament as sentences
from talleyrand.tournament import circuits, matching
from talleyrand.tournament.circuits import Circuit, Gives, Rule
from talleyrand.tournament.errors import BadEvent, Refused
from talleyrand.tournament.matching import Question
from talleyrand.tournament.model import Event
from talleyrand.tournament.numbers import YEAR, natural
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.tournaments.models import Season, secret

from . import keeping
from .editions import Edition, editions
from .pages import frame

LONGEST_NAME = 120
PLACES = "20 15 12 10 8 6 5 4 3 2"
BETWEEN = re.compile(r";|,(?=\s)")  # as people write a list; 0,5 is a number


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Name it; all else is set on its own page."""
    assert isinstance(request.user, Person)
    if request.method != "POST":
        return render(request, "tournaments/seasons/new.html", {"typed": {"submission": secret()}})
    try:
        made = keeping.make(_name(request), request.user, request.POST.get("submission", "")[:64])
    except Refused as error:
        context = {"typed": request.POST.dict(), "refusal": said(error)}
        return render(request, "tournaments/seasons/new.html", context, status=409)
    return redirect("tournaments:season_keep", made.key)


def _name(request: HttpRequest) -> str:
    name = on_one_line(request.POST.get("name", ""))
    if len(name) > LONGEST_NAME:
        raise Refused("circuit_name")
    return name


def said(error: Refused | BadEvent) -> str:
    """Why something is refused, in the language in use."""
    return sentences.refusal(error)[wording.language()]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest, key: str) -> HttpResponse:
    """Name, rule, events, whether all may see it."""
    season = keeping.kept(request, key)
    if request.method != "POST":
        return _shown(request, season)
    press = request.POST.get("press", "")
    try:
        if press == "delete":
            return _deleted(request, season)
        _done(request, season, press)
    except (Refused, BadEvent) as error:
        return _shown(request, season, refusal=said(error), refused=press.partition("?")[0])
    return redirect("tournaments:season_keep", season.key)


def _done(request: HttpRequest, season: Season, press: str) -> None:
    name, _mark, number = press.partition("?")
    if name == "listed":
        Season.objects.filter(pk=season.pk).update(listed=bool(request.POST.get("listed")))
        return
    if name not in DEEDS:
        raise Refused("circuit_unknown")
    keeping.change(season, DEEDS[name](request, number))


How = Callable[[Circuit], Circuit]


def _renamed(request: HttpRequest, _number: str) -> How:
    name = _name(request)
    return lambda circuit: replace(circuit, name=name)


def _ruled(request: HttpRequest, _number: str) -> How:
    typed = request.POST
    rule = Rule(
        gives=Gives.PLACES if typed.get("gives") == Gives.PLACES else Gives.TOTAL,
        best=_whole(typed.get("best", "")),
        places=tuple(BETWEEN.sub(" ", typed.get("places", "")).split()),
        beyond=typed.get("beyond", "").strip() or "0",
        ties=typed.get("ties", "split"),
        least=_whole(typed.get("least", "")),
    )
    return lambda circuit: replace(circuit, rule=rule)


def _whole(told: str) -> int:
    number = natural(told.strip() or "0", YEAR)
    if number is None:
        raise Refused("circuit_count")
    return number


def _added(request: HttpRequest, _number: str) -> How:
    """One of the tournaments that he directs; to others he has no right."""
    assert isinstance(request.user, Person)
    wanted = request.POST.get("event", "")
    if wanted not in {one.key for one in keeping.directed(request.user)}:
        raise Refused("circuit_no_event")
    return lambda circuit: _once(circuit, wanted)


def _once(circuit: Circuit, key: str) -> Circuit:
    """The same click twice is one."""
    known = any(stage.key == key for stage in circuit.stages.values())
    return circuit if known else circuits.with_event(circuit, key)


def _counted(request: HttpRequest, number: str) -> How:
    coefficient = request.POST.get(f"coefficient-{number}", "").strip()
    circuits.figure(coefficient)

    def how(circuit: Circuit) -> Circuit:
        at = _whole(number)
        if at not in circuit.stages:
            raise Refused("circuit_no_event")
        stage = replace(circuit.stages[at], coefficient=coefficient)
        return replace(circuit, stages={**circuit.stages, at: stage})

    return how


def _removed(_request: HttpRequest, number: str) -> How:
    return lambda circuit: circuits.without_event(circuit, _whole(number))


DEEDS: Mapping[str, Callable[[HttpRequest, str], How]] = {
    "name": _renamed,
    "rule": _ruled,
    "add": _added,
    "count": _counted,
    "remove": _removed,
}


def _deleted(request: HttpRequest, season: Season) -> HttpResponse:
    if not request.POST.get("sure"):
        raise Refused("circuit_unsure")
    season.delete()
    messages.success(request, _("The circuit is deleted. Its events stay as they are."))
    return redirect("tournaments:seasons")


def _shown(request: HttpRequest, season: Season, refusal: str = "", refused: str = "") -> HttpResponse:
    assert isinstance(request.user, Person)
    season.refresh_from_db()
    circuit = keeping.circuit_of(season)
    keys = {stage.key for stage in circuit.stages.values()}
    typed = request.POST.dict() if refusal else {}
    context = {
        **frame(request, season, circuit, "keep"),
        "editions": _rows(circuit, editions(circuit, request), typed),
        "others": [one for one in keeping.directed(request.user) if one.key not in keys],
        "rule": typed if refused == "rule" else _fields(circuit.rule),
        "name": typed.get("name", "") if refused == "name" else circuit.name,
        "refusal": refusal,
        "refused": refused,
    }
    return render(request, "tournaments/seasons/keep.html", context, status=409 if refusal else 200)


def _fields(rule: Rule) -> dict[str, Any]:
    return {
        "gives": rule.gives.value,
        "best": rule.best,
        "places": " ".join(rule.places) or PLACES,
        "beyond": rule.beyond,
        "ties": rule.ties,
        "least": rule.least,
    }


def _rows(circuit: Circuit, held: list[Edition], typed: Mapping[str, Any]) -> list[dict[str, Any]]:
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
class Pair:
    """Two entries that somebody should look at, as words."""

    question: Question
    names: tuple[str, str]
    events: tuple[str, str]
    settled: str = ""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, key: str) -> HttpResponse:
    """Who of several events is one person."""
    season = keeping.kept(request, key)
    refusal = ""
    if request.method == "POST":
        try:
            keeping.change(season, _namesakes(request) if _of_one_name(request) else _settled(request))
        except (Refused, BadEvent) as error:
            refusal = said(error)
        else:
            return redirect("tournaments:season_people", season.key)
    circuit = keeping.circuit_of(Season.objects.get(pk=season.pk))
    context = {
        **frame(request, season, circuit, "people"),
        **_pairs(circuit, editions(circuit, request)),
        "refusal": refusal,
    }
    return render(request, "tournaments/seasons/people.html", context, status=409 if refusal else 200)


def _of_one_name(request: HttpRequest) -> bool:
    return request.POST.get("press") == "namesakes"


def _namesakes(request: HttpRequest) -> How:
    """All that bear one name, and were not told apart by birth, are one person."""

    def how(circuit: Circuit) -> Circuit:
        events = {one.number: one.event for one in editions(circuit, request)}
        for question in matching.questions(events, circuit.decisions):
            if _bear_one_name(question, events):
                circuit = circuits.settled(circuit, question.one, question.two, same=True)
        return circuit

    return how


def _bear_one_name(question: Question, events: Mapping[int, Event]) -> bool:
    both = [events[one.stage].people[one.person] for one in (question.one, question.two)]
    return not question.taken and matching.namesakes(*both)


def _settled(request: HttpRequest) -> How:
    told, _mark, pair = request.POST.get("press", "").partition("?")
    first, _mark, second = pair.partition("+")
    one, two = circuits.entry(first), circuits.entry(second)
    said_so = {"same": True, "apart": False, "forget": None}
    if told not in said_so:
        raise Refused("circuit_unknown")
    return lambda circuit: circuits.settled(circuit, one, two, same=said_so[told])


def _pairs(circuit: Circuit, held: list[Edition]) -> dict[str, Any]:
    """Those to look at, those taken for one, those settled."""
    events = {one.number: one.event for one in held}
    asked = matching.questions(events, circuit.decisions)
    decided = [
        *((pair, "same") for pair in circuit.decisions.same),
        *((pair, "apart") for pair in circuit.decisions.apart),
    ]
    told = [(Question(min(pair), max(pair), taken=False), word) for pair, word in decided]

    def words(question: Question, settled: str = "") -> Pair | None:
        both = (question.one, question.two)
        if any(one.stage not in events or one.person not in events[one.stage].people for one in both):
            return None
        names = [events[one.stage].people[one.person].name for one in both]
        places = [events[one.stage].name for one in both]
        return Pair(question, (names[0], names[1]), (places[0], places[1]), settled)

    found = [pair for question in asked if (pair := words(question))]
    settled = [pair for question, word in sorted(told, key=str) if (pair := words(question, word))]
    return {
        "open": [pair for pair in found if not pair.question.taken],
        "taken": [pair for pair in found if pair.question.taken],
        "settled": settled,
        "namesakes": sum(_bear_one_name(question, events) for question in asked),
    }
