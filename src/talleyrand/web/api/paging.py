"""Long lists, a part at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

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
