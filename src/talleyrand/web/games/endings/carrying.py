"""Ends a game as its players agreed: by an accepted proposal, or at the agreed hour."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime

from django.db import InterfaceError, OperationalError
from django.utils import timezone

from talleyrand import variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.games import dating, referee, running
from talleyrand.web.games.models import RUNNING, Game, Proposal
from talleyrand.web.games.story import Story
from talleyrand.web.games.terms import Draw
from talleyrand.web.games.writing import writing

from . import finishing, proposals
from .finishing import Result
from .rules import Counts

logger = logging.getLogger(__name__)


def carry_out(game: Game, now: datetime) -> bool:
    """End the game if it is to end now; whether it did. Safe to call at any time, and twice."""
    fresh = Game.objects.get(pk=game.pk)
    if fresh.state not in RUNNING:
        return False
    accepted = proposals.accepted(fresh)
    if accepted is not None and accepted.counts == Counts.AUTUMN_DISORDER:
        return _play_in_disorder(fresh, now)
    result = _agreed(fresh, accepted) if accepted else _at_the_hour(fresh, now)
    return result is not None and _close(fresh, result, now)


def carry_out_now(game: Game) -> None:
    """The same for whoever has just agreed; where the judge cannot, the clock tells the game master so."""
    try:
        carry_out(game, timezone.now())
    except (referee.Overtaken, Unanswered, TalleyrandError):
        logger.exception("game %s: an agreement waits for the clock", game.key)


def settle_due(now: datetime) -> None:
    """Settle the proposals whose time of silence has come, and end what they end."""
    for proposal in proposals.due(now):
        try:
            carry_out(proposals.settle(proposal.game, proposal.pk, now), now)
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # one game’s fault keeps no other waiting; the clock parks what it cannot end
            logger.exception("game %s: its proposal could not be settled", proposal.game.key)


def _agreed(game: Game, proposal: Proposal) -> Result | None:
    board = variants.load(game.variant).board
    situation = _counted(game, proposal)
    if situation is None:
        return None
    if game.terms.draw is Draw.UNANIMOUS:
        return finishing.shared(game.terms, board, situation)
    return finishing.most("agreed", game.terms, board, situation)


def _counted(game: Game, proposal: Proposal) -> Result | None:
    """The position that a proposal means: as it is, or as it was when the year’s moves began."""
    story = Story(game)
    if proposal.counts != Counts.LAST_ADJUSTMENTS:
        return story.situation(game.number)
    year = game.phase[1:-1]
    numbers = [number for number, phase in enumerate(story.phases, 1) if phase[1:-1] == year]
    return story.situation(min(numbers, default=game.number))


def _at_the_hour(game: Game, now: datetime) -> Result | None:
    situation = Story(game).situation(game.number)
    if situation is None or not dating.hour_has_come(game, now):
        return None
    return finishing.at_date(game.terms, variants.load(game.variant).board, situation, now)


@writing
def _close(game: Game, result: Result, now: datetime) -> bool:
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if (fresh.version, fresh.state) != (game.version, game.state):
        return False
    running.close(fresh, result, now)
    return True


def _play_in_disorder(game: Game, now: datetime) -> bool:
    """Publish the open phase with every power in civil disorder, as the last one (Anjou Feu, V)."""
    taken = referee.snapshot(game, game.number, now)
    absent = sorted({*taken.absent, *taken.sheets})
    last = replace(taken, sheets={}, absent=absent, drafts=frozenset(), ends="agreed")
    return referee.publish(last, last.judged(), now) is not None
