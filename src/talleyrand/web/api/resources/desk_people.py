"""Who sits where, who leads, and how a game master ends a game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404
from django.utils import timezone
from ninja.params import Query
from pydantic import Field

from talleyrand.web.api.callers import Call
from talleyrand.web.api.forms import CLEAN, Given, Key, Moment, Power, Sent
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.games import seen
from talleyrand.web.games.desk import directing, scripts, seating
from talleyrand.web.games.models import Seat
from talleyrand.web.games.sight import Sight

from .desk import doing, for_master, hand
from .games import GameWhole
from .tables import Chosen, Link, Reason, Row, again, link

RESOURCE = Resource("people")
Alone = Annotated[bool, Query(description=_("The game goes on without a game master."))]


class Time(Given):
    player: str | None = Field(description=_("Null: an account that is gone."))
    stand_in: bool
    since: Moment
    until: Moment | None


class SeatWhole(Given):
    power: str
    mark: int = Field(description=_("Another one, once the seat has changed hands."))
    stood_in: bool = Field(description=_("Whether a stand-in plays it."))
    disorder: bool
    history: list[Time]


class Marked(Sent):
    mark: int = Field(ge=0, le=10**9, description=_("`mark` of the seat, as you know it."))


class Replacing(Marked):
    name: str = Field(min_length=1, max_length=80, pattern=CLEAN)
    stand_in: bool = Field(default=False, description=_("For a while, in the place of its player."))


class ToComputer(Marked):
    player: Chosen = Field(description=_("One of the computer’s players: “values:normal”."))


class Disorder(Sent):
    disorder: bool


class Appointed(Sent):
    name: str = Field(min_length=1, max_length=80, pattern=CLEAN)
    role: Literal["master", "assistant", "observer"]


class Ending(Sent):
    powers: list[Chosen] = Field(max_length=100, description=_("Those that win, or share the victory."))


# seats


@RESOURCE.reads(
    "/games/{key}/desk/seats/{power}", _("One seat, and who has played it."), SeatWhole, Scope.DESK
)
def seat(request: Call, key: Key, power: Power) -> object:
    return _seat(*_found(request, key, power))


@RESOURCE.changes(
    "PUT", "/games/{key}/desk/seats/{power}/player", _("Give a seat to somebody."), SeatWhole, Scope.DESK
)
def replace(request: Call, key: Key, power: Power, sent: Replacing) -> object:
    sight = for_master(request, key)
    if power in scripts.free(sight.game):
        return _taken(request, sight, power, sent)
    sight, _before = _found(request, key, power)
    with doing():
        seating.replace(
            sight.game,
            power,
            seating.person_named(sent.name),
            sent.mark,
            stand_in=sent.stand_in,
            hand=hand(sight),
            now=timezone.now(),
        )
    return _seat(*_found(request, key, power))


def _taken(request: Call, sight: Sight, power: str, sent: Replacing) -> object:
    """A power that its script played until now, which had no seat."""
    with doing():
        person = seating.person_named(sent.name)
        scripts.take(sight.game, power, person, hand=hand(sight), now=timezone.now())
    return _seat(*_found(request, sight.game.key, power))


@RESOURCE.changes(
    "POST",
    "/games/{key}/desk/seats/{power}/script",
    _("Let the script play a power again, as long as no phase has been published since."),
    None,
    Scope.DESK,
    status=204,
)
def give_back(request: Call, key: Key, power: Power) -> object:
    sight, _before = _found(request, key, power)
    with doing():
        scripts.give_back(sight.game, power, hand=hand(sight), now=timezone.now())
    return None


@RESOURCE.changes(
    "POST",
    "/games/{key}/desk/seats/{power}/end-stand-in",
    _("The player has his power back."),
    SeatWhole,
    Scope.DESK,
)
def end_stand_in(request: Call, key: Key, power: Power, sent: Marked) -> object:
    sight, _before = _found(request, key, power)
    with doing():
        seating.end_stand_in(sight.game, power, sent.mark, hand=hand(sight), now=timezone.now())
    return _seat(*_found(request, key, power))


@RESOURCE.changes("POST", "/games/{key}/desk/seats/{power}/vacate", _("Free a seat."), SeatWhole, Scope.DESK)
def vacate(request: Call, key: Key, power: Power, sent: Marked) -> object:
    sight, _before = _found(request, key, power)
    with doing():
        seating.vacate(sight.game, power, sent.mark, hand=hand(sight), now=timezone.now())
    return _seat(*_found(request, key, power))


@RESOURCE.changes(
    "PUT",
    "/games/{key}/desk/seats/{power}/computer",
    _("Let the computer play a free seat."),
    SeatWhole,
    Scope.DESK,
)
def computer(request: Call, key: Key, power: Power, sent: ToComputer) -> object:
    sight, _before = _found(request, key, power)
    with doing():
        seating.give_to_computer(sight.game, power, sent.player, sent.mark, hand=hand(sight))
    return _seat(*_found(request, key, power))


@RESOURCE.changes(
    "PUT",
    "/games/{key}/desk/seats/{power}/disorder",
    _("Put a power into civil disorder, or take it out again."),
    SeatWhole,
    Scope.DESK,
)
def disorder(request: Call, key: Key, power: Power, sent: Disorder) -> object:
    sight, _before = _found(request, key, power)
    with doing():
        seating.set_disorder(sight.game, power, lost=sent.disorder, hand=hand(sight), now=timezone.now())
    return _seat(*_found(request, key, power))


@RESOURCE.changes(
    "POST",
    "/games/{key}/desk/seats/{power}/invitation",
    _("A link that gives a free seat to whoever uses it first."),
    Link,
    Scope.DESK,
    status=201,
)
def invite(request: Call, key: Key, power: Power) -> object:
    sight, _before = _found(request, key, power)
    with doing():
        return link(seating.invite(sight.game, power, hand=hand(sight), now=timezone.now()))


def _found(request: Call, key: str, power: str) -> tuple[Sight, Seat]:
    sight = for_master(request, key)
    found = Seat.objects.filter(game=sight.game, power=power).first()
    if found is None:
        raise Http404
    return sight, found


def _seat(sight: Sight, found: Seat) -> dict[str, Any]:
    history = [
        {
            "player": one.person.name if one.person else None,
            "stand_in": one.stand_in,
            "since": one.since,
            "until": one.until,
        }
        for one in seen.tenures(sight).filter(seat=found).select_related("person")
    ]
    told = {"power": found.power, "disorder": found.disorder, "history": history}
    return {**told, "mark": seating.mark(found), "stood_in": seating.stood_in(found)}


# roles


@RESOURCE.changes(
    "POST", "/games/{key}/desk/people", _("Give somebody a role at the desk."), GameWhole, Scope.DESK
)
def appoint(request: Call, key: Key, sent: Appointed) -> object:
    sight = for_master(request, key)
    with doing():
        person = seating.person_named(sent.name)
        directing.appoint(sight.game, person, sent.role, hand=hand(sight), now=timezone.now())
    return again(sight)


@RESOURCE.changes(
    "DELETE", "/games/{key}/desk/people/{row}", _("Take a role away."), None, Scope.DESK, status=204
)
def dismiss(request: Call, key: Key, row: Row, alone: Alone = False) -> None:
    sight = for_master(request, key)
    with doing():
        directing.dismiss(sight.game, row, hand=hand(sight), now=timezone.now(), alone=alone)


@RESOURCE.changes(
    "POST", "/games/{key}/desk/reveal", _("Let everybody know who plays what."), GameWhole, Scope.DESK
)
def reveal(request: Call, key: Key) -> object:
    sight = for_master(request, key)
    with doing():
        directing.reveal(sight.game, hand=hand(sight), now=timezone.now())
    return again(sight)


# the end


@RESOURCE.changes(
    "POST", "/games/{key}/desk/end", _("End a game as its players have agreed."), GameWhole, Scope.DESK
)
def end(request: Call, key: Key, sent: Ending) -> object:
    sight = for_master(request, key)
    with doing():
        directing.agree(sight.game, sent.powers, hand=hand(sight), now=timezone.now())
    return again(sight)


@RESOURCE.changes(
    "POST", "/games/{key}/desk/abandon", _("Stop a game without a result."), GameWhole, Scope.DESK
)
def abandon(request: Call, key: Key, sent: Reason) -> object:
    sight = for_master(request, key)
    with doing():
        directing.abandon(sight.game, sent.reason, hand=hand(sight), now=timezone.now())
    return again(sight)


@RESOURCE.changes(
    "POST", "/games/{key}/desk/reopen", _("Go on with a game that was ended."), GameWhole, Scope.DESK
)
def reopen(request: Call, key: Key) -> object:
    sight = for_master(request, key)
    with doing():
        directing.reopen(sight.game, hand=hand(sight), now=timezone.now())
    return again(sight)
