"""Ends a game as its players agreed: by an accepted proposal, or at the agreed hour."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime

from django.db import InterfaceError, OperationalError
from django.utils import timezone

from talleyrand import variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_lifecycle, phase_adjudication, phase_deadlines
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_settings import DrawRule
from talleyrand.web.games.models import RUNNING_STATES, EndProposal, Game

from . import end_proposals, game_results
from .end_proposal_rules import CountedPosition
from .game_results import GameResult

logger = logging.getLogger(__name__)


def end_game_if_agreed(game: Game, now: datetime) -> bool:
    """End the game if it is to end now; whether it did. Safe to call at any time, and twice."""
    fresh = Game.objects.get(pk=game.pk)
    if fresh.state not in RUNNING_STATES:
        return False
    accepted = end_proposals.accepted_end_proposal(fresh)
    if accepted is not None and accepted.counted_position == CountedPosition.AUTUMN_DISORDER:
        return _play_in_disorder(fresh, now)
    result = _agreed(fresh, accepted) if accepted else _at_the_hour(fresh, now)
    return result is not None and _close(fresh, result, now)


def end_game_if_just_agreed(game: Game) -> None:
    """The same for whoever has just agreed; where the judge cannot, the clock tells the game master so."""
    try:
        end_game_if_agreed(game, timezone.now())
    except (phase_adjudication.PhaseOvertaken, QuestionRefusal, TalleyrandError):
        logger.exception("game %s: an agreement waits for the clock", game.key)


def settle_due_proposals(now: datetime) -> None:
    """Settle the proposals whose time of silence has come, and end what they end."""
    for proposal in end_proposals.due_end_proposals(now):
        try:
            end_game_if_agreed(end_proposals.settle_end_proposal(proposal.game, proposal.pk, now), now)
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # one game’s fault keeps no other waiting; the clock parks what it cannot end
            logger.exception("game %s: its proposal could not be settled", proposal.game.key)


def _agreed(game: Game, proposal: EndProposal) -> GameResult | None:
    definition = variants.load(game.variant).definition
    situation = _counted(game, proposal)
    if situation is None:
        return None
    if game.settings.draw is DrawRule.UNANIMOUS:
        return game_results.shared_draw(definition, situation, game.settings.unplayed)
    return game_results.result_by_centres("agreed", definition, situation, game.settings.unplayed)


def _counted(game: Game, proposal: EndProposal) -> GameResult | None:
    """The position that a proposal means: as it is, or as it was when the year’s moves began."""
    story = GameHistory(game)
    if proposal.counted_position != CountedPosition.LAST_ADJUSTMENTS:
        return story.situation(game.phase_number)
    year = game.phase[1:-1]
    numbers = [number for number, phase in enumerate(story.published_phases, 1) if phase[1:-1] == year]
    return story.situation(min(numbers, default=game.phase_number))


def _at_the_hour(game: Game, now: datetime) -> GameResult | None:
    situation = GameHistory(game).situation(game.phase_number)
    if situation is None or not phase_deadlines.is_agreed_end_reached(game, now):
        return None
    return game_results.result_at_agreed_date(
        game.settings, variants.load(game.variant).definition, situation, now
    )


@write_transaction
def _close(game: Game, result: GameResult, now: datetime) -> bool:
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if (fresh.version, fresh.state) != (game.version, game.state):
        return False
    game_lifecycle.end_game(fresh, result, now)
    return True


def _play_in_disorder(game: Game, now: datetime) -> bool:
    """Publish the open phase with every power in civil disorder, as the last one (Anjou Feu, V)."""
    taken = phase_adjudication.take_snapshot(game, game.phase_number, now)
    absent = sorted({*taken.powers_without_orders, *taken.order_lines})
    last = replace(
        taken,
        order_lines={},
        powers_without_orders=absent,
        powers_with_draft_only=frozenset(),
        agreed_end_kind="agreed",
    )
    return phase_adjudication.publish_phase(last, last.adjudicate(), now) is not None
