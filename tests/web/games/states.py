"""A game of the 21 states, for tests: everybody has a state, and is called as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from talleyrand import variants
from talleyrand.web.games import order_submission, phase_adjudication
from talleyrand.web.games.game_settings import GameSettings, LandlessSeatRule
from talleyrand.web.games.lobby import game_creation, game_start, membership_actions
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import Game, GameRole, PhaseRevision
from tests.web.built_once import built_once
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
    part = GameRole.GAME_MASTER if led else GameRole.PLAYER
    plan = GamePlan("Le monde", NAME, "anjou_feu", GameSettings(**terms), is_listed=True, role=part)
    game = game_creation.create_game(plan, person(maker), "")
    for state in players:
        if player(state) != maker:
            membership_actions.join_game(game, person(player(state)))
    return game


@built_once
def begun(*, led: bool = True, **terms: Any) -> Game:
    """A game in which each has the state of their name, begun at BEGUN."""
    game = gathered(led=led, **terms)
    if game.settings.chair == LandlessSeatRule.PLAYER:
        membership_actions.join_game(game, person(player(UN)))
    members = game.memberships.filter(role=GameRole.PLAYER, left_at=None).select_related("person")
    known = {one.person.name: one.pk for one in members}
    chosen = {seat: known[player(seat)] for seat in (*STATES, UN) if player(seat) in known}
    return game_start.start_game(game, BEGUN, chosen=chosen)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def hand_in(game: Game, power: str, *lines: str, **more: Any) -> Any:
    now = fresh(game)
    sent: dict[str, Any] = {
        "number": now.phase_number,
        "key": "",
        "origin": "text",
        "at": now.phase_opened_at,
        **more,
    }
    return order_submission.submit_orders(now, power, list(lines), **sent)


@built_once
def played(game: Game, sheets: Mapping[str, Sequence[str]] | None = None) -> PhaseRevision:
    """The open phase published with these sheets; the states without one send an empty one."""
    phase = fresh(game)
    handed = order_submission.counting_order_sets(phase, phase.phase_number)
    for state in STATES:
        lines = (sheets or {}).get(state, ())
        if lines or not (phase.phase.endswith("P") or state in handed):
            hand_in(game, state, *lines)
    for seat in set(sheets or {}) - {*STATES}:
        hand_in(game, seat, *(sheets or {})[seat])
    return phase_adjudication.adjudicate_phase(
        phase, phase.phase_number, BEGUN + timedelta(days=phase.phase_number)
    )
