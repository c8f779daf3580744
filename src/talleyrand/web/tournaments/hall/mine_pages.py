"""One's own page: what concerns somebody now, and what he says of himself."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.formats.signs import on_one_line
from talleyrand.tournament import timing
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.people import ChangePerson, Prefer, SignUp, TakeRide, Withdraw
from talleyrand.tournament.acts.presence import Arrive, Leave
from talleyrand.tournament.boards import CLASSIC, powers_of
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event, RoundState
from talleyrand.web.addresses import absolute
from talleyrand.web.tournaments import passes
from talleyrand.web.tournaments.models import secret
from talleyrand.web.tournaments.sight import Sight

from . import ballots, posting, ranking, regulating, showing, teams, visiting, words
from .clocks import Ticking, ticking
from .entering import Facts, open_rounds, whole

LONGEST_RIDE = 300
WISHES = 3  # powers that somebody may name


@visiting.page
def mine(request: HttpRequest, sight: Sight) -> HttpResponse:
    """What concerns me now."""
    return show(request, sight)


def show(request: HttpRequest, sight: Sight, refusal: str = "", form: Facts | None = None) -> HttpResponse:
    """One's page; for whoever is nobody yet, the ways to become somebody."""
    if sight.number not in sight.shown.people:
        return render(request, "tournaments/hall/nobody.html", visiting.context(sight, "mine"))
    event, number = sight.shown, sight.number
    context = visiting.context(
        sight,
        "mine",
        number=number,
        gone=event.people[number].gone,
        refusal=refusal,
        submission=secret(),
        link=_own_link(request, sight),
        by_link=bool(request.session.get(passes.SESSION, {}).get(sight.tournament.key)),
        now=_now(event, number),
        lines=_rounds(event, number),
        row=ranking.row_of(sight, number),
        games=_games(event, number),
        waiting=ballots.waiting(event, number),
        form=form or Facts(event=event, known=event.people[number]),
        team=teams.shown(event, number),
        wishes=_wishes(request, event, number),
        typed=_typed(request, event, number),
    )
    return render(request, "tournaments/hall/mine.html", context)


def _typed(request: HttpRequest, event: Event, number: int) -> dict[str, Any]:
    """What the short forms show: what was typed and refused, else what is kept."""
    ride = next((one for one in event.rides.values() if one.person == number), None)
    kept: dict[str, Any] = {
        "kind": "none" if ride is None else "wanted" if ride.seats < 0 else "offer",
        "seats": max(1, ride.seats) if ride else 1,
        "text": ride.text if ride else "",
        "team": teams.wished(event, number) or "none",
        "name": "",
    }
    return {**kept, **{field: request.POST[field] for field in kept if field in request.POST}}


def _own_link(request: HttpRequest, sight: Sight) -> str:
    """The link of somebody's own, once: after signing up, or when he asks for it.

    Not for a name that was tapped in the room: with its link he would be its owner.
    """
    if not sight.is_proven:
        return ""
    asked = request.session.pop(f"shown:{sight.tournament.key}", False) or "link" in request.GET
    if not asked:
        return ""
    return absolute(request, posting.link(sight.tournament, passes.of(sight.tournament, sight.number)))


def _now(event: Event, number: int) -> dict[str, Any] | None:
    """The round that concerns him: whether he is there, where he sits, what the clock shows."""
    at = showing.present_round(event)
    if at is None or event.over:
        return None
    one = event.rounds[at]
    return {
        "round": at,
        "state": one.state.value,
        "starts": words.hour(event, one.starts),
        "signed": at in event.people[number].rounds,
        "since": words.short_hour(event, one.present.get(number, "")),
        "rests": number in one.resting,
        "tables": [_mine(event, at, table) for table in showing.tables(event, at, number) if table.mine],
    }


def _mine(event: Event, at: int, table: showing.Table) -> dict[str, Any]:
    held = event.rounds[at].boards[table.number]
    clock: Ticking = ticking(event, at, timezone.now(), held)
    return {"table": table, "clock": clock, "last_year": timing.last_year(event, at, held)}


def _rounds(event: Event, number: int) -> list[dict[str, Any]]:
    may = open_rounds(event)
    return [
        {"line": line, "chosen": line.number in event.people[number].rounds, "may": line.number in may}
        for line in regulating.round_lines(event)
    ]


def _games(event: Event, number: int) -> list[dict[str, Any]]:
    return [
        {"round": at, "table": showing.table(event, at, board, number), "power": words.power(power)}
        for at, board, power in showing.played(event, number)
    ]


