"""Orders in preparation: lines as they were given, by power, and how the reader understands them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext, gettext_noop, override

from talleyrand import notation
from talleyrand.formats import question_input
from talleyrand.formats.phase_heading_parser import read_phase_heading

from . import adjudicator
from .adjudicator import Lines, Question

NO_POWER = ""  # whose line it is cannot be told
LARGEST_ORDER_TEXT = 100_000
LONGEST_LINE = 1000  # a programme for forty M of Diplomatie 2000
MOST_LINES = 400
BLANKS = str.maketrans(dict.fromkeys("\t\u00a0\u202f", " "))  # French keeps its signs on the line with some
LONGEST_CACHED = 10_000  # letters of a question with a draft, three times what players write


class DraftRefusal(Exception):
    """A sheet that cannot be kept.

    `too_long`, `too_many_lines`, `line_too_long`, `control`, `changed`, `other_power` or `computer`.
    """

    def __init__(self, code: str, line: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.line = line[:60]


@dataclass(frozen=True)
class DraftLine:
    """One line of the draft: the order it is read as, or why it is not."""

    power: str
    line: str
    unit: str
    order: str
    error: Mapping[str, str] | None
    notes: tuple[Mapping[str, str], ...]

    @property
    def province(self) -> str:
        return self.unit.partition(" ")[2].partition("/")[0]

    @property
    def is_followed(self) -> bool:
        """Whether the judge will follow it."""
        return bool(self.order) and self.error is None


def read_draft(question: Question, draft: Lines) -> list[DraftLine]:
    """Every line of the draft, in order; raises QuestionRefusal."""
    if not any(draft.values()):
        return []
    told = json.dumps((question, draft))
    read = _read_draft(told) if len(told) <= LONGEST_CACHED else _read_draft.__wrapped__(told)
    return [
        *read,
        *(DraftLine(NO_POWER, line, "", "", owner_unknown_texts(), ()) for line in draft.get(NO_POWER, ())),
    ]


@lru_cache(maxsize=1024)
def _read_draft(told: str) -> tuple[DraftLine, ...]:
    """The lines under a power’s name: a page shows, counts and hands in what it has just read."""
    question, draft = json.loads(told)
    entries = adjudicator.read_orders(question, draft)
    return tuple(_reading(entry) for entry in entries if entry.get("line") is not None)


def owner_unknown_texts() -> dict[str, str]:
    """What is said of a line under no power's name that names no power's unit."""
    words = gettext_noop("Whose order is this? Put the power’s name above it.")
    said = {}
    for language in ("fr", "en"):
        with override(language):
            said[language] = gettext(words)
    return said


def _reading(entry: Mapping[str, Any]) -> DraftLine:
    error = entry.get("error")
    notes = entry.get("notes") or ()
    return DraftLine(
        power=entry["power"],
        line=entry["line"],
        unit=entry.get("unit") or "",
        order=entry.get("order") or "",
        error=error["message"] if error else None,
        notes=tuple(note for note in notes if isinstance(note, Mapping)),
    )


def draft_with_orders(
    question: Question, draft: Lines, power: str, orders: Mapping[str, str]
) -> dict[str, list[str]]:
    """The draft in which the units of a power do `orders`, by province; nothing any more where one is ""."""
    kept = [
        reading.line
        for reading in read_draft(question, {power: list(draft.get(power, []))})
        if reading.province not in orders
    ]
    return _tidy({**draft, power: [*kept, *filter(None, orders.values())]})


def draft_with_waives(
    question: Question, draft: Lines, power: str, number: int, line: str
) -> dict[str, list[str]]:
    """The draft in which a power gives up `number` of its builds, each by such a line."""
    lines = read_draft(question, {power: list(draft.get(power, []))})
    kept = [reading.line for reading in lines if reading.order != "WAIVE"]
    return _tidy({**draft, power: kept + [line] * number})


def draft_from_text(question: Question, text: str, plays: str) -> dict[str, list[str]]:
    """The lines of a sheet by power; without a heading a line belongs to the power of its unit.

    The headings of phases are left out, as dates are. Raises DraftRefusal.
    """
    check_order_text(text)
    asked = question_input.read_question(dict(question))
    context = notation.ReadingContext(asked.variant, asked.position, None, asked.rulebook, asked.naming)
    found: dict[str, list[str]] = {}
    for power, lines in notation.split_sheet(text, asked.variant).items():
        for line in lines:
            if read_phase_heading(line, asked.variant) is not None:
                continue
            owner = power or plays or _owner(asked, context, line)
            if plays and owner != plays:
                raise DraftRefusal("other_power", line)
            found.setdefault(owner, []).append(line)
    return _tidy(found)


def check_order_text(text: str) -> None:
    """Raises DraftRefusal for what no sheet may hold."""
    if len(text) > LARGEST_ORDER_TEXT:
        raise DraftRefusal("too_long")
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise DraftRefusal("too_many_lines")
    for line in lines:
        if len(line) > LONGEST_LINE:
            raise DraftRefusal("line_too_long", line)
        if not line.translate(BLANKS).isprintable() or "\ufffd" in line:
            raise DraftRefusal("control")


def _owner(asked: question_input.Question, context: notation.ReadingContext, line: str) -> str:
    unit = notation.read_line(line, context, suggest=False).unit
    return _owner_of(asked, unit.location.partition("/")[0]) if unit else NO_POWER


def _owner_of(asked: question_input.Question, province: str) -> str:
    for fallen in asked.position.dislodged:
        if fallen.unit.province == province:
            return fallen.unit.power
    for unit in asked.position.units:
        if unit.province == province:
            return unit.power
    for power in asked.variant.board.powers:
        if province in asked.position.homes_of(asked.variant.board, power):
            return power
    return NO_POWER


def _tidy(draft: Lines) -> dict[str, list[str]]:
    return {power: list(lines) for power, lines in draft.items() if lines}


def order_as_typed(question: Question, order: str, power: str, language: str) -> str:
    """An order of a menu as a player would write it, as short as the reader takes without a remark."""
    asked = question_input.read_question(dict(question))
    context = notation.ReadingContext(asked.variant, asked.position, power, asked.rulebook, asked.naming)
    parsed = notation.parse_order(order, asked.variant)
    for style in ("short", "full"):
        line = notation.write_order(parsed, asked.variant, language, style)
        read = notation.read_line(line, context)
        if str(read.order) == order and not read.refusal and not read.notes:
            return line
    return order


def draft_as_text(variant: Any, draft: Lines, powers: Iterable[str], language: str) -> str:
    """The draft as one text, a heading a power where there are several."""
    names = variant.names(language).powers
    shown = [power for power in powers if draft.get(power)]
    blocks = ["\n".join(draft[NO_POWER])] if draft.get(NO_POWER) else []
    blocks += ["\n".join([names[power].name.upper(), *draft[power]]) for power in shown]
    return "\n\n".join(blocks) + ("\n" if blocks else "")
