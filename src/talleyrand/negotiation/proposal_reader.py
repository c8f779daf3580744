"""A short French or English sentence read as a proposal: "Paix ?", "DMZ in the Channel?".

Words of a few lists say what is proposed; powers and places are found by the notation's own names. Whatever
else a sentence says is passed over, and what gives no proposal is said to give none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import NamedTuple

from talleyrand.engine.board import province_of
from talleyrand.engine.position import Position
from talleyrand.notation.grammar import OrderParser
from talleyrand.notation.lexer import DASH, LineToken, clean_line, folded_words, tokenize
from talleyrand.notation.name_index import load_name_index
from talleyrand.notation.parsed_order import EVERYDAY_NOUNS, EVERYDAY_WORDS, PlaceRef
from talleyrand.notation.vocabulary import ORDER_VERBS, OrderVerb
from talleyrand.variants import Variant

from .proposals import (
    ALLIANCE,
    DEMILITARISED,
    DRAW,
    MOST_YEARS,
    PEACE,
    SUPPORT,
    USUAL_YEARS,
    HelpedUnit,
    Proposal,
)
from .small_talk import courtesy, looks_back, small_talk

LONGEST_MESSAGE = 300
# What is proposed, by the words that name it; the first that a sentence has counts.
_SAYING = {
    DRAW: "draw nul nulle partage egalite",
    DEMILITARISED: """dmz demilitarise demilitarisee demilitariser demilitarisons demilitarised demilitarized
    demilitarize neutre neutral evacuer vide vides empty tampon buffer""",
    SUPPORT: "supported soutenu soutenue aidez aider",
    ALLIANCE: """alliance allie allies alliee allions allier ally allied against contre ensemble together
    attaque attaquez attaquons attaquer attack partager partageons share split divide""",
    PEACE: "peace paix truce treve armistice pacte pact agression aggression nonaggression nonagression",
}
_SAID = {word: SUPPORT for word, verbs in ORDER_VERBS.items() if OrderVerb.SUPPORT in verbs and len(word) > 1}
_SAID |= {word: kind for kind, words in _SAYING.items() for word in words.split()}
_OTHER_WORDS = {
    "denying": "no not don pas ne n jamais never refuse sans without rompre break aucun aucune plus",
    "linking": "if si and et contre while pendant",
    "leading": "- to into en vers a dans au",
    "helping": "avec with",
    "wishing": "chance luck courage garde guard bravo",
    "attacking": "attaquer attack",
    "going on": "et puis alors donc",
    "addressed": "t te m me nous vous you us",
    "me": "moi nous me us",
    "asking to": "voulez pouvez veux peux",
    "articles": "le la les l the",
    "years": "an ans annee annees year years",
    "assenting": "oui accord ok entendu volontiers accepte acceptee marche yes agreed accept deal gladly",
    "refusing": "non refusons decline declines",
}
_WORDS = {name: frozenset(words.split()) for name, words in _OTHER_WORDS.items()}
_DENYING, _LINKING, _LEADING, _ARTICLES, _YEARS, _ASSENTING, _REFUSING = (
    _WORDS[name] for name in ("denying", "linking", "leading", "articles", "years", "assenting", "refusing")
)
_SHORT_ANSWER = 12  # words
_NUMBERS = {
    word: at
    for at, words in enumerate(("un une one this cette", "deux two", "trois three"), 1)
    for word in words.split()
}
_FRENCH_WORDS, _ENGLISH_WORDS = (
    frozenset(words.split())
    for words in (
        """je tu vous nous le les du des et ou est ne pas que qui pour avec mon ma ton ta votre vos notre dans
        si aux ce cette oui non accord merci bonjour cher chere paix soutiens soutenez vide jusqu entre
        contre""",
        """i you we the of and is are not that who for with my your our in if this yes no agreed thanks hello
        dear peace support supports empty until between against let us will shall draw""",
    )
)
UNIT_LETTERS, _TOWARDS = frozenset("AF"), frozenset(("to", "into", "vers"))
_PACT = re.compile(r"\bNAP\b")  # a non-aggression pact, where it is not Naples
_CLAUSE = re.compile(r"[,.;:!?\n]")


@dataclass(frozen=True)
class ReadMessage:
    """A proposal, or in `problem` why there is none: `empty`, `too_long`, `denied`, `declined` (what the
    other offers), `which_place`, `which_power`, `which_unit`, or what `small_talk` finds; `about` the place
    that it names.
    """

    proposal: Proposal | None = None
    problem: str = ""
    about: str = ""


class _Mark(NamedTuple):
    """What a sentence says at one point: a `place`, a `power`, a `unit`'s letter or a `word`."""

    kind: str
    said: str


