"""Where a rule stands, as each language quotes it."""

from __future__ import annotations

import re

from talleyrand import rulebooks
from talleyrand.rulebooks.rulebook_loader import citable_rules, citation_words

TEXTS = "Anjou Feu|Asmodée|Backstabbr|Conspiracy|DATC|Descartes|Diplomania|Renegade"
NUMBERS = r"[IVX]+(?:\.[\w.]+)*|\d[\w.]*|[A-D]|[a-f]"
SETTLED = {source for name in rulebooks.names() for source in rulebooks.load(name).sources.values()}
PRINTED = {rulebooks.cite_rule(name, rule) for name in rulebooks.names() for rule in citable_rules()}


def test_every_word_of_a_place_has_its_english() -> None:
    """Each part is an English phrase of the list, the name of a text, or a number."""
    english = set(citation_words("en").values())
    known = "|".join(map(re.escape, sorted(english, key=len, reverse=True)))
    whole = re.compile(rf"(?<!\w)(?:{known}|{TEXTS}|{NUMBERS})(?!\w)|[,. –]")
    left = {
        place: whole.sub("", rulebooks.translate_citation(place, "en")) for place in sorted(SETTLED | PRINTED)
    }
    assert len(left) > 500
    assert {place: words for place, words in left.items() if words} == {}


def test_french_is_quoted_as_it_stands() -> None:
    place = "Anjou Feu, IV, paradoxes, exemples A à D"
    assert rulebooks.translate_citation(place, "fr") == place
    assert rulebooks.translate_citation(place, "en") == "Anjou Feu, IV, paradoxes, examples A to D"


def test_a_book_of_ones_own_may_quote_what_it_likes() -> None:
    assert rulebooks.translate_citation("House rules, p. 3", "en") == "House rules, p. 3"
    assert rulebooks.translate_citation("", "en") == ""
