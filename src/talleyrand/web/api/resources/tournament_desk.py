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
from talleyrand.tournament.acts import presence, results
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.errors import BadEvent, Refused
from talleyrand.tournament.model import Result
from talleyrand.web.api import paging
from talleyrand.web.api.callers import Call
from talleyrand.web.api.forms import After, Given, Limit, Moment, Once, Page, Sent
from talleyrand.web.api.problems import Refusal, Wrong
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.tournaments import hands, journal, naming
from talleyrand.web.tournaments.desk import deeds
from talleyrand.web.tournaments.models import Entry, Tournament
from talleyrand.web.tournaments.sight import Sight

from .tournaments import Document, Key, Ranking, Round, ranked, sight_of

RESOURCE = Resource("tournament_desk")
MOST = 100  # acts that are done together

Person = Annotated[int, Path(description=_("The number of a person of the event."), ge=1, le=99_999)]
Board = Annotated[int, Path(description=_("The number of a board of the round."), ge=1, le=9999)]
Numbered = Annotated[int, Path(description=_("The number of an entry of the log."), ge=1, le=10**9)]
Unless = Annotated[
    str | None,
    Header(
        alias="If-Match",
        pattern='^"[0-9]{1,9}"$',
        description=_("The `ETag` of what you have read: refused (412) where something has changed since."),
    ),
]
Digest = Annotated[str, Field(max_length=12, pattern="^[0-9a-f]*$")]
Through = Annotated[int | None, Query(description=_("As they stood after this round."), ge=1, le=1000)]
Now = Annotated[bool, Query(description=_("As if every game ended now."))]


class Desk(Given):
    version: int = Field(description=_("Rises with all that is done; the `ETag` is made of it."))
    role: Literal["assistant", "director"]
    event: Document = Field(description=_("The file of the tournament, private facts and all."))


class EntryFacts(Given):
    number: int
    at: Moment
    by: str | None = Field(description=_("The name of the account."))
    person: int = Field(description=_("Who of the event did it; 0: the desk."))
    sentence: str
    acts: list[Document]
    undoes: int | None = Field(description=_("The entry that this one takes back."))
    undone: int | None = Field(description=_("The entry that has taken this one back."))


class Log(Page[EntryFacts]):
    pass


class Done(Given):
    entry: int | None = Field(description=_("Its number in the log; null: nothing was to be changed."))
    version: int


class Acts(Sent):
    acts: list[Document] = Field(
        description=_("Done together, or none of them; as the log has them. An hour may be left out."),
        min_length=1,
        max_length=MOST,
    )


class Presence(Sent):
    present: bool


class NewResult(Sent):
    result: Document = Field(description=_("As in the file of a tournament: `centres` of every power…"))
    seen: Digest = Field(default="", description=_("The `digest` of the result that it replaces."))


class Confirmed(Sent):
    digest: Digest = Field(description=_("Of the result that is confirmed."))


@RESOURCE.reads(
    "/tournaments/{tournament}/desk",
    _("The whole event as the desk sees it, private facts and drafts too."),
    Desk,
    Scope.TOURNAMENTS,
)
def desk(request: Call, tournament: Key) -> HttpResponse:
    sight = at_desk(request, tournament)
    row = sight.tournament
    response = JsonResponse({"version": row.version, "role": sight.role, "event": row.document})
    response["ETag"] = f'"{row.version}"'
    return response


@RESOURCE.reads(
    "/tournaments/{tournament}/desk/standings",
    _("The standings with all rounds, hidden ones too, or as if every game ended now."),
    Ranking,
    Scope.TOURNAMENTS,
    also=(409,),
)
def standings(request: Call, tournament: Key, through: Through = None, now: Now = False) -> object:
    event = at_desk(request, tournament).event
    try:
        found = reckoning.of(event, through, now)
    except TalleyrandError:
        return ranked(event, None)
    return ranked(event, found)


@RESOURCE.reads(
    "/tournaments/{tournament}/desk/log",
    _("What was done, the newest first, with the acts themselves."),
    Log,
    Scope.TOURNAMENTS,
)
def log(request: Call, tournament: Key, after: After = None, limit: Limit = 50) -> object:
    sight = at_desk(request, tournament)
    entries = sight.tournament.entries.select_related("by").order_by("-number")
    return paging.part(entries, after, limit, lambda entry: _entry(sight, entry))


def _entry(sight: Sight, entry: Entry) -> dict[str, Any]:
    facts = ("number", "at", "person", "acts", "undoes", "undone")
    by = entry.by.name if entry.by else hands.said(entry.hand) or None
    sentence = deeds.sentence(entry, sight.event)
    return {**{name: getattr(entry, name) for name in facts}, "by": by, "sentence": sentence}


@RESOURCE.changes(
    "POST",
    "/tournaments/{tournament}/desk/acts",
    _("Do anything that the desk can do, as an act of the journal."),
    Done,
    Scope.TOURNAMENTS,
    also=(412,),
)
def act(
    request: Call, tournament: Key, sent: Acts, if_match: Unless = None, idempotency_key: Once = None
) -> object:
    sight = at_desk(request, tournament)
    done = [_read(at, one) for at, one in enumerate(sent.acts)]
    return _done(sight, done, if_match, idempotency_key)


