"""What may happen to a running game besides its phases: it rests, goes on, gets other dates, ends."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from talleyrand import variants
from talleyrand.web import background
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import topic_versions

from . import game_log, phase_deadlines, recipients, secret_votes
from .endings import end_proposals, game_results, game_scores
from .game_history import GameHistory
from .models import ENDED_STATES, ClockOutage, Game, GameState, Json
from .record_models import RECORD_JOB, FinishedGame

# What may be wrong with a game that is parked.
POSITION_REFUSED, SITE_FAULT = "refused", "fault"
LONGEST_REASON = 1000


class LifecycleRefusal(Exception):
    """Nothing has changed: `not_playing`, `paused`, `already_paused`, `not_paused`, `already_running`, `past`
    (the date is over), `earlier` (it is before the date that stands), `not_parked`, `over`, `unreasoned` (a
    reason is asked for).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@write_transaction
def pause_game(game: Game, now: datetime) -> Game:
    """The open phase rests: no deadline; sheets are taken. Raises LifecycleRefusal."""
    fresh = _locked(game, GameState.PLAYING, "not_playing", paused="already_paused")
    fresh.time_left_when_paused = fresh.deadline - now if fresh.deadline and not fresh.is_waiting else None
    fresh.state = GameState.PAUSED
    phase_deadlines.set_deadline(fresh, None)
    fresh.save(update_fields=phase_deadlines.DEADLINE_FIELDS)
    _tell(fresh, "paused", f"paused:{fresh.phase_number}:{now.isoformat()}")
    return fresh


@write_transaction
def resume_game(game: Game, now: datetime, due: datetime | None = None) -> Game:
    """The open phase goes on, with the time that was left by the game’s rule, or until `due`.

    Raises LifecycleRefusal.
    """
    fresh = _locked(game, GameState.PAUSED, "not_paused", playing="already_running")
    if due is not None and due <= now:
        raise LifecycleRefusal("past")
    fresh.state = GameState.PLAYING
    phase_deadlines.set_deadline(fresh, due or _resumed(fresh, now), now)
    if phase_deadlines.deadline_settings_of(fresh).plays_early:
        fresh.next_check_at = now  # everybody may have finished meanwhile
    fresh.time_left_when_paused = None
    fresh.last_outage_id = (
        ClockOutage.objects.values_list("pk", flat=True).last() or 0
    )  # those of the pause cost nothing
    fresh.save(update_fields=["last_outage_id", *phase_deadlines.DEADLINE_FIELDS])
    _tell(fresh, "resumed", f"resumed:{fresh.phase_number}:{now.isoformat()}", due=_deadline_text(fresh))
    return fresh


def _resumed(game: Game, now: datetime) -> datetime | None:
    kind = phase_deadlines.deadline_kind(game, game.phase)
    if game.time_left_when_paused is not None:
        return phase_deadlines.deadline_settings_of(game).resumed_deadline(
            game.time_left_when_paused, now, kind
        )
    return phase_deadlines.deadline_settings_of(game).next_deadline(kind, now)


@write_transaction
def extend_deadline(game: Game, until: datetime, now: datetime | None = None) -> Game:
    """A later deadline for the open phase. Raises LifecycleRefusal."""
    fresh = _locked(game, GameState.PLAYING, "not_playing", paused="paused")
    if now is not None and until <= now:
        raise LifecycleRefusal("past")
    if fresh.deadline is not None and until <= fresh.deadline:
        raise LifecycleRefusal("earlier")
    return save_deadline_and_notify(fresh, until, now)


@write_transaction
def replace_deadline(game: Game, due: datetime | None, now: datetime) -> Game:
    """Any other deadline for the open phase, or none: then the game master says when. Raises
    LifecycleRefusal.
    """
    fresh = _locked(game, GameState.PLAYING, "not_playing", paused="paused")
    if due is not None and due <= now:
        raise LifecycleRefusal("past")
    return save_deadline_and_notify(fresh, due, now)


def save_deadline_and_notify(game: Game, due: datetime | None, now: datetime | None, **facts: Any) -> Game:
    """Keep another deadline and tell everybody, inside the transaction that holds the game."""
    phase_deadlines.set_deadline(game, due, now)
    game.save(update_fields=list(phase_deadlines.DEADLINE_FIELDS))
    _tell(
        game,
        "extended",
        f"extended:{game.phase_number}:{_deadline_text(game)}",
        due=_deadline_text(game),
        phase=game.phase,
        **facts,
    )
    return game


def recompute_for_absences(game: Game, now: datetime) -> Game:
    """Absences were announced: the open phase is due after them, if its date lies within."""
    fresh = Game.objects.get(pk=game.pk)
    return _reckon_absences(fresh, GameHistory(fresh).deciding_powers(fresh.phase_number), now)


