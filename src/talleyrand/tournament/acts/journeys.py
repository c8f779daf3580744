"""How far a power went: told by its player once the game is over, without a new result."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament import traveller
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, RoundState

from .act import (
    EventAct,
    check_round_state,
    event_act,
    find_board,
    find_seat,
    with_board,
)


@event_act("farthest_told")
class SetFarthestProvince(EventAct):
    """The farthest province that a power's units were in; "" takes it away. In the result that stands, which
    stays confirmed if it was; not in a round that is closed."""

    round: int
    board: int
    power: str
    place: str = ""

    def apply(self, event: Event) -> Event:
        check_round_state(event, self.round, RoundState.PLAYING)
        held = find_board(event, self.round, self.board)
        find_seat(event, self.round, self.board, self.power)
        if held.result is None:
            raise ActRefused("act_no_result", round=str(self.round), board=str(self.board))
        if self.place and not traveller.is_reachable(held.variant, self.place):
            raise ActRefused("act_no_place", place=self.place[:40])
        others = {power: place for power, place in held.result.reached.items() if power != self.power}
        reached = {**others, self.power: self.place} if self.place else others
        result = replace(held.result, reached=reached)
        return with_board(event, self.round, self.board, result=result)
