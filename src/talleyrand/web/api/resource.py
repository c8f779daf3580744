"""How a resource is declared: its scope, and every status that it may answer, are in the schema."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypedDict, TypeVar, Unpack

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja import Router
from ninja.responses import Status

from talleyrand.web.common import transactions

from .api_errors import FIELD_ERRORS, ApiError, FieldError
from .authentication import OptionalTokenAuth, TokenAuth
from .schemas import ErrorOut
from .scopes import Scope

View = TypeVar("View", bound=Callable[..., Any])
# What a view gets as `sight`: made of the request and of arguments of the address, or an error.
Opener = Callable[..., Any]
# How the errors that a view may raise are told; each is called with the error and the view’s `sight`.
Refusals = Mapping[type[Exception], Callable[[Any, Any], ApiError]]
ALWAYS = (400, 401, 403, 404, 422, 429)
READS = (*ALWAYS, 304)
CHANGES = (*ALWAYS, 409, 413, 415)


class Details(TypedDict, total=False):
    """What a declaration may say besides; `scope`, `sight` and `refused` instead of its resource’s.

    `also`: other refusals that it may answer; `kinds`: what a file is, which is no JSON; `sends`: the kinds
    of a file that is sent instead of JSON; `public`: answered without a token too.
    """

    scope: Scope
    sight: Opener
    refused: Refusals
    status: int
    also: Iterable[int]
    kinds: Iterable[str]
    sends: Iterable[str]
    public: bool


class Resource:
    """The addresses of one part of the site; `name` is its heading in the reference.

    `scope` is what a token needs here; `sight` opens what a view that has an argument of this name looks at;
    `refused` tells the errors of views that may answer 409.
    """

    def __init__(
        self, name: str, scope: Scope, *, sight: Opener | None = None, refused: Refusals | None = None
    ) -> None:
        self.router = Router(tags=[name])
        self.scope, self.sight, self.refused = scope, sight, refused or {}

    def get(self, path: str, about: str, answer: Any, **more: Unpack[Details]) -> Callable[[View], View]:
        """What is asked, and changes nothing."""
        return self._declared("GET", path, about, answer, READS, more)

    def post(
        self, path: str, about: str, answer: Any = None, **more: Unpack[Details]
    ) -> Callable[[View], View]:
        """What is done; 204 without an `answer`."""
        return self._declared("POST", path, about, answer, CHANGES, more)

    def put(self, path: str, about: str, answer: Any, **more: Unpack[Details]) -> Callable[[View], View]:
        """What is replaced."""
        return self._declared("PUT", path, about, answer, CHANGES, more)

    def patch(self, path: str, about: str, answer: Any, **more: Unpack[Details]) -> Callable[[View], View]:
        """What is changed in part."""
        return self._declared("PATCH", path, about, answer, CHANGES, more)

    def delete(self, path: str, about: str, **more: Unpack[Details]) -> Callable[[View], View]:
        """What is taken away."""
        return self._declared("DELETE", path, about, None, CHANGES, more)

    def _declared(
        self, method: str, path: str, about: str, answer: Any, usual: Iterable[int], more: Details
    ) -> Callable[[View], View]:
        scope, public = more.get("scope", self.scope), more.get("public", False)
        done = more.get("status", 204 if answer is None else 200)
        errors = (*usual, *more.get("also", ()))
        bodies: dict[int, Any] = {status: None if status == 304 else ErrorOut for status in errors}
        declare: Callable[[Any], Any] = self.router.api_operation(
            [method],
            path,
            description=about,
            tags=self.router.tags,
            auth=OptionalTokenAuth(scope) if public else TokenAuth(scope),
            response={done: answer, **bodies},
            openapi_extra={
                "x-scope": str(scope),
                "x-kinds": list(more.get("kinds", ())),
                "x-sends": list(more.get("sends", ())),
                "x-public": public,
            },
        )
        opener = more.get("sight", self.sight)
        refused = {**self.refused, **more.get("refused", {})} if 409 in errors else {}

        def declared(view: View) -> View:
            known: set[str] = set()
            declare(_strict(_Call(view, path, opener, refused), known, done))
            for model in self.router.path_operations[path].operations[-1].models:
                if model.__ninja_param_source__ == "query":
                    known.update(model.__ninja_flatten_map__)
            return view

        return declared


class AnswerUnread(Exception):
    """What was asked is done and committed; what it came to could not be read."""


class _Call:
    """A view as ninja calls it: with the arguments of its opener instead of `sight`."""

    def __init__(self, view: Callable[..., Any], path: str, opener: Opener | None, refused: Refusals) -> None:
        # the annotations are words of other files, where they are read here
        own = inspect.signature(view, eval_str=True).parameters
        self.view, self.refused, self.own = view, refused, own
        self.opener = opener if "sight" in own else None
        self.opened = inspect.signature(self.opener, eval_str=True).parameters if self.opener else {}
        known = {
            name: one for name, one in {**self.opened, **own}.items() if name not in ("request", "sight")
        }
        # in the order of the address, then what is sent
        places = [name for name in re.findall(r"{(\w+)}", path) if name in known]
        asked = {name: known[name] for name in (*places, *known)}
        request = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        named = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in asked.values()]
        self.signature = inspect.Signature([request, *named])

    def __call__(self, request: HttpRequest, given: dict[str, Any]) -> Any:
        known = {"request": request, **given}
        if self.opener:
            known["sight"] = self.opener(**{name: known[name] for name in self.opened})
        before = transactions.commit_count()
        try:
            return self.view(**{name: known[name] for name in self.own})
        except tuple(self.refused) as error:
            if transactions.commit_count() != before:  # done already: no refusal, but a fault of ours
                raise AnswerUnread from error
            tell = next(tell for kind, tell in self.refused.items() if isinstance(error, kind))
            raise tell(error, known.get("sight")) from error


def _strict(call: _Call, known: Collection[str], done: int) -> Callable[..., Any]:
    """The same, which says how it was done, and refuses arguments of the query that it would not read."""

    def wrapped(request: HttpRequest, **given: Any) -> Status[Any] | HttpResponseBase:
        if strange := sorted(set(request.GET) - set(known)):
            fields = [
                FieldError(f"query.{name}"[:200], FIELD_ERRORS["extra_forbidden"]) for name in strange[:20]
            ]
            raise ApiError(422, fields=fields)
        found = call(request, given)
        return found if isinstance(found, HttpResponseBase) else Status(done, found)

    for name in ("__module__", "__name__", "__doc__"):
        setattr(wrapped, name, getattr(call.view, name))
    wrapped.__signature__ = call.signature  # type: ignore[attr-defined]
    return wrapped
