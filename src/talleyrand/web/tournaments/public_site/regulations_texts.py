"""The regulations in force, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages.score_sentences import format_number as written
from talleyrand.scoring import ScoringSystem
from talleyrand.tournament import regulations, round_timing
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.model import Event, EventRound, RoundState
from talleyrand.tournament.regulations import PrizeRule, Regulations, RoundRule
from talleyrand.web.boards import display_names

from . import public_texts
from .public_texts import LocalTime

TRAVEL, TEAM = "travel", "team"


@dataclass(frozen=True)
class RoundSummary:
    """A round as the announcement has it."""

    number: int
    starts: LocalTime | None
    state: str
    coming: bool
    cancelled: bool
    years: str
    clocks: str
    weight: str
    teams: bool


def regulations_of(event: Event) -> Regulations:
    """The regulations; those of no preset where they cannot be read."""
    try:
        return regulations.read_regulations(event.regulations)
    except InvalidEvent:
        return Regulations()


def scoring_system_of(event: Event) -> ScoringSystem | None:
    """How games are scored; None where that cannot be read."""
    try:
        return regulations.scoring_system(regulations_of(event))
    except TalleyrandError:
        return None


def asks_elimination_years(event: Event) -> bool:
    """Whether the scoring asks in which year a power was eliminated."""
    system = scoring_system_of(event)
    return system is not None and system.asks_elimination_years


def prizes_of_kind(event: Event, kind: str) -> dict[str, PrizeRule]:
    """The prizes of a kind by name."""
    return {name: prize for name, prize in regulations_of(event).prizes.items() if prize.kind == kind}


def round_summaries(event: Event) -> list[RoundSummary]:
    """Every round: when, until which year, on which clocks, at what weight."""
    rules = regulations_of(event)
    return [
        _line(event, number, one, round_timing.round_rule(rules, number))
        for number, one in event.rounds.items()
    ]


def _line(event: Event, number: int, one: EventRound, rule: RoundRule) -> RoundSummary:
    last = str(rule.last_year)
    if rule.last_year_aside is not None and rule.last_year_aside != rule.last_year:
        last = _("%(year)s, or %(aside)s outside the final table") % {
            "year": last,
            "aside": rule.last_year_aside,
        }
    clocks = _("%(spring)d min (spring), %(autumn)d min (autumn)") % {
        "spring": rule.hours.spring // 60,
        "autumn": rule.hours.autumn // 60,
    }
    return RoundSummary(
        number=number,
        starts=public_texts.local_time(event, one.starts),
        state=public_texts.round_state_name(one.state),
        coming=one.state is RoundState.PLANNED and not one.cancelled,
        cancelled=one.cancelled,
        years=last,
        clocks=clocks,
        weight=rule.coefficient,
        teams=rule.teams,
    )


def regulation_sentences(event: Event) -> Iterator[str]:
    """What else the regulations say, a sentence each."""
    rules, language = regulations_of(event), display_names.reader_language()
    system = scoring_system_of(event)
    if system is not None:
        title = system.title.get(language, system.name)
        yield _("Scoring: %(system)s.") % {"system": title}
        yield from filter(None, [system.sentence.get(language), rules.about.get(language)])
    if rules.final is not None:
        held = event.rounds[rules.final.round].final if rules.final.round in event.rounds else None
        yield _final(rules.final.round, rules.final.seats, rules.final.bonus, held=held)
    weights = _weights(rules, len(event.rounds))
    if weights:
        yield weights
    if rules.late:
        yield _("Latecomers lose 1/%(parts)d of their score for each season missed.") % {"parts": rules.late}
    if rules.wishes:
        yield _(
            "Players can give power preferences; the board draw respects them if nothing else gets worse."
        )
    else:
        yield _("Powers are drawn at random.")
    yield _("Players can end a game by vote.") if rules.votes else _("Games cannot be ended by vote.")
    if prizes_of_kind(event, TEAM):
        yield _("There is a team trophy.")


def _final(number: int, seats: int, bonus: str, *, held: bool | None) -> str:
    """Whether there is a final; `held`: what the director has decided."""
    if held is False:
        return _("There is no final table.")
    told = _("Round %(round)d has a final table of %(seats)d, if there are enough boards.")
    if held:
        told = _("Round %(round)d has a final table of %(seats)d.")
    sentence = told % {"seats": seats, "round": number}
    if Fraction(bonus) == 1:
        return sentence
    factor = written(display_names.reader_language(), Fraction(bonus))
    return f"{sentence} " + _("Its players’ scores are multiplied by %(factor)s.") % {"factor": factor}


def _weights(rules: Regulations, rounds: int) -> str:
    """What the rounds count, best first, where no final is held; "" where all count the same."""
    for one in rules.weighing:
        if one.final or (one.given and rounds not in one.given):
            continue
        told = one.weights.get(str(rounds), one.weights.get("any", ()))
        if not told:
            return ""
        percent = "\u202f%" if display_names.reader_language() == "fr" else "%"
        shares = ", ".join(
            f"{written(display_names.reader_language(), Fraction(share) * 100)}{percent}" for share in told
        )
        if rules.final is None:
            return _("Rounds count from best to worst: %(weights)s.") % {"weights": shares}
        return _("Without a final, rounds count from best to worst: %(weights)s.") % {"weights": shares}
    return ""
