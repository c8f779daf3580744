"""Headings of phases as people write them: `Printemps 1901`, `F1901R`, `Hiver 1902 : ajustements`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from talleyrand.engine.calendar import Calendar
from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.position import Phase
from talleyrand.notation import folded_words
from talleyrand.variants import Variant

_KINDS = {
    "M": "mouvement mouvements movement movements moves ordres orders",
    "R": "retraite retraites retreat retreats",
    "A": "ajustement ajustements adjustment adjustments construction constructions builds destructions",
    "D": "draft depart",
    "N": "national nationaux centres centers homes",
    "B": "mises mise encheres bid bids bidding",
    "H": "puissances origine powers",
    "P": "proposition propositions proposal proposals",
}
_KIND_OF = {word: kind for kind, listed in _KINDS.items() for word in listed.split()}
_OF_ANY_KIND = frozenset(("ordres", "orders"))
_IDLE = frozenset("phase de des du d et and of the choix choice home".split())  # noqa: SIM905 a list of words
_SEASONS = {"fall": "autumn", "hivers": "hiver"}
_CODE = re.compile(r"([A-Za-z]\d{1,5}[A-Za-z])\s*:?")
_LONGEST = 60


def read_phase_heading(line: str, variant: Variant) -> Phase | None:
    """The phase a line is the heading of, if it is one."""
    text = line.strip(" \t#*=-—–_")
    if len(text) > _LONGEST or not any(letter.isdigit() for letter in text):
        return None
    if code := _CODE.fullmatch(text):
        return _existing(code[1].upper(), variant)
    return _named_phase(folded_words(text), variant)


def read_relative_heading(line: str, variant: Variant, last: Phase) -> Phase | None:
    """`Retraites`, `Ajustements`: the next phase of that kind after the last one named."""
    found = folded_words(line) if len(line) <= _LONGEST else ()
    kinds = {_KIND_OF.get(word, "") for word in found if word not in _IDLE}
    calendar, phase = variant.definition.calendar, last
    if len(kinds) != 1 or not kinds & {"R", "A"}:
        return None
    for _ in calendar.cycle:
        phase = calendar.next_phase(phase)
        if phase.kind in kinds:
            return phase
    return None


def phase_kinds_named(found: Iterable[str]) -> frozenset[str]:
    """The kinds of phases that some words name; orders are given in each of them."""
    return frozenset(_KIND_OF[word] for word in found if word in _KIND_OF and word not in _OF_ANY_KIND)


def phase_sort_key(phase: Phase, calendar: Calendar) -> tuple[int, int]:
    """A key that sorts phases by time."""
    code = phase.season + phase.kind
    if code in calendar.cycle:
        return phase.year, calendar.cycle.index(code)
    return phase.year, calendar.opening.index(code) - len(calendar.opening)


def _existing(code: str, variant: Variant) -> Phase | None:
    try:
        phase = Phase.parse(code)
        variant.definition.calendar.check_phase(phase)
    except InvalidPosition:
        return None
    return phase


def _named_phase(found: tuple[str, ...], variant: Variant) -> Phase | None:
    years = [word for word in found if word.isdigit() and len(word) <= 5]
    rest = [_SEASONS.get(word, word) for word in found if not word.isdigit() and word not in _IDLE]
    kinds = {_KIND_OF[word] for word in rest if word in _KIND_OF}
    seasons = [word for word in rest if word not in _KIND_OF]
    if len(years) != 1 or len(kinds) > 1 or len(seasons) > 1:
        return None
    for code, kind in _codes(variant):
        if _fits(code, seasons, variant, kind, kinds):
            return Phase(code, int(years[0]), kind)
    return None


def _codes(variant: Variant) -> list[tuple[str, str]]:
    calendar = variant.definition.calendar
    return [(code[0], code[1]) for code in (*calendar.cycle, *calendar.opening)]


def _fits(season: str, written: list[str], variant: Variant, kind: str, kinds: set[str]) -> bool:
    """A season alone is its first phase; summer, where retreats have a season of their own, theirs."""
    if kinds and kind not in kinds:
        return False
    if not written:
        return bool(kinds)
    names = {key: folded_words(name) for key, name in variant.seasons[season].items()}
    own = {word for key, found in names.items() if not key.startswith("retreats") for word in found}
    for_retreats = {word for key, found in names.items() if key.startswith("retreats") for word in found}
    return written[0] in (own | for_retreats if kind == "R" else own)
