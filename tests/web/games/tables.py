"""Tables that gather, and what is sent to them."""

from __future__ import annotations

from typing import Any

from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import game_creation, membership_actions
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import Game, GameRole, Invitation
from tests.web.cast import PLAYERS, person

SIX = list(PLAYERS.values())[1:]


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def made(by: str = "Agathe", part: str = GameRole.PLAYER, *, listed: bool = True, **terms: Any) -> Game:
    plan = GamePlan("La petite table", "classic", "anjou_feu", GameSettings(**terms), listed, part)
    return game_creation.create_game(plan, person(by), "")


def link(game: Game, role: str = GameRole.PLAYER, **more: Any) -> str:
    token = Invitation.objects.create(game=game, role=role, **more).token
    return f"/parties/invitation/{token}/"


def fill(game: Game, names: list[str]) -> None:
    for name in names:
        membership_actions.join_game(game, person(name))


def at(game: Game, path: str = "") -> str:
    return f"/parties/{game.key}/infos/{path}"


def roles(game: Game) -> dict[str, str]:
    return dict(game.memberships.filter(left_at=None).values_list("person__name", "role"))


def refused(answer: Any, said: str) -> None:
    assert answer.status_code == 409
    assert said in words(answer)
