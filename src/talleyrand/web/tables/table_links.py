"""Where the pages of a table lead besides: what parts above know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .models import Table


@dataclass(frozen=True)
class TableLink:
    """A way out of a table, with its words."""

    url: str
    text: str


_finders: list[Callable[[Table], TableLink | None]] = []


def register_table_link(find: Callable[[Table], TableLink | None]) -> None:
    """Have a part above say where a table of its leads; to be called in `AppConfig.ready`."""
    _finders.append(find)


def links_of_table(table: Table) -> list[TableLink]:
    """Every way out of a table."""
    return [found for find in _finders if (found := find(table)) is not None]
