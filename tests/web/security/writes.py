"""Which tables something changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

CHANGES = re.compile(
    r"\s*(?:INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|TRUNCATE)\b[^\"]*\"([^\"]+)\"", re.IGNORECASE
)

COUNTS = {"accounts_counted"}  # how often something was asked, where that is not in memory


@contextmanager
def written() -> Iterator[set[str]]:
    """The tables that are changed meanwhile."""
    found: set[str] = set()

    def look(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if match := CHANGES.match(sql):
            found.update({match[1]} - COUNTS)
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        yield found