@write_transaction
def _reckon_absences(game: Game, deciding: tuple[str, ...], now: datetime) -> Game:
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if fresh.phase_number != game.phase_number or fresh.state != GameState.PLAYING:
        return fresh
    due = phase_deadlines.deadline_after_absences(fresh, deciding)
    if fresh.deadline is None or due is None or not now < fresh.deadline < due:
        return fresh
    game_log.add_log_entry(fresh, "put_off", phase=fresh.phase, due=due.isoformat())
    return save_deadline_and_notify(fresh, due, now)


@write_transaction
def park_game(game: Game, trouble: str) -> None:
    """The game waits, for what is wrong with it; the others go on."""
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if (fresh.phase_number, fresh.state) != (game.phase_number, GameState.PLAYING):
        return  # it has moved on meanwhile: what is wrong is over
    fresh.adjudication_error, fresh.next_check_at = trouble, None
    fresh.save(update_fields=["adjudication_error", "next_check_at"])
    once = f"parked:{fresh.phase_number}:{fresh.version}"
    recipients.notify_about_game(
        fresh, recipients.game_master_ids(fresh), "parked", once, trouble=trouble, phase=fresh.phase
    )
    game_log.add_log_entry(fresh, "parked", shown=False, trouble=trouble)


@write_transaction
def unpark_game(game: Game, now: datetime) -> Game:
    """Try a game again that was parked; a date that has passed counts. Raises LifecycleRefusal."""
    fresh = _locked(game, GameState.PLAYING, "not_playing")
    if not fresh.adjudication_error:
        raise LifecycleRefusal("not_parked")
    fresh.adjudication_error, fresh.next_check_at, fresh.attempts = "", now, 0
    fresh.version += 1
    fresh.save(update_fields=["adjudication_error", "next_check_at", "attempts", "version"])
    return fresh


def end_game(game: Game, result: Json, now: datetime) -> None:
    """End a game with its points, inside the transaction that holds its row, and tell everybody."""
    result = game_scores.scored_result(game, result)
    _end(game, GameState.ENDED, result, now)
    game_log.add_log_entry(game, "ended", result=str(result["kind"]), powers=list(result["powers"]))
    _tell_ended(game, result)


@write_transaction
def abandon_game(game: Game, reason: str, now: datetime, *, role: str, by: Person) -> Game:
    """End a game without a result, for a reason that everybody is told. Raises LifecycleRefusal."""
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if fresh.state in ENDED_STATES:
        raise LifecycleRefusal("over")
    said = reason.replace("\x00", "").strip()[:LONGEST_REASON]
    if not said:
        raise LifecycleRefusal("unreasoned")
    result = _without_winner(fresh)
    _end(fresh, GameState.ABANDONED, result, now)
    game_log.add_log_entry(fresh, "abandoned", role=role, by=by, reason=said)
    _tell_ended(fresh, result, reason=said)
    return fresh


def _without_winner(game: Game) -> Json:
    """How the powers stand where a game breaks off; nothing of it before the start."""
    situation = GameHistory(game).situation(game.phase_number) if game.phase_number else None
    if situation is None:
        return {"kind": "abandoned", "powers": []}
    return game_results.make_result("abandoned", variants.load(game.variant).definition, situation, [])


def _end(game: Game, state: GameState, result: Json, now: datetime) -> None:
    end_proposals.lapse_end_proposals(game, now)
    game.state, game.ended_at, game.result = state, now, result
    game.phase, game.adjudication_error, game.time_left_when_paused = "", "", None
    phase_deadlines.set_deadline(game, None)
    game.save(
        update_fields=[
            "ended_at",
            "result",
            "adjudication_error",
            *phase_deadlines.DEADLINE_FIELDS,
        ]
    )
    game.seats.update(is_ready=False)
    secret_votes.reveal_secret_votes(game)
    if game.is_listed and game.phase_number:
        again = {"due_at": now, "attempts": 0}  # one that is corrected after its end still ended when it did
        FinishedGame.objects.update_or_create(
            game=game, defaults=again, create_defaults={**again, "ended_at": now}
        )
        background.run_soon(RECORD_JOB)


def _tell_ended(game: Game, result: Json, **facts: str) -> None:
    once = f"ended:{game.version}"  # a game may be opened again, and end once more
    _tell(game, "ended", once, result=str(result["kind"]), powers=list(result["powers"]), **facts)


def _locked(game: Game, state: str, otherwise: str, **codes: str) -> Game:
    """The game's row, where it is in `state`; else LifecycleRefusal, some states by a code of their own."""
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if fresh.state != state:
        raise LifecycleRefusal(codes.get(fresh.state, otherwise))
    return fresh


def _deadline_text(game: Game) -> str:
    return game.deadline.isoformat() if game.deadline else ""


def _tell(game: Game, kind: str, once: str, **facts: Any) -> None:
    recipients.notify_about_game(game, recipients.member_ids(game), kind, once, **facts)
    topic_versions.bump(topic_versions.game_topic(game.key))
