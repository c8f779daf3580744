"""What is done with the clock of a table: started, stopped, a minute more, the bell, going on at once.

Each act is logged as its doer's. One that finds what it wants already there changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import order_submission
from talleyrand.web.games.game_master import deadline_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor, GameMasterRefusal, locked_game
from talleyrand.web.games.models import RUNNING_STATES, Game, GameRole, GameState

from .models import Table, TablePlayer

SOON = timedelta(seconds=1)  # a deadline that is set lies ahead
MINUTE = timedelta(minutes=1)


def clock_mark(game: Game) -> str:
    """What a page writes into its buttons: an act on another moment of the clock is refused."""
    return f"{game.phase_number}.{game.deadline or game.time_left_when_paused or ''}"


def table_hand(table: Table, player: TablePlayer | None = None) -> GameMasterActor:
    """Who acts: a referee of the table, or the table itself."""
    return GameMasterActor(player.person if player else table.host, GameRole.GAME_MASTER)


def is_time_up(game: Game, now: datetime) -> bool:
    """Whether the bell of the open phase has rung."""
    return game.is_waiting or (game.deadline is not None and game.deadline <= now)


def start_clock(game: Game, hand: GameMasterActor, now: datetime) -> None:
    """Time passes from now on. Raises GameMasterRefusal: not_paused."""
    if game.state != GameState.PLAYING:
        deadline_actions.gm_resume_game(game, hand=hand, now=now)


def stop_clock(game: Game, hand: GameMasterActor, now: datetime) -> None:
    """Time stands still, where it is not up; orders are taken. Raises GameMasterRefusal: not_playing."""
    if game.state != GameState.PAUSED and not is_time_up(game, now):
        deadline_actions.gm_pause_game(game, hand=hand, now=now)


def add_minute(game: Game, hand: GameMasterActor, now: datetime) -> None:
    """A minute more, after the bell too: then orders are taken again. Raises GameMasterRefusal: not_playing,
    redated.
    """
    if game.state == GameState.PAUSED:
        _add_while_paused(game, hand)
    else:
        due = max(game.deadline or now, now) + MINUTE
        deadline_actions.gm_set_deadline(game, due, game.deadline, hand=hand, now=now)


@write_transaction
def _add_while_paused(game: Game, hand: GameMasterActor) -> None:
    with locked_game(game) as fresh:
        if fresh.state != GameState.PAUSED or fresh.time_left_when_paused != game.time_left_when_paused:
            raise GameMasterRefusal("redated")
        if fresh.time_left_when_paused is not None:
            fresh.time_left_when_paused += MINUTE
            fresh.save(update_fields=["time_left_when_paused"])
            hand.log(fresh, "minute_added", phase=fresh.phase)


def ring_bell(game: Game, hand: GameMasterActor, now: datetime) -> None:
    """Time is up: what is submitted or drafted counts, and whoever has nothing is waited for. Raises
    GameMasterRefusal: not_playing, redated.
    """
    if game.state == GameState.PAUSED:
        deadline_actions.gm_resume_game(game, now + SOON, hand=hand, now=now)
    elif not game.is_waiting and (game.deadline is None or game.deadline > now + SOON):
        deadline_actions.gm_set_deadline(game, now + SOON, game.deadline, hand=hand, now=now)


def resolve_now(game: Game, hand: GameMasterActor, now: datetime) -> None:
    """The phase is resolved with what is submitted or drafted; the units of whoever has nothing hold. Raises
    GameMasterRefusal: moved, unjudged; and QuestionRefusal.
    """
    if game.state in RUNNING_STATES:
        _submit_drafts(game, now)
        deadline_actions.gm_adjudicate_phase(game, game.phase_number, hand=hand, now=now)


@write_transaction
def _submit_drafts(game: Game, now: datetime) -> None:
    """What nobody has submitted counts as it is: the phase ends before its time."""
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    if fresh.phase_number != game.phase_number or fresh.state not in RUNNING_STATES:
        return
    sent = order_submission.counting_order_sets(fresh, fresh.phase_number)
    for seat in fresh.seats.exclude(power__in=sent):
        if lines := order_submission.draft_lines(seat, fresh.phase_number):
            order_submission.submit_draft(fresh, seat.power, lines, now)


ClockAct = Callable[[Game, GameMasterActor, datetime], None]
CLOCK_ACTS: dict[str, ClockAct] = {
    "start": start_clock,
    "pause": stop_clock,
    "minute": add_minute,
    "ring": ring_bell,
    "resolve": resolve_now,
}


def act_on_clock(table: Table, act: str, mark: str, hand: GameMasterActor, now: datetime) -> None:
    """One of `CLOCK_ACTS`, on the clock as it was when a page was made (see `clock_mark`); starting and
    stopping do no harm twice, and need no mark.

    Raises GameMasterRefusal: those of the act, and redated; and QuestionRefusal.
    """
    game = table.game
    if mark != clock_mark(game) and (mark or act not in ("start", "pause")):
        raise GameMasterRefusal("redated")
    CLOCK_ACTS[act](game, hand, now)
