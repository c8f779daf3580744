"""A game on line as a browser meets it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.utils import timezone

from talleyrand.web.games import order_submission, phase_adjudication
from talleyrand.web.games.models import Game, GameSeat, PhaseRevision
from tests.web.built_once import built_once
from tests.web.cast import client_of, table

Response = Any  # the test client's answers know more than an HttpResponse

SPRING = {
    "FRANCE": ["A Par - Bou", "A Mar - Esp", "F Bre - AtM"],
    "GERMANY": ["A Mun - Bou", "F Kie - Dan"],
    "AUSTRIA": ["A Vie - Gal"],
}


def running(**terms: Any) -> Game:
    """A begun game whose first deadline is two days away."""
    game = table(**terms)
    due = timezone.now() + timedelta(days=2)
    Game.objects.filter(pk=game.pk).update(deadline=due, next_check_at=due)
    game.refresh_from_db()
    return game


def resolved(game: Game) -> PhaseRevision:
    """The open phase published with what was handed in."""
    game.refresh_from_db()
    revision = phase_adjudication.adjudicate_phase(game, game.phase_number, timezone.now())
    game.refresh_from_db()
    return revision


def played(game: Game, sheets: dict[str, list[str]] | None = None) -> PhaseRevision:
    """The open phase published with these sheets, each power's own."""
    revision = _played(game, sheets if sheets is not None else SPRING)
    game.refresh_from_db()
    return revision


@built_once
def _played(game: Game, sheets: dict[str, list[str]]) -> PhaseRevision:
    game.refresh_from_db()
    now = timezone.now()
    for seat in game.seats.all():
        lines = sheets.get(seat.power, [])
        key = f"{seat.power}-{game.phase_number}"
        number = game.phase_number
        order_submission.submit_orders(game, seat.power, lines, number=number, key=key, origin="text", at=now)
    return phase_adjudication.adjudicate_phase(game, game.phase_number, now)


class Window:
    """A page of a game in somebody's browser."""

    def __init__(self, game: Game, name: str = "", power: str = "FRANCE", prefix: str = "") -> None:
        from django.test import Client

        self.game, self.power, self.prefix = game, power, prefix
        self.client = client_of(name) if name else Client()

    def address(self, path: str = "") -> str:
        folder = "games" if self.prefix else "parties"
        return f"{self.prefix}/{folder}/{self.game.key}/{path}"

    def get(self, path: str = "", **more: Any) -> Response:
        return self.client.get(self.address(path), **more)

    def draft(self, change: Any, number: int = 1) -> Response:
        """Send a change as the scripts do."""
        return self.raw(f"{number}/orders/{self.power}/draft/", json.dumps(change).encode())

    def raw(self, path: str, body: bytes) -> Response:
        return self.client.post(self.address(path), body, content_type="application/json")

    def act(self, action: str, lines: list[str], number: int = 1, submission: str = "s" * 22) -> Response:
        """Press a button of the page as its script does."""
        sent = {"action": action, "lines": {self.power: lines}, "submission": submission}
        return self.raw(f"{number}/orders/{self.power}/", json.dumps(sent).encode())

    def post(self, path: str = "", **sent: str) -> Response:
        """Send a form of the page of the first phase."""
        whole = {"submission": "f" * 22, **sent}
        return self.client.post(self.address(f"1/orders/{self.power}/{path}"), whole)

    @property
    def seat(self) -> GameSeat:
        return self.game.seats.get(power=self.power)
