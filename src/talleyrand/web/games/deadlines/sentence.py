"""A rule as a sentence that the game master reads back."""

from __future__ import annotations

from collections.abc import Callable

from .countries import COUNTRIES
from .resting import Resting
from .rhythm import Rhythm
from .rules import ByHand, Days, Every, Rule
from .words import day, hour, length, listed, month, weekday
from .zones import said_zone

NARROW = "\u202f"  # the space before a French semicolon


def sentence(rhythm: Rhythm, language: str) -> str:
    """The whole rule; what a setting leaves at nothing is not said."""
    parts = [part for say in _PARTS for part in [say(rhythm, language)] if part]
    told = (f"{NARROW}; " if language == "fr" else "; ").join(parts)
    return f"{told[:1].upper()}{told[1:]}."


def _movement(rhythm: Rhythm, language: str) -> str:
    told = _proposals_and_orders(rhythm, language)
    return f"{told}, {said_zone(rhythm.zone, language)}" if _needs_zone(rhythm) else told


def _proposals_and_orders(rhythm: Rhythm, language: str) -> str:
    """Two dates a turn where one proposes before one orders."""
    told = _pace(rhythm.movement, language)
    if rhythm.proposals is None:
        return told
    both, propose, order = {
        "fr": ("propositions et ordres", "propositions", "ordres"),
        "en": ("proposals and orders", "proposals", "orders"),
    }[language]
    if rhythm.proposals == rhythm.movement:
        return f"{both} {told}"
    return f"{propose} {_pace(rhythm.proposals, language)}, {order} {told}"


def _needs_zone(rhythm: Rhythm) -> bool:
    """Where only time that passes counts, every zone is the same."""
    return rhythm.resting != Resting() or any(isinstance(rule, Days) for rule in rhythm.rules)


def _pace(rule: Rule, language: str) -> str:
    if isinstance(rule, Days):
        return _days(rule, language)
    if isinstance(rule, Every):
        told = length(rule.length, language, days_from=4)
        return f"{told} par phase" if language == "fr" else f"{told} a phase"
    return (
        "sans échéance, au signal du maître du jeu"
        if language == "fr"
        else "without deadlines, at a sign from the game master"
    )


def _days(rule: Days, language: str) -> str:
    names = [weekday(number, language) for number in rule.days]
    every = {"fr": "jour", "en": "day"}[language]
    told = every if len(names) == 7 else listed(names, language)
    at = hour(rule.minute, language)
    return f"chaque {told} à {at}" if language == "fr" else f"every {told} at {at}"


def _between(rhythm: Rhythm, language: str) -> str:
    rule = rhythm.between
    who = "retraites et ajustements" if language == "fr" else "retreats and adjustments"
    if rule is None:
        if isinstance(rhythm.movement, ByHand):
            return ""
        return f"{who} de même" if language == "fr" else f"{who} alike"
    if isinstance(rule, Every):
        told = length(rule.length, language, days_from=4)
        return f"{who} sous {told}" if language == "fr" else f"{who} within {told}"
    return f"{who} {_pace(rule, language)}"


def _first(rhythm: Rhythm, language: str) -> str:
    told = length(rhythm.first, language)
    if not rhythm.first:
        return ""
    return (
        f"au moins {told} pour la première phase"
        if language == "fr"
        else f"at least {told} for the first phase"
    )


def _minimum(rhythm: Rhythm, language: str) -> str:
    told = length(rhythm.minimum, language)
    if not rhythm.minimum:
        return ""
    if language == "fr":
        return f"une date à moins de {told} passe à la suivante"
    return f"a date less than {told} away goes to the next one"


def _resting(rhythm: Rhythm, language: str) -> str:
    told = _rests(rhythm.resting, language)
    if not told:
        return ""
    said = listed(told, language, {"fr": " ni ", "en": " or "}[language])
    counting = isinstance(rhythm.movement, Every)
    stands = {"fr": " (le temps s’y arrête)", "en": " (time stands still then)"}[language]
    return f"{'jamais' if language == 'fr' else 'never'} {said}{stands if counting else ''}"


def _rests(resting: Resting, language: str) -> list[str]:
    on, within = {"fr": ("le", "en"), "en": ("on", "in")}[language]
    days = [f"{on} {weekday(one, language)}" for one in resting.weekdays]
    months = [f"{within} {month(one, language)}" for one in resting.months]
    periods = [_period(one.since, one.until, language) for one in resting.periods]
    holiday = {"fr": "un jour férié", "en": "on a public holiday"}[language]
    country = [f"{holiday} {COUNTRIES[resting.country][language]}"] if resting.country else []
    return [*days, *months, *periods, *country]


def _period(since: str, until: str, language: str) -> str:
    first, last = day(since, language), day(until, language)
    if since == until:
        return f"le {first}" if language == "fr" else f"on {first}"
    return f"du {first} au {last}" if language == "fr" else f"from {first} to {last}"


def _extension(rhythm: Rhythm, language: str) -> str:
    told = length(rhythm.extension, language)
    if not rhythm.extension:
        return ""
    return f"prolongation de {told}" if language == "fr" else f"extended by {told}"


def _grace(rhythm: Rhythm, language: str) -> str:
    told = length(rhythm.grace, language)
    if not rhythm.grace:
        return ""
    return f"{told} de grâce" if language == "fr" else f"{told} of grace"


EARLY = {
    "fr": ("sans attendre quand tous sont prêts", "sans attendre l’échéance quand tous sont prêts"),
    "en": ("without waiting when all are ready", "without waiting for the deadline when all are ready"),
}
NEVER_EARLY = {
    "fr": ("même quand tous sont prêts", "jamais avant l’échéance"),
    "en": ("even when all are ready", "never before the deadline"),
}


def _early(rhythm: Rhythm, language: str) -> str:
    dated = not all(isinstance(rule, ByHand) for rule in rhythm.rules)
    return (EARLY if rhythm.early else NEVER_EARLY)[language][dated]


_PARTS: tuple[Callable[[Rhythm, str], str], ...] = (
    _movement,
    _between,
    _first,
    _minimum,
    _resting,
    _extension,
    _grace,
    _early,
)
