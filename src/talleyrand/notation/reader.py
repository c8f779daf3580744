"""Reads lines: each becomes one order, or one refusal that says what was read and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice, pairwise

from talleyrand.engine.board import province_of
from talleyrand.engine.errors import Ambiguous, NotAllowed, NotUnderstood, Refusal, TalleyrandError
from talleyrand.engine.normal import parse_normal
from talleyrand.engine.orders import Order, Support
from talleyrand.engine.outcome import Note

from .capitals import as_capitals_say
from .context import Context, Family, Line
from .courtesy import plain
from .diagnosis import misunderstood, unfinished
from .grammar import Parser
from .lexer import DASH, MAX_LINE, STRUCK, Token, clean, cut, fold, quote, squeezed
from .notes import is_badly_written, note, notes_on, objection
from .places import LEAST_PREFIX, Index
from .readings import Reading, Readings
from .reasons import NoteKind, Reason
from .sentences import Sentence
from .suggestions import nearest
from .vocabulary import AND, INSTEAD, LINKS, SIGNS, Sign

MAX_SENTENCES = 40
SEAS_IN_CAPITALS = "sea_upper_land_lower"


class Reader:
    """Reads one order on a line.

    `lead`: whether a title, or the order before on the line, says that units are built or removed.
    """

    def __init__(
        self,
        context: Context,
        text: str,
        number: int,
        *,
        suggest: bool,
        capitals: bool = False,
        lead: Sign | None = None,
    ) -> None:
        self.context = context
        self.text = text
        self.number = number
        self.suggest = suggest
        self.lead = lead
        self.capitals = capitals or context.book.reading.get("abbreviation_case") == SEAS_IN_CAPITALS
        self.readings = Readings(context)
        self.extra: tuple[Note, ...] = ()

    def line(self) -> Line:
        if len(self.text) > MAX_LINE and len(squeezed(self.text)) > MAX_LINE:
            return self._refuse(NotUnderstood(Reason.LINE_TOO_LONG, quote(self.text)))
        return self._normal() or self._written()

    def _normal(self) -> Line | None:
        """The shortest way: a legal order in normal form, unless the game's naming gives it another sense."""
        try:
            order = parse_normal(self.text)
        except TalleyrandError:
            return None
        if order.unit is None or not self._codes_hold(order):
            return None
        unit = self.context.at.get(order.unit.province)
        power = self.context.power or (unit and unit.power)
        result = self.readings.check(order, power) if power else None
        if result is None or isinstance(result, Refusal) or result != order:
            return None
        if isinstance(result, Support) and result.to is None:
            result = replace(result, bare=True)
        return Line(self.text, self.number, order=result, unit=result.unit)

    def _codes_hold(self, order: Order) -> bool:
        codes = [
            word
            for word in str(order).replace("/", " ").split()
            if word in self.context.variant.board.provinces
        ]
        return all(code in self.context.index.meaning(code.lower(), code) for code in codes)

    def _written(self) -> Line:
        self.clean = clean(squeezed(self.text))
        tokens = _unglued(_unnumbered(cut(self.clean)), self.context.index)
        if not any(token.key[0].isalnum() for token in tokens):
            reason = Reason.UNREADABLE if self.text.strip() else Reason.EMPTY
            return self._refuse(NotUnderstood(reason, quote(self.text)))
        if STRUCK in self.clean:
            return self._refuse(NotUnderstood(Reason.STRUCK_OUT, quote(self.text)))
        condition = self.context.index.condition(tokens)
        if condition is not None:
            return self._conditional(tokens, condition)
        return self._spoken(tokens)

    def _spoken(self, tokens: list[Token]) -> Line:
        """A line as it stands, or without the courtesy around it; behind a greeting a place alone is none."""
        line = self._read(tokens)
        found = plain(tokens)
        words = _rearranged(found.tokens)
        if is_settled(line) or not words or words == tokens:
            return line
        bare = self._read(words)
        idle = found.greeted and not _says_what(words, self.context.index)
        return bare if is_settled(bare) and not idle else line

    def _conditional(self, tokens: list[Token], at: int) -> Line:
        """Only what stands before "else" is an order; an order with an "if" is none."""
        before = tokens[:at]
        while before and (before[-1].key == ";" or before[-1].key in AND):
            before.pop()
        if tokens[at].key in INSTEAD and before:
            self.extra = (note(NoteKind.CONDITION_IGNORED, written=quote(self.clean[tokens[at].start :])),)
            return self._read(before)
        found = self._read(before or tokens[at + 1 :]) if before or tokens[at + 1 :] else None
        refusal = NotAllowed(Reason.CONDITIONAL, quote(tokens[at].text))
        unit, order = (found.unit, found.order) if found else (None, None)
        return Line(self.text, self.number, order=order, unit=unit, refusal=refusal)

    def _read(self, tokens: list[Token]) -> Line:
        dashed, tokens = self._without_bullet(tokens)
        lacking: Line | None = None
        for loose in (False, True):
            parser = Parser(
                tokens, self.context.index, self.clean, loose=loose, short=self.context.short if loose else {}
            )
            line = self._best(self._led(dashed, sentence) for sentence in parser.sentences())
            if line is not None and is_settled(line):
                return self._suggested(line, tokens)
            lacking = lacking or line
        return self._suggested(lacking or misunderstood(self._blank(), parser, self.readings), tokens)

    def _best(self, sentences: Iterator[Sentence]) -> Line | None:
        """The first sentence that is complete, legal or not: a line is not bent into another order."""
        lacking: Line | None = None
        for sentence in islice(sentences, MAX_SENTENCES):
            line = self._weigh(sentence)
            if is_settled(line):
                return line
            lacking = lacking or line
        return lacking

    def _without_bullet(self, tokens: list[Token]) -> tuple[bool, list[Token]]:
        """The line without a bullet, and whether that was a dash."""
        dashed = tokens[0].key == DASH
        adjusting = self.context.family is Family.ADJUSTMENTS
        while len(tokens) > 1 and (tokens[0].key in (DASH, ";") or (tokens[0].key == "+" and not adjusting)):
            tokens = tokens[1:]
        return dashed, tokens

    def _led(self, dashed: bool, sentence: Sentence) -> Sentence:
        """What a title says of a unit alone; else a dash or R before one removes it where units are adjusted.

        Elsewhere that is half an order.
        """
        adjusting = self.context.family is Family.ADJUSTMENTS
        if sentence.sign is Sign.RETREAT and sentence.to is None and adjusting:
            return replace(sentence, sign=Sign.DISBAND)
        if self.lead and adjusting and sentence.sign is None and sentence.unit is not None:
            return replace(sentence, sign=self.lead)
        if not dashed or sentence.sign is not None or sentence.unit is None:
            return sentence
        if adjusting:
            return replace(sentence, sign=Sign.DISBAND)
        return sentence if sentence.unit.kind else Sentence(Sign.MOVE)

    # weighing the meanings of a sentence

    def _weigh(self, sentence: Sentence) -> Line:
        """The line a sentence makes: its one legal meaning, or why there is none."""
        readings = self.readings.of(sentence)
        if not readings or self._half_a_support(sentence):
            return unfinished(self._blank(), sentence, self.readings)
        legal = [reading for reading in readings if reading.legal]
        legal = [reading for reading in legal if reading.offered] or legal
        if not legal and sentence.signless:
            return self._refuse(NotUnderstood(Reason.UNKNOWN_WORDS, quote(self.text)))
        if not legal:
            return self._forbidden(readings, sentence)
        if self.capitals and len(legal) > 1:
            legal = as_capitals_say(legal, sentence, self.context.variant.board)
        if len({str(reading.result) for reading in legal}) > 1:
            return self._open(legal, sentence)
        return self._accept(legal[0], sentence)

    def _half_a_support(self, sentence: Sentence) -> bool:
        """`F Spa S` and no more: not a unit on the southern coast that holds."""
        if sentence.sign is not None or sentence.unit is None or self.context.family is not Family.MOVES:
            return False
        return sentence.unit.place.coast in SIGNS

    def _accept(self, reading: Reading, sentence: Sentence) -> Line:
        assert not isinstance(reading.result, Refusal)
        order = reading.result
        refusal = objection(reading, sentence, self.context)
        notes = (*notes_on(reading, sentence, self.context), *self.extra)
        strict = self.context.book.reading.get("poorly_written") == "illegal"
        if refusal is None and strict and is_badly_written(notes, sentence, self.context):
            refusal = NotAllowed(Reason.BADLY_WRITTEN, quote(self.text), candidates=(str(order),))
        return Line(self.text, self.number, order=order, unit=order.unit, refusal=refusal, notes=notes)

    def _forbidden(self, readings: list[Reading], sentence: Sentence) -> Line:
        first = readings[0]
        assert isinstance(first.result, Refusal)
        refusal = replace(first.result, text=first.result.text or quote(self.text))
        notes = (*notes_on(first, sentence, self.context), *self.extra)
        if len(readings) > 1:
            refusal = _of_all(refusal, readings)
            notes = tuple(told for told in notes if told.kind is not NoteKind.READ_AS)
        unit = first.order.unit
        return Line(self.text, self.number, order=first.order, unit=unit, refusal=refusal, notes=notes)

    def _open(self, legal: list[Reading], sentence: Sentence) -> Line:
        orders = tuple(dict.fromkeys(str(reading.result) for reading in legal))
        units = {reading.order.unit for reading in legal}
        unit = units.pop() if len(units) == 1 else None
        return Line(self.text, self.number, unit=unit, refusal=_which(sentence, orders))

    # answers

    def _blank(self) -> Line:
        return Line(self.text, self.number)

    def _refuse(self, refusal: Refusal) -> Line:
        return replace(self._blank(), refusal=refusal)

    def _suggested(self, line: Line, tokens: list[Token]) -> Line:
        if not self.suggest or line.refusal is None or isinstance(line.refusal, Ambiguous):
            return line
        if line.refusal.reason == Reason.INCOMPLETE:
            return line
        found = nearest(tokens, line, self.context)
        return replace(line, refusal=replace(line.refusal, nearest=found)) if found else line


