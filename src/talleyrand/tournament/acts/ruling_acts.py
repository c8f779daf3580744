"""What the director notes: rulings, and what he changes on a score, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.invariants import FRACTION
from talleyrand.tournament.model import DirectorRuling, Event, ScoreAdjustment

from .act import (
    EventAct,
    check_text,
    check_time,
    find_board,
    find_person,
    find_round,
    next_number,
)


@dataclass(frozen=True)
class AddRuling(EventAct):
    """An entry of the notebook."""

    kind: ClassVar[str] = "ruling_added"
    ruling: DirectorRuling

    def apply(self, event: Event) -> Event:
        """Under the next number."""
        return _with_ruling(event, next_number(event.rulings), self.ruling)


@dataclass(frozen=True)
class ChangeRuling(EventAct):
    """An entry says something else."""

    kind: ClassVar[str] = "ruling_changed"
    number: int
    ruling: DirectorRuling

    def apply(self, event: Event) -> Event:
        """In its place."""
        _check(event.rulings, self.number)
        return _with_ruling(event, self.number, self.ruling)


@dataclass(frozen=True)
class RemoveRuling(EventAct):
    """An entry is struck out."""

    kind: ClassVar[str] = "ruling_removed"
    number: int

    def apply(self, event: Event) -> Event:
        """The log keeps it."""
        _check(event.rulings, self.number)
        return replace(event, rulings={at: one for at, one in event.rulings.items() if at != self.number})


def _with_ruling(event: Event, number: int, ruling: DirectorRuling) -> Event:
    if ruling.round:
        find_round(event, ruling.round)
    if ruling.board:
        find_board(event, ruling.round, ruling.board)
    check_time(ruling.at)
    told = replace(ruling, text=check_text(ruling.text))
    return replace(event, rulings={**event.rulings, number: told})


@dataclass(frozen=True)
class AddAdjustment(EventAct):
    """A sanction, or any ruling on points."""

    kind: ClassVar[str] = "adjusted"
    assistants_may: ClassVar[bool] = False
    adjustment: ScoreAdjustment

    def apply(self, event: Event) -> Event:
        """Under the next number."""
        return _with_adjustment(event, next_number(event.adjustments), self.adjustment)


@dataclass(frozen=True)
class ChangeAdjustment(EventAct):
    """Another value, or another reason."""

    kind: ClassVar[str] = "adjustment_changed"
    assistants_may: ClassVar[bool] = False
    number: int
    adjustment: ScoreAdjustment

    def apply(self, event: Event) -> Event:
        """In its place."""
        _check(event.adjustments, self.number)
        return _with_adjustment(event, self.number, self.adjustment)


@dataclass(frozen=True)
class RemoveAdjustment(EventAct):
    """The score is as it was played."""

    kind: ClassVar[str] = "adjustment_removed"
    assistants_may: ClassVar[bool] = False
    number: int

    def apply(self, event: Event) -> Event:
        """The log keeps it."""
        _check(event.adjustments, self.number)
        left = {at: one for at, one in event.adjustments.items() if at != self.number}
        return replace(event, adjustments=left)


def _check(held: Mapping[int, object], number: int) -> None:
    if number not in held:
        raise ActRefused("act_no_entry", number=str(number))


def _with_adjustment(event: Event, number: int, adjustment: ScoreAdjustment) -> Event:
    find_person(event, adjustment.person)
    if adjustment.round:
        find_round(event, adjustment.round)
    value = adjustment.value.strip()
    if not FRACTION.fullmatch(value):
        raise ActRefused("act_bad_value", value=value[:40])
    told = replace(adjustment, value=value, why=check_text(adjustment.why))
    return replace(event, adjustments={**event.adjustments, number: told})


ACTS: tuple[type[EventAct], ...] = (
    AddRuling,
    ChangeRuling,
    RemoveRuling,
    AddAdjustment,
    ChangeAdjustment,
    RemoveAdjustment,
)
