"""Games: those one may know of, and one of them as one may see it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja.params import Query
from pydantic import Field

from talleyrand import variants
from talleyrand.web.api import paging
from talleyrand.web.api.callers import Call, entered
from talleyrand.web.api.forms import CLEAN, After, Given, Key, Limit, Moment, Page
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.games import log_words, seats, seen
from talleyrand.web.games.models import Entry, Game
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.table import listing

RESOURCE = Resource("games")
Life = Literal["gathering", "playing", "paused", "ended", "abandoned"]

Part = Literal["", "player", "master", "assistant", "observer"]


class Seat(Given):
    power: str
    player: str | None = Field(
        description=_("The name of whoever plays it; null where that is nobody, or secret.")
    )
    computer: str = Field(description=_("The computer’s player that plays it; empty: a person, or nobody."))
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


class Games(Given):
    items: list[GameFacts]
    next: str | None


class LogLine(Given):
    at: Moment
    kind: str
    role: str = Field(description=_("Of whoever did it; empty: nobody, or the clock."))
    person: str | None = Field(description=_("Where one may know who plays."))
    sentence: str


class Log(Page[LogLine]):
    pass


Shown = Annotated[
    Literal["mine", "join", "watch", "ended"],
    Query(description=_("Yours, those that look for players, those one may watch, or those that are over.")),
]
From = Annotated[int, Query(description=_("How many to leave out from the first on."), ge=0, le=1_000_000)]
Board = Annotated[str | None, Query(description=_("Of one variant alone."), max_length=40, pattern=CLEAN)]


@RESOURCE.reads("/games", _("The games one may know of, a part at a time."), Games, Scope.READ)
def games(
    request: Call, show: Shown = "mine", variant: Board = None, start: From = 0, limit: Limit = 50
) -> object:
    found = _shown(request, show, variant or "")
    some = list(found[start : start + limit + 1])
    told = [facts(Sight.of(one, request.auth.person)) for one in some[:limit]]
    return {"items": told, "next": str(start + limit) if len(some) > limit else None}


def _shown(request: Call, show: str, variant: str) -> Any:
    """Games to be cut: a list of them, or something that reads those alone that are asked for."""
    person = request.auth.person
    if show != "mine":
        return listing.chosen(show, person, variant)
    return [one for one in listing.mine(person) if variant in ("", one.variant)]


@RESOURCE.reads(
    "/games/{key}",
    _("One game: what was agreed, who plays, what is open and until when."),
    GameWhole,
    Scope.READ,
)
def game(request: Call, key: Key) -> object:
    return whole(entered(request, key))


@RESOURCE.reads(
    "/games/{key}/log",
    _("What was done in a game, the newest first, as far as one may see it."),
    Log,
    Scope.READ,
)
def log(request: Call, key: Key, after: After = None, limit: Limit = 50) -> object:
    sight = entered(request, key)
    variant, zone = variants.load(sight.game.variant), request.auth.person.zone

    def line(entry: Entry) -> dict[str, Any]:
        known = sight.knows_people and entry.by is not None
        said = log_words.sentence(entry, variant, zone, people=sight.knows_people)
        named = entry.by.name if known and entry.by else None
        return {"at": entry.at, "kind": entry.kind, "role": entry.role, "person": named, "sentence": said}

    found = seen.entries(sight).select_related("by").order_by("-pk")
    return paging.part(found, after, limit, line)


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
        {
            "power": seat.power,
            "player": names.get(seat.power),
            "computer": seat.bot,
            "disorder": seat.disorder,
        }
        for seat in sight.game.seats.all()
    ]


def _names(game: Game) -> dict[str, str | None]:
    holders = seats.holders(game)
    people = dict(game.memberships.filter(left=None).values_list("person", "person__name"))
    return {power: people.get(person) for power, person in holders.items() if person}
