"""The phases of a game: what is open, and every revision that was published, at the address of its hash."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404
from ninja.params import Path
from pydantic import Field

from talleyrand.web.api import rates
from talleyrand.web.api.callers import Call, entered
from talleyrand.web.api.forms import Answer, Given, Key, Moment, Number, Question
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.boards import referee
from talleyrand.web.boards.chain import Chain
from talleyrand.web.games.models import Revision
from talleyrand.web.games.playing import explanations, records
from talleyrand.web.games.playing.board import Board, opened
from talleyrand.web.games.sight import Sight

RESOURCE = Resource("phases")
HIDDEN = (
    "rulebook",
    "seed",
    "variant",
    "naming",
)  # told once with the game; the seed to nobody before its end
Hash = Annotated[
    str, Path(description=_("As in the revision’s `address`."), pattern="^[0-9]{1,6}-[0-9a-f]{16}$")
]
Province = Annotated[str, Path(description=_("A province: PAR."), pattern="^[A-Za-z0-9_-]{1,20}$")]


class RevisionFacts(Given):
    number: int
    phase: str
    revision: int = Field(description=_("Counted from 1: a correction is a new revision."))
    kind: Literal["start", "adjudication", "override", "edit"]
    made: Moment
    current: bool = Field(description=_("Whether this is what counts now."))
    withdrawn: Moment | None = Field(description=_("When the phase was taken back."))
    address: str = Field(description=_("Where this very revision is, for ever the same."))


class Revisions(Given):
    items: list[RevisionFacts]


class Open(Given):
    number: int
    phase: str
    due: Moment | None
    opening: str = Field(description=_("Names this opening: a phase taken back is opened anew."))
    question: Question
    choosers: list[str] = Field(description=_("The powers that have something to decide."))


class Phases(Given):
    items: list[RevisionFacts]
    open: Open | None


class Whole(RevisionFacts):
    question: Question
    answer: Answer
    after: dict[str, Any] | None = Field(description=_("What the next phase begins with; null at the end."))
    changes: list[dict[str, Any]] = Field(description=_("What the game master overrode."))
    reason: str = Field(description=_("Of the game master, for a correction."))


class Options(Given):
    options: dict[str, list[str]] = Field(description=_("Every legal order of each power that chooses."))


class Step(Given):
    sentence: str
    provinces: list[str]


class Why(Given):
    order: str
    steps: list[Step]


@RESOURCE.reads(
    "/games/{key}/phases", _("The phases published, and the open one without any orders."), Phases, Scope.READ
)
def phases(request: Call, key: Key) -> object:
    sight = entered(request, key)
    published = sight.game.revisions.filter(current=True, number__gt=0).order_by("number")
    return {"items": [_facts(sight, one) for one in published], "open": _open(sight)}


def _open(sight: Sight) -> dict[str, Any] | None:
    if not sight.game.number:
        return None
    board = opened(sight, None)
    if not board.is_open or board.question is None:
        return None
    told = {"number": board.number, "phase": board.code, "due": sight.game.due, "opening": board.opening}
    return {
        **told,
        "question": _bare(board.public_question),
        "choosers": list(board.story.choosers(board.number)),
    }


def _bare(question: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in question.items() if name not in HIDDEN}


@RESOURCE.reads(
    "/games/{key}/phases/{number}",
    _("A published phase as it counts now, with its orders and what became of them."),
    Whole,
    Scope.READ,
)
def phase(request: Call, key: Key, number: Number) -> object:
    sight = entered(request, key)
    return _whole(sight, _found(sight, number, current=True))


@RESOURCE.reads(
    "/games/{key}/phases/{number}/revisions",
    _("Every revision of a phase, also those that count no more."),
    Revisions,
    Scope.READ,
)
def revisions(request: Call, key: Key, number: Number) -> object:
    sight = entered(request, key)
    found = [_facts(sight, one) for one in sight.game.revisions.filter(number=number)]
    if not found:
        raise Http404
    return {"items": found}


@RESOURCE.reads(
    "/games/{key}/phases/{number}/revisions/{hash}",
    _("One revision by its hash: what it holds never changes."),
    Whole,
    Scope.READ,
)
def revision(request: Call, key: Key, number: Number, hash: Hash) -> object:  # noqa: A002 the word of the address
    sight = entered(request, key)
    found = _found(sight, number, revision=int(hash.partition("-")[0]))
    if _hash(found) != hash:
        raise Http404
    return _whole(sight, found)


@RESOURCE.reads(
    "/games/{key}/phases/{number}/options", _("Every legal order of the phase."), Options, Scope.READ
)
def options(request: Call, key: Key, number: Number) -> object:
    board = _board(entered(request, key), number)
    if board.question is None:
        raise Http404
    return {"options": referee.options(board.question)}


@RESOURCE.reads(
    "/games/{key}/phases/{number}/why/{province}",
    _("Why the order of a unit came to what it came to, step by step."),
    Why,
    Scope.READ,
)
def why(request: Call, key: Key, number: Number, province: Province) -> object:
    board = _board(entered(request, key), number)
    rates.count_work(request.auth.token)
    found: Chain = explanations.chain_of(board, province)
    steps = zip(found.sentences, found.steps, strict=True)
    told = [{"sentence": sentence, "provinces": list(step.provinces)} for sentence, step in steps]
    return {"order": found.order, "steps": told}


def _board(sight: Sight, number: int) -> Board:
    """A phase without anybody’s orders in preparation."""
    if not sight.game.number:
        raise Http404
    return opened(sight, number)


def _found(sight: Sight, number: int, **which: Any) -> Revision:
    found = sight.game.revisions.filter(number=number, **which).first()
    if found is None:
        raise Http404
    return found


def _hash(revision: Revision) -> str:
    return f"{revision.revision}-{revision.digest[:16]}"


def _facts(sight: Sight, revision: Revision) -> dict[str, Any]:
    names = ("number", "phase", "revision", "kind", "made", "current", "withdrawn")
    path = f"/api/games/{sight.game.key}/phases/{revision.number}/revisions/{_hash(revision)}"
    return {**{name: getattr(revision, name) for name in names}, "address": path}


def _whole(sight: Sight, revision: Revision) -> dict[str, Any]:
    question = {**(revision.situation or {}), "orders": records.sheets(revision)}
    absent = {"absent": revision.absent} if revision.absent else {}
    return {
        **_facts(sight, revision),
        "question": {**question, **absent},
        "answer": records.answer(revision),
        "after": revision.after,
        "changes": revision.changes,
        "reason": revision.reason,
    }
