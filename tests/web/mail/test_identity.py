"""What in a letter tells who wrote it, and what does not."""

from __future__ import annotations

import re
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import variants
from talleyrand.web.mail import anonymity_filter, comparable_text
from talleyrand.web.mail.anonymity_filter import HIDDEN, ExaminedText, IdentityTrace, KnownWriter
from talleyrand.web.mail.parsing import MessageClass, parse_email
from talleyrand.web.press.press_texts import hold_reason_texts
from tests.each import each

GAME = anonymity_filter.game_words(variants.load("classic"))
ORDERS = "ordres-mfrggzdfmztwq2lkorsxg5bamfxgiidb"
OURS = re.compile(r"(?:ordres|lettre)-[a-z2-7]{32}(?:@[\w.-]+)?|[^\s@<>]{0,64}@jeu\.example\.org")
VICTOR = KnownWriter(("Victor France", "Victor Hugo"), ("v.hugo75@orange.fr", "victor@hugo-editions.fr"))
IRENE = KnownWriter(("Irène", "Irène Colonna"), ("irene.colonna@exemple-irene.fr",))


def examined(text: str, writer: KnownWriter = VICTOR) -> ExaminedText:
    return anonymity_filter.examine(text, writer, GAME, OURS)


def found(text: str, writer: KnownWriter = VICTOR) -> list[tuple[str, str]]:
    return [(one.trace.value, one.found) for one in examined(f"{text}\nOn verra bien.", writer).findings]


NAMED = [
    ("Moi, victor, je propose la paix.", "victor"),
    ("Moi, VICTOR, je propose la paix.", "VICTOR"),
    ("Écris à Víctor quand tu veux.", "Víctor"),
    ("Ici Victor Hugo, de Paris.", "Victor Hugo"),
    ("Ici victor_hugo.", "victor_hugo"),
    ("Ici @VictorHugo, bonjour.", "VictorHugo"),
    ("Comme d’habitude, v.hugo75 sera là.", "v.hugo75"),
    ("C’est l’avis d’Hugo.", "Hugo"),
    ("Ici hugo75, et voilà.", "hugo75"),
    ("Ici VictorHugo29.", "VictorHugo"),
    ("C’est \uff36ictor qui parle.", "\uff36ictor"),
    ("C’est V\u200bic\u00adtor qui parle.", "Victor"),
    ("C’est Vi\u0441t\u043er qui parle.", "Vi\u0441t\u043er"),
    ("C’est V1ctor qui parle.", "V1ctor"),
    ("C’est Vict0r Hug0 qui parle.", "Vict0r Hug0"),
]


@each(("text", "name"), NAMED)
def test_names(text: str, name: str) -> None:
    assert found(text) == [("name", name)]


HARMLESS = [
    "La France et l’Italie sont d’accord : A Par - Bur, la victoire est à nous.",
    "A Par S A Mar - Bur\nF Bre - MAO\nFrance",
    "Entre Vienne et Paris, la route est longue. Le 14/07/1901 à 20:00, heure du juge.",
    "Rendez-vous 03-02-1901 1902, puis 20:00 - 21:00, puis 20h30.",
    "J’offre 3 centres contre 2, soit 3/2, et la mer du Nord.",
    "Lis https://fr.wikipedia.org/wiki/Diplomacy_(jeu) et www.floc.net/makerules",
    "Ratio 1.2.3 puis 10.000 et 1:2.",
    "Il est 18:30 UTC, soit une heure pour tous.",
    "Le kaiser et le tsar : hugolien n’est pas son nom.",
    "A Vie 4 soutient F3 : B2B, 2e acte, l’an 1901 et 3h20.",
    "Est-ce que l’EST de la carte te va ? 20:00 est trop tard.",
]


@each("text", HARMLESS)
def test_nothing_is_found_where_there_is_nothing(text: str) -> None:
    assert examined(text) == ExaminedText(text)


def test_a_word_of_every_day_names_somebody_with_a_capital_alone() -> None:
    writer = KnownWriter(("Rose Petit", "Max", "Al"))
    assert found("Un petit convoi, un prince de plus, au max.", writer) == []
    assert found("UN PETIT CONVOI DE PLUS OU DE MOINS", writer) == []
    assert found("Ici Petit, de Brest.", writer) == [("name", "Petit")]
    assert found("Ici Max.", writer) == [("name", "Max")]
    assert found("Ici rose petit.", writer) == [("name", "rose petit")]
    assert found("Al dente.", writer) == []  # two letters tell nobody


