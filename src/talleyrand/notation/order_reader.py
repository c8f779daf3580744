"""Reads lines: each becomes one order, or one refusal that says what was read and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice, pairwise

from talleyrand.engine.board import province_of
from talleyrand.engine.errors import (
    OrderAmbiguous,
    OrderNotAllowed,
    OrderNotUnderstood,
    OrderRefusal,
    TalleyrandError,
)
from talleyrand.engine.orders import Order, Support, parse_normal
from talleyrand.engine.outcome import AdjudicationNote
from talleyrand.variants import Variant

from .grammar import OrderParser
from .lexer import (
    DASH,
    MAX_LINE,
    STRIKE_MARK,
    LineToken,
    clean_line,
    fold_accents,
    quote_text,
    squeeze_blanks,
    tokenize,
)
from .line_diagnosis import nearest_legal_order, refuse_misunderstood, refuse_unfinished
from .name_index import MIN_PREFIX, NameIndex
from .order_candidates import OrderCandidate, OrderCandidates, prefer_by_capitals
from .parsed_order import ParsedOrder
from .reading_context import OrderLine, PhaseFamily, ReadingContext
from .reading_notes import is_poorly_written, make_note, notes_for_order, strict_rulebook_refusal
from .reasons import NoteKind, RefusalReason
from .remarks import can_only_be_order, strip_courtesy
from .vocabulary import AND_WORDS, ELSE_WORDS, LINK_WORDS, ORDER_VERBS, OrderVerb

MAX_PARSES = 40
MAX_NORMAL_ORDERS = 1 << 14  # kept, of all boards and namings; a game knows some thousands
SEAS_IN_CAPITALS = "sea_upper_land_lower"


class OrderReader:
    """Reads one order on a line.

    `lead`: whether a title, or the order before on the line, says that units are built or removed.
    """

    def __init__(
        self,
        context: ReadingContext,
        text: str,
        number: int,
        *,
        suggest: bool,
        capitals: bool = False,
        lead: OrderVerb | None = None,
    ) -> None:
        self.context = context
        self.text = text
        self.number = number
        self.suggest = suggest
        self.lead = lead
        self.capitals = (
            capitals or context.rulebook.reading_options.get("abbreviation_case") == SEAS_IN_CAPITALS
        )
        self.readings = OrderCandidates(context)
        self.extra: tuple[AdjudicationNote, ...] = ()

    def line(self) -> OrderLine:
        if len(self.text) > MAX_LINE and len(squeeze_blanks(self.text)) > MAX_LINE:
            return self._refuse(OrderNotUnderstood(RefusalReason.LINE_TOO_LONG, quote_text(self.text)))
        return self._normal() or self._line_as_written()

    def _normal(self) -> OrderLine | None:
        """The shortest way: a legal order in normal form, unless the game's naming gives it another sense."""
        if len(self.text) > MAX_LINE:
            return None
        order = normal_order(self.text, self.context.index)
        line = order and _line_of(order, self.text, self.number)
        return line if line and _is_legal_as_it_stands(line, self.context) else None

    def _line_as_written(self) -> OrderLine:
        self.clean = clean_line(squeeze_blanks(self.text))
        tokens = _unglued(_unnumbered(tokenize(self.clean)), self.context.index)
        if not any(token.key[0].isalnum() for token in tokens):
            reason = RefusalReason.UNREADABLE if self.text.strip() else RefusalReason.EMPTY
            return self._refuse(OrderNotUnderstood(reason, quote_text(self.text)))
        if STRIKE_MARK in self.clean:
            return self._refuse(OrderNotUnderstood(RefusalReason.STRUCK_OUT, quote_text(self.text)))
        condition = self.context.index.find_condition(tokens)
        if condition is not None:
            return self._conditional(tokens, condition)
        return self._spoken(tokens)

    def _spoken(self, tokens: list[LineToken]) -> OrderLine:
        """A line as it stands, or without the courtesy around it; behind a greeting a place alone is none."""
        line = self._parse_tokens(tokens)
        found = strip_courtesy(tokens)
        words = _rearranged(found.tokens)
        if is_understood(line) or not words or words == tokens:
            return line
        bare = self._parse_tokens(words)
        idle = found.greeted and not _says_what(words, self.context.index)
        return bare if is_understood(bare) and not idle else line

    def _conditional(self, tokens: list[LineToken], at: int) -> OrderLine:
        """Only what stands before "else" is an order; an order with an "if" is none."""
        before = tokens[:at]
        while before and (before[-1].key == ";" or before[-1].key in AND_WORDS):
            before.pop()
        if tokens[at].key in ELSE_WORDS and before:
            self.extra = (
                make_note(NoteKind.CONDITION_IGNORED, written=quote_text(self.clean[tokens[at].start :])),
            )
            return self._parse_tokens(before)
        found = self._parse_tokens(before or tokens[at + 1 :]) if before or tokens[at + 1 :] else None
        refusal = OrderNotAllowed(RefusalReason.CONDITIONAL, quote_text(tokens[at].text))
        unit, order = (found.unit, found.order) if found else (None, None)
        return OrderLine(self.text, self.number, order=order, unit=unit, refusal=refusal)

    def _parse_tokens(self, tokens: list[LineToken]) -> OrderLine:
        dashed, tokens = self._without_bullet(tokens)
        lacking: OrderLine | None = None
        for loose in (False, True):
            parser = OrderParser(
                tokens,
                self.context.index,
                self.clean,
                loose=loose,
                short=self.context.two_letter_forms if loose else {},
            )
            line = self._best(self._led(dashed, sentence) for sentence in parser.parses())
            if line is not None and is_understood(line):
                return self.suggested(line, tokens)
            lacking = lacking or line
        return self.suggested(lacking or refuse_misunderstood(self._blank(), parser, self.readings), tokens)

    def _best(self, sentences: Iterator[ParsedOrder]) -> OrderLine | None:
        """The first sentence that is complete, legal or not: a line is not bent into another order."""
        lacking: OrderLine | None = None
        for sentence in islice(sentences, MAX_PARSES):
            line = self.weigh(sentence)
            if is_understood(line):
                return line
            lacking = lacking or line
        return lacking

    def _without_bullet(self, tokens: list[LineToken]) -> tuple[bool, list[LineToken]]:
        """The line without a bullet, and whether that was a dash."""
        dashed = tokens[0].key == DASH
        adjusting = self.context.family is PhaseFamily.ADJUSTMENTS
        while len(tokens) > 1 and (tokens[0].key in (DASH, ";") or (tokens[0].key == "+" and not adjusting)):
            tokens = tokens[1:]
        return dashed, tokens

    def _led(self, dashed: bool, sentence: ParsedOrder) -> ParsedOrder:
        """What a title says of a unit alone; else a dash or R before one removes it where units are adjusted.

        Elsewhere that is half an order.
        """
        adjusting = self.context.family is PhaseFamily.ADJUSTMENTS
        if sentence.verb is OrderVerb.RETREAT and sentence.to is None and adjusting:
            return replace(sentence, verb=OrderVerb.DISBAND)
        if self.lead and adjusting and sentence.verb is None and sentence.unit is not None:
            return replace(sentence, verb=self.lead)
        if not dashed or sentence.verb is not None or sentence.unit is None:
            return sentence
        if adjusting:
            return replace(sentence, verb=OrderVerb.DISBAND)
        return sentence if sentence.unit.kind else ParsedOrder(OrderVerb.MOVE)

    # weighing the meanings of a sentence

    def weigh(self, sentence: ParsedOrder) -> OrderLine:
        """The line a sentence makes: its one legal meaning, or why there is none."""
        readings = self.readings.candidates(sentence)
        if not readings or self._half_a_support(sentence):
            return refuse_unfinished(self._blank(), sentence, self.readings)
        legal = [reading for reading in readings if reading.is_legal]
        legal = [reading for reading in legal if reading.is_offered] or legal
        if not legal and sentence.verb_missing:
            return self._refuse(OrderNotUnderstood(RefusalReason.UNKNOWN_WORDS, quote_text(self.text)))
        if not legal:
            return self._forbidden(readings, sentence)
        if self.capitals and len(legal) > 1:
            legal = prefer_by_capitals(legal, sentence, self.context.variant.board)
        if len({str(reading.result) for reading in legal}) > 1:
            return self._open(legal, sentence)
        return self._accept(legal[0], sentence)

    def _half_a_support(self, sentence: ParsedOrder) -> bool:
        """`F Spa S` and no more: not a unit on the southern coast that holds."""
        if sentence.verb is not None or sentence.unit is None or self.context.family is not PhaseFamily.MOVES:
            return False
        return sentence.unit.place.coast in ORDER_VERBS

    def _accept(self, reading: OrderCandidate, sentence: ParsedOrder) -> OrderLine:
        assert not isinstance(reading.result, OrderRefusal)
        order = reading.result
        refusal = strict_rulebook_refusal(reading, sentence, self.context)
        notes = (*notes_for_order(reading, sentence, self.context), *self.extra)
        strict = self.context.rulebook.reading_options.get("poorly_written") == "illegal"
        if refusal is None and strict and is_poorly_written(notes, sentence, self.context):
            refusal = OrderNotAllowed(
                RefusalReason.BADLY_WRITTEN, quote_text(self.text), candidates=(str(order),)
            )
        return OrderLine(self.text, self.number, order=order, unit=order.unit, refusal=refusal, notes=notes)

    def _forbidden(self, readings: list[OrderCandidate], sentence: ParsedOrder) -> OrderLine:
        first = readings[0]
        assert isinstance(first.result, OrderRefusal)
        refusal = replace(first.result, text=first.result.text or quote_text(self.text))
        notes = (*notes_for_order(first, sentence, self.context), *self.extra)
        if len(readings) > 1:
            refusal = _of_all(refusal, readings)
            notes = tuple(told for told in notes if told.kind is not NoteKind.READ_AS)
        unit = first.order.unit
        return OrderLine(self.text, self.number, order=first.order, unit=unit, refusal=refusal, notes=notes)

    def _open(self, legal: list[OrderCandidate], sentence: ParsedOrder) -> OrderLine:
        orders = tuple(dict.fromkeys(str(reading.result) for reading in legal))
        units = {reading.order.unit for reading in legal}
        unit = units.pop() if len(units) == 1 else None
        return OrderLine(self.text, self.number, unit=unit, refusal=_ambiguity(sentence, orders))

    # answers

    def _blank(self) -> OrderLine:
        return OrderLine(self.text, self.number)

    def _refuse(self, refusal: OrderRefusal) -> OrderLine:
        return replace(self._blank(), refusal=refusal)

    def suggested(self, line: OrderLine, tokens: list[LineToken]) -> OrderLine:
        """A line with the legal order that is nearest to it, if one is wanted."""
        if not self.suggest or line.refusal is None or isinstance(line.refusal, OrderAmbiguous):
            return line
        if line.refusal.code == RefusalReason.INCOMPLETE:
            return line
        found = nearest_legal_order(tokens, line, self.context)
        return replace(line, refusal=replace(line.refusal, nearest_order=found)) if found else line


