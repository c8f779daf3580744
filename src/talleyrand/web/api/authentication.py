"""Who asks: a person, by a token that was made for this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import translation
from ninja.security import HttpBearer

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game, GameRole, random_token
from talleyrand.web.games.viewer_permissions import GameViewer

from . import api_rate_limits, api_tokens
from .api_errors import ApiError
from .models import ApiToken
from .schemas import GameKey, PowerCode
from .scopes import Scope


@dataclass(frozen=True)
class ApiCaller:
    """A person, and the token by which a program acts for him."""

    person: Person
    token: ApiToken


@dataclass(frozen=True)
class AnonymousCaller:
    """Who asks for what everybody may read, and sends no token."""

    person: None = None


ANONYMOUS = AnonymousCaller()


class TokenRequest(HttpRequest):
    """A request of the API, once its token is known."""

    auth: ApiCaller


class OptionalTokenRequest(HttpRequest):
    """A request for what everybody may read, with a token or without one."""

    auth: ApiCaller | AnonymousCaller


class TokenAuth(HttpBearer):
    """The door of one resource: a token with its scope. A session’s cookie opens nothing here."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ApiCaller | None:
        found = api_tokens.authenticate_token(token)
        if found is None:
            return None
        api_rate_limits.count_token(found)
        if "Accept-Language" not in request.headers:
            translation.activate(found.person.language)
        if self.scope not in found.scopes:
            raise ApiError(403)
        return ApiCaller(found.person, found)


class OptionalTokenAuth(TokenAuth):
    """The door of what everybody may read: a token has to be good where one is sent."""

    def __call__(self, request: HttpRequest) -> ApiCaller | AnonymousCaller | None:
        if "Authorization" not in request.headers:
            return ANONYMOUS
        found: ApiCaller | None = super().__call__(request)
        return found


def game_opener(may: Callable[[GameViewer], bool]) -> Callable[[TokenRequest, str], GameViewer]:
    """What opens a game as the caller may see it, to those who `may`; for others it does not exist."""

    def open_if(request: TokenRequest, key: GameKey) -> GameViewer:
        sight = GameViewer.for_user(get_object_or_404(Game, key=key), request.auth.person)
        if not (sight.may_open and may(sight)):
            raise Http404
        return sight

    return open_if


open_game = game_opener(lambda sight: sight.may_open)
open_as_member = game_opener(lambda sight: bool(sight.role))
open_as_player = game_opener(lambda sight: sight.role == GameRole.PLAYER)
open_as_host = game_opener(lambda sight: sight.is_host)
open_to_invite = game_opener(lambda sight: sight.may_invite)
open_begun_game = game_opener(lambda sight: bool(sight.game.phase_number))
open_desk = game_opener(lambda sight: sight.is_at_desk)
for_game_master = game_opener(lambda sight: sight.is_game_master)


def open_seat(request: TokenRequest, key: GameKey, power: PowerCode) -> GameViewer:
    """The game of its game master, where the power has a seat."""
    sight = for_game_master(request, key)
    if not sight.game.seats.filter(power=power).exists():
        raise Http404
    return sight


def idempotency_key_or_new(given: str | None) -> str:
    """The word by which a change is known when it is sent again; without one every call is its own."""
    return given or random_token()
