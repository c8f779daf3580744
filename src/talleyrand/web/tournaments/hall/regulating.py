"""The regulations in force, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages.scores import number as written
from talleyrand.scoring import System
from talleyrand.scoring.parts import Years
from talleyrand.tournament import regulations, timing
from talleyrand.tournament.errors import BadEvent
from talleyrand.tournament.model import Event, Round, RoundState
from talleyrand.tournament.regulations import Prize, Regulations, RoundRule
from talleyrand.web.boards import wording

from . import words
from .words import Hour

TRAVEL, VOTED, TEAM = "travel", "vote", "team"


@dataclass(frozen=True)
class RoundLine:
    """A round as the announcement has it."""

    number: int
    starts: Hour | None
    state: str
    coming: bool
    cancelled: bool
    years: str
    clocks: str
    weight: str
    teams: bool


def rules_of(event: Event) -> Regulations:
    """The regulations; those of no preset where they cannot be read."""
    try:
        return regulations.read(event.regulations)
    except BadEvent:
        return Regulations()


def system_of(event: Event) -> System | None:
    """How games are scored; None where that cannot be read."""
    try:
        return regulations.system_of(rules_of(event))
    except TalleyrandError:
        return None


def needs_years(event: Event) -> bool:
    """Whether the scoring asks in which year a power was eliminated."""
    system = system_of(event)
    return system is not None and any(isinstance(one, Years) for one in (*system.parts, *system.others))


def prizes_of(event: Event, kind: str) -> dict[str, Prize]:
    """The prizes of a kind by name."""
    return {name: prize for name, prize in rules_of(event).prizes.items() if prize.kind == kind}


def round_lines(event: Event) -> list[RoundLine]:
    """Every round: when, until which year, on which clocks, at what weight."""
    rules = rules_of(event)
    return [_line(event, number, one, timing.rule_of(rules, number)) for number, one in event.rounds.items()]


def _line(event: Event, number: int, one: Round, rule: RoundRule) -> RoundLine:
    last = str(rule.last_year)
    if rule.last_year_aside is not None and rule.last_year_aside != rule.last_year:
        last = _("%(year)s, or %(aside)s off the final table") % {"year": last, "aside": rule.last_year_aside}
    clocks = _("%(spring)d and %(autumn)d minutes") % {
        "spring": rule.hours.spring // 60,
        "autumn": rule.hours.autumn // 60,
    }
    return RoundLine(
        number=number,
        starts=words.hour(event, one.starts),
        state=words.state(one.state),
        coming=one.state is RoundState.PLANNED and not one.cancelled,
        cancelled=one.cancelled,
        years=last,
        clocks=clocks,
        weight=rule.coefficient,
        teams=rule.teams,
    )


def sentences(event: Event) -> Iterator[str]:
    """What else the regulations say, a sentence each."""
    rules, language = rules_of(event), wording.language()
    system = system_of(event)
    if system is not None:
        title = system.title.get(language, system.name)
        yield _("Scoring: %(system)s.") % {"system": title}
    if rules.final is not None:
        held = event.rounds[rules.final.round].final if rules.final.round in event.rounds else None
        yield _final(rules.final.round, rules.final.seats, rules.final.bonus, held=held)
    weights = _weights(rules, len(event.rounds))
    if weights:
        yield weights
    if rules.late:
        yield _("Whoever sits down late loses 1/%(parts)d of his score for each season missed.") % {
            "parts": rules.late
        }
    if rules.wishes:
        yield _("Players may say which powers they would like: it counts where it costs nothing else.")
    else:
        yield _("Powers are drawn by lot.")
    yield _("A game may be ended by vote.") if rules.votes else _("Games are not ended by vote.")
    if prizes_of(event, TEAM):
        yield _("There is a trophy for teams.")


def _final(number: int, seats: int, bonus: str, *, held: bool | None) -> str:
    """Whether there is a final; `held`: what the director has decided."""
    if held is False:
        return _("No final table is played.")
    told = _("There is a final table of %(seats)d in round %(round)d, if there are boards enough.")
    if held:
        told = _("There is a final table of %(seats)d in round %(round)d.")
    sentence = told % {"seats": seats, "round": number}
    if Fraction(bonus) == 1:
        return sentence
    factor = written(wording.language(), Fraction(bonus))
    return f"{sentence} " + _("The score of its players is multiplied by %(factor)s.") % {"factor": factor}


def _weights(rules: Regulations, rounds: int) -> str:
    """What the rounds count, best first, where no final is held; "" where all count the same."""
    for one in rules.weighing:
        if one.final or (one.given and rounds not in one.given):
            continue
        told = one.weights.get(str(rounds), one.weights.get("any", ()))
        if not told:
            return ""
        percent = "\u202f%" if wording.language() == "fr" else "%"
        shares = ", ".join(f"{written(wording.language(), Fraction(share) * 100)}{percent}" for share in told)
        if rules.final is None:
            return _("From the best round to the worst, they count for %(weights)s.") % {"weights": shares}
        return _("Without a final, from the best round to the worst, they count for %(weights)s.") % {
            "weights": shares
        }
    return ""
