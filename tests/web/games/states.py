"""A game of the 21 states, for tests: everybody has a state, and is called as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from talleyrand import variants
from talleyrand.web.games import inbox, referee
from talleyrand.web.games.models import Game, Revision, Role
from talleyrand.web.games.table import gathering, making, starting
from talleyrand.web.games.table.making import Plan
from talleyrand.web.games.terms import Chair, Terms
from tests.web.cast import BEGUN, MASTER, person

NAME = "diplomatie_2000"
UN = "ONU"
STATES = variants.load(NAME).board.powers


def player(state: str) -> str:
    """Who plays a state."""
    return f"Joueur {state.title()}"


def gathered(*, led: bool = True, players: Sequence[str] = STATES, **terms: Any) -> Game:
    """A game whose players have come."""
    maker = MASTER if led else player(players[0])
    part = Role.MASTER if led else Role.PLAYER
    plan = Plan("Le monde", NAME, "anjou_feu", Terms(**terms), listed=True, part=part)
    game = making.create(plan, person(maker), "")
    for state in players:
        if player(state) != maker:
            gathering.join(game, person(player(state)))
    return game


def begun(*, led: bool = True, **terms: Any) -> Game:
    """A game in which each has the state of their name, begun at BEGUN."""
    game = gathered(led=led, **terms)
    if game.terms.chair == Chair.PLAYER:
        gathering.join(game, person(player(UN)))
    members = game.memberships.filter(role=Role.PLAYER, left=None).select_related("person")
    known = {one.person.name: one.pk for one in members}
    chosen = {seat: known[player(seat)] for seat in (*STATES, UN) if player(seat) in known}
    return starting.begin(game, BEGUN, chosen=chosen)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def hand_in(game: Game, power: str, *lines: str, **more: Any) -> Any:
    now = fresh(game)
    sent: dict[str, Any] = {"number": now.number, "key": "", "origin": "text", "at": now.opened, **more}
    return inbox.hand_in(now, power, list(lines), **sent)


def played(game: Game, sheets: Mapping[str, Sequence[str]] | None = None) -> Revision:
    """The open phase published with these sheets; the states without one send an empty one."""
    phase = fresh(game)
    handed = inbox.counting(phase, phase.number)
    for state in STATES:
        lines = (sheets or {}).get(state, ())
        if lines or not (phase.phase.endswith("P") or state in handed):
            hand_in(game, state, *lines)
    for seat in set(sheets or {}) - {*STATES}:
        hand_in(game, seat, *(sheets or {})[seat])
    return referee.adjudicate(phase, phase.number, BEGUN + timedelta(days=phase.number))
