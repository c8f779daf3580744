"""Who may propose the end of a game, and when: pure, from the standing and what was proposed before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from talleyrand.engine.calendar import Calendar
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase
from talleyrand.web.games.game_settings import DrawRule

from .power_standings import PowerStandings


class ProposalMoment(StrEnum):
    """What has just been played while a phase is open (Anjou Feu, V)."""

    SPRING = "spring"  # the retreats of a season that takes no centres
    AUTUMN = "autumn"  # the retreats of the season that does
    WINTER = "winter"  # the adjustments
    NONE = ""  # retreats wait, or nothing has been played


class CountedPosition(StrEnum):
    """Which position a proposal means."""

    NOW = "now"
    LAST_ADJUSTMENTS = "last_adjustments"
    AUTUMN_DISORDER = "autumn_disorder"


class ProposalOutcome(StrEnum):
    """What became of a proposal, or where it is."""

    VETOES = "vetoes"
    VOTING = "voting"
    ACCEPTED = "accepted"
    VETOED = "vetoed"
    REFUSED = "refused"
    LAPSED = "lapsed"


@dataclass(frozen=True)
class EarlierProposal:
    """A proposal of before: by whom, at which moment, while which phase was open, and what became of it."""

    power: str
    phase: str
    moment: ProposalMoment
    outcome: ProposalOutcome


def proposal_moment(phase: str, calendar: Calendar, played: int) -> ProposalMoment:
    """The moment at which phase `phase` is open, `played` phases having been published."""
    try:
        here = Phase.parse(phase)
    except TalleyrandError:
        return ProposalMoment.NONE
    if not played or here.kind not in "MA":
        return ProposalMoment.NONE
    if here.kind == "A":
        return ProposalMoment.AUTUMN
    if sum(code.endswith("M") for code in calendar.cycle) < 2:
        return ProposalMoment.WINTER  # a year of one season: its movement follows the adjustments
    return ProposalMoment.SPRING if here.season in calendar.capture_after else ProposalMoment.WINTER


def why_no_proposal(
    scheme: DrawRule,
    standing: PowerStandings,
    power: str,
    phase: str,
    now: ProposalMoment,
    before: Iterable[EarlierProposal],
) -> str:
    """Why a power may not propose the end now; "" where it may.

    `never`, `proposal_moment`, `eliminated`, `standing`, `again` (once a phase), `asked_before`,
    `voted_before`.
    """
    if scheme is DrawRule.NEVER:
        return "never"
    asked = list(before)
    if any(one.power == power and one.phase == phase for one in asked):
        return "again"
    if scheme is DrawRule.UNANIMOUS:
        return "" if standing.unit_counts[power] else "eliminated"
    return _refusal_after_veto(standing, power, phase, now, asked)


def _refusal_after_veto(
    standing: PowerStandings, power: str, phase: str, now: ProposalMoment, before: list[EarlierProposal]
) -> str:
    if now is ProposalMoment.NONE:
        return "moment"
    if not standing.may_propose_end(power):
        return "standing"
    year = Phase.parse(phase).year
    if now is ProposalMoment.SPRING and any(_last_winter(one, power, year) for one in before):
        return "asked_before"
    if now is ProposalMoment.WINTER and any(_voted_in_autumn(one, year) for one in before):
        return "voted_before"
    return ""


def _last_winter(one: EarlierProposal, power: str, year: int) -> bool:
    """Asked after the autumn’s retreats or the adjustments that came before this spring."""
    asked = Phase.parse(one.phase)
    autumn = one.moment is ProposalMoment.AUTUMN and asked.year == year - 1
    winter = one.moment is ProposalMoment.WINTER and asked.year == year
    return one.power == power and (autumn or winter)


def _voted_in_autumn(one: EarlierProposal, year: int) -> bool:
    """A ballot was held after the retreats of the autumn before."""
    held = one.outcome in (ProposalOutcome.VOTING, ProposalOutcome.ACCEPTED, ProposalOutcome.REFUSED)
    return one.moment is ProposalMoment.AUTUMN and Phase.parse(one.phase).year == year - 1 and held


def proposal_voters(
    scheme: DrawRule, standing: PowerStandings, seated: Iterable[str], proposer: str
) -> tuple[str, ...]:
    """The powers whose agreement is needed besides the proposer’s: of those that somebody plays, whoever
    has a unit left (unanimous), or may veto.
    """
    others = [power for power in seated if power != proposer]
    if scheme is DrawRule.UNANIMOUS:
        return tuple(power for power in others if standing.unit_counts[power])
    return tuple(power for power in others if standing.may_veto(power))


def countable_positions(scheme: DrawRule, now: ProposalMoment) -> tuple[CountedPosition, ...]:
    """Which positions a proposal may mean; the proposer says which where there are several."""
    if scheme is DrawRule.VETO_THEN_VOTE and now is ProposalMoment.SPRING:
        return (CountedPosition.LAST_ADJUSTMENTS, CountedPosition.AUTUMN_DISORDER)
    return (CountedPosition.NOW,)


def proposal_outcome(
    state: ProposalOutcome, needed: Iterable[str], given: dict[str, str], *, time_is_up: bool
) -> ProposalOutcome:
    """Where a proposal is once these answers are in: `veto`, `pass` (no veto), `yes` or `no`.

    Silence is no veto, but no agreement either. A vote is told when all have voted, so that nobody learns
    from its hour who refused.
    """
    powers = list(needed)
    if state is ProposalOutcome.VETOES:
        if "veto" in given.values():
            return ProposalOutcome.VETOED
        passed = all(given.get(power) for power in powers)
        return ProposalOutcome.VOTING if passed or time_is_up else state
    answers = [given.get(power, "") for power in powers]
    if all(answer == "yes" for answer in answers):
        return ProposalOutcome.ACCEPTED
    complete = all(answer in ("yes", "no") for answer in answers)
    return ProposalOutcome.REFUSED if complete or time_is_up else state
