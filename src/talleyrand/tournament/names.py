"""Names as a list sorts them and as an ear confuses them: two entries may be one person."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

from .model import Event

_NOT_LETTERS = re.compile(r"[^a-z]+")
_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("sch|sh", "ch"),
        ("ph", "f"),
        ("ch(?=[rl])", "k"),
        ("ch", "x"),
        ("h", ""),
        ("qu|q", "k"),
        ("sc(?=[eiy])|c(?=[eiy])", "s"),
        ("c", "k"),
        ("gn", "n"),
        ("gu(?=[eiy])", "g"),
        ("ge(?=[ao])|g(?=[eiy])", "j"),
        ("eau|au", "o"),
        ("(?<=o)l(?=[tdsx])", ""),
        ("ai|ei|ae|oe", "e"),
        ("y", "i"),
        ("z", "s"),
        ("w", "v"),
        ("[ae]n(?![aeioun])|[ae]m(?=[bp])", "a"),
        (r"(.)\1+", r"\1"),
        ("(?<=..)(?:[tdspxe]+|er|es)$", ""),
    )
)


def plain(name: str) -> str:
    """A name in small letters without accents: what lists are sorted and searched by."""
    letters = unicodedata.normalize("NFKD", name.replace("œ", "oe").replace("æ", "ae")).casefold()
    return " ".join("".join(one for one in letters if not unicodedata.combining(one)).split())


def sounds(name: str) -> tuple[str, ...]:
    """What a French ear keeps of each word of a name, in whatever order they are written."""
    words = _NOT_LETTERS.sub(" ", plain(name)).split()
    return tuple(sorted(filter(None, map(_sound, words))))


def _sound(word: str) -> str:
    for pattern, sound in _SOUNDS:
        word = pattern.sub(sound, word)
    return word


def alike(event: Event, name: str) -> list[int]:
    """Whoever of an event has a name that sounds like this one."""
    heard = sounds(name)
    return [number for number, one in event.people.items() if heard and sounds(one.name) == heard]


def twins(event: Event) -> list[tuple[int, int]]:
    """Pairs of entries that may be one person, the older entry first."""
    heard: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, one in sorted(event.people.items()):
        heard[sounds(one.name)].append(number)
    return [pair for key, found in heard.items() if key for pair in combinations(found, 2)]


def in_order(event: Event, people: Iterable[int]) -> list[int]:
    """People as one alphabetical list has them."""
    return sorted(people, key=lambda number: (plain(event.people[number].name), number))