def is_settled(line: Line) -> bool:
    """Whether a line makes sense as one order, legal or not."""
    if line.refusal is None:
        return True
    return not isinstance(line.refusal, NotUnderstood) and line.refusal.reason != Reason.SEVERAL_STEPS


def _rearranged(tokens: list[Token]) -> list[Token]:
    """With the unit first, where it stands last: `Support A Par - Bur with A Mar`."""
    at = next((i for i, token in enumerate(tokens) if token.key in ("with", "avec")), 0)
    signs = SIGNS.get(tokens[0].key, ()) if at > 1 and len(tokens[0].key) > 1 else ()
    if not {Sign.MOVE, Sign.SUPPORT, Sign.CONVOY}.isdisjoint(signs) and at + 1 < len(tokens):
        return [*tokens[at + 1 :], *tokens[:at]]
    return tokens


def _says_what(tokens: list[Token], index: Index) -> bool:
    """Whether an order names a kind of unit or a sign."""
    return any(token.key in index.kinds or token.key in SIGNS for token in tokens)


def _unglued(tokens: list[Token], index: Index) -> list[Token]:
    """With the unit's letter apart from a listed name it is glued to: `AMun-Bur`; and `MidAtl` in two."""
    found: list[Token] = []
    for token in chain.from_iterable(_humps(token, index) for token in tokens):
        first, rest = token.key[:1], token.key[1:]
        glued = first in index.kinds and rest in index.places and len(rest) >= LEAST_PREFIX
        glued = glued and token.key not in LINKS
        if glued and not index.meaning(token.key, token.text) and not index.guesses((token.key,)):
            middle = token.start + 1
            found.append(Token(first, token.text[:1], token.start, middle))
            found.append(Token(rest, token.text[1:], middle, token.end))
        else:
            found.append(token)
    return found


