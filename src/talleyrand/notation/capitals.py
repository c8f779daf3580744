"""The habit of writing seas in capitals and lands in small letters, where a sheet has it."""

from __future__ import annotations

from collections.abc import Iterable

from talleyrand.engine.board import Board, province_of

from .lexer import MAX_LINE, clean, cut
from .places import LEAST_PREFIX, Index
from .readings import Reading
from .sentences import PlaceRef, Sentence


def seas_in_capitals(lines: Iterable[str], index: Index) -> bool:
    """Whether a sheet writes both, and always capitals for seas and never for lands."""
    seen: set[tuple[bool, bool]] = set()
    for line in lines:
        for token in cut(clean(line[:MAX_LINE])):
            codes = index.meaning(token.key, token.text)
            if len(codes) == 1 and len(token.text) >= LEAST_PREFIX:
                seen.add((token.text.isupper(), index.board.is_sea(codes[0])))
    return seen == {(True, True), (False, False)}


def as_capitals_say(readings: list[Reading], sentence: Sentence, board: Board) -> list[Reading]:
    """The readings in which every form that may be two provinces is a sea if in capitals, else a land."""
    found = [reading for reading in readings if _agrees(reading, sentence, board)]
    return found or readings


def _agrees(reading: Reading, sentence: Sentence, board: Board) -> bool:
    goal = getattr(reading.order, "to", None)
    pairs = (
        (sentence.unit and sentence.unit.place, reading.subject and reading.subject.where),
        (sentence.target and sentence.target.place, reading.target and reading.target.where),
        (sentence.to, goal),
    )
    return all(_fits(ref, place, board) for ref, place in pairs if ref is not None and place)


def _fits(ref: PlaceRef, place: str, board: Board) -> bool:
    return len(ref.codes) == 1 or ref.text.isupper() == board.is_sea(province_of(place))
