"""Tables that gather, and what is sent to them."""

from __future__ import annotations

from typing import Any

from talleyrand.web.games.models import Game, Invitation, Role
from talleyrand.web.games.table import gathering, making
from talleyrand.web.games.table.making import Plan
from talleyrand.web.games.terms import Terms
from tests.web.cast import PLAYERS, person

SIX = list(PLAYERS.values())[1:]


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def made(by: str = "Agathe", part: str = Role.PLAYER, *, listed: bool = True, **terms: Any) -> Game:
    plan = Plan("La petite table", "classic", "anjou_feu", Terms(**terms), listed, part)
    return making.create(plan, person(by), "")


def link(game: Game, role: str = Role.PLAYER, **more: Any) -> str:
    token = Invitation.objects.create(game=game, role=role, **more).token
    return f"/parties/invitation/{token}/"


def fill(game: Game, names: list[str]) -> None:
    for name in names:
        gathering.join(game, person(name))


def at(game: Game, path: str = "") -> str:
    return f"/parties/{game.key}/table/{path}"


def roles(game: Game) -> dict[str, str]:
    return dict(game.memberships.filter(left=None).values_list("person__name", "role"))


def refused(answer: Any, said: str) -> None:
    assert answer.status_code == 409
    assert said in words(answer)
