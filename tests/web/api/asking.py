"""A program that asks the API with somebody's token."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from django.test import Client
from django.utils import timezone

from talleyrand.web.api import api_tokens
from talleyrand.web.api.scopes import Scope
from tests.web import cast

EVERY = tuple(Scope)


def token(name: str, scopes: Collection[Scope] = EVERY) -> str:
    """A new token of somebody of the cast."""
    person, now = cast.person(name), timezone.now()
    many = api_tokens.tokens_of(person).count()
    return api_tokens.make_token(person, f"program {many}", scopes, 30, f"submission-{many}", now)


class Program:
    """Asks as a program does: no cookie, one token, JSON."""

    def __init__(self, secret: str = "", language: str = "fr") -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.head = {"Accept-Language": language}
        if secret:
            self.head["Authorization"] = f"Bearer {secret}"

    def get(self, path: str, **head: str) -> Any:
        return self.ask("GET", path, **head)

    def ask(self, method: str, path: str, sent: Any = None, **head: str) -> Any:
        """`head`: more headers, with _ for -."""
        more = {name.replace("_", "-"): value for name, value in head.items()}
        body = b"" if sent is None else json.dumps(sent).encode()
        headers = {**self.head, **more}
        return self.raw(method, path, body, headers)

    def raw(self, method: str, path: str, body: bytes, headers: dict[str, str] | None = None) -> Any:
        kind = (headers or {}).get("Content-Type", "application/json")
        sent = self.head if headers is None else headers
        return self.client.generic(method, f"/api{path}", body, content_type=kind, headers=sent)


def program(name: str, scopes: Collection[Scope] = EVERY, language: str = "fr") -> Program:
    """Somebody's program, with these scopes or all."""
    return Program(token(name, scopes), language)
