"""Ratings as they follow from the finished games, in the order in which they ended.

A pool's ratings are a function of its games and of who wants to be rated: computed on from those that stand
or all over again, they are the same to the last byte. Whoever changes what they follow from says from when on
(`mark_ratings_due`), in the same transaction; the job computes from there.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from time import sleep

from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from talleyrand import ratings
from talleyrand.ratings import Rating
from talleyrand.web import background
from talleyrand.web.accounts.models import Person
from talleyrand.web.claims import Counted, Queue, Sweep, each
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.models import Game
from talleyrand.web.games.record_models import (
    RATING_JOB,
    FinishedGame,
    PlayedGame,
    RatingChange,
    RatingLedger,
    RatingPool,
)

CLAIM_LENGTH = timedelta(minutes=2)
SECONDS_A_SWEEP = 20.0
GAMES_A_BATCH, PEOPLE_A_QUERY = 100, 400
PAUSE = 0.1  # seconds between two looks
Known = dict[int, tuple[Rating, datetime]]


def rating_pool(game: Game) -> str:
    """The ratings that a game counts for."""
    is_gunboat = game.settings.press == PressSetting.NONE
    if game.seats.exclude(bot="").exists():
        return RatingPool.GUNBOAT_BOTS if is_gunboat else RatingPool.PRESS_BOTS
    return RatingPool.GUNBOAT if is_gunboat else RatingPool.PRESS


def mark_ratings_due(pool: str, since: datetime) -> None:
    """Have the ratings of a pool computed again from the games that ended then, inside a transaction."""
    RatingLedger.objects.get_or_create(pool=pool)
    ledger = RatingLedger.objects.filter(pool=pool)
    ledger.filter(Q(due_from=None) | Q(due_from__gt=since)).update(due_from=since)
    ledger.update(mark_count=F("mark_count") + 1)
    background.run_soon(RATING_JOB)


def mark_ratings_of_person(person: Person) -> None:
    """The same from somebody's first game in each pool: they want no rating any more, or one again."""
    games = PlayedGame.objects.filter(person=person, is_rated=True).order_by()
    for pool, since in games.values_list("finished__pool").annotate(Min("finished__ended_at")):
        mark_ratings_due(pool, since)


def compute_due_ratings(now: datetime | None = None) -> int:
    """Compute what is due in each pool; how many games that were."""
    return Sweep(QUEUE, now or timezone.now()).run()


def _due(_now: datetime) -> QuerySet[RatingLedger]:
    return RatingLedger.objects.filter(due_from__isnull=False).order_by("pool")


def _compute(sweep: Sweep, ledger: RatingLedger) -> int:
    known: Known = {}
    done = 0
    while ledger.due_from is not None and sweep.has_time:
        games, following = _next_games(ledger.pool, ledger.due_from)
        changes = _changes(ledger, games, known)
        if not _keep(sweep, ledger, changes, following):
            break  # something earlier has changed meanwhile: the next look begins there
        ledger.due_from = following
        done += len(games)
    sweep.leave(ledger, attempts=0)
    return done


QUEUE = Queue(
    _due,
    each(_compute),
    CLAIM_LENGTH,
    "the ratings of a pool",
    seconds=SECONDS_A_SWEEP,
    counted=Counted.EVERY,
)


def _next_games(pool: str, since: datetime) -> tuple[list[FinishedGame], datetime | None]:
    """Some games from a moment on, never one without those that ended with it; when the next one ended."""
    whole = FinishedGame.objects.filter(pool=pool, due_at=None, ended_at__gte=since)
    whole = whole.order_by("ended_at", "game__key")
    found = list(whole[: GAMES_A_BATCH + 1])
    if len(found) <= GAMES_A_BATCH:
        return found, None
    edge = found[-1].ended_at
    if earlier := [one for one in found if one.ended_at < edge]:
        return earlier, edge
    after = whole.filter(ended_at__gt=edge).values_list("ended_at", flat=True).first()
    return list(whole.filter(ended_at=edge)), after