def normal_order(text: str, index: NameIndex) -> Order | None:
    """The order that a line in normal form gives to a unit; None of one in another form, or whose codes mean
    something else in the naming of the game."""
    try:
        order = parse_normal(text)
    except TalleyrandError:
        return None
    codes = [word for word in text.replace("/", " ").split() if word in index.board.provinces]
    held = all(code in index.listed_provinces(code.lower(), code) for code in codes)
    return order if order.unit is not None and held else None


def _line_of(order: Order, text: str, number: int) -> OrderLine:
    """The line that gives an order in normal form: of a support in place nothing closes it."""
    if isinstance(order, Support) and order.to is None:
        order = Support(order.unit, order.target, bare=True)
    return OrderLine(text, number, order=order, unit=order.unit)


def _is_legal_as_it_stands(line: OrderLine, context: ReadingContext) -> bool:
    """Whether such an order is followed to the letter."""
    order, power = line.order, context.power
    assert order is not None
    assert order.unit is not None
    if power is None:
        unit = context.orderable_units.get(order.unit.province)
        power = unit and unit.power
    if not power:
        return False
    board, book = context.variant.definition.board, context.rulebook.adjudication_rules
    result = context.rules.check_order(board, context.position, power, order, book)
    return result is order or result == order


def read_plain_line(context: ReadingContext, text: str, number: int) -> OrderLine | None:
    """The line of a legal order in normal form that nobody could take for anything but one order, and, where
    no nearest order is wanted, of any that makes one sentence; None of any other line."""
    line = _plain_line(text, number, context.variant, context.index)
    if line is None or _is_legal_as_it_stands(line, context):
        return line
    sentence = only_sentence(text, context.index) if context.count_options is not None else None
    if sentence is None:
        return None
    reader = OrderReader(context, text, number, suggest=True)
    weighed = reader.weigh(sentence)
    return reader.suggested(weighed, []) if is_understood(weighed) else None


