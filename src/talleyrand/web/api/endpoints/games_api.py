"""Games: those one may know of, and one of them as one may see it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja.params import Query
from pydantic import Field

from talleyrand import variants
from talleyrand.web.api import paging
from talleyrand.web.api.authentication import TokenRequest, open_game
from talleyrand.web.api.marked_texts import _
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    PRINTABLE,
    GameKey,
    Moment,
    PageAfter,
    PageLimit,
    PageOut,
    ResponseSchema,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import game_log_texts, power_assignments, visibility
from talleyrand.web.games.lobby import game_lists
from talleyrand.web.games.models import Game, GameLogEntry
from talleyrand.web.games.viewer_permissions import GameViewer

RESOURCE = Resource("games")
Life = Literal["gathering", "playing", "paused", "ended", "abandoned"]

Part = Literal["", "player", "master", "assistant", "observer"]


class SeatOut(ResponseSchema):
    power: str
    player: str | None = Field(
        description=_("The name of its player; null if there is none, or if it is secret.")
    )
    computer: str = Field(description=_("The bot that plays it; empty: a person, or no one."))
    disorder: bool = Field(description=_("In civil disorder until its player returns."))


class GameSummaryOut(ResponseSchema):
    key: str = Field(description=_("Identifies this game in every other address."))
    name: str
    variant: str
    rulebook: str | dict[str, Any] = Field(description=_("A name, or options that extend one."))
    state: Life
    number: int = Field(description=_("The current phase, counted from 1; 0 before the start."))
    phase: str = Field(description=_("Its code: S1901M."))
    due: Moment | None
    role: Literal["", "player", "master", "assistant", "observer"] = Field(
        description=_("Your role; empty: none.")
    )
    powers: list[str] = Field(description=_("Those you play."))


class GameOut(GameSummaryOut):
    opened: Moment | None
    started: Moment | None
    ended: Moment | None
    waiting: bool = Field(
        description=_("The deadline has passed, and the game is waiting for missing orders.")
    )
    terms: dict[str, Any] = Field(description=_("Game settings."))
    seats: list[SeatOut]
    result: dict[str, Any] | None


class GamesOut(ResponseSchema):
    items: list[GameSummaryOut]
    next: str | None


class LogLineOut(ResponseSchema):
    at: Moment
    kind: str
    role: str = Field(description=_("Of the person who did it; empty: no one, or the clock."))
    person: str | None = Field(description=_("Only where players’ identities are known."))
    sentence: str


class LogOut(PageOut[LogLineOut]):
    pass


Shown = Annotated[
    Literal["mine", "join", "watch", "ended"],
    Query(description=_("Yours, those looking for players, those you can watch, or those that are over.")),
]
From = Annotated[int, Query(description=_("Number of items to skip."), ge=0, le=1_000_000)]
Board = Annotated[str | None, Query(description=_("Only this variant."), max_length=40, pattern=PRINTABLE)]


@RESOURCE.read_view("/games", _("The games you can see, one page at a time."), GamesOut, Scope.READ)
def list_games(
    request: TokenRequest, show: Shown = "mine", variant: Board = None, start: From = 0, limit: PageLimit = 50
) -> object:
    found = _shown(request, show, variant or "")
    some = list(found[start : start + limit + 1])
    told = [game_summary(GameViewer.for_user(one, request.auth.person)) for one in some[:limit]]
    return {"items": told, "next": str(start + limit) if len(some) > limit else None}


def _shown(request: TokenRequest, show: str, variant: str) -> Any:
    """Games to be cut: a list of them, or something that reads those alone that are asked for."""
    person = request.auth.person
    if show != "mine":
        return game_lists.listed_games(show, person, variant)
    return [one for one in game_lists.games_of_person(person) if variant in ("", one.variant)]


@RESOURCE.read_view(
    "/games/{key}",
    _("One game: its settings, who plays, the current phase and its deadline."),
    GameOut,
    Scope.READ,
)
def get_game(request: TokenRequest, key: GameKey) -> object:
    return game_details(open_game(request, key))


@RESOURCE.read_view(
    "/games/{key}/log",
    _("The log of a game, newest first, as far as you can see it."),
    LogOut,
    Scope.READ,
)
def game_log(request: TokenRequest, key: GameKey, after: PageAfter = None, limit: PageLimit = 50) -> object:
    sight = open_game(request, key)
    variant, zone = variants.load(sight.game.variant), request.auth.person.time_zone

    def line(entry: GameLogEntry) -> dict[str, Any]:
        known = sight.may_see_players and entry.person is not None
        said = game_log_texts.log_sentence(entry, variant, zone, people=sight.may_see_players)
        named = entry.person.name if known and entry.person else None
        return {
            "at": entry.created_at,
            "kind": entry.kind,
            "role": entry.role,
            "person": named,
            "sentence": said,
        }

    found = visibility.visible_log_entries(sight).select_related("person").order_by("-pk")
    return paging.paginate(found, after, limit, line)


def game_summary(sight: GameViewer) -> dict[str, Any]:
    """What a list tells of a game."""
    found = sight.game
    return {
        "key": found.key,
        "name": found.name,
        "variant": found.variant,
        "rulebook": found.rulebook,
        "state": found.state,
        "number": found.phase_number,
        "phase": found.phase,
        "due": found.deadline,
        "role": sight.role,
        "powers": list(sight.powers),
    }


def game_details(sight: GameViewer) -> dict[str, Any]:
    """All that is told of a game on its own."""
    found = sight.game
    return {
        **game_summary(sight),
        "opened": found.phase_opened_at,
        "started": found.started_at,
        "ended": found.ended_at,
        "waiting": found.is_waiting,
        "result": found.result,
        "terms": found.settings.as_json(),
        "seats": _seats(sight),
    }


def _seats(sight: GameViewer) -> list[dict[str, Any]]:
    names = _names(sight.game) if sight.may_see_players else {}
    return [
        {
            "power": seat.power,
            "player": names.get(seat.power),
            "computer": seat.bot,
            "disorder": seat.in_civil_disorder,
        }
        for seat in sight.game.seats.all()
    ]


def _names(game: Game) -> dict[str, str | None]:
    holders = power_assignments.players_by_power(game)
    people = dict(game.memberships.filter(left_at=None).values_list("person", "person__name"))
    return {power: people.get(person) for power, person in holders.items() if person}
