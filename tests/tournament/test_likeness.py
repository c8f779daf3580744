"""Which names may be one person, and which are not."""

from __future__ import annotations

import pytest

from talleyrand.tournament import name_matching
from talleyrand.tournament.model import EventPerson

ONE = (
    ("Bastien Quéré", "QUERE bastien"),
    ("Élodie Marchand", "Elodie Marchant"),
    ("Mathilde Guérin", "Matilde Guerrin"),
    ("Philippe Moreau", "Filipe Morau"),
    ("Jean-Marc Dupont", "jean marc DUPOND"),
    ("Thibault Morvan", "Thibaud Morvan"),
    ("Anne d’Albret", "Anne Dalbret"),
    ("Karine Duvivier", "duvivié, Carine"),
    ("Cécile Lœwe", "Cecile Loewe"),
    ("Xavière  Collin", "Xaviere Colin"),
    ("Michèle Schwartz", "Michelle Shvartz"),
    ("Inès Bréhat", "Inés Breha"),
    ("Guy de la Tour", "Guy Tour"),
    ("Karl Müller", "Karl Mueller"),
    ("John Smith", "Jon Smit"),
    ("Petra Novak", "Petra Nowak"),
)
OTHERS = (
    ("Bastien Quéré", "Bastienne Quéré"),
    ("Hugo Lacombe", "Hugo Lecomte"),
    ("Romain Chastel", "Romane Chastel"),
    ("Yann Kermadec", "Yann Kervadec"),
    ("Solène Ravel", "Solène Rivel"),
    ("Agathe Oriol", "Agathe"),
    ("Ann Miller", "Ann Millet"),
    ("Jack Johnson", "Jack Johnsons"),
    ("Luca Rossi", "Luca Rosso"),
    ("", ""),
)


@pytest.mark.parametrize(("first", "second"), ONE)
def test_one_person_written_in_two_manners(first: str, second: str) -> None:
    assert name_matching.people_sounding_alike(second, {7: EventPerson("Zoé"), 8: EventPerson(first)}) == (8,)


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_two_people(first: str, second: str) -> None:
    assert name_matching.people_sounding_alike(second, {8: EventPerson(first)}) == ()


def test_every_pair_of_three_is_told() -> None:
    people = {
        1: EventPerson("Loïc Sarrazin"),
        2: EventPerson("Zoé"),
        5: EventPerson("loic sarazin"),
        9: EventPerson("Sarrasin L"),
    }
    assert name_matching.possible_duplicates(people) == [(1, 5)]
    assert name_matching.possible_duplicates({**people, 6: EventPerson("LOÏC SARRAZIN")}) == [
        (1, 5),
        (1, 6),
        (5, 6),
    ]


@pytest.mark.parametrize("name", ["'", "孙悟空", "  ", "\u0301", "x" * 5000, "🙂"])
def test_anything_that_is_typed_has_a_sound(name: str) -> None:
    assert isinstance(name_matching.name_sounds(name), frozenset)
