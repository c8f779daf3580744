"""One bell for all boards of a class."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import order_submission
from talleyrand.web.games.game_master import deadline_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor, GameMasterRefusal
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import RUNNING_STATES, Game, GameRole, GameState

from . import class_sessions, table_start
from .models import ClassSession, Table

SOON = timedelta(seconds=1)  # a deadline that is set lies ahead
logger = logging.getLogger(__name__)


def deal(table: Table, now: datetime) -> None:
    """The powers are dealt; a game that has begun stays as it is."""
    if table.game.state == GameState.GATHERING:
        table_start.start_table(table, now)


def start_clock(table: Table, now: datetime) -> None:
    if table.game.state == GameState.PAUSED:
        deadline_actions.gm_resume_game(table.game, hand=_hand(table), now=now)


def pause(table: Table, now: datetime) -> None:
    if table.game.state == GameState.PLAYING:
        deadline_actions.gm_pause_game(table.game, hand=_hand(table), now=now)


def ring(table: Table, now: datetime) -> None:
    """Time is up: what is submitted or drafted counts, and whoever has nothing is waited for."""
    game, hand = table.game, _hand(table)
    if game.state == GameState.PAUSED:
        deadline_actions.gm_resume_game(game, now + SOON, hand=hand, now=now)
    elif game.state == GameState.PLAYING and not game.is_waiting:
        deadline_actions.gm_set_deadline(game, now + SOON, game.deadline, hand=hand, now=now)


def resolve(table: Table, now: datetime) -> None:
    """The phase is resolved with what is submitted or drafted; the units of whoever has nothing hold."""
    if table.game.state in RUNNING_STATES:
        _submit_drafts(table.game, now)
        deadline_actions.gm_adjudicate_phase(table.game, table.game.phase_number, hand=_hand(table), now=now)


@write_transaction
def _submit_drafts(game: Game, now: datetime) -> None:
    """What nobody has submitted counts as it is: the teacher ends the phase before its time."""
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    sent = order_submission.counting_order_sets(fresh, fresh.phase_number)
    for seat in fresh.seats.exclude(power__in=sent):
        if lines := order_submission.draft_lines(seat, fresh.phase_number):
            order_submission.submit_draft(fresh, seat.power, lines, now)


ACTS: dict[str, Callable[[Table, datetime], None]] = {
    "deal": deal,
    "start": start_clock,
    "pause": pause,
    "ring": ring,
    "next": resolve,
}


def ring_for_all(session: ClassSession, act: str, now: datetime) -> list[str]:
    """One of `ACTS` at every board; for each where it went wrong a sentence. Twice does no harm."""
    if act in ("deal", "start", "next"):
        release(session)
    return [said for table in class_sessions.tables_of(session) if (said := _rung(table, act, now))]


def _rung(table: Table, act: str, now: datetime) -> str:
    try:
        ACTS[act](table, now)
    except (LobbyRefusal, QuestionRefusal) as refused:
        return f"{table.game.name}: {refused.sentence}"
    except GameMasterRefusal as refused:
        fresh = Game.objects.get(pk=table.game.pk)
        if (fresh.state, fresh.version) != (table.game.state, table.game.version):
            return ""  # it has moved on in the same moment: what was wanted is done, or no longer meant
        logger.warning("a board of a class refused %s: %s", act, refused.code)
        return _("%(board)s stays as it is. Open it to see why.") % {"board": table.game.name}
    return ""


def resolve_table(table: Table, now: datetime) -> list[str]:
    """The open phase of one table; what went wrong, in a sentence."""
    return [said] if (said := _rung(table, "next", now)) else []


def stop(session: ClassSession, now: datetime) -> None:
    """Everybody looks at the teacher: the clocks rest, and the phones show nothing else."""
    _set_stopped(session, now)
    ring_for_all(session, "pause", now)


def release(session: ClassSession) -> None:
    """The phones are free again; the clocks rest on."""
    _set_stopped(session, None)


@write_transaction
def _set_stopped(session: ClassSession, at: datetime | None) -> None:
    if session.stopped_at == at:
        return
    ClassSession.objects.filter(pk=session.pk).update(stopped_at=at)
    session.stopped_at = at
    class_sessions.tell_class(session)


def _hand(table: Table) -> GameMasterActor:
    return GameMasterActor(table.host, GameRole.GAME_MASTER)
