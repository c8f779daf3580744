"""Letters as browsers send them."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlencode

from django.test import Client

from talleyrand.web.games.models import Game
from talleyrand.web.press.models import Conversation, Message
from tests.web.cast import client_of

Response = Any  # the test client's answers know more than an HttpResponse
SCRIPT = {"Accept": "application/json"}


def address(game: Game, path: str = "") -> str:
    return f"/parties/{game.key}/messages/{path}"


def opening(game: Game, *to: str, sign: str = "") -> str:
    """Where one writes to somebody for the first time."""
    asked = [("to", one) for one in to] + ([("as", sign)] if sign else [])
    return f"{address(game, 'nouvelle/')}?{urlencode(asked)}"


def form(text: str, **more: str) -> dict[str, str]:
    return {"text": text, "submission": secrets.token_urlsafe(16), **more}


def send(game: Game, name: str, to: str | list[str], text: str = "Bonjour", **more: str) -> Response:
    """Somebody writes to powers, "*" or "@"."""
    named = [to] if isinstance(to, str) else to
    return client_of(name).post(opening(game, *named, sign=more.get("writer", "")), form(text, **more))


def reply(room: Conversation, name: str, text: str = "Entendu", **more: str) -> Response:
    return client_of(name).post(address(room.game, f"{room.key}/"), form(text, **more))


def room(game: Game, members: str) -> Conversation:
    return Conversation.objects.get(game=game, participants_key=members)


def see(game: Game, name: str | None, path: str = "") -> Response:
    """A page of letters as somebody, or a visitor, gets it."""
    client = client_of(name) if name else Client()
    return client.get(address(game, path))


def texts(game: Game) -> list[str]:
    return list(Message.objects.filter(conversation__game=game).order_by("id").values_list("text", flat=True))
