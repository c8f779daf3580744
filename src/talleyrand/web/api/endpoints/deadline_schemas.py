"""The rule by which deadlines follow each other, as it is sent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from pydantic import Field, StringConstraints

from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.schemas import RequestSchema
from talleyrand.web.games.deadlines import DeadlineSettings, deadline_error_texts
from talleyrand.web.games.deadlines.deadline_errors import InvalidDeadlineSettings

DAY = 24 * 60 * 60
Weekdays = Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(max_length=7)]
Months = Annotated[list[Annotated[int, Field(ge=1, le=12)]], Field(max_length=12)]
Day = Annotated[str, StringConstraints(pattern="^([0-9]{4}-)?[0-9]{2}-[0-9]{2}$")]
Period = Annotated[list[Day], Field(min_length=2, max_length=2)]


class WeekdaysRuleIn(RequestSchema):
    """On weekdays (0 is Monday), so many minutes after midnight."""

    days: Weekdays
    minute: int = Field(default=24 * 60, ge=0, le=24 * 60)


class IntervalRuleIn(RequestSchema):
    """So many seconds after the phase opened."""

    seconds: int = Field(ge=60, le=90 * DAY)


class ManualRuleIn(RequestSchema):
    """When the game master says."""

    by: Literal["hand"]


class RestDaysIn(RequestSchema):
    """Days on which no deadline falls."""

    weekdays: Weekdays = Field(default_factory=list)
    months: Months = Field(default_factory=list)
    periods: list[Period] = Field(default_factory=list, max_length=20)
    country: str = Field(
        default="",
        max_length=2,
        pattern="^[A-Z]*$",
        description=_("Country whose public holidays apply: FR."),
    )


class DeadlineRulesIn(RequestSchema):
    """As the terms of a game keep them."""

    movement: WeekdaysRuleIn | IntervalRuleIn | ManualRuleIn
    between: WeekdaysRuleIn | IntervalRuleIn | ManualRuleIn | None = Field(
        default=None, description=_("For retreats and adjustments; null: the same rule.")
    )
    proposals: WeekdaysRuleIn | IntervalRuleIn | None = Field(
        default=None,
        description=_(
            "In variants with proposals before orders; null: a few days earlier, or the same rule."
        ),
    )
    zone: str = Field(default="Europe/Paris", max_length=64, pattern="^[A-Za-z0-9_+/-]*$")
    early: bool = Field(default=True, description=_("Resolved as soon as no one is being waited for."))
    grace: int = Field(
        default=0, ge=0, le=7 * DAY, description=_("Seconds during which late orders are accepted.")
    )
    first: int = Field(
        default=0, ge=0, le=90 * DAY, description=_("The minimum length of the first phase, in seconds.")
    )
    minimum: int = Field(default=0, ge=0, le=30 * DAY)
    extension: int = Field(default=0, ge=0, le=30 * DAY)
    resting: RestDaysIn = Field(default=RestDaysIn())


def rhythm_from(sent: DeadlineRulesIn, where: str) -> DeadlineSettings:
    """The rule that was sent; raises ApiError for one that leads nowhere."""
    try:
        found = DeadlineSettings.from_json(_stored_rules(sent))
        found.check_leaves_dates(timezone.now())
    except InvalidDeadlineSettings as unfit:
        raise ApiError(
            422, fields=[FieldError(where, deadline_error_texts.deadline_error_text(unfit.code))]
        ) from None
    return found


def _stored_rules(sent: DeadlineRulesIn) -> dict[str, Any]:
    kept = sent.model_dump()
    for rule in (kept["movement"], kept["between"] or {}, kept["proposals"] or {}):
        if "days" in rule:
            rule["days"] = sorted(set(rule["days"]))
    rest = kept["resting"]
    return {**kept, "resting": {**rest, **{name: sorted(set(rest[name])) for name in ("weekdays", "months")}}}
