"""Standings: each rule by a small event worked out by hand, under the Anjou Feu and other regulations."""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import pytest

from talleyrand.messages import tournament_sentences as sentences
from talleyrand.tournament import standings
from talleyrand.tournament.model import (
    AdjustmentEffect,
    Event,
    EventBoard,
    EventRound,
    GameEnd,
    Office,
    PowerSeat,
    RoundState,
    ScoreAdjustment,
    SeatReplacement,
)

from .scored import POINTS, closed, event, intimate, survivor, table

A, E, F, G, ITA, R, T = POINTS.values()  # 58.143, 20.899, 18.626, 16.354, 15.267, 12.994, 0
SEVEN = (1, 2, 3, 4, 5, 6, 7)
OTHERS = (11, 12, 13, 14, 15, 16, 17)
THIRD = (21, 22, 23, 24, 25, 26, 27)
PLANNED = EventRound()
BOTH_POWERS = {"extends": "sum", "system": "baf", "pairs": "both"}
TOP = (18, 16, 0, 0, 0, 0, 0)


def part(text: str) -> Fraction:
    return Fraction(text)


class Case(NamedTuple):
    """An event, and totals of some of its people."""

    event: Event
    totals: dict[int, Fraction | None]


def seated(person: int, place: int) -> EventBoard:
    """Somebody on that seat of a full board, Austria 1 to Turkey 7, among others."""
    return table(*OTHERS[: place - 1], person, *OTHERS[place:])


def relieved(first: int, second: int, seasons: int) -> PowerSeat:
    return PowerSeat(first, reliefs=(SeatReplacement(second, seasons),))


def finals(*rounds: EventRound, board: EventBoard, other: EventBoard | None = None) -> Event:
    """A weekend whose fourth round has a final table."""
    boards = [replace(board, final=True), *([other] if other else [])]
    return event(*rounds, closed(*boards, final=True))


def four() -> Event:
    """The same seven people on the same seats for four rounds."""
    return event(*[closed(table(*SEVEN))] * 4)


def adjusted(*rulings: tuple[int, int, AdjustmentEffect, str], base: Event | None = None) -> Event:
    told = {
        at: ScoreAdjustment(person, number, effect, value, "a reason.")
        for at, (person, number, effect, value) in enumerate(rulings, 1)
    }
    return replace(base or event(closed(table(*SEVEN)), closed(table(*SEVEN))), adjustments=told)


