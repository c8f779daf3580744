"""What a line says, as written: places, units, and what becomes of them; and what is speech, not a place.

The words of ordinary speech that a list, a beginning or a slip of the pen would make a place of were looked
for among the twelve thousand commonest words of French and of English, and first names, on every board.
Names of countries and towns are not among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .lexer import fold_accents
from .name_index import NameIndex
from .vocabulary import OrderVerb, word_set

EVERYDAY_WORDS = word_set("everyday")
"""A place only beside a unit's letter, or with a sign that is none of these words ("No H", "Mon - Tri")."""

EVERYDAY_NOUNS = word_set("everyday_nouns")
"""A place beside a unit's letter or a sign; alone, a word like others ("Dan", "war!")."""


def is_everyday_speech(unit: UnitRef, letter: str, sign: tuple[str, ...], index: NameIndex) -> bool:
    """Whether the unit that begins a sentence, written with a letter, and the sign behind it are mere speech.

    What is in no list is a place beside a sign; a word of speech beside a sign that is none itself, or
    as a name beside a unit's letter.
    """
    place, word = unit.place, fold_accents(unit.place.text)
    if unit.kind and not place.guessed:
        return False
    noun, speech, named = word in EVERYDAY_NOUNS, word in EVERYDAY_WORDS, _is_named(unit, letter)
    if not sign:
        coasts = any(index.board.provinces[code].coasts for code in place.codes)
        alone = unit.kind is None and (place.guessed or (bool(place.coast) and not coasts))
        return alone or ((noun or speech) and not named)
    if len(sign) == 1 and len(sign[0]) == 1 and sign[0] != "a" and not (speech and sign[0] in "bd"):
        return False
    return place.guessed and ((speech and not (named and unit.kind)) or (noun and not named))


def _is_named(unit: UnitRef, letter: str) -> bool:
    """Whether a place is written as one: not in "a man", nor in "an army of one"."""
    if len(letter) == 1 and letter not in "aA":
        return True
    return unit.place.text[:1].isupper() and letter != "a"


class PlaceRef(NamedTuple):
    """A place as written: the provinces it may mean, and the coast's form."""

    codes: tuple[str, ...]
    text: str
    coast: str = ""
    guessed: bool = False


class UnitRef(NamedTuple):
    """A unit as written; `kind` and `power` None where left out."""

    place: PlaceRef
    kind: str | None = None
    power: str | None = None
    power_text: str = ""


@dataclass(frozen=True, slots=True)
class ParsedOrder:
    """An order as written. `verb` None: the unit alone. `hold_written`: the other unit's hold is written.

    `guessed`: the words in which a sign was misspelt or left out.
    """

    verb: OrderVerb | None
    unit: UnitRef | None = None
    target: UnitRef | None = None
    to: PlaceRef | None = None
    hold_written: bool = False
    marker: str = ""
    path: tuple[PlaceRef, ...] = ()
    guessed: str = ""
    verb_missing: bool = False


@dataclass(slots=True)
class ParseFailure:
    """How far a line made sense: the token reached, what should have followed, the unit read by then."""

    at: int = 0
    wanted: str = "unit"
    unit: UnitRef | None = None
    verb: OrderVerb | None = None
