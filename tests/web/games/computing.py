"""Games in which the computer plays seats, and what it does in them."""

from __future__ import annotations

from typing import Any

from talleyrand.web.games import computers
from talleyrand.web.games.models import ComputerTurn, Game, Role
from talleyrand.web.games.table import gathering, making, starting
from talleyrand.web.games.table.making import Plan
from talleyrand.web.games.terms import Terms
from talleyrand.web.practice import opponents_queues
from tests.web.cast import BEGUN, MASTER, person

from .acting import fresh
from .phases import EARLY

TWO = {"FRANCE": "Flora", "ENGLAND": "Edmond"}
BOTS = ("AUSTRIA", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def silent(_done: float) -> None:
    """Nobody watches."""


def gathered(*, led: bool = True, bots: str = "random", **terms: Any) -> Game:
    """Two people, and the computer for the seats that are left."""
    part = Role.MASTER if led else Role.PLAYER
    agreed = Terms(**{"rhythm": EARLY, "bots": bots, **terms})
    plan = Plan("À deux", "classic", "anjou_feu", agreed, listed=True, part=part)
    game = making.create(plan, person(MASTER if led else TWO["FRANCE"]), "")
    for name in list(TWO.values())[not led :]:
        gathering.join(game, person(name))
    return game


def begun(*, led: bool = True, bots: str = "random", **terms: Any) -> Game:
    """The same once it has begun, at BEGUN."""
    game = gathered(led=led, bots=bots, **terms)
    members = dict(game.memberships.filter(role=Role.PLAYER).values_list("person__name", "pk"))
    return starting.begin(game, BEGUN, chosen={power: members[name] for power, name in TWO.items()})


def claim(worker: str = "this-thread") -> ComputerTurn | None:
    row: ComputerTurn | None = opponents_queues.claim_one(computers.due(), worker)
    return row


def answer() -> int:
    """The computer does what is due, in the test's own thread; how many games had something to do."""
    done = 0
    while (row := claim()) is not None:
        computers.work(row, silent)
        done += 1
    return done


def sheets(game: Game) -> dict[str, list[str]]:
    """What the computer has handed in for the open phase."""
    number = fresh(game).number
    found = game.sheets.filter(number=number, origin="computer", withdrawn=None).order_by("receipt")
    return {one.power: one.lines for one in found}
