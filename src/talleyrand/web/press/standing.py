"""What the rules of letters ask of a game and of a person, read from the tables."""

from __future__ import annotations

from talleyrand import variants
from talleyrand.web.games.models import RUNNING, Game, Membership, Role
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story

from .rules import Moment, Pen

JUDGED = ("P", "M", "R", "A")  # in a phase of a variant’s own a power may still have nothing


def moment(game: Game) -> Moment:
    """Where the game stands, and what was agreed."""
    terms = game.terms
    return Moment(
        press=terms.press,
        between=terms.press_between,
        declarations=terms.declarations,
        state=game.state,
        phase=game.phase[-1:],
        mastered=Membership.objects.filter(game=game, role=Role.MASTER, left=None).exists(),
    )


def pen(sight: Sight) -> Pen:
    """What the visitor may sign with."""
    acting = sight.acting
    lent = tuple(power for power in sight.powers if power not in acting)
    gone = eliminated(sight.game) if acting else frozenset()
    return Pen(sight.role, acting, lent, gone)


def eliminated(game: Game) -> frozenset[str]:
    """The powers without units and centres; empty before the start and after the end."""
    if game.state not in RUNNING or game.phase[-1:] not in JUDGED:
        return frozenset()
    situation = Story(game).situation(game.number)
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
