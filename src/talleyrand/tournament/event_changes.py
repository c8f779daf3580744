"""What an act changed, as a list of places with what stood there before and after; and the way back.

A place is the path to it in the document. An act of long ago can be undone as well as the last one, unless
something it changed has changed again since: then it says so, and nothing happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, TypedDict

from talleyrand.formats.json_checks import Json

from .event_errors import ActRefused


class EventChange(TypedDict):
    """One place. A value that is not there is left out, so that nothing and `null` are two things."""

    at: list[str]
    before: list[Any]  # nothing or one value
    after: list[Any]


def diff_documents(before: Json, after: Json) -> list[EventChange]:
    """What differs between two documents, each place once."""
    return list(_changes([before], [after], []))


def _changes(before: list[Any], after: list[Any], at: list[str]) -> Iterator[EventChange]:
    if before == after:
        return
    if before and after and isinstance(before[0], Mapping) and isinstance(after[0], Mapping):
        for key in {**before[0], **after[0]}:
            yield from _changes(_held(before[0], key), _held(after[0], key), [*at, key])
        return
    yield {"at": at, "before": before, "after": after}


def _held(table: Mapping[str, Any], key: str) -> list[Any]:
    return [table[key]] if key in table else []


def undo_changes(document: Mapping[str, Any], made: Iterable[EventChange]) -> dict[str, Any]:
    """The document without those changes; raises ActRefused (`act_changed_since`)."""
    back = deepcopy(dict(document))
    for change in made:
        _set_value(back, change["at"], change["after"], change["before"])
    return back


def _set_value(document: dict[str, Any], at: list[str], expected: list[Any], value: list[Any]) -> None:
    table = document
    for key in at[:-1]:
        if not isinstance(table.get(key), dict):
            raise ActRefused("act_changed_since", where=".".join(at))
        table = table[key]
    if _held(table, at[-1]) != expected:
        raise ActRefused("act_changed_since", where=".".join(at))
    if value:
        table[at[-1]] = deepcopy(value[0])
    else:
        del table[at[-1]]
