"""Leagues as everybody may read them: seasons, the tables of their divisions, who moves, rounds and games."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404
from django.utils.translation import gettext_noop as _
from ninja.params import Path
from pydantic import Field

from talleyrand.tournament.standings import standings_json
from talleyrand.web.api.authentication import OptionalTokenRequest
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import PageAfter, PageLimit, ResponseSchema, page_out, paginate
from talleyrand.web.api.scopes import Scope
from talleyrand.web.tournaments.league_pages import league_seasons
from talleyrand.web.tournaments.league_pages.league_seasons import DivisionState, SeasonState
from talleyrand.web.tournaments.models import TournamentLeague
from talleyrand.web.tournaments.public_site import public_standings
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from .tournaments_api import RoundSummaryOut, round_summary, viewer_of

Key = Annotated[
    str, Path(description=_("The league, as in the address of its page."), pattern="^[a-z0-9]{1,16}$")
]
Season = Annotated[int, Path(description=_("The number of a season, from 1."), ge=1, le=100_000)]


def open_league(request: OptionalTokenRequest, league: Key) -> TournamentLeague:
    """The league as the caller may see it; one that they may not open does not exist for them."""
    found = league_seasons.visible_leagues(request.auth.person).filter(key=league).first()
    if found is None:
        raise Http404
    return found


RESOURCE = Resource("leagues", Scope.READ, sight=open_league)


class LeagueSummaryOut(ResponseSchema):
    key: str = Field(description=_("Identifies this league in every other address."))
    name: str
    moving: int = Field(description=_("How many go up from each division and down to the next."))


class LeagueOut(LeagueSummaryOut):
    seasons: list[int] = Field(description=_("The numbers of its seasons, the last first."))


class LeagueStandingOut(ResponseSchema):
    place: int
    person: int = Field(description=_("Identifies the person in the tournament of the division."))
    name: str
    total: str
    exact: str = Field(description=_("The total as a fraction."))
    moves: Literal["", "up", "down"] = Field(
        description=_("Where they go in the next season, once it is over.")
    )


class BoardGameOut(ResponseSchema):
    board: int
    game: str | None = Field(description=_("The key of its game, if it is played on this site."))
    over: bool = Field(description=_("Whether the board has its result."))


class LeagueRoundOut(RoundSummaryOut):
    boards: list[BoardGameOut] = Field(description=_("Empty until the seats are published."))


class DivisionOut(ResponseSchema):
    rank: int = Field(description=_("1: the highest."))
    tournament: str = Field(description=_("The key of the tournament that it is."))
    name: str
    over: bool
    standings: list[LeagueStandingOut]
    rounds: list[LeagueRoundOut]


class SeasonOut(ResponseSchema):
    number: int
    over: bool = Field(description=_("Whether every division is over and shows all of its rounds."))
    divisions: list[DivisionOut] = Field(description=_("Those that you can open, the highest first."))


@RESOURCE.get(
    "/leagues", _("The leagues you can see."), page_out("LeaguesOut", LeagueSummaryOut), public=True
)
def list_leagues(request: OptionalTokenRequest, after: PageAfter = None, limit: PageLimit = 50) -> object:
    return paginate(league_seasons.visible_leagues(request.auth.person), after, limit)


@RESOURCE.get("/leagues/{league}", _("One league and its seasons."), LeagueOut, public=True)
def get_league(sight: TournamentLeague) -> object:
    told = {name: getattr(sight, name) for name in ("key", "name", "moving")}
    return {**told, "seasons": league_seasons.season_numbers(sight)}


@RESOURCE.get(
    "/leagues/{league}/seasons/{season}",
    _("A season: its divisions with their standings, who goes up or down, and their rounds and games."),
    SeasonOut,
    public=True,
)
def get_season(request: OptionalTokenRequest, sight: TournamentLeague, season: Season) -> object:
    found = league_seasons.season_of(sight, season)
    if found is None:
        raise Http404
    shown = [(one, viewer_of(one.row.tournament, request.auth.person)) for one in found.divisions]
    divisions = [_division(found, one, viewer) for one, viewer in shown if viewer.may_open]
    return {"number": found.number, "over": found.is_over, "divisions": divisions}


def _division(season: SeasonState, one: DivisionState, viewer: TournamentViewer) -> dict[str, Any]:
    event, standings = viewer.visible_event, public_standings.visible_standings(viewer)
    lines = standings_json.standings_as_json(event, standings)["standings"] if standings else []
    rank, over = one.row.rank, season.is_over
    return {
        "rank": rank,
        "tournament": one.row.tournament.key,
        "name": event.name,
        "over": event.over,
        "standings": [
            {**line, "moves": season.movement(rank, line["person"]) if over else ""} for line in lines
        ],
        "rounds": [
            {
                **round_summary(event, number),
                "boards": [
                    {"board": at, "game": board.game or None, "over": board.result is not None}
                    for at, board in held.boards.items()
                ],
            }
            for number, held in event.rounds.items()
        ],
    }
