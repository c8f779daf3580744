"""Tournaments as everybody may read them; one of the event sees besides what is his own business."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any, Literal

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja.params import Path, Query
from pydantic import Field

from talleyrand.tournament import codec, public_view, round_timing
from talleyrand.tournament.acts.result_acts import result_digest
from talleyrand.tournament.board_rules import seat_players, yearly_centres
from talleyrand.tournament.exports.played_seats import last_public_round
from talleyrand.tournament.model import BoardResult, Event, EventBoard
from talleyrand.tournament.standings import Standings, standings_json
from talleyrand.web.accounts.models import Person
from talleyrand.web.api.api_errors import ApiError
from talleyrand.web.api.authentication import OptionalTokenRequest
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    Moment,
    PageAfter,
    PageLimit,
    ResponseSchema,
    list_out,
    page_out,
    paginate,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.tournaments import access_tokens, tournament_lists
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.public_site import public_prizes, public_standings
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

Key = Annotated[
    str, Path(description=_("The tournament, as in the address of its page."), pattern="^[a-z0-9]{1,16}$")
]
Round = Annotated[int, Path(description=_("The number of a round, from 1."), ge=1, le=1000)]
Shown = Annotated[
    Literal["coming", "past", "mine"],
    Query(description=_("Upcoming ones, past ones, or yours.")),
]
Through = Annotated[int | None, Query(description=_("As they stood after this round."), ge=1, le=1000)]
Now = Annotated[bool, Query(description=_("As if every game ended now, where that is shown."))]
Document = dict[str, Any]
State = Literal["planned", "open", "draft", "playing", "closed"]


def viewer_of(row: Tournament, person: Person | None) -> TournamentViewer:
    """A tournament as somebody sees it, who comes by his account or as nobody."""
    return TournamentViewer(row, person, access_tokens.person_of_account(row, person) if person else 0)


def open_tournament(request: OptionalTokenRequest, tournament: Key) -> TournamentViewer:
    """The tournament as the caller may see it; one that he may not open does not exist for him."""
    sight = viewer_of(get_object_or_404(Tournament, key=tournament), request.auth.person)
    if not sight.may_open:
        raise Http404
    return sight


RESOURCE = Resource("tournaments", Scope.READ, sight=open_tournament)


class TournamentSummaryOut(ResponseSchema):
    key: str = Field(description=_("Identifies this tournament in every other address."))
    name: str
    opens: date | None
    ends: date | None
    role: Literal["", "player", "assistant", "director"] = Field(description=_("Your role; empty: none."))


class RoundSummaryOut(ResponseSchema):
    number: int
    state: State
    starts: str = Field(description=_("When it begins; empty if not said."))
    cancelled: bool
    revealed: bool = Field(description=_("Whether its results are shown to everyone."))
    final: bool | None = Field(description=_("Whether there is a final table; null: not decided yet."))


class TournamentOut(TournamentSummaryOut):
    as_of: Moment | None = Field(
        description=_("For a copy: when it last matched the tournament, which is directed elsewhere.")
    )
    announcement: Document = Field(description=_("Place, texts, dates: as in a tournament file."))
    regulations: str | Document = Field(description=_("The name of a preset, or a table that extends one."))
    signups: bool = Field(description=_("Whether sign-up is open."))
    live: bool = Field(description=_("Whether everyone can see the standings as if every game ended now."))
    over: bool
    people: int
    rounds: list[RoundSummaryOut]


class ParticipantOut(ResponseSchema):
    number: int = Field(description=_("Identifies the person in boards and standings."))
    name: str
    club: str
    town: str
    team: str | None
    rounds: list[int] = Field(description=_("Rounds signed up for."))
    gone: bool = Field(description=_("Has withdrawn from the tournament."))


class TournamentSeatOut(ResponseSchema):
    power: str
    people: list[int] = Field(description=_("Who played it, in order; empty: a script, or civil disorder."))
    missed: int = Field(description=_("Seasons already over when the first of them sat down."))


class BoardResultOut(ResponseSchema):
    centres: dict[str, int]
    ended: Literal["time", "solo", "vote", "conceded", "stopped"]
    year: int | None
    winner: str
    draw: list[str]
    out: list[str] = Field(description=_("Powers that are eliminated even though they hold a centre."))
    eliminated_in: dict[str, int]
    neutral: int
    confirmed: bool = Field(description=_("Until then it counts nowhere, and only its board can see it."))
    digest: str = Field(
        description=_("Stands for what the result says: send it back to confirm exactly that.")
    )


class BoardOut(ResponseSchema):
    number: int
    variant: str
    place: str
    final: bool
    counts: bool
    last_year: int
    game: str | None = Field(description=_("The key of its game, if it is played on this site."))
    seats: list[TournamentSeatOut]
    now: dict[str, int] = Field(description=_("Centres during play, where they are shown."))
    years: dict[str, dict[str, int]] = Field(description=_("Centres at the end of each year that is known."))
    result: BoardResultOut | None


class RoundOut(RoundSummaryOut):
    present: list[int]
    resting: list[int] = Field(description=_("Present, but not playing."))
    boards: list[BoardOut] = Field(description=_("Empty until the seats are published."))


class ClockFaceOut(ResponseSchema):
    boards: list[int] = Field(description=_("Boards that use it; empty: the round’s clock."))
    season: list[str] = Field(description=_("S1901; several if they are played on one clock."))
    remaining: int = Field(description=_("Seconds."))
    running: bool
    writing: bool = Field(description=_("The last seconds, for writing only."))
    over: bool


class RoundClockOut(ResponseSchema):
    at: Moment = Field(description=_("When this was read, by the site’s clock."))
    clocks: list[ClockFaceOut]


class StandingsOut(ResponseSchema):
    """The answer of `talleyrand standings --json`."""

    event: str
    through: int
    provisional: bool
    final: bool
    standings: list[Document] = Field(
        description=_("As `talleyrand standings --json` writes them: places, points, one line per figure.")
    )
    faults: list[Document] = Field(description=_("Boards that could not be scored, and why."))


class PrizeOut(ResponseSchema):
    title: str
    holders: list[str]
    why: list[str]


class PrizesOut(ResponseSchema):
    shown: bool = Field(description=_("Prizes have winners once the tournament is over."))
    items: list[PrizeOut]


class RulingOut(ResponseSchema):
    number: int
    at: str
    round: int = Field(description=_("0: the whole tournament."))
    board: int = Field(description=_("0: the whole round."))
    text: str


@RESOURCE.get(
    "/tournaments",
    _("The tournaments you can see."),
    page_out("TournamentsOut", TournamentSummaryOut),
    public=True,
)
def list_tournaments(
    request: OptionalTokenRequest, show: Shown = "coming", after: PageAfter = None, limit: PageLimit = 50
) -> object:
    person = request.auth.person
    found = _listed(show, person)
    return paginate(found, after, limit, lambda row: tournament_summary(viewer_of(row, person)))


def _listed(show: str, person: Person | None) -> Any:
    if show == "mine":
        return tournament_lists.tournaments_of(person) if person else Tournament.objects.none()
    today = timezone.localdate()
    return (
        tournament_lists.coming_tournaments(today)
        if show == "coming"
        else tournament_lists.past_tournaments(today)
    )


@RESOURCE.get(
    "/tournaments/{tournament}",
    _("One tournament: its announcement, its regulations, the state of its rounds."),
    TournamentOut,
    public=True,
)
def get_tournament(sight: TournamentViewer) -> object:
    event = sight.visible_event
    told = {name: getattr(event, name) for name in ("live", "over", "regulations")}
    told["signups"] = event.takes_sign_ups
    announcement = codec.write_value(event.announcement)
    rounds = [round_summary(event, number) for number in event.rounds]
    people = sum(not one.gone for one in event.people.values())
    told["as_of"] = sight.tournament.copied_at
    return {
        **tournament_summary(sight),
        **told,
        "announcement": announcement,
        "people": people,
        "rounds": rounds,
    }


@RESOURCE.get(
    "/tournaments/{tournament}/event",
    _("Everything public about a tournament, in the format of its file: `talleyrand standings` reads it."),
    Document,
    public=True,
)
def get_event(sight: TournamentViewer) -> object:
    return codec.write_value(public_view.visible_event(sight.event))


@RESOURCE.get(
    "/tournaments/{tournament}/people",
    _("Who has signed up."),
    list_out("ParticipantsOut", ParticipantOut),
    public=True,
)
def list_participants(sight: TournamentViewer) -> object:
    event = sight.visible_event
    teams = {who: team.name for team in event.teams.values() for who in team.members}
    told = ("name", "club", "town", "rounds", "gone")
    return {
        "items": [
            {"number": at, "team": teams.get(at), **{name: getattr(known, name) for name in told}}
            for at, known in event.people.items()
        ]
    }


@RESOURCE.get(
    "/tournaments/{tournament}/rounds/{number}",
    _("A round: who is present, who plays which power at which board, and the results."),
    RoundOut,
    public=True,
)
def get_round(sight: TournamentViewer, number: Round) -> object:
    event = sight.visible_event
    one = _round_or_404(event, number)
    boards = [_board(event, number, at, held) for at, held in one.boards.items()]
    there = {"present": list(one.present), "resting": list(one.resting)}
    return {**round_summary(event, number), **there, "boards": boards}


@RESOURCE.get(
    "/tournaments/{tournament}/rounds/{number}/clock",
    _("The clock of a round, then those of boards with their own."),
    RoundClockOut,
    public=True,
)
def round_clock(sight: TournamentViewer, number: Round) -> object:
    event, at = sight.visible_event, timezone.now()
    _round_or_404(event, number)
    return {"at": at, "clocks": list(_faces(event, number, at.isoformat()))}


@RESOURCE.get(
    "/tournaments/{tournament}/standings",
    _("The standings as shown to everyone, with the source of each figure."),
    StandingsOut,
    public=True,
    also=(409,),
)
def get_standings(sight: TournamentViewer, through: Through = None, now: Now = False) -> object:
    if now and not sight.event.live:
        raise Http404
    if through is not None and through > last_public_round(sight.event):
        raise Http404
    return standings_details(
        sight.event, public_standings.visible_standings(sight, provisional=now, through=through)
    )


def standings_details(event: Event, found: Standings | None) -> object:
    """Standings as they are answered; refused where the regulations cannot be read."""
    if found is None:
        raise ApiError(409, "event_regulations", _("The regulations of this tournament cannot be read."))
    return standings_json.standings_as_json(event, found)


@RESOURCE.get(
    "/tournaments/{tournament}/prizes",
    _("The prizes; once the tournament is over, their winners."),
    PrizesOut,
    public=True,
)
def list_prizes(sight: TournamentViewer) -> object:
    shown = public_prizes.are_prizes_public(sight)
    found = public_prizes.public_prizes(sight) if shown else public_prizes.prize_titles(sight)
    return {"shown": shown, "items": [vars(one) for one in found]}


@RESOURCE.get(
    "/tournaments/{tournament}/rulings",
    _("The director’s rulings that are shown to everyone."),
    list_out("RulingsOut", RulingOut),
    public=True,
)
def list_rulings(sight: TournamentViewer) -> object:
    found = sight.visible_event.rulings
    told = ("at", "round", "board", "text")
    return {
        "items": [
            {"number": number, **{name: getattr(one, name) for name in told}} for number, one in found.items()
        ]
    }


def tournament_summary(sight: TournamentViewer) -> dict[str, Any]:
    """What a list tells of a tournament."""
    row = sight.tournament
    return {
        "key": row.key,
        "name": row.name,
        "opens": row.first_day,
        "ends": row.last_day,
        "role": sight.role,
    }


def _round_or_404(event: Event, number: int) -> Any:
    if number not in event.rounds:
        raise Http404
    return event.rounds[number]


def round_summary(event: Event, number: int) -> dict[str, Any]:
    """What a list tells of a round."""
    told = ("state", "starts", "cancelled", "revealed", "final")
    return {"number": number, **{name: getattr(event.rounds[number], name) for name in told}}


def _board(event: Event, number: int, at: int, held: EventBoard) -> dict[str, Any]:
    last = round_timing.last_year(event, number, held)
    return {
        "number": at,
        **{name: getattr(held, name) for name in ("variant", "place", "final", "counts", "now")},
        "last_year": last,
        "years": {str(year): centres for year, centres in yearly_centres(held, last).items()},
        "game": held.game or None,
        "seats": [
            {"power": power, "people": seat_players(seat), "missed": seat.missed}
            for power, seat in held.seats.items()
        ],
        "result": _result(held.result) if held.result else None,
    }


def _result(result: BoardResult) -> dict[str, Any]:
    told = ("centres", "ended", "year", "winner", "draw", "out", "eliminated_in", "neutral")
    facts = {name: getattr(result, name) for name in told}
    return {**facts, "confirmed": bool(result.confirmed), "digest": result_digest(result)}


def _faces(event: Event, number: int, at: str) -> Iterator[dict[str, Any]]:
    """The round’s clock, then each of boards that read otherwise."""
    usual = _face(event, number, at)
    yield {"boards": [], **usual}
    for table, held in event.rounds[number].boards.items():
        if held.result is None and (own := _face(event, number, at, held)) != usual:
            yield {"boards": [table], **own}


def _face(event: Event, number: int, at: str, held: EventBoard | None = None) -> dict[str, Any]:
    read = round_timing.read_clock(event, number, at, held)
    told = ("remaining", "writing", "over")
    facts = {name: getattr(read, name) for name in told}
    return {"season": read.seasons, "running": read.running and not read.over, **facts}