@lru_cache(maxsize=MAX_NORMAL_ORDERS)
def _plain_line(text: str, number: int, variant: Variant, index: NameIndex) -> OrderLine | None:
    """The same wherever it is legal."""
    order = plain_order(text, variant, index)
    return _line_of(order, text, number) if order else None


@lru_cache(maxsize=MAX_NORMAL_ORDERS)
def plain_order(text: str, variant: Variant, index: NameIndex) -> Order | None:
    """The order to a unit that a line in normal form gives wherever it is legal; None of any other line."""
    order = normal_order(text, index)
    if order is None:
        return None
    words = tuple(text.lower().replace("/", " ").replace("-", " ").split())
    return order if can_only_be_order(words, variant, index) else None


@lru_cache(maxsize=MAX_NORMAL_ORDERS)
def only_sentence(text: str, index: NameIndex) -> ParsedOrder | None:
    """The one sentence that a line in normal form makes, where each of its places is one province; None where
    it makes others as well, or depends on something."""
    clean = clean_line(squeeze_blanks(text))
    tokens = _unglued(_unnumbered(tokenize(clean)), index)
    if index.find_condition(tokens) is not None:
        return None
    found = list(islice(OrderParser(tokens, index, clean, loose=False).parses(), 2))
    return found[0] if len(found) == 1 and _has_one_sense(found[0]) else None


