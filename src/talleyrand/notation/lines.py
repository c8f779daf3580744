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

from talleyrand.engine.errors import Ambiguous, NotUnderstood
from talleyrand.engine.orders import Convoy, Hold, Support, Waive
from talleyrand.engine.outcome import Note

from .capitals import seas_in_capitals
from .context import Context, Family, Line
from .courtesy import after_greeting, greets, is_marked, is_name, seems_an_order, signatures
from .layout import comment_at, idle, set_aside
from .lexer import DASH, MAX_LINE, STRUCK, Token, clean, cut, quote, squeezed, words
from .lookup import own_line, own_slip
from .notes import note
from .places import Index
from .reader import Reader, is_settled
from .reasons import NoteKind, Reason
from .sheets import orders_on, parts
from .speech import NOUNS, SPEECH
from .vocabulary import AND, HEADINGS, INSTEAD, NEGATIVES, OR, Sign, adjusting

MAX_LINES = 500
MAX_SUGGESTIONS = 40
LONGEST_TEXT = 40 * MAX_LINE
MOST_PIECES = 60
STEPS = 20  # of effort, to read a piece, and one for each of its letters
LONGEST_ORDER = 40
"""Words and signs; a longer piece is not tried as one order when a line is cut."""

_UNREAD = (Reason.TOO_MANY_LINES, Reason.LINE_TOO_LONG)
_STRUCK_OUT = re.compile(r"~~.*?~~")
_SEPARATED = re.compile(r"[,/&|]")
_CHOICE = re.compile(rf"\s(?:{'|'.join(sorted(OR))})\s|\s/\s", re.IGNORECASE)


def read_lines(lines: Iterable[str], context: Context) -> tuple[Line, ...]:
    """Every line of a sheet, in order, numbered from 1; a line with several orders comes as several.

    A line that holds no order (a blank, a title, a comment) comes with neither order nor refusal.
    Lines beyond the five hundredth are refused unread, and so are those for which no effort is left; after
    forty refusals no more nearest orders are looked for. Only here do capitals tell a sea from a land: one
    line alone shows no habit.
    """
    lines = list(lines)
    sheet = _Sheet(context, lines)
    found = [line for number, text in enumerate(lines[:MAX_LINES], 1) for line in sheet.read(text, number)]
    found = _signed(found, sheet)
    unread = enumerate(lines[MAX_LINES:], MAX_LINES + 1)
    return (*found, *(_unread(text, number) for number, text in unread))


def _unread(text: str, number: int) -> Line:
    return Line(text, number, refusal=NotUnderstood(Reason.TOO_MANY_LINES, quote(text)))


def _signed(found: list[Line], sheet: _Sheet) -> list[Line]:
    """The lines with those told as remarks that sign a letter, where no order came of them.

    Behind a goodbye, so is whatever names no unit and is like no order.
    """
    context = sheet.context
    moves = context.family is not Family.ADJUSTMENTS
    last = max((line.number - 1 for line in found if _is_order(line, sheet)), default=-1)
    signed = signatures([text[:MAX_LINE] for text in sheet.lines], context.index, last, sure=moves)
    orders = {line.number for line in found if _is_order(line, sheet)}
    told: list[Line] = []
    for line in found:
        at = line.number - 1
        unread = line.refusal is not None and line.refusal.reason in _UNREAD
        name = at in signed.names and line.number not in orders
        if not unread and name:
            told += [] if told and told[-1].number == line.number else [_remark(sheet.lines[at], line.number)]
        elif not unread and at > signed.goodbye and _says_nothing(line, context):
            told.append(_remark(line.text, line.number))
        else:
            told.append(line)
    return told


def _says_nothing(line: Line, context: Context) -> bool:
    """Whether a refused line names no unit and is like no order."""
    unknown = line.refusal is not None and line.unit is None
    return (
        unknown
        and context.effort.allows(STEPS + len(line.text))
        and not seems_an_order(line.text, context.index)
    )


def _is_order(line: Line, sheet: _Sheet) -> bool:
    """Whether a line is read as an order, and not as one that a name would make too."""
    whole, context = sheet.lines[line.number - 1], sheet.context
    if not is_settled(line) or (line.order is None and line.refusal is None):
        return False
    if not is_name(whole, context.index):
        return True
    if context.family is not Family.ADJUSTMENTS:
        stays = isinstance(line.order, Hold) and line.order.bare
        return not stays and (line.order is not None or DASH in clean(whole))
    sure = line.refusal is None or isinstance(line.refusal, Ambiguous)
    return sure and (is_marked(whole) or (SPEECH | NOUNS).isdisjoint(words(whole)))


