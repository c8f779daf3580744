"""The lines that a game master writes: which are commands, and which are not."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.web.mail.gm import gm_commands, gm_texts
from talleyrand.web.mail.gm.gm_commands import HEADS, GmAction, GmCommand, UnknownLine
from tests.each import each

POWERS = {
    **dict.fromkeys(("france",), "FRANCE"),
    **dict.fromkeys(("italie", "italy"), "ITALY"),
    **dict.fromkeys(("allemagne", "germany"), "GERMANY"),
    **dict.fromkeys(("autriche", "autriche-hongrie", "austria"), "AUSTRIA"),
}


def line(text: str) -> Any:
    found = gm_commands.parse_commands(text, POWERS)
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
    "transmettez 3 et 5": (3, 5),
    "Transmettre les messages 3 à 5": (3, 4, 5),
    "transmettez le message 12 svp": (12,),
    "forward 3 and 5": (3, 5),
    "Forward message 3.": (3,),
    "please forward messages 3 to 5": (3, 4, 5),
    "pass on the message 3": (3,),
}
OTHERS: dict[str, GmCommand] = {
    "passez tout": GmCommand(GmAction.RELEASE, "", all_messages=True),
    "Passez toutes les lettres": GmCommand(GmAction.RELEASE, "", all_messages=True),
    "pass all": GmCommand(GmAction.RELEASE, "", all_messages=True),
    "pass all the letters": GmCommand(GmAction.RELEASE, "", all_messages=True),
    "transmettez tout": GmCommand(GmAction.RELEASE, "", all_messages=True),
    "Transmettez tous les messages": GmCommand(GmAction.RELEASE, "", all_messages=True),
    "forward all": GmCommand(GmAction.RELEASE, "", all_messages=True),
    "Forward all the messages": GmCommand(GmAction.RELEASE, "", all_messages=True),
    "Renvoyez le message 4 : trop long": GmCommand(GmAction.RETURN, "", numbers=(4,), text="trop long"),
    "return message 4: too long": GmCommand(GmAction.RETURN, "", numbers=(4,), text="too long"),
    "rendez 4 : pas de menaces hors du jeu": GmCommand(
        GmAction.RETURN, "", numbers=(4,), text="pas de menaces hors du jeu"
    ),
    "Rendez la lettre 4 – Pas de menaces": GmCommand(
        GmAction.RETURN, "", numbers=(4,), text="Pas de menaces"
    ),
    "renvoyez 4 et 5 : trop long": GmCommand(GmAction.RETURN, "", numbers=(4, 5), text="trop long"),
    "return 4: reason: two": GmCommand(GmAction.RETURN, "", numbers=(4,), text="reason: two"),
    "return 4": GmCommand(GmAction.RETURN, "", numbers=(4,)),
    "état": GmCommand(GmAction.STATUS, ""),
    "Etat de la partie ?": GmCommand(GmAction.STATUS, ""),
    "STATUS": GmCommand(GmAction.STATUS, ""),
    "rappelez": GmCommand(GmAction.REMIND, ""),
    "Rappelez-les": GmCommand(GmAction.REMIND, ""),
    "relancez les retardataires": GmCommand(GmAction.REMIND, ""),
    "remind": GmCommand(GmAction.REMIND, ""),
    "Remind those who are late": GmCommand(GmAction.REMIND, ""),
    "prolongez jusqu’au vendredi 13 mars 20:00": GmCommand(
        GmAction.EXTEND, "", text="vendredi 13 mars 20:00", until=True
    ),
    "Prolongez l’échéance de 24 h": GmCommand(GmAction.EXTEND, "", text="24 h"),
    "prolongez 2 jours": GmCommand(GmAction.EXTEND, "", text="2 jours"),
    "extend 2 days": GmCommand(GmAction.EXTEND, "", text="2 days"),
    "extend by 3 hours": GmCommand(GmAction.EXTEND, "", text="3 hours"),
    "Extend the deadline until Friday 8 pm": GmCommand(GmAction.EXTEND, "", text="friday 8 pm", until=True),
    "prolongez": GmCommand(GmAction.EXTEND, ""),
    "pause": GmCommand(GmAction.PAUSE, ""),
    "Mettez la partie en pause": GmCommand(GmAction.PAUSE, ""),
    "pause the game": GmCommand(GmAction.PAUSE, ""),
    "reprise": GmCommand(GmAction.RESUME, ""),
    "Reprenez la partie": GmCommand(GmAction.RESUME, ""),
    "resume": GmCommand(GmAction.RESUME, ""),
    "reprise jusqu’au 13 mars 20 h": GmCommand(GmAction.RESUME, "", text="13 mars 20 h", until=True),
    "publiez": GmCommand(GmAction.PUBLISH, ""),
    "Publish the phase now": GmCommand(GmAction.PUBLISH, ""),
    "publiez quand même": GmCommand(GmAction.PUBLISH, "", anyway=True),
    "publiez sans eux": GmCommand(GmAction.PUBLISH, "", anyway=True),
    "publish anyway": GmCommand(GmAction.PUBLISH, "", anyway=True),
    "résolvez": GmCommand(GmAction.PUBLISH, ""),
    "Résolvez la phase maintenant": GmCommand(GmAction.PUBLISH, ""),
    "résoudre la phase": GmCommand(GmAction.PUBLISH, ""),
    "résolvez quand même": GmCommand(GmAction.PUBLISH, "", anyway=True),
    "adjudicate": GmCommand(GmAction.PUBLISH, ""),
    "Adjudicate the phase now": GmCommand(GmAction.PUBLISH, ""),
    "adjudicate anyway": GmCommand(GmAction.PUBLISH, "", anyway=True),
    "grâce France": GmCommand(GmAction.GRANT, "", powers=("FRANCE",)),
    "grace france": GmCommand(GmAction.GRANT, "", powers=("FRANCE",)),
    "Grâce à l’Italie": GmCommand(GmAction.GRANT, "", powers=("ITALY",)),
    "accordez France": GmCommand(GmAction.GRANT, "", powers=("FRANCE",)),
    "Accordez la grâce à l’Autriche-Hongrie et à l’Allemagne": GmCommand(
        GmAction.GRANT, "", powers=("AUSTRIA", "GERMANY")
    ),
    "grant Germany": GmCommand(GmAction.GRANT, "", powers=("GERMANY",)),
    "acceptez France": GmCommand(GmAction.GRANT, "", powers=("FRANCE",)),
    "Acceptez l’Italie et l’Allemagne": GmCommand(GmAction.GRANT, "", powers=("ITALY", "GERMANY")),
    "admettez la France": GmCommand(GmAction.GRANT, "", powers=("FRANCE",)),
    "accept Germany and Italy": GmCommand(GmAction.GRANT, "", powers=("GERMANY", "ITALY")),
    "revenez en arrière": GmCommand(GmAction.ROLL_BACK, ""),
    "Roll back": GmCommand(GmAction.ROLL_BACK, ""),
    "rollback to spring 1901": GmCommand(GmAction.ROLL_BACK, "", text="spring 1901"),
    "Revenez à l’automne 1903.": GmCommand(GmAction.ROLL_BACK, "", text="l'automne 1903"),
    "fixez l’échéance au vendredi 13 mars 20:00": GmCommand(
        GmAction.DEADLINE, "", text="vendredi 13 mars 20:00", until=True
    ),
    "Set the deadline to Friday 8 pm": GmCommand(GmAction.DEADLINE, "", text="friday 8 pm", until=True),
    "terminez la partie : la France": GmCommand(GmAction.END, "", powers=("FRANCE",)),
    "End the game: France, Italy and Germany": GmCommand(
        GmAction.END, "", powers=("FRANCE", "ITALY", "GERMANY")
    ),
    "abandonnez la partie : plus personne": GmCommand(GmAction.ABANDON, "", text="plus personne"),
    "abandon the game": GmCommand(GmAction.ABANDON, ""),
    "commencez la partie": GmCommand(GmAction.BEGIN, ""),
    "Démarrez la partie maintenant !": GmCommand(GmAction.BEGIN, ""),
    "Start the game, please": GmCommand(GmAction.BEGIN, ""),
    "begin": GmCommand(GmAction.BEGIN, ""),
    "corrigez F BRE - MAO : mal lu": GmCommand(GmAction.CORRECT, "", text="mal lu"),
    "Correct the order F Bre-Mao: it was misread: by us": GmCommand(
        GmAction.CORRECT, "", text="it was misread: by us"
    ),
    "remplacez l’Italie par Zoe_X@exemple.fr.": GmCommand(
        GmAction.REPLACE, "", powers=("ITALY",), text="Zoe_X@exemple.fr"
    ),
    "Replace Germany with Élise Du Bois": GmCommand(
        GmAction.REPLACE, "", powers=("GERMANY",), text="Élise Du Bois"
    ),
    "oui": GmCommand(GmAction.ANSWER, ""),
    "Oui, merci !": GmCommand(GmAction.ANSWER, ""),
    "YES BCDFG": GmCommand(GmAction.ANSWER, "", text="bcdfg"),
    "confirmez": GmCommand(GmAction.ANSWER, ""),
    "aide": GmCommand(GmAction.HELP, ""),
    "Help!": GmCommand(GmAction.HELP, ""),
    "?": GmCommand(GmAction.HELP, ""),
}
# What looks like a command, with the one that it looks like; "" where it looks like none.
NONE = {
    "merci de passer la 3": "",
    "J’ai passé la 3": "",
    "passé 3": GmAction.RELEASE,
    "passez": GmAction.RELEASE,
    "passez 3 ou 5": GmAction.RELEASE,
    "passez tout sauf 3": GmAction.RELEASE,
    "ne passez pas 3": "",
    "passez 3 passez 4": GmAction.RELEASE,
    "passez 5 à 3": GmAction.RELEASE,
    "passez 1 à 900": GmAction.RELEASE,
    "passez -3": GmAction.RELEASE,
    "Commençons la partie": "",
    "Start the game tomorrow": GmAction.BEGIN,
    "commencé": GmAction.BEGIN,
    "passez 1234567": GmAction.RELEASE,
    "Passez une bonne journée": GmAction.RELEASE,
    "pasez 3": GmAction.RELEASE,
    "transmetez 3": GmAction.RELEASE,
    "forwrd 3": GmAction.RELEASE,
    "Transmis 3": "",
    "Forward planning": GmAction.RELEASE,
    "résolvé": GmAction.PUBLISH,
    "resolvez pas": GmAction.PUBLISH,
    "adjudicates": GmAction.PUBLISH,
    "acceptez": GmAction.GRANT,
    "accept my apologies": GmAction.GRANT,
    "admetez France": GmAction.GRANT,
    "rendez 4 pas de menaces": GmAction.RETURN,
    "rendez tout : non": GmAction.RETURN,
    "Rendez-vous vendredi": GmAction.RETURN,
    "résumé": GmAction.RESUME,
    "Publié": GmAction.PUBLISH,
    "publiez pas": GmAction.PUBLISH,
    "juge": GmAction.PUBLISH,
    "L’arbitre": "",
    "la pause": "",
    "rappel": GmAction.REMIND,
    "Grâce à la France, tout va bien": GmAction.GRANT,
    "grâce à vous": GmAction.GRANT,
    "grâce": GmAction.GRANT,
    "gazette": GmAction.GAZETTE,
    "corrigé F BRE - MAO : fait": GmAction.CORRECT,
    "Correct.": GmAction.CORRECT,
    "remplacez-le": GmAction.REPLACE,
    "remplacez la Bretagne par Zoé": GmAction.REPLACE,
    "remplacé la France par Zoé": GmAction.REPLACE,
    "terminez la partie": GmAction.END,
    "terminez la partie : la Bretagne": GmAction.END,
    "oui mais non": "",
    "Yes, I think so": "",
    "L’échéance est vendredi 20:00": "",
    "Échéance : vendredi 13 mars 20:00": "",
    "Bonjour à tous": "",
    "Maëlle": "",
    "  passez 3": "",
    "\tpassez tout": "",
    "\u00a0\u00a0passez tout": "",
    "x" * 5000: "",
}


@each(("text", "numbers"), NUMBERS.items())
def test_letters_by_number(text: str, numbers: tuple[int, ...]) -> None:
    assert line(text) == GmCommand(GmAction.RELEASE, text, numbers=numbers)


@each(("text", "command"), OTHERS.items())
def test_commands(text: str, command: GmCommand) -> None:
    found = line(text)
    assert (found.action, found.numbers, found.all_messages, found.powers) == (
        command.action,
        command.numbers,
        command.all_messages,
        command.powers,
    )
    assert (found.text, found.until, found.anyway) == (command.text, command.until, command.anyway)


@each(("text", "near"), NONE.items())
def test_no_commands(text: str, near: str) -> None:
    assert line(text) == UnknownLine(text.strip(), near)


@each("text", ["", " ", "\n\n", "> passez 3", "| passez 3", ">passez tout", "\x00", "|"])
def test_nothing_at_all(text: str) -> None:
    assert gm_commands.parse_commands(text, POWERS) == ()


def test_a_reason_goes_on() -> None:
    """Over the lines that follow, until an empty one or another command."""
    read = gm_commands.parse_commands("rendez 4 : pas de menaces\nhors du jeu.\npassez 5\nMerci", POWERS)
    assert [one.text for one in read if isinstance(one, GmCommand)] == ["pas de menaces hors du jeu.", ""]
    assert read[2] == UnknownLine("Merci", "")
    first, second = gm_commands.parse_commands("rendez 4 :\n\npas de menaces\n\nMaëlle Quéméner", POWERS)
    assert isinstance(first, GmCommand)
    assert first.text == "pas de menaces"
    assert second == UnknownLine("Maëlle Quéméner", "")
    moved, letter = gm_commands.parse_commands("rendez 4 :\n\n  Une lettre citée", POWERS)
    assert isinstance(moved, GmCommand)
    assert (moved.text, letter) == ("", UnknownLine("Une lettre citée", ""))
    alone = line("rendez 4 : un\n> passez tout")
    assert alone.text == "un"


@pytest.mark.parametrize("mistyped", ["foward 2", "Trasmettez 5", "exted 24 h", "acept France"])
def test_a_mistyped_command_is_no_reason(mistyped: str) -> None:
    """Its writer reads the reason: what was meant for the desk is not in it, and the game master is told."""
    first, other = gm_commands.parse_commands(f"return 4: please be polite\n{mistyped}", POWERS)
    assert isinstance(first, GmCommand)
    assert first.text == "please be polite"
    assert isinstance(other, UnknownLine)
    assert other.similar_action
    assert line("return 4: be polite\nStatus is not a reason,\nacceptance neither").text.endswith("neither")


def test_a_gazette_goes_on_to_the_end() -> None:
    first, second = gm_commands.parse_commands(
        "passez 3\nGazette : La paix\n\npassez tout\npubliez\n", POWERS
    )
    assert isinstance(first, GmCommand)
    assert second == GmCommand(GmAction.GAZETTE, "Gazette :", text="La paix\n\npassez tout\npubliez")
    assert line("gazette:\n").text == ""
    assert line("gazette : un\ndeux\n> trois\nquatre").text == "un\ndeux"
    assert line("gazette : un\n | deux\ntrois").text == "un"


def test_what_is_answered() -> None:
    """A no is no yes, and the order to be corrected keeps its signs."""
    assert [line(text).declined for text in ("oui", "non", "No bcdfg", "annulez")] == [
        False,
        True,
        True,
        True,
    ]
    assert line("corrigez A MAR S A PAR - BUR : lu de travers").order == "A MAR S A PAR - BUR"
    wrapped = line("correct F BRE - MAO: the order\nwas misread")
    assert (wrapped.order, wrapped.text) == ("F BRE - MAO", "the order was misread")
    first, _name = gm_commands.parse_commands("correct F BRE - MAO\n\nMaëlle", POWERS)
    assert isinstance(first, GmCommand)
    assert first.text == ""


def test_in_order() -> None:
    read = gm_commands.parse_commands("Bonjour\npassez 3\nprolongez 24 h\n\npause\nBien à vous", POWERS)
    assert [one.action if isinstance(one, GmCommand) else "-" for one in read] == [
        "-",
        GmAction.RELEASE,
        GmAction.EXTEND,
        GmAction.PAUSE,
        "-",
    ]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_samples_are_commands(language: str) -> None:
    """What help shows is understood, as what it says it is; one is shown for each command."""
    with translation.override(language):
        samples = gm_texts.command_samples("France")
    assert set(samples) == set(GmAction) == set(HEADS.values())
    for act, sample in samples.items():
        assert line(sample).action == act, sample


@given(st.text())
def test_any_text_is_lines(text: str) -> None:
    for one in gm_commands.parse_commands(text, POWERS):
        assert one.line


WORDS = st.sampled_from(["passez", "rendez", "3", "et", ",", ":", "gazette", "jusqu’au", "à", "-", " ", "\n"])


@given(st.lists(WORDS).map(" ".join))
def test_any_words_are_lines(text: str) -> None:
    for one in gm_commands.parse_commands(text, POWERS):
        assert not isinstance(one, GmCommand) or len(one.numbers) <= gm_commands.MOST_NUMBERS
