"""Sets the dates of the open phase on the game’s row; whoever calls holds the row, and saves it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.web.common.prepared_queries import Given, PreparedQuery

from . import power_assignments
from .deadlines import DRAFT, DeadlineSettings
from .models import Absence, Game, GameState, PowerAssignment

# Sheets that arrived in time may still be waiting for their turn to be written.
SETTLE_TIME = timedelta(seconds=2)
# A clock that is no later than that counts from the deadline itself: dates do not creep.
PUNCTUAL_WITHIN = timedelta(minutes=10)
# In these a power without a sheet is nobody who has lost interest.
KINDS_BETWEEN_MOVEMENTS = ("R", "N", "A")
LONG_KINDS = "MP"  # kinds of phase in which people talk
LONGEST_WARNING = timedelta(hours=24)
SHORTEST_WARNING = timedelta(minutes=10)

ABSENCES = PreparedQuery(
    lambda: Absence.objects.filter(game=Given(Absence, "game"), withdrawn_at=None).order_by(
        "announced_at", "pk"
    )
)
# What these functions change, for `save(update_fields=DATES)`.
DEADLINE_FIELDS = (
    "phase",
    "phase_opened_at",
    "extension_count",
    "state",
    "time_left_when_paused",
    "deadline",
    "next_check_at",
    "is_waiting",
    "version",
)


def deadline_settings_of(game: Game) -> DeadlineSettings:
    return DeadlineSettings.from_json(game.settings.rhythm)


def is_draft(game: Game, phase: str) -> bool:
    """Whether a phase is one turn of many, in which whatever is handed in is final."""
    return phase[-1:] in variants.load(game.variant).definition.calendar.repeated


def deadline_kind(game: Game, phase: str) -> str:
    """By the rule for which kind of phase a phase is due."""
    return DRAFT if is_draft(game, phase) else phase[-1:]


def is_first_to_move(game: Game, phase: str) -> bool:
    """Whether a phase has the time of a game’s first one: the first in which people talk and move, which
    comes after the drafts and bids of a game that has some.
    """
    calendar = variants.load(game.variant).definition.calendar
    if calendar.start.kind in LONG_KINDS:
        return game.phase_number <= 1
    season = next(code[0] for code in calendar.cycle if code[1] in LONG_KINDS)
    found = Phase.parse(phase)
    year = game.settings.first_year or calendar.first.year
    begins = game.phase_number <= 1 or (found.season, found.year) == (season, year)
    return found.kind in LONG_KINDS and begins


def open_phase(game: Game, phase: str, now: datetime, deciding: Collection[str] | None = None) -> None:
    """A phase opens: when it is due, and when the clock has to look; paused, with all its time, where the
    game rests or each of its phases opens so. The turns of a draft go on.

    `deciding` are the powers whose announced absences move the date; all of them without it. Where nobody
    plays any of them, a game that does not wait once all are ready goes on at once.
    """
    game.phase, game.phase_opened_at, game.extension_count = phase, now, 0
    due = _regular(game, phase, now, deciding)
    if game.settings.opens_paused and not is_draft(game, phase):
        game.state = GameState.PAUSED
    rests = game.state == GameState.PAUSED
    game.time_left_when_paused = due - now if rests and due else None
    set_deadline(game, None if rests else due, now)
    if rests or not deciding or phase[-1:] not in KINDS_BETWEEN_MOVEMENTS:
        return
    if deadline_settings_of(game).plays_early:
        awaited = PowerAssignment.objects.filter(seat__game=game, seat__power__in=deciding, ended_at=None)
        if not awaited.exclude(person=None).filter(seat__in_civil_disorder=False).exists():
            game.next_check_at = now


def _regular(
    game: Game, phase: str, opened: datetime, deciding: Collection[str] | None = None
) -> datetime | None:
    days = game.settings.absence_days
    away = announced_absences(game, deciding) if days else []
    most = timedelta(days=days)
    return deadline_settings_of(game).next_deadline(
        deadline_kind(game, phase), opened, absences=away, most=most, first=is_first_to_move(game, phase)
    )


def deadline_after_absences(game: Game, deciding: Collection[str]) -> datetime | None:
    """When the open phase would be due by its rule, all absences announced by now considered."""
    return _regular(game, game.phase, game.phase_opened_at, deciding) if game.phase_opened_at else None


def is_moved_by_absences(game: Game, deciding: Collection[str]) -> bool:
    """Whether the open phase is due later than by its rule alone, for absences that were announced."""
    later = deadline_after_absences(game, deciding)
    if game.phase_opened_at is None or game.deadline is None or later is None:
        return False
    alone = deadline_settings_of(game).next_deadline(
        deadline_kind(game, game.phase), game.phase_opened_at, first=is_first_to_move(game, game.phase)
    )
    return alone is not None and alone < later <= game.deadline


def announced_absences(game: Game, powers: Collection[str] | None = None) -> list[tuple[datetime, datetime]]:
    """When those who play these powers will be away, in so far as it may move deadlines: of each the days
    he announced first, as many as the game allows.
    """
    rows: list[Absence] = ABSENCES.rows(game=game.pk)
    if not rows:  # as nearly always: nothing else need be read
        return []
    holders = power_assignments.players_by_power(game)
    people = {who for power, who in holders.items() if who and (powers is None or power in powers)}
    left = dict.fromkeys(people, timedelta(days=game.settings.absence_days))
    found = []
    for row in rows:
        if row.person_id not in people:
            continue
        length = min(row.ends_at - row.starts_at, left[row.person_id])
        if length > timedelta(0):
            left[row.person_id] -= length
            found.append((row.starts_at, row.starts_at + length))
    return found


def set_deadline(game: Game, due: datetime | None, now: datetime | None = None) -> None:
    """Another date for the open phase; nobody is waited for beyond it any more."""
    game.deadline, game.is_waiting = due, False
    game.next_check_at = next_check(game, now)
    game.version += 1


def next_check(game: Game, now: datetime | None) -> datetime | None:
    """When the clock has to look at a game whose date is set: to warn those who are late, at its end, and
    at the hour agreed for the end of the game.
    """
    return min((at for at in (_phase_look(game, now), game.settings.ends_at) if at), default=None)


def is_agreed_end_reached(game: Game, now: datetime) -> bool:
    """Whether the hour agreed for the end of the game is there; a phase due by then is played first."""
    hour = game.settings.ends_at
    if hour is None or now < hour:
        return False
    to_play = game.state == GameState.PLAYING and not game.is_waiting and not game.adjudication_error
    return not (to_play and game.deadline is not None and game.deadline <= hour)


def _phase_look(game: Game, now: datetime | None) -> datetime | None:
    if game.deadline is None:
        return None
    warning = warning_time(game)
    if warning is not None and now is not None and now < warning:
        return warning
    return game.deadline + SETTLE_TIME


def warning_time(game: Game) -> datetime | None:
    """When those without a sheet are reminded: when the last fifth of the phase begins, a day before its
    end at most; None for a phase that is too short.
    """
    fifth = last_fifth(game)
    if game.deadline is None or fifth < SHORTEST_WARNING:
        return None
    return game.deadline - min(fifth, LONGEST_WARNING)


def last_fifth(game: Game) -> timedelta:
    """How long the last fifth of the open phase lasts."""
    if game.deadline is None or game.phase_opened_at is None:
        return timedelta(0)
    return max(game.deadline - game.phase_opened_at, timedelta(0)) / 5


def orders_accepted_until(game: Game, *, missing: bool) -> datetime | None:
    """Until when a power’s sheet is taken, with grace for one that is `missing`; None: without end."""
    if game.state == GameState.PAUSED or game.deadline is None:
        return None
    if not missing:
        return game.deadline
    return None if game.is_waiting else game.deadline + deadline_settings_of(game).grace


def draft_counts_from(game: Game, drafted: datetime | None) -> datetime | None:
    """From when on a draft made at `drafted` stands for a sheet that was never submitted: the deadline, or
    the end of the grace for one made since. None where no hour is set: the game master says when.
    """
    if game.deadline is None or drafted is None or drafted <= game.deadline:
        return game.deadline
    return orders_accepted_until(game, missing=True)


def wake_clock(game: Game, at: datetime, *, ready: bool = True) -> None:
    """Have the clock look soon, where what has just happened may be what a game waits for.

    Not `ready`: somebody has handed in, and may still change his mind before the deadline.
    """
    late = game.deadline is not None and at > game.deadline
    early = is_draft(game, game.phase) or (ready and deadline_settings_of(game).plays_early)
    if late or game.is_waiting or early:
        asleep = Q(next_check_at=None) | Q(next_check_at__gt=at)
        Game.objects.filter(asleep, pk=game.pk, state=GameState.PLAYING, adjudication_error="").update(
            next_check_at=at
        )


def wake_clock_without_game_master(game: Game, now: datetime) -> None:
    """Somebody has left the desk: have the clock look at a game that waits for those who sit there."""
    waiting = Game.objects.filter(pk=game.pk, is_waiting=True, state=GameState.PLAYING, adjudication_error="")
    waiting.update(next_check_at=now)


def next_phase_start(game: Game, now: datetime) -> datetime:
    """From when the next phase counts: the deadline itself, where the clock came to it in time."""
    if game.deadline is None:
        return now
    for end in (game.deadline, game.deadline + deadline_settings_of(game).grace):
        if end <= now <= end + PUNCTUAL_WITHIN:
            return end
    return now