def read_message(
    text: str,
    variant: Variant,
    position: Position,
    speaker: str,
    hearer: str,
    offer: Proposal | None = None,
) -> ReadMessage:
    """What a power proposes to another in a sentence; at most LONGEST_MESSAGE characters are read. A short
    yes or no answers the `offer` of the other.
    """
    if len(text) > LONGEST_MESSAGE:
        return ReadMessage(problem="too_long")
    marks = _marks(text, variant)
    kinds, denied = _kinds(text)
    if _is_support_written(marks):
        kinds.add(SUPPORT)
    if not kinds and _PACT.search(text) and not any(mark.kind == "unit" for mark in marks):
        kinds.add(PEACE)
    places = {mark.said for mark in marks if mark.kind == "place"}
    third = {mark.said for mark in marks if mark.kind == "power"} - {speaker, hearer}
    kind = _kind_meant(kinds, places, third)
    if not kind:
        said = _yes_or_no(text) if offer else None
        found = _no_proposal(text, marks, places, denied=denied)
        return {None: found, False: ReadMessage(problem="declined"), True: ReadMessage(offer)}[said]
    if kind == SUPPORT:
        found = _read_support(marks, position, speaker, hearer)
        polite = courtesy(text) if found.problem and not places else ""
        return ReadMessage(problem=polite) if polite else found
    years = _years(marks, variant, position)
    if kind == ALLIANCE or (kind == DRAW and third):  # who shares a power out is its enemy
        meant = third or _holders(places, position) - {speaker, hearer}
        return _read_alliance(meant, years, nobodys=bool(places and not meant))
    if kind == DEMILITARISED:
        return _read_empty_place(places, years)
    return ReadMessage(Proposal(kind, years=years if kind == PEACE else USUAL_YEARS))


def _no_proposal(text: str, marks: Sequence[_Mark], places: set[str], *, denied: bool) -> ReadMessage:
    if not marks or denied:
        return ReadMessage(problem="denied" if denied else "empty")
    named = min(places) if len(places) == 1 else ""
    return ReadMessage(problem=small_talk(text, has_place=bool(places)), about=named)


def _kind_meant(kinds: set[str], places: set[str], third: set[str]) -> str:
    unmeant = set()
    if places and not third:
        unmeant.add(DRAW)  # "on se partage la Belgique"
    if third and not places and ALLIANCE in kinds:
        unmeant.add(SUPPORT)  # "aidez-moi contre l'Italie"
    return next((one for one in _SAYING if one in kinds - unmeant), "")


def language_of(text: str, fallback: str) -> str:
    """Whether a letter is French ("fr") or English ("en"), by the words that tell; else as is said."""
    words = folded_words(text[:LONGEST_MESSAGE])
    french, english = (sum(word in known for word in words) for known in (_FRENCH_WORDS, _ENGLISH_WORDS))
    if french == english:
        return fallback
    return "fr" if french > english else "en"


def _yes_or_no(text: str) -> bool | None:
    words = folded_words(text)
    if len(words) > _SHORT_ANSWER:
        return None
    if any(word in _DENYING or word in _REFUSING for word in words):
        return False
    return True if any(word in _ASSENTING for word in words) else None


def _read_alliance(third: set[str], years: int, *, nobodys: bool) -> ReadMessage:
    if nobodys:  # "attack Norway", which nobody owns
        return ReadMessage(problem="moves_asked")
    if len(third) != 1:
        return ReadMessage(problem="which_power")
    return ReadMessage(Proposal(ALLIANCE, third=third.pop(), years=years))


