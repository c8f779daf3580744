"""One bell for all boards of a class."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime

from django.utils.translation import gettext as _

from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.game_master.action_base import GameMasterRefusal
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import RUNNING_STATES, Game, GameState

from . import class_sessions, clock_control, table_start
from .models import ClassSession, Table

logger = logging.getLogger(__name__)


def deal(table: Table, now: datetime) -> None:
    """The powers are dealt; a game that has begun stays as it is."""
    if table.game.state == GameState.GATHERING:
        table_start.start_table(table, now)


def _on_clock(act: str) -> Callable[[Table, datetime], None]:
    def done(table: Table, now: datetime) -> None:
        if table.game.state in RUNNING_STATES:
            clock_control.CLOCK_ACTS[act](table.game, clock_control.table_hand(table), now)

    return done


ACTS: dict[str, Callable[[Table, datetime], None]] = {
    "deal": deal,
    "start": _on_clock("start"),
    "pause": _on_clock("pause"),
    "ring": _on_clock("ring"),
    "next": _on_clock("resolve"),
}


ENDS_PHASE = ("ring", "next")


def ring_for_all(
    session: ClassSession, act: str, now: datetime, shown: Mapping[str, int] | None = None
) -> list[str]:
    """One of `ACTS` at every board; for each where it went wrong a sentence.

    What ends a phase is done where the phase is still the one that was `shown`, by the key of the game: a
    second press ends no second phase.
    """
    if act in ("deal", "start", "next"):
        release(session)
    tables = class_sessions.tables_of(session)
    if act in ENDS_PHASE:
        tables = [one for one in tables if (shown or {}).get(one.game.key) == one.game.phase_number]
    return [said for table in tables if (said := _rung(table, act, now))]


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
