"""Inputs nobody would write on purpose: lines of sheets cut, spliced, misspelt and spoilt, by a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

ALPHABET = tuple(
    "AFSCHTRDB-+;:,./()[]#*~>&|'\"0123456789 \t\r\n"
    "\u00e9\u00e8\u00ea\u00e0\u00e7\u00f4\u0153\u00e6\u00df\u00f8\u2019\u2018\u00ab\u00bb\u2013\u2014\u2212\u2192\u27a1\u21d2\u2022\u2026"
    "\u200b\ufeff\u00a0\u202e\u00ad\u0301\x00\x1b\ud800\u2028"
    "\u0410\u03a1\ufb01\uff21\u00bd\u00b2\u0130\u1e9e\u4e2d\U0001f642\u200d\U0010ffff"
)
WORDS = """
    A F H S C R D B via et ou si sinon puis and or if else par convoi via convoy soutient supports tient holds
    convoie attaque retraite construit retire cn cs nc sc c\u00f4te nord France russe Liv Tyr Mar MAR Nor Nrv
    Pay mer de Gal St Saint est Est annule correction printemps 1901 ~~ // # ## ( ) - -- -> VIA xxx waive
""".split()  # noqa: SIM905 a list of words
LONGEST = 3000


def mutated(draw: random.Random, seeds: Sequence[str]) -> str:
    """A seed changed a few times."""
    text = draw.choice(seeds)
    for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        text = draw.choice(CHANGES)(draw, text, seeds)[:LONGEST]
    return text


def sheet(draw: random.Random, seeds: Sequence[str]) -> list[str]:
    """Some lines, most of them changed."""
    return [
        draw.choice(seeds) if draw.random() < 0.2 else mutated(draw, seeds)
        for _ in range(draw.choice((1, 1, 2, 3, 5)))
    ]


Change = Callable[[random.Random, str, Sequence[str]], str]


def _span(draw: random.Random, text: str) -> tuple[int, int]:
    start = draw.randint(0, len(text))
    return start, min(len(text), start + draw.randint(0, 12))


def _without(draw: random.Random, text: str, _: Sequence[str]) -> str:
    start, end = _span(draw, text)
    return text[:start] + text[end:]


def _letter(draw: random.Random, text: str, _: Sequence[str]) -> str:
    at = draw.randint(0, len(text))
    return text[:at] + draw.choice(ALPHABET) + text[at + draw.randint(0, 1) :]


def _swapped(draw: random.Random, text: str, _: Sequence[str]) -> str:
    if len(text) < 2:
        return text
    at = draw.randrange(len(text) - 1)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _word(draw: random.Random, text: str, _: Sequence[str]) -> str:
    words = text.split(" ")
    at = draw.randint(0, len(words))
    return " ".join([*words[:at], draw.choice(WORDS), *words[at + draw.randint(0, 1) :]])


def _shuffled(draw: random.Random, text: str, _: Sequence[str]) -> str:
    words = text.split()
    draw.shuffle(words)
    return " ".join(words)


def _spliced(draw: random.Random, text: str, seeds: Sequence[str]) -> str:
    other = draw.choice(seeds)
    return text[: draw.randint(0, len(text))] + other[draw.randint(0, len(other)) :]


def _joined(draw: random.Random, text: str, seeds: Sequence[str]) -> str:
    return (
        text
        + draw.choice((";", ", ", " ", " et ", " ou ", " / ", "\n", " (", " sinon ", ""))
        + draw.choice(seeds)
    )


def _repeated(draw: random.Random, text: str, _: Sequence[str]) -> str:
    start, end = _span(draw, text)
    return text[:start] + text[start:end] * draw.choice((2, 3, 10, 60)) + text[end:]


def _cased(draw: random.Random, text: str, _: Sequence[str]) -> str:
    return draw.choice((str.upper, str.lower, str.swapcase, str.title))(text)


def _recoded(draw: random.Random, text: str, _: Sequence[str]) -> str:
    """Read as another encoding than it was written in."""
    raw = text.encode("utf-8", "surrogatepass")
    return raw.decode(draw.choice(("latin-1", "cp1252", "utf-16-le")), "replace")


def _bytes(draw: random.Random, text: str, _: Sequence[str]) -> str:
    raw = bytearray(text.encode("utf-8", "surrogatepass")) or bytearray(b"A")
    for _time in range(draw.randint(1, 4)):
        raw[draw.randrange(len(raw))] = draw.randrange(256)
    return raw.decode("utf-8", draw.choice(("replace", "surrogateescape", "ignore")))


def _noise(draw: random.Random, _text: str, _: Sequence[str]) -> str:
    return "".join(draw.choice(ALPHABET) for _ in range(draw.randint(0, 40)))


CHANGES: tuple[Change, ...] = (
    _without,
    _letter,
    _letter,
    _swapped,
    _word,
    _word,
    _shuffled,
    _spliced,
    _joined,
    _joined,
    _repeated,
    _cased,
    _recoded,
    _bytes,
    _noise,
)
