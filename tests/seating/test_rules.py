"""Hard rules: whatever is asked at once, a draw keeps all of them, or says which collide."""

import typing
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.messages import error_sentence
from talleyrand.seating import (
    ApartRule,
    BarredPowerRule,
    HardRule,
    ImpossibleSeating,
    LockRule,
    SeatingError,
    SeatingHistory,
    SeatingRequest,
    SoftRules,
    SoftRuleWeights,
    TeamRule,
    TwoBoardsRule,
    draw,
    evaluate_draw,
    feasibility,
    round_draw,
)
from tests.seating.events import POWERS, boards, past, request

SIZES = st.lists(st.sampled_from((7, 7, 7, 6, 5, 4, 3, 2)), min_size=1, max_size=6)


@st.composite
def rounds(draw_: st.DrawFn) -> SeatingRequest:
    """A round with hard rules of every kind, a first round behind it or not."""
    sizes, twice = draw_(SIZES), draw_(st.integers(0, 1))
    count = sum(sizes) - (twice if len(sizes) > 1 else 0)
    people = list(range(1, count + 1))
    one = st.sampled_from(people)
    asked = boards(*sizes)
    lock = st.builds(
        LockRule, one, st.none() | st.sampled_from(sorted(asked)), st.none() | st.sampled_from(POWERS)
    )
    rule = st.one_of(
        lock,
        st.builds(ApartRule, one, one).filter(lambda rule: rule.first != rule.second),
        st.builds(TeamRule, st.frozensets(one, min_size=2, max_size=min(4, count))),
        st.builds(BarredPowerRule, one, st.sampled_from(POWERS)),
    )
    rules: list[HardRule] = [*draw_(st.lists(rule, max_size=12))]
    if sum(sizes) > count:
        rules.append(TwoBoardsRule(draw_(one)))
    seed = draw_(st.sampled_from("abc"))
    behind = draw(request(count // 2 * 2, sizes=(2,) * (count // 2))) if draw_(st.booleans()) else None
    return SeatingRequest(
        asked, tuple(people), seed, past(behind) if behind else SeatingHistory(), tuple(rules)
    )


@pytest.mark.long
@given(rounds())
def test_no_hard_rule_is_ever_broken(asked: SeatingRequest) -> None:
    try:
        drawn = draw(asked)
    except SeatingError as error:
        _explained(asked, error)
    else:
        assert drawn.broken_rules == evaluate_draw(asked, drawn.seats).broken_rules == ()
        assert drawn.repeats >= drawn.bound
        assert drawn.power_repeats >= drawn.power_bound


def _explained(asked: SeatingRequest, error: SeatingError) -> None:
    """A power that is nowhere; or rules that collide by themselves, and without any one of them do not."""
    if not isinstance(error, ImpossibleSeating):
        assert error.code == "seating_no_power"
        return
    assert error.code == "seating_impossible"
    doubled = tuple(
        rule for rule in asked.hard_rules if isinstance(rule, TwoBoardsRule) and rule not in error.rules
    )
    with pytest.raises(ImpossibleSeating):
        draw(replace(asked, hard_rules=(*error.rules, *doubled)))
    for place, rule in enumerate(error.rules):
        others = (*error.rules[:place], *error.rules[place + 1 :], *doubled)
        assert isinstance(rule, TwoBoardsRule) or not draw(replace(asked, hard_rules=others)).broken_rules


IMPOSSIBLE: dict[str, tuple[int, list[HardRule], int]] = {
    "seven apart on six boards": (42, [ApartRule(*two) for two in combinations(range(1, 8), 2)], 21),
    "three on two boards with one power": (14, [LockRule(who, None, "ITALY") for who in (1, 2, 3)], 3),
    "two on one seat": (14, [LockRule(1, 1, "ITALY"), LockRule(2, 1, "ITALY")], 2),
    "eight on one board": (14, [LockRule(who, 1) for who in range(1, 9)], 8),
    "apart on the same board": (14, [LockRule(1, 1), ApartRule(1, 2), LockRule(2, 1)], 3),
    "one on two boards": (14, [LockRule(1, 1), LockRule(1, 2)], 2),
    "no power left": (14, [BarredPowerRule(1, power) for power in POWERS], 7),
    "no Turkey": (14, [BarredPowerRule(who, "TURKEY") for who in range(1, 14)], 13),
    "a team of three on two boards": (14, [TeamRule(frozenset({1, 2, 3}))], 1),
    "a team of eight with seven powers": (56, [TeamRule(frozenset(range(1, 9)))], 1),
    "a pair and its board": (7, [ApartRule(1, 2)], 1),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_collides_is_named(name: str) -> None:
    people, rules, count = IMPOSSIBLE[name]
    with pytest.raises(ImpossibleSeating) as refused:
        draw(request(people, BarredPowerRule(people, "FRANCE"), *rules))
    assert refused.value.code == "seating_impossible"
    assert len(refused.value.rules) == count
    assert set(refused.value.rules) <= set(rules)


def test_where_nothing_is_proven_in_time_all_rules_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feasibility, "MOST_STEPS", (1, 1))
    rules = (ApartRule(1, 2), LockRule(3, 1))
    with pytest.raises(ImpossibleSeating) as refused:
        draw(request(14, *rules))
    assert (refused.value.code, refused.value.rules) == ("seating_not_found", rules)


def test_hard_rules_are_kept_where_the_best_boards_have_no_powers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_draw, "assign_powers", lambda *_: None)
    rules = (
        TeamRule(frozenset({1, 2})),
        ApartRule(3, 4),
        LockRule(5, None, "ITALY"),
        BarredPowerRule(6, "ITALY"),
    )
    drawn = draw(request(14, *rules))
    assert drawn.broken_rules == ()


class TestTeams:
    """The team round of seven teams of seven, and larger."""

    @pytest.mark.parametrize("count", [2, 7, 15])
    def test_members_are_on_other_boards_with_other_powers(self, count: int) -> None:
        people = range(1, 7 * count + 1)
        size = min(count, 7)
        teams = [TeamRule(frozenset(people[at : at + size])) for at in range(0, len(people), size)]
        first = draw(request(7 * count, seed="round 1"))
        yesterday = [
            BarredPowerRule(who, power)
            for given_out in first.seats.values()
            for power, who in given_out.items()
        ]
        drawn = draw(replace(request(7 * count, *teams, *yesterday), history=past(first)))
        assert drawn.broken_rules == ()
        assert drawn.power_repeats == 0

    def test_many_teams_play_no_power_again(self, full: bool) -> None:
        count = 30 if full else 15
        asked, people = boards(*[7] * count), tuple(range(7 * count))
        teams = tuple(TeamRule(frozenset(people[at : at + 7])) for at in range(0, 7 * count, 7))
        first = draw(SeatingRequest(asked, people, "firsta"))
        second = draw(SeatingRequest(asked, people, "seconda", past(first), teams))
        assert (second.broken_rules, second.repeats, second.power_repeats) == ((), 0, 0)

    def test_powers_that_the_players_choose(self) -> None:
        chosen = [LockRule(who, None, POWERS[(who + who // 7) % 7]) for who in range(49)]
        teams = [TeamRule(frozenset(range(at, at + 7))) for at in range(0, 49, 7)]
        asked = SeatingRequest(boards(*[7] * 7), tuple(range(49)), hard_rules=(*chosen, *teams))
        assert draw(asked).broken_rules == ()


def test_the_organiser_plays_two_boards_and_two_powers() -> None:
    for seed in range(20):
        asked = replace(request(13, TwoBoardsRule(5), sizes=(7, 7)), seed=str(seed))
        held = [power for seats in draw(asked).seats.values() for power, who in seats.items() if who == 5]
        assert len(held) == len(set(held)) == 2
        assert all(5 in seats.values() for seats in draw(asked).seats.values())


BAD = {
    "seating_count": request(13, sizes=(7, 7)),
    "seating_person_twice": replace(request(7), people=(1, 2, 3, 4, 5, 6, 6)),
    "seating_power_twice": replace(request(2), boards={1: ("ITALY", "ITALY")}),
    "seating_board_size": replace(request(9), boards={1: tuple("ABCDEFGHI")}),
    "seating_not_there": request(7, LockRule(8, 1)),
    "seating_no_board": request(7, LockRule(1, 2)),
    "seating_no_power": request(7, LockRule(1, 1, "SPAIN")),
    "seating_too_many": request(427),
    "seating_apart_alone": request(7, ApartRule(1, 1)),
    "seating_rule": request(7, typing.cast("HardRule", "apart")),
    "seating_person_kind": request(7, ApartRule(1, typing.cast("int", "2"))),
    "seating_weight": replace(request(7), soft_rules=SoftRules(weights=SoftRuleWeights(powers=-1))),
}


def test_members_of_a_team_may_come_in_any_collection() -> None:
    told: Any = (1, 2, 1)
    assert TeamRule(told) == TeamRule(frozenset({1, 2}))
    drawn = draw(request(14, TeamRule(told), sizes=(7, 7)))
    assert all({1, 2} - set(seats.values()) for seats in drawn.seats.values())


@pytest.mark.parametrize(
    "made",
    [
        lambda: TeamRule(typing.cast("frozenset[int]", 5)),
        lambda: SoftRules(together=typing.cast("tuple[frozenset[int]]", (1, 2))),
        lambda: SoftRules(recorders=typing.cast("frozenset[int]", None)),
    ],
)
def test_what_is_no_list_of_people_is_refused(made: Callable[[], object]) -> None:
    with pytest.raises(SeatingError) as refused:
        made()
    assert refused.value.code == "seating_members"


def test_wishes_may_come_in_any_collection() -> None:
    told: Any = SoftRules(together=([1, 8],), recorders=[1, 2])  # type: ignore[arg-type]
    assert told == SoftRules(together=(frozenset({1, 8}),), recorders=frozenset({1, 2}))


@pytest.mark.parametrize("people", [(1, "b"), ("a", 2), (None, 1), ([1], [2])])
def test_people_are_named_by_one_kind_of_name(people: Any) -> None:
    asked = SeatingRequest({1: ("ITALY", "FRANCE")}, people)
    with pytest.raises(SeatingError) as refused:
        draw(asked)
    assert refused.value.code == "seating_person_kind"
    assert error_sentence(refused.value, "en").endswith("name all people by numbers, or all by text.")


SAID = {
    "seating_impossible team": (
        request(14, TeamRule(frozenset({1, 2, 3}))),
        "No draw satisfies all of this: 1, 2, 3 on different boards with different powers. Drop a rule.",
        (
            "Aucun tirage ne respecte tout cela\u00a0: 1, 2, 3 à des tables différentes, avec des puissances "
            "différentes. Levez une règle."
        ),
    ),
    "seating_impossible locks": (
        request(14, LockRule(1, 1, "ITALY"), LockRule(2, 1, "ITALY")),
        "No draw satisfies all of this: 1 on board 1 with ITALY; 2 on board 1 with ITALY. Drop a rule.",
        (
            "Aucun tirage ne respecte tout cela\u00a0: 1 à la table 1 avec ITALY\u00a0; 2 à la table 1 avec "
            "ITALY. Levez une règle."
        ),
    ),
    "seating_impossible others": (
        request(6, TwoBoardsRule(1), sizes=(7,)),
        "No draw satisfies all of this: 1 on two boards with two powers. Drop a rule.",
        "Aucun tirage ne respecte tout cela\u00a0: 1 à deux tables, avec deux puissances. Levez une règle.",
    ),
    "seating_count": (
        request(13, sizes=(7, 7)),
        "Seats: 14; seats needed: 13.",
        "Places\u00a0: 14\u00a0; places nécessaires\u00a0: 13.",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_it_is_refused_with_a_sentence(name: str) -> None:
    asked, english, french = SAID[name]
    with pytest.raises(SeatingError) as refused:
        draw(asked)
    assert [error_sentence(refused.value, language) for language in ("en", "fr")] == [english, french]


def test_of_many_rules_that_collide_some_are_said() -> None:
    with pytest.raises(ImpossibleSeating) as refused:
        draw(request(14, *(BarredPowerRule(who, "TURKEY") for who in range(1, 14))))
    text = error_sentence(refused.value, "en")
    assert text.count("without TURKEY; ") == 8
    assert "…" in text


@pytest.mark.parametrize("code", BAD)
def test_what_makes_no_sense_is_refused(code: str) -> None:
    for asking in (draw, lambda asked: evaluate_draw(asked, {})):
        with pytest.raises(SeatingError) as refused:
            asking(BAD[code])
        assert refused.value.code == code


def test_somebody_twice_is_refused_twice() -> None:
    for rules in ((TwoBoardsRule(9),), (TwoBoardsRule(1), TwoBoardsRule(1))):
        with pytest.raises(SeatingError):
            draw(request(6, *rules, sizes=(7,)))


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ({}, "seating_other_boards"),
        ({2: dict(zip(POWERS, range(1, 8), strict=True))}, "seating_other_boards"),
        ({1: {"ITALY": 1}}, "seating_other_boards"),
        ({1: dict.fromkeys(POWERS, 1)}, "seating_other_people"),
        ({1: dict(zip(POWERS, range(8), strict=False))}, "seating_other_people"),
    ],
)
def test_seats_of_another_round_are_refused(seats: dict[int, dict[str, int]], code: str) -> None:
    with pytest.raises(SeatingError) as refused:
        evaluate_draw(request(7), seats)
    assert refused.value.code == code


def test_rules_about_the_absent_are_passed_over() -> None:
    rules = (ApartRule(1, 99), TeamRule(frozenset({1, 98, 99})), BarredPowerRule(99, "ITALY"))
    assert draw(request(7, *rules)).broken_rules == ()


def test_nobody_is_seated_on_nothing() -> None:
    drawn = draw(SeatingRequest({}, ()))
    assert drawn.seats == {}
    assert drawn.is_proven_optimal
