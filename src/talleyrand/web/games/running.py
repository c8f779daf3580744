"""What may happen to a running game besides its phases: it rests, goes on, gets other dates, ends."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.notices import counters

from . import audience, dating, log, sealing
from .endings import finishing, proposals
from .models import OVER, Game, Json, Outage, State
from .story import Story
from .writing import writing

# What may be wrong with a game that is parked.
REFUSED, FAULT = "refused", "fault"
LONGEST_REASON = 1000


class NotPossible(Exception):
    """Nothing has changed: `not_playing`, `not_paused`, `past` (the date is over), `earlier` (it is before
    the date that stands), `not_parked`, `over`, `unreasoned` (a reason is asked for).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@writing
def pause(game: Game, now: datetime) -> Game:
    """The open phase rests: no deadline; sheets are taken. Raises NotPossible."""
    fresh = _locked(game, State.PLAYING, "not_playing")
    fresh.paused_left = fresh.due - now if fresh.due and not fresh.waiting else None
    fresh.state = State.PAUSED
    dating.set_due(fresh, None)
    fresh.save(update_fields=["state", "paused_left", *dating.DATES])
    _tell(fresh, "paused", f"paused:{fresh.number}:{now.isoformat()}")
    return fresh


@writing
def resume(game: Game, now: datetime, due: datetime | None = None) -> Game:
    """The open phase goes on, with the time that was left by the game’s rule, or until `due`.

    Raises NotPossible.
    """
    fresh = _locked(game, State.PAUSED, "not_paused")
    if due is not None and due <= now:
        raise NotPossible("past")
    fresh.state = State.PLAYING
    dating.set_due(fresh, due or _resumed(fresh, now), now)
    if dating.rhythm(fresh).early:
        fresh.sweep = now  # everybody may have finished meanwhile
    fresh.paused_left = None
    fresh.outage = Outage.objects.values_list("pk", flat=True).last() or 0  # those of the pause cost nothing
    fresh.save(update_fields=["state", "paused_left", "outage", *dating.DATES])
    _tell(fresh, "resumed", f"resumed:{fresh.number}:{now.isoformat()}", due=_told(fresh))
    return fresh


def _resumed(game: Game, now: datetime) -> datetime | None:
    kind = game.phase[-1:]
    if game.paused_left is not None:
        return dating.rhythm(game).resumed(game.paused_left, now, kind)
    return dating.rhythm(game).due(kind, now)


@writing
def extend(game: Game, until: datetime, now: datetime | None = None) -> Game:
    """A later deadline for the open phase. Raises NotPossible."""
    fresh = _locked(game, State.PLAYING, "not_playing")
    if now is not None and until <= now:
        raise NotPossible("past")
    if fresh.due is not None and until <= fresh.due:
        raise NotPossible("earlier")
    return moved(fresh, until, now)


@writing
def set_due(game: Game, due: datetime | None, now: datetime) -> Game:
    """Any other deadline for the open phase, or none: then the game master says when. Raises NotPossible."""
    fresh = _locked(game, State.PLAYING, "not_playing")
    if due is not None and due <= now:
        raise NotPossible("past")
    return moved(fresh, due, now)


def moved(game: Game, due: datetime | None, now: datetime | None, **facts: Any) -> Game:
    """Keep another deadline and tell everybody, inside the transaction that holds the game."""
    dating.set_due(game, due, now)
    game.save(update_fields=list(dating.DATES))
    _tell(
        game, "extended", f"extended:{game.number}:{_told(game)}", due=_told(game), phase=game.phase, **facts
    )
    return game


def reckon_absences(game: Game, now: datetime) -> Game:
    """Absences were announced: the open phase is due after them, if its date lies within."""
    fresh = Game.objects.get(pk=game.pk)
    return _reckon_absences(fresh, Story(fresh).choosers(fresh.number), now)


@writing
def _reckon_absences(game: Game, deciding: tuple[str, ...], now: datetime) -> Game:
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if fresh.number != game.number or fresh.state != State.PLAYING:
        return fresh
    due = dating.after_absences(fresh, deciding)
    if fresh.due is None or due is None or not now < fresh.due < due:
        return fresh
    log.note(fresh, "put_off", phase=fresh.phase, due=due.isoformat())
    return moved(fresh, due, now)


@writing
def park(game: Game, trouble: str) -> None:
    """The game waits, for what is wrong with it; the others go on."""
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if (fresh.number, fresh.state) != (game.number, State.PLAYING):
        return  # it has moved on meanwhile: what is wrong is over
    fresh.trouble, fresh.sweep = trouble, None
    fresh.save(update_fields=["trouble", "sweep"])
    once = f"parked:{fresh.number}:{fresh.version}"
    audience.tell(fresh, audience.masters(fresh), "parked", once, trouble=trouble, phase=fresh.phase)
    log.note(fresh, "parked", shown=False, trouble=trouble)


@writing
def unpark(game: Game, now: datetime) -> Game:
    """Try a game again that was parked; a date that has passed counts. Raises NotPossible."""
    fresh = _locked(game, State.PLAYING, "not_playing")
    if not fresh.trouble:
        raise NotPossible("not_parked")
    fresh.trouble, fresh.sweep, fresh.attempts = "", now, 0
    fresh.version += 1
    fresh.save(update_fields=["trouble", "sweep", "attempts", "version"])
    return fresh


def close(game: Game, result: Json, now: datetime) -> None:
    """End a game, inside the transaction that holds its row, and tell everybody."""
    _end(game, State.ENDED, result, now)
    log.note(game, "ended", result=str(result["kind"]), powers=list(result["powers"]))
    _tell_ended(game, result)


@writing
def abandon(game: Game, reason: str, now: datetime, *, role: str, by: Person) -> Game:
    """End a game without a result, for a reason that everybody is told. Raises NotPossible."""
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if fresh.state in OVER:
        raise NotPossible("over")
    said = reason.replace("\x00", "").strip()[:LONGEST_REASON]
    if not said:
        raise NotPossible("unreasoned")
    result = _without_winner(fresh)
    _end(fresh, State.ABANDONED, result, now)
    log.note(fresh, "abandoned", role=role, by=by, reason=said)
    _tell_ended(fresh, result, reason=said)
    return fresh


def _without_winner(game: Game) -> Json:
    """How the powers stand where a game breaks off; nothing of it before the start."""
    situation = Story(game).situation(game.number) if game.number else None
    if situation is None:
        return {"kind": "abandoned", "powers": []}
    return finishing.result("abandoned", game.terms, variants.load(game.variant).board, situation, [])


def _end(game: Game, state: State, result: Json, now: datetime) -> None:
    proposals.lapse(game, now)
    game.state, game.ended, game.result = state, now, result
    game.phase, game.trouble, game.paused_left = "", "", None
    dating.set_due(game, None)
    game.save(update_fields=["state", "ended", "result", "trouble", "paused_left", *dating.DATES])
    game.seats.update(final=False)
    sealing.unseal(game)


def _tell_ended(game: Game, result: Json, **facts: str) -> None:
    once = f"ended:{game.version}"  # a game may be opened again, and end once more
    _tell(game, "ended", once, result=str(result["kind"]), powers=list(result["powers"]), **facts)


def _locked(game: Game, state: str, otherwise: str) -> Game:
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if fresh.state != state:
        raise NotPossible(otherwise)
    return fresh


def _told(game: Game) -> str:
    return game.due.isoformat() if game.due else ""


def _tell(game: Game, kind: str, once: str, **facts: Any) -> None:
    audience.tell(game, audience.everybody(game), kind, once, **facts)
    counters.bump(counters.game_topic(game.key))
