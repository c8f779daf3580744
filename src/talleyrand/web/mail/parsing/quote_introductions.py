"""The words by which mail programs introduce what they quote or forward."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .parsed_email import LeftOutKind
from .phrase_lists import any_of, phrases_of
from .text_folding import fold
from .text_lines import TextLine

MOST_WRAPPED = 4
"""Lines over which an attribution may run."""
LONGEST_SENTENCE, LONGEST_BLOCK = 800, 14

_MARGIN = r"[-_=*# >|+~]*"
_TITLED = rf"{_MARGIN}(?:-{{2,}}|_{{2,}}|={{2,}}|\*{{2,}}) ?"
_END = rf" ?:? ?{_MARGIN}"
_ORIGINAL = re.compile(rf"{_TITLED}{any_of('original')}{_END}")
_FORWARDED = re.compile(rf"(?:{_TITLED}{any_of('forwarded_ruled')}|{_MARGIN}{any_of('forwarded')}){_END}")
_ORANGE = re.compile(r"[> =|-]*message du ?:? ?\d{1,2}[/.]\d{1,2}[/.]\d{2,4}")

_LABELS = {
    label: kind for kind in ("from", "sent", "dated", "to", "copy", "subject") for label in phrases_of(kind)
}
_LABEL = re.compile(r"([^:]{1,24}):(.*)")
_NOT_OF_LABELS = re.compile(r"[^a-z' -]+")  # marks, and letters that were damaged
_HOUR = re.compile(
    r"\b\d{1,2} ?(?:[:.]|h) ?\d{2}\b|\b(?:19|20)\d{2}-\d{2}-\d{2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"
)
_RULE = re.compile(r"[-_=*–—]{5,}")
_FORWARD_SUBJECT = re.compile(rf"{any_of('forward_subject')} ?:", re.IGNORECASE)

_WROTE = re.compile(rf"\b{any_of('wrote')}\b")
LONGEST_NAME = 240
"""What may stand behind the verb: in German it is whoever wrote."""
_START = re.compile(r"[^\w<]*(?:le|il|on|el|op|am|em|den|at|a)\b[^\d]{0,40}\d")
_DATED = re.compile(r"\d{1,2} ?[:h] ?\d\d|\b\d{4}\b|\b\d{1,2}[/.-]\d{1,2}\b|[\w.+-]@|\d{1,2}\.\d{1,2}\.")
_ADDRESSED = re.compile(r"[\w.+-]@[\w-]")


class Attribution(NamedTuple):
    """A sentence that ends on the line it was looked for at; `is_dated`: no writer says it so by himself."""

    first: int
    is_dated: bool


def introduced_piece(lines: Sequence[TextLine], at: int) -> LeftOutKind | None:
    """What begins at a line, up to the end of the mail: a quote, something forwarded, or None."""
    line = lines[at]
    text = fold(line.text)
    if _ORANGE.match(text):
        return LeftOutKind.QUOTE
    if line.piece is not None:
        begins = not at or lines[at - 1].piece is None
        return LeftOutKind.FORWARD if begins and _FORWARDED.fullmatch(text) else None
    if _FORWARDED.fullmatch(text):
        return LeftOutKind.FORWARD
    if _ORIGINAL.fullmatch(text) or _goes_on(text):
        return LeftOutKind.QUOTE
    if _RULE.fullmatch(text):
        return LeftOutKind.QUOTE if _headers(lines, at + 1, is_ruled=True) else None
    return LeftOutKind.QUOTE if _headers(lines, at, is_ruled=False) else None


def _goes_on(text: str) -> bool:
    """Whether a quote begins on the line of its attribution, as Yahoo writes it."""
    found = _WROTE.search(text)
    if found is None or not _START.match(text):
        return False
    behind = text[found.end() :].lstrip()
    return behind.startswith(":") and len(behind) > 1 and _HOUR.search(text[: found.start()]) is not None


def is_forward(subject: str) -> bool:
    """Whether a subject says that what is quoted is forwarded."""
    return _FORWARD_SUBJECT.match(subject.strip()) is not None


def _headers(lines: Sequence[TextLine], at: int, *, is_ruled: bool) -> bool:
    """Whether headers of a mail are written out from a line on; `is_ruled`, under a rule.

    A player may set such lines over a letter of his own; he does not say "sent", nor an hour or an address.
    """
    block = _block(lines[at : at + LONGEST_BLOCK])
    labels = [_label(line.text) for line in block]
    if not labels or labels[0] is None:
        return False
    found = [label for label in labels if label is not None]
    kinds = {kind for kind, _value in found}
    if "from" not in kinds or len(kinds) < 2:
        return False
    return is_ruled or "sent" in kinds or (len(kinds) > 2 and any(_is_certain(*label) for label in found))


def _block(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines that say something, as far as no two blank ones follow each other."""
    found: list[TextLine] = []
    was_blank = False
    for line in lines:
        if line.is_blank and was_blank:
            break
        was_blank = line.is_blank
        found += [] if was_blank else [line]
    return found


def _is_certain(kind: str, value: str) -> bool:
    return (_HOUR if kind == "dated" else _ADDRESSED).search(value) is not None


def _label(text: str) -> tuple[str, str] | None:
    if ":" not in text[:60]:
        return None
    found = _LABEL.fullmatch(fold(text))
    kind = _LABELS.get(_NOT_OF_LABELS.sub("", found[1]).strip(" -")) if found else None
    return (kind, found[2]) if kind and found else None


def find_attribution(lines: Sequence[TextLine], at: int) -> Attribution | None:
    """The sentence "On ..., X wrote:" that ends at a line, wherever it was wrapped."""
    last = fold(lines[at].text)
    if not last.rstrip(" *_-").endswith(":"):
        return None
    joined, first, addressed = "", at, None
    for start in range(at, max(-1, at - MOST_WRAPPED), -1):
        if lines[start].is_blank or lines[start].piece is not None:
            break
        joined = f"{fold(lines[start].text)} {joined}".strip()[-LONGEST_SENTENCE:]
        if not _is_attribution(joined):
            continue
        if _START.match(joined):
            return Attribution(start, is_dated=True)
        if addressed is None:
            first, addressed = start, _DATED.search(joined) is not None
    return Attribution(first, addressed) if addressed is not None else None


def _is_attribution(joined: str) -> bool:
    """Whether some lines that end with a colon say who wrote."""
    verbs = list(_WROTE.finditer(joined))
    if verbs:
        behind = joined[verbs[-1].end() :].rstrip(" *_-:")
        return len(behind) <= LONGEST_NAME and (":" not in behind or _HOUR.search(behind) is not None)
    return bool(_ADDRESSED.search(joined) and _DATED.search(joined[:80]))
