"""Names that are one person's to the ear, and names that are not."""

from __future__ import annotations

import pytest

from talleyrand.tournament import names
from talleyrand.tournament.model import Event, Person


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Élodie Marchand", "Elodie Marchant"),
        ("Jean Dupont", "DUPONT Jean"),
        ("Philippe Lefèvre", "Filipe Lefevre"),
        ("Mathieu Thibault", "Matthieu Thibaut"),
        ("Cécile Renault", "Sécile Renaud"),
        ("Jean-Luc  Moreau", "Jean Luc Moreaux"),
        ("Nicolas Quéré", "Nikolas Keré"),
    ],
)
def test_two_spellings_of_one_name(one: str, other: str) -> None:
    assert names.sounds(one) == names.sounds(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jean Dupont", "Jeanne Dupont"),
        ("Paul Martin", "Paule Mercier"),
        ("Hugo Lacombe", "Ugo Lambert"),
        ("Marc Petit", "Marie Petit"),
    ],
)
def test_two_people(one: str, other: str) -> None:
    assert names.sounds(one) != names.sounds(other)


def test_names_without_letters_are_nobody_s_twin() -> None:
    event = Event("Angers", people={1: Person("李"), 2: Person("王"), 3: Person("Zoé"), 4: Person("zoe")})
    assert names.twins(event) == [(3, 4)]
    assert names.alike(event, "ZOË") == [3, 4]
    assert names.alike(event, "!") == []


def test_one_alphabet_for_all_accents() -> None:
    event = Event("Angers", people={1: Person("Zoé"), 2: Person("Élodie"), 3: Person("Edmond")})
    assert names.in_order(event, event.people) == [3, 2, 1]
