"""Sets the dates of the open phase on the game’s row; whoever calls holds the row, and saves it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q

from . import seats
from .deadlines import Rhythm
from .models import Absence, Game, State

# Sheets that arrived in time may still be waiting for their turn to be written.
SETTLING = timedelta(seconds=2)
# A clock that is no later than that counts from the deadline itself: dates do not creep.
PUNCTUAL = timedelta(minutes=10)
LONGEST_WARNING = timedelta(hours=24)
SHORTEST_WARNING = timedelta(minutes=10)

# What these functions change, for `save(update_fields=DATES)`.
DATES = ("phase", "opened", "extended", "due", "sweep", "waiting", "version")


def rhythm(game: Game) -> Rhythm:
    return Rhythm.read(game.terms.rhythm)


def open_phase(game: Game, phase: str, now: datetime, deciding: Collection[str] | None = None) -> None:
    """A phase opens: when it is due, and when the clock has to look.

    `deciding` are the powers whose announced absences move the date; all of them without it.
    """
    game.phase, game.opened, game.extended = phase, now, 0
    set_due(game, _regular(game, phase, now, deciding), now)


def _regular(
    game: Game, phase: str, opened: datetime, deciding: Collection[str] | None = None
) -> datetime | None:
    days = game.terms.absence_days
    away = announced(game, deciding) if days else []
    most = timedelta(days=days)
    return rhythm(game).due(phase[-1], opened, absences=away, most=most, first=game.number <= 1)


def after_absences(game: Game, deciding: Collection[str]) -> datetime | None:
    """When the open phase would be due by its rule, all absences announced by now considered."""
    return _regular(game, game.phase, game.opened, deciding) if game.opened else None


def is_put_off(game: Game, deciding: Collection[str]) -> bool:
    """Whether the open phase is due later than by its rule alone, for absences that were announced."""
    later = after_absences(game, deciding)
    if game.opened is None or game.due is None or later is None:
        return False
    alone = rhythm(game).due(game.phase[-1], game.opened, first=game.number <= 1)
    return alone is not None and alone < later <= game.due


def announced(game: Game, powers: Collection[str] | None = None) -> list[tuple[datetime, datetime]]:
    """When those who play these powers will be away, in so far as it may move deadlines: of each the days
    he announced first, as many as the game allows.
    """
    rows = Absence.objects.filter(game=game, withdrawn=None).order_by("asked", "pk")
    if not rows:  # as nearly always: nothing else need be read
        return []
    holders = seats.holders(game)
    people = {who for power, who in holders.items() if who and (powers is None or power in powers)}
    left = dict.fromkeys(people, timedelta(days=game.terms.absence_days))
    found = []
    for row in rows:
        if row.person_id not in people:
            continue
        length = min(row.until - row.since, left[row.person_id])
        if length > timedelta(0):
            left[row.person_id] -= length
            found.append((row.since, row.since + length))
    return found


def set_due(game: Game, due: datetime | None, now: datetime | None = None) -> None:
    """Another date for the open phase; nobody is waited for beyond it any more."""
    game.due, game.waiting = due, False
    game.sweep = next_look(game, now)
    game.version += 1


def next_look(game: Game, now: datetime | None) -> datetime | None:
    """When the clock has to look at a game whose date is set: to warn those who are late, at its end, and
    at the hour agreed for the end of the game.
    """
    return min((at for at in (_phase_look(game, now), game.terms.ends_at) if at), default=None)


def hour_has_come(game: Game, now: datetime) -> bool:
    """Whether the hour agreed for the end of the game is there; a phase due by then is played first."""
    hour = game.terms.ends_at
    if hour is None or now < hour:
        return False
    to_play = game.state == State.PLAYING and not game.waiting and not game.trouble
    return not (to_play and game.due is not None and game.due <= hour)


def _phase_look(game: Game, now: datetime | None) -> datetime | None:
    if game.due is None:
        return None
    warning = warned(game)
    if warning is not None and now is not None and now < warning:
        return warning
    return game.due + SETTLING


def warned(game: Game) -> datetime | None:
    """When those without a sheet are reminded: when the last fifth of the phase begins, a day before its
    end at most; None for a phase that is too short.
    """
    fifth = last_fifth(game)
    if game.due is None or fifth < SHORTEST_WARNING:
        return None
    return game.due - min(fifth, LONGEST_WARNING)


def last_fifth(game: Game) -> timedelta:
    """How long the last fifth of the open phase lasts."""
    if game.due is None or game.opened is None:
        return timedelta(0)
    return max(game.due - game.opened, timedelta(0)) / 5


def closes(game: Game, *, missing: bool) -> datetime | None:
    """Until when a power’s sheet is taken, with grace for one that is `missing`; None: without end."""
    if game.state == State.PAUSED or game.due is None:
        return None
    if not missing:
        return game.due
    return None if game.waiting else game.due + rhythm(game).grace


def counts_from(game: Game, drafted: datetime | None) -> datetime | None:
    """From when on a draft made at `drafted` stands for a sheet that was never submitted: the deadline, or
    the end of the grace for one made since. None where no hour is set: the game master says when.
    """
    if game.due is None or drafted is None or drafted <= game.due:
        return game.due
    return closes(game, missing=True)


def wake(game: Game, at: datetime, *, ready: bool = True) -> None:
    """Have the clock look soon, where what has just happened may be what a game waits for.

    Not `ready`: somebody has handed in, and may still change his mind before the deadline.
    """
    late = game.due is not None and at > game.due
    if late or game.waiting or (ready and rhythm(game).early):
        asleep = Q(sweep=None) | Q(sweep__gt=at)
        Game.objects.filter(asleep, pk=game.pk, state=State.PLAYING, trouble="").update(sweep=at)


def leaderless(game: Game, now: datetime) -> None:
    """Somebody has left the desk: have the clock look at a game that waits for those who sit there."""
    waiting = Game.objects.filter(pk=game.pk, waiting=True, state=State.PLAYING, trouble="")
    waiting.update(sweep=now)


def punctual(game: Game, now: datetime) -> datetime:
    """From when the next phase counts: the deadline itself, where the clock came to it in time."""
    if game.due is None:
        return now
    for end in (game.due, game.due + rhythm(game).grace):
        if end <= now <= end + PUNCTUAL:
            return end
    return now
