"""What is an order in a mail and what is none: whole lines, headings, sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import variants
from talleyrand.web.boards import adjudicator, order_drafts
from talleyrand.web.boards.order_drafts import DraftRefusal
from talleyrand.web.games.game_history import initial_situation
from talleyrand.web.mail.mailed_orders import order_parsing
from talleyrand.web.mail.mailed_orders.order_parsing import ParsedOrders, SetAsideReason
from tests.each import each

BOOKS = ("anjou_feu", "play_by_mail_001", "asmodee_2006")
CENTRES = {"FRANCE": ["BRE", "MAR", "PAR", "SPA"], "GERMANY": ["MUN"]}
SPRING = initial_situation(variants.load("classic"))
RETREATS = {
    "phase": "F1901R",
    "units": {"FRANCE": ["A BUR", "F MAO"], "GERMANY": ["A PAR", "A MUN"]},
    "dislodged": {"FRANCE": [{"unit": "A PAR", "by": "BUR", "convoyed": False}]},
    "contested": [],
    "centers": CENTRES,
}
BUILDS = {
    "phase": "W1901A",
    "units": {"FRANCE": ["A BUR", "F MAO"], "GERMANY": ["A MUN"]},
    "centers": CENTRES,
}
REMOVALS = {
    "phase": "W1901A",
    "units": {"FRANCE": ["A BUR", "F MAO", "A PAR"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["BRE"], "GERMANY": ["MUN"]},
}


def question(situation: Mapping[str, Any] = SPRING, book: str = "anjou_feu") -> dict[str, Any]:
    return adjudicator.make_question("classic", book, "1901", situation)


def found(
    text: str, situation: Mapping[str, Any] = SPRING, book: str = "anjou_feu", power: str = "FRANCE"
) -> ParsedOrders:
    return order_parsing.parse_orders(text, question(situation, book), power)


def read(text: str, situation: Mapping[str, Any] = SPRING, book: str = "anjou_feu") -> list[str]:
    """The orders that the judge follows; "!" stands for a line that he does not."""
    orders = found(text, situation, book).orders
    readings = order_drafts.read_draft(question(situation, book), {"FRANCE": list(orders)})
    return [one.order if one.is_followed else "!" for one in readings]


ORDERS = {
    "A Par - Bur": ["A PAR - BUR"],
    "a par-bur": ["A PAR - BUR"],
    "- A Par - Bur": ["A PAR - BUR"],
    "1. A Par - Bur\n2) F Bre - MAO": ["A PAR - BUR", "F BRE - MAO"],
    "• A Par → Bur": ["A PAR - BUR"],
    "* A Par > Bur": ["A PAR - BUR"],
    "-> A Par - Bur": ["A PAR - BUR"],
    "A Par – Bur": ["A PAR - BUR"],
    "A Par\u00a0-\u00a0Bur": ["A PAR - BUR"],
    "A Par\u2009-\u200bBur": ["A PAR - BUR"],
    "A Par - Bur; F Bre - MAO; A Mar S A Par - Bur": ["A PAR - BUR", "F BRE - MAO", "A MAR S A PAR - BUR"],
    "A Par - Bur, F Bre - MAO et A Mar - Spa": ["A PAR - BUR", "F BRE - MAO", "A MAR - SPA"],
    "A Par - Bur, F Bre - MAO and A Mar - Spa": ["A PAR - BUR", "F BRE - MAO", "A MAR - SPA"],
    "France : A Par - Bur": ["A PAR - BUR"],
    "FRANCE\n\nA PAR-BUR\nF BRE-MAO": ["A PAR - BUR", "F BRE - MAO"],
    "- France :\n- A Par - Bur": ["A PAR - BUR"],
    "Ordres de la France pour le printemps 1901 :\nA Par - Bur": ["A PAR - BUR"],
    "Orders for Spring 1901\n\nFrance: A Par - Bur\n": ["A PAR - BUR"],
    "S1901M\nA Par - Bur": ["A PAR - BUR"],
    "Printemps 01\nA Par - Bur": ["A PAR - BUR"],
    "Armée de Paris va en Bourgogne": ["A PAR - BUR"],
    "Army Paris moves to Burgundy": ["A PAR - BUR"],
    "Fleet Brest to English Channel": ["F BRE - ENG"],
    "L’armée de Paris tient": ["A PAR H"],
    "A Paris": ["A PAR H"],
    "A Par -\nBur": ["A PAR - BUR"],
    "A Par - Bur (sûr cette fois)": ["A PAR - BUR"],
    "Voici mon ordre : A Par - Bur": ["A PAR - BUR"],
    "Bonjour, voici mes ordres pour ce printemps :\n\nA Par - Bur\n\nMerci, à vendredi\nBob": ["A PAR - BUR"],
    "Hello,\n\nHere are my orders:\nA Par - Bur\nF Bre - MAO\n\nCheers, Bob": ["A PAR - BUR", "F BRE - MAO"],
    # badly written: on the sheet, where they do nothing
    "A Par - Brugundia": ["!"],
    "A Par -": ["!"],
    "A Par S": ["!"],
    "A Par - Bur plaese": ["!"],
    "A Xyzt - Bur": ["!"],
    "A Par - Bur si l’Allemagne va en Mun": ["!"],
    "F Bre - MAO ou Eng": ["!"],
    "A Par - Mun": ["!"],
    "Flotte Brest - Englischer Kanal": ["!"],
    # one line of several, with thanks behind it
    "A Par - Bur; merci": ["A PAR - BUR"],
    "A Par - Bur please": ["A PAR - BUR"],
    "A Par - Bur\nA Mar - Spa !\nfinal": ["A PAR - BUR", "A MAR - SPA"],
}


@pytest.mark.long
@each("book", BOOKS)
@each("text", ORDERS)
def test_a_line_that_is_an_order_counts(text: str, book: str) -> None:
    assert read(text, SPRING, book) == ORDERS[text]


@pytest.mark.parametrize("book", BOOKS)
def test_what_has_to_be_guessed_counts_where_the_book_follows_it(book: str) -> None:
    """On the sheet of a game whose book wants orders well written it is shown, and does nothing."""
    guessed = ["!"] if book == "play_by_mail_001" else ["A PAR - BUR"]
    assert read("Par Bur", SPRING, book) == read("A Paris - Bourgo", SPRING, book) == guessed


PROSE = (
    "Bonjour",
    "Bonjour à tous,",
    "Merci",
    "Merci, à vendredi",
    "A vendredi",
    "À vendredi !",
    "A bientôt",
    "A plus tard",
    "A+",
    "A demain",
    "A mardi",
    "A lundi",
    "A tout à l’heure",
    "A Paris, je pense que tout ira bien",
    "A Paris je serai",
    "A Paris, le 3 mars",
    "A Paris, le 3 mars 1901",
    "A Paris, si tu veux, on se voit",
    "A Marseille tout va bien",
    "A friend of mine says hello",
    "A big hug",
    "A. Martin",
    "F. Dupont",
    "F Dupont",
    "F for France",
    "Paris",
    "Paris, le 3 mars",
    "Mar",
    "Bob",
    "Cheers, Bob",
    "Best,",
    "Amicalement, Paris",
    "je voudrais que A Par aille en Bur",
    "Je voudrais que A Par aille en Bur.",
    "I would like A Par - Bur",
    "Salut; A Par - Bur",
    "Je pense que l’Italie jouera A Tyr - Vie, A Par - Bur",
    "Tu vas en Bel ?",
    "Et si on jouait A Par - Bur ?",
    "Pas A Par - Bur",
    "~~A Par - Bur~~",
    "Si j’ai le temps, je t’appelle",
    "Envoyé de mon iPhone",
    "Tel: 01 02 03 04 05",
    "Le 12/03/2026 à 10:12, Bob a écrit :",
    "https://www.example.org/A-Par-Bur",
    "Die Armee in Paris soll nach Burgund ziehen",
    "A Paris nach Burgund",
    "Спасибо, до пятницы",
    "x" * 5000,
)


@pytest.mark.long
@each("situation", [SPRING, RETREATS, BUILDS, REMOVALS])
@each("text", PROSE)
def test_a_sentence_is_set_aside_and_told(text: str, situation: Mapping[str, Any]) -> None:
    read = found(text, situation)
    assert read.orders == ()
    assert (read.empty, read.is_ready) == (False, None)
    assert [one.why for one in read.aside] == [SetAsideReason.PROSE]


ASIDE = {
    "Italie :\nA Ven - Tyr\nF Nap - ION": [SetAsideReason.POWER, SetAsideReason.POWER],
    "Italie : A Ven - Tyr": [SetAsideReason.POWER],
    "Ordres de l’Italie\nA Par - Bur": [SetAsideReason.POWER],
    "Ger: A Mun S A Par - Bur": [SetAsideReason.POWER],
    "A Ber - Kie": [SetAsideReason.FOREIGN],
    "A Mun S A Par - Bur": [SetAsideReason.FOREIGN],
    "Automne 1901\nA Par - Bur": [SetAsideReason.PHASE],
    "Fall 1901:\nA Par - Bur": [SetAsideReason.PHASE],
    "F1901M\nA Par - Bur": [SetAsideReason.PHASE],
    "Automne\nA Par - Bur": [SetAsideReason.PHASE],
    "Printemps 1902\nA Par - Bur": [SetAsideReason.PHASE],
    "Retraites :\nA Par - Pic": [SetAsideReason.PHASE],
    "Retraites : A Par - Pic": [SetAsideReason.PHASE],
    "été 1901\nA Par - Pic": [SetAsideReason.PHASE],
    "Constructions : A Par, F Bre": [SetAsideReason.PHASE],
    "> A Par - Bur": [SetAsideReason.QUOTED],
    "| A Par - Bur": [SetAsideReason.QUOTED],
    "- > A Par - Bur": [SetAsideReason.QUOTED],
    "  |A Par - Bur": [SetAsideReason.QUOTED],
    "* | A Par - Bur": [SetAsideReason.QUOTED],
    "¦ A Par - Bur": [SetAsideReason.QUOTED],
    "│ A Par - Bur": [SetAsideReason.QUOTED],
    "&gt; A Par - Bur": [SetAsideReason.QUOTED],
    "- - > A Par - Bur": [SetAsideReason.QUOTED],
    "1. | A Par - Bur": [SetAsideReason.QUOTED],
}


@each("text", ASIDE)
def test_what_is_somebody_elses_or_of_another_phase_is_set_aside(text: str) -> None:
    read = found(text)
    assert read.orders == ()
    assert [one.why for one in read.aside] == ASIDE[text]


MIXED = {
    "A Par - Bur; | A Mar - Spa": (["A Par - Bur"], [SetAsideReason.QUOTED]),
    "A Par - Bur\nA Paris": (["A Par - Bur"], [SetAsideReason.TWICE]),
    "A Par - Bur\nItalie :\nA Ven - Tyr": (["A Par - Bur"], [SetAsideReason.POWER]),
    "Italie :\nA Ven - Tyr\nFrance :\nA Par - Bur": (["A Par - Bur"], [SetAsideReason.POWER]),
    "Printemps 1901\nA Par - Bur\nAutomne 1901\nA Bur - Mun": (["A Par - Bur"], [SetAsideReason.PHASE]),
    "A Par - Bur\n> A Par - Pic": (["A Par - Bur"], [SetAsideReason.QUOTED]),
    "A Par -\n> Bur": (["A Par -"], [SetAsideReason.QUOTED]),
    "A Par - Bur\n\nItalie": (["A Par - Bur"], []),
    "A Par - Bur\nA Par - Pic": (["A Par - Bur", "A Par - Pic"], []),  # the rulebook says which counts
    "A Par - Bur\n\n--------\n********": (["A Par - Bur"], []),
}


@each("text", MIXED)
def test_an_order_stays_whatever_stands_around_it(text: str) -> None:
    read = found(text)
    assert (list(read.orders), [one.why for one in read.aside]) == MIXED[text]


@each("book", BOOKS)
@each(
    ("text", "situation", "expected"),
    [
        ("A Par - Pic", RETREATS, ["A PAR R PIC"]),
        ("A Par retreats to Picardy", RETREATS, ["A PAR R PIC"]),
        ("A Par se replie en Pic", RETREATS, ["A PAR R PIC"]),
        ("A Par dispersée", RETREATS, ["A PAR D"]),
        ("disband A Par", RETREATS, ["A PAR D"]),
        ("Retraites automne 1901 :\nA Par - Pic", RETREATS, ["A PAR R PIC"]),
        ("Automne 1901\nA Par - Pic", RETREATS, ["A PAR R PIC"]),
        ("F1901R\nA Par - Pic", RETREATS, ["A PAR R PIC"]),
        ("Automne 1901, mouvements\nA Par - Pic", RETREATS, []),
        ("Constructions : A Paris, F Brest", BUILDS, ["A PAR B", "F BRE B"]),
        ("Hiver 1901\n- A Par\n- F Bre", BUILDS, ["A PAR B", "F BRE B"]),
        ("+ A Par", BUILDS, ["A PAR B"]),
        ("Build A Par\nwaive", BUILDS, ["A PAR B", "WAIVE"]),
        ("Pas de construction", BUILDS, ["WAIVE"]),
        ("Retraits : A Par, F MAO", REMOVALS, ["A PAR D", "F MAO D"]),
        ("Removals:\n- A Par\n- F MAO", REMOVALS, ["A PAR D", "F MAO D"]),
        ("Remove A Par", REMOVALS, ["A PAR D"]),
        ("A Par", REMOVALS, ["A PAR D"]),
    ],
)
def test_retreats_builds_and_removals(
    text: str, situation: Mapping[str, Any], expected: list[str], book: str
) -> None:
    assert read(text, situation, book) == expected


@each(
    ("text", "empty", "final"),
    [
        ("aucun ordre", True, None),
        ("Pas d’ordres.", True, None),
        ("No orders", True, None),
        ("feuille vide\ndéfinitif", True, True),
        ("définitif", False, True),
        ("Définitif !", False, True),
        ("FINAL", False, True),
        ("Ordres définitifs :\nA Par - Bur", False, True),
        ("pas définitif", False, False),
        ("not final", False, False),
        ("Prêt.", False, True),
        ("prête", False, True),
        ("Je suis prêt", False, True),
        ("je suis prête !", False, True),
        ("Ordres prêts :\nA Par - Bur", False, True),
        ("READY", False, True),
        ("I am ready", False, True),
        ("I’m ready!", False, True),
        ("Orders ready", False, True),
        ("aucun ordre\nprêt", True, True),
        ("pas prêt", False, False),
        ("Pas prête", False, False),
        ("plus prêt", False, False),
        ("plus prête", False, False),
        ("pas encore prêt", False, False),
        ("pas encore prête", False, False),
        ("Je ne suis pas prêt", False, False),
        ("Je ne suis plus prête.", False, False),
        ("not ready", False, False),
        ("No longer ready", False, False),
        ("not yet ready", False, False),
        ("I am not ready", False, False),
        ("ready\nnot ready", False, False),
        ("pas prêt\nprêt", False, True),
        ("Je suis prêt à tout", False, None),
        ("Ready for war?", False, None),
        ("Italie :\nprêt", False, None),
        ("> prêt", False, None),
        ("final\nnot final", False, False),
        ("Ceci n’est pas définitif, je crois", False, None),
        ("Italie :\naucun ordre\ndéfinitif", False, None),
        ("> définitif", False, None),
        ("Final Fantasy is great", False, None),
    ],
)
def test_a_sheet_says_that_it_is_empty_or_final(text: str, empty: bool, final: bool | None) -> None:
    read = found(text)
    assert (read.empty, read.is_ready) == (empty, final)


@pytest.mark.parametrize(
    ("text", "dated", "other"),
    [
        ("A Par - Bur", False, ""),
        ("Printemps 1901\nA Par - Bur", True, ""),
        ("Automne 1901 :\nA Par - Bur", False, "Automne 1901"),
        ("Printemps 1901\nA Par - Bur\nFall 1901\nA Bur - Mun", True, "Fall 1901"),
        ("En automne 1901 on verra\nA Par - Bur", False, ""),
    ],
)
def test_headings_name_the_phase(text: str, dated: bool, other: str) -> None:
    read = found(text)
    assert (read.dated, read.other) == (dated, other)
    assert read.is_elsewhere == (text.startswith("Automne"))


def test_each_power_finds_its_own_lines_in_one_mail() -> None:
    text = "FRANCE\nA Par - Bur\n\nITALIE\nA Ven - Tyr\nF Nap - ION"
    assert found(text).orders == ("A Par - Bur",)
    assert found(text, power="ITALY").orders == ("A Ven - Tyr", "F Nap - ION")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x" * (order_drafts.LARGEST_ORDER_TEXT + 1), "too_long"),
        ("A Par - Bur\n" * (order_drafts.MOST_LINES + 1), "too_many_lines"),
        ("A Par - Bur\ufffd", "control"),
        ("A Mar - Spa\nA Par \udce9 Bur", "control"),
    ],
)
def test_what_no_sheet_may_hold_is_refused(text: str, code: str) -> None:
    with pytest.raises(DraftRefusal) as refused:
        found(text)
    assert refused.value.code == code


def test_damaged_sentences_do_no_harm() -> None:
    read = found("Bonjour \ufffd\ufffd, \x00\x07 \udc80 \ufdd0\nA Par - Bur")
    assert read.orders == ("A Par - Bur",)
    for one in read.aside:
        assert one.line.encode()
        assert "\x00" not in one.line


VOCABULARY = """
    A F Par Bur Bre MAO - > | ; , : France Italie Printemps Automne 1901 S H final aucun ordre je le si Paris
    Retraites 1. * + -> ( ) [ ] # ~~ ou puis via Mun Ven Bur.
"""
WORDS = st.sampled_from((*VOCABULARY.split(), "A Par - Bur"))
LINES = st.lists(WORDS, max_size=8).map(" ".join)
TEXTS = st.one_of(st.text(max_size=200), st.lists(LINES, max_size=8).map("\n".join))


@pytest.mark.long
@given(TEXTS)
def test_any_text_is_read_and_no_quoted_line_is_ever_taken(text: str) -> None:
    try:
        read = found(text)
    except DraftRefusal:
        return
    for line in read.orders:
        assert not line.lstrip().startswith(("|", ">"))
        assert line == line.strip()
        assert len(line.splitlines()) == 1
        order_drafts.check_order_text(line)
    told = [*read.orders, *(one.line for one in read.aside)]
    assert all(line.encode() for line in told)


@given(
    st.lists(LINES, min_size=1, max_size=6), st.sampled_from(["> ", "| ", ">", "|", "> > ", "  > ", "- > "])
)
def test_a_text_in_quotes_holds_no_order(lines: list[str], mark: str) -> None:
    read = found("\n".join(f"{mark}{line}" for line in lines))
    assert (read.orders, read.empty, read.is_ready) == ((), False, None)
