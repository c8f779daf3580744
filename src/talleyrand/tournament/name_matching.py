"""Names that sound alike to a French ear: the same person twice in a list, or a namesake. Somebody decides.

The order of the words, accents, capitals and hyphens do not matter: “Quéré Bastien” is “bastien QUERE”.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

from talleyrand.tournament.model import EventPerson

# Spellings that are one sound, in the order in which they are looked for; nasal vowels are figures.
SOUND_RULES = tuple(
    (re.compile(written), heard)
    for written, heard in (
        (r"sch|sh", "ch"),
        (r"ph", "f"),
        (r"ch(?=[lrt])", "k"),
        (r"(?<!c)h", ""),
        (r"[ae]?y", "i"),
        (r"c(?=[eiy])", "s"),
        (r"ck|qu?|c(?!h)", "k"),
        (r"gu(?=[eiy])", "g"),
        (r"ge(?=[aou])|g(?=[eiy])", "j"),
        (r"aul[dt]$|eaux?|aux?", "o"),
        (r"oi", "wa"),
        (r"ou", "u"),
        (r"(?:ai|ei|i|u)[nm](?![aeiounm])", "1"),
        (r"[ae][nm](?![aeiounm])", "2"),
        (r"o[nm](?![aeiounm])", "3"),
        (r"ai|ei|oe|ae", "e"),
        (r"w", "v"),
        (r"z", "s"),
        (r"(.)\1+", r"\1"),
        (r"er$", "e"),
        (r"(?<=..)[dtsxp]+$", ""),
        (r"(?<=..)e$", ""),
        (r"(?<=..)[dtsxp]+$", ""),
    )
)
CACHED_NAMES = 4096  # names: lists of a whole event are sorted and compared at every look
PARTICLES = {"d", "de", "des", "du", "l", "la", "le"}


@lru_cache(CACHED_NAMES)
def fold_name(text: str) -> str:
    """Small letters without accents, other signs as blanks."""
    parted = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("æ", "ae"))
    bare = "".join(letter for letter in parted if letter not in "'’" and not unicodedata.combining(letter))
    return " ".join(re.findall(r"[^\W_]+", bare))


@lru_cache(CACHED_NAMES)
def name_sound(name: str) -> str:
    """What a name sounds like, its words in alphabetical order: the same for two that may be one."""
    words = fold_name(name).split()
    told = [word for word in words if word not in PARTICLES] or words
    return " ".join(sorted(map(_heard, told)))


def _heard(word: str) -> str:
    for written, heard in SOUND_RULES:
        word = written.sub(heard, word)
    return word


def people_sounding_alike(name: str, people: Mapping[int, EventPerson]) -> tuple[int, ...]:
    """Who of the event may be the one of that name."""
    wanted = name_sound(name)
    return tuple(number for number, known in people.items() if wanted and name_sound(known.name) == wanted)


def possible_duplicates(people: Mapping[int, EventPerson]) -> list[tuple[int, int]]:
    """Any two people of the event who may be one."""
    heard: dict[str, list[int]] = defaultdict(list)
    for number, known in people.items():
        heard[name_sound(known.name)].append(number)
    return [pair for same in heard.values() for pair in combinations(same, 2)]
