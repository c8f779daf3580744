"""Who is the younger, from dates of birth that are a day, a year, or not known.

A year says that somebody was born between its first and its last day. So whoever is told as the youngest is
it for certain; where several may be, all of them are told, and the director asks them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from .model import EventPerson


class BirthDays(NamedTuple):
    """The first and the last day on which somebody may be born, as numbers of days."""

    first: Fraction
    last: Fraction


def birth_days(born: str) -> BirthDays | None:
    """The days that `1999-05-02` or `1999` leaves open; None for anything else."""
    try:
        if re.fullmatch(r"[1-9]\d{3}", born, re.ASCII):
            return BirthDays(_day(date(int(born), 1, 1)), _day(date(int(born), 12, 31)))
        if re.fullmatch(r"[1-9]\d{3}-\d{2}-\d{2}", born, re.ASCII):
            return BirthDays(_day(date.fromisoformat(born)), _day(date.fromisoformat(born)))
    except ValueError:
        pass
    return None


def may_be_born_together(one: str, two: str) -> bool:
    """Whether two dates or years may be one day; what is not known may be any."""
    first, second = birth_days(one), birth_days(two)
    return first is None or second is None or (first.first <= second.last and second.first <= first.last)


def _day(day: date) -> Fraction:
    return Fraction(day.toordinal())


def is_birth_date(born: str) -> bool:
    """Whether this is a date or a year that can be kept; nothing is one too."""
    return not born or birth_days(born) is not None


def possible_youngest(people: Mapping[int, EventPerson], numbers: Iterable[int]) -> tuple[int, ...]:
    """Who may be the youngest of them: one where the dates settle it."""
    return _latest({one: birth_days(people[one].private.born) for one in numbers})


def possible_youngest_groups(
    people: Mapping[int, EventPerson], groups: Mapping[int, Iterable[int]]
) -> tuple[int, ...]:
    """Which of these groups may have the lowest mean age: one where the dates settle it."""
    return _latest({one: _mean(people, members) for one, members in groups.items()})


def _latest(spans: Mapping[int, BirthDays | None]) -> tuple[int, ...]:
    return tuple(one for one in spans if not any(_surely_later(spans[two], spans[one]) for two in spans))


def _surely_later(one: BirthDays | None, two: BirthDays | None) -> bool:
    return one is not None and two is not None and one.first > two.last


def _mean(people: Mapping[int, EventPerson], members: Iterable[int]) -> BirthDays | None:
    spans = [birth_days(people[one].private.born) for one in members]
    known = [one for one in spans if one is not None]
    if not known or len(known) < len(spans):
        return None
    firsts, lasts = sum(one.first for one in known), sum(one.last for one in known)
    return BirthDays(Fraction(firsts, len(known)), Fraction(lasts, len(known)))


def is_young(person: EventPerson, since: int) -> bool:
    """Whether somebody is young for a prize: born in that year or later, said to be, or a beginner."""
    if person.youth or person.beginner:
        return True
    days = birth_days(person.private.born)
    return bool(since) and days is not None and days.first >= _day(date(since, 1, 1))
