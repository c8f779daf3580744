"""What players tell of their journeys, and whether all see how it would end now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.tournament import acts
from talleyrand.tournament.acts.event_acts import SetLiveStandings
from talleyrand.tournament.acts.result_acts import SetFarthestProvince
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    BoardResult,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    PowerSeat,
    RoundState,
)

RESULT = BoardResult({"FRANCE": 20, "ITALY": 14}, by="1", confirmed="2", reached={"ITALY": "PIC"})
EVENT = Event(
    "Angers",
    people={1: EventPerson("Flora"), 2: EventPerson("Irène")},
    rounds={
        1: EventRound(
            RoundState.PLAYING,
            present={1: "2026-07-03T19:00:00Z", 2: "2026-07-03T19:00:00Z"},
            boards={1: EventBoard(seats={"FRANCE": PowerSeat(1), "ITALY": PowerSeat(2)}, result=RESULT)},
        )
    },
)


def reached(event: Event) -> dict[str, str]:
    result = event.rounds[1].boards[1].result
    assert result is not None
    assert (result.confirmed, result.centres) == ("2", RESULT.centres)
    return dict(result.reached)


def test_each_power_tells_its_own_and_the_result_stays_confirmed() -> None:
    told = acts.perform_act(EVENT, SetFarthestProvince(1, 1, "FRANCE", "MOS"))
    assert reached(told) == {"ITALY": "PIC", "FRANCE": "MOS"}
    assert reached(acts.perform_act(told, SetFarthestProvince(1, 1, "ITALY"))) == {"FRANCE": "MOS"}


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (SetFarthestProvince(1, 1, "FRANCE", "XYZ"), "act_no_place"),
        (SetFarthestProvince(1, 1, "TURKEY", "MOS"), "act_no_power"),
        (SetFarthestProvince(1, 2, "FRANCE", "MOS"), "act_no_board"),
    ],
)
def test_what_cannot_be_told(act: SetFarthestProvince, code: str) -> None:
    with pytest.raises(ActRefused, match=code):
        acts.perform_act(EVENT, act)


def test_nothing_is_told_before_the_end_or_after_the_round() -> None:
    one = EVENT.rounds[1]
    going = replace(EVENT, rounds={1: replace(one, boards={1: replace(one.boards[1], result=None)})})
    with pytest.raises(ActRefused, match="act_no_result"):
        acts.perform_act(going, SetFarthestProvince(1, 1, "FRANCE", "MOS"))
    closed = replace(EVENT, rounds={1: replace(one, state=RoundState.CLOSED)})
    with pytest.raises(ActRefused, match="act_round_closed"):
        acts.perform_act(closed, SetFarthestProvince(1, 1, "FRANCE", "MOS"))


def test_the_desk_says_whether_all_see_how_it_would_end_now() -> None:
    assert not EVENT.live
    assert acts.perform_act(EVENT, SetLiveStandings(shown=True)).live
