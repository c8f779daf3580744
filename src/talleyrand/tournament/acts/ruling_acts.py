"""What the director notes: rulings, and what he changes on a score, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.invariants import FRACTION
from talleyrand.tournament.model import DirectorRuling, Event, ScoreAdjustment

from .act import EventAct, check_text, check_time, event_act, find_board, find_person, find_round, next_number


@event_act("ruling_added")
class AddRuling(EventAct):
    """An entry of the notebook. Under the next number."""

    ruling: DirectorRuling

    def apply(self, event: Event) -> Event:
        return _with_ruling(event, next_number(event.rulings), self.ruling)


@event_act("ruling_changed")
class ChangeRuling(EventAct):
    """An entry says something else. In its place."""

    number: int
    ruling: DirectorRuling

    def apply(self, event: Event) -> Event:
        _check(event.rulings, self.number)
        return _with_ruling(event, self.number, self.ruling)


@event_act("ruling_removed")
class RemoveRuling(EventAct):
    """An entry is struck out. The log keeps it."""

    number: int

    def apply(self, event: Event) -> Event:
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


@event_act("adjusted", assistants_may=False)
class AddAdjustment(EventAct):
    """A sanction, or any ruling on points. Under the next number."""

    adjustment: ScoreAdjustment

    def apply(self, event: Event) -> Event:
        return _with_adjustment(event, next_number(event.adjustments), self.adjustment)


@event_act("adjustment_changed", assistants_may=False)
class ChangeAdjustment(EventAct):
    """Another value, or another reason. In its place."""

    number: int
    adjustment: ScoreAdjustment

    def apply(self, event: Event) -> Event:
        _check(event.adjustments, self.number)
        return _with_adjustment(event, self.number, self.adjustment)


@event_act("adjustment_removed", assistants_may=False)
class RemoveAdjustment(EventAct):
    """The score is as it was played. The log keeps it."""

    number: int

    def apply(self, event: Event) -> Event:
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
