"""Who is the youngest, by days, by years, and where nobody can say."""

from __future__ import annotations

import pytest

from talleyrand.tournament import birth_dates
from talleyrand.tournament.model import EventPerson, PrivateFacts


def _people(*born: str) -> dict[int, EventPerson]:
    return {
        number: EventPerson("Somebody", private=PrivateFacts(born=one)) for number, one in enumerate(born, 1)
    }


@pytest.mark.parametrize(
    ("born", "youngest"),
    [
        (["1990-05-01", "1990-05-02"], (2,)),
        (["1990-05-02", "1990-05-02"], (1, 2)),  # the same day
        (["1990", "1991"], (2,)),
        (["1990", "1990"], (1, 2)),
        (["1990-12-31", "1991"], (2,)),
        (["1990-12-31", "1990"], (1, 2)),  # the year may be the same day
        (["1989", "1990", "1990-06-01"], (2, 3)),
        (["1990", ""], (1, 2)),
        (["", ""], (1, 2)),
        (["1980", "1990", ""], (2, 3)),
        (["1990", "about 1995"], (1, 2)),
        (["2004-02-29", "2003"], (1,)),
        ([], ()),
    ],
)
def test_the_youngest(born: list[str], youngest: tuple[int, ...]) -> None:
    """Only for certain."""
    people = _people(*born)
    assert birth_dates.possible_youngest(people, people) == youngest


@pytest.mark.parametrize(
    ("born", "kept"),
    [
        ("", True),
        ("1999", True),
        ("1999-12-31", True),
        ("1999-02-29", False),
        ("0999", False),
        ("99", False),
        ("31/12/1999", False),
        ("1999-1-1", False),
        ("१९९९", False),
        ("1999\n", False),
    ],
)
def test_what_can_be_kept(born: str, kept: bool) -> None:
    """A day, a year, or nothing."""
    assert birth_dates.is_birth_date(born) is kept


@pytest.mark.parametrize(
    ("person", "young"),
    [
        (EventPerson("A", private=PrivateFacts(born="2000")), True),
        (EventPerson("A", private=PrivateFacts(born="1999-12-31")), False),
        (EventPerson("A", private=PrivateFacts(born="1960"), beginner=True), True),
        (EventPerson("A", youth=True), True),
        (EventPerson("A"), False),
    ],
)
def test_who_is_young(person: EventPerson, young: bool) -> None:
    """By birth, by a flag, or as a beginner."""
    assert birth_dates.is_young(person, 2000) is young
    assert birth_dates.is_young(person, 0) is (person.youth or person.beginner)


def test_the_lowest_mean_age() -> None:
    """Of groups of several sizes; a group with an unknown age may always be it."""
    people = _people("1980-01-01", "2000-01-01", "1989-12-31", "1995", "")
    assert birth_dates.possible_youngest_groups(people, {1: [1, 2], 2: [3]}) == (1,)
    assert birth_dates.possible_youngest_groups(people, {1: [1, 2], 2: [3], 3: [4]}) == (3,)
    assert birth_dates.possible_youngest_groups(people, {1: [1, 2], 2: [5]}) == (1, 2)