def _changes(ledger: RatingLedger, games: Sequence[FinishedGame], known: Known) -> list[RatingChange]:
    """The rating of each player after each of these games; `known` goes on with them."""
    points = _points(games)
    _read_before(ledger, {one for several in points.values() for one in several} - known.keys(), known)
    found = []
    for game in games:
        played = points.get(game.pk, {})
        if len(played) < 2:
            continue
        before = {person: _rested(known.get(person), game.ended_at) for person in played}
        for person, after in ratings.rate_game(before, played).items():
            known[person] = after, game.ended_at
            found.append(
                RatingChange(
                    finished=game,
                    person_id=person,
                    pool=ledger.pool,
                    rating=after.rating,
                    deviation=after.deviation,
                    volatility=after.volatility,
                )
            )
    return found


def _rested(known: tuple[Rating, datetime] | None, at: datetime) -> Rating:
    if known is None:
        return Rating()
    rating, since = known
    return rating.after_days((at - since) / timedelta(days=1))


def _points(games: Iterable[FinishedGame]) -> Mapping[int, Mapping[int, Fraction]]:
    """For each game the points of those who are rated; whoever left it comes after all the others."""
    rows = PlayedGame.objects.filter(finished__in=[one.pk for one in games], is_rated=True)
    rows = rows.exclude(person__profile__is_rated=False).order_by("person")
    told: dict[int, dict[int, str]] = defaultdict(dict)
    for game, person, text in rows.values_list("finished", "person", "points"):
        told[game][person] = text
    found = {}
    for game, texts in told.items():
        known = {person: Fraction(text) for person, text in texts.items() if text}
        last = min(known.values(), default=Fraction(0)) - 1
        found[game] = {person: known.get(person, last) for person in texts}
    return found


def _read_before(ledger: RatingLedger, people: Iterable[int], known: Known) -> None:
    """What stands of some people before the games that are due."""
    waiting = sorted(people)
    for start in range(0, len(waiting), PEOPLE_A_QUERY):
        asked = waiting[start : start + PEOPLE_A_QUERY]
        rows = RatingChange.objects.filter(
            pool=ledger.pool, person__in=asked, finished__ended_at__lt=ledger.due_from
        ).order_by("finished__ended_at", "finished__game__key")
        for person, ended, *values in rows.values_list(
            "person", "finished__ended_at", "rating", "deviation", "volatility"
        ):
            known[person] = Rating(*values), ended


@write_transaction
def _keep(
    sweep: Sweep, ledger: RatingLedger, changes: Sequence[RatingChange], following: datetime | None
) -> bool:
    """Replace the ratings from the games that are due to `following`; False where more is due meanwhile."""
    mine = RatingLedger.objects.filter(
        pk=ledger.pk, claimed_by=ledger.claimed_by, mark_count=ledger.mark_count
    )
    if not mine.update(due_from=following, claimed_until=sweep.now + CLAIM_LENGTH):
        return False
    stale = RatingChange.objects.filter(pool=ledger.pool, finished__ended_at__gte=ledger.due_from)
    if following is not None:
        stale = stale.filter(finished__ended_at__lt=following)
    stale.delete()
    RatingChange.objects.bulk_create(changes, batch_size=200)
    return True


def mark_all_ratings_due() -> None:
    """Have all pools computed from their first game on."""
    games = FinishedGame.objects.exclude(pool="").order_by("pool")
    for pool, since in games.values_list("pool").annotate(Min("ended_at")):
        mark_ratings_due(pool, since)


def computed_again() -> list[tuple[str, int, str]]:
    """Compute all ratings from the first game on; for each pool how many there are, and their digest."""
    mark_all_ratings_due()
    latest = timezone.now() + CLAIM_LENGTH  # until when a site that computes them too may have claimed them
    while compute_due_ratings() or (_due(latest).exists() and timezone.now() < latest):
        sleep(PAUSE)
    pools = RatingChange.objects.order_by("pool").values_list("pool", flat=True).distinct()
    return [(pool, RatingChange.objects.filter(pool=pool).count(), ratings_digest(pool)) for pool in pools]


def ratings_digest(pool: str) -> str:
    """SHA-256 of all ratings of a pool, in the order of its games: the same from the same games."""
    digest = hashlib.sha256()
    for line in _lines(pool):
        digest.update(line.encode())
    return digest.hexdigest()


def _lines(pool: str) -> Iterator[str]:
    rows = RatingChange.objects.filter(pool=pool).order_by(
        "finished__ended_at", "finished__game__key", "person__folded_name"
    )
    for key, name, *values in rows.values_list(
        "finished__game__key", "person__folded_name", "rating", "deviation", "volatility"
    ).iterator():
        yield f"{key} {name} {' '.join(map(repr, values))}\n"
