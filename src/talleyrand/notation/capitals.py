"""The habit of writing seas in capitals and lands in small letters, where a sheet has it."""

from __future__ import annotations

from collections.abc import Iterable

from talleyrand.engine.board import Board, province_of

from .lexer import MAX_LINE, clean_line, tokenize
from .name_index import MIN_PREFIX, NameIndex
from .order_candidates import OrderCandidate
from .parsed_order import ParsedOrder, PlaceRef


def seas_in_capitals(lines: Iterable[str], index: NameIndex) -> bool:
    """Whether a sheet writes both, and always capitals for seas and never for lands."""
    seen: set[tuple[bool, bool]] = set()
    for line in lines:
        for token in tokenize(clean_line(line[:MAX_LINE])):
            codes = index.listed_provinces(token.key, token.text)
            if len(codes) == 1 and len(token.text) >= MIN_PREFIX:
                seen.add((token.text.isupper(), index.board.is_sea(codes[0])))
    return seen == {(True, True), (False, False)}


def prefer_by_capitals(
    readings: list[OrderCandidate], sentence: ParsedOrder, board: Board
) -> list[OrderCandidate]:
    """The readings in which every form that may be two provinces is a sea if in capitals, else a land."""
    found = [reading for reading in readings if _agrees(reading, sentence, board)]
    return found or readings


def _agrees(reading: OrderCandidate, sentence: ParsedOrder, board: Board) -> bool:
    goal = getattr(reading.order, "to", None)
    pairs = (
        (sentence.unit and sentence.unit.place, reading.subject and reading.subject.location),
        (sentence.target and sentence.target.place, reading.target and reading.target.location),
        (sentence.to, goal),
    )
    return all(_fits(ref, place, board) for ref, place in pairs if ref is not None and place)


def _fits(ref: PlaceRef, place: str, board: Board) -> bool:
    return len(ref.codes) == 1 or ref.text.isupper() == board.is_sea(province_of(place))