def _has_one_sense(sentence: ParsedOrder) -> bool:
    """Whether a sentence with a unit and a verb names no seas, and each place in it is one province."""
    unit, target = sentence.unit, sentence.target
    places = [unit and unit.place, target and target.place, sentence.to]
    whole = unit is not None and sentence.verb is not None and not sentence.verb_missing
    return whole and not sentence.path and all(len(place.codes) == 1 for place in places if place)


def is_understood(line: OrderLine) -> bool:
    """Whether a line makes sense as one order, legal or not."""
    if line.refusal is None:
        return True
    return (
        not isinstance(line.refusal, OrderNotUnderstood) and line.refusal.code != RefusalReason.SEVERAL_STEPS
    )


def _rearranged(tokens: list[LineToken]) -> list[LineToken]:
    """With the unit first, where it stands last: `Support A Par - Bur with A Mar`."""
    at = next((i for i, token in enumerate(tokens) if token.key in ("with", "avec")), 0)
    signs = ORDER_VERBS.get(tokens[0].key, ()) if at > 1 and len(tokens[0].key) > 1 else ()
    if not {OrderVerb.MOVE, OrderVerb.SUPPORT, OrderVerb.CONVOY}.isdisjoint(signs) and at + 1 < len(tokens):
        return [*tokens[at + 1 :], *tokens[:at]]
    return tokens


