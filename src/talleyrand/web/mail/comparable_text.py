"""Texts as they are compared in the search for what tells of their writer. Pure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

LATIN = "\u0250"  # what nobody sees has a use beside other scripts and emblems, none beside Latin letters
APOSTROPHES = "\u2019\u2018\u02bc`"
# Greek and Cyrillic letters that look like Latin ones, as they stand.
LOOK_ALIKES = str.maketrans(
    dict(
        zip(
            "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινοκρυχАВЕЅІЈКМНОРСТУХаеѕіјкморсухһԁԛԝ",
            "abezhikmnoptyxaivokpuxabesijkmhopctyxaesijkmopcyxhdqw",
            strict=True,
        )
    )
)

Range = tuple[int, int]


@dataclass(frozen=True)
class ComparableText:
    """A text as it is compared, in small letters without accents, with the place of each in the text."""

    text: str
    places: tuple[int, ...]

    @classmethod
    def from_text(cls, text: str) -> ComparableText:
        signs = [(one, place) for place, sign in enumerate(text) for one in _plain(sign)]
        return cls("".join(one for one, _place in signs), tuple(place for _one, place in signs))

    def span(self, found: re.Match[str] | Range) -> Range:
        """Where a match is in the text itself."""
        start, end = found if isinstance(found, tuple) else found.span()
        return self.places[start], self.places[end - 1] + 1


def comparable(text: str) -> str:
    """A text as it is compared."""
    return "".join(map(_plain, text))


@lru_cache(4096)
def _plain(sign: str) -> str:
    if sign in APOSTROPHES:
        return "'"
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", sign).casefold())
    return "".join(one for one in apart if unicodedata.category(one) not in ("Mn", "Cf"))


def as_latin(text: str) -> str:
    """A text as it looks to whoever reads Latin letters, sign for sign: names may be written so. A Greek or
    Russian name is found in the text as it is, for there a nu is no "v".
    """
    return text.translate(LOOK_ALIKES)


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name as they are compared."""
    return tuple(re.findall(r"[^\W_]+", comparable(name)))


def without_invisible(text: str) -> str:
    """A text without signs that nobody sees: a row of them can tell one copy of it from another."""
    kept: list[str] = []
    for sign in text:
        if unicodedata.category(sign) == "Cf" and (not kept or kept[-1] < LATIN):
            continue
        kept.append(sign)
    return "".join(kept)
