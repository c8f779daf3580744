"""Reads a sheet line by line: what holds no order, one order, or several.

A line is read as one order first. Only where it is none is it cut: at semicolons; at commas, strokes,
"and"; before a unit's letter; and only if every piece then makes sense by itself. Alternatives ("or")
are never chosen between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from talleyrand.engine.errors import OrderAmbiguous, OrderNotUnderstood
from talleyrand.engine.orders import Convoy, Hold, Support, Waive
from talleyrand.engine.outcome import AdjudicationNote

from .lexer import (
    DASH,
    MAX_LINE,
    STRIKE_MARK,
    LineToken,
    clean_line,
    folded_words,
    quote_text,
    squeeze_blanks,
    tokenize,
)
from .lookup import read_variant_line, variant_line_problem
from .name_index import NameIndex
from .order_candidates import seas_in_capitals
from .order_reader import OrderReader, is_understood, read_plain_line
from .parsed_order import EVERYDAY_NOUNS, EVERYDAY_WORDS
from .reading_context import OrderLine, PhaseFamily, ReadingContext
from .reading_notes import make_note
from .reasons import NoteKind, RefusalReason
from .remarks import (
    comment_start,
    find_signatures,
    is_greeting,
    looks_like_name,
    looks_like_order,
    non_order_notes,
    starts_with_dash,
    strip_remarks,
    text_after_greeting,
)
from .sheet_splitter import split_at_semicolons, split_orders
from .vocabulary import (
    AND_WORDS,
    ELSE_WORDS,
    NEGATIVE_WORDS,
    OR_WORDS,
    TITLE_WORDS,
    OrderVerb,
    build_or_remove,
)

MAX_SHEET_LINES = 500
MAX_SUGGESTIONS = 40
MAX_LINE_TO_CUT = 40 * MAX_LINE
MAX_PIECES = 60
PIECE_STEPS = 20  # of effort, to read a piece, and one for each of its letters
MAX_ORDER_TOKENS = 40
"""Words and signs; a longer piece is not tried as one order when a line is cut."""

_UNREAD = (RefusalReason.TOO_MANY_LINES, RefusalReason.LINE_TOO_LONG)
_STRUCK_OUT = re.compile(r"~~.*?~~")
_SEPARATED = re.compile(r"[,/&|]")
_CHOICE = re.compile(rf"\s(?:{'|'.join(sorted(OR_WORDS))})\s|\s/\s", re.IGNORECASE)


def read_lines(lines: Iterable[str], context: ReadingContext) -> tuple[OrderLine, ...]:
    """Every line of a sheet, in order, numbered from 1; a line with several orders comes as several.

    A line that holds no order (a blank, a title, a comment) comes with neither order nor refusal.
    Lines beyond the five hundredth are refused unread, and so are those for which no effort is left; after
    forty refusals no more nearest orders are looked for. Only here do capitals tell a sea from a land: one
    line alone shows no habit.
    """
    lines = list(lines)
    sheet = _SheetReader(context, lines)
    found = [
        line for number, text in enumerate(lines[:MAX_SHEET_LINES], 1) for line in sheet.read(text, number)
    ]
    found = _mark_signatures(found, sheet) if sheet.has_other_lines else found
    unread = enumerate(lines[MAX_SHEET_LINES:], MAX_SHEET_LINES + 1)
    return (*found, *(_unread(text, number) for number, text in unread))


def _unread(text: str, number: int) -> OrderLine:
    return OrderLine(text, number, refusal=OrderNotUnderstood(RefusalReason.TOO_MANY_LINES, quote_text(text)))


def _mark_signatures(found: list[OrderLine], sheet: _SheetReader) -> list[OrderLine]:
    """The lines with those told as remarks that sign a letter, where no order came of them.

    Behind a goodbye, so is whatever names no unit and is like no order.
    """
    context = sheet.context
    moves = context.family is not PhaseFamily.ADJUSTMENTS
    last = max((line.number - 1 for line in found if _is_order(line, sheet)), default=-1)
    signed = find_signatures([text[:MAX_LINE] for text in sheet.lines], context.index, last, sure=moves)
    orders = {line.number for line in found if _is_order(line, sheet)}
    told: list[OrderLine] = []
    for line in found:
        at = line.number - 1
        unread = line.refusal is not None and line.refusal.code in _UNREAD
        name = at in signed.names and line.number not in orders
        if not unread and name:
            told += [] if told and told[-1].number == line.number else [_remark(sheet.lines[at], line.number)]
        elif not unread and at > signed.goodbye and _says_nothing(line, context):
            told.append(_remark(line.text, line.number))
        else:
            told.append(line)
    return told


def _says_nothing(line: OrderLine, context: ReadingContext) -> bool:
    """Whether a refused line names no unit and is like no order."""
    unknown = line.refusal is not None and line.unit is None
    return (
        unknown
        and context.effort.try_spend(PIECE_STEPS + len(line.text))
        and not looks_like_order(line.text, context.index)
    )


def _is_order(line: OrderLine, sheet: _SheetReader) -> bool:
    """Whether a line is read as an order, and not as one that a name would make too."""
    whole, context = sheet.lines[line.number - 1], sheet.context
    if not is_understood(line) or (line.order is None and line.refusal is None):
        return False
    if not looks_like_name(whole, context.index):
        return True
    if context.family is not PhaseFamily.ADJUSTMENTS:
        stays = isinstance(line.order, Hold) and line.order.bare
        return not stays and (line.order is not None or DASH in clean_line(whole))
    sure = line.refusal is None or isinstance(line.refusal, OrderAmbiguous)
    return sure and (
        starts_with_dash(whole) or (EVERYDAY_WORDS | EVERYDAY_NOUNS).isdisjoint(folded_words(whole))
    )


def _remark(text: str, number: int) -> OrderLine:
    return OrderLine(text, number, notes=(make_note(NoteKind.REMARK, written=quote_text(text)),))


class _SheetEffortExhausted(Exception):
    """A line that would take more effort than is left."""


class _SheetReader:
    """Reads the lines of one sheet."""

    def __init__(self, context: ReadingContext, lines: list[str]) -> None:
        self.context = context
        self.lines = lines[:MAX_SHEET_LINES]
        letters = sum(min(len(line), MAX_LINE) for line in self.lines)
        self._may_compare_capitals = context.effort.try_spend(letters // 8)
        self.refused, self.has_other_lines = 0, False
        self.lead: OrderVerb | None = None

    def read(self, text: str, number: int) -> list[OrderLine]:
        """What a line holds; it and all that follow are refused unread where there is no effort left."""
        try:
            self.spend(min(len(text), MAX_LINE_TO_CUT) // 8)
            own = read_variant_line(text, number, self.context)
            plain = None if own or len(text) >= MAX_LINE else read_plain_line(self.context, text, number)
            if plain:  # the short way, with the effort of the usual one
                self.spend(PIECE_STEPS + len(text))
                return [plain]
            self.has_other_lines = True
            found = [own] if own else self._usual(text, number)
            self.spend(PIECE_STEPS * bool(own))
        except _SheetEffortExhausted:
            self.context.effort.remaining = 0
            return [_unread(text, number)]
        self.refused += any(line.refusal is not None for line in found)
        return found

    @cached_property
    def capitals(self) -> bool:
        """Whether capitals tell a sea from a land."""
        return self._may_compare_capitals and seas_in_capitals(self.lines, self.context.index)

    def _usual(self, text: str, number: int) -> list[OrderLine]:
        """A line as orders to units; of one that is none, what it lacks in the variant's words."""
        found = list(_LineReader(self, text, number).lines())
        if any(line.order or not isinstance(line.refusal, OrderNotUnderstood | None) for line in found):
            return found
        slip = variant_line_problem(text, number, self.context)
        return [slip] if slip else found

    def read_order(self, text: str, number: int, lead: OrderVerb | None = None) -> OrderLine:
        """A piece of a line read as one order; `lead`, what the piece before it says is done with units."""
        return self._tried(text, number, lead, suggest=self.refused < MAX_SUGGESTIONS)

    def try_order(self, text: str) -> OrderLine:
        """The same, without looking for what else it could be."""
        return self._tried(text, 0, None, suggest=False)

    def _tried(self, text: str, number: int, lead: OrderVerb | None, *, suggest: bool) -> OrderLine:
        self.spend(PIECE_STEPS + min(len(text), MAX_LINE))
        return OrderReader(
            self.context, text, number, suggest=suggest, capitals=self.capitals, lead=lead or self.lead
        ).line()

    def note_title(self, title: str) -> None:
        """Keeps whether a title says that what follows is built or removed, until another says otherwise."""
        found = folded_words(title)
        if not TITLE_WORDS.isdisjoint(found):
            self.lead = build_or_remove(found)

    def spend(self, steps: int) -> None:
        effort = self.context.effort
        if steps > effort.remaining:
            effort.cut_short = True
            raise _SheetEffortExhausted
        effort.remaining -= steps


