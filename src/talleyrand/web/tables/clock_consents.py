"""What players ask of the clock from their phones, done once all whom it concerns have agreed (001 IV)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.accounts import guests
from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game, GameState
from talleyrand.web.notifications import topic_versions

from . import clock_control
from .models import Table, TablePlayer

CONSENTS_KEY = "clock"  # the part of `Table.consents` that is kept here
PLAYERS = PreparedQuery(
    lambda: TablePlayer.objects.filter(table=Given(TablePlayer, "table")).select_related("person")
)
WHILE_STOPPED, WHILE_RUNNING = ("start", "minute"), ("resolve", "minute", "pause")  # of `CLOCK_ACTS`


class ConsentRefusal(Exception):
    """Nothing has changed. `moved` (another moment of the game by now), `not_asked` (no say in it)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Wish:
    """An act on the clock that may be wished now: the seats that want it, and those whose word is needed."""

    act: str
    agreed: tuple[TablePlayer, ...]
    needed: tuple[TablePlayer, ...]

    @property
    def title(self) -> str:
        """What it does, as a button says it."""
        return {
            "start": pgettext("table", "Start the clock"),
            "resolve": _("Resolve now"),
            "minute": _("One more minute"),
            "pause": _("Stop the clock"),
        }[self.act]

    @property
    def count(self) -> str:
        """How many agree: 3 of 7."""
        return _("%(agreed)s of %(all)s agree") % {"agreed": len(self.agreed), "all": len(self.needed)}

    @property
    def names(self) -> str:
        """Who agrees."""
        return ", ".join(guests.guest_name(one.person) for one in self.agreed)


def wishes(table: Table, *, only_asked: bool = False) -> list[Wish]:
    """All that players may wish now, or what some do already; nothing while no phase is open."""
    game, kept = table.game, _current_consents(table)
    if game.state not in RUNNING_STATES or (only_asked and not any(kept.values())):
        return []
    acts = WHILE_STOPPED if game.state == GameState.PAUSED else WHILE_RUNNING
    needed = concerned(table)
    return [
        Wish(act, tuple(one for one in needed if one.number in kept.get(act, ())), needed)
        for act in acts
        if kept.get(act) or not only_asked
    ]


def concerned(table: Table) -> tuple[TablePlayer, ...]:
    """The players who have something to decide in the open phase."""
    game = table.game
    try:
        deciding = GameHistory(game).deciding_powers(game.phase_number)
    except TalleyrandError:
        return ()
    holders = dict(power_assignments.assignments_in_order(game))
    people = {holders.get(power) for power in deciding}
    return tuple(one for one in PLAYERS.rows(table=table.pk) if one.number and one.person_id in people)


def _moment(game: Game) -> list[object]:
    """For what an agreement holds: it is forgotten when a phase, or the clock, moves on."""
    return [game.phase_number, game.state]


def _current_consents(table: Table) -> dict[str, list[int]]:
    kept = table.consents.get(CONSENTS_KEY, {})
    found: dict[str, list[int]] = kept.get("wants", {}) if kept.get("moment") == _moment(table.game) else {}
    return found


def agree(
    table: Table, player: TablePlayer, act: str, mark: str, now: datetime, *, wants: bool = True
) -> bool:
    """A player wants something of the clock, or no longer does; whether it has come about, since all want it.

    Raises ConsentRefusal, and what the act raises (see `clock_control`).
    """
    done = _agreed(table, player, act, mark, wants=wants)
    if done is not None:
        clock_control.CLOCK_ACTS[done.act](table.game, clock_control.table_hand(table), now)
    return done is not None


@write_transaction
def _agreed(table: Table, player: TablePlayer, act: str, mark: str, *, wants: bool) -> Wish | None:
    fresh = Table.objects.select_for_update(of=("self",)).select_related("game", "host").get(pk=table.pk)
    if mark and mark != clock_control.clock_mark(fresh.game):
        raise ConsentRefusal("moved")
    wish = next((one for one in wishes(fresh) if one.act == act), None)
    if wish is None:
        raise ConsentRefusal("moved")
    if player.pk not in {one.pk for one in wish.needed}:
        raise ConsentRefusal("not_asked")
    seats = {one.number for one in wish.agreed} - {player.number} | ({player.number} if wants else set())
    complete = len(seats) == len(wish.needed)
    kept = {**_current_consents(fresh), act: [] if complete else sorted(seats)}
    fresh.consents = {**fresh.consents, CONSENTS_KEY: {"moment": _moment(fresh.game), "wants": kept}}
    fresh.save(update_fields=["consents"])
    topic_versions.bump(topic_versions.game_topic(fresh.game.key))
    return wish if complete else None


def consent_refusal_text(code: str) -> str:
    """Why a wish was not taken."""
    return {
        "moved": _("The clock has moved on. Nothing was changed."),
        "not_asked": _("You have nothing to decide in this phase."),
    }[code]
