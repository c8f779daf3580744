"""The forms of an order, by recursive descent over a line's words.

    line      = [power] (waive | verb unit | retreat unit to place | unit predicate)
    unit      = [power] [kind] [power] place [power]
    place     = name [coast] | coast name
    predicate = hold | move | by-convoy move | support unit … | convoy unit … | retreat | disband | build
              | nothing

A line may fit several forms: each is tried, the most likely first, and the caller takes the first
that is a legal order. Where none fits, `Parser.failure` says how far the line made sense.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from .lexer import DASH, LineToken, fold_accents
from .name_index import NameIndex
from .parsed_order import (
    EVERYDAY_NOUNS,
    EVERYDAY_WORDS,
    ParsedOrder,
    ParseFailure,
    PlaceRef,
    UnitRef,
    is_everyday_speech,
)
from .vocabulary import (
    AND_WORDS,
    COMMAND_VERBS,
    CONVOY_AGENT_WORDS,
    FROM_WORDS,
    LINK_WORDS,
    MAX_VERB_WORDS,
    ORDER_VERBS,
    PLACE_PREPOSITIONS,
    TO_WORDS,
    UNIT_DETERMINERS,
    UNIT_WORDS,
    OrderVerb,
    misspelt_verb,
)

_LEADING = (OrderVerb.BUILD, OrderVerb.DISBAND)
_IN_PLACE = (OrderVerb.HOLD, OrderVerb.SUPPORT, OrderVerb.CONVOY)
MAX_PLACE_LOOKUPS = 1000
"""Places looked for before a line that fits in too many ways is given up."""

PlaceMatches = Iterator[tuple[PlaceRef, int]]
UnitMatches = Iterator[tuple[UnitRef, int]]
ParsedOrders = Iterator[ParsedOrder]


class OrderParser:
    """Reads one line.

    `loose` admits beginnings of names and slips of the pen beside the listed forms, and A for "à" in a
    line all in capitals. `two_letter_forms`: the two-letter forms of the units that may be ordered.
    """

    def __init__(
        self,
        tokens: list[LineToken],
        index: NameIndex,
        text: str,
        *,
        loose: bool,
        short: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.tokens = tokens
        self.index = index
        self.text = text
        self.loose = loose
        self.two_letter_forms = (short if loose else None) or {}
        self.end = len(tokens)
        self.failure = ParseFailure()
        self.lookups_left = MAX_PLACE_LOOKUPS
        self.all_capitals = loose and text.isupper()

    def parses(self, start: int = 0) -> ParsedOrders:
        """Every reading of the whole line, the most likely first."""
        yield from self._waived(start)
        yield from self._led_by_verb(start)
        yield from self._led_by_unit(start)
        yield from self._parted(start)
        power = self._power(start)
        if power:
            yield from self._waived(power[1])
            yield from self._led_by_verb(power[1])
            yield from self._parted(power[1])

    # whole lines

    def _waived(self, i: int) -> ParsedOrders:
        """A build left unmade; `w` alone is one too."""
        letter = i == self.end - 1 and self.tokens[i].key == "w"
        if letter or any(OrderVerb.WAIVE in signs and j == self.end for signs, j in self._signs(i)):
            yield ParsedOrder(OrderVerb.WAIVE)

    def _led_by_verb(self, i: int) -> ParsedOrders:
        i = self._skip(i)
        for signs, j in self._signs(i):
            sign = next((sign for sign in signs if sign in _LEADING), None)
            if sign is not None and j < self.end and self._not_a_unit_letter(i, j):
                for unit, k in self.unit(j):
                    if k < self.end:
                        self._fail(k, "end", unit, sign)
                    elif not self._is_speech(unit, j, k, k):
                        yield ParsedOrder(sign, unit)
            if OrderVerb.RETREAT in signs and j < self.end and self._not_a_unit_letter(i, j):
                yield from self._retreat_of(j)
            if self.tokens[i].key in COMMAND_VERBS and j < self.end:
                yield from self._commanded(signs, j)

    def _commanded(self, signs: tuple[OrderVerb, ...], i: int) -> ParsedOrders:
        """`Move A Par to Bur`, `Hold A Par`, `Reste à Paris`."""
        if OrderVerb.HOLD in signs and i < self.end - 1 and self.tokens[i].key in TO_WORDS:
            yield from (
                ParsedOrder(OrderVerb.HOLD, UnitRef(place)) for place, j in self.place(i + 1) if j == self.end
            )
        for unit, j in self.unit(i):
            if OrderVerb.HOLD in signs and j == self.end:
                yield ParsedOrder(OrderVerb.HOLD, unit)
            elif OrderVerb.MOVE in signs:
                for after in self._steps(j):
                    yield from self._move(unit, after)

    def _retreat_of(self, i: int) -> ParsedOrders:
        """`Retreat A Bul to Ser`; without a place, as `R A Bul` is written for a removal too."""
        for unit, j in self.unit(i):
            if j == self.end:
                yield ParsedOrder(OrderVerb.RETREAT, unit)
            for after in self._steps(j):
                yield from self._retreat(unit, after)

    def _not_a_unit_letter(self, i: int, j: int) -> bool:
        return j - i > 1 or self.tokens[i].key not in self.index.kinds

    def _parted(self, i: int) -> ParsedOrders:
        """A build whose kind and place stand apart: `Army built in Paris`, `Paris build army`."""
        kind, j = self._kind(self._skip(i))
        for signs, k in self._signs(j) if kind else ():
            for place, end in self.place(k) if OrderVerb.BUILD in signs and k < self.end else ():
                if end == self.end:
                    yield ParsedOrder(OrderVerb.BUILD, UnitRef(place, kind))
        for place, j in self.place(i):
            for signs, k in self._signs(j):
                kind, end = self._kind(self._skip(k)) if k < self.end else (None, k)
                if OrderVerb.BUILD in signs and kind and end == self.end:
                    yield ParsedOrder(OrderVerb.BUILD, UnitRef(place, kind))

    def _led_by_unit(self, i: int) -> ParsedOrders:
        for unit, j in self._ordered(i):
            if j == self.end:
                where = unit.kind is None and self.tokens[i].key in PLACE_PREPOSITIONS
                if not where and not self._is_speech(unit, i, j, j):
                    yield ParsedOrder(None, unit)
                continue
            self._fail(j, "sign", unit)
            for signs, k in self._signs(j):
                for sign in signs if not self._is_speech(unit, i, j, k) else ():
                    yield from self._predicate(sign, unit, k)
            if self.loose and not (unit.place.guessed and self._is_speech(unit, i, j, j)):
                yield from self._guessed(unit, j)

    def _is_speech(self, unit: UnitRef, i: int, j: int, k: int) -> bool:
        """Whether the unit from i to j, with a sign up to k, is but words of speech."""
        sign = tuple(token.key for token in self.tokens[j:k])
        first = self.tokens[self._skip(i)].text if unit.kind else ""
        return is_everyday_speech(unit, first, sign, self.index)

    def _ordered(self, i: int) -> UnitMatches:
        """The unit that an order is for: a form of two letters will do where it tells one of them."""
        yield from self.unit(i)
        if self.two_letter_forms:
            kind, j = self._kind(self._skip(i))
            codes = self.two_letter_forms.get(self.tokens[j].key) if j < self.end else None
            if codes:
                yield UnitRef(PlaceRef(codes, self.tokens[j].text, guessed=True), kind), j + 1

    def _guessed(self, unit: UnitRef, i: int) -> ParsedOrders:
        """A misspelt sign; or a place right behind the unit, which can only be where it goes."""
        sign = misspelt_verb(self.tokens[i].key)
        if sign is not None and not self.index.listed_provinces(self.tokens[i].key, self.tokens[i].text):
            for sentence in self._predicate(sign, unit, i + 1):
                yield replace(sentence, guessed=self.tokens[i].text)
        for place, j in self.place(i):
            ordinary = place.guessed and (
                unit.kind is None or fold_accents(place.text) in EVERYDAY_WORDS | EVERYDAY_NOUNS
            )
            if j == self.end and not ordinary:
                written = self._quoted(0, j)
                yield ParsedOrder(OrderVerb.MOVE, unit, to=place, guessed=written, verb_missing=True)

    def _predicate(self, sign: OrderVerb, unit: UnitRef, i: int) -> ParsedOrders:
        if sign in (OrderVerb.HOLD, OrderVerb.DISBAND, OrderVerb.BUILD):
            yield from self._alone(sign, unit, i)
        elif sign is OrderVerb.MOVE:
            yield from self._move(unit, i)
            for signs, j in self._signs(i):
                if OrderVerb.BY_CONVOY in signs:
                    yield from self._by_convoy(unit, j)
        elif sign is OrderVerb.BY_CONVOY:
            yield from self._by_convoy(unit, i)
        elif sign is OrderVerb.RETREAT:
            yield from self._retreat(unit, i)
        elif sign is OrderVerb.SUPPORT:
            yield from self._support(unit, i)
        elif sign is OrderVerb.CONVOY:
            yield from self._convoy(unit, i)

    # predicates

    def _alone(self, sign: OrderVerb, unit: UnitRef, i: int) -> ParsedOrders:
        """A sign with nothing behind it; or a hold with the unit's own place (`A Lvp stays in Liverpool`)."""
        if i == self.end:
            yield ParsedOrder(sign, unit)
            return
        for place, j in self.place(i + (self.tokens[i].key in TO_WORDS)) if sign is OrderVerb.HOLD else ():
            if j == self.end and not set(unit.place.codes).isdisjoint(place.codes):
                yield ParsedOrder(sign, unit)
        self._fail(i, "end", unit, sign)

    def _move(self, unit: UnitRef, i: int, path: tuple[PlaceRef, ...] = (), marker: str = "") -> ParsedOrders:
        self._fail(i, "place", unit, OrderVerb.MOVE)
        if not path and any(OrderVerb.HOLD in signs and j == self.end for signs, j in self._signs(i)):
            yield ParsedOrder(OrderVerb.HOLD, unit)
        for place, j in self.place(i):
            for found, seas, k in self._marker(j):
                written = marker or found
                if k == self.end:
                    yield ParsedOrder(OrderVerb.MOVE, unit, to=place, marker=written, path=path or seas)
                    continue
                self._fail(k, "end", unit, OrderVerb.MOVE)
                for after in self._steps(k):
                    yield from self._move(unit, after, (*path, place), written)

    def _steps(self, i: int) -> Iterator[int]:
        """Where the next place of a path begins."""
        for signs, j in self._signs(i):
            if OrderVerb.MOVE in signs:
                yield j

    def _marker(self, i: int) -> Iterator[tuple[str, tuple[PlaceRef, ...], int]]:
        """By convoy, with or without the seas; then nothing."""
        for signs, j in self._signs(i):
            if OrderVerb.BY_CONVOY in signs:
                seas, k = self._over(j)
                yield self._quoted(i, k), seas, k
                yield self._quoted(i, j), (), j
            elif OrderVerb.CONVOY in signs and j == self.end and len(self.tokens[i].key) > 1:
                yield self._quoted(i, j), (), j
        yield "", (), i

    def _over(self, i: int) -> tuple[tuple[PlaceRef, ...], int]:
        """The places of a convoy's way, or the fleets by which it goes, and where they end."""
        seas: tuple[PlaceRef, ...] = ()
        if i < self.end and self.tokens[i].key in CONVOY_AGENT_WORDS:
            i += 1
        while i < self.end:
            start = self._skip(i + 1) if self.tokens[i].key in AND_WORDS else i
            following = next(iter(self.unit(start)), None) if start < self.end else None
            if following is None:
                break
            seas, i = (*seas, following[0].place), following[1]
        return seas, i

    def _by_convoy(self, unit: UnitRef, i: int) -> ParsedOrders:
        """A unit sent by convoy, the way written before the destination or not at all."""
        marker = self._quoted(i - 1, i)
        for start in (i, *self._steps(i)):
            yield from self._move(unit, start, marker=marker)
        seas, over = self._over(i)
        for start in self._steps(over) if seas else ():
            for sentence in self._move(unit, start, marker=marker):
                yield replace(sentence, path=sentence.path or seas)

    def _retreat(self, unit: UnitRef, i: int) -> ParsedOrders:
        self._fail(i, "place", unit, OrderVerb.RETREAT)
        for start in (i, *self._steps(i)):
            for place, j in self.place(start):
                if j == self.end:
                    yield ParsedOrder(OrderVerb.RETREAT, unit, to=place)
                else:
                    self._fail(j, "end", unit, OrderVerb.RETREAT)

    def _support(self, unit: UnitRef, i: int) -> ParsedOrders:
        self._fail(i, "other", unit, OrderVerb.SUPPORT)
        yield from self._helped(OrderVerb.SUPPORT, unit, i)
        for target, j in self.unit(i):
            if j == self.end:
                yield ParsedOrder(OrderVerb.SUPPORT, unit, target)
                continue
            self._fail(j, "end", unit, OrderVerb.SUPPORT)
            for moved in self._supported(target, j):
                yield replace(moved, verb=OrderVerb.SUPPORT, unit=unit, target=target)
            yield from self._beside(OrderVerb.SUPPORT, unit, target, j)

    def _helped(self, sign: OrderVerb, unit: UnitRef, i: int) -> ParsedOrders:
        """Help told by what it is for: `support move to Bur from Par`, `support hold to Gas`."""
        for signs, j in self._signs(self._skip(i)):
            if OrderVerb.HOLD in signs and sign is OrderVerb.SUPPORT and j < self.end:
                for target, k in self.unit(j + (self.tokens[j].key in TO_WORDS)):
                    if k == self.end:
                        yield ParsedOrder(sign, unit, target, hold_written=True)
            if OrderVerb.MOVE in signs and j < self.end:
                yield from self._helped_away(sign, unit, j)

    def _helped_away(self, sign: OrderVerb, unit: UnitRef, i: int) -> ParsedOrders:
        """A place and the one from where; or the other way round, as `move from Par to Bur`."""
        for to, j in self.place(i):
            for target, k in self.unit(j) if j < self.end and self.tokens[j].key in FROM_WORDS else ():
                if k == self.end:
                    yield ParsedOrder(sign, unit, target, to)
        for target, j in self.unit(i) if self.tokens[i].key in FROM_WORDS else ():
            for after in self._steps(j):
                for to, k in self.place(after):
                    if k == self.end:
                        yield ParsedOrder(sign, unit, target, to)

    def _beside(self, sign: OrderVerb, unit: UnitRef, target: UnitRef, i: int) -> ParsedOrders:
        """Where the helped unit goes, right behind it (`support par bur`); its own place: it stays."""
        for to, j in self.place(i) if not self.loose and i < self.end else ():
            if j == self.end:
                stays = sign is OrderVerb.SUPPORT and to.codes == target.place.codes
                yield ParsedOrder(sign, unit, target, None if stays else to, hold_written=stays)

    def _supported(self, target: UnitRef, i: int) -> ParsedOrders:
        """What the supported unit does: it moves, or stays whatever else it does there."""
        for signs, j in self._signs(i):
            for sign in signs:
                for order in self._predicate(sign, target, j):
                    voyage = sign is OrderVerb.CONVOY and not order.target
                    if order.to and (voyage or sign in (OrderVerb.MOVE, OrderVerb.BY_CONVOY)):
                        yield replace(order, marker="", path=())
                    elif order.verb is OrderVerb.HOLD or sign in _IN_PLACE:
                        yield ParsedOrder(OrderVerb.SUPPORT, hold_written=True)

    def _convoy(self, unit: UnitRef, i: int) -> ParsedOrders:
        """A fleet's convoy of a unit; or, with one place, the unit's own voyage."""
        self._fail(i, "other", unit, OrderVerb.CONVOY)
        yield from self._helped(OrderVerb.CONVOY, unit, i)
        for target, j in self.unit(i):
            yield from self._beside(OrderVerb.CONVOY, unit, target, j)
            self._fail(j, "to", unit, OrderVerb.CONVOY)
            for signs, k in self._signs(j):
                if OrderVerb.MOVE in signs or OrderVerb.BY_CONVOY in signs:
                    for order in self._predicate(OrderVerb.MOVE, target, k):
                        yield replace(order, verb=OrderVerb.CONVOY, unit=unit, target=target, marker="")
        for start in (i, *self._steps(i)):
            for place, j in self.place(start):
                if j == self.end:
                    yield ParsedOrder(OrderVerb.CONVOY, unit, to=place, marker=self._quoted(i - 1, i))

    # units and places

    def unit(self, i: int) -> UnitMatches:
        """A unit from token i, and where it ends."""
        self._reach(i, "unit")
        i = self._skip(i)
        kind, j = self._kind(i)
        for place, k in self.place(j):
            unit = UnitRef(place, kind)
            yield unit, k
            if behind := self._power(k):
                yield unit._replace(power=behind[0], power_text=behind[2]), behind[1]
            if kind is None and k < self.end and self._is_kind_word(k):
                yield UnitRef(place, self.index.kinds[self.tokens[k].key]), k + 1
        power = self._power(j)
        if power is None:
            return
        code, j, text = power
        if kind is None:
            kind, j = self._kind(self._skip(j))
        for place, k in self.place(j):
            yield UnitRef(place, kind, code, text), k

    def _kind(self, i: int) -> tuple[str | None, int]:
        """A unit's letter or word, written once or twice, and the hyphen that may join it to the place."""
        if i >= self.end or self.tokens[i].key not in self.index.kinds or self.tokens[i].text in "àÀ":
            return None, i
        if self.tokens[i].key == "a" and i < self.end - 1 and self._is_kind_word(i + 1):
            i += 1
        kind = self.index.kinds[self.tokens[i].key]
        j = self._skip(i + 1)
        if j < self.end and self.index.kinds.get(self.tokens[j].key) == kind:
            j = self._skip(j + 1)
        joined = j < self.end and self.tokens[j].key == DASH and self.tokens[j].unspaced
        if j < self.end - 1 and len(self.tokens[i].key) > 1 and self.tokens[j].key in TO_WORDS:
            j += 1
        return kind, j + joined

    def _is_kind_word(self, i: int) -> bool:
        return len(self.tokens[i].key) > 1 and self.tokens[i].key in self.index.kinds

    def _power(self, i: int) -> tuple[str, int, str] | None:
        i = self._skip(i)
        if i >= self.end or self.tokens[i].key == DASH:
            return None
        for size in range(min(self.index.longest_power + 1, self.end - i), 0, -1):
            key = " ".join(token.key for token in self.tokens[i : i + size] if token.key != DASH)
            code = self.index.powers.get(key)
            if code and self.tokens[i + size - 1].key != DASH:
                return code, i + size, self._quoted(i, i + size)
        return None

    def place(self, i: int) -> PlaceMatches:
        """A place from token i with its coast, the longest name first."""
        self._reach(i, "place")
        self.lookups_left -= 1
        if self.lookups_left < 0:
            return
        i = self._skip(i)
        for place, j in self._named_places(i):
            for form, k in self._coast(place.codes, j):
                yield place._replace(coast=form), k
            yield place, j
        for size in (2, 1):
            form = " ".join(token.key for token in self.tokens[i : i + size])
            if len(form) > 1 and form in self.index.coasts:
                for place, j in self._named_places(self._skip(i + size)):
                    yield place._replace(coast=form), j

    def _named_places(self, i: int) -> PlaceMatches:
        """The longest listed name, and before it, if loose, the longer beginnings of names."""
        for form, j in self._spans(i):
            letters = "".join(token.text for token in self.tokens[i:j])
            if codes := self.index.listed_provinces(" ".join(form), letters):
                yield PlaceRef(codes, self._quoted(i, j)), j
                return
            if guessed := self.index.guessed_provinces(form) if self.loose else ():
                yield PlaceRef(guessed, self._quoted(i, j), guessed=True), j

    def _spans(self, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        """The words from token i that may be one name, the most words first; a tight dash may join two."""
        found: list[tuple[tuple[str, ...], int]] = []
        form: tuple[str, ...] = ()
        while i < self.end and len(form) < self.index.longest:
            token = self.tokens[i]
            i += 1
            if token.key == DASH:
                if not (form and token.unspaced):
                    break
                continue
            if not token.key[0].isalnum():
                break
            form = (*form, token.key)
            found.append((form, i))
        return reversed(found)

    def _coast(self, codes: tuple[str, ...], i: int) -> Iterator[tuple[str, int]]:
        j = i
        if j < self.end and self.tokens[j].key == DASH and self.tokens[j].unspaced:
            j += 1
        for end in (j + 2, j + 1):
            form = " ".join(token.key for token in self.tokens[j:end])
            fits = end <= self.end and (j == i or len(form) > 1)
            fits = fits and any(self.index.coast(code, form) for code in codes)
            if fits and not (self._supports(form, end) or any(k > end for _, k in self._signs(j))):
                yield form, end

    def _supports(self, form: str, i: int) -> bool:
        """Whether a letter that may be a coast (Spain s) stands before a unit's letter: then it is a sign."""
        return form in ORDER_VERBS and i < self.end and self.tokens[i].text.casefold() in self.index.kinds

    # words

    def _signs(self, i: int) -> Iterator[tuple[tuple[OrderVerb, ...], int]]:
        """The signs that begin at token i, the longest phrase first."""
        for size in range(min(MAX_VERB_WORDS, self.end - i), 0, -1):
            signs = ORDER_VERBS.get(" ".join(token.key for token in self.tokens[i : i + size]))
            if signs and (size > 1 or self.tokens[i].text != "A" or self.all_capitals):
                yield signs, i + size

    def _skip(self, i: int) -> int:
        while i < self.end - 1 and self._is_link(i):
            i += 1
        joined = 0 < i < self.end - 1 and self.tokens[i - 1].key in UNIT_WORDS
        return i + (joined and self.tokens[i].key == "a")

    def _is_link(self, i: int) -> bool:
        """Whether a word changes nothing; one that is a place too ("mon") does, but before "army"."""
        key = self.tokens[i].key
        return key in LINK_WORDS or (
            key in UNIT_DETERMINERS and (key not in self.index.places or self._is_kind_word(i + 1))
        )

    def _quoted(self, i: int, j: int) -> str:
        return self.text[self.tokens[i].start : self.tokens[j - 1].end] if i < j else ""

    def _reach(self, i: int, wanted: str) -> None:
        if i > self.failure.at:
            self.failure = replace(self.failure, at=i, wanted=wanted)

    def _fail(self, i: int, wanted: str, unit: UnitRef | None = None, sign: OrderVerb | None = None) -> None:
        if i >= self.failure.at:
            self.failure = ParseFailure(i, wanted, unit, sign)
