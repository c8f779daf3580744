"""Names that sound alike in their own language: the same person twice in a list, or a namesake.

The order of the words, accents, capitals and hyphens do not matter: “Quéré Bastien” is “bastien QUERE”. The
silent ends and the nasal vowels of French count in words that may be French: “Miller” is not “Millet” to
an English ear. `same_person` is certain enough to act upon; of what merely sounds alike, somebody decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

from talleyrand.tournament.birth_dates import may_be_born_together
from talleyrand.tournament.model import EventPerson

# Spellings that are one sound, in the order in which they are looked for; nasal vowels are figures.
FRENCH_SOUNDS = (
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
PLAIN_SOUNDS = (
    (r"sch|sh", "ch"),
    (r"ph", "f"),
    (r"(?<=[trg])h|(?<=[aeiou])h(?![aeiou])", ""),
    (r"([aou])e(?=[lnr])", r"\1"),  # Mueller is Müller
    (r"ck|qu?|c(?![hei])", "k"),
    (r"tz|z", "s"),
    (r"w", "v"),
    (r"y", "i"),
    (r"(.)\1+", r"\1"),
)
# What no French word is written with.
FOREIGN = re.compile(
    r"w|sh|sch|oo|cz|sz|[aou]e(?=[lnr])|[aeiou]hn|(?<=[hklnrst])s[eo]n$|mann$|(?<=[bglrst])man$|ler$|ner$"
    r"|sk[iy]$|[eou]v$|ic$|[aeo]s$|(?<=[^aeiou])[io]$|ley$"
)
FRENCH_SPEAKING = {"belgique", "belgium", "canada", "france", "luxembourg", "monaco", "suisse", "switzerland"}
FRENCH_SPEAKING |= {"be", "bel", "ca", "can", "ch", "che", "fr", "fra", "lu", "lux", "mc", "quebec", "sui"}
Key = TypeVar("Key", bound=int | tuple[int, ...])
CACHED_NAMES = 4096  # names: lists of a whole event are sorted and compared at every look
PARTICLES = {"d", "de", "des", "du", "l", "la", "le"}


@lru_cache(CACHED_NAMES)
def fold_name(text: str) -> str:
    """Small letters without accents, other signs as blanks."""
    parted = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("æ", "ae"))
    bare = "".join(letter for letter in parted if letter not in "'’" and not unicodedata.combining(letter))
    return " ".join(re.findall(r"[^\W_]+", bare))


@lru_cache(CACHED_NAMES)
def name_sounds(name: str, country: str = "") -> frozenset[str]:
    """What a name may sound like, its words in alphabetical order: two that share a sound may be one person.

    `country`: where somebody comes from, if that is known; the rules of French count where French is spoken.
    """
    words = fold_name(name).split()
    told = [word for word in words if word not in PARTICLES] or words
    if not told:
        return frozenset()
    sounds = {"plain " + " ".join(sorted(_heard(word, PLAIN_SOUNDS) for word in told))}
    if not country.strip() or fold_name(country) in FRENCH_SPEAKING:
        ways = [PLAIN_SOUNDS if FOREIGN.search(word) else FRENCH_SOUNDS for word in told]
        sounds.add("french " + " ".join(sorted(map(_heard, told, ways))))
    return frozenset(sounds)


def _heard(word: str, rules: Iterable[tuple[str, str]]) -> str:
    for written, heard in rules:
        word = re.sub(written, heard, word)
    return word


def people_sounding_alike(name: str, people: Mapping[int, EventPerson], country: str = "") -> tuple[int, ...]:
    """Who of the event may be the one of that name."""
    wanted = name_sounds(name, country)
    return tuple(
        number for number, known in people.items() if wanted & name_sounds(known.name, known.country)
    )


def possible_duplicates(people: Mapping[Key, EventPerson]) -> list[tuple[Key, Key]]:
    """Any two people, of an event or of several, who may be one by the sound of their names; in order."""
    heard: dict[str, list[Key]] = defaultdict(list)
    for number, known in people.items():
        for sound in name_sounds(known.name, known.country):
            heard[sound].append(number)
    return sorted({pair for same in heard.values() for pair in combinations(same, 2)})


def have_same_name(one: EventPerson, two: EventPerson) -> bool:
    """Whether two have one name, whatever its accents, capitals and order."""
    return sorted(fold_name(one.name).split()) == sorted(fold_name(two.name).split())


def same_person(one: EventPerson, two: EventPerson) -> bool:
    """Whether two are one beyond doubt: one name and nothing that contradicts it, or one address of mail and
    names that may be one. A family has one address, too.
    """
    first, second = one.private, two.private
    if not may_be_born_together(first.born, second.born):
        return False
    if first.mail and second.mail:
        return have_same_mail(one, two) and _may_be_one_name(one.name, two.name)
    if not have_same_name(one, two):
        return False
    told = ((one.club, two.club), (one.town, two.town), (one.country, two.country))
    if any(fold_name(here) != fold_name(there) for here, there in told if here and there):
        return False
    numbers = [re.sub(r"\D", "", number)[-9:] for number in (first.phone, second.phone)]
    return not all(numbers) or numbers[0] == numbers[1]


def have_same_mail(one: EventPerson, two: EventPerson) -> bool:
    """Whether two have one address of mail."""
    return bool(one.private.mail) and one.private.mail.casefold() == two.private.mail.casefold()


def _may_be_one_name(one: str, two: str) -> bool:
    """Whether two names sound alike, or one is the other shortened: “Z. Fontanel”."""
    short, long = sorted((fold_name(one).split(), fold_name(two).split()), key=len)
    is_shortened = all(
        any(word == other or (min(len(word), len(other)) == 1 and word[0] == other[0]) for other in long)
        for word in short
    )
    return is_shortened or bool(name_sounds(one) & name_sounds(two))
