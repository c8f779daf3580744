"""A game at its second phase, and a game master at its desk."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from talleyrand.web.games import order_submission, phase_adjudication
from talleyrand.web.games.models import Game, OrderSet, PhaseRevision, random_token
from tests.web.built_once import built_once
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, client_of, table

DUE = timedelta(hours=48)
ROLES = {
    "master": MASTER,
    "assistant": ASSISTANT,
    "player": PLAYERS["FRANCE"],
    "observer": OBSERVER,
    "stranger": STRANGER,
}


@built_once
def played() -> Game:
    """A table in its second phase, which is due in two days."""
    game = table()
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(deadline=now + DUE, phase_opened_at=now)
    send(game, "FRANCE", ["A Par-Bou", "A Mar-Esp"])
    send(game, "GERMANY", ["A Mun-Bou"])
    phase_adjudication.adjudicate_phase(game, 1, now)
    game.refresh_from_db()
    return game


def send(game: Game, power: str, lines: list[str]) -> OrderSet:
    number = Game.objects.get(pk=game.pk).phase_number
    at = timezone.now()
    return order_submission.submit_orders(
        game, power, lines, number=number, key=random_token(), origin="text", at=at
    )


def visitor(role: str) -> Client:
    return client_of(ROLES[role]) if role in ROLES else Client()


def page_of(game: Game, path: str = "", client: Client | None = None) -> str:
    answer = (client or client_of(MASTER)).get(f"/parties/{game.key}/desk/{path}")
    assert answer.status_code == 200, answer.get("Location")
    return answer.text


def act(game: Game, path: str, sent: Mapping[str, Any], client: Client | None = None) -> Any:
    return (client or client_of(MASTER)).post(f"/parties/{game.key}/desk/{path}", dict(sent))


def said(answer: Any, client: Client) -> str:
    """What the page says of an act, once it is opened again."""
    return client.get(answer["Location"]).text


def hidden(text: str) -> dict[str, str]:
    """The hidden fields of the forms of a page."""
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text))


def on(game: Game) -> dict[str, str]:
    last = PhaseRevision.objects.filter(game=game, is_current=True).order_by("phase_number").last()
    assert last is not None
    return {"on": str(last.phase_number), "revision": str(last.revision)}


def position(game: Game) -> str:
    """The text of the position as the page has it."""
    found = re.search(r'<textarea id="text"[^>]*>(.*?)</textarea>', page_of(game, "position/"), re.DOTALL)
    assert found is not None
    return found[1]
