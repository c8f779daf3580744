"""What the director notes: rulings, and what he changes on a score, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Adjustment, Event, Ruling
from talleyrand.tournament.soundness import FRACTION

from .act import Act, board, check_text, check_time, next_number, person, round_of


@dataclass(frozen=True)
class AddRuling(Act):
    """An entry of the notebook."""

    kind: ClassVar[str] = "ruling_added"
    ruling: Ruling

    def on(self, event: Event) -> Event:
        """Under the next number."""
        return _with_ruling(event, next_number(event.rulings), self.ruling)


@dataclass(frozen=True)
class ChangeRuling(Act):
    """An entry says something else."""

    kind: ClassVar[str] = "ruling_changed"
    number: int
    ruling: Ruling

    def on(self, event: Event) -> Event:
        """In its place."""
        _check(event.rulings, self.number)
        return _with_ruling(event, self.number, self.ruling)


@dataclass(frozen=True)
class RemoveRuling(Act):
    """An entry is struck out."""

    kind: ClassVar[str] = "ruling_removed"
    number: int

    def on(self, event: Event) -> Event:
        """The log keeps it."""
        _check(event.rulings, self.number)
        return replace(event, rulings={at: one for at, one in event.rulings.items() if at != self.number})


def _with_ruling(event: Event, number: int, ruling: Ruling) -> Event:
    if ruling.round:
        round_of(event, ruling.round)
    if ruling.board:
        board(event, ruling.round, ruling.board)
    check_time(ruling.at)
    told = replace(ruling, text=check_text(ruling.text))
    return replace(event, rulings={**event.rulings, number: told})


@dataclass(frozen=True)
class Adjust(Act):
    """A sanction, or any ruling on points."""

    kind: ClassVar[str] = "adjusted"
    helps: ClassVar[bool] = False
    adjustment: Adjustment

    def on(self, event: Event) -> Event:
        """Under the next number."""
        return _with_adjustment(event, next_number(event.adjustments), self.adjustment)


@dataclass(frozen=True)
class ChangeAdjustment(Act):
    """Another value, or another reason."""

    kind: ClassVar[str] = "adjustment_changed"
    helps: ClassVar[bool] = False
    number: int
    adjustment: Adjustment

    def on(self, event: Event) -> Event:
        """In its place."""
        _check(event.adjustments, self.number)
        return _with_adjustment(event, self.number, self.adjustment)


@dataclass(frozen=True)
class RemoveAdjustment(Act):
    """The score is as it was played."""

    kind: ClassVar[str] = "adjustment_removed"
    helps: ClassVar[bool] = False
    number: int

    def on(self, event: Event) -> Event:
        """The log keeps it."""
        _check(event.adjustments, self.number)
        left = {at: one for at, one in event.adjustments.items() if at != self.number}
        return replace(event, adjustments=left)


def _check(held: Mapping[int, object], number: int) -> None:
    if number not in held:
        raise Refused("act_no_entry", number=str(number))


def _with_adjustment(event: Event, number: int, adjustment: Adjustment) -> Event:
    person(event, adjustment.person)
    if adjustment.round:
        round_of(event, adjustment.round)
    value = adjustment.value.strip()
    if not FRACTION.fullmatch(value):
        raise Refused("act_bad_value", value=value[:40])
    told = replace(adjustment, value=value, why=check_text(adjustment.why))
    return replace(event, adjustments={**event.adjustments, number: told})


ACTS: tuple[type[Act], ...] = (
    AddRuling,
    ChangeRuling,
    RemoveRuling,
    Adjust,
    ChangeAdjustment,
    RemoveAdjustment,
)
