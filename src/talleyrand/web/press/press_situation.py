"""What the rules of letters ask of a game and of a person, read from the tables."""

from __future__ import annotations

from talleyrand import variants
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import (
    RUNNING_STATES,
    Game,
    GameMembership,
    GameRole,
)
from talleyrand.web.games.viewer_permissions import GameViewer

from .press_rules import PressAuthor, PressSituation

JUDGED = ("P", "M", "R", "A")  # in a phase of a variant’s own a power may still have nothing


def press_situation(game: Game) -> PressSituation:
    """Where the game stands, and what was agreed."""
    terms = game.settings
    return PressSituation(
        press=terms.press,
        between=terms.press_between,
        declarations=terms.declarations,
        state=game.state,
        phase=game.phase[-1:],
        has_game_master=GameMembership.objects.filter(
            game=game, role=GameRole.GAME_MASTER, left_at=None
        ).exists(),
    )


def press_author(sight: GameViewer) -> PressAuthor:
    """What the visitor may sign with."""
    acting = sight.orderable_powers
    lent = tuple(power for power in sight.powers if power not in acting)
    gone = eliminated_powers(sight.game) if acting else frozenset()
    return PressAuthor(sight.role, acting, lent, gone)


def eliminated_powers(game: Game) -> frozenset[str]:
    """The powers without units and centres; empty before the start and after the end."""
    if game.state not in RUNNING_STATES or game.phase[-1:] not in JUDGED:
        return frozenset()
    situation = GameHistory(game).situation(game.phase_number)
    if situation is None:
        return frozenset()
    alive = {
        power
        for name in ("units", "dislodged", "centers")
        for power, things in (situation.get(name) or {}).items()
        if things
    }
    landless = variants.load(game.variant).board.landless  # alive without anything
    return frozenset(set(game.seats.values_list("power", flat=True)) - alive - {*landless})
