"""Fields that an address reads: what it asks a form or a query for is noted, and then sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

READS = ("__getitem__", "get", "getlist", "__contains__")
NAMED = re.compile(r'<(?:input|select|textarea|button)\b[^>]*\sname="([^"]+)"')
KEPT = {"csrfmiddlewaretoken"}


@contextmanager
def noted() -> Iterator[set[str]]:
    """The names of the fields that are read meanwhile."""
    found: set[str] = set()
    before = {name: getattr(MultiValueDict, name) for name in READS[:3]}
    held: Any = MultiValueDict.__contains__

    def noting(read: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(self: MultiValueDict[str, Any], key: Any, *rest: Any, **more: Any) -> Any:
            if isinstance(self, QueryDict) and isinstance(key, str):
                found.add(key)
            return read(self, key, *rest, **more)

        return wrapped

    for name, read in before.items():
        setattr(MultiValueDict, name, noting(read))
    MultiValueDict.__contains__ = noting(held)  # type: ignore[method-assign]
    try:
        yield found
    finally:
        for name, read in before.items():
            setattr(MultiValueDict, name, read)
        del MultiValueDict.__contains__


def fields(ask: Callable[[dict[str, str]], Any], value: str) -> tuple[set[str], list[Any]]:
    """All the fields that an address reads, once each has been sent; and what it answered on the way.

    What a page names is sent too: a form may read all that it holds at once.
    """
    known: set[str] = set()
    answers: list[Any] = []
    while True:
        with noted() as found:
            answers.append(ask(dict.fromkeys(known, value)))
        fresh = (found | _named(answers[-1])) - known - KEPT
        if not fresh:
            return known, answers
        known |= fresh


def _named(answer: Any) -> set[str]:
    if answer.streaming or "html" not in answer.headers.get("Content-Type", ""):
        return set()
    return set(NAMED.findall(answer.content.decode()))
