"""The phases of a game: what is open, and every revision that was published, at the address of its hash."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _
from ninja.params import Path
from pydantic import Field

from talleyrand.web.api import api_rate_limits
from talleyrand.web.api.authentication import TokenRequest, open_begun_game, open_game
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    AdjudicationAnswer,
    AdjudicationQuestion,
    Moment,
    PhaseNumber,
    ResponseSchema,
    list_out,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.explanations import Explanation
from talleyrand.web.games.models import PhaseRevision
from talleyrand.web.games.phase_pages import game_explanation_views, game_records
from talleyrand.web.games.phase_pages.game_board import game_board_or_404
from talleyrand.web.games.viewer_permissions import GameViewer

RESOURCE = Resource("phases", Scope.READ, sight=open_game)
HIDDEN = (
    "rulebook",
    "seed",
    "variant",
    "naming",
)  # told once with the game; the seed to nobody before its end
RevisionHash = Annotated[
    str, Path(description=_("As given in the revision’s `address`."), pattern="^[0-9]{1,6}-[0-9a-f]{16}$")
]
Province = Annotated[str, Path(description=_("A province: PAR."), pattern="^[A-Za-z0-9_-]{1,20}$")]


class RevisionSummaryOut(ResponseSchema):
    number: int = Field(validation_alias="phase_number")
    phase: str
    revision: int = Field(description=_("Counted from 1: a correction is a new revision."))
    kind: Literal["start", "adjudication", "override", "edit"]
    made: Moment = Field(validation_alias="published_at")
    current: bool = Field(validation_alias="is_current", description=_("Whether this is what counts now."))
    withdrawn: Moment | None = Field(
        validation_alias="withdrawn_at", description=_("When the phase was rolled back.")
    )
    address: str = Field(description=_("The permanent address of this revision."))

    @staticmethod
    def resolve_address(one: PhaseRevision) -> str:
        return f"/api/games/{one.game.key}/phases/{one.phase_number}/revisions/{_hash(one)}"


class OpenPhaseOut(ResponseSchema):
    number: int
    phase: str
    due: Moment | None
    opening: str = Field(
        description=_("Identifies this opening: a phase that is rolled back is opened anew.")
    )
    question: AdjudicationQuestion
    choosers: list[str] = Field(description=_("The powers that have something to decide."))


class PhasesOut(ResponseSchema):
    items: list[RevisionSummaryOut]
    open: OpenPhaseOut | None


class RevisionOut(RevisionSummaryOut):
    question: AdjudicationQuestion
    answer: AdjudicationAnswer
    after: dict[str, Any] | None = Field(
        validation_alias="next_situation", description=_("What the next phase starts from; null at the end.")
    )
    changes: list[dict[str, Any]] = Field(
        validation_alias="overrides", description=_("What the game master overrode.")
    )
    reason: str = Field(description=_("The game master’s, for a correction."))

    @staticmethod
    def resolve_question(one: PhaseRevision) -> dict[str, Any]:
        absent = {"absent": one.powers_without_orders} if one.powers_without_orders else {}
        return {**(one.situation or {}), "orders": game_records.public_order_lines(one), **absent}

    @staticmethod
    def resolve_answer(one: PhaseRevision) -> dict[str, Any]:
        return game_records.public_answer(one)


class LegalOrdersOut(ResponseSchema):
    options: dict[str, list[str]] = Field(description=_("Every legal order of each power that has a choice."))


class ExplanationStepOut(ResponseSchema):
    sentence: str
    provinces: list[str]


class ExplanationOut(ResponseSchema):
    order: str
    steps: list[ExplanationStepOut]


@RESOURCE.get(
    "/games/{key}/phases", _("The resolved phases, and the current one without any orders."), PhasesOut
)
def list_phases(sight: GameViewer) -> object:
    published = sight.game.revisions.filter(is_current=True, phase_number__gt=0).order_by("phase_number")
    return {"items": published, "open": _open(sight)}


def _open(sight: GameViewer) -> dict[str, Any] | None:
    if not sight.game.phase_number:
        return None
    board = game_board_or_404(sight, None)
    if not board.is_open or board.question is None:
        return None
    told = {
        "number": board.phase_number,
        "phase": board.phase_code,
        "due": sight.game.deadline,
        "opening": board.opening_mark,
    }
    return {
        **told,
        "question": {name: value for name, value in board.public_question.items() if name not in HIDDEN},
        "choosers": list(board.history.deciding_powers(board.phase_number)),
    }


@RESOURCE.get(
    "/games/{key}/phases/{number}",
    _("A resolved phase as it counts now, with its orders and their results."),
    RevisionOut,
)
def get_phase(sight: GameViewer, number: PhaseNumber) -> object:
    return _revision_or_404(sight, number, is_current=True)


@RESOURCE.get(
    "/games/{key}/phases/{number}/revisions",
    _("All revisions of a phase, including those that no longer count."),
    list_out("RevisionsOut", RevisionSummaryOut),
)
def list_revisions(sight: GameViewer, number: PhaseNumber) -> object:
    found = list(sight.game.revisions.filter(phase_number=number))
    if not found:
        raise Http404
    return {"items": found}


@RESOURCE.get(
    "/games/{key}/phases/{number}/revisions/{hash}",
    _("One revision by its hash: its content never changes."),
    RevisionOut,
)
def get_revision(sight: GameViewer, number: PhaseNumber, hash: RevisionHash) -> object:  # noqa: A002 the word of the address
    found = _revision_or_404(sight, number, revision=int(hash.partition("-")[0]))
    if _hash(found) != hash:
        raise Http404
    return found


@RESOURCE.get(
    "/games/{key}/phases/{number}/options",
    _("Every legal order of the phase."),
    LegalOrdersOut,
    sight=open_begun_game,
)
def phase_legal_orders(sight: GameViewer, number: PhaseNumber) -> object:
    board = game_board_or_404(sight, number)
    if board.question is None:
        raise Http404
    return {"options": adjudicator.legal_orders(board.question)}


@RESOURCE.get(
    "/games/{key}/phases/{number}/why/{province}",
    _("Why a unit’s order had its result, step by step."),
    ExplanationOut,
    sight=open_begun_game,
)
def explain_order(
    request: TokenRequest, sight: GameViewer, number: PhaseNumber, province: Province
) -> object:
    board = game_board_or_404(sight, number)
    api_rate_limits.count_work(request.auth.token)
    found: Explanation = game_explanation_views.explanation_or_404(board, province)
    steps = zip(found.sentences, found.steps, strict=True)
    told = [{"sentence": sentence, "provinces": list(step.provinces)} for sentence, step in steps]
    return {"order": found.order, "steps": told}


def _revision_or_404(sight: GameViewer, number: int, **which: Any) -> PhaseRevision:
    return get_object_or_404(sight.game.revisions, phase_number=number, **which)


def _hash(revision: PhaseRevision) -> str:
    return f"{revision.revision}-{revision.digest[:16]}"
