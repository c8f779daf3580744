"""Cases of a kind in one test: nothing that one leaves behind is seen by the next."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]
PARAM = type(pytest.param(None))


def each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize` with these names and cases, in one test; a failure tells its case.

    For what needs nothing made anew for each case. All cases are tried, and the first that fails is raised.
    """
    known = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    values = [_values(case, len(known)) for case in cases]
    assert values

    def in_one(test: Test) -> Test:
        @wraps(test)
        def through(**fixtures: Any) -> None:
            failed: list[BaseException] = []
            for case in values:
                try:
                    test(**fixtures, **dict(zip(known, case, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 it is raised below
                    error.add_note(f"case: {dict(zip(known, case, strict=True))!r:.500}")
                    failed.append(error)
            if failed:
                failed[0].add_note(f"{len(failed)} of {len(values)} cases failed")
                raise failed[0]

        of_all = inspect.signature(test)
        left = [one for name, one in of_all.parameters.items() if name not in known]
        through.__signature__ = of_all.replace(parameters=left)  # type: ignore[attr-defined]
        return through

    return in_one


def _values(case: Any, many: int) -> tuple[Any, ...]:
    if isinstance(case, PARAM):
        return tuple(case.values)
    return tuple(case) if many > 1 else (case,)
