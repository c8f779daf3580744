"""The desk of a tournament, for programs of its director and his assistants: all of it, and what is done.

Whatever is done goes through the journal, is refused whole, and can be taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from hashlib import sha256
from typing import Annotated, Any, Literal

from django.http import Http404, HttpResponse, JsonResponse
from django.utils import timezone
from ninja.params import Header, Path, Query
from pydantic import Field

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import acts, codec
from talleyrand.tournament import standings as reckoning
from talleyrand.tournament.acts import result_acts, round_acts
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.model import BoardResult
from talleyrand.web.api import paging
from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.marked_texts import _
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    IdempotencyKey,
    Moment,
    PageAfter,
    PageLimit,
    PageOut,
    RequestSchema,
    ResponseSchema,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.tournaments import actor_labels, event_journal, tournament_names
from talleyrand.web.tournaments.desk import act_descriptions
from talleyrand.web.tournaments.models import JournalEntry, Tournament
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from .tournaments_api import (
    Document,
    Key,
    Round,
    StandingsOut,
    standings_details,
    viewer_of,
)

RESOURCE = Resource("tournament_desk")
MOST = 100  # acts that are done together

Person = Annotated[int, Path(description=_("The number of a person of the tournament."), ge=1, le=99_999)]
Board = Annotated[int, Path(description=_("The number of a board of the round."), ge=1, le=9999)]
Numbered = Annotated[int, Path(description=_("The number of a log entry."), ge=1, le=10**9)]
Unless = Annotated[
    str | None,
    Header(
        alias="If-Match",
        pattern='^"[0-9]{1,9}"$',
        description=_("The `ETag` of what you have read: rejected (412) if something has changed since."),
    ),
]
Digest = Annotated[str, Field(max_length=12, pattern="^[0-9a-f]*$")]
Through = Annotated[int | None, Query(description=_("As they stood after this round."), ge=1, le=1000)]
Now = Annotated[bool, Query(description=_("As if every game ended now."))]


class TournamentDeskOut(ResponseSchema):
    version: int = Field(description=_("Increases with every change; the `ETag` is made from it."))
    role: Literal["assistant", "director"]
    event: Document = Field(description=_("The file of the tournament, including private data."))


class JournalEntryOut(ResponseSchema):
    number: int
    at: Moment
    by: str | None = Field(description=_("The name of the account."))
    person: int = Field(description=_("The person of the tournament who did it; 0: the desk."))
    sentence: str
    acts: list[Document]
    undoes: int | None = Field(description=_("The entry that this one undoes."))
    undone: int | None = Field(description=_("The entry that has undone this one."))


class JournalOut(PageOut[JournalEntryOut]):
    pass


class ActDoneOut(ResponseSchema):
    entry: int | None = Field(description=_("Its number in the log; null: nothing had to change."))
    version: int


class ActsIn(RequestSchema):
    acts: list[Document] = Field(
        description=_("All or none of them are done; in the form the log uses. The time may be left out."),
        min_length=1,
        max_length=MOST,
    )


class PresenceIn(RequestSchema):
    present: bool


class BoardResultIn(RequestSchema):
    result: Document = Field(description=_("As in the file of a tournament: `centres` of every power…"))
    seen: Digest = Field(default="", description=_("The `digest` of the result being replaced."))


class ConfirmResultIn(RequestSchema):
    digest: Digest = Field(description=_("Of the result being confirmed."))


@RESOURCE.read_view(
    "/tournaments/{tournament}/desk",
    _("The whole tournament as the desk sees it, including private data and drafts."),
    TournamentDeskOut,
    Scope.TOURNAMENTS,
)
def get_tournament_desk(request: TokenRequest, tournament: Key) -> HttpResponse:
    sight = open_tournament_desk(request, tournament)
    row = sight.tournament
    response = JsonResponse({"version": row.version, "role": sight.role, "event": row.document})
    response["ETag"] = f'"{row.version}"'
    return response


@RESOURCE.read_view(
    "/tournaments/{tournament}/desk/standings",
    _("The standings with all rounds, including hidden ones, or as if every game ended now."),
    StandingsOut,
    Scope.TOURNAMENTS,
    also=(409,),
)
def desk_standings(
    request: TokenRequest, tournament: Key, through: Through = None, now: Now = False
) -> object:
    event = open_tournament_desk(request, tournament).event
    try:
        found = reckoning.compute_standings(event, through, now)
    except TalleyrandError:
        return standings_details(event, None)
    return standings_details(event, found)


@RESOURCE.read_view(
    "/tournaments/{tournament}/desk/log",
    _("The log, newest first, with the acts themselves."),
    JournalOut,
    Scope.TOURNAMENTS,
)
def list_journal(
    request: TokenRequest, tournament: Key, after: PageAfter = None, limit: PageLimit = 50
) -> object:
    sight = open_tournament_desk(request, tournament)
    entries = sight.tournament.entries.select_related("account").order_by("-number")
    return paging.paginate(entries, after, limit, lambda entry: _entry(sight, entry))


def _entry(sight: TournamentViewer, entry: JournalEntry) -> dict[str, Any]:
    by = entry.account.name if entry.account else actor_labels.actor_label_text(entry.actor_label) or None
    sentence = act_descriptions.entry_description(entry, sight.event)
    return {
        "number": entry.number,
        "at": entry.created_at,
        "person": entry.person_number,
        "acts": entry.acts,
        "undoes": entry.undoes_number,
        "undone": entry.undone_by_number,
        "by": by,
        "sentence": sentence,
    }


@RESOURCE.change_view(
    "POST",
    "/tournaments/{tournament}/desk/acts",
    _("Do anything the desk can do, as acts of the log."),
    ActDoneOut,
    Scope.TOURNAMENTS,
    also=(412,),
)
def do_acts(
    request: TokenRequest,
    tournament: Key,
    sent: ActsIn,
    if_match: Unless = None,
    idempotency_key: IdempotencyKey = None,
) -> object:
    sight = open_tournament_desk(request, tournament)
    done = [_read(at, one) for at, one in enumerate(sent.acts)]
    return _done(sight, done, if_match, idempotency_key)


@RESOURCE.change_view(
    "PUT",
    "/tournaments/{tournament}/rounds/{number}/presence/{person}",
    _("Check someone in for a round, or out of it."),
    ActDoneOut,
    Scope.TOURNAMENTS,
)
def check_in(
    request: TokenRequest, tournament: Key, number: Round, person: Person, sent: PresenceIn
) -> object:
    sight = open_tournament_desk(request, tournament)
    arrived = round_acts.CheckIn(number, person, _now())
    return _done(sight, [arrived if sent.present else round_acts.UndoCheckIn(number, person)])


@RESOURCE.change_view(
    "POST",
    "/tournaments/{tournament}/rounds/{number}/boards/{board}/result",
    _("Enter the result of a board; it counts once confirmed."),
    ActDoneOut,
    Scope.TOURNAMENTS,
    also=(412,),
)
def enter_result(
    request: TokenRequest,
    tournament: Key,
    number: Round,
    board: Board,
    sent: BoardResultIn,
    if_match: Unless = None,
    idempotency_key: IdempotencyKey = None,
) -> object:
    sight = open_tournament_desk(request, tournament)
    with reading_errors("body.result"):
        result = codec.read_value(BoardResult, sent.result)
    entered = result_acts.EnterResult(number, board, result, result_acts.DESK_HAND, sent.seen)
    return _done(sight, [entered], if_match, idempotency_key)


@RESOURCE.change_view(
    "POST",
    "/tournaments/{tournament}/rounds/{number}/boards/{board}/result/confirm",
    _("Confirm the result of a board, exactly as its `digest` identifies it."),
    ActDoneOut,
    Scope.TOURNAMENTS,
)
def confirm_result(
    request: TokenRequest, tournament: Key, number: Round, board: Board, sent: ConfirmResultIn
) -> object:
    sight = open_tournament_desk(request, tournament)
    return _done(sight, [result_acts.ConfirmResult(number, board, result_acts.DESK_HAND, sent.digest)])


@RESOURCE.change_view(
    "POST",
    "/tournaments/{tournament}/desk/log/{entry}/undo",
    _("Undo a log entry, unless what it changed has changed since."),
    ActDoneOut,
    Scope.TOURNAMENTS,
)
def undo_entry(request: TokenRequest, tournament: Key, entry: Numbered) -> object:
    sight = open_tournament_desk(request, tournament)
    found = sight.tournament.entries.filter(number=entry).first()
    if found is None:
        raise Http404
    with act_errors(sight):
        if not sight.may_undo(found):
            raise ActRefused("act_director_only")
        made = event_journal.undo_entry(sight.tournament, entry, sight.journal_actor)
    return _told(sight, made)


def open_tournament_desk(request: TokenRequest, key: str) -> TournamentViewer:
    """The tournament for those of its desk; to others its desk does not exist."""
    row = Tournament.objects.filter(key=key).first()
    sight = viewer_of(row, request.auth.person) if row is not None else None
    if sight is None or not sight.is_at_desk:
        raise Http404
    return sight


def _read(at: int, written: dict[str, Any]) -> EventAct:
    """An act as it was sent, with the hour where it has one and none was said; the desk speaks for itself."""
    kind = acts.ACTS_BY_KIND.get(str(written.get("kind")))
    timed = kind is not None and any(one.name == "at" for one in fields(kind))  # type: ignore[arg-type]
    with reading_errors(f"body.acts.{at}"):
        done = acts.read_act({"at": _now(), **written} if timed else written)
    if (
        isinstance(done, result_acts.RESULT_ACTS)
        and getattr(done, "by", result_acts.DESK_HAND) != result_acts.DESK_HAND
    ):
        raise ApiError(
            422, fields=[FieldError(f"body.acts.{at}.by", _("The desk acts only as itself: “desk”."))]
        )
    return done


def _now() -> str:
    """The hour, as acts keep it."""
    return timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z")


@contextmanager
def reading_errors(where: str) -> Iterator[None]:
    """What cannot be read is said with its place in what was sent."""
    try:
        yield
    except InvalidEvent as bad:
        place = ".".join(filter(None, (where, bad.facts.get("where", ""))))
        raise ApiError(422, fields=[FieldError(place[:200], tournament_names.refusal_text(bad))]) from bad


def _done(
    sight: TournamentViewer, done: Sequence[EventAct], unless: str | None = None, once: str | None = None
) -> object:
    version = int(unless.strip('"')) if unless else None
    with act_errors(sight):
        if not all(map(sight.may_do, done)):
            raise ActRefused("act_director_only")
        made = event_journal.perform_acts(
            sight.tournament, done, sight.journal_actor, version=version, once=_own(sight, once)
        )
    return _told(sight, made)


def _own(sight: TournamentViewer, once: str | None) -> str:
    """Nobody else’s word can be taken for it."""
    person = sight.account.pk if sight.account else 0
    return f"api-{sha256(f'{person} {once}'.encode()).hexdigest()[:48]}" if once else ""


@contextmanager
def act_errors(sight: TournamentViewer) -> Iterator[None]:
    """A refusal of the desk as the API tells it: 403 to an assistant, 412 where another was faster."""
    try:
        yield
    except TalleyrandError as error:
        code = getattr(error, "code", "refused")
        status = {"act_director_only": 403, "act_overtaken": 412}.get(code, 409)
        raise ApiError(status, code, tournament_names.refusal_text(error, sight.event)) from error


def _told(sight: TournamentViewer, made: JournalEntry | None) -> dict[str, Any]:
    version = Tournament.objects.values_list("version", flat=True).get(pk=sight.tournament.pk)
    return {"entry": made.number if made else None, "version": version}
