"""Games in which the computer plays seats, and what it does in them."""

from __future__ import annotations

from typing import Any

from talleyrand.web.bots import bot_queue
from talleyrand.web.games import game_bots
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import game_creation, game_start, membership_actions
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import Game, GameBotTask, GameRole
from tests.web.cast import BEGUN, MASTER, person

from .acting import fresh
from .phases import EARLY

TWO = {"FRANCE": "Flora", "ENGLAND": "Edmond"}
BOTS = ("AUSTRIA", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def silent(_done: float) -> None:
    """Nobody watches."""


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


def claim(worker: str = "this-thread") -> GameBotTask | None:
    row: GameBotTask | None = bot_queue.claim_first(game_bots.due_game_bot_tasks(), worker)
    return row


def answer() -> int:
    """The computer does what is due, in the test's own thread; how many games had something to do."""
    done = 0
    while (row := claim()) is not None:
        game_bots.do_game_bot_task(row, silent)
        done += 1
    return done


def sheets(game: Game) -> dict[str, list[str]]:
    """What the computer has handed in for the open phase."""
    number = fresh(game).phase_number
    found = game.sheets.filter(phase_number=number, origin="computer", withdrawn_at=None).order_by(
        "receipt_number"
    )
    return {one.power: one.lines for one in found}
