"""A practice game, and what a browser sends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from talleyrand import variants
from talleyrand.web.practice import practice_games, practice_records
from talleyrand.web.practice.models import PracticeGame

Response = Any  # the test client's answers know more than an HttpResponse


def begin(variant: str = "classic", rulebook: str = "anjou_feu", **start: Any) -> PracticeGame:
    """A game at the variant's first position, or at another."""
    first = practice_records.initial_position(variants.load(variant))
    return practice_games.create_practice_game(variant, rulebook, {**first, **start}, "")


@pytest.fixture(autouse=True)
def _french() -> Iterator[None]:
    """Every test begins in French: the language of a request outlives it."""
    with translation.override("fr"):
        yield


@pytest.fixture
def game(db: None) -> PracticeGame:
    return begin()


class Player:
    """Whoever holds the address of a game."""

    def __init__(self, client: Client, game: PracticeGame) -> None:
        self.client = client
        self.game = game
        self.prefix = ""

    def address(self, path: str = "") -> str:
        return f"{self.prefix}/p/{self.game.key}/{path}"

    def draft(self, number: int, change: Any) -> Response:
        """Send a change as the scripts do."""
        return self.raw_draft(number, json.dumps(change).encode())

    def raw_draft(self, number: int, body: bytes) -> Response:
        return self.client.post(self.address(f"{number}/draft/"), body, content_type="application/json")

    def resolve(self, number: int, submission: str = "a-submission-of-mine", **more: str) -> Response:
        sent = {"submission": submission, "scripted": "1", **more}
        return self.client.post(self.address(f"{number}/resolve/"), sent)

    def refresh(self) -> PracticeGame:
        self.game.refresh_from_db()
        return self.game


@pytest.fixture
def player(client: Client, game: PracticeGame) -> Player:
    return Player(client, game)
