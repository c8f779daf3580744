"""A rule as a sentence that the game master reads back."""

from __future__ import annotations

from collections.abc import Callable

from .date_texts import day_text, duration_text, hour_text, join_names, month_name, weekday_name
from .deadline_rules import DeadlineRule, IntervalRule, ManualRule, WeekdayRule
from .deadline_settings import DeadlineSettings
from .holiday_countries import HOLIDAY_COUNTRIES
from .rest_days import RestDays
from .zone_names import zone_text

NARROW = "\u202f"  # the space before a French semicolon


def deadline_sentence(rhythm: DeadlineSettings, language: str) -> str:
    """The whole rule; what a setting leaves at nothing is not said."""
    parts = [part for say in _PARTS for part in [say(rhythm, language)] if part]
    told = (f"{NARROW}; " if language == "fr" else "; ").join(parts)
    return f"{told[:1].upper()}{told[1:]}."


def _movement(rhythm: DeadlineSettings, language: str) -> str:
    told = _proposals_and_orders(rhythm, language)
    return f"{told}, {zone_text(rhythm.time_zone, language)}" if _needs_zone(rhythm) else told


def _proposals_and_orders(rhythm: DeadlineSettings, language: str) -> str:
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


def _needs_zone(rhythm: DeadlineSettings) -> bool:
    """Where only time that passes counts, every zone is the same."""
    return rhythm.rest_days != RestDays() or any(isinstance(rule, WeekdayRule) for rule in rhythm.rules)


def _pace(rule: DeadlineRule, language: str) -> str:
    if isinstance(rule, WeekdayRule):
        return _days(rule, language)
    if isinstance(rule, IntervalRule):
        told = duration_text(rule.length, language, days_from=4)
        return f"{told} par phase" if language == "fr" else f"{told} a phase"
    return (
        "sans échéance, au signal du maître de jeu"
        if language == "fr"
        else "without deadlines, at a sign from the game master"
    )


def _days(rule: WeekdayRule, language: str) -> str:
    names = [weekday_name(number, language) for number in rule.days]
    every = {"fr": "jour", "en": "day"}[language]
    told = every if len(names) == 7 else join_names(names, language)
    at = hour_text(rule.minute, language)
    return f"chaque {told} à {at}" if language == "fr" else f"every {told} at {at}"


def _between(rhythm: DeadlineSettings, language: str) -> str:
    rule = rhythm.between
    who = "retraites et ajustements" if language == "fr" else "retreats and adjustments"
    if rule is None:
        if isinstance(rhythm.movement, ManualRule):
            return ""
        return f"{who} de même" if language == "fr" else f"{who} alike"
    if isinstance(rule, IntervalRule):
        told = duration_text(rule.length, language, days_from=4)
        return f"{who} sous {told}" if language == "fr" else f"{who} within {told}"
    return f"{who} {_pace(rule, language)}"


def _first(rhythm: DeadlineSettings, language: str) -> str:
    told = duration_text(rhythm.first, language)
    if not rhythm.first:
        return ""
    return (
        f"au moins {told} pour la première phase"
        if language == "fr"
        else f"at least {told} for the first phase"
    )


def _minimum(rhythm: DeadlineSettings, language: str) -> str:
    told = duration_text(rhythm.minimum, language)
    if not rhythm.minimum:
        return ""
    if language == "fr":
        return f"une date à moins de {told} passe à la suivante"
    return f"a date less than {told} away goes to the next one"


def _resting(rhythm: DeadlineSettings, language: str) -> str:
    told = _rests(rhythm.rest_days, language)
    if not told:
        return ""
    said = join_names(told, language, {"fr": " ni ", "en": " or "}[language])
    counting = isinstance(rhythm.movement, IntervalRule)
    stands = {"fr": " (le temps s’y arrête)", "en": " (time stands still then)"}[language]
    return f"{'jamais' if language == 'fr' else 'never'} {said}{stands if counting else ''}"


def _rests(resting: RestDays, language: str) -> list[str]:
    on, within = {"fr": ("le", "en"), "en": ("on", "in")}[language]
    days = [f"{on} {weekday_name(one, language)}" for one in resting.weekdays]
    months = [f"{within} {month_name(one, language)}" for one in resting.months]
    periods = [_period(one.since, one.until, language) for one in resting.periods]
    holiday = {"fr": "un jour férié", "en": "on a public holiday"}[language]
    country = [f"{holiday} {HOLIDAY_COUNTRIES[resting.country][language]}"] if resting.country else []
    return [*days, *months, *periods, *country]


def _period(since: str, until: str, language: str) -> str:
    first, last = day_text(since, language), day_text(until, language)
    if since == until:
        return f"le {first}" if language == "fr" else f"on {first}"
    return f"du {first} au {last}" if language == "fr" else f"from {first} to {last}"


def _extension(rhythm: DeadlineSettings, language: str) -> str:
    told = duration_text(rhythm.extension, language)
    if not rhythm.extension:
        return ""
    return f"prolongation de {told}" if language == "fr" else f"extended by {told}"


def _grace(rhythm: DeadlineSettings, language: str) -> str:
    told = duration_text(rhythm.grace, language)
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


def _early(rhythm: DeadlineSettings, language: str) -> str:
    dated = not all(isinstance(rule, ManualRule) for rule in rhythm.rules)
    return (EARLY if rhythm.plays_early else NEVER_EARLY)[language][dated]


_PARTS: tuple[Callable[[DeadlineSettings, str], str], ...] = (
    _movement,
    _between,
    _first,
    _minimum,
    _resting,
    _extension,
    _grace,
    _early,
)
