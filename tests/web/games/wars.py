"""A First World War between two people, on line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from talleyrand.web.games import phase_adjudication, power_assignments
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import game_creation, game_start, membership_actions
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import Game, GameRole, Invitation
from tests.web.cast import MASTER, person

from .acting import fresh, hand_in

TWO = ("Flora", "Gaspard")
SIDES = (("ENGLAND", "FRANCE", "RUSSIA"), ("AUSTRIA", "GERMANY", "TURKEY"))
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY")


def begun(seed: str = "1914", submission: str = "", **terms: Any) -> Game:
    """Two players have drawn their sides, three powers each; nobody has Italy."""
    plan = GamePlan(
        name="Les deux camps",
        variant="first_world_war",
        rulebook="classic_1976",
        settings=GameSettings(shares=SIDES, split="two_sides", **terms),
        is_listed=True,
        role=GameRole.GAME_MASTER,
    )
    game = game_creation.create_game(plan, person(MASTER), submission)
    Game.objects.filter(pk=game.pk).update(seed=seed)
    for name in TWO:
        link = Invitation.objects.create(game=game)  # by which newcomers play in as many games as there are
        membership_actions.join_game(game, person(name), invitation=link)
    game_start.start_game(fresh(game), timezone.now(), person(MASTER))
    return fresh(game)


def player(game: Game, power: str) -> str:
    """Who of the two plays a power."""
    found = power_assignments.player_of(game, power)
    return next((name for name in TWO if person(name).pk == found), "")


def played(game: Game, sheets: Mapping[str, Sequence[str]] | None = None) -> Game:
    """The open phase with these orders, nothing from the others."""
    for power, lines in (sheets or {}).items():
        hand_in(game, power, lines)
    phase_adjudication.adjudicate_phase(fresh(game), fresh(game).phase_number, timezone.now())
    return fresh(game)


def to_winter(game: Game) -> Game:
    """Through 1914, in which only Norway and Bulgaria are taken."""
    played(game, {"ENGLAND": ["F EDI - NWG"], "TURKEY": ["A CON - BUL"]})
    return played(game, {"ENGLAND": ["F NWG - NWY"]})