W1, W2, W3 = part("6/9"), part("7/9"), part("8/9")
CASES = {
    "one round: its coefficient, 110 %": Case(
        event(closed(table(*SEVEN))), {1: A * W1 * part("1.1"), 7: Fraction(0), 8: None}
    ),
    "two rounds: 110 % each": Case(
        event(closed(table(*SEVEN)), closed(table(*SEVEN))), {1: A * (W1 + W2) * part("1.1")}
    ),
    "three of four: 100, 100, 50 %": Case(
        event(*[closed(table(*SEVEN))] * 3, PLANNED), {2: E * (W3 + W2 + W1 / 2)}
    ),
    "four: 100, 100, 50, 10 %": Case(four(), {1: A * (1 + W3 + W2 / 2 + W1 / 10)}),
    "the best score first, not the first round": Case(
        event(closed(seated(1, 6)), closed(seated(1, 3)), closed(seated(1, 1)), PLANNED),
        {1: A * W3 + F * W2 + R * W1 / 2},
    ),
    "120 % after standing down as asked": Case(
        event(closed(table(*SEVEN)), closed(table(*OTHERS), rest=(1,))), {1: A * W1 * part("1.2")}
    ),
    "not in a round that is still open": Case(
        event(closed(table(*SEVEN)), replace(closed(rest=(1,)), state=RoundState.OPEN)),
        {1: A * W1 * part("1.1")},
    ),
    "not for the organisation": Case(
        event(
            closed(table(*SEVEN)),
            closed(table(*OTHERS), rest=(1, 2, 3)),
            offices={1: Office.ORGANISER, 2: Office.ASSISTANT, 3: Office.VOLUNTEER},
        ),
        {1: A * W1 * part("1.1"), 2: E * W1 * part("1.1"), 3: F * W1 * part("1.2")},
    ),
    "not for three rounds": Case(
        event(*[closed(table(*SEVEN))] * 3, closed(table(*OTHERS), rest=(1,))), {1: A * (W3 + W2 + W1 / 2)}
    ),
    "six players: 6/7": Case(event(closed(survivor(*SEVEN[:6]))), {1: A * W1 * part("6/7") * part("1.1")}),
    "five players: 5/7": Case(
        event(closed(table(1, 2, 3, None, None, 6, 7))), {1: A * W1 * part("5/7") * part("1.1")}
    ),
    "one board of six completed late: whole": Case(
        event(closed(survivor(*SEVEN[:6], PowerSeat(7, missed=2), centres=(0, 12, 8, 6, 4, 3, 1)))),
        {2: A * W1 * part("1.1"), 7: R * W1 * part("12/14") * part("1.1")},
    ),
    "several boards of six, one completed late: all whole": Case(
        event(closed(survivor(*SEVEN[:6], PowerSeat(7, missed=1)), survivor(*OTHERS[:6]))),
        {1: A * W1 * part("1.1"), 11: A * W1 * part("1.1")},
    ),
    "several boards of six, none completed": Case(
        event(closed(survivor(*SEVEN[:6]), survivor(*OTHERS[:6]))), {11: A * W1 * part("6/7") * part("1.1")}
    ),
    "late by more than there is": Case(event(closed(table(PowerSeat(1, missed=20), 2))), {1: Fraction(0)}),
    "two boards: the worse counts": Case(
        event(closed(table(*SEVEN), seated(1, 4))), {1: G * W1 * part("1.1"), 11: A * W1 * part("1.1")}
    ),
    "two boards of which one goes on: nothing yet": Case(
        event(replace(closed(table(*SEVEN), table(11, 12, 13, 1, result=None)), state=RoundState.PLAYING)),
        {1: Fraction(0), 2: E * W1 * part("1.1")},
    ),
    "two powers of one board: the better counts": Case(
        event(closed(table(1, 2, 1, 3, 4, 4, 3))), {1: A * W1 * part("4/7") * part("1.1")}
    ),
    "two powers of one board, where both count": Case(
        event(closed(table(1, 2, 1, 3, 4, 4, 3)), regulations=BOTH_POWERS),
        {1: A + F, 2: E, 3: G + T, 4: ITA + R},
    ),
    "two powers of one board that count, on the better of two boards": Case(
        event(
            closed(table(1, 2, 1, 3, 4, 4, 3), seated(1, 4)),
            regulations={**BOTH_POWERS, "twice": "better"},
        ),
        {1: A + F},
    ),
    "two powers of one board that count, on the worse of two boards": Case(
        event(closed(table(11, 1, 12, 13, 14, 15, 16), table(1, 2, 1, 3, 4, 4, 3)), regulations=BOTH_POWERS),
        {1: E, 4: ITA + R},
    ),
    "four people: the lesser power of each is not ranked": Case(
        event(closed(table(1, 2, 1, 3, 4, 4, 3, centres=(10, 3, 9, 6, 3, 2, 1)))),
        {
            1: part("55.571") * W1 * part("4/7") * part("1.1"),
            2: part("16.057") * W1 * part("4/7") * part("1.1"),
            3: part("20.208") * W1 * part("4/7") * part("1.1"),
        },
    ),
    "centres of somebody eliminated are nobody's": Case(
        event(closed(table(*SEVEN, centres=(9, 10, 5, 4, 3, 2, 1), ends={"out": ("ENGLAND",)}))),
        {1: part("54.429") * W1 * part("1.1"), 2: Fraction(0)},
    ),
    "a concession is no solo": Case(
        event(closed(table(*SEVEN, ends={"ended": GameEnd.CONCEDED, "winner": "ENGLAND"}))),
        {1: A * W1 * part("1.1"), 2: E * W1 * part("1.1")},
    ),
    "a concession is a solo where it may be": Case(
        event(
            closed(table(*SEVEN, ends={"ended": GameEnd.CONCEDED, "winner": "ENGLAND"})),
            regulations={"extends": "sum", "system": "baf"},
        ),
        {1: Fraction(0), 2: Fraction(100)},
    ),
    "final: three rounds 100, 100, 50 %, the fourth whole, all by 1.10": Case(
        finals(*[closed(table(*SEVEN))] * 3, board=table(*SEVEN)),
        {1: (A * (W3 + W2 + W1 / 2) + A) * part("1.1")},
    ),
    "final: off its table 7/9 and no bonus": Case(
        finals(*[closed(table(*SEVEN))] * 3, board=table(*OTHERS), other=table(*SEVEN)),
        {1: A * (W3 + W2 + W1 / 2) + A * W2, 11: A * part("1.1")},
    ),
    "final: 110 % leaves the fourth round alone": Case(
        finals(closed(table(*SEVEN)), closed(), closed(table(*OTHERS)), board=table(*SEVEN)),
        {1: (A * W1 + A) * part("1.1")},
    ),
    "final: 120 % too": Case(
        finals(
            closed(table(*SEVEN)), closed(table(*THIRD), rest=(1,)), closed(table(*OTHERS)),
            board=table(*OTHERS), other=table(*SEVEN),
        ),
        {1: A * W1 * part("1.2") + A * W2, 11: (A * W3 * part("1.1") + A) * part("1.1")},
    ),
    "final: 120 % for who stands down in the fourth round too": Case(
        event(
            closed(table(*SEVEN)), closed(table(*OTHERS)), closed(table(*THIRD)),
            closed(table(*OTHERS, final=True), final=True, rest=(1,)),
        ),
        {1: A * W1 * part("1.2")},
    ),
    "final decided, not yet played": Case(
        event(closed(table(*SEVEN)), PLANNED, PLANNED, EventRound(final=True)), {1: A * W1 * part("1.1")}
    ),
    "a cancelled final is none": Case(
        event(*[closed(table(*SEVEN))] * 3, closed(table(*SEVEN, final=True), final=True, cancelled=True)),
        {1: A * (W3 + W2 + W1 / 2)},
    ),
    "cancelled round, three others: all played": Case(
        event(closed(table(*SEVEN), cancelled=True), *[closed(table(*SEVEN))] * 3),
        {1: A * (1 + W3 + W2 / 2)},
    ),
    "cancelled round, three others: two played": Case(
        event(closed(table(*SEVEN), cancelled=True), *[closed(table(*SEVEN))] * 2, closed(table(*OTHERS))),
        {1: A * (W2 + W3) * part("1.1"), 11: A * part("1.1")},
    ),
    "cancelled round, three others: stood down": Case(
        event(closed(cancelled=True), closed(table(*SEVEN)), closed(table(*OTHERS), rest=(1,)), PLANNED),
        {1: A * W2 * part("1.2")},
    ),
    "standing down in a cancelled round is nothing": Case(
        event(closed(cancelled=True, rest=(1,)), closed(table(*SEVEN)), PLANNED, PLANNED),
        {1: A * W2 * part("1.1")},
    ),
    "two cancelled rounds: all whole": Case(
        event(closed(cancelled=True), closed(cancelled=True), *[closed(table(*SEVEN))] * 2),
        {1: A * (1 + W3)},
    ),
    "two cancelled rounds: 120 % for a single one": Case(
        event(
            closed(cancelled=True), closed(cancelled=True), closed(table(*SEVEN)),
            closed(table(*OTHERS), rest=(1,)),
        ),
        {1: A * W3 * part("1.2"), 2: E * W3, 11: A},
    ),
    "a cancelled qualifying round before a final: whole": Case(
        finals(closed(cancelled=True), *[closed(table(*SEVEN))] * 2, board=table(*SEVEN)),
        {1: A * (W2 + W3 + 1) * part("1.1")},
    ),
    "a cancelled qualifying round: a single one after standing down": Case(
        finals(
            closed(cancelled=True), closed(table(*SEVEN)), closed(table(*OTHERS), rest=(1,)),
            board=table(*OTHERS),
        ),
        {1: A * W2 * part("1.2"), 2: E * W2, 11: (A * W3 + A) * part("1.1")},
    ),
    "intimate: won, lost, multiplied in after the weights": Case(
        event(closed(intimate(1, 2, winner=1)), *[closed(table(*SEVEN))] * 3),
        {
            1: A * (1 + W3 + W2 / 2) * part("1.2"),
            2: E * (1 + W3 + W2 / 2) * part("1.1"),
            3: F * (1 + W3 + W2 / 2),
        },
    ),
    "intimate: level": Case(
        event(closed(intimate(1, 2, winner=None)), *[closed(table(*SEVEN))] * 3),
        {1: A * (1 + W3 + W2 / 2) * part("1.15")},
    ),
    "intimate: several games of a round are one": Case(
        event(
            closed(intimate(1, 2, winner=1), intimate(1, 2, winner=2), intimate(1, 2, winner=2)),
            *[closed(table(*SEVEN))] * 3,
        ),
        {1: A * (1 + W3 + W2 / 2) * part("1.1"), 2: E * (1 + W3 + W2 / 2) * part("1.2")},
    ),
    "two intimate rounds add up": Case(
        event(
            closed(intimate(1, 2, winner=1)), closed(intimate(1, 2, winner=None)),
            *[closed(table(*SEVEN))] * 2,
        ),
        {1: A * (1 + W3) * part("1.35"), 2: E * (1 + W3) * part("1.25")},
    ),
    "intimate games alone": Case(event(closed(intimate(1, 2, winner=1))), {1: Fraction(0), 2: Fraction(0)}),
    "a game beside an intimate one gives nothing": Case(
        event(closed(intimate(1, 2, winner=1), table(3, 4, 5)), closed(table(*SEVEN)), PLANNED, PLANNED),
        {3: F * W2 * part("1.1"), 1: A * W2 * part("1.1") * part("1.2")},
    ),
    "replacement that benefits the newcomer": Case(
        event(closed(table(relieved(1, 8, 5), 2))), {1: Fraction(0), 8: A * W1 * part("1.1")}
    ),
    "replacement that does not: less 1/14 a season": Case(
        event(*[closed(table(*OTHERS))] * 2, closed(table(1, 2, 3, 4, 5, relieved(6, 11, 3), 7)), PLANNED),
        {6: R * W3 * part("11/14") * part("1.1"), 11: A * (W1 + W2) * part("1.1")},
    ),
    "replacement of nobody's points": Case(
        event(closed(table(2, 3, 4, 5, 6, 7, relieved(1, 8, 5)))), {1: Fraction(0), 8: None}
    ),
    "replaced for longer than fourteen seasons": Case(
        event(*[closed(table(*OTHERS))] * 2, closed(table(1, 2, 3, 4, 5, relieved(6, 11, 15), 7)), PLANNED),
        {6: Fraction(0), 11: A * (W1 + W2) * part("1.1")},
    ),
    "replacement that is not his: he had stood down all the same": Case(
        event(
            closed(table(*OTHERS)),
            closed(table(*SEVEN[:6], PowerSeat(7, reliefs=(SeatReplacement(11, 3, rested=True),)))),
        ),
        {7: Fraction(0), 11: A * W1 * part("1.2")},
    ),
    "a newcomer where nobody sat": Case(
        event(
            closed(
                table(*SEVEN[1:], PowerSeat(reliefs=(SeatReplacement(8, 3),)), centres=(1, 3, 4, 6, 8, 0, 12))
            )
        ),
        {8: A * W1 * part("6/7") * part("1.1")},
    ),
    "two newcomers in turn: the last whom it benefits": Case(
        event(closed(table(PowerSeat(1, reliefs=(SeatReplacement(8, 2), SeatReplacement(9, 3))), 2))),
        {1: Fraction(0), 8: None, 9: A * W1 * part("1.1")},
    ),
    "a finalist replaced to the other's benefit: the newcomer has the bonus": Case(
        finals(closed(table(*SEVEN)), PLANNED, PLANNED, board=table(relieved(1, 8, 2), 2)),
        {8: A * part("1.1"), 1: A * W1 * part("1.1"), 2: (E * W1 * part("1.1") + E) * part("1.1")},
    ),
    "solo: all for one": Case(
        event(closed(table(*SEVEN, centres=TOP))), {1: 100 * W1 * part("1.1"), 2: Fraction(0)}
    ),
    "conceded": Case(
        event(closed(table(*SEVEN, ends={"winner": "ENGLAND"}))), {2: 100 * W1 * part("1.1"), 1: Fraction(0)}
    ),
    "eliminated with a foreign centre": Case(
        event(closed(table(*SEVEN, ends={"out": ("RUSSIA",)}))), {6: Fraction(0), 1: A * W1 * part("1.1")}
    ),
    "disorder: the first player keeps the points": Case(
        event(closed(table(*SEVEN[:6], None))), {6: R * W1 * part("6/7") * part("1.1")}
    ),
    "a board that does not count": Case(
        event(closed(table(*SEVEN), table(11, 12, counts=False))), {11: None, 1: A * W1 * part("1.1")}
    ),
    "not confirmed": Case(event(closed(table(*SEVEN, confirmed=""))), {1: None}),
    "in draft": Case(event(replace(closed(table(*SEVEN)), state=RoundState.DRAFT)), {1: None}),
    "nothing played": Case(event(), {1: None}),
    "ruling: points of a round, before its weight": Case(
        adjusted((1, 1, AdjustmentEffect.ADD, "-2")), {1: ((A * W1 - 2) + A * W2) * part("1.1")}
    ),
    "ruling: played to due time": Case(
        adjusted((1, 2, AdjustmentEffect.TIMES, "5/8")), {1: (A * W1 + A * W2 * part("5/8")) * part("1.1")}
    ),
    "ruling: a score set": Case(adjusted((1, 2, AdjustmentEffect.SET, "0")), {1: A * W1 * part("1.1")}),
    "ruling: in the order in which they were made": Case(
        adjusted(
            (1, 1, AdjustmentEffect.SET, "10"),
            (1, 1, AdjustmentEffect.TIMES, "1/2"),
            (1, 1, AdjustmentEffect.ADD, "1"),
        ),
        {1: (6 + A * W2) * part("1.1")},
    ),
    "ruling: on the total": Case(
        adjusted((1, 0, AdjustmentEffect.ADD, "-10"), (1, 0, AdjustmentEffect.TIMES, "0.5")),
        {1: (A * (W1 + W2) * part("1.1") - 10) / 2},
    ),
    "ruling: a score for who has not played": Case(
        adjusted((8, 1, AdjustmentEffect.SET, "12.5")), {8: part("12.5") * part("1.1")}
    ),
    "ruling: points taken in a round not played": Case(
        adjusted(
            (1, 3, AdjustmentEffect.ADD, "-3"),
            base=event(*[closed(table(*SEVEN))] * 2, closed(table(*OTHERS))),
        ),
        {1: A * (W1 + W2) * part("1.1") - 3},
    ),
    "ruling: a factor for a round not played": Case(
        adjusted(
            (1, 3, AdjustmentEffect.TIMES, "0"),
            base=event(*[closed(table(*SEVEN))] * 2, closed(table(*OTHERS))),
        ),
        {1: A * (W1 + W2) * part("1.1")},
    ),
    "plain sum": Case(
        event(*[closed(table(*SEVEN))] * 3, regulations={"extends": "sum", "system": "baf"}), {1: 3 * A}
    ),
    "best n of m": Case(
        event(
            closed(table(*SEVEN)), *[closed(table(11, 12, 13, 14, 1))] * 4,
            regulations={"extends": "best_three", "system": "baf"},
        ),
        {1: A + 2 * ITA},
    ),
    "EDC": Case(
        event(
            *[closed(table(*SEVEN))] * 3, closed(table(11, 12, 13, 14, 1)),
            regulations={"extends": "edc", "system": "baf"},
        ),
        {1: 3 * A + ITA / 2},
    ),
    "NDC": Case(
        event(
            *[closed(table(*SEVEN))] * 2, *[closed(table(11, 12, 13, 14, 1))] * 2,
            regulations={"extends": "ndc", "system": "baf"},
        ),
        {1: 2 * A + ITA / 2},
    ),
    "WDC: two of three, and the fourth": Case(
        event(
            *[closed(table(*SEVEN))] * 3, closed(table(*OTHERS[:6], 1), table(*SEVEN[1:], 11)),
            regulations={"extends": "wdc", "system": "baf"},
        ),
        {1: 2 * A, 2: 2 * E + A, 12: E},
    ),
    "league: sum by games and three more": Case(
        event(
            *[closed(table(*SEVEN))] * 2, closed(table(*SEVEN), table(*OTHERS[:6], 1)),
            regulations={"extends": "league", "system": "baf"},
        ),
        {1: 3 * A / 7, 2: 3 * E / 6, 12: E / 4},
    ),
    "own weights and system": Case(
        event(
            *[closed(table(*SEVEN))] * 2,
            regulations={
                "system": {"parts": [{"kind": "centres", "per": 1.5}]},
                "rounds": [{"coefficient": "1"}, {"coefficient": "0.5"}],
                "weighing": [{"weights": {"2": ["1", "1/3"]}}],
            },
        ),
        {1: Fraction(18) + Fraction(3)},
    ),
    "the better of two boards": Case(
        event(closed(table(*SEVEN), seated(1, 4)), regulations={"extends": "anjou_feu", "twice": "better"}),
        {1: A * W1 * part("1.1")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_worked_by_hand(name: str) -> None:
    found = standings.compute_standings(CASES[name].event)
    assert not found.faults
    for person, total in CASES[name].totals.items():
        told = found.by_person.get(person)
        assert (told.total if told else None) == total, f"{person}: {told and told.working}"


@pytest.mark.parametrize(
    ("name", "won"),
    [("a concession is no solo", ""), ("a concession is a solo where it may be", "ENGLAND")],
)
def test_who_has_won_alone(name: str, won: str) -> None:
    assert [game.won for game in standings.compute_standings(CASES[name].event).games] == [won]


@pytest.mark.parametrize("name", CASES)
def test_every_figure_has_its_line(name: str) -> None:
    """The lines of an entry lead from the raw score to what it brings, and those of a total to the total."""
    for line in standings.compute_standings(CASES[name].event).lines:
        for entry in line.entries:
            assert entry.steps[-1].points == (entry.points if entry.counted else 0)
        assert line.steps[0].points == sum(entry.points for entry in line.entries if entry.counted)
        assert line.steps[-1].points == line.total
        for step in line.working:
            assert all(
                words.endswith(".") and "{" not in words
                for words in sentences.working_sentences(step).values()
            )


def test_a_replacement_may_hang_on_another() -> None:
    """8 takes over from 1 in round 1 and is himself replaced by 9 in round 2, whom it benefits."""
    found = standings.compute_standings(
        event(closed(table(relieved(1, 8, 3), 2)), closed(table(relieved(8, 9, 2), 3)))
    )
    totals = {one: line.total for one, line in found.by_person.items()}
    assert totals[8] == A * W1 * part("1.1")  # and nothing of the second
    assert totals[9] == A * W2 * part("1.1")
    assert totals[1] == 0


def test_provisional_counts_what_nobody_has_confirmed_and_what_would_be_now() -> None:
    now = dict(zip(POINTS, (1, 3, 4, 6, 8, 12, 0), strict=True))
    told = event(
        replace(
            closed(table(*SEVEN, confirmed=""), table(*OTHERS, result=None, now=now)),
            state=RoundState.PLAYING,
        )
    )
    assert not standings.compute_standings(told).lines
    found = standings.compute_standings(told, provisional=True).by_person
    assert found[1].total == found[16].total == A * W1 * part("1.1")
    assert all(entry.provisional for line in found.values() for entry in line.entries)


def test_through_a_round() -> None:
    assert standings.compute_standings(four(), through=2).by_person[1].total == A * (W1 + W2) * part("1.1")
    assert not standings.compute_standings(four(), through=0).lines


def test_equal_totals_share_a_place_and_nothing_parts_them() -> None:
    found = standings.compute_standings(event(closed(table(*SEVEN), table(*OTHERS))))
    places = [(line.place, line.person) for line in found.lines]
    assert places[:5] == [(1, 1), (1, 11), (3, 2), (3, 12), (5, 3)]


def test_a_board_that_cannot_be_scored_is_told_and_counts_nothing() -> None:
    half = table(*SEVEN)
    assert half.result is not None
    half = replace(half, result=replace(half.result, centres={"AUSTRIA": 34}))
    found = standings.compute_standings(event(closed(half, table(*OTHERS))))
    assert [(fault.round, fault.board) for fault in found.faults] == [(1, 1)]
    assert found.faults[0].error.code == "event_result_powers"
    assert 1 not in found.by_person
    assert 11 in found.by_person


def test_the_other_board_of_one_that_cannot_be_scored_waits_too() -> None:
    half = table(*SEVEN)
    assert half.result is not None
    half = replace(half, result=replace(half.result, centres={"AUSTRIA": 34}))
    found = standings.compute_standings(event(closed(half, table(*OTHERS[:6], 1)))).by_person
    assert [entry.counted for entry in found[1].entries] == [False]
    assert found[11].total == A * W1 * part("1.1")


def test_something_else_is_measured_with_the_same_coefficients() -> None:
    told = adjusted(
        (1, 1, AdjustmentEffect.SET, "0"),
        base=finals(*[closed(table(*SEVEN))] * 3, board=table(*SEVEN)),
    )
    found = standings.compute_standings(told, measure=lambda *_: Fraction(9), bonus=False)
    assert {line.total for line in found.lines} == {9 * (W3 + W2 + W1 / 2 + 1)}
    assert {line.place for line in found.lines} == {1}


def test_who_moves() -> None:
    before = standings.compute_standings(event(closed(table(*SEVEN))))
    after = standings.compute_standings(event(closed(table(2, 1, 3, 4, 5, 6, 8))))
    moves = standings.standings_difference(before, after)
    assert [(move.person, move.climbed) for move in moves] == [(2, 1), (1, -1), (8, 0), (7, 0)]
    assert moves[0].gained == (A - E) * W1 * part("1.1")
    assert not standings.standings_difference(before, before)