def _holders(places: set[str], position: Position) -> set[str]:
    """Whose centres places are, or who stands there."""
    owners = {power for power, owned in (position.centres or {}).items() if not places.isdisjoint(owned)}
    return owners or {unit.power for unit in position.units if unit.province in places}


def _read_empty_place(places: set[str], years: int) -> ReadMessage:
    if len(places) != 1:
        return ReadMessage(problem="which_place")
    return ReadMessage(Proposal(DEMILITARISED, province=places.pop(), years=years))


def _kinds(text: str) -> tuple[set[str], bool]:
    """What the words of a text name, and whether it says no to something ("pas de paix")."""
    found, denied = set[str](), False
    for clause in _CLAUSE.split(text):
        if looks_back(clause):
            continue
        words, refused = folded_words(clause), set[str]()
        for at, word in enumerate(words):
            kind = None if _tells_of_others(words, at) else _SAID.get(word)
            if kind and (kind in refused or any(one in _DENYING for one in words[max(0, at - 2) : at])):
                refused.add(kind)  # "pas d'alliance contre l'Italie" is one refusal
            elif kind:
                found.add(kind)
        denied = denied or bool(refused)
    return found, denied


def _tells_of_others(words: Sequence[str], at: int) -> bool:
    """Whether a word tells of others' fight: "l'Italie va t'attaquer", "good luck against Italy"."""
    before = frozenset(words[max(0, at - 1) : at])
    if words[at] in ("contre", "against"):
        return bool(before & _WORDS["wishing"])
    if words[at] == "attaque":  # an order, or what was done: "attaqué"
        return not before <= _WORDS["going on"]
    is_asked = any(one in _WORDS["asking to"] for one in words[max(0, at - 2) : at])
    return (
        words[at] in _WORDS["attacking"]
        and bool({*before, *words[at + 1 : at + 2]} & _WORDS["addressed"])
        and not is_asked
    )


def _is_support_written(marks: Sequence[_Mark]) -> bool:
    """Whether a support stands there as in an order: "A Bur S A Par - Pic"."""
    return any(mark.said == "s" and before.kind == "place" for before, mark in pairwise(marks))


def _years(marks: Sequence[_Mark], variant: Variant, position: Position) -> int:
    """For how many years, this one included, where a year is named, or their number."""
    now = position.phase.year
    ahead = variant.definition.calendar.year_of_moves(position.phase) - now
    for mark, after in pairwise(marks):
        if after.said in _YEARS and (mark.said in _NUMBERS or mark.said.isdecimal()):
            return min(ahead + max(1, _NUMBERS.get(mark.said) or int(mark.said)), MOST_YEARS)
    named = [int(mark.said) for mark in marks if mark.said.isdecimal() and len(mark.said) == len(str(now))]
    found = [year - now + 1 for year in named if 0 <= year - now < MOST_YEARS]
    return found[0] if found else USUAL_YEARS


def _marks(text: str, variant: Variant) -> list[_Mark]:
    clean = clean_line(text)
    tokens, index = tokenize(clean), load_name_index(variant, None)
    exact, loose = (OrderParser(tokens, index, clean, loose=one) for one in (False, True))
    found, at = list[_Mark](), 0
    while at < len(tokens):
        mark, at = _mark(tokens, at, exact, loose)
        is_polite = mark.said == "s" and any(token.key == "il" for token in tokens[at : at + 1])
        if mark.kind != "word" or not (is_polite or mark.said in _ARTICLES):
            found.append(mark)
    return found


def _mark(tokens: Sequence[LineToken], at: int, exact: OrderParser, loose: OrderParser) -> tuple[_Mark, int]:
    word, powers = tokens[at].key, exact.index.powers
    places = [] if word in _SAID or word in _LINKING else [*_places(exact, at)]
    if len(word) > 3 and not places and word not in _SAID:
        places = [*_places(loose, at)]
    meant = [(place, end) for place, end in places if _is_meant(tokens, at, end, place)]
    for size in range(exact.index.longest_power, 0, -1):
        code = powers.get(" ".join(token.key for token in tokens[at : at + size]))
        longer = any(
            end > at + size or _is_beside(tokens, at, end) for _place, end in meant
        )  # "English Channel"
        if code and at + size <= len(tokens) and not longer:
            return _Mark("power", code), at + size
    for place, end in meant:
        return _Mark("place", province_of(place.codes[0])), end
    return _Mark("unit" if tokens[at].text in UNIT_LETTERS else "word", word), at + 1


