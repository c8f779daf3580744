"""How a resource is declared: its scope, and every status that it may answer, are in the schema."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from functools import wraps
from typing import Any, TypeVar, cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja import Router
from ninja.responses import Status

from .api_errors import FIELD_ERRORS, ApiError, FieldError
from .authentication import OptionalTokenAuth, TokenAuth
from .schemas import ErrorOut
from .scopes import Scope

View = TypeVar("View", bound=Callable[..., Any])
ALWAYS = (400, 401, 403, 404, 422, 429)
READS = (*ALWAYS, 304)
CHANGES = (*ALWAYS, 409, 413, 415)


class Resource(Router):
    """The addresses of one part of the site; `name` is its heading in the reference."""

    def __init__(self, name: str) -> None:
        super().__init__(tags=[name])

    def read_view(
        self,
        path: str,
        about: str,
        answer: Any,
        scope: Scope,
        *,
        also: Iterable[int] = (),
        kinds: Iterable[str] = (),
        public: bool = False,
    ) -> Callable[[View], View]:
        """What is asked with GET, and changes nothing.

        `also`: other refusals that it may answer; `kinds`: what a file is, which is no JSON; `public`:
        answered without a token too.
        """
        door = OptionalTokenAuth(scope) if public else TokenAuth(scope)
        return self._declared("GET", path, about, {200: answer}, door, (*READS, *also), kinds)

    def change_view(
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
        return self._declared(method, path, about, {status: answer}, TokenAuth(scope), (*CHANGES, *also))

    def _declared(
        self,
        method: str,
        path: str,
        about: str,
        answers: dict[int, Any],
        door: TokenAuth,
        refusals: Iterable[int],
        kinds: Iterable[str] = (),
    ) -> Callable[[View], View]:
        bodies: dict[int, Any] = {status: None if status == 304 else ErrorOut for status in refusals}
        extra = {
            "x-scope": str(door.scope),
            "x-kinds": list(kinds),
            "x-public": isinstance(door, OptionalTokenAuth),
        }
        done = next(iter(answers))
        declare: Callable[[View], View] = self.api_operation(
            [method],
            path,
            description=about,
            tags=self.tags,
            auth=door,
            response={**answers, **bodies},
            openapi_extra=extra,
        )
        return lambda view: self._kept(declare, path, view, done)

    def _kept(self, declare: Callable[[View], View], path: str, view: View, done: int) -> View:
        """Declare a function that is only called with arguments of the query that there are."""
        known: set[str] = set()
        declare(_strict(view, known, done))
        for model in self.path_operations[path].operations[-1].models:
            if model.__ninja_param_source__ == "query":
                known.update(model.__ninja_flatten_map__)
        return view


def _strict(view: View, known: Collection[str], done: int) -> View:
    """The same, which says how it was done, and refuses what it would not read."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> Status[Any] | HttpResponseBase:
        if strange := sorted(set(request.GET) - set(known)):
            fields = [
                FieldError(f"query.{name}"[:200], FIELD_ERRORS["extra_forbidden"]) for name in strange[:20]
            ]
            raise ApiError(422, fields=fields)
        found = view(request, *args, **kwargs)
        return found if isinstance(found, HttpResponseBase) else Status(done, found)

    # its annotations are words of another file, where they are read here
    wrapped.__signature__ = inspect.signature(view, eval_str=True)  # type: ignore[attr-defined]
    return cast(View, wrapped)
