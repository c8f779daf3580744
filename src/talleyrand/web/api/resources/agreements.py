"""What players settle among themselves: absences, pauses, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Literal

from django.http import Http404
from django.utils import timezone
from pydantic import Field

from talleyrand.web.api.callers import Call, entered
from talleyrand.web.api.forms import Given, Key, Moment, Sent
from talleyrand.web.api.problems import Refusal
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.games import dating, running, seen
from talleyrand.web.games.endings import carrying, proposals, rules, words
from talleyrand.web.games.endings.proposals import NotNow, Talks
from talleyrand.web.games.models import Absence, Proposal
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.table import absences, pauses

from .games import GameWhole
from .tables import Chosen, Row, acting, again, playing

RESOURCE = Resource("agreements")
Counts = Literal["now", "last_adjustments", "autumn_disorder"]


class Away(Given):
    id: int
    since: Moment
    until: Moment
    mine: bool
    player: str | None = Field(description=_("Null where it is secret who plays."))


class Aways(Given):
    items: list[Away]


class NewAbsence(Sent):
    first: date = Field(description=_("The first day, by the clocks of the game’s zone."))
    last: date = Field(description=_("The last day."))


class Paused(Given):
    paused: bool = Field(description=_("Whether the game rests now: all players had to ask for it."))


class Asked(Given):
    power: str
    choice: Literal["", "veto", "pass", "yes", "no"] = Field(description=_("What was answered so far."))


class ProposalFacts(Given):
    id: int
    number: int
    phase: str
    power: str = Field(description=_("Who proposes."))
    counts: Counts = Field(description=_("Which position is to count."))
    state: Literal["vetoes", "voting", "accepted", "vetoed", "refused", "lapsed"]
    made: Moment
    closes: Moment | None = Field(description=_("When silence is taken for an answer."))
    closed: Moment | None
    vetoes: list[str] = Field(description=_("The powers that have vetoed: this alone is public."))
    asked: list[Asked] = Field(
        description=_("Your own powers that are to answer; for a token with `tables`.")
    )


class Proposals(Given):
    items: list[ProposalFacts]
    choices: list[Counts] = Field(description=_("What a proposal may say now of the position that counts."))


class NewProposal(Sent):
    power: Chosen
    number: int = Field(ge=1, le=100_000, description=_("The phase that is open."))
    counts: Counts = "now"


class NewAnswer(Sent):
    power: Chosen
    choice: Literal["veto", "pass", "yes", "no"]


# absences and pauses


@RESOURCE.reads(
    "/games/{key}/absences",
    _("Absences to come: yours; those of others where everybody knows who plays what."),
    Aways,
    Scope.TABLES,
)
def away(request: Call, key: Key) -> object:
    sight = entered(request, key)
    if not sight.role:
        raise Http404
    coming = seen.absences(sight).filter(until__gt=timezone.now()).select_related("person")
    return {"items": [_away(sight, one) for one in coming]}


@RESOURCE.changes("POST", "/games/{key}/absences", _("Announce an absence."), Away, Scope.TABLES, status=201)
def announce(request: Call, key: Key, sent: NewAbsence) -> object:
    sight = playing(request, key)
    zone = dating.rhythm(sight.game).zone
    with acting():
        since, until = absences.period(sent.first.isoformat(), sent.last.isoformat(), zone)
        made = absences.announce(sight.game, request.auth.person, since, until)
    if sight.game.number:
        running.reckon_absences(sight.game, timezone.now())
    return _away(sight, made)


@RESOURCE.changes(
    "DELETE", "/games/{key}/absences/{row}", _("Take an absence back."), None, Scope.TABLES, status=204
)
def stay(request: Call, key: Key, row: Row) -> None:
    sight = playing(request, key)
    with acting():
        absences.withdraw(sight.game, request.auth.person, row)


@RESOURCE.changes(
    "POST",
    "/games/{key}/pause",
    _("Ask for a pause: of the game master, or of all players together."),
    Paused,
    Scope.TABLES,
)
def pause(request: Call, key: Key) -> object:
    sight = playing(request, key)
    with acting():
        return {"paused": pauses.ask(sight.game, request.auth.person, timezone.now())}


@RESOURCE.changes(
    "POST",
    "/games/{key}/go-on",
    _("End the pause of a game without game master."),
    GameWhole,
    Scope.TABLES,
)
def go_on(request: Call, key: Key) -> object:
    sight = playing(request, key)
    with acting():
        pauses.go_on(sight.game, request.auth.person, timezone.now())
    return again(sight)


def _away(sight: Sight, found: Absence) -> dict[str, Any]:
    mine = found.person_id == (sight.person.pk if sight.person else 0)
    named = found.person.name if sight.knows_people else None
    return {"id": found.pk, "since": found.since, "until": found.until, "mine": mine, "player": named}


# the end of the game


@RESOURCE.reads(
    "/games/{key}/proposals", _("The proposals to end a game, the newest first."), Proposals, Scope.READ
)
def listed(request: Call, key: Key) -> object:
    sight = entered(request, key)
    talks = Talks(sight.game)
    found = Proposal.objects.filter(game=sight.game).order_by("-pk")[:20]
    open_now = sight.game.number > 0 and not sight.is_over
    offered = [str(one) for one in rules.choices(talks.scheme, talks.moment)] if open_now else []
    items = [_facts(sight, talks, one) for one in found]
    if Scope.TABLES not in request.auth.token.scopes:  # a vote is as secret as a sheet
        items = [{**one, "asked": []} for one in items]
    return {"items": items, "choices": offered}


@RESOURCE.changes(
    "POST",
    "/games/{key}/proposals",
    _("Propose the end of the game."),
    ProposalFacts,
    Scope.TABLES,
    status=201,
)
def propose(request: Call, key: Key, sent: NewProposal) -> object:
    sight = _speaking(request, key, sent.power)
    with _taking():
        made = proposals.propose(sight.game, sent.power, sent.number, sent.counts, timezone.now())
    carrying.carry_out_now(sight.game)
    return _facts(sight, Talks(sight.game), Proposal.objects.get(pk=made.pk))


@RESOURCE.changes(
    "POST",
    "/games/{key}/proposals/{row}/answers",
    _("Veto a proposal or let it be voted on; then agree or refuse. Nobody sees how you voted."),
    ProposalFacts,
    Scope.TABLES,
)
def answer(request: Call, key: Key, row: Row, sent: NewAnswer) -> object:
    sight = _speaking(request, key, sent.power)
    _there(sight, row)
    with _taking():
        proposals.answer(sight.game, row, sent.power, sent.choice, timezone.now())
    carrying.carry_out_now(sight.game)
    return _facts(sight, Talks(sight.game), _there(sight, row))


@RESOURCE.changes(
    "DELETE", "/games/{key}/proposals/{row}", _("Take your proposal back."), None, Scope.TABLES, status=204
)
def withdraw(request: Call, key: Key, row: Row) -> None:
    sight = playing(request, key)
    found = _there(sight, row)
    if found.power not in sight.acting:
        raise Http404
    with _taking():
        proposals.withdraw(sight.game, row, found.power, timezone.now())


def _speaking(request: Call, key: str, power: str) -> Sight:
    sight = entered(request, key)
    if power not in sight.acting:
        raise Http404
    return sight


def _there(sight: Sight, row: int) -> Proposal:
    found = Proposal.objects.filter(game=sight.game, pk=row).first()
    if found is None:
        raise Http404
    return found


def _facts(sight: Sight, talks: Talks, proposal: Proposal) -> dict[str, Any]:
    given = dict(seen.ballots(sight).filter(proposal=proposal).values_list("power", "choice"))
    voters = talks.voters(proposal) if proposal.closed is None else ()
    names = ("number", "phase", "power", "counts", "state", "made", "closes", "closed")
    told = {name: getattr(proposal, name) for name in names}
    asked = [{"power": power, "choice": given.get(power, "")} for power in sight.acting if power in voters]
    vetoes = sorted(power for power, choice in given.items() if choice == "veto")
    return {**told, "id": proposal.pk, "vetoes": vetoes, "asked": asked}


@contextmanager
def _taking() -> Iterator[None]:
    try:
        yield
    except NotNow as refused:
        raise Refusal(409, refused.code, words.refusal(refused.code)) from None
