"""Games in which the computer plays seats, and what it does in them."""

from __future__ import annotations

from typing import Any

from talleyrand.web.games import game_bots
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import game_creation, game_start, membership_actions
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import Game, GameRole
from tests.web.cast import BEGUN, MASTER, person
from tests.web.claims import claiming
from tests.web.claims.claiming import Claimed, go_on

from .acting import fresh
from .phases import EARLY

TWO = {"FRANCE": "Flora", "ENGLAND": "Edmond"}
BOTS = ("AUSTRIA", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def gathered(*, led: bool = True, bots: str = "random", **terms: Any) -> Game:
    """Two people, and the computer for the seats that are left."""
    part = GameRole.GAME_MASTER if led else GameRole.PLAYER
    agreed = GameSettings(**{"rhythm": EARLY, "bots": bots, **terms})
    plan = GamePlan("À deux", "classic", "anjou_feu", agreed, is_listed=True, role=part)
    game = game_creation.create_game(plan, person(MASTER if led else TWO["FRANCE"]), "")
    for name in list(TWO.values())[not led :]:
        membership_actions.join_game(game, person(name))
    return game


def begun(*, led: bool = True, bots: str = "random", **terms: Any) -> Game:
    """The same once it has begun, at BEGUN."""
    game = gathered(led=led, bots=bots, **terms)
    members = dict(game.memberships.filter(role=GameRole.PLAYER).values_list("person__name", "pk"))
    return game_start.start_game(game, BEGUN, chosen={power: members[name] for power, name in TWO.items()})


def claim() -> Claimed | None:
    """The next game in which the computer has something to do."""
    return claiming.claim(game_bots.GAME_BOT_QUEUE)


def answer() -> int:
    """The computer does what is due, in the test's own thread; how many games had something to do."""
    done = 0
    while (task := claim()) is not None:
        go_on(task)
        done += 1
    return done


def sheets(game: Game) -> dict[str, list[str]]:
    """What the computer has handed in for the open phase."""
    number = fresh(game).phase_number
    found = game.sheets.filter(phase_number=number, origin="computer", withdrawn_at=None).order_by(
        "receipt_number"
    )
    return {one.power: one.lines for one in found}
