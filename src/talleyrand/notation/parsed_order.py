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
from .vocabulary import OrderVerb

EVERYDAY_WORDS = frozenset(
    """
    a ad ai aie al all alle aller alles am an and anti any are as at au aucun aucune aux avec ayons be
    been begin being but by ca can car ce ces chez co comme con contre da dans de death des do does don
    dont du e each eh el elle elles em en es est et etre eu eux even fi fr from ga go got ha had has he
    her hi him his ho hors how i if il ils in is it its iv j je jamais juste l la le les leur like lu
    lui m ma mais me mes mi mine ml mm mo moi moins mon ms my n na ne neant nee neither net never new ni
    no nobody non none nope nor nos not nothing notre nous nul nulle of off oh ok old on one only op or
    os other ou oui our out over par pas per perdu personne peu plus pour pre pret pu qu que qui quoi re
    rien s sa sans se ser si so soi some son soon st su sur t ta te than that the their them then there
    they this thus till tir to ton tot tous tout toute tu ty u uk un una une uni unit unite united up
    upon us va ve vers very via voire vol vos votre vous vu was we were what when where which while who
    why with without y ya yes yet you your
    """.split()  # noqa: SIM905 a list of words
)
"""A place only beside a unit's letter, or with a sign that is none of these words ("No H", "Mon - Tri")."""

EVERYDAY_NOUNS = frozenset(
    """
    add alban albert amazon argent arm arme ass bag bal balles ban bar bare beau bel ben ber black
    blacks blank block boire bomb bonnie born bot both bourg bras breast brent brett bring bud cadre
    came cap cas cent central chaine channel channels chaud chien claire clyde constant cor core corn
    cost cote couilles crime dan den denise devant east easter eastern eng eve evening faire fin foire
    forth fouilles front gal gas george gilles grace green greve guy health heat high hong ice ile
    inland ion iris island islande islands jordan ken lev levant libre lion lions lit live liver livre
    loire lou louis mal males maman man manches mar marche marco marin mars martin mat matin med mel
    merlin merveille merveilles mid middle midi mienne min mining mom mont monte monter morning moyen
    mur nap nat national need noir noire noires noirs noise nord north northern nouvel nouvelle nuire
    ouest pairs parc parcs parents pari parie parish park parks partie partis parts par pay pays peak
    perte pet pete peter peters phase phil pic picard pie pied pool port poubelles pousse presse rang
    red rom roma roman romeo rouge rouges route rural sain saint sales salles sapin sea seat seb serie
    servi servir servira share sienne slack soir south southern spa speak stain stock sud sued sue tales
    tas terre territoire tien tim tirol tri trimestre trip triste tun tunes val vallee var venez vie
    vivre wages wakes wal walks wall walls wanda war wars waves wes west western whales woman worth yor
    york
    """.split()  # noqa: SIM905 a list of words
)
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
