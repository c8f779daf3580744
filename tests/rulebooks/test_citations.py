"""Where a rule stands, as each language quotes it."""

from __future__ import annotations

import re

import pytest

from talleyrand import rulebooks
from talleyrand.rulebooks import rule_places

TEXTS = "Anjou Feu|Asmodée|Backstabbr|Conspiracy|DATC|Descartes|Diplomania|Renegade"
NUMBERS = r"[IVX]+(?:\.[\w.]+)*|\d[\w.]*|[A-D]|[a-f]"
SETTLED = {source for name in rulebooks.names() for source in rulebooks.load(name).sources.values()}
PRINTED = {
    rulebooks.cite_rule(name, rule) for name in rulebooks.names() for rule in rule_places.citable_rules()
}


@pytest.mark.parametrize("place", sorted(SETTLED | PRINTED))
def test_every_word_of_a_place_has_its_english(place: str) -> None:
    """Each part is an English phrase of the list, the name of a text, or a number."""
    known = "|".join(map(re.escape, sorted(_english(), key=len, reverse=True)))
    left = re.sub(
        rf"(?<!\w)(?:{known}|{TEXTS}|{NUMBERS})(?!\w)|[,. –]", "", rulebooks.translate_citation(place, "en")
    )
    assert left == ""


def _english() -> set[str]:
    from talleyrand.rulebooks import rule_citations

    return set(rule_citations._words("en").values())


def test_french_is_quoted_as_it_stands() -> None:
    place = "Anjou Feu, IV, paradoxes, exemples A à D"
    assert rulebooks.translate_citation(place, "fr") == place
    assert rulebooks.translate_citation(place, "en") == "Anjou Feu, IV, paradoxes, examples A to D"


def test_a_book_of_ones_own_may_quote_what_it_likes() -> None:
    assert rulebooks.translate_citation("House rules, p. 3", "en") == "House rules, p. 3"
    assert rulebooks.translate_citation("", "en") == ""
