"""What a game master changes of a published phase: taken back, other results, another position."""

from __future__ import annotations

from typing import Annotated, Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from pydantic import Field, StringConstraints

from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import for_game_master
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import PRINTABLE, RequestSchema, ResponseSchema
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games.game_master import phase_corrections, position_changes, result_overrides
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterRefusal,
    last_published_revision,
)
from talleyrand.web.games.game_master.correction_views import LONGEST_REASON
from talleyrand.web.games.game_master.game_master_access import actor_of
from talleyrand.web.games.game_master.position_changes import PositionTextRefusal
from talleyrand.web.games.game_master.result_overrides import ResultOverride
from talleyrand.web.games.models import Json, PhaseRevision
from talleyrand.web.games.viewer_permissions import GameViewer

from .game_setup_api import reloaded_game
from .games_api import GameOut
from .gm_desk_api import DESK_REFUSALS

RESOURCE = Resource("corrections", Scope.DESK, sight=for_game_master, refused=DESK_REFUSALS)
Result = Annotated[str, StringConstraints(max_length=40, pattern="^[a-z_]+$")]


class RevisionBasedIn(RequestSchema):
    """The revision that this was prepared on; another one by now, and nothing is done."""

    number: int = Field(ge=0, le=100_000)
    revision: int = Field(ge=1, le=100_000)

    def ground(self) -> ExpectedRevision:
        return ExpectedRevision(self.number, self.revision)


class OrderResultIn(RequestSchema):
    at: int = Field(
        ge=0, le=9999, description=_("The position of the order in the answer’s `orders`, from 0.")
    )
    results: list[Result] = Field(min_length=1, max_length=3)


class PositionIn(RevisionBasedIn):
    text: str | None = Field(
        default=None,
        max_length=position_changes.LARGEST_POSITION_TEXT,
        pattern=PRINTABLE,
        description=_("The position to continue from, as `text` gives it; null: unchanged."),
    )
    reason: str = Field(min_length=1, max_length=LONGEST_REASON, pattern=PRINTABLE)


class CorrectionIn(PositionIn):
    changes: list[OrderResultIn] = Field(max_length=500)


class CorrectableOut(ResponseSchema):
    number: int
    revision: int
    phase: str
    text: str = Field(description=_("The position that follows, in the form in which it can be sent."))
    results: list[list[str]] = Field(description=_("The possible results of an order in this phase."))
    corrected: bool = Field(description=_("Whether the adjudicator had found something else."))


@RESOURCE.get(
    "/games/{key}/desk/last",
    _("The last resolved phase, as it can be corrected."),
    CorrectableOut,
    also=(409,),
)
def correctable_phase(sight: GameViewer) -> object:
    found, after = _last(sight)
    told = {"number": found.phase_number, "revision": found.revision, "phase": found.phase}
    possible = (
        [list(one) for one in result_overrides.allowed_results(found.phase[-1:])] if found.phase else []
    )
    corrected = phase_corrections.adjudicated_revision(found) is not None
    return {
        **told,
        "text": position_changes.position_as_text(sight.game, after),
        "results": possible,
        "corrected": corrected,
    }


@RESOURCE.post(
    "/games/{key}/desk/take-back", _("Roll back the last phase: it opens again, with its orders."), GameOut
)
def take_back(sight: GameViewer, sent: RevisionBasedIn) -> object:
    phase_corrections.roll_back_phase(sight.game, sent.ground(), hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.post("/games/{key}/desk/restore", _("Restore the adjudicator’s results."), GameOut)
def restore(sight: GameViewer, sent: RevisionBasedIn) -> object:
    phase_corrections.restore_adjudication(
        sight.game, sent.ground(), hand=actor_of(sight), now=timezone.now()
    )
    return reloaded_game(sight)


@RESOURCE.post(
    "/games/{key}/desk/override",
    _("Correct the results of the last resolved phase, and what follows from them."),
    GameOut,
)
def override(sight: GameViewer, sent: CorrectionIn) -> object:
    found, after = _last(sight)
    if found.answer is None:
        raise GameMasterRefusal("unpublished")
    changes = [_change(found, one, at) for at, one in enumerate(sent.changes)]
    phase_corrections.override_results(
        sight.game,
        sent.ground(),
        changes,
        _after(sight, sent.text, after),
        sent.reason,
        hand=actor_of(sight),
        now=timezone.now(),
    )
    return reloaded_game(sight)


@RESOURCE.post(
    "/games/{key}/desk/position", _("Change the position that the current phase starts from."), GameOut
)
def edit_position(sight: GameViewer, sent: PositionIn) -> object:
    _found, after = _last(sight)
    written = _after(sight, sent.text, after)
    phase_corrections.edit_position(
        sight.game, sent.ground(), written, sent.reason, hand=actor_of(sight), now=timezone.now()
    )
    return reloaded_game(sight)


def _last(sight: GameViewer) -> tuple[PhaseRevision, Json]:
    found = last_published_revision(sight.game)
    if found is None:
        raise GameMasterRefusal("not_begun")
    return found, position_changes.position_after(sight.game, found)


def _after(sight: GameViewer, text: str | None, before: Json) -> Json:
    """The position that was written; raises ApiError."""
    if text is None:
        return before
    try:
        return position_changes.position_from_text(sight.game, text, before)
    except PositionTextRefusal as unreadable:
        raise ApiError(422, fields=[FieldError("body.text", unreadable.sentence)]) from None


def _change(found: PhaseRevision, sent: OrderResultIn, place: int) -> ResultOverride:
    entries: list[Any] = (found.answer or {}).get("orders", [])
    results = tuple(sent.results)
    if sent.at >= len(entries) or results not in result_overrides.allowed_results(found.phase[-1:]):
        problem = _("This order, or this result of it, does not exist in this phase.")
        raise ApiError(422, fields=[FieldError(f"body.changes.{place}", problem)])
    return ResultOverride(sent.at, results)
