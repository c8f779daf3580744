"""The forms of what is sent and answered, as the schema tells them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext_noop as _
from ninja import Schema
from ninja.params import Header, Path, Query
from pydantic import AwareDatetime, ConfigDict, Field, StringConstraints, create_model

__all__ = [
    "PICTURES",
    "AdjudicationAnswer",
    "AdjudicationQuestion",
    "ErrorOut",
    "FieldErrorOut",
    "GameKey",
    "IdempotencyKey",
    "Line",
    "PageAfter",
    "PageLimit",
    "PageOut",
    "PhaseNumber",
    "PowerCode",
    "RequestSchema",
    "RequestedDate",
    "ResponseSchema",
    "list_out",
    "page_out",
    "paginate",
]

PICTURES = ("image/jpeg", "image/png", "image/webp")  # kinds of a photograph that is sent
PRINTABLE = r"^[^\x00-\x08\x0b-\x1f\x7f]*$"  # what databases and readers can keep


class ResponseSchema(Schema):
    """What is answered."""


class RequestSchema(Schema):
    """What is sent; a field of another name is a mistake, and is said to be."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)


class FieldErrorOut(ResponseSchema):
    where: str = Field(description=_("Where in the request: `body.lines.0`, `query.limit`."))
    sentence: str


class ErrorOut(ResponseSchema):
    """Why something was refused; nothing has been changed then."""

    code: str = Field(description=_("For programs; never changes."))
    sentence: str = Field(description=_("For people, in the language of Accept-Language: French or English."))
    fields: list[FieldErrorOut] = Field(description=_("Which parts of the request are wrong."))


Item = TypeVar("Item")


class PageOut(ResponseSchema, Generic[Item]):
    """A part of a list; `next` is what to ask `after`, or null at the end."""

    items: list[Item]
    next: str | None


def list_out(name: str, item: type[Schema]) -> type[ResponseSchema]:
    """The schema `name` of a whole list: `items`."""
    return create_model(name, __base__=ResponseSchema, items=list[item])  # type: ignore[valid-type]


def page_out(name: str, item: type[Schema]) -> type[PageOut[Any]]:
    """The schema `name` of a list that is told a page at a time."""
    return create_model(name, __base__=PageOut[item])  # type: ignore[valid-type]


Row = TypeVar("Row", bound=Model)
FARTHEST = 10**9  # rows that a list may have


def paginate(
    rows: QuerySet[Row], after: str | None, limit: int, write: Callable[[Row], Any] = lambda row: row
) -> dict[str, Any]:
    """The rows behind the first `after`, in their own order: the numbers of rows, which would tell how much
    others write, are told to nobody.
    """
    begin = int(after or 0)
    found = list(rows[begin : begin + limit + 1]) if begin < FARTHEST else []
    more = str(begin + limit) if len(found) > limit else None
    return {"items": [write(row) for row in found[:limit]], "next": more}


GameKey = Annotated[
    str, Path(description=_("The game, as in the address of its page."), pattern="^[A-Za-z0-9_-]{1,64}$")
]
PowerCode = Annotated[str, Path(description=_("A power: FRANCE."), pattern="^[A-Z0-9_-]{1,40}$")]
PhaseNumber = Annotated[int, Path(description=_("The number of a phase, from 1."), ge=1, le=100_000)]
PageAfter = Annotated[
    str | None, Query(description=_("`next` from the previous page."), pattern="^[0-9]{1,18}$")
]
PageLimit = Annotated[int, Query(description=_("Maximum number of items."), ge=1, le=100)]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern="^[A-Za-z0-9_.:-]{8,64}$",
        description=_(
            "A key of your choice for this change. Sent again with the same key, it is done only once."
        ),
    ),
]
Line = Annotated[str, StringConstraints(max_length=200, pattern=PRINTABLE)]
Moment = datetime
RESPONSE_PRECISION = timedelta(milliseconds=1)  # a moment that is answered is cut off there
# A date that every zone and calendar can still reckon with.
RequestedDate = Annotated[
    AwareDatetime, Field(ge=datetime(2000, 1, 1, tzinfo=UTC), le=datetime(3000, 1, 1, tzinfo=UTC))
]
AdjudicationQuestion = Annotated[
    dict[str, Any], Field(description=_("A question in the format that `talleyrand adjudicate` reads."))
]
AdjudicationAnswer = Annotated[
    dict[str, Any], Field(description=_("An answer in the format that `talleyrand adjudicate` gives."))
]
