"""The open phase at the desk: who is missing, other dates, rest, judging it now."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db.models import Q

from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import (
    game_lifecycle,
    order_submission,
    phase_adjudication,
    phase_deadlines,
    recipients,
)
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game, GameLogEntry, GameRole, PhaseRevision

from .action_base import GameMasterActor, GameMasterRefusal, as_game_master_refusal, locked_game

logger = logging.getLogger(__name__)

REMIND_AGAIN_AFTER = timedelta(hours=6)
MOST_EXTENSION_HOURS = 24 * 60
FURTHEST = timedelta(days=366)  # a date beyond it has a mistyped year


def powers_missing_orders(game: Game) -> tuple[str, ...]:
    """The powers that have something to decide, no sheet yet, and are waited for."""
    if game.state not in RUNNING_STATES:
        return ()
    sheets = order_submission.counting_order_sets(game, game.phase_number)
    lost = set(game.seats.filter(~Q(bot="") | Q(in_civil_disorder=True)).values_list("power", flat=True))
    return tuple(
        power for power in powers_with_orders_to_give(game) if power not in sheets and power not in lost
    )


def powers_with_orders_to_give(game: Game) -> tuple[str, ...]:
    """The powers that have something to decide; nobody in a position that cannot be judged."""
    try:
        return GameHistory(game).deciding_powers(game.phase_number)
    except TalleyrandError:
        return ()


def next_deadline(game: Game, now: datetime) -> datetime | None:
    """The date after the one that stands, by the rule of the game; after now where that one is over."""
    return (
        phase_deadlines.deadline_settings_of(game).extended_deadline(
            max(game.deadline, now), phase_deadlines.deadline_kind(game, game.phase)
        )
        if game.deadline
        else None
    )


@write_transaction
def gm_set_deadline(
    game: Game, until: datetime, shown: datetime | None, *, hand: GameMasterActor, now: datetime
) -> Game:
    """A later deadline than the one that was shown; a game master may also set an earlier one.

    Raises GameMasterRefusal: redated (another deadline stands by now), too_far, past, earlier, not_playing,
    paused.
    """
    _check_near(until, now)
    with locked_game(game) as fresh:
        if fresh.deadline != shown:
            raise GameMasterRefusal("redated")
        sooner = hand.role == GameRole.GAME_MASTER and shown is not None and until < shown
        dated = as_game_master_refusal(
            lambda: (game_lifecycle.replace_deadline if sooner else game_lifecycle.extend_deadline)(
                fresh, until, now
            )
        )
        hand.log(fresh, "redated", phase=fresh.phase, due=until.isoformat())
    return dated


def _check_near(until: datetime, now: datetime) -> None:
    if until > now + FURTHEST:
        raise GameMasterRefusal("too_far")


@write_transaction
def gm_pause_game(game: Game, *, hand: GameMasterActor, now: datetime) -> Game:
    """The clock stops. Raises GameMasterRefusal: not_playing, already_paused."""
    with locked_game(game) as fresh:
        rested = as_game_master_refusal(lambda: game_lifecycle.pause_game(fresh, now))
        hand.log(fresh, "paused", phase=fresh.phase)
    return rested


@write_transaction
def gm_resume_game(game: Game, due: datetime | None = None, *, hand: GameMasterActor, now: datetime) -> Game:
    """The clock goes on, with the time that was left, or until `due`. Raises GameMasterRefusal: not_paused,
    already_running, too_far, past.
    """
    if due is not None:
        _check_near(due, now)
    with locked_game(game) as fresh:
        resumed = as_game_master_refusal(lambda: game_lifecycle.resume_game(fresh, now, due))
        hand.log(fresh, "resumed", phase=fresh.phase)
    return resumed


@write_transaction
def gm_retry_adjudication(game: Game, *, hand: GameMasterActor, now: datetime) -> Game:
    """Let the clock try a parked game again. Raises GameMasterRefusal: not_parked, not_playing."""
    with locked_game(game) as fresh:
        tried = as_game_master_refusal(lambda: game_lifecycle.unpark_game(fresh, now))
        hand.log(fresh, "retried", shown=False)
    return tried


@write_transaction
def remind_missing_players(
    game: Game, number: int, *, hand: GameMasterActor, now: datetime
) -> tuple[str, ...]:
    """Remind those who are missing in phase `number`; the powers reminded.

    Raises GameMasterRefusal: moved, nobody_missing, reminded (a short while ago).
    """
    with locked_game(game) as fresh:
        if fresh.phase_number != number or fresh.state not in RUNNING_STATES:
            raise GameMasterRefusal("moved")
        if GameLogEntry.objects.filter(
            game=fresh, phase_number=number, kind="reminded", created_at__gt=now - REMIND_AGAIN_AFTER
        ):
            raise GameMasterRefusal("reminded")
        powers = powers_missing_orders(fresh)
        if not powers:
            raise GameMasterRefusal("nobody_missing")
        people = [who for power in powers for who in recipients.player_ids_of(fresh, power)]
        facts = {"phase": fresh.phase, "due": fresh.deadline.isoformat() if fresh.deadline else ""}
        recipients.notify_about_game(fresh, people, "missing", f"missing:{number}:{now.isoformat()}", **facts)
        hand.log(fresh, "reminded", phase=fresh.phase)
    return powers


def gm_adjudicate_phase(game: Game, number: int, *, hand: GameMasterActor, now: datetime) -> PhaseRevision:
    """Judge phase `number` now, whoever is missing. Raises GameMasterRefusal: moved, unjudged; and
    Unanswered.
    """
    with adjudication_errors_as_refusals(game):
        return phase_adjudication.adjudicate_phase(game, number, now, hand.person)


@contextmanager
def adjudication_errors_as_refusals(game: Game) -> Iterator[None]:
    """What goes wrong while the judge is at work, as GameMasterRefusal: the game master has to know, and to
    go on.
    """
    try:
        yield
    except phase_adjudication.PhaseOvertaken:
        raise GameMasterRefusal("moved") from None
    except QuestionRefusal:
        raise
    except Exception as problem:
        logger.exception("game %s phase %s failed at the desk", game.key, game.phase)
        raise GameMasterRefusal("unjudged") from problem
