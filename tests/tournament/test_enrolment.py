"""Lists of people as people keep them: what is understood of them, and what they come to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.tournament import acts
from talleyrand.tournament.model import (
    Event,
    EventPerson,
    EventRound,
    EventTeam,
    Office,
    PrivateFacts,
    RoundState,
)
from talleyrand.tournament.people_list import list_rows, parsed_list
from talleyrand.tournament.people_list.list_rows import InvalidList

ROUNDS = {1: EventRound(RoundState.CLOSED), 2: EventRound(RoundState.OPEN), 3: EventRound(), 4: EventRound()}
EVENT = Event(
    "Angers",
    rounds=ROUNDS,
    people={
        1: EventPerson(
            "Bastien Quéré", club="Nantes", rounds=(1, 2), private=PrivateFacts(mail="b@example.org")
        ),
        2: EventPerson("Agathe Oriol", rounds=(1,)),
        3: EventPerson("Agatte Auriol"),
    },
    teams={1: EventTeam("Les Tours", (1, 2))},
)
ACCENTS = "Nom;Club\nÉlodie Bœuf;Les Échecs – Angers\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_every_usual_encoding_is_read(encoding: str) -> None:
    assert list_rows.decode_file(ACCENTS.encode(encoding)) == ACCENTS


FILES = {
    b"PK\x03\x04rest": "import_spreadsheet",
    b"\xd0\xcf\x11\xe0rest": "import_spreadsheet",
    b"name\x81\x8d\xff": "import_not_text",
    b"\xff\xfea": "import_not_text",
    b"a" * (list_rows.MAX_FILE_BYTES + 1): "import_too_long",
}


@pytest.mark.parametrize("content", FILES, ids=range(len(FILES)))
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidList) as refused:
        list_rows.decode_file(content)
    assert refused.value.code == FILES[content]


ROWS = {
    "Nom;Club\nA;B": [("Nom", "Club"), ("A", "B")],
    "Nom,Club\r\nA,B\r\n\r\n": [("Nom", "Club"), ("A", "B")],
    "Nom\tClub\rA\tB": [("Nom", "Club"), ("A", "B")],
    "sep=;\nNom;Club\nA, b;B": [("Nom", "Club"), ("A, b", "B")],
    "Zoé\nYann": [("Zoé",), ("Yann",)],
    "Nom;Club\n\"A; jr\";\"B\nC\"": [("Nom", "Club"), ("A; jr", "B C")],
    "Oriol, Agathe;Angers\nRavel, Zoé;Brest": [("Oriol, Agathe", "Angers"), ("Ravel, Zoé", "Brest")],
    "\ufeffNom;T\n  A\u00a0b ;'+33 6": [("Nom", "T"), ("A b", "+33 6")],
}  # fmt: skip


@pytest.mark.parametrize("text", ROWS)
def test_rows_by_the_separator_that_suits(text: str) -> None:
    assert [row.cells for row in list_rows.read_rows(text)] == ROWS[text]


def test_a_row_is_told_by_the_line_where_it_begins() -> None:
    assert [row.line for row in list_rows.read_rows('N;C\n\nA;"x\ny"\nB;z')] == [1, 3, 5]


EMPTY = {"": "import_empty", "  \n ;; \n": "import_empty", "Nom;Club\n": "import_empty"}


@pytest.mark.parametrize("text", EMPTY)
def test_a_list_of_nobody_is_refused(text: str) -> None:
    with pytest.raises(InvalidList, match=EMPTY[text]):
        parsed_list.read_people_list(text, EVENT)


@pytest.mark.parametrize("text", ["Nom\nA\0b", "\x07", "\x1b[31m"])
def test_what_nobody_types_is_refused(text: str) -> None:
    with pytest.raises(InvalidList, match="import_not_text"):
        parsed_list.read_people_list(text, EVENT)


def test_invisible_signs_are_left_out() -> None:
    found = parsed_list.read_people_list(
        "Nom;Club\n\u200bZoé\u00ad Fon\u2060tanel\u202e;\ufeff\u00a0Nantes", EVENT
    ).lines[0]
    assert found.person is not None
    assert (found.person.name, found.person.club) == ("Zoé Fontanel", "Nantes")


@pytest.mark.parametrize("text", ["A\n" * 402, "x" * 200_001, ";" * 70 + "a"])
def test_too_much_is_refused(text: str) -> None:
    with pytest.raises(InvalidList, match="import_too"):
        parsed_list.read_people_list(text, EVENT)


HEADINGS = {
    "Nom;Prénom;Naissance": ("last", "first", "born"),
    "NOM;Ville": ("name", "town"),
    "Surname,First name,E-mail": ("last", "first", "mail"),
    "Joueur;R1;Ronde 2;Round 3;humeur": ("name", "round:1", "round:2", "round:3", ""),
    "Nom;Nom d’équipe;Dû;Payé;Payé": ("name", "team", "due", "paid", ""),
}


@pytest.mark.parametrize("line", HEADINGS)
def test_columns_by_their_headings(line: str) -> None:
    text = line + "\n" + line[0].replace("N", "x") + "x"
    assert parsed_list.read_people_list(text, EVENT).columns == HEADINGS[line]


def test_columns_by_their_look() -> None:
    text = "Zoé Fontanel;zoe@example.org;1987;06 12 34 56 78;Les Chouettes;;7\nHugo;;12/03/1990;;Nantes;;8"
    found = parsed_list.read_people_list(text, EVENT)
    assert (found.columns, found.headings) == (("name", "mail", "born", "phone", "club", "", ""), ())
    chosen = parsed_list.read_people_list(
        text, EVENT, ["name", "", "", "note", "town", "club", "round:9", "mail"]
    )
    assert chosen.columns == ("name", "", "", "note", "town", "club", "")


def one(heading: str, cell: str) -> parsed_list.ListLine:
    return parsed_list.read_people_list(f"Nom;{heading}\nZoé Fontanel;{cell}", EVENT, everyone=(2, 3)).lines[
        0
    ]


CELLS = (
    ("Rondes", "1 2 4", "rounds", (1, 2, 4)),
    ("Rondes", "R1, R3", "rounds", (1, 3)),
    ("Rondes", "2-4", "rounds", (2, 3, 4)),
    ("Rondes", "2 à 4 et 1", "rounds", (1, 2, 3, 4)),
    ("Rondes", "toutes", "rounds", (1, 2, 3, 4)),
    ("Rondes", "aucune", "rounds", ()),
    ("Rondes", "–", "rounds", ()),
    ("Rondes", "", "rounds", (2, 3)),
    ("R2", "x", "rounds", (2,)),
    ("R2", "non", "rounds", ()),
    ("R9", "x", "rounds", (2, 3)),
    ("Premier tournoi", "oui", "beginner", True),
    ("Premier tournoi", "✓", "beginner", True),
    ("Premier tournoi", "-", "beginner", False),
    ("Secrétaire", "x", "recorder", True),
    ("Recorder", "non", "recorder", False),
    ("Fonction", "Bénévole", "office", Office.VOLUNTEER),
    ("Fonction", "Organisatrice", "office", Office.ORGANISER),
    ("Fonction", "x", "office", Office.VOLUNTEER),
    ("Trajet", "1 h 30", "minutes", 90),
    ("Trajet", "45 min", "minutes", 45),
    ("Ville", "Saint-Barthélemy-d’Anjou", "town", "Saint-Barthélemy-d’Anjou"),
)
PRIVATE = (
    ("Naissance", "1987", "born", "1987"),
    ("Naissance", "3/7/1987", "born", "1987-07-03"),
    ("Naissance", "1987-07-03", "born", "1987-07-03"),
    ("Dû", "12,5 €", "due", "12.50"),
    ("Payé", "20", "paid", "20"),
    ("Préférences de puissances", "Turquie, Autriche-Hongrie", "prefers", ("TURKEY", "AUSTRIA")),
    ("Puissances souhaitées", "Turquie", "prefers", ("TURKEY",)),
    ("Powers liked", "Turkey", "prefers", ("TURKEY",)),
    ("Wishes", "ENGLAND > tur", "prefers", ("ENGLAND", "TURKEY")),
    ("Vœux", "Fra Ita fra", "prefers", ("FRANCE", "ITALY")),
    ("Vœux", "–", "prefers", ()),
    ("Tél", "'+33 6 12", "phone", "+33 6 12"),
)


@pytest.mark.parametrize(("heading", "cell", "field", "value"), CELLS)
def test_a_cell(heading: str, cell: str, field: str, value: object) -> None:
    person = one(heading, cell).person
    assert getattr(person, field) == value


@pytest.mark.parametrize(("heading", "cell", "field", "value"), PRIVATE)
def test_a_private_cell(heading: str, cell: str, field: str, value: object) -> None:
    person = one(heading, cell).person
    assert person is not None
    assert getattr(person.private, field) == value


BAD = (
    ("Rondes", "5", "import_bad_rounds"),
    ("Rondes", "samedi 2", "import_bad_rounds"),
    ("Premier tournoi", "peut-être", "import_bad_flag"),
    ("Fonction", "traître", "import_bad_office"),
    ("Secrétaire", "peut-être", "import_bad_flag"),
    ("Vœux", "Narnia", "import_bad_powers"),
    ("Vœux", "France, Narnia", "import_bad_powers"),
    ("Vœux", "🙂", "import_bad_powers"),
    ("Naissance", "31/02/1987", "import_bad_date"),
    ("Naissance", "07/13/1987", "import_bad_date"),
    ("Naissance", "87", "import_bad_date"),
    ("Naissance", "1812", "import_bad_date"),
    ("Dû", "cher", "import_bad_amount"),
    ("Dû", "-5", "import_bad_amount"),
    ("Dû", "1e9", "import_bad_amount"),
    ("Trajet", "loin", "import_bad_minutes"),
    ("Courriel", "chez moi", "import_bad_mail"),
    ("Ville", "x" * 201, "import_long_cell"),
)


@pytest.mark.parametrize(("heading", "cell", "code"), BAD)
def test_a_cell_that_is_not_understood(heading: str, cell: str, code: str) -> None:
    line = one(heading, cell)
    assert [(trouble.error.code, trouble.column) for trouble in line.troubles] == [(code, 2)]
    assert line.choices == (parsed_list.SKIP,)


def test_a_line_without_a_name() -> None:
    found = parsed_list.read_people_list("Nom;Prénom;Club\n;;Nantes\n;Zoé;", EVENT)
    assert [[one.error.code for one in line.troubles] for line in found.lines] == [["import_no_name"], []]


LIST = """Nom;Club;Rondes;Équipe
QUERE Bastien;nantes;1 3;les tours
Agathe Oriole;;;
Zoé Fontanel;Angers;;Les Tours
Yann Kermadec;;2;Les Phares
zoe fontanel;Nantes;;
Hugo;;9;
"""


def test_who_is_known_and_who_comes_twice() -> None:
    lines = parsed_list.read_people_list(LIST, EVENT, everyone=(2, 3, 4)).lines
    assert [(one.known, one.before, one.choice) for one in lines] == [
        ((1,), 0, "change:1"),
        ((2, 3), 0, "add"),
        ((), 0, "add"),
        ((), 0, "add"),
        ((), 4, "add"),
        ((), 0, "skip"),
    ]


def after(choices: dict[int, str]) -> Event:
    event, found = EVENT, parsed_list.read_people_list(LIST, EVENT, everyone=(2, 3, 4))
    for act in parsed_list.import_acts(EVENT, found, choices):
        event = acts.perform_act(event, act)
    return event


def test_what_a_list_comes_to() -> None:
    event = after({})
    assert event.people[1] == replace(EVENT.people[1], club="nantes", rounds=(1, 3))
    assert event.people[4] == EventPerson("Agathe Oriole", rounds=(2, 3, 4))
    assert event.people[5] == EventPerson("Zoé Fontanel", club="Angers", rounds=(2, 3, 4))
    assert [event.people[6].name, event.people[6].rounds] == ["Yann Kermadec", (2,)]
    assert event.people[7] == EventPerson("zoe fontanel", club="Nantes", rounds=(2, 3, 4))
    assert len(event.people) == 7
    assert event.teams == {1: EventTeam("Les Tours", (1, 2, 5)), 2: EventTeam("Les Phares", (6,))}


def test_what_was_chosen_is_done_and_nothing_else() -> None:
    event = after({2: "skip", 3: "change:3", 4: "skip", 5: "skip", 7: "add", 99: "add"})
    assert [one.name for one in event.people.values()] == [
        "Bastien Quéré", "Agathe Oriol", "Agatte Auriol", "zoe fontanel",
    ]  # fmt: skip
    assert after({2: "change:3", 3: "change:77"}).people[1].club == "nantes"


SAME = (
    ("Zoé Fontanel;;;", "Fontanel ZOE;Angers;;"),
    ("Zoé Fontanel;Angers;1980;", "Zoé Fontanel;angers;1980-03-02;"),
    ("Zoé Fontanel;;;z@example.org", "Z. Fontanel;Nantes;1999;Z@EXAMPLE.org"),
    ("Zoé Fontanel;;;z@example.org", "Fontanelle Zoé;Nantes;;Z@EXAMPLE.org"),
    ("李明;;;", "李明;Paris;;"),
)
OTHERS = (
    ("Zoé Fontanel;Angers;;", "Zoé Fontanel;Nantes;;"),
    ("Zoé Fontanel;;1980;", "Zoé Fontanel;;1981;"),
    ("Zoé Fontanel;;;z@example.org", "Zoé Fontanel;;;zoe@example.org"),
    ("Zoé Fontanel;;;", "Zoé Fontanelle;;;"),
    # a family has one address
    ("Zoé Fontanel;;;famille@example.org", "Luc Fontanel;;;famille@example.org"),
    ("Luc Fontanel;;1950;famille@example.org", "Luc Fontanel;;1980;famille@example.org"),
)


@pytest.mark.parametrize(("first", "second"), SAME + OTHERS)
def test_only_whoever_is_certainly_above_is_left_out(first: str, second: str) -> None:
    found = parsed_list.read_people_list(f"Nom;Club;Né le;Mail\n{first}\n{second}\n", EVENT)
    assert found.lines[1].before == 2
    assert found.lines[1].choice == ("skip" if (first, second) in SAME else "add")


def imported(text: str, event: Event) -> list[EventPerson]:
    for act in parsed_list.import_acts(event, parsed_list.read_people_list(text, event), {}):
        event = acts.perform_act(event, act)
    return list(event.people.values())[len(EVENT.people) :]


def test_one_line_three_hundred_times_is_one_person() -> None:
    text = "Nom\n" + "Luc Fontanel\n" * 300
    assert [one.name for one in imported(text, EVENT)] == ["Luc Fontanel"]
    event = EVENT
    for _ in range(2):  # the same list in two windows
        for act in parsed_list.import_acts(event, parsed_list.read_people_list(text, event), {}):
            event = acts.perform_act(event, act)
    assert len(event.people) == len(EVENT.people) + 1


def test_two_who_contradict_each_other_are_not_both_somebody_of_whom_nothing_is_known() -> None:
    """The latter would take the place of the former, in the list or in the event, and one of them be lost."""
    lines = "Luc Fontanel;Paris\nLuc Fontanel;Lyon\n"
    above = [one.club for one in imported(f"Nom;Club\nLuc Fontanel;\n{lines}", EVENT)]
    assert above == ["", "Lyon"]
    event = replace(EVENT, people={**EVENT.people, 4: EventPerson("Luc Fontanel")})
    assert [one.club for one in imported(f"Nom;Club\n{lines}", event)] == ["Paris", "Lyon"]


def test_a_line_is_shown_beside_a_dozen_at_most() -> None:
    many = {number: EventPerson("Luc Fontanel", club=f"Club {number}") for number in range(1, 300)}
    line = parsed_list.read_people_list("Nom\nLuc Fontanel\n", replace(EVENT, people=many)).lines[0]
    assert len(line.choices) == parsed_list.MOST_ALIKE + 2


FIRST = ("Zoé", "Anne", "Élodie", "John", "Jon", "Karl", "Carl", "Marc", "Mark", "Luca")
LAST = (
    "Marchand", "Marchant", "Guérin", "Guerrin", "Dupont", "Dupond", "Miller", "Millet", "Müller", "Mueller",
    "Smith", "Smyth", "Schmidt", "Schmitt", "Rossi", "Rosso", "Morau", "Moreau", "Meyer", "Maier",
    "Nowak", "Novak", "Colin", "Collin", "Lefebvre", "Lefèvre", "O’Brien", "Obrian", "Jansen", "Janssen",
)  # fmt: skip


def test_a_list_of_three_hundred_names_that_sound_alike_loses_nobody() -> None:
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    text = "Nom;Club\n" + "".join(f"{name};Club {number}\n" for number, name in enumerate(names))
    found = parsed_list.read_people_list(text, EVENT)
    event = EVENT
    for act in parsed_list.import_acts(event, found, {}):
        event = acts.perform_act(event, act)
    assert [one.name for number, one in event.people.items() if number > 3] == names
    assert sum(bool(line.before) for line in found.lines) > 100


def test_the_same_list_again_changes_nothing() -> None:
    event, text = EVENT, "Nom;Club;Équipe\nBastien Quéré;Nantes;Les Tours\nZoé;Brest;Les Tours"
    for act in parsed_list.import_acts(event, parsed_list.read_people_list(text, event), {}):
        event = acts.perform_act(event, act)
    assert parsed_list.import_acts(event, parsed_list.read_people_list(text, event), {}) == []


def test_headings_are_all_told_apart() -> None:
    for field, ours in list_rows.COLUMN_HEADINGS.items():
        for heading in ours:
            other = {"name": "last", "last": "name"}.get(field, "name")
            row = (
                (heading, list_rows.COLUMN_HEADINGS[other][0])
                if field not in ("name", "last")
                else (heading, "Prénom")
            )
            named = list_rows.columns_from_headings(row)
            assert (named or ("",))[0] == field, heading


def test_no_reader_takes_whatever_comes() -> None:
    for column, read in list_rows.CELL_READERS.items():
        with pytest.raises(InvalidList):
            read(f"?{column}?")
