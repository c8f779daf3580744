"""What is quoted, line by line: one table of what is left of a text."""

from __future__ import annotations

import textwrap
import unicodedata

import pytest

from talleyrand.web.mail.parsing import LeftOutKind, content_digest, parse_email
from talleyrand.web.mail.parsing.parsed_email import ORDER_MARK
from talleyrand.web.mail.parsing.quote_detection import REPLY_ABOVE
from tests.each import each

BELOW = "A Mar - Bur"
LEAD = "A Bud - Rum"


def left_of(text: str, subject: str = "x") -> str:
    raw = f"From: a@example.org\nSubject: {subject}\nContent-Type: text/plain; charset=utf-8\n\n{text}"
    return parse_email(raw.encode()).text


QUOTED = {
    "our mark": f"{LEAD}\n{ORDER_MARK} {BELOW}",
    "our mark after a blank": f"{LEAD}\n \u00a0{ORDER_MARK} {BELOW}",
    "an invisible letter before the mark": f"{LEAD}\n\ufeff\u200b> {BELOW}",
    "an escaped mark": f"{LEAD}\n&gt; {BELOW}",
    "a wide mark": f"{LEAD}\n＞ {BELOW}",  # noqa: RUF001
    "initials": f"{LEAD}\n\nEH> {BELOW}\nEH> F Bre - MAO",
    "the cut": f"{LEAD}\n{REPLY_ABOVE}\n{BELOW}",
    "half of the cut, French": f"{LEAD}\n⟨ Répondez au-dessus de cette ligne\n{BELOW}",
    "damaged accents": f"{LEAD}\n\nLe 6 mars 2026 ? 20:00, Jean a ?crit :\n\n{BELOW}",
    "damaged accents of headers": f"{LEAD}\n\nDe : J\nEnvoy? : 6 mars 20:00\n? : moi\nObjet : x\n\n{BELOW}",
    "accents read as others": f"{LEAD}\n\nLe 6 mars 2026 Ã\u00a0 20:00, Jean a Ã©crit :\n\n{BELOW}",
    "several tails": f"{LEAD}\n\n> {'mot ' * 18}\n{'mot ' * 18}\n{BELOW}",
    "half of the cut, English": f"{LEAD}\n* Reply above this line *\n{BELOW}",
    "the cut in capitals": f"{LEAD}\n{REPLY_ABOVE.upper()}\n{BELOW}",
    "attribution": f"{LEAD}\nLe 6 mars 2026 à 20:00, Jean Petit <j@example.org> a écrit :\n\n{BELOW}",
    "attribution on three lines": f"{LEAD}\n\nLe 6 mars 26 à 20:00, J\nPetit <j@x.org>\na écrit :\n\n{BELOW}",
    "attribution in bold": f"{LEAD}\n\n*Le 6 mars 2026 à 20:00, Jean Petit a écrit :*\n\n{BELOW}",
    "attribution without a date": f"{LEAD}\n\nJean Petit <j@example.org> wrote:\n\n{BELOW}",
    "attribution with the verb first": f"{LEAD}\n\nAm 06.03.26 um 20:00 schrieb Jean Petit:\n\n{BELOW}",
    "attribution in American": f"{LEAD}\n\nOn 3/6/26 8:00 PM, Jean Petit wrote:\n\n{BELOW}",
    "headers in bold": f"{LEAD}\n\n*De :* J <j@x.org>\n*Envoyé :* hier\n*À :* moi\n*Objet :* tour\n\n{BELOW}",
    "headers with blank lines": f"{LEAD}\n\nFrom: J\n\nSent: 8:00 PM\n\nTo: me\n\nSubject: x\n\n{BELOW}",
    "no more than two headers": f"{LEAD}\n\nDe : J\nEnvoyé : vendredi\n\n{BELOW}",
    "headers under a rule": f"{LEAD}\n\n_______________\nVon: J\nGesendet: Freitag\n\n{BELOW}",
    "Spanish headers": f"{LEAD}\n\nDe: J <j@example.org>\nEnviado: viernes\nPara: mí\nAsunto: x\n\n{BELOW}",
    "Dutch title": f"{LEAD}\n\n-----Oorspronkelijk bericht-----\n{BELOW}",
    "a title without its end": f"{LEAD}\n\n----- Message d'origine\n{BELOW}",
    "forwarded": f"{LEAD}\n\n---------- Forwarded message ----------\n{BELOW}",
    "forwarded, by itself": f"{LEAD}\n\nBegin forwarded message:\n\n{BELOW}",
    "forwarded, marked": f"{LEAD}\n\n> Begin forwarded message:\n>\n\n{BELOW}",
    "tail of a wrapped line": f"{LEAD}\n\n> {'mot ' * 18}\n{BELOW}",
    "a signature": f"{LEAD}\n-- \n{BELOW}",
}


