"""Who may propose the end, who is asked, and what becomes of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from talleyrand import variants
from talleyrand.web.games.endings import finishing, rules
from talleyrand.web.games.endings.rules import Asked, Counts, Moment, Outcome
from talleyrand.web.games.endings.standing import Standing
from talleyrand.web.games.terms import Draw, Terms

BOARD = variants.load("classic").board
CALENDAR = variants.load("classic").setting.calendar
VETO, EQUAL = Draw.VETO_THEN_VOTE, Draw.UNANIMOUS

# France: three homes, one under a German unit. Italy: one home under a French unit, a unit at sea. Austria:
# Serbia alone, and no unit. Turkey: Bulgaria and a unit. Russia: a unit and no centre. England: nothing.
SITUATION: dict[str, Any] = {
    "phase": "F1904M",
    "units": {
        "FRANCE": ["A ROM", "A PAR"],
        "GERMANY": ["A BRE", "A MUN"],
        "ITALY": ["F ION"],
        "TURKEY": ["A CON"],
        "RUSSIA": ["A UKR"],
    },
    "dislodged": {"ITALY": [{"unit": "A VEN", "by": "TRI", "convoyed": False, "retreats": []}]},
    "centers": {
        "FRANCE": ["PAR", "MAR", "BRE"],
        "GERMANY": ["MUN", "BER"],
        "ITALY": ["ROM"],
        "AUSTRIA": ["SER"],
        "TURKEY": ["BUL"],
    },
}
STANDING = Standing.of(SITUATION, BOARD)


@pytest.mark.parametrize(
    ("power", "ask", "veto"),
    [
        ("FRANCE", True, True),
        ("GERMANY", True, True),
        ("ITALY", False, True),  # its only centre is under a French unit, but it is a home
        ("AUSTRIA", True, False),  # a free centre, but neither home nor unit
        ("TURKEY", True, True),  # a centre abroad and a unit
        ("RUSSIA", False, False),
        ("ENGLAND", False, False),
    ],
)
def test_who_may_ask_and_veto(power: str, ask: bool, veto: bool) -> None:
    assert (STANDING.may_ask(power), STANDING.may_veto(power)) == (ask, veto)


def test_a_unit_on_anothers_centre_may_ask() -> None:
    held = {**SITUATION, "units": {"RUSSIA": ["A SER"]}}
    assert Standing.of(held, BOARD).may_ask("RUSSIA")


def test_dislodged_units_are_still_pieces() -> None:
    assert STANDING.strength["ITALY"] == 2


@pytest.mark.parametrize(
    ("phase", "played", "expected"),
    [
        ("S1901M", 0, Moment.NONE),
        ("F1901M", 1, Moment.SPRING),
        ("F1901R", 2, Moment.NONE),
        ("W1901A", 2, Moment.AUTUMN),
        ("S1902M", 3, Moment.WINTER),
        ("S1902R", 4, Moment.NONE),
        ("", 9, Moment.NONE),
    ],
)
def test_moments(phase: str, played: int, expected: Moment) -> None:
    assert rules.moment(phase, CALENDAR, played) is expected


def asked(power: str, phase: str, outcome: Outcome = Outcome.VETOED) -> Asked:
    return Asked(power, phase, rules.moment(phase, CALENDAR, 9), outcome)


@pytest.mark.parametrize(
    ("scheme", "power", "phase", "before", "expected"),
    [
        (Draw.NEVER, "FRANCE", "F1904M", [], "never"),
        (EQUAL, "FRANCE", "S1904R", [], ""),
        (EQUAL, "RUSSIA", "F1904M", [], ""),
        (EQUAL, "ENGLAND", "F1904M", [], "eliminated"),
        (EQUAL, "FRANCE", "F1904M", [asked("FRANCE", "F1904M", Outcome.REFUSED)], "again"),
        (EQUAL, "FRANCE", "F1904M", [asked("ITALY", "F1904M", Outcome.REFUSED)], ""),
        (VETO, "FRANCE", "F1904R", [], "moment"),
        (VETO, "FRANCE", "F1904M", [], ""),
        (VETO, "RUSSIA", "F1904M", [], "standing"),
        # who asked after the autumn or the winter may not ask after the next spring
        (VETO, "FRANCE", "F1904M", [asked("FRANCE", "W1903A")], "asked_before"),
        (VETO, "FRANCE", "F1904M", [asked("FRANCE", "S1904M")], "asked_before"),
        (VETO, "FRANCE", "F1904M", [asked("ITALY", "S1904M")], ""),
        (VETO, "FRANCE", "F1904M", [asked("FRANCE", "W1902A")], ""),
        (VETO, "FRANCE", "S1905M", [asked("FRANCE", "F1904M")], ""),
        # a vote after the autumn’s retreats: nobody may ask after the adjustments that follow
        (VETO, "FRANCE", "S1905M", [asked("ITALY", "W1904A", Outcome.REFUSED)], "voted_before"),
        (VETO, "FRANCE", "S1905M", [asked("ITALY", "W1904A", Outcome.VETOED)], ""),
        (VETO, "FRANCE", "S1905M", [asked("ITALY", "W1903A", Outcome.REFUSED)], ""),
        (VETO, "FRANCE", "W1904A", [asked("ITALY", "F1904M", Outcome.REFUSED)], ""),
    ],
)
def test_when_one_may_propose(
    scheme: Draw, power: str, phase: str, before: list[Asked], expected: str
) -> None:
    now = rules.moment(phase, CALENDAR, 9)
    assert rules.refusal(scheme, STANDING, power, phase, now, before) == expected


def test_voters() -> None:
    seated = ["AUSTRIA", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    assert rules.voters(EQUAL, STANDING, seated, "FRANCE") == ("GERMANY", "ITALY", "RUSSIA", "TURKEY")
    assert rules.voters(VETO, STANDING, seated, "FRANCE") == ("GERMANY", "ITALY", "TURKEY")


def test_a_spring_proposal_says_which_position_counts() -> None:
    assert rules.choices(VETO, Moment.SPRING) == (Counts.LAST_ADJUSTMENTS, Counts.AUTUMN_DISORDER)
    assert rules.choices(VETO, Moment.AUTUMN) == rules.choices(EQUAL, Moment.SPRING) == (Counts.NOW,)


@pytest.mark.parametrize(
    ("state", "given", "time_is_up", "expected"),
    [
        (Outcome.VETOES, {}, False, Outcome.VETOES),
        (Outcome.VETOES, {"A": "veto"}, False, Outcome.VETOED),
        (Outcome.VETOES, {"A": "pass"}, False, Outcome.VETOES),
        (Outcome.VETOES, {"A": "pass"}, True, Outcome.VOTING),
        (Outcome.VETOES, {"A": "pass", "B": "pass"}, False, Outcome.VOTING),
        (Outcome.VOTING, {"A": "pass", "B": "pass"}, False, Outcome.VOTING),
        (Outcome.VOTING, {"A": "no"}, False, Outcome.VOTING),
        (Outcome.VOTING, {"A": "no", "B": "yes"}, False, Outcome.REFUSED),
        (Outcome.VOTING, {"A": "yes", "B": "pass"}, True, Outcome.REFUSED),
        (Outcome.VOTING, {"A": "yes", "B": "yes"}, False, Outcome.ACCEPTED),
    ],
)
def test_answers(state: Outcome, given: dict[str, str], time_is_up: bool, expected: Outcome) -> None:
    assert rules.settled(state, ("A", "B"), given, time_is_up=time_is_up) is expected


def test_alone_on_the_board_one_decides() -> None:
    assert rules.settled(Outcome.VOTING, (), {}, time_is_up=False) is Outcome.ACCEPTED


@pytest.mark.parametrize(
    ("last_after", "following", "ends"),
    [
        ("A", "F1907R", False),
        ("A", "W1907A", False),
        ("A", "S1908M", True),
        ("R", "F1907R", False),
        ("R", "W1907A", True),
        ("R", "S1908M", True),
        ("R", "W1906A", False),
    ],
)
def test_the_last_year(last_after: str, following: str, ends: bool) -> None:
    terms = Terms(last_year=1907, last_after=last_after)
    after = {**SITUATION, "phase": following}
    found = finishing.after_phase(terms, BOARD, {"winner": []}, after)
    assert (found is not None) is ends
    if found:
        assert (found["kind"], found["powers"]) == ("last_year", ["FRANCE"])


def test_a_solo_ends_it() -> None:
    answer = {**SITUATION, "phase": "F1907M", "winner": ["FRANCE"]}
    found = finishing.after_phase(Terms(), BOARD, answer, None)
    assert found is not None
    assert (found["kind"], found["powers"], found["points"]["FRANCE"]) == ("solo", ["FRANCE"], "100")


def test_a_draw_is_shared_by_all_with_pieces() -> None:
    found = finishing.shared(Terms(), BOARD, SITUATION)
    assert found["powers"] == ["FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    assert set(found["points"].values()) == {"20", "0"}


def test_the_agreed_hour_counts_units() -> None:
    end = datetime(2026, 12, 24, 22, 0, tzinfo=UTC)
    terms = Terms(ends_at=end)
    assert finishing.at_date(terms, BOARD, SITUATION, datetime(2026, 12, 24, 21, 59, tzinfo=UTC)) is None
    found = finishing.at_date(terms, BOARD, SITUATION, end)
    assert found is not None
    assert (found["kind"], found["powers"]) == ("date", ["FRANCE", "GERMANY", "ITALY"])


@pytest.mark.parametrize(
    ("phase", "played", "expected"),
    [("Y1D", 0, ""), ("Y1M", 1, "winter"), ("Y2M", 3, "winter"), ("Y1A", 2, "autumn")],
)
def test_moments_of_a_year_with_one_season(phase: str, played: int, expected: str) -> None:
    """No spring, so that nobody is asked which autumn he means, nor led back to the empty board."""
    calendar = variants.load("trio").setting.calendar
    assert rules.moment(phase, calendar, played) == expected
    assert list(rules.choices(VETO, rules.moment(phase, calendar, played))) == ["now"]
