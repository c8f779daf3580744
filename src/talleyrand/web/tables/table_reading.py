"""The reading: how far the room has read, on its screen, what became of the orders of the last phase.

It is of the phase as it was published: what a phase keeps secret is in no stop of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any

from talleyrand import variants
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import GameState, PhaseRevision

from . import table_seats, table_stage
from .models import Json, Table

OPENING, ALL, RESULT = "opening", "all", "result"  # stops besides the powers, whose codes are in capitals
HAS_SCREEN = "has_screen"  # kept with the reading: a screen has been opened
ACTS = ("next", "back", "all", "powers", "finish", "again")


@dataclass(frozen=True)
class Reading:
    """Phase `phase_number`, as its revision (a primary key) tells it, read as far as `step`.

    `order`: the powers that have orders in it, as they are read; `together`: all at once. `again`: it is read
    once more, whatever the clock does.
    """

    phase_number: int = 0
    revision: int = 0
    order: tuple[str, ...] = ()
    step: int = 0
    together: bool = False
    finished: bool = False
    again: bool = False

    @property
    def stops(self) -> tuple[str, ...]:
        """What is shown, one after the other."""
        return (OPENING, *((ALL,) if self.together and self.order else self.order), RESULT)

    @property
    def stop(self) -> str:
        """What is shown now."""
        return self.stops[min(self.step, len(self.stops) - 1)]

    @property
    def mark(self) -> str:
        """Names the stop, so that two who press a button at once turn one page."""
        return f"{self.revision}.{self.step}.{self.together:d}"

    def turned(self, act: str) -> Reading:
        """The same after one of `ACTS`."""
        last = len(self.stops) - 1
        if act == "next":
            return replace(self, step=self.step + 1) if self.step < last else self.turned("finish")
        if act == "back":
            return replace(self, step=max(min(self.step, last) - 1, 0), finished=False)
        if act == "finish":
            return replace(self, finished=True, again=False)
        if act == "again":
            return replace(self, step=0, finished=False, again=True)
        return replace(self, together=act == ALL, step=1)

    def as_json(self) -> Json:
        """As the table keeps it."""
        return {**asdict(self), "order": list(self.order)}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Reading:
        """From what the table keeps; what is missing is as at the beginning."""
        known: dict[str, Any] = {one.name: kept[one.name] for one in fields(cls) if one.name in kept}
        return cls(**{**known, "order": tuple(known.get("order", ()))})


def reading_of(table: Table, *, clock_ran: bool) -> Reading | None:
    """How far the last phase that was resolved has been read; None before the first.

    `clock_ran`: the clock has run in the phase that is open, which ends the reading where it is started by
    hand. Where it starts by itself, the screen shows the result at once.
    """
    last = (
        PhaseRevision.objects.filter(game=table.game, is_current=True, phase_number__gt=0)
        .defer("order_lines", "situation", "next_situation", "secret_part")
        .last()
    )
    if last is None:
        return None
    kept, by_hand = Reading.from_json(table.reading), table.clock_rules.by_hand
    if kept.phase_number > last.phase_number:  # the phase that was read has been taken back
        return replace(_begun(table, last), finished=True)
    if kept.revision != last.pk:
        corrected = kept.phase_number == last.phase_number and last.kind != "adjudication"
        kept = replace(_begun(table, last), together=kept.together)
        if corrected or not by_hand:
            kept = replace(kept, step=len(kept.stops) - 1)
    return replace(kept, finished=True) if by_hand and clock_ran and not kept.again else kept


def looks_at_screen(table: Table, now: datetime) -> bool:
    """Whether phones send those who hold them to the screen: there is one, on which the room reads, and the
    clock waits for it.
    """
    waits = table.clock_rules.by_hand and table.game.state == GameState.PAUSED
    if not waits or not table.reading.get(HAS_SCREEN):
        return False
    found = reading_of(table, clock_ran=table_stage.has_begun(table.game, now))
    return found is not None and not found.finished and not found.again


@write_transaction
def hang_screen(table: Table) -> None:
    """The room has a screen from now on."""
    fresh = Table.objects.select_for_update(of=("self",)).get(pk=table.pk)
    fresh.reading = {**fresh.reading, HAS_SCREEN: True}
    fresh.save(update_fields=["reading"])


@write_transaction
def turn_reading(table: Table, act: str, *, clock_ran: bool, mark: str = "") -> Reading | None:
    """Do one of `ACTS`; nothing where `mark` names another stop than the one that is shown."""
    fresh = Table.objects.select_for_update(of=("self",)).select_related("game").get(pk=table.pk)
    found = reading_of(fresh, clock_ran=clock_ran)
    if found is None or act not in ACTS or (mark and mark != found.mark):
        return found
    turned = found.turned(act)
    fresh.reading = {**turned.as_json(), HAS_SCREEN: fresh.reading.get(HAS_SCREEN, False)}
    fresh.save(update_fields=["reading"])
    table_seats.tell_table(fresh)
    return turned


def _begun(table: Table, revision: PhaseRevision) -> Reading:
    return Reading(revision.phase_number, revision.pk, reading_order(table, revision))


def reading_order(table: Table, revision: PhaseRevision) -> tuple[str, ...]:
    """Whose orders are read first: beginners’, then the others’; with each movement phase the next in turn
    begins, in the order of the variant.
    """
    told = {entry["power"] for entry in (revision.answer or {}).get("orders", ())}
    seats = [power for power in variants.load(table.game.variant).board.seats if power in told]
    if not seats:
        return ()
    before = table.game.revisions.filter(is_current=True, phase_number__lt=revision.phase_number)
    turn = before.filter(phase__endswith="M").count() % len(seats)
    beginners = set(table.players.filter(is_beginner=True).values_list("person", flat=True))
    held = power_assignments.players_by_power(table.game)
    return tuple(sorted(seats[turn:] + seats[:turn], key=lambda power: held.get(power) not in beginners))