@each("name", QUOTED)
def test_quoted(name: str) -> None:
    assert left_of(QUOTED[name]) == LEAD


OWN = {
    "an answer between two short quotes": ("> Et Marseille ?\nA Mar - Spa\n> Et Paris ?\nA Par - Bur", 2),
    "what somebody wrote, told in a letter": ("Le Turc m'a écrit :\nA Con - Bul\nje n'en crois rien", 3),
    "titles over a letter": ("De : France\nÀ : Italie\nDate : printemps 1901\nObjet : paix\n\nA Ven H", 6),
    "an order behind a colon": ("France :\nA Par - Bur\nA Mar S A Par - Bur", 3),
    "an arrow": ("A Par > Bur\nA Mar -> Spa", 2),
    "a rule": ("-----\nA Par - Bur\n=====", 3),
    "two dashes before an order": ("-- A Par - Bur", 1),
    "a dash, then orders": ("Bonjour\n—\nA Par - Bur", 3),
    "where somebody is": ("Envoyé de ma cachette, je t'écris de nuit.", 1),
    "a quoted cut, and an answer below it": (f"> {REPLY_ABOVE}\n> | A Mun H\n\nA Par - Bur", 1),
    "seconds": ("Rendez-vous le 6 mars à 20:00 :\nA Par - Bur", 2),
}


@each("name", OWN)
def test_own(name: str) -> None:
    text, count = OWN[name]
    left = left_of(text).split("\n")
    expected = [line for line in text.split("\n") if not line.startswith(">")]
    assert [line for line in left if line] == [line for line in expected if line]
    assert len(left) >= count


def test_the_cut_survives_the_way() -> None:
    """Wrapped at sixty columns, marked, without accents, with damaged accents: below it nothing is read."""
    assert len(REPLY_ABOVE) <= 60
    bare = "".join(c for c in unicodedata.normalize("NFKD", REPLY_ABOVE) if not unicodedata.combining(c))
    damaged = REPLY_ABOVE.encode().decode("latin-1")
    for cut in (
        REPLY_ABOVE,
        bare,
        damaged,
        REPLY_ABOVE.encode("ascii", "replace").decode(),
        f"  {REPLY_ABOVE}  ",
        f"*{REPLY_ABOVE}*",
    ):
        for width in (200, 60, 40, 25):
            wrapped = "\n".join(textwrap.wrap(cut, width))
            assert left_of(f"{LEAD}\n\n{wrapped}\n\n{BELOW}") == LEAD, (cut, width)


def test_below_a_marked_cut_the_writer_may_go_on() -> None:
    quoted = "\n".join(f"> {line}" for line in textwrap.wrap(REPLY_ABOVE, 30))
    assert left_of(f"{quoted}\n> A Mun H\n\n{LEAD}") == LEAD


def test_a_quote_under_the_subject_of_a_forward_is_forwarded() -> None:
    text = f"{LEAD}\n\n-----Message d'origine-----\n{BELOW}"
    raw = f"From: a@example.org\nSubject: TR : x\nContent-Type: text/plain; charset=utf-8\n\n{text}"
    assert [one.kind for one in parse_email(raw.encode()).left_out] == [LeftOutKind.FORWARD]


BASE = (
    "Received: z\nMessage-ID: <1@x>\nDate: 6 Mar 2026 20:00:00 +0100\nFrom: a@x\nTo: b@y\nSubject: s\n\nA\n"
)


def test_a_mail_that_came_another_way_is_the_same() -> None:
    again = "Received: from c\nX-Spam-Score: 1\n" + BASE.replace("To: b@y", "To: other@y").replace(
        "\n", "\r\n"
    )
    assert content_digest(again.encode()) == content_digest(BASE.encode())


OTHERS = [("<1@x>", "<2@x>"), ("20:00:00", "20:00:01"), ("\n\nA\n", "\n\nB\n"), ("a@x", "c@x")]


@pytest.mark.parametrize(("old", "new"), OTHERS)
def test_another_mail_is_another(old: str, new: str) -> None:
    assert content_digest(BASE.replace(old, new).encode()) != content_digest(BASE.encode())
    assert old in BASE


def test_without_a_number_and_a_date_the_first_hop_tells() -> None:
    bare = "Received: by z\nReceived: from a; {}\nFrom: a@x\n\nA Par - Bur\n"
    assert content_digest(bare.format("Monday").encode()) != content_digest(bare.format("Tuesday").encode())
    relayed = "Received: by y\n" + bare.format("Monday")
    assert content_digest(relayed.encode()) == content_digest(bare.format("Monday").encode())
