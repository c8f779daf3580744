"""The words of orders in French and in English, without accents or capitals; they are in `words.toml`."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from talleyrand.data_tables import Toml, read_table

from .lexer import folded_words
from .spelling import nearest_word


class OrderVerb(Enum):
    """What a sign or a verb says."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    BY_CONVOY = "by convoy"
    RETREAT = "retreat"
    DISBAND = "disband"
    BUILD = "build"
    WAIVE = "waive"


ORDER_WORDS: Toml = read_table(Path(__file__).with_name("words.toml"))


def word_set(name: str) -> frozenset[str]:
    """The words of a list of `words.toml`."""
    return frozenset(ORDER_WORDS["words"][name].split())


def phrase_set(name: str) -> frozenset[tuple[str, ...]]:
    """The phrases of a list of `words.toml`, word by word."""
    return frozenset(tuple(phrase.split()) for phrase in ORDER_WORDS["phrases"][name].split(","))


def _table() -> dict[str, tuple[OrderVerb, ...]]:
    signs: dict[str, list[OrderVerb]] = {}
    for key, phrases in ORDER_WORDS["verbs"].items():
        for phrase in phrases.split(","):
            signs.setdefault(" ".join(phrase.split()), []).append(OrderVerb[key.upper()])
    return {phrase: tuple(found) for phrase, found in signs.items()}


ORDER_VERBS = _table()
MAX_VERB_WORDS = max(len(phrase.split()) for phrase in ORDER_VERBS)


def build_or_remove(found: Iterable[str]) -> OrderVerb | None:
    """Whether words build or remove: None where they do neither, or both."""
    said = {sign for word in found for sign in (*ORDER_VERBS.get(word, ()), *_TITLES.get(word, ()))}
    told = said & {OrderVerb.BUILD, OrderVerb.DISBAND}
    return told.pop() if len(told) == 1 else None


_BUILDS = word_set("builds")
_REMOVALS = word_set("removals")
_TITLES = dict.fromkeys(_BUILDS, (OrderVerb.BUILD,)) | dict.fromkeys(_REMOVALS, (OrderVerb.DISBAND,))

_WORDS = {phrase: signs for phrase, signs in ORDER_VERBS.items() if " " not in phrase}


def misspelt_verb(word: str) -> OrderVerb | None:
    """The sign that a word of five letters or more is a slip away from."""
    signs = None if word in ORDER_VERBS else nearest_word(word, _WORDS)
    return signs[0] if signs else None


COMMAND_VERBS = word_set("command_verbs")
"""Verbs that may begin a line, before the unit they are for."""

FROM_WORDS = word_set("from")

TO_WORDS = word_set("to")

PLACE_PREPOSITIONS = FROM_WORDS | word_set("place_prepositions")
"""What stands before a place of which something is said."""

UNIT_WORDS = word_set("unit")

UNIT_DETERMINERS = UNIT_WORDS | word_set("unit_determiners")
"""What may stand before a unit as links may, and begins no name."""

LINK_WORDS = word_set("links")
"""Words that may stand before a unit or a place without changing anything."""

CONVOY_AGENT_WORDS = word_set("convoy_agents")
"""What may stand before the fleets that carry an army."""

AND_WORDS = frozenset(("et", "and"))

ELSE_WORDS = word_set("else")
"""What follows depends on something; what precedes does not."""

IF_WORDS = word_set("if")
"""The whole order depends on something."""

CONDITION_WORDS = IF_WORDS | ELSE_WORDS

CASE_LEADS = word_set("case_leads")
"""Behind these, "cas" and "case" are words of a condition wherever they could name a place."""

PARTICLES = word_set("particles")

OR_WORDS = word_set("or")

NEGATIVE_WORDS = word_set("negative")

DOUBT_WORDS = OR_WORDS | word_set("doubt")
"""Words between brackets that may take the order back: such a remark is not passed over."""

REPLACING_WORDS = word_set("replacing")
"""Words by which a sheet says that it stands instead of the earlier ones."""

ADDING_WORDS = word_set("adding")
"""Words by which a sheet says that the earlier ones count but for what it says itself."""

TITLE_WORDS = REPLACING_WORDS | ADDING_WORDS | _BUILDS | _REMOVALS | word_set("title")
"""Words of titles beside those for powers and seasons."""

TITLE_FILLER_WORDS = PARTICLES | LINK_WORDS | word_set("title_fillers")
"""What may stand in a title and makes none by itself."""

GULF_WORDS = word_set("gulf")

GENERIC_PLACE_WORDS = word_set("generic_places")


def without_particles(name: Iterable[str]) -> tuple[str, ...]:
    """A name's words without articles and prepositions."""
    return tuple(word for word in name if word not in PARTICLES)


def without_article(name: str) -> tuple[str, ...]:
    """A name's words without the article it begins with."""
    found = folded_words(name)
    while len(found) > 1 and found[0] in LINK_WORDS:
        found = found[1:]
    return found
