"""Who asks: a person, by a token that was made for this."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import translation
from ninja.security import HttpBearer

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game, secret
from talleyrand.web.games.sight import Sight

from . import rates, tokens
from .models import Token
from .problems import Refusal
from .scopes import Scope


@dataclass(frozen=True)
class Caller:
    """A person, and the token by which a program acts for him."""

    person: Person
    token: Token


@dataclass(frozen=True)
class Anybody:
    """Who asks for what everybody may read, and sends no token."""

    person: None = None


ANYBODY = Anybody()


class Call(HttpRequest):
    """A request of the API, once its token is known."""

    auth: Caller


class OpenCall(HttpRequest):
    """A request for what everybody may read, with a token or without one."""

    auth: Caller | Anybody


class Bearer(HttpBearer):
    """The door of one resource: a token with its scope. A session’s cookie opens nothing here."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:
        found = tokens.find(token)
        if found is None:
            return None
        rates.count_token(found)
        if "Accept-Language" not in request.headers:
            translation.activate(found.person.language)
        if self.scope not in found.scopes:
            raise Refusal(403)
        return Caller(found.person, found)


class Open(Bearer):
    """The door of what everybody may read: a token has to be good where one is sent."""

    def __call__(self, request: HttpRequest) -> Caller | Anybody | None:
        if "Authorization" not in request.headers:
            return ANYBODY
        found: Caller | None = super().__call__(request)
        return found


def entered(request: Call, key: str) -> Sight:
    """The game as the caller may see it; one that he may not open does not exist for him."""
    sight = Sight.of(get_object_or_404(Game, key=key), request.auth.person)
    if not sight.may_open:
        raise Http404
    return sight


def once(given: str | None) -> str:
    """The word by which a change is known when it is sent again; without one every call is its own."""
    return given or secret()
