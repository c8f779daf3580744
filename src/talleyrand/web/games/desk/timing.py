"""The open phase at the desk: who is missing, other dates, rest, judging it now."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db.models import Q

from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.games import audience, dating, inbox, referee, running
from talleyrand.web.games.models import RUNNING, Entry, Game, Revision, Role
from talleyrand.web.games.story import Story
from talleyrand.web.games.writing import writing

from .acts import Hand, NotDone, held, possible

logger = logging.getLogger(__name__)

REMIND_AGAIN = timedelta(hours=6)
MOST_HOURS = 24 * 60


def missing(game: Game) -> tuple[str, ...]:
    """The powers that have something to decide, no sheet yet, and are waited for."""
    if game.state not in RUNNING:
        return ()
    sheets = inbox.counting(game, game.number)
    lost = set(game.seats.filter(~Q(bot="") | Q(disorder=True)).values_list("power", flat=True))
    return tuple(power for power in deciding(game) if power not in sheets and power not in lost)


def deciding(game: Game) -> tuple[str, ...]:
    """The powers that have something to decide; nobody in a position that cannot be judged."""
    try:
        return Story(game).choosers(game.number)
    except TalleyrandError:
        return ()


def next_date(game: Game, now: datetime) -> datetime | None:
    """The date after the one that stands, by the rule of the game; after now where that one is over."""
    return dating.rhythm(game).extended(max(game.due, now), game.phase[-1:]) if game.due else None


@writing
def extend(game: Game, until: datetime, shown: datetime | None, *, hand: Hand, now: datetime) -> Game:
    """A later deadline than the one that was shown; a game master may also set an earlier one.

    Raises NotDone: redated (another deadline stands by now), past, earlier, not_playing.
    """
    with held(game) as fresh:
        if fresh.due != shown:
            raise NotDone("redated")
        sooner = hand.role == Role.MASTER and shown is not None and until < shown
        dated = possible(lambda: (running.set_due if sooner else running.extend)(fresh, until, now))
        hand.note(fresh, "redated", phase=fresh.phase, due=until.isoformat())
    return dated


@writing
def pause(game: Game, *, hand: Hand, now: datetime) -> Game:
    """The clock stops. Raises NotDone: not_playing."""
    with held(game) as fresh:
        rested = possible(lambda: running.pause(fresh, now))
        hand.note(fresh, "paused", phase=fresh.phase)
    return rested


@writing
def resume(game: Game, due: datetime | None = None, *, hand: Hand, now: datetime) -> Game:
    """The clock goes on, with the time that was left, or until `due`. Raises NotDone: not_paused, past."""
    with held(game) as fresh:
        resumed = possible(lambda: running.resume(fresh, now, due))
        hand.note(fresh, "resumed", phase=fresh.phase)
    return resumed


@writing
def retry(game: Game, *, hand: Hand, now: datetime) -> Game:
    """Let the clock try a parked game again. Raises NotDone: not_parked, not_playing."""
    with held(game) as fresh:
        tried = possible(lambda: running.unpark(fresh, now))
        hand.note(fresh, "retried", shown=False)
    return tried


@writing
def remind(game: Game, number: int, *, hand: Hand, now: datetime) -> tuple[str, ...]:
    """Remind those who are missing in phase `number`; the powers reminded.

    Raises NotDone: moved, nobody_missing, reminded (a short while ago).
    """
    with held(game) as fresh:
        if fresh.number != number or fresh.state not in RUNNING:
            raise NotDone("moved")
        if Entry.objects.filter(game=fresh, number=number, kind="reminded", at__gt=now - REMIND_AGAIN):
            raise NotDone("reminded")
        powers = missing(fresh)
        if not powers:
            raise NotDone("nobody_missing")
        people = [who for power in powers for who in audience.holder(fresh, power)]
        facts = {"phase": fresh.phase, "due": fresh.due.isoformat() if fresh.due else ""}
        audience.tell(fresh, people, "missing", f"missing:{number}:{now.isoformat()}", **facts)
        hand.note(fresh, "reminded", phase=fresh.phase)
    return powers


def adjudicate(game: Game, number: int, *, hand: Hand, now: datetime) -> Revision:
    """Judge phase `number` now, whoever is missing. Raises NotDone: moved, unjudged; and Unanswered."""
    with judging(game):
        return referee.adjudicate(game, number, now, hand.person)


@contextmanager
def judging(game: Game) -> Iterator[None]:
    """What goes wrong while the judge is at work, as NotDone: the game master has to know, and to go on."""
    try:
        yield
    except referee.Overtaken:
        raise NotDone("moved") from None
    except Unanswered:
        raise
    except Exception as problem:
        logger.exception("game %s phase %s failed at the desk", game.key, game.phase)
        raise NotDone("unjudged") from problem