def test_letters_that_look_like_others_tell_too() -> None:
    mary = KnownWriter(("Mary Moore",))
    for written in ("\u039cary", "M4ry", "Mar\u0443", "\u041c4ry"):
        assert found(f"Ici {written}, bonjour.", mary) == [("name", written)]
    assert found("Ici \u039c\u03b1\u03c1\u03af\u03b1.", KnownWriter(("\u039c\u03b1\u03c1\u03af\u03b1",)))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Νίκος", "ΝΙΚΟΣ"),
        ("Νίκος", "νικος"),
        ("Виктор", "ВИКТОР"),
        ("ВИКТОР", "Виктор"),
        ("Наташа", "наташа"),
    ],
)
def test_a_greek_or_russian_name_is_found_however_it_is_written(name: str, written: str) -> None:
    assert found(f"Ici {written}, bonjour.", KnownWriter((name,))) == [("name", written)]
    assert examined(f"Bonjour.\n\n{written}", KnownWriter((name,))).signature == written


def test_a_signature_in_letters_that_look_like_others_is_cut_as_it_was_written() -> None:
    letter = examined("Bonjour.\n\nAmitiés, \u039c\u0430ry", KnownWriter(("Mary Moore",)))
    assert (letter.text, letter.signature) == ("Bonjour.\n\nAmitiés,", "\u039c\u0430ry")


def test_words_in_capitals_are_no_zone() -> None:
    assert not found("CET ORDRE EST LE BON POUR TOUS !")
    assert found("VENEZ TOUS À 20H CET CE SOIR")
    assert found("Je suis là vers 20 h, CET.")


def test_an_address_tells_of_a_name() -> None:
    assert found("Signé Dupont, de Brest.", KnownWriter(("Dudu",), ("dupont1962@example.net",))) == [
        ("name", "Dupont")
    ]


def test_powers_and_provinces_name_nobody_even_if_they_are_names() -> None:
    assert found("Paris, Victor et la Bourgogne", KnownWriter(("Paris Bourgogne", "Autriche"))) == []


def test_names_are_no_secret_in_an_open_game() -> None:
    writer = KnownWriter(VICTOR.names, VICTOR.addresses, is_secret=False)
    text = "Ici Victor Hugo.\n\nVictor"
    assert examined(text, writer) == ExaminedText(text)
    assert found("Écris à v.hugo75@orange.fr", writer) == [("address", "v.hugo75@orange.fr")]


TRACES = [
    ("Écris à V.Hugo75@Orange.fr vite", IdentityTrace.ADDRESS, "V.Hugo75@Orange.fr"),
    ("Écris à tante.jeanne@example.net vite", IdentityTrace.OTHER_ADDRESS, "tante.jeanne@example.net"),
    (
        "Écris à tante (at) example (point) net vite",
        IdentityTrace.OTHER_ADDRESS,
        "tante (at) example (point) net",
    ),
    ("Ajoute victor_h#1234 ce soir", IdentityTrace.HANDLE, "victor_h#1234"),
    ("Je joue à 8 pm EST ce soir", IdentityTrace.ZONE, "8 pm EST"),
    ("Je joue à 20h CET ce soir", IdentityTrace.ZONE, "20h CET"),
    ("Disons midi, PDT donc", IdentityTrace.ZONE, "PDT"),
    ("Appelle le 06 12 34 56 78 ce soir", IdentityTrace.TELEPHONE, "06 12 34 56 78"),
    ("Appelle le 0612345678 ce soir", IdentityTrace.TELEPHONE, "0612345678"),
    ("Appelle le 06.12.34.56.78 ce soir", IdentityTrace.TELEPHONE, "06.12.34.56.78"),
    ("Appelle le +33 (0)6 12 34 56 78 ce soir", IdentityTrace.TELEPHONE, "+33 (0)6 12 34 56 78"),
    ("Appelle le 0032 470 12 34 56 ce soir", IdentityTrace.TELEPHONE, "0032 470 12 34 56"),
    ("Call 020 7946 0958 tonight", IdentityTrace.TELEPHONE, "020 7946 0958"),
    ("Call 514-555-0123 tonight", IdentityTrace.TELEPHONE, "514-555-0123"),
    ("Vois https://hugo-editions.fr/moi ici", IdentityTrace.LINK, "https://hugo-editions.fr/moi"),
    ("Vois https://example.net/victor ici", IdentityTrace.LINK, "https://example.net/victor"),
    ("Vois https://example.net/~vh/ ici", IdentityTrace.LINK, "https://example.net/~vh/"),
    ("Vois facebook.com/quelqu.un ici", IdentityTrace.LINK, "facebook.com/quelqu.un"),
    (
        "Vois https://docs.google.com/document/d/1 ici",
        IdentityTrace.LINK,
        "https://docs.google.com/document/d/1",
    ),
    ("Vois https://example.net/?utm_source=x ici", IdentityTrace.LINK, "https://example.net/?utm_source=x"),
    (
        "Vois https://example.net/p?x=aZ0123456789bcdef ici",
        IdentityTrace.LINK,
        "https://example.net/p?x=aZ0123456789bcdef",
    ),
    ("Vois http://192.0.2.7/carte ici", IdentityTrace.LINK, "http://192.0.2.7/carte"),
    ("Vois http://moi:secret@example.net/ ici", IdentityTrace.LINK, "http://moi:secret@example.net/"),
    ("Message-ID: <a@b>", IdentityTrace.MESSAGE_ID, "Message-ID: <a@b>"),
    (
        "Réf <CAF8+abc0123456789xyz@mail.example.net> ici",
        IdentityTrace.MESSAGE_ID,
        "<CAF8+abc0123456789xyz@mail.example.net>",
    ),
    ("Mon poste est 192.168.1.12 ici", IdentityTrace.NETWORK, "192.168.1.12"),
    ("Mon poste est 2001:db8::8a2e ici", IdentityTrace.NETWORK, "2001:db8::8a2e"),
    ("Reçu à 20:00 +0200 hier", IdentityTrace.ZONE, "20:00 +0200"),
    ("Reçu le 2026-03-02T20:00:00-05:00 hier", IdentityTrace.ZONE, "20:00:00-05:00"),
    ("Reçu à 20h00 CEST hier", IdentityTrace.ZONE, "20h00 CEST"),
    ("Reçu à 8:00 PM EDT hier", IdentityTrace.ZONE, "8:00 PM EDT"),
    ("Chez moi, GMT+2, il fait nuit", IdentityTrace.ZONE, "GMT+2"),
    ("Mon fuseau : Europe/Brussels en été", IdentityTrace.ZONE, "Europe/Brussels"),
    ("J’habite 12 bis, rue Hoche", IdentityTrace.PLACE, "12 bis, rue Hoche"),
]


