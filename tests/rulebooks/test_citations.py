"""Where a rule stands, as each language quotes it."""

from __future__ import annotations

import re

import pytest

from talleyrand import rulebooks
from talleyrand.rulebooks import places

TEXTS = "Anjou Feu|Asmodée|Backstabbr|Conspiracy|DATC|Descartes|Diplomania|Renegade"
NUMBERS = r"[IVX]+(?:\.[\w.]+)*|\d[\w.]*|[A-D]|[a-f]"
SETTLED = {source for name in rulebooks.names() for source in rulebooks.load(name).sources.values()}
PRINTED = {rulebooks.place(name, rule) for name in rulebooks.names() for rule in places.rules()}


@pytest.mark.parametrize("place", sorted(SETTLED | PRINTED))
def test_every_word_of_a_place_has_its_english(place: str) -> None:
    """Each part is an English phrase of the list, the name of a text, or a number."""
    known = "|".join(map(re.escape, sorted(_english(), key=len, reverse=True)))
    left = re.sub(rf"(?<!\w)(?:{known}|{TEXTS}|{NUMBERS})(?!\w)|[,. –]", "", rulebooks.cited(place, "en"))
    assert left == ""


def _english() -> set[str]:
    from talleyrand.rulebooks import citations

    return set(citations._words("en").values())


def test_french_is_quoted_as_it_stands() -> None:
    place = "Anjou Feu, IV, paradoxes, exemples A à D"
    assert rulebooks.cited(place, "fr") == place
    assert rulebooks.cited(place, "en") == "Anjou Feu, IV, paradoxes, examples A to D"


def test_a_book_of_ones_own_may_quote_what_it_likes() -> None:
    assert rulebooks.cited("House rules, p. 3", "en") == "House rules, p. 3"
    assert rulebooks.cited("", "en") == ""