def _wishes(request: HttpRequest, event: Event, number: int) -> list[dict[str, Any]]:
    """The powers one would like, best first, where the regulations ask for them."""
    if not regulating.rules_of(event).wishes or event.over:
        return []
    kept = [*event.people[number].private.prefers, *[""] * WISHES][:WISHES]
    told = request.POST.getlist("wish") or kept
    powers = [(code, words.power(code)) for code in powers_of(CLASSIC)]
    return [{"at": at, "chosen": one, "powers": powers} for at, one in enumerate(told[:WISHES], 1)]


def _again(request: HttpRequest) -> Any:
    return lambda sight, refusal: show(request, sight, refusal)


def _way(sight: Sight) -> str:
    return reverse("tournaments:mine", args=[sight.tournament.key])


@visiting.deed
def arrive(request: HttpRequest, sight: Sight) -> HttpResponse:
    """ "I am here", or not after all: while people arrive."""
    here, number = request.POST.get("here") != "no", sight.number

    def build(event: Event) -> list[Act]:
        at = whole(request.POST.get("round", ""))
        found = event.rounds.get(at)
        if found is None:
            raise Refused("act_no_round", number=str(at))
        if found.state is not RoundState.OPEN:
            raise Refused(f"act_round_{found.state.value}", round=str(at))
        return [Arrive(at, number, visiting.now()) if here else Leave(at, number)]

    said = _("You are checked in.") if here else _("You are no longer checked in.")
    return visiting.answered(request, sight, build, said=said, way=_way(sight), again=_again(request))


@visiting.deed
def choose_rounds(request: HttpRequest, sight: Sight) -> HttpResponse:
    """The rounds one means to play, until each begins; one leaves the room of those that one gives up.

    Whoever gives up all of them, and has played none, withdraws from the event; one round brings him back.
    """
    number = sight.number
    chosen = {whole(one) for one in request.POST.getlist("rounds")[:60]}

    def build(event: Event) -> list[Act]:
        known = event.people[number]
        begun = {at for at in known.rounds if at not in open_rounds(event)}
        acts: list[Act] = [SignUp(number, tuple(sorted(chosen | begun))), *_left(event, number, chosen)]
        stays = bool(chosen | begun)
        return acts if stays != known.gone else [*acts, Withdraw(number, gone=not stays)]

    said = _("Your rounds are noted.") if chosen else _("Your rounds are noted: none of those to come.")
    return visiting.answered(request, sight, build, said=said, way=_way(sight), again=_again(request))


def _left(event: Event, number: int, chosen: set[int]) -> list[Act]:
    """He is not in the room for what he gives up."""
    return [
        Leave(at, number)
        for at, one in event.rounds.items()
        if at not in chosen and number in one.present and one.state is RoundState.OPEN
    ]


@visiting.deed
def facts(request: HttpRequest, sight: Sight) -> HttpResponse:
    """What one says of himself."""
    form, number = Facts(request.POST, event=sight.shown), sight.number
    told = form.person if sight.is_proven else form.completed
    if not form.is_valid():
        response = show(request, sight, _("Something is not right in the form below."), form)
        response.status_code = 409
        return response
    return visiting.answered(
        request,
        sight,
        lambda event: [ChangePerson(number, told(event.people[number]))],
        said=_("What you said of yourself is kept."),
        way=_way(sight),
        again=lambda fresh, refusal: show(request, fresh, refusal, form),
    )


@visiting.deed
def wish(request: HttpRequest, sight: Sight) -> HttpResponse:
    """The powers one would like, where the regulations ask for them: nobody but the desk reads them."""
    number = sight.number
    powers = tuple(one for one in request.POST.getlist("wish")[:WISHES] if one)

    def build(event: Event) -> list[Act]:
        if not regulating.rules_of(event).wishes:
            raise Refused("act_no_wishes")
        return [Prefer(number, powers)]

    said = _("Your wishes are kept.")
    return visiting.answered(request, sight, build, said=said, way=_way(sight), again=_again(request))


@visiting.deed
def ride(request: HttpRequest, sight: Sight) -> HttpResponse:
    """A place in a car: offered, looked for, or neither any more."""
    text = on_one_line(request.POST.get("text", ""))[:LONGEST_RIDE]
    kind, number = request.POST.get("kind", ""), sight.number

    def build(_event: Event) -> list[Act]:
        seats = whole(request.POST.get("seats", "1") or "1")
        if kind == "offer" and seats < 1:
            raise Refused("act_bad_number", value=request.POST.get("seats", "")[:20])
        return [TakeRide(number, "" if kind == "none" else text, -1 if kind == "wanted" else seats)]

    said = _("Your line about cars is kept.")
    return visiting.answered(request, sight, build, said=said, way=_way(sight), again=_again(request))