def _remark(text: str, number: int) -> Line:
    return Line(text, number, notes=(note(NoteKind.REMARK, written=quote(text)),))


class _TooMuch(Exception):
    """A line that would take more effort than is left."""


class _Sheet:
    """Reads the lines of one sheet."""

    def __init__(self, context: Context, lines: list[str]) -> None:
        self.context = context
        self.lines = lines[:MAX_LINES]
        letters = sum(min(len(line), MAX_LINE) for line in self.lines)
        self.capitals = context.effort.allows(letters // 8) and seas_in_capitals(self.lines, context.index)
        self.refused = 0
        self.lead: Sign | None = None

    def read(self, text: str, number: int) -> list[Line]:
        """What a line holds; it and all that follow are refused unread where there is no effort left."""
        try:
            self.spend(min(len(text), LONGEST_TEXT) // 8)
            own = own_line(text, number, self.context)
            found = [own] if own else self._usual(text, number)
            self.spend(STEPS * bool(own))
        except _TooMuch:
            self.context.effort.left = 0
            return [_unread(text, number)]
        self.refused += any(line.refusal is not None for line in found)
        return found

    def _usual(self, text: str, number: int) -> list[Line]:
        """A line as orders to units; of one that is none, what it lacks in the variant's words."""
        found = list(_Line(self, text, number).lines())
        if any(line.order or not isinstance(line.refusal, NotUnderstood | None) for line in found):
            return found
        slip = own_slip(text, number, self.context)
        return [slip] if slip else found

    def one(self, text: str, number: int, lead: Sign | None = None) -> Line:
        """A piece of a line read as one order; `lead`, what the piece before it says is done with units."""
        return self._tried(text, number, lead, suggest=self.refused < MAX_SUGGESTIONS)

    def try_one(self, text: str) -> Line:
        """The same, without looking for what else it could be."""
        return self._tried(text, 0, None, suggest=False)

    def _tried(self, text: str, number: int, lead: Sign | None, *, suggest: bool) -> Line:
        self.spend(STEPS + min(len(text), MAX_LINE))
        lead = lead or self.lead
        return Reader(self.context, text, number, suggest=suggest, capitals=self.capitals, lead=lead).line()

    def entitle(self, title: str) -> None:
        """Keeps whether a title says that what follows is built or removed, until another says otherwise."""
        found = words(title)
        if not HEADINGS.isdisjoint(found):
            self.lead = adjusting(found)

    def spend(self, steps: int) -> None:
        if not self.context.effort.allows(steps):
            raise _TooMuch


class _Line:
    """Reads one line."""

    def __init__(self, sheet: _Sheet, text: str, number: int) -> None:
        self.sheet = sheet
        self.context = sheet.context
        self.text = text
        self.number = number
        self.lead: Sign | None = None

    def _one(self, text: str) -> Line:
        """A piece read as one order; a unit alone is built or removed as the order before it says."""
        own = _own_sign(text)
        line = self.sheet.one(text, self.number, None if own else self.lead)
        if is_settled(line):
            self.lead = own or self.lead
        return line

    def lines(self) -> Iterator[Line]:
        squeezed_text = squeezed(self.text)
        notes = idle(squeezed_text[:MAX_LINE], self.context.variant, self.context.index)
        if notes is not None and len(squeezed_text) <= MAX_LINE:
            self._entitled(notes)
            yield Line(self.text, self.number, notes=notes)
            return
        if STRUCK in squeezed_text:
            yield from self._unstruck(squeezed_text)
            return
        pieces = self._pieces(squeezed_text)
        if len(pieces) < 2 or len(pieces) > MOST_PIECES:
            yield from self._piece(self.text)
            return
        found = [line for piece in pieces for line in self._part(piece)]
        yield from found if any(line.order for line in found) else [self.sheet.one(self.text, self.number)]

    def _pieces(self, text: str) -> list[str]:
        """The parts of a line, a long one cut at its commas too; none of what is too long for any sheet."""
        if len(text) > LONGEST_TEXT:
            return []
        found = parts(text)
        long = any(len(part) > MAX_LINE for part in found)
        return list(filter(None, orders_on(text, self.context.variant))) if long else found

    def _unstruck(self, text: str) -> list[Line]:
        """What is left of a line of which something is struck out."""
        left = _STRUCK_OUT.sub(" ", text).strip()
        found = self._part(left) if left and STRUCK not in left else []
        if not any(line.order for line in found):
            return [replace(self.sheet.one(text[:MAX_LINE], self.number), text=self.text)]
        struck = tuple(
            note(NoteKind.REMARK_IGNORED, written=quote(match[0])) for match in _STRUCK_OUT.finditer(text)
        )
        return [*found[:-1], replace(found[-1], notes=(*found[-1].notes, *struck))]

    def _part(self, piece: str) -> list[Line]:
        """What stands between two semicolons, a title included."""
        notes = idle(piece, self.context.variant, self.context.index)
        if notes is None:
            return self._piece(piece)
        self._entitled(notes)
        return [Line(piece, self.number, notes=notes)]

    def _entitled(self, notes: Iterable[Note]) -> None:
        for told in notes:
            if told.kind is NoteKind.HEADING:
                self.sheet.entitle(dict(told.facts)["written"])
                self.lead = None

    def _piece(self, text: str) -> list[Line]:
        """What such a part holds: an order, several, or one and what depends on something."""
        unconditional, rest = _before_else(text, self.sheet.context.index)
        if rest:
            return [*self._piece(unconditional), self.sheet.one(rest, self.number)]
        whole = self._one(text)
        if is_settled(whole) or whole.refusal is None or len(squeezed(text)) > MAX_LINE:
            return [whole]
        return (
            self._choice(text)
            or self._after_title(text)
            or self._several(text)
            or self._bare_of_remarks(text)
            or self._greeted(text)
            or [whole]
        )

    def _greeted(self, text: str) -> list[Line]:
        """The orders behind a greeting (`Hello Dan, A Par - Bur`); or a greeting that no order goes with."""
        rest = after_greeting(text)
        if not rest and not greets(text):
            return []
        self.sheet.spend(STEPS + len(text))
        if not seems_an_order(text, self.context.index):
            return [_remark(text, self.number)] if greets(text) else []
        found = self._part(rest) if rest else []
        return found if any(line.order is not None for line in found) else []

    # titles

    def _after_title(self, text: str) -> list[Line]:
        """A title that ends with a colon, and the orders behind it; whose they are a title may not say."""
        title, _, rest = (part.strip() for part in text.partition(":"))
        index = self.context.index
        powers = {word for name in index.powers for word in name.split() if len(word) > 1}
        if not rest or not powers.isdisjoint(words(title)):
            return []
        notes = idle(f"{title} :", self.context.variant, index)
        if not notes or any(told.kind is not NoteKind.HEADING for told in notes):
            return []
        before = self.sheet.lead
        self._entitled(notes)
        alone = self._one(rest)
        found = [alone] if is_settled(alone) else self._several(rest)
        if any(line.order for line in found):
            return [Line(title, self.number, notes=notes), *found]
        self.sheet.lead = before
        return []

    # remarks

    def _bare_of_remarks(self, text: str) -> list[Line]:
        """The orders of a line with remarks, each remark noted."""
        aside = set_aside(text, self.context.index)
        if not aside.remarks and not aside.power:
            return []
        found = self._several(aside.text) or [self._with_power(aside.text, aside.power)]
        if not all(map(is_settled, found)):
            return []
        notes = tuple(note(NoteKind.REMARK_IGNORED, written=quote(remark)) for remark in aside.remarks)
        last = replace(found[-1], notes=(*found[-1].notes, *notes))
        return [*found[:-1], replace(last, text=text) if len(found) == 1 else last]

    def _with_power(self, text: str, power: str) -> Line:
        """An order of help whose last bracket names the power that is helped; else the order alone."""
        line = self.sheet.one(text, self.number)
        if not power or not isinstance(line.order, Support | Convoy):
            return line
        helped = self.context.at.get(line.order.target.province)
        if helped is None or helped.power == power:
            return line
        ignored = note(NoteKind.NATIONALITY_IGNORED, written=power, power=helped.power)
        return replace(line, notes=(*line.notes, ignored))

    # one or the other

    def _choice(self, text: str) -> list[Line]:
        """A line that leaves a choice: refused, with the orders it could be."""
        cleaned = clean(text)
        for match in _CHOICE.finditer(cleaned):
            first = self.sheet.try_one(cleaned[: match.start()])
            if first.order is None or not is_settled(first):
                continue
            other = self._alternative(first, cleaned[match.end() :])
            if other is not None and (words(match[0]) or other.unit == first.unit):
                candidates = tuple(dict.fromkeys((str(first.order), str(other.order))))
                refusal = Ambiguous(Reason.ALTERNATIVES, quote(text), candidates=candidates)
                return [Line(text, self.number, unit=first.unit, refusal=refusal)]
        return []

    def _alternative(self, first: Line, rest: str) -> Line | None:
        """What follows "or": an order, or another end of the first one."""
        begun = str(first.order).rpartition(" - ")[0] or str(first.unit)
        tried = [self.sheet.try_one(text) for text in (rest, f"{begun} - {rest}", f"{first.unit} {rest}")]
        found = [line for line in tried if line.order is not None and is_settled(line)]
        return next((line for line in found if line.unit == first.unit), next(iter(found), None))

    # several orders

    def _several(self, text: str) -> list[Line]:
        """The orders of a line; none where it says first that nothing is built, and then what."""
        pieces = _Cutter(self.sheet, clean(squeezed(text))).pieces()
        found = [self._one(piece) for piece in pieces]
        no = any(
            isinstance(line.order, Waive) and not NEGATIVES.isdisjoint(words(line.text))
            for line in found[:-1]
        )
        return [] if no else found


class _Cutter:
    """Finds the one way to cut a line into orders that all make sense, the shortest pieces first."""

    def __init__(self, sheet: _Sheet, text: str) -> None:
        self.sheet = sheet
        self.text = text
        self.tokens = cut(text)
        self.failed: set[int] = set()
        self.tried = 0

    def pieces(self) -> list[str]:
        """The orders of the line; none where it is not made of two or more."""
        if len(self.starts) < 1 or len(self.starts) > MOST_PIECES:
            return []
        found = self._from(0)
        return found if found and len(found) > 1 else []

    @cached_property
    def starts(self) -> list[int]:
        """The tokens at which a new order may begin."""
        end = comment_at(self.text)
        spoken = [i for i in range(1, len(self.tokens)) if self.tokens[i].start < end]
        return [i for i in spoken if self._separated(i) or self._glued(i)]

    def _separated(self, i: int) -> bool:
        between = self.text[self.tokens[i - 1].end : self.tokens[i].start]
        return bool(_SEPARATED.search(between)) or self.tokens[i - 1].key in (*AND, ";")

    def _glued(self, i: int) -> bool:
        return self.tokens[i].key in self.sheet.context.index.kinds

    def _from(self, start: int) -> list[str] | None:
        """The orders from a token on, or None."""
        if start in self.failed or self.tried > 4 * MOST_PIECES:
            return None
        ends = [i for i in self.starts if start < i <= start + LONGEST_ORDER]
        for end in (*ends, len(self.tokens)):
            piece = self._piece(start, end)
            if not piece or not self._makes_sense(piece):
                continue
            rest = self._from(end) if end < len(self.tokens) else []
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
        line = self.sheet.try_one(piece)
        if not is_settled(line):
            return False
        moves = self.sheet.context.family is Family.MOVES
        return not (moves and isinstance(line.order, Hold) and line.order.bare)


def _own_sign(piece: str) -> Sign | None:
    """Whether a piece of a line says itself that a unit is built or removed."""
    tokens = cut(piece)
    return Sign.DISBAND if tokens and tokens[0].key == DASH else adjusting(token.key for token in tokens)


def _is_joint(token: Token) -> bool:
    return token.key in AND or token.key == ";" or token.key.isdigit()


def _before_else(text: str, index: Index) -> tuple[str, str]:
    """A line cut before "else", if an order may stand there and no "if" does."""
    cleaned = clean(squeezed(text))
    if len(cleaned) > MAX_LINE:
        return text, ""
    tokens = cut(cleaned)
    at = index.condition(tokens) or 0
    before = tokens[:at]
    while before and _is_joint(before[-1]):
        before.pop()
    if not before or tokens[at].key not in INSTEAD:
        return text, ""
    return cleaned[: before[-1].end], cleaned[tokens[at].start :]
