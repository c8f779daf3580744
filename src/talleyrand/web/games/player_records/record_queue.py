"""Counts the games that are over, each once, behind the pages."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.claims import Counted, Queue, Sweep, each
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.record_models import FinishedGame, PlayedGame

from . import game_facts, rating_history
from .reliability import recount_reliability

CLAIM_LENGTH = timedelta(minutes=2)
SECONDS_A_SWEEP = 5.0
MOST_ATTEMPTS = 5


def count_finished_games(now: datetime | None = None) -> int:
    """Count the games that are over and were not yet; how many."""
    return Sweep(QUEUE, now or timezone.now()).run()


def _due(now: datetime) -> QuerySet[FinishedGame]:
    return FinishedGame.objects.filter(due_at__lte=now).order_by("due_at", "pk")


def _count(sweep: Sweep, finished: FinishedGame) -> int:
    rows = game_facts.played_games(finished)
    pool = rating_history.rating_pool(finished.game) if sum(one.is_rated for one in rows) > 1 else ""
    _keep(sweep, finished, rows, pool)
    return 1


@write_transaction
def _keep(sweep: Sweep, finished: FinishedGame, rows: list[PlayedGame], pool: str) -> None:
    sweep.hold(finished)
    before = list(PlayedGame.objects.filter(finished=finished).values_list("person", flat=True))
    PlayedGame.objects.filter(finished=finished).delete()
    PlayedGame.objects.bulk_create(rows)
    recount_reliability([*before, *(row.person_id for row in rows)])
    sweep.leave(finished, due_at=None, attempts=0, pool=pool)
    for one in {pool, finished.pool} - {""}:
        rating_history.mark_ratings_due(one, finished.ended_at)


def withdraw_finished_game(game: int) -> None:
    """A game that was over is played again: nothing of it counts. Inside the transaction of that."""
    found = FinishedGame.objects.filter(game=game)
    people = list(PlayedGame.objects.filter(finished__in=found).values_list("person", flat=True))
    for pool, ended in found.exclude(pool="").values_list("pool", "ended_at"):
        rating_history.mark_ratings_due(pool, ended)
    found.delete()
    recount_reliability(people)


def _given_up(sweep: Sweep, finished: FinishedGame) -> int:
    """A game that cannot be read is counted for nobody; the log says why."""
    sweep.leave(finished, due_at=None)
    return 0


QUEUE = Queue(
    _due,
    each(_count),
    CLAIM_LENGTH,
    "a finished game",
    seconds=SECONDS_A_SWEEP,
    at_a_look=50,
    counted=Counted.EVERY,
    most_attempts=MOST_ATTEMPTS,
    exhausted=_given_up,
)
