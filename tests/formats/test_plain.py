"""Positions, orders and headings as people type them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import messages, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase
from talleyrand.formats.adjudication import adjudicate_question
from talleyrand.formats.datc_cases import read_datc_cases
from talleyrand.formats.game_record import replay
from talleyrand.formats.phase_heading_parser import (
    phase_kinds_named,
    read_phase_heading,
    read_relative_heading,
)
from talleyrand.formats.plain_text import read_game_text
from talleyrand.formats.sheet_folder import record_from_text

TEXT = """// une situation
variante : classic
livre : datc
graine : abc

Positions
France : A Par, armée Marseille, F Esp (cs)
Autriche-Hongrie
A Vie
A Bud; F Trieste

Délogées
Turquie : A Bul par Rou, F Con par Smy par convoi

Contestées : Gre, Ser
Centres
France : Par, Mar, Espagne

Automne 1902, retraites
Turquie
A Bul - Gre
"""


def test_a_text_becomes_a_question() -> None:
    asked = read_game_text(TEXT).question()
    assert asked == {
        "variant": "classic",
        "rulebook": "datc",
        "seed": "abc",
        "phase": "F1902R",
        "units": {"FRANCE": ["A PAR", "A MAR", "F SPA/SC"], "AUSTRIA": ["A VIE", "A BUD", "F TRI"]},
        "dislodged": {
            "TURKEY": [
                {"unit": "A BUL", "by": "RUM", "convoyed": False},
                {"unit": "F CON", "by": "SMY", "convoyed": True},
            ]
        },
        "contested": ["GRE", "SER"],
        "centers": {"FRANCE": ["PAR", "MAR", "SPA"]},
        "orders": {"TURKEY": ["A Bul - Gre"]},
    }


def test_codes_of_a_position_are_those_of_no_other_list() -> None:
    text = "Units\nFrance: A MAR, F NAF\nItaly: A TYR, F TYS\nCentres\nFrance: MAR, PAR\n"
    asked = read_game_text(text).question()
    assert asked["units"] == {"FRANCE": ["A MAR", "F NAF"], "ITALY": ["A TYR", "F TYS"]}
    assert asked["centers"] == {"FRANCE": ["MAR", "PAR"]}


def test_without_positions_the_game_begins() -> None:
    asked = read_game_text("France\nA Par - Bou; F Bre - AtM\n").question()
    assert asked["phase"] == "S1901M"
    assert asked["orders"] == {"FRANCE": ["A Par - Bou", "F Bre - AtM"]}
    units = asked["units"]
    assert isinstance(units, dict)
    assert units["FRANCE"] == ["F BRE", "A MAR", "A PAR"]


def test_english_words_do_as_well() -> None:
    text = "rulebook: datc\nUnits\nFrance: A Par\nSpring 1905\nFrance: A Par - Bur\n"
    asked = read_game_text(text).question()
    assert asked == {
        "rulebook": "datc",
        "phase": "S1905M",
        "units": {"FRANCE": ["A PAR"]},
        "orders": {"FRANCE": ["A Par - Bur"]},
    }


def test_an_impossible_place_is_left_for_the_judge_to_refuse() -> None:
    units = read_game_text("Positions\nFrance : A Nrd, F StP\n").question()["units"]
    assert units == {"FRANCE": ["A NTH", "F STP"]}


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("Positions\nAtlantide : A Par", "text_line", "2"),
        ("Positions\nFrance : A Xyzzy", "text_line", "2"),
        ("Positions\nFrance : Par", "text_line", "2"),
        ("Centres\n\nFrance : Xyzzy", "text_place", "3"),
        ("Centres\nFrance : Nor", "text_place_ambiguous", "2"),
        ("Délogées\nFrance : A Par", "text_line", "2"),
        ("absents : Atlantide", "text_line", "1"),
    ],
)
def test_a_line_at_fault_is_named(text: str, code: str, line: str) -> None:
    with pytest.raises(TalleyrandError) as caught:
        read_game_text(text)
    assert (caught.value.code, caught.value.facts["line"]) == (code, line)


@pytest.mark.parametrize(
    ("heading", "phase"),
    [
        ("Printemps 1901", "S1901M"),
        ("## PRINTEMPS 1901 ##", "S1901M"),
        ("Automne 1902", "F1902M"),
        ("Été 1901", "S1901R"),
        ("Automne 1901 : retraites", "F1901R"),
        ("Retraites d’automne 1901", "F1901R"),
        ("Hiver 1901", "W1901A"),
        ("Ajustements 1901", "W1901A"),
        ("Hivers 1902 - constructions", "W1902A"),
        ("Spring 1901 Movement", "S1901M"),
        ("Fall 1903", "F1903M"),
        ("Summer of 1903", "S1903R"),
        ("Winter 1901 builds", "W1901A"),
        ("s1901m", "S1901M"),
        ("W1901A:", "W1901A"),
        ("X1901M", None),
        ("1901", None),
        ("Printemps", None),
        ("Printemps 1901 1902", None),
        ("Les ordres du printemps 1901 sont arrivés en retard", None),
        ("A Par - Bou", None),
        ("F 1901 - 1902", None),
    ],
)
def test_headings_of_phases(heading: str, phase: str | None) -> None:
    assert read_phase_heading(heading, variants.load("classic")) == (phase and Phase.parse(phase))


@pytest.mark.parametrize(
    ("heading", "phase"),
    [
        ("Retraites", "F1902R"),
        ("Retraites :", "F1902R"),
        ("Constructions/Destructions", "W1902A"),
        ("Adjustments", "W1902A"),
        ("Mouvements", None),
        ("France", None),
    ],
)
def test_headings_that_follow_another(heading: str, phase: str | None) -> None:
    found = read_relative_heading(heading, variants.load("classic"), Phase.parse("F1902M"))
    assert found == (phase and Phase.parse(phase))
    chapters = read_game_text(
        f"Automne 1902\nFrance : A Par - Bou\n{heading}\nFrance : A Par - Bou\n"
    ).phase_texts
    assert len(chapters) == (2 if phase else 1)


def test_headings_of_another_calendar() -> None:
    trio = variants.load("trio")
    assert read_phase_heading("Année 3", trio) == Phase("Y", 3, "M")
    assert read_phase_heading("Année 1, choix de départ", trio) == Phase("Y", 1, "D")


LINES = st.sampled_from(
    [
        "France",
        "Turquie : A Par, F Nrd",
        "Positions",
        "Délogées",
        "A Bul par Rou",
        "Centres",
        "variante : trio",
        "livre : ?",
        "absents : France",
        "contestées : Liv",
        "Hiver 1901",
        "Retraites",
        "A Par - Bou; F StP (cs) - Bot",
        "# 6.A.1 CASE",
        "@retreat",
        "ENG owns SC LON",
    ]
)


@given(st.lists(LINES | st.text(max_size=30), max_size=12).map("\n".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    faults = []
    for read in (lambda: list(replay(record_from_text(read_game_text(text)))), lambda: read_datc_cases(text)):
        try:
            read()
        except TalleyrandError as error:
            faults.append(error)
    assert all(messages.error_sentence(error, language) for error in faults for language in ("fr", "en"))
    try:
        asked = read_game_text(text).question()
    except TalleyrandError:
        return
    json.dumps(adjudicate_question(asked))


REMEMBERED = [
    ("Centres avant\nFrance : Par, Mar", {"centers_before": {"FRANCE": ["PAR", "MAR"]}}),
    ("Centres before\nFrance: Par", {"centers_before": {"FRANCE": ["PAR"]}}),
    ("désordre : Turquie, Italie", {"disorder": ["TURKEY", "ITALY"]}),
    ("disorder: Turkey", {"disorder": ["TURKEY"]}),
    ("constructions gardées : France 1, Autriche-Hongrie 2", {"kept_builds": {"FRANCE": 1, "AUSTRIA": 2}}),
    ("kept builds: France 1", {"kept_builds": {"FRANCE": 1}}),
    ("graine : Lyon 2026", {"seed": "Lyon 2026"}),
]


@pytest.mark.parametrize(("lines", "fields"), REMEMBERED)
def test_what_a_position_remembers(lines: str, fields: dict[str, object]) -> None:
    asked = read_game_text(
        f"Positions\nFrance : A Bou\nCentres\nFrance : Par\n{lines}\n\nHiver 1901\nFrance\nA Par\n"
    ).question()
    assert asked.items() >= fields.items()
    assert "error" not in adjudicate_question(asked)


@pytest.mark.parametrize(
    "right", ["France", "France x", "France -1", "Atlantide 1", "1", "France " + "9" * 50]
)
def test_rights_to_build_that_cannot_be_read(right: str) -> None:
    with pytest.raises(TalleyrandError) as raised:
        read_game_text(f"constructions gardées : {right}\n")
    assert raised.value.code == "text_line"


@pytest.mark.parametrize(
    ("title", "kinds"),
    [
        ("ordres printemps 1901", ""),
        ("orders for spring", ""),
        ("printemps mouvements", "M"),
        ("retreats", "R"),
        ("constructions", "A"),
        ("moves and retreats", "MR"),
    ],
)
def test_titles_name_kinds_of_phases(title: str, kinds: str) -> None:
    assert phase_kinds_named(title.split()) == set(kinds)
