"""The best together: as far as it costs nothing, and further only where its price is accepted."""

from dataclasses import replace

import pytest

from talleyrand import seating
from talleyrand.tournament import acts, best_together, board_formation, public_view, seat_draw
from talleyrand.tournament.acts.round_acts import DecideFinalTable
from talleyrand.tournament.acts.seating_acts import DrawRound, PublishDraft
from talleyrand.tournament.model import DrawRecord, Event, TogetherWish

from .room import done, gathered


def third_round() -> Event:
    """Of 28 people and no final: the best who have not met yet cannot all share boards for nothing."""
    return done(gathered(28, 3), DecideFinalTable(4, held=False))


def draw(event: Event, number: int, *, paid: bool = False) -> DrawRound:
    wanted = seat_draw.propose_draw(event, number, board_formation.round_formations(event, number)[0], "seed")
    return seat_draw.draw_seats(event, number, replace(wanted, together=paid))


def wish_of(record: DrawRecord) -> TogetherWish:
    assert record.wish is not None
    return record.wish


def pairs_together(act: DrawRound, event: Event) -> int:
    """Counted anew: the wished pairs that share a board."""
    tables = [{seat.person for seat in board.seats.values()} for board in act.boards.values()]
    wished = seat_draw.best_to_seat_together(event, act.round)
    return sum(any(pair <= table for table in tables) for pair in wished)


@pytest.mark.long
def test_a_price_is_told_and_not_paid_unless_it_is_accepted() -> None:
    event = third_round()
    free, paid = draw(event, 3), draw(event, 3, paid=True)
    told = wish_of(free.drawn)
    assert not told.granted
    assert replace(told, granted=True) == wish_of(paid.drawn)
    assert (free.drawn.meetings, paid.drawn.meetings) == (told.meetings_free, told.meetings)
    assert free.drawn.meetings == free.drawn.bound < paid.drawn.meetings
    assert pairs_together(free, event) == told.together_free < told.together == pairs_together(paid, event)
    assert acts.read_act(acts.write_act(free)) == free


def test_what_costs_nothing_is_granted_and_said() -> None:
    event = done(gathered(28, 2), DecideFinalTable(4, held=False))
    act = draw(event, 2)
    told = wish_of(act.drawn)
    assert (told.granted, told.is_free, told.together) == (True, True, told.pairs)
    assert act.drawn.meetings == act.drawn.bound


@pytest.mark.long
def test_the_other_draft_is_one_press_away_from_the_same_seed() -> None:
    event = third_round()
    free, paid = draw(event, 3), draw(event, 3, paid=True)
    drafted = done(event, free)
    assert seat_draw.redraw(drafted, 3, "seed", together=True).boards == paid.boards
    assert seat_draw.redraw(done(event, paid), 3, "seed").boards == free.boards


@pytest.mark.long
def test_no_price_buys_a_third_meeting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that finds one with the wish and none without it, as chance may have it."""
    asked = seating.SeatingRequest(
        {1: ("ITALY", "FRANCE"), 2: ("ITALY", "FRANCE")},
        (1, 2, 3, 4),
        history=seating.SeatingHistory(met={(1, 2): 2, (3, 4): 2}),
        soft_rules=seating.SoftRules(together=(frozenset({1, 2}),)),
    )
    seats = {1: {"ITALY": 1, "FRANCE": 2}, 2: {"ITALY": 3, "FRANCE": 4}}
    real = seating.draw
    assert not real(asked).third_meetings

    def drawn(request: seating.SeatingRequest) -> seating.RoundDraw:
        dear = request.soft_rules.weights.together > best_together.UNPAID
        return seating.evaluate_draw(request, seats) if dear else real(request)

    monkeypatch.setattr(seating, "draw", drawn)
    found, wish = best_together.draw_together(asked, paid=True)
    assert wish is not None
    assert not wish.granted
    assert [(two.person, two.other) for two in wish.third] == [(1, 2), (3, 4)]
    assert not found.third_meetings


@pytest.mark.long
def test_who_was_first_is_not_told_with_the_draw() -> None:
    """The public sees the draw of a round, whose results may still be hidden."""
    event = done(third_round(), draw(third_round(), 3), PublishDraft(3))
    shown = public_view.visible_event(event).rounds[3].drawn
    assert shown is not None
    assert shown.wish is None
