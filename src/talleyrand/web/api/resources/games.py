"""Games: those one may know of, and one of them as one may see it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from talleyrand.web.api.callers import Call, entered
from talleyrand.web.api.forms import Given, Key, Moment
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.games import seats
from talleyrand.web.games.models import Game
from talleyrand.web.games.sight import Sight

RESOURCE = Resource("games")
Life = Literal["gathering", "playing", "paused", "ended", "abandoned"]

Part = Literal["", "player", "master", "assistant", "observer"]


class Seat(Given):
    power: str
    player: str | None = Field(
        description=_("The name of whoever plays it; null where that is nobody, or secret.")
    )
    disorder: bool = Field(description=_("In civil disorder until its player returns."))


class GameFacts(Given):
    key: str = Field(description=_("By which every other address of this game names it."))
    name: str
    variant: str
    rulebook: str | dict[str, Any] = Field(description=_("A name, or options that extend one."))
    state: Life
    number: int = Field(description=_("The open phase, counted from 1; 0 before the start."))
    phase: str = Field(description=_("Its code: S1901M."))
    due: Moment | None
    role: Literal["", "player", "master", "assistant", "observer"] = Field(
        description=_("Yours; empty: none.")
    )
    powers: list[str] = Field(description=_("Those you play."))


class GameWhole(GameFacts):
    opened: Moment | None
    started: Moment | None
    ended: Moment | None
    waiting: bool = Field(description=_("Past its date, the game waits for those who are missing."))
    terms: dict[str, Any] = Field(description=_("What was agreed."))
    seats: list[Seat]
    result: dict[str, Any] | None


@RESOURCE.reads(
    "/games/{key}",
    _("One game: what was agreed, who plays, what is open and until when."),
    GameWhole,
    Scope.READ,
)
def game(request: Call, key: Key) -> object:
    return whole(entered(request, key))


def facts(sight: Sight) -> dict[str, Any]:
    """What a list tells of a game."""
    found = sight.game
    told = {name: getattr(found, name) for name in ("key", "name", "variant", "rulebook", "state")}
    open_now = {name: getattr(found, name) for name in ("number", "phase", "due")}
    return {**told, **open_now, "role": sight.role, "powers": list(sight.powers)}


def whole(sight: Sight) -> dict[str, Any]:
    """All that is told of a game on its own."""
    found = sight.game
    more = {name: getattr(found, name) for name in ("opened", "started", "ended", "waiting", "result")}
    return {**facts(sight), **more, "terms": found.terms.kept(), "seats": _seats(sight)}


def _seats(sight: Sight) -> list[dict[str, Any]]:
    names = _names(sight.game) if sight.knows_people else {}
    return [
        {"power": seat.power, "player": names.get(seat.power), "disorder": seat.disorder}
        for seat in sight.game.seats.all()
    ]


def _names(game: Game) -> dict[str, str | None]:
    holders = seats.holders(game)
    people = dict(game.memberships.filter(left=None).values_list("person", "person__name"))
    return {power: people.get(person) for power, person in holders.items() if person}
