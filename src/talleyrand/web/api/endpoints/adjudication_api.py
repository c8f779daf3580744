"""The judge itself: any question of the contract, about any position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_noop as _
from pydantic import BaseModel, ConfigDict, Field

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import adjudication, question_input
from talleyrand.web.api import api_rate_limits
from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import AdjudicationAnswer
from talleyrand.web.api.scopes import Scope
from talleyrand.web.boards import display_names
from talleyrand.web.library import comparison_limits
from talleyrand.web.library.rulebook_input import RulebookInputRefusal

RESOURCE = Resource("judge", Scope.READ)
LARGEST = 100_000
Json = dict[str, Any]
Lists = dict[str, list[str]]


class QuestionIn(BaseModel):
    """A question as `talleyrand adjudicate` reads it: every field of `asking.FIELDS`.

    A field of another name goes with it, and is told in the notes of the answer. No `Schema` of ninja’s:
    that one keeps only what it declares.
    """

    model_config = ConfigDict(extra="allow", strict=True)

    id: Any = Field(None, description=_("Returned with the answer."))
    variant: str | None = Field(None, description=_("Default: classic."), max_length=100)
    rulebook: str | Json | None = Field(None, description=_("Default: anjou_feu."))
    phase: str = Field(description=_("Season, year, kind: S1901M."), max_length=100)
    units: Lists | None = Field(None, description=_("By power: A PAR, F STP/SC."))
    dislodged: dict[str, list[Json]] | None = Field(
        None, description=_("For retreats, by power: unit, by, and retreats if they are known.")
    )
    contested: list[str] | None = None
    centers: Lists | None = None
    centers_before: Lists | None = None
    kept_builds: dict[str, int] | None = None
    homes: Lists | None = None
    orders: Lists | None = Field(None, description=_("By power, as players write them."))
    sheets: dict[str, list[list[str]]] | None = Field(
        None, description=_("Instead of orders: several submissions per power, in order of arrival.")
    )
    absent: list[str] | None = None
    torn: list[str] | None = None
    disorder: list[str] | None = None
    passive: list[str] | None = None
    first_year: int | None = None
    centres_to_win: int | None = None
    naming: str | None = None
    seed: str | None = Field(None, description=_("Where a rulebook uses random draws, what they depend on."))
    politics: Json | None = Field(
        None,
        description=_(
            "What a variant with votes and aid remembers: `politics` of an answer, sent back as it is."
        ),
    )


@RESOURCE.post("/judge", _("Adjudicate orders in a position."), AdjudicationAnswer)
def adjudicate(request: TokenRequest, sent: QuestionIn) -> object:
    return _replied(request, sent, adjudication.adjudicate_question)


@RESOURCE.post("/judge/read", _("How lines are read, before adjudication."), AdjudicationAnswer)
def read_orders(request: TokenRequest, sent: QuestionIn) -> object:
    return _replied(request, sent, adjudication.read_question_orders)


@RESOURCE.post("/judge/options", _("Every legal order in a position."), AdjudicationAnswer)
def legal_orders(request: TokenRequest, sent: QuestionIn) -> object:
    return _replied(request, sent, adjudication.legal_orders)


def _replied(request: TokenRequest, sent: QuestionIn, reply: Callable[[Any], Json]) -> Json:
    if len(request.body) > LARGEST:
        raise ApiError(413)
    api_rate_limits.count_work(request.auth.token)
    question = sent.model_dump(exclude_unset=True)
    try:
        comparison_limits.check_lines(question_input.read_question(question))
    except RulebookInputRefusal as refused:
        raise ApiError(
            422, "too_long", refused.sentence, [FieldError("body.orders", refused.sentence)]
        ) from refused
    except TalleyrandError:
        pass  # told below, in both languages
    found = reply(question)
    if (error := found.get("error")) and "kind" in error:
        raise ApiError(422, error["kind"], error["message"][display_names.reader_language()])
    return found