class _LineReader:
    """Reads one line."""

    def __init__(self, sheet: _SheetReader, text: str, number: int) -> None:
        self.sheet = sheet
        self.context = sheet.context
        self.text = text
        self.number = number
        self.lead: OrderVerb | None = None

    def _read_order(self, text: str) -> OrderLine:
        """A piece read as one order; a unit alone is built or removed as the order before it says."""
        own = _own_sign(text)
        line = self.sheet.read_order(text, self.number, None if own else self.lead)
        if is_understood(line):
            self.lead = own or self.lead
        return line

    def lines(self) -> Iterator[OrderLine]:
        squeezed_text = squeeze_blanks(self.text)
        notes = non_order_notes(squeezed_text[:MAX_LINE], self.context.variant, self.context.index)
        if notes is not None and len(squeezed_text) <= MAX_LINE:
            self._entitled(notes)
            yield OrderLine(self.text, self.number, notes=notes)
            return
        if STRIKE_MARK in squeezed_text:
            yield from self._unstruck(squeezed_text)
            return
        pieces = self._pieces(squeezed_text)
        if len(pieces) < 2 or len(pieces) > MAX_PIECES:
            yield from self._piece(self.text)
            return
        found = [line for piece in pieces for line in self._part(piece)]
        yield from (
            found if any(line.order for line in found) else [self.sheet.read_order(self.text, self.number)]
        )

    def _pieces(self, text: str) -> list[str]:
        """The parts of a line, a long one cut at its commas too; none of what is too long for any sheet."""
        if len(text) > MAX_LINE_TO_CUT:
            return []
        found = split_at_semicolons(text)
        long = any(len(part) > MAX_LINE for part in found)
        return list(filter(None, split_orders(text, self.context.variant))) if long else found

    def _unstruck(self, text: str) -> list[OrderLine]:
        """What is left of a line of which something is struck out."""
        left = _STRUCK_OUT.sub(" ", text).strip()
        found = self._part(left) if left and STRIKE_MARK not in left else []
        if not any(line.order for line in found):
            return [replace(self.sheet.read_order(text[:MAX_LINE], self.number), text=self.text)]
        struck = tuple(
            make_note(NoteKind.REMARK_IGNORED, written=quote_text(match[0]))
            for match in _STRUCK_OUT.finditer(text)
        )
        return [*found[:-1], replace(found[-1], notes=(*found[-1].notes, *struck))]

    def _part(self, piece: str) -> list[OrderLine]:
        """What stands between two semicolons, a title included."""
        notes = non_order_notes(piece, self.context.variant, self.context.index)
        if notes is None:
            return self._piece(piece)
        self._entitled(notes)
        return [OrderLine(piece, self.number, notes=notes)]

    def _entitled(self, notes: Iterable[AdjudicationNote]) -> None:
        for told in notes:
            if told.kind is NoteKind.HEADING:
                self.sheet.note_title(dict(told.facts)["written"])
                self.lead = None

    def _piece(self, text: str) -> list[OrderLine]:
        """What such a part holds: an order, several, or one and what depends on something."""
        unconditional, rest = _before_else(text, self.sheet.context.index)
        if rest:
            return [*self._piece(unconditional), self.sheet.read_order(rest, self.number)]
        whole = self._read_order(text)
        if is_understood(whole) or whole.refusal is None or len(squeeze_blanks(text)) > MAX_LINE:
            return [whole]
        return (
            self._choice(text)
            or self._after_title(text)
            or self._several(text)
            or self._bare_of_remarks(text)
            or self._greeted(text)
            or [whole]
        )

    def _greeted(self, text: str) -> list[OrderLine]:
        """The orders behind a greeting (`Hello Dan, A Par - Bur`); or a greeting that no order goes with."""
        rest = text_after_greeting(text)
        if not rest and not is_greeting(text):
            return []
        self.sheet.spend(PIECE_STEPS + len(text))
        if not looks_like_order(text, self.context.index):
            return [_remark(text, self.number)] if is_greeting(text) else []
        found = self._part(rest) if rest else []
        return found if any(line.order is not None for line in found) else []

    # titles

    def _after_title(self, text: str) -> list[OrderLine]:
        """A title that ends with a colon, and the orders behind it; whose they are a title may not say."""
        title, _, rest = (part.strip() for part in text.partition(":"))
        index = self.context.index
        powers = {word for name in index.powers for word in name.split() if len(word) > 1}
        if not rest or not powers.isdisjoint(folded_words(title)):
            return []
        notes = non_order_notes(f"{title} :", self.context.variant, index)
        if not notes or any(told.kind is not NoteKind.HEADING for told in notes):
            return []
        before = self.sheet.lead
        self._entitled(notes)
        alone = self._read_order(rest)
        found = [alone] if is_understood(alone) else self._several(rest)
        if any(line.order for line in found):
            return [OrderLine(title, self.number, notes=notes), *found]
        self.sheet.lead = before
        return []

    # remarks

    def _bare_of_remarks(self, text: str) -> list[OrderLine]:
        """The orders of a line with remarks, each remark noted."""
        aside = strip_remarks(text, self.context.index)
        if not aside.remarks and not aside.power:
            return []
        found = self._several(aside.text) or [self._with_power(aside.text, aside.power)]
        if not all(map(is_understood, found)):
            return []
        notes = tuple(
            make_note(NoteKind.REMARK_IGNORED, written=quote_text(remark)) for remark in aside.remarks
        )
        last = replace(found[-1], notes=(*found[-1].notes, *notes))
        return [*found[:-1], replace(last, text=text) if len(found) == 1 else last]

    def _with_power(self, text: str, power: str) -> OrderLine:
        """An order of help whose last bracket names the power that is helped; else the order alone."""
        line = self.sheet.read_order(text, self.number)
        if not power or not isinstance(line.order, Support | Convoy):
            return line
        helped = self.context.orderable_units.get(line.order.target.province)
        if helped is None or helped.power == power:
            return line
        ignored = make_note(NoteKind.NATIONALITY_IGNORED, written=power, power=helped.power)
        return replace(line, notes=(*line.notes, ignored))

    # one or the other

    def _choice(self, text: str) -> list[OrderLine]:
        """A line that leaves a choice: refused, with the orders it could be."""
        cleaned = clean_line(text)
        for match in _CHOICE.finditer(cleaned):
            first = self.sheet.try_order(cleaned[: match.start()])
            if first.order is None or not is_understood(first):
                continue
            other = self._alternative(first, cleaned[match.end() :])
            if other is not None and (folded_words(match[0]) or other.unit == first.unit):
                candidates = tuple(dict.fromkeys((str(first.order), str(other.order))))
                refusal = OrderAmbiguous(RefusalReason.ALTERNATIVES, quote_text(text), candidates=candidates)
                return [OrderLine(text, self.number, unit=first.unit, refusal=refusal)]
        return []

    def _alternative(self, first: OrderLine, rest: str) -> OrderLine | None:
        """What follows "or": an order, or another end of the first one."""
        begun = str(first.order).rpartition(" - ")[0] or str(first.unit)
        tried = [self.sheet.try_order(text) for text in (rest, f"{begun} - {rest}", f"{first.unit} {rest}")]
        found = [line for line in tried if line.order is not None and is_understood(line)]
        return next((line for line in found if line.unit == first.unit), next(iter(found), None))

    # several orders

    def _several(self, text: str) -> list[OrderLine]:
        """The orders of a line; none where it says first that nothing is built, and then what."""
        pieces = _LineCutter(self.sheet, clean_line(squeeze_blanks(text))).pieces()
        found = [self._read_order(piece) for piece in pieces]
        no = any(
            isinstance(line.order, Waive) and not NEGATIVE_WORDS.isdisjoint(folded_words(line.text))
            for line in found[:-1]
        )
        return [] if no else found


