"""What mail programs, lists and companies put under a text, and people who sign always alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .parsed_email import LeftOutKind
from .phrase_lists import any_of
from .text_folding import fold
from .text_lines import SIGNATURE, TextLine

_SMART = re.compile("[-\u2013\u2014]{1,2}")
LONGEST_SMART = 8
"""Nobody signs at more length under a dash of his own making."""

_ORDER = re.compile(
    r"\W*[AFaf]\s+\w[\w/().' ]{1,30}?\s*(?:[-–—−→>]|\b(?:[SsHhCc]|tient|holds?|vers|to|soutient|supports?)\b)"
)
_RULE = re.compile(r"[-_=*~#]{4,}")

_CLIENT = re.compile(rf"\W*{any_of('client')}(?: ?<?https?:\S+)?\W*")
_ADVERT = re.compile(any_of("advert"))


def mark_signatures(lines: Sequence[TextLine]) -> None:
    """Say of each line that may be its writer’s whether it belongs to a signature, a program or a notice."""
    for run in _runs(lines):
        _sign(run)
        _name_clients(run)
        for paragraph in _paragraphs(run):
            _find_advert(paragraph)


def _runs(lines: Sequence[TextLine]) -> Iterator[list[TextLine]]:
    """What stands together, with nothing quoted in between."""
    run: list[TextLine] = []
    for line in lines:
        if line.piece is None:
            run.append(line)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _paragraphs(run: Sequence[TextLine]) -> Iterator[list[TextLine]]:
    paragraph: list[TextLine] = []
    for line in run:
        if not line.is_blank and line.piece is None:
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _sign(run: Sequence[TextLine]) -> None:
    """Everything from the delimiter on; a dash by itself is one if no orders follow it."""
    for at, line in enumerate(run):
        bare = line.text.strip()
        if not _SMART.fullmatch(bare) or bare == "-":
            continue
        said = [other for other in run[at + 1 :] if not other.is_blank]
        has_orders = any(_ORDER.match(other.text[:80]) for other in said)
        is_long = bare != "--" and len(said) > LONGEST_SMART
        if line.text == SIGNATURE or not (has_orders or is_long):
            _leave_out(run[at:], LeftOutKind.SIGNATURE)
            return


def _leave_out(lines: Sequence[TextLine], piece: LeftOutKind) -> None:
    for line in lines:
        line.piece = line.piece or piece


def _name_clients(run: Sequence[TextLine]) -> None:
    for at, line in enumerate(run):
        if line.piece is not None or line.is_blank:
            continue
        for count in (1, 2):
            together = run[at : at + count]
            if _CLIENT.fullmatch(fold(" ".join(one.text for one in together))):
                _leave_out(together, LeftOutKind.CLIENT)
                break


def _find_advert(paragraph: Sequence[TextLine]) -> None:
    """From the line on that is known by its words, to the end of its paragraph."""
    for at, line in enumerate(paragraph):
        if _begins_advert(line.text, paragraph[at + 1].text if at + 1 < len(paragraph) else ""):
            orders = next((n for n, one in enumerate(paragraph[at:]) if _ORDER.match(one.text[:80])), None)
            _leave_out(paragraph[at:] if orders is None else paragraph[at : at + orders], LeftOutKind.ADVERT)
            return


def _begins_advert(line: str, following: str) -> bool:
    """Whether the words stand on a line, or begin there and were wrapped."""
    told = fold(line)
    found = _ADVERT.search(told) or _ADVERT.search(f"{told} {fold(following)}")
    return found is not None and found.start() < len(told)


def drop_ruled_lines(lines: Sequence[TextLine]) -> None:
    """A rule that stands over what is left out goes with it."""
    below: LeftOutKind | None = None
    for line in reversed(lines):
        if line.piece is None and below is not None and _RULE.fullmatch(line.text.strip()):
            line.piece = below
        if not line.is_blank:
            below = line.piece