def _says_what(tokens: list[LineToken], index: NameIndex) -> bool:
    """Whether an order names a kind of unit or a sign."""
    return any(token.key in index.kinds or token.key in ORDER_VERBS for token in tokens)


def _unglued(tokens: list[LineToken], index: NameIndex) -> list[LineToken]:
    """With the unit's letter apart from a listed name it is glued to: `AMun-Bur`; and `MidAtl` in two."""
    found: list[LineToken] = []
    for token in chain.from_iterable(_humps(token, index) for token in tokens):
        first, rest = token.key[:1], token.key[1:]
        glued = first in index.kinds and rest in index.places and len(rest) >= MIN_PREFIX
        glued = glued and token.key not in LINK_WORDS
        if (
            glued
            and not index.listed_provinces(token.key, token.text)
            and not index.guessed_provinces((token.key,))
        ):
            middle = token.start + 1
            found.append(LineToken(first, token.text[:1], token.start, middle))
            found.append(LineToken(rest, token.text[1:], middle, token.end))
        else:
            found.append(token)
    return found


def _humps(token: LineToken, index: NameIndex) -> Iterator[LineToken]:
    """The words of one that has capitals inside, if no list has it whole."""
    text = token.text
    cuts = [i for i in range(1, len(text)) if text[i - 1].islower() and text[i].isupper()]
    if not cuts or index.listed_provinces(token.key, text) or index.guessed_provinces((token.key,)):
        yield token
        return
    for a, b in pairwise((0, *cuts, len(text))):
        yield LineToken(fold_accents(text[a:b]), text[a:b], token.start + a, token.start + b)


def _unnumbered(tokens: list[LineToken]) -> list[LineToken]:
    """Without the number before a line and the semicolons around it."""
    while tokens and tokens[-1].key == ";":
        tokens.pop()
    start = 0
    while start < len(tokens) - 1 and (tokens[start].key.isdigit() or tokens[start].key == ";"):
        start += 1
    return tokens[start:]


def _of_all(refusal: OrderRefusal, readings: list[OrderCandidate]) -> OrderRefusal:
    """The refusal of the first reading with what the others name, where all are refused for one reason."""
    others = [reading.result for reading in readings if isinstance(reading.result, OrderRefusal)]
    tried = tuple(dict.fromkeys(str(reading.order) for reading in readings))
    alike = all(other.code == refusal.code for other in others)
    places = tuple(dict.fromkeys(place for other in others for place in other.places))
    return replace(
        refusal, places=places if alike else refusal.places, candidates=refusal.candidates or tried
    )


def _ambiguity(sentence: ParsedOrder, orders: tuple[str, ...]) -> OrderRefusal:
    """Which part of a sentence is open."""
    unit, target = sentence.unit, sentence.target
    refs = [unit and unit.place, target and target.place, sentence.to]
    open_ = [ref for ref in refs if ref is not None and len(ref.codes) > 1]
    if not open_ and sentence.verb in (None, OrderVerb.BUILD) and unit and unit.kind is None:
        return OrderAmbiguous(RefusalReason.BUILD_TYPE_MISSING, unit.place.text, candidates=orders)
    if len(open_) != 1:
        return OrderAmbiguous(RefusalReason.AMBIGUOUS_ORDER, candidates=orders)
    named = {word for order in orders for word in order.replace("/", " ").split()}
    places = tuple(code for code in open_[0].codes if province_of(code) in named)
    return OrderAmbiguous(RefusalReason.AMBIGUOUS_PLACE, open_[0].text, places=places, candidates=orders)
