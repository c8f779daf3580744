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
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _
from ninja.params import Header, Path, Query
from pydantic import Field

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import acts, codec
from talleyrand.tournament import standings as reckoning
from talleyrand.tournament.acts import result_acts, round_acts
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.model import BoardResult
from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    IdempotencyKey,
    Moment,
    PageAfter,
    PageLimit,
    RequestSchema,
    ResponseSchema,
    page_out,
    paginate,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.tournaments import actor_labels, event_journal, event_times, tournament_names
from talleyrand.web.tournaments.desk import act_descriptions
from talleyrand.web.tournaments.models import JournalEntry, Tournament
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from .tournaments_api import Document, Key, Round, StandingsOut, standings_details, viewer_of

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


def open_tournament_desk(request: TokenRequest, tournament: Key) -> TournamentViewer:
    """The tournament for those of its desk; to others its desk does not exist."""
    sight = viewer_of(get_object_or_404(Tournament, key=tournament), request.auth.person)
    if not sight.is_at_desk:
        raise Http404
    return sight


def act_refused(error: TalleyrandError, sight: TournamentViewer) -> ApiError:
    """A refusal as the API tells it: 403 to whom it is not allowed, 412 where another was faster."""
    code = getattr(error, "code", "refused")
    known = {"act_director_only": 403, "act_not_at_board": 403, "act_overtaken": 412}
    status = known.get(code, 409)
    return ApiError(status, code, tournament_names.refusal_text(error, sight.event))


RESOURCE = Resource(
    "tournament_desk",
    Scope.TOURNAMENTS,
    sight=open_tournament_desk,
    refused={TalleyrandError: act_refused},
)


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


@RESOURCE.get(
    "/tournaments/{tournament}/desk",
    _("The whole tournament as the desk sees it, including private data and drafts."),
    TournamentDeskOut,
)
def get_tournament_desk(sight: TournamentViewer) -> HttpResponse:
    row = sight.tournament
    response = JsonResponse({"version": row.version, "role": sight.role, "event": row.document})
    response["ETag"] = f'"{row.version}"'
    return response


@RESOURCE.get(
    "/tournaments/{tournament}/desk/standings",
    _("The standings with all rounds, including hidden ones, or as if every game ended now."),
    StandingsOut,
    also=(409,),
)
def desk_standings(sight: TournamentViewer, through: Through = None, now: Now = False) -> object:
    event = sight.event
    try:
        found = reckoning.compute_standings(event, through, now)
    except TalleyrandError:
        return standings_details(event, None)
    return standings_details(event, found)


@RESOURCE.get(
    "/tournaments/{tournament}/desk/log",
    _("The log, newest first, with the acts themselves."),
    page_out("JournalOut", JournalEntryOut),
)
def list_journal(sight: TournamentViewer, after: PageAfter = None, limit: PageLimit = 50) -> object:
    entries = sight.tournament.entries.select_related("account").order_by("-number")
    return paginate(entries, after, limit, lambda entry: _entry(sight, entry))


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


@RESOURCE.post(
    "/tournaments/{tournament}/desk/acts",
    _("Do anything the desk can do, as acts of the log."),
    ActDoneOut,
    also=(412,),
)
def do_acts(
    sight: TournamentViewer, sent: ActsIn, if_match: Unless = None, idempotency_key: IdempotencyKey = None
) -> object:
    done = [_read_act(at, one) for at, one in enumerate(sent.acts)]
    return _perform(sight, done, if_match, idempotency_key)


@RESOURCE.put(
    "/tournaments/{tournament}/rounds/{number}/presence/{person}",
    _("Check someone in for a round, or out of it."),
    ActDoneOut,
)
def check_in(sight: TournamentViewer, number: Round, person: Person, sent: PresenceIn) -> object:
    arrived = round_acts.CheckIn(number, person, event_times.act_time())
    return _perform(sight, [arrived if sent.present else round_acts.UndoCheckIn(number, person)])


