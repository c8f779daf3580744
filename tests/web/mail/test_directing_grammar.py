"""The lines that a game master writes: which are commands, and which are not."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.web.mail.desk import commands, directing_words
from talleyrand.web.mail.desk.commands import HEADS, Act, Command, Prose

POWERS = {
    **dict.fromkeys(("france",), "FRANCE"),
    **dict.fromkeys(("italie", "italy"), "ITALY"),
    **dict.fromkeys(("allemagne", "germany"), "GERMANY"),
    **dict.fromkeys(("autriche", "autriche-hongrie", "austria"), "AUSTRIA"),
}


def line(text: str) -> Any:
    found = commands.read(text, POWERS)
    assert len(found) == 1, found
    return found[0]


NUMBERS = {
    "passez 3": (3,),
    "Passez la 3.": (3,),
    "passe 3": (3,),
    "passer 3": (3,),
    "Passez les lettres 3 et 5": (3, 5),
    "passez 3, 5": (3, 5),
    "passez 3,5,8 et 13": (3, 5, 8, 13),
    "passez n° 3": (3,),
    "passez la no 3 et la no 4": (3, 4),
    "passez les lettres nos 3-5, 9": (3, 4, 5, 9),
    "passez 3 à 5": (3, 4, 5),
    "transmettez la lettre 12": (12,),
    "PASSEZ 3 !": (3,),
    "passez la 3, s’il vous plaît": (3,),
    "passez 3 svp": (3,),
    "- passez 3": (3,),
    "1. passez 3": (3,),
    "* Passez 3": (3,),
    "« passez 3 »": (3,),
    "*passez 3*": (3,),
    "passez\u00a03": (3,),
    "passez 3, 3 et 3": (3,),
    "pass 3": (3,),
    "Pass on 3": (3,),
    "please pass 3": (3,),
    "pass letters 3 to 5": (3, 4, 5),
    "pass letters 3 and 5, thanks": (3, 5),
    "Pass #7": (7,),
}
OTHERS: dict[str, Command] = {
    "passez tout": Command(Act.DELIVER, "", everything=True),
    "Passez toutes les lettres": Command(Act.DELIVER, "", everything=True),
    "pass all": Command(Act.DELIVER, "", everything=True),
    "pass all the letters": Command(Act.DELIVER, "", everything=True),
    "rendez 4 : pas de menaces hors du jeu": Command(
        Act.RETURN, "", numbers=(4,), text="pas de menaces hors du jeu"
    ),
    "Rendez la lettre 4 – Pas de menaces": Command(Act.RETURN, "", numbers=(4,), text="Pas de menaces"),
    "renvoyez 4 et 5 : trop long": Command(Act.RETURN, "", numbers=(4, 5), text="trop long"),
    "return 4: reason: two": Command(Act.RETURN, "", numbers=(4,), text="reason: two"),
    "return 4": Command(Act.RETURN, "", numbers=(4,)),
    "état": Command(Act.STATUS, ""),
    "Etat de la partie ?": Command(Act.STATUS, ""),
    "STATUS": Command(Act.STATUS, ""),
    "rappelez": Command(Act.REMIND, ""),
    "Rappelez-les": Command(Act.REMIND, ""),
    "relancez les retardataires": Command(Act.REMIND, ""),
    "remind": Command(Act.REMIND, ""),
    "Remind those who are late": Command(Act.REMIND, ""),
    "prolongez jusqu’au vendredi 13 mars 20:00": Command(
        Act.EXTEND, "", text="vendredi 13 mars 20:00", until=True
    ),
    "Prolongez l’échéance de 24 h": Command(Act.EXTEND, "", text="24 h"),
    "prolongez 2 jours": Command(Act.EXTEND, "", text="2 jours"),
    "extend 2 days": Command(Act.EXTEND, "", text="2 days"),
    "extend by 3 hours": Command(Act.EXTEND, "", text="3 hours"),
    "Extend the deadline until Friday 8 pm": Command(Act.EXTEND, "", text="friday 8 pm", until=True),
    "prolongez": Command(Act.EXTEND, ""),
    "pause": Command(Act.PAUSE, ""),
    "Mettez la partie en pause": Command(Act.PAUSE, ""),
    "pause the game": Command(Act.PAUSE, ""),
    "reprise": Command(Act.RESUME, ""),
    "Reprenez la partie": Command(Act.RESUME, ""),
    "resume": Command(Act.RESUME, ""),
    "reprise jusqu’au 13 mars 20 h": Command(Act.RESUME, "", text="13 mars 20 h", until=True),
    "publiez": Command(Act.PUBLISH, ""),
    "Publish the phase now": Command(Act.PUBLISH, ""),
    "publiez quand même": Command(Act.PUBLISH, "", anyway=True),
    "publiez sans eux": Command(Act.PUBLISH, "", anyway=True),
    "publish anyway": Command(Act.PUBLISH, "", anyway=True),
    "grâce France": Command(Act.GRANT, "", powers=("FRANCE",)),
    "grace france": Command(Act.GRANT, "", powers=("FRANCE",)),
    "Grâce à l’Italie": Command(Act.GRANT, "", powers=("ITALY",)),
    "accordez France": Command(Act.GRANT, "", powers=("FRANCE",)),
    "Accordez la grâce à l’Autriche-Hongrie et à l’Allemagne": Command(
        Act.GRANT, "", powers=("AUSTRIA", "GERMANY")
    ),
    "grant Germany": Command(Act.GRANT, "", powers=("GERMANY",)),
    "aide": Command(Act.HELP, ""),
    "Help!": Command(Act.HELP, ""),
    "?": Command(Act.HELP, ""),
}
# What looks like a command, with the one that it looks like; "" where it looks like none.
NONE = {
    "merci de passer la 3": "",
    "J’ai passé la 3": "",
    "passé 3": Act.DELIVER,
    "passez": Act.DELIVER,
    "passez 3 ou 5": Act.DELIVER,
    "passez tout sauf 3": Act.DELIVER,
    "ne passez pas 3": "",
    "passez 3 passez 4": Act.DELIVER,
    "passez 5 à 3": Act.DELIVER,
    "passez 1 à 900": Act.DELIVER,
    "passez -3": Act.DELIVER,
    "passez 1234567": Act.DELIVER,
    "Passez une bonne journée": Act.DELIVER,
    "pasez 3": Act.DELIVER,
    "rendez 4 pas de menaces": Act.RETURN,
    "rendez tout : non": Act.RETURN,
    "Rendez-vous vendredi": Act.RETURN,
    "résumé": Act.RESUME,
    "Publié": Act.PUBLISH,
    "publiez pas": Act.PUBLISH,
    "juge": Act.PUBLISH,
    "L’arbitre": "",
    "la pause": "",
    "rappel": Act.REMIND,
    "Grâce à la France, tout va bien": Act.GRANT,
    "grâce à vous": Act.GRANT,
    "grâce": Act.GRANT,
    "gazette": Act.GAZETTE,
    "Bonjour à tous": "",
    "Maëlle": "",
    "  passez 3": "",
    "\tpassez tout": "",
    "\u00a0\u00a0passez tout": "",
    "x" * 5000: "",
}


@pytest.mark.parametrize(("text", "numbers"), NUMBERS.items())
def test_letters_by_number(text: str, numbers: tuple[int, ...]) -> None:
    assert line(text) == Command(Act.DELIVER, text, numbers=numbers)


@pytest.mark.parametrize(("text", "command"), OTHERS.items())
def test_commands(text: str, command: Command) -> None:
    found = line(text)
    assert (found.act, found.numbers, found.everything, found.powers) == (
        command.act,
        command.numbers,
        command.everything,
        command.powers,
    )
    assert (found.text, found.until, found.anyway) == (command.text, command.until, command.anyway)


@pytest.mark.parametrize(("text", "near"), NONE.items())
def test_no_commands(text: str, near: str) -> None:
    assert line(text) == Prose(text.strip(), near)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "> passez 3", "| passez 3", ">passez tout", "\x00", "|"])
def test_nothing_at_all(text: str) -> None:
    assert commands.read(text, POWERS) == ()


def test_a_reason_goes_on() -> None:
    """Over the lines that follow, until an empty one or another command."""
    read = commands.read("rendez 4 : pas de menaces\nhors du jeu.\npassez 5\nMerci", POWERS)
    assert [one.text for one in read if isinstance(one, Command)] == ["pas de menaces hors du jeu.", ""]
    assert read[2] == Prose("Merci", "")
    first, second = commands.read("rendez 4 :\n\npas de menaces\n\nMaëlle Quéméner", POWERS)
    assert isinstance(first, Command)
    assert first.text == "pas de menaces"
    assert second == Prose("Maëlle Quéméner", "")
    moved, letter = commands.read("rendez 4 :\n\n  Une lettre citée", POWERS)
    assert isinstance(moved, Command)
    assert (moved.text, letter) == ("", Prose("Une lettre citée", ""))
    alone = line("rendez 4 : un\n> passez tout")
    assert alone.text == "un"


def test_a_gazette_goes_on_to_the_end() -> None:
    first, second = commands.read("passez 3\nGazette : La paix\n\npassez tout\npubliez\n", POWERS)
    assert isinstance(first, Command)
    assert second == Command(Act.GAZETTE, "Gazette :", text="La paix\n\npassez tout\npubliez")
    assert line("gazette:\n").text == ""
    assert line("gazette : un\ndeux\n> trois\nquatre").text == "un\ndeux"
    assert line("gazette : un\n | deux\ntrois").text == "un"


def test_in_order() -> None:
    read = commands.read("Bonjour\npassez 3\nprolongez 24 h\n\npause\nBien à vous", POWERS)
    assert [one.act if isinstance(one, Command) else "-" for one in read] == [
        "-",
        Act.DELIVER,
        Act.EXTEND,
        Act.PAUSE,
        "-",
    ]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_samples_are_commands(language: str) -> None:
    """What help shows is understood, as what it says it is; one is shown for each command."""
    with translation.override(language):
        samples = directing_words.samples("France")
    assert set(samples) == set(Act) == set(HEADS.values())
    for act, (sample, _meaning) in samples.items():
        assert line(sample).act == act, sample


@given(st.text())
def test_any_text_is_lines(text: str) -> None:
    for one in commands.read(text, POWERS):
        assert one.line


WORDS = st.sampled_from(["passez", "rendez", "3", "et", ",", ":", "gazette", "jusqu’au", "à", "-", " ", "\n"])


@given(st.lists(WORDS).map(" ".join))
def test_any_words_are_lines(text: str) -> None:
    for one in commands.read(text, POWERS):
        assert not isinstance(one, Command) or len(one.numbers) <= commands.MOST_NUMBERS
