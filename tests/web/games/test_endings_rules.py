"""Who may propose the end, who is asked, and what becomes of it."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from django.utils.translation import override

from talleyrand import variants
from talleyrand.web.games.endings import end_proposal_rules, end_texts, game_results, game_scores
from talleyrand.web.games.endings.end_proposal_rules import (
    CountedPosition,
    EarlierProposal,
    ProposalMoment,
    ProposalOutcome,
)
from talleyrand.web.games.endings.power_standings import PowerStandings
from talleyrand.web.games.game_settings import DrawRule, GameSettings
from tests.each import each

CLASSIC = variants.load("classic").definition
CALENDAR = variants.load("classic").definition.calendar
VETO, EQUAL = DrawRule.VETO_THEN_VOTE, DrawRule.UNANIMOUS

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


def points(result: dict[str, Any], system: str = "draw_size") -> dict[str, Fraction]:
    scored = game_scores.game_scores(GameSettings(scoring=system), variants.load("classic"), result)
    return {power: score.points for power, score in scored.items()}


STANDING = PowerStandings.from_situation(SITUATION, CLASSIC)


@each(
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
    assert (STANDING.may_propose_end(power), STANDING.may_veto(power)) == (ask, veto)


def test_a_unit_on_anothers_centre_may_ask() -> None:
    held = {**SITUATION, "units": {"RUSSIA": ["A SER"]}}
    assert PowerStandings.from_situation(held, CLASSIC).may_propose_end("RUSSIA")


def test_dislodged_units_are_still_pieces() -> None:
    assert STANDING.unit_counts["ITALY"] == 2


@each(
    ("phase", "played", "expected"),
    [
        ("S1901M", 0, ProposalMoment.NONE),
        ("F1901M", 1, ProposalMoment.SPRING),
        ("F1901R", 2, ProposalMoment.NONE),
        ("W1901A", 2, ProposalMoment.AUTUMN),
        ("S1902M", 3, ProposalMoment.WINTER),
        ("S1902R", 4, ProposalMoment.NONE),
        ("", 9, ProposalMoment.NONE),
    ],
)
def test_moments(phase: str, played: int, expected: ProposalMoment) -> None:
    assert end_proposal_rules.proposal_moment(phase, CALENDAR, played) is expected


def asked(power: str, phase: str, outcome: ProposalOutcome = ProposalOutcome.VETOED) -> EarlierProposal:
    return EarlierProposal(power, phase, end_proposal_rules.proposal_moment(phase, CALENDAR, 9), outcome)


@each(
    ("scheme", "power", "phase", "before", "expected"),
    [
        (DrawRule.NEVER, "FRANCE", "F1904M", [], "never"),
        (EQUAL, "FRANCE", "S1904R", [], ""),
        (EQUAL, "RUSSIA", "F1904M", [], ""),
        (EQUAL, "ENGLAND", "F1904M", [], "eliminated"),
        (EQUAL, "FRANCE", "F1904M", [asked("FRANCE", "F1904M", ProposalOutcome.REFUSED)], "again"),
        (EQUAL, "FRANCE", "F1904M", [asked("ITALY", "F1904M", ProposalOutcome.REFUSED)], ""),
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
        (VETO, "FRANCE", "S1905M", [asked("ITALY", "W1904A", ProposalOutcome.REFUSED)], "voted_before"),
        (VETO, "FRANCE", "S1905M", [asked("ITALY", "W1904A", ProposalOutcome.VETOED)], ""),
        (VETO, "FRANCE", "S1905M", [asked("ITALY", "W1903A", ProposalOutcome.REFUSED)], ""),
        (VETO, "FRANCE", "W1904A", [asked("ITALY", "F1904M", ProposalOutcome.REFUSED)], ""),
    ],
)
def test_when_one_may_propose(
    scheme: DrawRule, power: str, phase: str, before: list[EarlierProposal], expected: str
) -> None:
    now = end_proposal_rules.proposal_moment(phase, CALENDAR, 9)
    assert end_proposal_rules.why_no_proposal(scheme, STANDING, power, phase, now, before) == expected


def test_voters() -> None:
    seated = ["AUSTRIA", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    assert end_proposal_rules.proposal_voters(EQUAL, STANDING, seated, "FRANCE") == (
        "GERMANY",
        "ITALY",
        "RUSSIA",
        "TURKEY",
    )
    assert end_proposal_rules.proposal_voters(VETO, STANDING, seated, "FRANCE") == (
        "GERMANY",
        "ITALY",
        "TURKEY",
    )


def test_a_spring_proposal_says_which_position_counts() -> None:
    assert end_proposal_rules.countable_positions(VETO, ProposalMoment.SPRING) == (
        CountedPosition.LAST_ADJUSTMENTS,
        CountedPosition.AUTUMN_DISORDER,
    )
    assert (
        end_proposal_rules.countable_positions(VETO, ProposalMoment.AUTUMN)
        == end_proposal_rules.countable_positions(EQUAL, ProposalMoment.SPRING)
        == (CountedPosition.NOW,)
    )


@each(
    ("state", "given", "time_is_up", "expected"),
    [
        (ProposalOutcome.VETOES, {}, False, ProposalOutcome.VETOES),
        (ProposalOutcome.VETOES, {"A": "veto"}, False, ProposalOutcome.VETOED),
        (ProposalOutcome.VETOES, {"A": "pass"}, False, ProposalOutcome.VETOES),
        (ProposalOutcome.VETOES, {"A": "pass"}, True, ProposalOutcome.VOTING),
        (ProposalOutcome.VETOES, {"A": "pass", "B": "pass"}, False, ProposalOutcome.VOTING),
        (ProposalOutcome.VOTING, {"A": "pass", "B": "pass"}, False, ProposalOutcome.VOTING),
        (ProposalOutcome.VOTING, {"A": "no"}, False, ProposalOutcome.VOTING),
        (ProposalOutcome.VOTING, {"A": "no", "B": "yes"}, False, ProposalOutcome.REFUSED),
        (ProposalOutcome.VOTING, {"A": "yes", "B": "pass"}, True, ProposalOutcome.REFUSED),
        (ProposalOutcome.VOTING, {"A": "yes", "B": "yes"}, False, ProposalOutcome.ACCEPTED),
    ],
)
def test_answers(
    state: ProposalOutcome, given: dict[str, str], time_is_up: bool, expected: ProposalOutcome
) -> None:
    assert end_proposal_rules.proposal_outcome(state, ("A", "B"), given, time_is_up=time_is_up) is expected


def test_alone_on_the_board_one_decides() -> None:
    assert (
        end_proposal_rules.proposal_outcome(ProposalOutcome.VOTING, (), {}, time_is_up=False)
        is ProposalOutcome.ACCEPTED
    )


@each(
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
    terms = GameSettings(last_year=1907, last_after=last_after)
    after = {**SITUATION, "phase": following}
    found = game_results.result_after_phase(terms, CLASSIC, {"winner": []}, after)
    assert (found is not None) is ends
    if found:
        assert (found["kind"], found["powers"]) == ("last_year", ["FRANCE"])


def test_a_solo_ends_it() -> None:
    answer = {**SITUATION, "phase": "F1907M", "winner": ["FRANCE"]}
    found = game_results.result_after_phase(GameSettings(), CLASSIC, answer, None)
    assert found is not None
    assert (found["kind"], found["powers"]) == ("solo", ["FRANCE"])
    assert points(found)["FRANCE"] == 100


def test_several_may_win_together() -> None:
    answer = {**SITUATION, "phase": "F1907M", "winner": ["FRANCE", "GERMANY"]}
    found = game_results.result_after_phase(GameSettings(), CLASSIC, answer, None)
    assert found is not None
    assert (found["kind"], found["powers"]) == ("joint", ["FRANCE", "GERMANY"])
    assert [points(found)[power] for power in ("FRANCE", "ITALY")] == [50, 0]
    with override("fr"):
        assert end_texts.game_result_text(variants.load("classic"), found) == (
            "Victoire commune\u00a0: France et Allemagne."
        )


def test_a_draw_is_shared_by_all_with_pieces() -> None:
    found = game_results.shared_draw(CLASSIC, SITUATION)
    assert found["powers"] == ["FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    assert set(points(found).values()) == {20, 0}


def test_the_agreed_hour_counts_units() -> None:
    end = datetime(2026, 12, 24, 22, 0, tzinfo=UTC)
    terms = GameSettings(ends_at=end)
    assert (
        game_results.result_at_agreed_date(
            terms, CLASSIC, SITUATION, datetime(2026, 12, 24, 21, 59, tzinfo=UTC)
        )
        is None
    )
    found = game_results.result_at_agreed_date(terms, CLASSIC, SITUATION, end)
    assert found is not None
    assert (found["kind"], found["powers"]) == ("date", ["FRANCE", "GERMANY", "ITALY"])


@pytest.mark.parametrize(
    ("phase", "played", "expected"),
    [("Y1D", 0, ""), ("Y1M", 1, "winter"), ("Y2M", 3, "winter"), ("Y1A", 2, "autumn")],
)
def test_moments_of_a_year_with_one_season(phase: str, played: int, expected: str) -> None:
    """No spring, so that nobody is asked which autumn he means, nor led back to the empty board."""
    calendar = variants.load("trio").definition.calendar
    assert end_proposal_rules.proposal_moment(phase, calendar, played) == expected
    assert list(
        end_proposal_rules.countable_positions(
            VETO, end_proposal_rules.proposal_moment(phase, calendar, played)
        )
    ) == ["now"]
