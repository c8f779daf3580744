"""How a resource is declared: its scope, and every status that it may answer, are in the schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ninja import Router

from .callers import Bearer
from .forms import Problem
from .scopes import Scope

View = TypeVar("View", bound=Callable[..., Any])
ALWAYS = (400, 401, 403, 404, 422, 429)
READS = (*ALWAYS, 304)
CHANGES = (*ALWAYS, 409, 413, 415)


class Resource(Router):
    """The addresses of one part of the site; `name` is its heading in the reference."""

    def __init__(self, name: str) -> None:
        super().__init__(tags=[name])

    def reads(
        self, path: str, about: str, answer: Any, scope: Scope, *, also: Iterable[int] = ()
    ) -> Callable[[View], View]:
        """What is asked with GET, and changes nothing; `also`: other refusals that it may answer."""
        return self._declared("GET", path, about, {200: answer}, scope, (*READS, *also))

    def changes(
        self,
        method: str,
        path: str,
        about: str,
        answer: Any,
        scope: Scope,
        *,
        status: int = 200,
        also: Iterable[int] = (),
    ) -> Callable[[View], View]:
        """What is done with POST, PUT, PATCH or DELETE; `answer` None with status 204."""
        return self._declared(method, path, about, {status: answer}, scope, (*CHANGES, *also))

    def _declared(
        self,
        method: str,
        path: str,
        about: str,
        answers: dict[int, Any],
        scope: Scope,
        refusals: Iterable[int],
    ) -> Callable[[View], View]:
        bodies: dict[int, Any] = {status: None if status == 304 else Problem for status in refusals}
        declared: Callable[[View], View] = self.api_operation(
            [method],
            path,
            description=about,
            auth=Bearer(scope),
            response={**answers, **bodies},
            openapi_extra={"x-scope": str(scope)},
        )
        return declared