def _places(parser: OrderParser, at: int) -> Iterator[tuple[PlaceRef, int]]:
    """The places named from a word on, no word passed over."""
    for place, end in parser.place(at) if parser.tokens[at].key[0].isalnum() else ():
        if len(place.codes) == 1 and place.text.startswith(parser.tokens[at].text):
            yield place, end


def _is_meant(tokens: Sequence[LineToken], at: int, end: int, place: PlaceRef) -> bool:
    """Whether a word that people say every day is a place: beside a dash, or behind a unit's letter."""
    word = tokens[at].key
    speech = word in EVERYDAY_WORDS or word in EVERYDAY_NOUNS or len(word) < 3
    if end - at > 1 or not speech:
        return True
    named = at > 0 and tokens[at].text[0].isupper() and (len(word) > 3 or tokens[at - 1].key in _TOWARDS)
    return not place.guessed and (named or _is_beside(tokens, at, end))


def _is_beside(tokens: Sequence[LineToken], at: int, end: int) -> bool:
    """Whether words stand beside a dash or behind a unit's letter, as places do in an order."""
    before, after = tokens[at - 1 : at] if at else (), tokens[end : end + 1]
    letter = any(token.text in UNIT_LETTERS for token in before)
    return letter or any(token.key == DASH for token in (*before, *after))


def _read_support(marks: Sequence[_Mark], position: Position, speaker: str, hearer: str) -> ReadMessage:
    """Whose units are to be helped: the speaker's is asked for, the hearer's offered."""
    found: dict[str, HelpedUnit] = {}
    for at, mark in enumerate(marks):
        unit = position.units_by_province.get(mark.said) if mark.kind == "place" else None
        if unit is None or _is_goal(marks, at) or _supports_others(marks, at):
            continue
        goes = _goal(marks, at)
        if goes is None and any(one.said == DASH for one in marks[at + 1 : at + 2]):
            return ReadMessage(problem="which_unit")  # where to was not understood
        if unit.power in (speaker, hearer):
            found.setdefault(unit.power, HelpedUnit(unit.name, goes))
    for_me = any(
        _SAID.get(mark.said) == SUPPORT and {one.said for one in marks[at + 1 : at + 3]} & _WORDS["me"]
        for at, mark in enumerate(marks)
    )
    if not found or (for_me and speaker not in found):  # "support me in Bulgaria", where theirs stands
        return ReadMessage(problem="which_unit")
    return ReadMessage(Proposal(SUPPORT, asked=found.get(speaker), offered=found.get(hearer)))


def _is_goal(marks: Sequence[_Mark], at: int) -> bool:
    """Whether a place is where another unit goes: behind a place and a dash or a word that leads there."""
    led = at > 1 and marks[at - 1].kind == "word" and marks[at - 1].said in _LEADING
    return led and any(mark.kind == "place" for mark in marks[max(0, at - 3) : at - 1])


def _goal(marks: Sequence[_Mark], at: int) -> str | None:
    """Where the unit at a mark goes, if that is said."""
    for later in range(at + 1, min(at + 4, len(marks))):
        if marks[later].kind == "place":
            return marks[later].said if _is_goal(marks, later) else None
        if marks[later].said in _LINKING or _SAID.get(marks[later].said) == SUPPORT:
            return None
    return None


def _supports_others(marks: Sequence[_Mark], at: int) -> bool:
    """Whether the unit at a mark is the one that helps ("A Bur S A Par - Pic", "avec ton armée de Bur")."""
    behind = marks[at + 1 : at + 2]
    led = takewhile(lambda mark: mark.kind != "place", reversed(marks[max(0, at - 4) : at]))
    return any(mark.said in _WORDS["helping"] for mark in led) or any(
        _SAID.get(mark.said) == SUPPORT or mark.said == "s" for mark in behind
    )
