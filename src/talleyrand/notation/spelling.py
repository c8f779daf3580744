"""Words almost as they should be: a slip or two of the pen, never another word that exists.

The shorter the word the less may be wrong with it; below five letters nothing may, for there one
valid abbreviation is a letter away from the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

MIN_MISSPELT_LENGTH = 5
"""Letters of a name that may be misspelt."""

TWO_SLIPS_LENGTH = 9
"""Letters from which two slips are forgiven."""

T = TypeVar("T")
SpeltNames = Iterable[tuple[tuple[str, ...], str]]


def allowed_slips(letters: int) -> int:
    """How many letters may be wrong, missing, too many or changed about in a word of so many."""
    if letters < MIN_MISSPELT_LENGTH:
        return 0
    return 1 if letters < TWO_SLIPS_LENGTH else 2


class MisspeltNames:
    """Full names by their number of words and of letters, to be found again when misspelt."""

    def __init__(self, spelt: SpeltNames) -> None:
        self._known: dict[tuple[int, int], list[tuple[str, str]]] = {}
        for name, code in spelt:
            whole = " ".join(name)
            size = (len(name), len(whole))
            if (whole, code) not in self._known.setdefault(size, []):
                self._known[size].append((whole, code))

    def near(self, form: tuple[str, ...]) -> tuple[str, ...]:
        """The provinces whose name a form may be meant to be."""
        written = " ".join(form)
        most = allowed_slips(len(written) - len(form) + 1)
        if not most or len(form[-1]) == 1:
            return ()
        return tuple(dict.fromkeys(self._names_within(written, len(form), most)))

    def _names_within(self, written: str, words: int, most: int) -> Iterator[str]:
        for letters in range(len(written) - most, len(written) + most + 1):
            for name, code in self._known.get((words, letters), ()):
                if edit_distance(written, name, most) <= most:
                    yield code


def nearest_word(written: str, known: Mapping[str, T]) -> T | None:
    """What the one known word of five letters or more within a slip of another stands for."""
    if not allowed_slips(len(written)):
        return None
    found = [meaning for word, meaning in known.items() if _is_near(written, word)]
    return found[0] if found and all(meaning == found[0] for meaning in found) else None


def _is_near(written: str, word: str) -> bool:
    return (
        len(word) >= MIN_MISSPELT_LENGTH - 1
        and abs(len(word) - len(written)) <= 1
        and edit_distance(written, word, 1) <= 1
    )


@lru_cache(maxsize=20000)
def edit_distance(first: str, second: str, most: int) -> int:
    """Letters wrong, missing, too many, or changed about with their neighbour; counted up to `most` + 1."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        following = [i]
        for j, other in enumerate(second, 1):
            cost = min(row[j - 1] + (letter != other), row[j] + 1, following[j - 1] + 1)
            if before and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            following.append(cost)
        before, row = row, following
        if min(row) > most:
            return most + 1
    return row[-1]