class _LineCutter:
    """Finds the one way to cut a line into orders that all make sense, the shortest pieces first."""

    def __init__(self, sheet: _SheetReader, text: str) -> None:
        self.sheet = sheet
        self.text = text
        self.tokens = tokenize(text)
        self.failed: set[int] = set()
        self.tried = 0

    def pieces(self) -> list[str]:
        """The orders of the line; none where it is not made of two or more."""
        if len(self.starts) < 1 or len(self.starts) > MAX_PIECES:
            return []
        found = self._orders_from(0)
        return found if found and len(found) > 1 else []

    @cached_property
    def starts(self) -> list[int]:
        """The tokens at which a new order may begin."""
        end = comment_start(self.text)
        spoken = [i for i in range(1, len(self.tokens)) if self.tokens[i].start < end]
        return [i for i in spoken if self._separated(i) or self._glued(i)]

    def _separated(self, i: int) -> bool:
        between = self.text[self.tokens[i - 1].end : self.tokens[i].start]
        return bool(_SEPARATED.search(between)) or self.tokens[i - 1].key in (*AND_WORDS, ";")

    def _glued(self, i: int) -> bool:
        return self.tokens[i].key in self.sheet.context.index.kinds

    def _orders_from(self, start: int) -> list[str] | None:
        """The orders from a token on, or None."""
        if start in self.failed or self.tried > 4 * MAX_PIECES:
            return None
        ends = [i for i in self.starts if start < i <= start + MAX_ORDER_TOKENS]
        for end in (*ends, len(self.tokens)):
            piece = self._piece(start, end)
            if not piece or not self._makes_sense(piece):
                continue
            rest = self._orders_from(end) if end < len(self.tokens) else []
            if rest is not None:
                return [piece, *rest]
        self.failed.add(start)
        return None

    def _piece(self, start: int, end: int) -> str:
        tokens = self.tokens[start:end]
        while tokens and _is_joint(tokens[-1]):
            tokens = tokens[:-1]
        return self.text[tokens[0].start : self._closed(tokens[-1].end)] if tokens else ""

    def _closed(self, end: int) -> int:
        """With the bracket that closes behind the last word."""
        return end + 1 if self.text[end : end + 1] in (")", "]") else end

    def _makes_sense(self, piece: str) -> bool:
        """Whether a piece is an order that says what it is: a unit alone is not, where units move."""
        self.tried += 1
        line = self.sheet.try_order(piece)
        if not is_understood(line):
            return False
        moves = self.sheet.context.family is PhaseFamily.MOVES
        return not (moves and isinstance(line.order, Hold) and line.order.bare)


def _own_sign(piece: str) -> OrderVerb | None:
    """Whether a piece of a line says itself that a unit is built or removed."""
    tokens = tokenize(piece)
    return (
        OrderVerb.DISBAND
        if tokens and tokens[0].key == DASH
        else build_or_remove(token.key for token in tokens)
    )


def _is_joint(token: LineToken) -> bool:
    return token.key in AND_WORDS or token.key == ";" or token.key.isdigit()


def _before_else(text: str, index: NameIndex) -> tuple[str, str]:
    """A line cut before "else", if an order may stand there and no "if" does."""
    cleaned = clean_line(squeeze_blanks(text))
    if len(cleaned) > MAX_LINE:
        return text, ""
    tokens = tokenize(cleaned)
    at = index.find_condition(tokens) or 0
    before = tokens[:at]
    while before and _is_joint(before[-1]):
        before.pop()
    if not before or tokens[at].key not in ELSE_WORDS:
        return text, ""
    return cleaned[: before[-1].end], cleaned[tokens[at].start :]