@RESOURCE.post(
    "/tournaments/{tournament}/rounds/{number}/boards/{board}/result",
    _("Enter the result of a board; it counts once confirmed."),
    ActDoneOut,
    also=(412,),
)
def enter_result(
    sight: TournamentViewer,
    number: Round,
    board: Board,
    sent: BoardResultIn,
    if_match: Unless = None,
    idempotency_key: IdempotencyKey = None,
) -> object:
    with reading_errors("body.result"):
        result = codec.read_value(BoardResult, sent.result)
    entered = result_acts.EnterResult(number, board, result, result_acts.DESK_HAND, sent.seen)
    return _perform(sight, [entered], if_match, idempotency_key)


@RESOURCE.post(
    "/tournaments/{tournament}/rounds/{number}/boards/{board}/result/confirm",
    _("Confirm the result of a board, exactly as its `digest` identifies it."),
    ActDoneOut,
)
def confirm_result(sight: TournamentViewer, number: Round, board: Board, sent: ConfirmResultIn) -> object:
    return _perform(sight, [result_acts.ConfirmResult(number, board, result_acts.DESK_HAND, sent.digest)])


@RESOURCE.post(
    "/tournaments/{tournament}/desk/log/{entry}/undo",
    _("Undo a log entry, unless what it changed has changed since."),
    ActDoneOut,
)
def undo_entry(sight: TournamentViewer, entry: Numbered) -> object:
    if not sight.may_undo(get_object_or_404(sight.tournament.entries, number=entry)):
        raise ActRefused("act_director_only")
    made = event_journal.undo_entry(sight.tournament, entry, sight.journal_actor)
    return act_done(sight, made)


def _read_act(at: int, written: dict[str, Any]) -> EventAct:
    """An act as it was sent, with the hour where it has one and none was said; the desk speaks for itself."""
    kind = acts.ACTS_BY_KIND.get(str(written.get("kind")))
    timed = kind is not None and any(one.name == "at" for one in fields(kind))  # type: ignore[arg-type]
    with reading_errors(f"body.acts.{at}"):
        done = acts.read_act({"at": event_times.act_time(), **written} if timed else written)
    if (
        isinstance(done, result_acts.RESULT_ACTS)
        and getattr(done, "by", result_acts.DESK_HAND) != result_acts.DESK_HAND
    ):
        raise ApiError(
            422, fields=[FieldError(f"body.acts.{at}.by", _("The desk acts only as itself: “desk”."))]
        )
    return done


@contextmanager
def reading_errors(where: str) -> Iterator[None]:
    """What cannot be read is said with its place in what was sent."""
    try:
        yield
    except InvalidEvent as bad:
        place = ".".join(filter(None, (where, bad.facts.get("where", ""))))
        raise ApiError(422, fields=[FieldError(place[:200], tournament_names.refusal_text(bad))]) from bad


def _perform(
    sight: TournamentViewer, done: Sequence[EventAct], unless: str | None = None, once: str | None = None
) -> object:
    version = int(unless.strip('"')) if unless else None
    if not all(map(sight.may_do, done)):
        raise ActRefused("act_director_only")
    made = event_journal.perform_acts(
        sight.tournament, done, sight.journal_actor, version=version, once=_own(sight, once)
    )
    return act_done(sight, made)


def _own(sight: TournamentViewer, once: str | None) -> str:
    """Nobody else’s word can be taken for it."""
    person = sight.account.pk if sight.account else 0
    return f"api-{sha256(f'{person} {once}'.encode()).hexdigest()[:48]}" if once else ""


def act_done(sight: TournamentViewer, made: JournalEntry | None) -> dict[str, Any]:
    """What is answered to an act, as `ActDoneOut`."""
    version = Tournament.objects.values_list("version", flat=True).get(pk=sight.tournament.pk)
    return {"entry": made.number if made else None, "version": version}
