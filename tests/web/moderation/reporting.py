"""A reported message, and those who moderate."""

from __future__ import annotations

from typing import Any

from talleyrand.web.conduct.models import Moderator, Report
from talleyrand.web.games.models import Game
from talleyrand.web.press.models import Message
from tests.web.cast import STRANGER, client_of, person
from tests.web.press.post import address, send

BAD = "zz-insulte-ecrite"
DESK = "/moderation/"
MODERATOR = STRANGER  # in no game


def moderator() -> Any:
    """A browser of somebody who moderates and plays nowhere."""
    Moderator.objects.get_or_create(person=person(MODERATOR))
    return client_of(MODERATOR)


def letter(game: Game, text: str = BAD, by: str = "Roman", to: str = "FRANCE") -> Message:
    assert send(game, by, [to], text).status_code == 302
    return Message.objects.get(conversation__game=game, text=text)


def report_path(game: Game, message: Message) -> str:
    return address(game, f"{message.key}/signaler/")


def report(game: Game, message: Message, by: str = "Flora", **more: str) -> Any:
    return client_of(by).post(report_path(game, message), {"reason": "insult", **more})


def reported(game: Game, **more: str) -> Report:
    """What Flora reports of Roman."""
    assert report(game, letter(game), **more).status_code == 302
    return Report.objects.latest("pk")


def act(found: Report, kind: str, text: str = "", **more: Any) -> Any:
    return moderator().post(f"{DESK}{found.key}/", {"act": kind, "text": text, **more})
