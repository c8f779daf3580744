"""The rule by which deadlines follow each other, as it is sent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.utils import timezone
from pydantic import Field, StringConstraints

from talleyrand.web.api.forms import Sent
from talleyrand.web.api.problems import Refusal, Wrong
from talleyrand.web.api.words import _
from talleyrand.web.games.deadlines import Rhythm, refusals
from talleyrand.web.games.deadlines.errors import Unfit

DAY = 24 * 60 * 60
Weekdays = Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(max_length=7)]
Months = Annotated[list[Annotated[int, Field(ge=1, le=12)]], Field(max_length=12)]
Day = Annotated[str, StringConstraints(pattern="^([0-9]{4}-)?[0-9]{2}-[0-9]{2}$")]
Period = Annotated[list[Day], Field(min_length=2, max_length=2)]


class Days(Sent):
    """On weekdays (0 is Monday), so many minutes after midnight."""

    days: Weekdays
    minute: int = Field(default=24 * 60, ge=0, le=24 * 60)


class Every(Sent):
    """So many seconds after the phase opened."""

    seconds: int = Field(ge=60, le=90 * DAY)


class ByHand(Sent):
    """When the game master says."""

    by: Literal["hand"]


class Rest(Sent):
    """Days on which no deadline falls."""

    weekdays: Weekdays = Field(default_factory=list)
    months: Months = Field(default_factory=list)
    periods: list[Period] = Field(default_factory=list, max_length=20)
    country: str = Field(
        default="", max_length=2, pattern="^[A-Z]*$", description=_("Its public holidays: FR.")
    )


class Dates(Sent):
    """As the terms of a game keep them."""

    movement: Days | Every | ByHand
    between: Days | Every | ByHand | None = Field(
        default=None, description=_("For retreats and adjustments; null: by the same rule.")
    )
    proposals: Days | Every | None = Field(
        default=None,
        description=_("On boards where one proposes before one orders; null: a few days before, or alike."),
    )
    zone: str = Field(default="Europe/Paris", max_length=64, pattern="^[A-Za-z0-9_+/-]*$")
    early: bool = Field(default=True, description=_("Judged as soon as nobody is waited for."))
    grace: int = Field(default=0, ge=0, le=7 * DAY, description=_("Seconds for which a late sheet is taken."))
    first: int = Field(
        default=0, ge=0, le=90 * DAY, description=_("The least length of the first phase, in seconds.")
    )
    minimum: int = Field(default=0, ge=0, le=30 * DAY)
    extension: int = Field(default=0, ge=0, le=30 * DAY)
    resting: Rest = Field(default=Rest())


def rhythm(sent: Dates, where: str) -> Rhythm:
    """The rule that was sent; raises Refusal for one that leads nowhere."""
    try:
        found = Rhythm.read(_kept(sent))
        found.check(timezone.now())
    except Unfit as unfit:
        raise Refusal(422, fields=[Wrong(where, refusals.sentence(unfit.code))]) from None
    return found


def _kept(sent: Dates) -> dict[str, Any]:
    kept = sent.model_dump()
    for rule in (kept["movement"], kept["between"] or {}, kept["proposals"] or {}):
        if "days" in rule:
            rule["days"] = sorted(set(rule["days"]))
    rest = kept["resting"]
    return {**kept, "resting": {**rest, **{name: sorted(set(rest[name])) for name in ("weekdays", "months")}}}