def _humps(token: Token, index: Index) -> Iterator[Token]:
    """The words of one that has capitals inside, if no list has it whole."""
    text = token.text
    cuts = [i for i in range(1, len(text)) if text[i - 1].islower() and text[i].isupper()]
    if not cuts or index.meaning(token.key, text) or index.guesses((token.key,)):
        yield token
        return
    for a, b in pairwise((0, *cuts, len(text))):
        yield Token(fold(text[a:b]), text[a:b], token.start + a, token.start + b)


def _unnumbered(tokens: list[Token]) -> list[Token]:
    """Without the number before a line and the semicolons around it."""
    while tokens and tokens[-1].key == ";":
        tokens.pop()
    start = 0
    while start < len(tokens) - 1 and (tokens[start].key.isdigit() or tokens[start].key == ";"):
        start += 1
    return tokens[start:]


def _of_all(refusal: Refusal, readings: list[Reading]) -> Refusal:
    """The refusal of the first reading with what the others name, where all are refused for one reason."""
    others = [reading.result for reading in readings if isinstance(reading.result, Refusal)]
    tried = tuple(dict.fromkeys(str(reading.order) for reading in readings))
    alike = all(other.reason == refusal.reason for other in others)
    places = tuple(dict.fromkeys(place for other in others for place in other.places))
    return replace(
        refusal, places=places if alike else refusal.places, candidates=refusal.candidates or tried
    )


def _which(sentence: Sentence, orders: tuple[str, ...]) -> Refusal:
    """Which part of a sentence is open."""
    unit, target = sentence.unit, sentence.target
    refs = [unit and unit.place, target and target.place, sentence.to]
    open_ = [ref for ref in refs if ref is not None and len(ref.codes) > 1]
    if not open_ and sentence.sign in (None, Sign.BUILD) and unit and unit.kind is None:
        return Ambiguous(Reason.BUILD_TYPE_MISSING, unit.place.text, candidates=orders)
    if len(open_) != 1:
        return Ambiguous(Reason.AMBIGUOUS_ORDER, candidates=orders)
    named = {word for order in orders for word in order.replace("/", " ").split()}
    places = tuple(code for code in open_[0].codes if province_of(code) in named)
    return Ambiguous(Reason.AMBIGUOUS_PLACE, open_[0].text, places=places, candidates=orders)