@RESOURCE.changes(
    "PUT",
    "/tournaments/{tournament}/rounds/{number}/presence/{person}",
    _("Check somebody in for a round, or out of it."),
    Done,
    Scope.TOURNAMENTS,
)
def check_in(request: Call, tournament: Key, number: Round, person: Person, sent: Presence) -> object:
    sight = at_desk(request, tournament)
    arrived = presence.Arrive(number, person, _now())
    return _done(sight, [arrived if sent.present else presence.Leave(number, person)])


@RESOURCE.changes(
    "POST",
    "/tournaments/{tournament}/rounds/{number}/boards/{board}/result",
    _("Enter the result of a board; it counts once it is confirmed."),
    Done,
    Scope.TOURNAMENTS,
    also=(412,),
)
def enter_result(
    request: Call,
    tournament: Key,
    number: Round,
    board: Board,
    sent: NewResult,
    if_match: Unless = None,
    idempotency_key: Once = None,
) -> object:
    sight = at_desk(request, tournament)
    with reading("body.result"):
        result = codec.read(Result, sent.result)
    entered = results.EnterResult(number, board, result, results.DESK, sent.seen)
    return _done(sight, [entered], if_match, idempotency_key)


@RESOURCE.changes(
    "POST",
    "/tournaments/{tournament}/rounds/{number}/boards/{board}/result/confirm",
    _("Confirm the result of a board, just as its `digest` says it."),
    Done,
    Scope.TOURNAMENTS,
)
def confirm_result(request: Call, tournament: Key, number: Round, board: Board, sent: Confirmed) -> object:
    sight = at_desk(request, tournament)
    return _done(sight, [results.ConfirmResult(number, board, results.DESK, sent.digest)])


@RESOURCE.changes(
    "POST",
    "/tournaments/{tournament}/desk/log/{entry}/undo",
    _("Take an entry of the log back, unless what it changed has changed since."),
    Done,
    Scope.TOURNAMENTS,
)
def undo(request: Call, tournament: Key, entry: Numbered) -> object:
    sight = at_desk(request, tournament)
    found = sight.tournament.entries.filter(number=entry).first()
    if found is None:
        raise Http404
    with doing(sight):
        if not sight.may_undo(found):
            raise Refused("act_director_only")
        made = journal.undo(sight.tournament, entry, sight.by)
    return _told(sight, made)


def at_desk(request: Call, key: str) -> Sight:
    """The tournament for those of its desk; to others its desk does not exist."""
    row = Tournament.objects.filter(key=key).first()
    sight = sight_of(row, request.auth.person) if row is not None else None
    if sight is None or not sight.at_desk:
        raise Http404
    return sight


def _read(at: int, written: dict[str, Any]) -> Act:
    """An act as it was sent, with the hour where it has one and none was said; the desk speaks for itself."""
    kind = acts.KINDS.get(str(written.get("kind")))
    timed = kind is not None and any(one.name == "at" for one in fields(kind))  # type: ignore[arg-type]
    with reading(f"body.acts.{at}"):
        done = acts.read({"at": _now(), **written} if timed else written)
    if isinstance(done, results.ACTS) and getattr(done, "by", results.DESK) != results.DESK:
        raise Refusal(
            422, fields=[Wrong(f"body.acts.{at}.by", _("The desk speaks for itself alone: “desk”."))]
        )
    return done


def _now() -> str:
    """The hour, as acts keep it."""
    return timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z")


@contextmanager
def reading(where: str) -> Iterator[None]:
    """What cannot be read is said with its place in what was sent."""
    try:
        yield
    except BadEvent as bad:
        place = ".".join(filter(None, (where, bad.facts.get("where", ""))))
        raise Refusal(422, fields=[Wrong(place[:200], naming.refusal(bad))]) from bad


def _done(sight: Sight, done: Sequence[Act], unless: str | None = None, once: str | None = None) -> object:
    version = int(unless.strip('"')) if unless else None
    with doing(sight):
        if not all(map(sight.may, done)):
            raise Refused("act_director_only")
        made = journal.perform(sight.tournament, done, sight.by, version=version, once=_own(sight, once))
    return _told(sight, made)


def _own(sight: Sight, once: str | None) -> str:
    """Nobody else’s word can be taken for it."""
    person = sight.account.pk if sight.account else 0
    return f"api-{sha256(f'{person} {once}'.encode()).hexdigest()[:48]}" if once else ""


@contextmanager
def doing(sight: Sight) -> Iterator[None]:
    """A refusal of the desk as the API tells it: 403 to an assistant, 412 where another was faster."""
    try:
        yield
    except TalleyrandError as error:
        code = getattr(error, "code", "refused")
        status = {"act_director_only": 403, "act_overtaken": 412}.get(code, 409)
        raise Refusal(status, code, naming.refusal(error, sight.event)) from error


def _told(sight: Sight, made: Entry | None) -> dict[str, Any]:
    version = Tournament.objects.values_list("version", flat=True).get(pk=sight.tournament.pk)
    return {"entry": made.number if made else None, "version": version}