@each(("text", "trace", "what"), TRACES)
def test_other_traces(text: str, trace: IdentityTrace, what: str) -> None:
    assert found(text) == [(trace.value, what)]


def test_the_language_of_traces_is_there() -> None:
    told = hold_reason_texts([(trace.value, "X") for trace in IdentityTrace])
    assert len(set(told)) == len(IdentityTrace)
    assert hold_reason_texts([("new", "X")]) == ["Quelque chose peut y révéler qui l’a écrit\u00a0: X."]


SIGNED = [
    ("Paix ?\n\nVictor", "Paix ?", "Victor"),
    ("Paix ?\nvictor hugo.", "Paix ?", "victor hugo."),
    ("Paix ?\n— V. Hugo", "Paix ?", "V. Hugo"),
    ("Paix ?\nV.H.", "Paix ?", "V.H."),
    ("Paix ?\n\nCordialement,\nVictor", "Paix ?\n\nCordialement,", "Victor"),
    ("Paix ?\n\nCordialement, Victor", "Paix ?\n\nCordialement,", "Victor"),
    ("Paix ?\nAmitiés - Victor Hugo", "Paix ?\nAmitiés", "Victor Hugo"),
    ("Paix ?\n--\nVictor Hugo\nÉcrivain\nTél. : 06 12 34 56 78\nv.hugo75@orange.fr\n", "Paix ?",
     "Victor Hugo\nÉcrivain\nTél. : 06 12 34 56 78\nv.hugo75@orange.fr"),
    ("Paix ?\n\nVictor Hugo\n12 rue Hoche\n78000 Versailles", "Paix ?",
     "Victor Hugo\n12 rue Hoche\n78000 Versailles"),
    ("Paix ?\nVictor, poète", "Paix ?", "Victor, poète"),
    ("Paix ?\n\nVH\n\nBien à vous,", "Paix ?", "VH\n\nBien à vous"),
    ("Paix ?\nV. H.\nKind regards.", "Paix ?", "V. H.\nKind regards."),
    ("Paix ?\n06 12 34 56 78", "Paix ?", "06 12 34 56 78"),
    ("Paix ?\nMobile : 06 12 34 56 78\nfacebook.com/vh", "Paix ?",
     "Mobile : 06 12 34 56 78\nfacebook.com/vh"),
    ("Victor", "", "Victor"),
]  # fmt: skip


@each(("text", "kept", "cut"), SIGNED)
def test_a_signature_is_cut(text: str, kept: str, cut: str) -> None:
    assert examined(text) == ExaminedText(kept, cut)


