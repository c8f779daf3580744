"""What a game master changes of a published phase: taken back, other results, another position."""

from __future__ import annotations

from typing import Annotated, Any

from django.utils import timezone
from pydantic import Field, StringConstraints

from talleyrand.web.api.callers import Call
from talleyrand.web.api.forms import CLEAN, Given, Key, Sent
from talleyrand.web.api.problems import Refusal, Wrong
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.games.desk import overriding, positions, revising
from talleyrand.web.games.desk.acts import Ground, NotDone, last_published
from talleyrand.web.games.desk.correcting import LONGEST_REASON
from talleyrand.web.games.desk.overriding import Change
from talleyrand.web.games.desk.positions import Unreadable
from talleyrand.web.games.models import Json, Revision
from talleyrand.web.games.sight import Sight

from .desk import doing, for_master, hand
from .games import GameWhole
from .tables import again

RESOURCE = Resource("corrections")
Result = Annotated[str, StringConstraints(max_length=40, pattern="^[a-z_]+$")]


class Grounded(Sent):
    """The revision that this was prepared on; another one by now, and nothing is done."""

    number: int = Field(ge=0, le=100_000)
    revision: int = Field(ge=1, le=100_000)

    def ground(self) -> Ground:
        return Ground(self.number, self.revision)


class NewResult(Sent):
    at: int = Field(ge=0, le=9999, description=_("The place of the order in the answer’s `orders`, from 0."))
    results: list[Result] = Field(min_length=1, max_length=3)


class Position(Grounded):
    text: str | None = Field(
        default=None,
        max_length=positions.LARGEST,
        pattern=CLEAN,
        description=_("The position to go on from, as `text` gives it; null: as it is."),
    )
    reason: str = Field(min_length=1, max_length=LONGEST_REASON, pattern=CLEAN)


class Correction(Position):
    changes: list[NewResult] = Field(max_length=500)


class Correctable(Given):
    number: int
    revision: int
    phase: str
    text: str = Field(description=_("The position that follows, as it may be written and sent."))
    results: list[list[str]] = Field(description=_("What may be said of an order of this phase."))
    corrected: bool = Field(description=_("Whether the judge had found something else."))


@RESOURCE.reads(
    "/games/{key}/desk/last",
    _("The last published phase, as it may be corrected."),
    Correctable,
    Scope.DESK,
    also=(409,),
)
def last(request: Call, key: Key) -> object:
    sight = for_master(request, key)
    with doing():
        found, after = _last(sight)
        told = {"number": found.number, "revision": found.revision, "phase": found.phase}
        possible = [list(one) for one in overriding.possible(found.phase[-1:])] if found.phase else []
        corrected = revising.judged(found) is not None
        return {
            **told,
            "text": positions.written(sight.game, after),
            "results": possible,
            "corrected": corrected,
        }


@RESOURCE.changes(
    "POST",
    "/games/{key}/desk/take-back",
    _("Open the last phase again, with its sheets."),
    GameWhole,
    Scope.DESK,
)
def take_back(request: Call, key: Key, sent: Grounded) -> object:
    sight = for_master(request, key)
    with doing():
        revising.take_back(sight.game, sent.ground(), hand=hand(sight), now=timezone.now())
    return again(sight)


@RESOURCE.changes(
    "POST", "/games/{key}/desk/restore", _("Let what the judge found count again."), GameWhole, Scope.DESK
)
def restore(request: Call, key: Key, sent: Grounded) -> object:
    sight = for_master(request, key)
    with doing():
        revising.restore(sight.game, sent.ground(), hand=hand(sight), now=timezone.now())
    return again(sight)


@RESOURCE.changes(
    "POST",
    "/games/{key}/desk/override",
    _("Other results for the last published phase, and what follows from them."),
    GameWhole,
    Scope.DESK,
)
def override(request: Call, key: Key, sent: Correction) -> object:
    sight = for_master(request, key)
    with doing():
        found, after = _last(sight)
        if found.answer is None:
            raise NotDone("unpublished")
        changes = [_change(found, one, at) for at, one in enumerate(sent.changes)]
        revising.override(
            sight.game,
            sent.ground(),
            changes,
            _after(sight, sent.text, after),
            sent.reason,
            hand=hand(sight),
            now=timezone.now(),
        )
    return again(sight)


@RESOURCE.changes(
    "POST",
    "/games/{key}/desk/position",
    _("Another position for the open phase to begin from."),
    GameWhole,
    Scope.DESK,
)
def edit(request: Call, key: Key, sent: Position) -> object:
    sight = for_master(request, key)
    with doing():
        _found, after = _last(sight)
        written = _after(sight, sent.text, after)
        revising.edit(sight.game, sent.ground(), written, sent.reason, hand=hand(sight), now=timezone.now())
    return again(sight)


def _last(sight: Sight) -> tuple[Revision, Json]:
    found = last_published(sight.game)
    if found is None:
        raise NotDone("not_begun")
    return found, positions.following(sight.game, found)


def _after(sight: Sight, text: str | None, before: Json) -> Json:
    """The position that was written; raises Refusal."""
    if text is None:
        return before
    try:
        return positions.read(sight.game, text, before)
    except Unreadable as unreadable:
        raise Refusal(422, fields=[Wrong("body.text", unreadable.sentence)]) from None


def _change(found: Revision, sent: NewResult, place: int) -> Change:
    entries: list[Any] = (found.answer or {}).get("orders", [])
    results = tuple(sent.results)
    if sent.at >= len(entries) or results not in overriding.possible(found.phase[-1:]):
        problem = _("This order, or this result of it, does not exist in this phase.")
        raise Refusal(422, fields=[Wrong(f"body.changes.{place}", problem)])
    return Change(sent.at, results)