NOT_SIGNED = [
    "Paix ?\nFrance",
    "Paix ?\nLa France",
    "A Par - Bur\nF Bre - MAO",
    "Paix ?\n\nLa règle :\nhttps://fr.wikipedia.org/wiki/Diplomacy",
    "Paix ?\nMerci,\nun ami",
    "Bonjour,\n\nD’accord\n\nÀ demain",
    "Paix ?\nCordialement,\nAmicalement",
]


@each("text", NOT_SIGNED)
def test_what_is_no_signature_stays(text: str) -> None:
    assert examined(text) == ExaminedText(text)


@pytest.mark.parametrize(
    "text",
    ["Victor\n\nPS : attaque Munich", "Victor\nA Par - Bur", "Victor\nPS : attaque", "Victor te salue bien"],
)
def test_a_name_above_something_else_is_no_signature(text: str) -> None:
    """Nothing that may matter is ever cut: the name is a finding."""
    found = examined(text)
    assert (found.text, found.signature) == (text, "")
    assert [one.trace for one in found.findings] == [IdentityTrace.NAME]


OWN = [
    f"{ORDERS}@jeu.example.org",
    f"{ORDERS.upper()}@JEU.example.org",
    ORDERS,
    f"{ORDERS}@autre.example.net",
    "n’importe.qui@jeu.example.org",
    f"\uff4f{ORDERS[1:]}\uff20jeu.example.org",
    f"{ORDERS[:12]}\u00ad{ORDERS[12:]}@jeu\u200b.example.org",
]


@each("address", OWN)
def test_our_addresses_are_blotted_out(address: str) -> None:
    found = examined(f"Mes ordres vont à <{address}>, c’est tout.")
    assert found.text == f"Mes ordres vont à <{HIDDEN}>, c’est tout."
    assert (found.hidden_addresses, found.findings) == (1, ())


def test_what_nobody_sees_is_taken_out_where_it_says_nothing() -> None:
    assert comparable_text.without_invisible("A\u200bB\u2060 \ufeffC\U000e0041") == "AB C"
    family = "\N{MAN}\u200d\N{WOMAN}"
    assert comparable_text.without_invisible(family) == family
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert comparable_text.without_invisible(persian) == persian


def test_names_of_headers_and_accounts_in_any_state() -> None:
    for name in ("", " ", "--", "\x00", "1901", "()", "..*+?[", "\u0645\u062d\u0645\u062f"):
        examined("Bonjour\n\nÀ demain", KnownWriter((name,), (name, "@", "a@", "@b")))
    assert found("Signé \u041b\u0435\u043e", KnownWriter(("\u041b\u0435\u043e\u043d \u041b\u0435\u043e",)))


WORDS = st.sampled_from(
    ["Victor", "hugo", "06 12 34 56 78", "v.hugo75@orange.fr", ORDERS, "@jeu.example.org", "\n", " ",
     ",", "--", "http://", "France", "\u200b", "+0200", "20:00", "::", "1.2.3.4", "<", ">", "PS", "é"]
)  # fmt: skip


@given(st.lists(WORDS | st.text(max_size=6), max_size=25).map("".join))
def test_any_text(text: str) -> None:
    result = examined(text)
    assert not OURS.search(comparable_text.comparable(result.text))
    assert result == examined(text)
    assert all(one.found for one in result.findings)
    assert len(result.text) <= len(text) + len(HIDDEN) * result.hidden_addresses


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "unit", ["a", "0", "a@", "1 ", "1.", ":", "a.", "<", "é", "\n", "Victor\n", "www.", "(at)", "0 6-"]
)
def test_long_texts_take_no_longer_than_their_length(unit: str) -> None:
    begun = process_time()
    examined(unit * (20_000 // len(unit)))
    assert process_time() - begun < 2


RAW = sorted((Path(__file__).parent / "reading" / "raw").glob("*.eml"))


@each("path", RAW)
def test_no_mail_program_adds_a_name_that_passes(path: Path) -> None:
    """Every layout that is read: what is left of it holds nothing that its headers say of the writer."""
    mail = parse_email(path.read_bytes())
    if mail.message_class != MessageClass.PERSONAL:
        return
    result = examined(mail.text, KnownWriter(mail.names, mail.addresses))
    headers = " ".join((*mail.names, *mail.addresses)).casefold()
    told = set(re.findall(r"[^\W\d_]{5,}", headers)) - GAME - {"exemple", "example"}
    words = set(re.findall(r"[^\W\d_]+", result.text.casefold()))
    assert result.findings or told.isdisjoint(words)
