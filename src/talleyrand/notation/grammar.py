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

from .lexer import DASH, Token, fold
from .places import Index
from .sentences import Failure, PlaceRef, Sentence, UnitRef
from .speech import NOUNS, SPEECH, is_speech
from .vocabulary import (
    AGENTS,
    AND,
    COMMANDS,
    FROM,
    INTO,
    LINKS,
    LONGEST_SIGN,
    OWNERS,
    PLACED,
    SIGNS,
    UNITS,
    Sign,
    misspelt_sign,
)

_LEADING = (Sign.BUILD, Sign.DISBAND)
PATIENCE = 1000
"""Places looked for before a line that fits in too many ways is given up."""

Places = Iterator[tuple[PlaceRef, int]]
Units = Iterator[tuple[UnitRef, int]]
Sentences = Iterator[Sentence]


class Parser:
    """Reads one line.

    `loose` admits beginnings of names and slips of the pen beside the listed forms, and A for "à" in a
    line all in capitals. `short`: the two-letter forms of the units that may be ordered.
    """

    def __init__(
        self,
        tokens: list[Token],
        index: Index,
        text: str,
        *,
        loose: bool,
        short: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.tokens = tokens
        self.index = index
        self.text = text
        self.loose = loose
        self.short = (short if loose else None) or {}
        self.end = len(tokens)
        self.failure = Failure()
        self.patience = PATIENCE
        self.shouted = loose and text.isupper()

    def sentences(self, start: int = 0) -> Sentences:
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

    def _waived(self, i: int) -> Sentences:
        """A build left unmade; `w` alone is one too."""
        letter = i == self.end - 1 and self.tokens[i].key == "w"
        if letter or any(Sign.WAIVE in signs and j == self.end for signs, j in self._signs(i)):
            yield Sentence(Sign.WAIVE)

    def _led_by_verb(self, i: int) -> Sentences:
        i = self._skip(i)
        for signs, j in self._signs(i):
            sign = next((sign for sign in signs if sign in _LEADING), None)
            if sign is not None and j < self.end and self._not_a_unit_letter(i, j):
                for unit, k in self.unit(j):
                    if k < self.end:
                        self._fail(k, "end", unit, sign)
                    elif not self._is_speech(unit, j, k, k):
                        yield Sentence(sign, unit)
            if Sign.RETREAT in signs and j < self.end and self._not_a_unit_letter(i, j):
                yield from self._retreat_of(j)
            if self.tokens[i].key in COMMANDS and j < self.end:
                yield from self._commanded(signs, j)

    def _commanded(self, signs: tuple[Sign, ...], i: int) -> Sentences:
        """`Move A Par to Bur`, `Hold A Par`, `Reste à Paris`."""
        if Sign.HOLD in signs and i < self.end - 1 and self.tokens[i].key in INTO:
            yield from (
                Sentence(Sign.HOLD, UnitRef(place)) for place, j in self.place(i + 1) if j == self.end
            )
        for unit, j in self.unit(i):
            if Sign.HOLD in signs and j == self.end:
                yield Sentence(Sign.HOLD, unit)
            elif Sign.MOVE in signs:
                for after in self._steps(j):
                    yield from self._move(unit, after)

    def _retreat_of(self, i: int) -> Sentences:
        """`Retreat A Bul to Ser`; without a place, as `R A Bul` is written for a removal too."""
        for unit, j in self.unit(i):
            if j == self.end:
                yield Sentence(Sign.RETREAT, unit)
            for after in self._steps(j):
                yield from self._retreat(unit, after)

    def _not_a_unit_letter(self, i: int, j: int) -> bool:
        return j - i > 1 or self.tokens[i].key not in self.index.kinds

    def _parted(self, i: int) -> Sentences:
        """A build whose kind and place stand apart: `Army built in Paris`, `Paris build army`."""
        kind, j = self._kind(self._skip(i))
        for signs, k in self._signs(j) if kind else ():
            for place, end in self.place(k) if Sign.BUILD in signs and k < self.end else ():
                if end == self.end:
                    yield Sentence(Sign.BUILD, UnitRef(place, kind))
        for place, j in self.place(i):
            for signs, k in self._signs(j):
                kind, end = self._kind(self._skip(k)) if k < self.end else (None, k)
                if Sign.BUILD in signs and kind and end == self.end:
                    yield Sentence(Sign.BUILD, UnitRef(place, kind))

    def _led_by_unit(self, i: int) -> Sentences:
        for unit, j in self._ordered(i):
            if j == self.end:
                where = unit.kind is None and self.tokens[i].key in PLACED
                if not where and not self._is_speech(unit, i, j, j):
                    yield Sentence(None, unit)
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
        return is_speech(unit, self.tokens[self._skip(i)].text if unit.kind else "", sign, self.index)

    def _ordered(self, i: int) -> Units:
        """The unit that an order is for: a form of two letters will do where it tells one of them."""
        yield from self.unit(i)
        if self.short:
            kind, j = self._kind(self._skip(i))
            codes = self.short.get(self.tokens[j].key) if j < self.end else None
            if codes:
                yield UnitRef(PlaceRef(codes, self.tokens[j].text, guessed=True), kind), j + 1

    def _guessed(self, unit: UnitRef, i: int) -> Sentences:
        """A misspelt sign; or a place right behind the unit, which can only be where it goes."""
        sign = misspelt_sign(self.tokens[i].key)
        if sign is not None and not self.index.meaning(self.tokens[i].key, self.tokens[i].text):
            for sentence in self._predicate(sign, unit, i + 1):
                yield replace(sentence, guessed=self.tokens[i].text)
        for place, j in self.place(i):
            ordinary = place.guessed and (unit.kind is None or fold(place.text) in SPEECH | NOUNS)
            if j == self.end and not ordinary:
                yield Sentence(Sign.MOVE, unit, to=place, guessed=self._quoted(0, j), signless=True)

    def _predicate(self, sign: Sign, unit: UnitRef, i: int) -> Sentences:
        if sign in (Sign.HOLD, Sign.DISBAND, Sign.BUILD):
            yield from self._alone(sign, unit, i)
        elif sign is Sign.MOVE:
            yield from self._move(unit, i)
            for signs, j in self._signs(i):
                if Sign.BY_CONVOY in signs:
                    yield from self._by_convoy(unit, j)
        elif sign is Sign.BY_CONVOY:
            yield from self._by_convoy(unit, i)
        elif sign is Sign.RETREAT:
            yield from self._retreat(unit, i)
        elif sign is Sign.SUPPORT:
            yield from self._support(unit, i)
        elif sign is Sign.CONVOY:
            yield from self._convoy(unit, i)

    # predicates

    def _alone(self, sign: Sign, unit: UnitRef, i: int) -> Sentences:
        """A sign with nothing behind it; or a hold with the unit's own place (`A Lvp stays in Liverpool`)."""
        if i == self.end:
            yield Sentence(sign, unit)
            return
        for place, j in self.place(i + (self.tokens[i].key in INTO)) if sign is Sign.HOLD else ():
            if j == self.end and not set(unit.place.codes).isdisjoint(place.codes):
                yield Sentence(sign, unit)
        self._fail(i, "end", unit, sign)

    def _move(self, unit: UnitRef, i: int, path: tuple[PlaceRef, ...] = (), marker: str = "") -> Sentences:
        self._fail(i, "place", unit, Sign.MOVE)
        if not path and any(Sign.HOLD in signs and j == self.end for signs, j in self._signs(i)):
            yield Sentence(Sign.HOLD, unit)
        for place, j in self.place(i):
            for found, seas, k in self._marker(j):
                written = marker or found
                if k == self.end:
                    yield Sentence(Sign.MOVE, unit, to=place, marker=written, path=path or seas)
                    continue
                self._fail(k, "end", unit, Sign.MOVE)
                for after in self._steps(k):
                    yield from self._move(unit, after, (*path, place), written)

    def _steps(self, i: int) -> Iterator[int]:
        """Where the next place of a path begins."""
        for signs, j in self._signs(i):
            if Sign.MOVE in signs:
                yield j

    def _marker(self, i: int) -> Iterator[tuple[str, tuple[PlaceRef, ...], int]]:
        """By convoy, with or without the seas; then nothing."""
        for signs, j in self._signs(i):
            if Sign.BY_CONVOY in signs:
                seas, k = self._over(j)
                yield self._quoted(i, k), seas, k
                yield self._quoted(i, j), (), j
            elif Sign.CONVOY in signs and j == self.end and len(self.tokens[i].key) > 1:
                yield self._quoted(i, j), (), j
        yield "", (), i

    def _over(self, i: int) -> tuple[tuple[PlaceRef, ...], int]:
        """The places of a convoy's way, or the fleets by which it goes, and where they end."""
        seas: tuple[PlaceRef, ...] = ()
        if i < self.end and self.tokens[i].key in AGENTS:
            i += 1
        while i < self.end:
            start = self._skip(i + 1) if self.tokens[i].key in AND else i
            following = next(iter(self.unit(start)), None) if start < self.end else None
            if following is None:
                break
            seas, i = (*seas, following[0].place), following[1]
        return seas, i

    def _by_convoy(self, unit: UnitRef, i: int) -> Sentences:
        """A unit sent by convoy, the way written before the destination or not at all."""
        marker = self._quoted(i - 1, i)
        for start in (i, *self._steps(i)):
            yield from self._move(unit, start, marker=marker)
        seas, over = self._over(i)
        for start in self._steps(over) if seas else ():
            for sentence in self._move(unit, start, marker=marker):
                yield replace(sentence, path=sentence.path or seas)

    def _retreat(self, unit: UnitRef, i: int) -> Sentences:
        self._fail(i, "place", unit, Sign.RETREAT)
        for start in (i, *self._steps(i)):
            for place, j in self.place(start):
                if j == self.end:
                    yield Sentence(Sign.RETREAT, unit, to=place)
                else:
                    self._fail(j, "end", unit, Sign.RETREAT)

    def _support(self, unit: UnitRef, i: int) -> Sentences:
        self._fail(i, "other", unit, Sign.SUPPORT)
        yield from self._helped(Sign.SUPPORT, unit, i)
        for target, j in self.unit(i):
            if j == self.end:
                yield Sentence(Sign.SUPPORT, unit, target)
                continue
            self._fail(j, "end", unit, Sign.SUPPORT)
            for moved in self._supported(target, j):
                yield replace(moved, sign=Sign.SUPPORT, unit=unit, target=target)
            yield from self._beside(Sign.SUPPORT, unit, target, j)

    def _helped(self, sign: Sign, unit: UnitRef, i: int) -> Sentences:
        """Help told by what it is for: `support move to Bur from Par`, `support hold to Gas`."""
        for signs, j in self._signs(self._skip(i)):
            if Sign.HOLD in signs and sign is Sign.SUPPORT and j < self.end:
                for target, k in self.unit(j + (self.tokens[j].key in INTO)):
                    if k == self.end:
                        yield Sentence(sign, unit, target, closed=True)
            if Sign.MOVE in signs and j < self.end:
                yield from self._helped_away(sign, unit, j)

    def _helped_away(self, sign: Sign, unit: UnitRef, i: int) -> Sentences:
        """A place and the one from where; or the other way round, as `move from Par to Bur`."""
        for to, j in self.place(i):
            for target, k in self.unit(j) if j < self.end and self.tokens[j].key in FROM else ():
                if k == self.end:
                    yield Sentence(sign, unit, target, to)
        for target, j in self.unit(i) if self.tokens[i].key in FROM else ():
            for after in self._steps(j):
                for to, k in self.place(after):
                    if k == self.end:
                        yield Sentence(sign, unit, target, to)

    def _beside(self, sign: Sign, unit: UnitRef, target: UnitRef, i: int) -> Sentences:
        """Where the helped unit goes, right behind it (`support par bur`); its own place: it stays."""
        for to, j in self.place(i) if not self.loose and i < self.end else ():
            if j == self.end:
                stays = sign is Sign.SUPPORT and to.codes == target.place.codes
                yield Sentence(sign, unit, target, None if stays else to, closed=stays)

    def _supported(self, target: UnitRef, i: int) -> Sentences:
        """What the supported unit does: it moves, or stays whatever else it does there."""
        for signs, j in self._signs(i):
            for sign in signs:
                for order in self._predicate(sign, target, j):
                    if order.to and (
                        sign in (Sign.MOVE, Sign.BY_CONVOY) or (sign is Sign.CONVOY and not order.target)
                    ):
                        yield replace(order, marker="", path=())
                    elif order.sign is Sign.HOLD or sign in (Sign.HOLD, Sign.SUPPORT, Sign.CONVOY):
                        yield Sentence(Sign.SUPPORT, closed=True)

    def _convoy(self, unit: UnitRef, i: int) -> Sentences:
        """A fleet's convoy of a unit; or, with one place, the unit's own voyage."""
        self._fail(i, "other", unit, Sign.CONVOY)
        yield from self._helped(Sign.CONVOY, unit, i)
        for target, j in self.unit(i):
            yield from self._beside(Sign.CONVOY, unit, target, j)
            self._fail(j, "to", unit, Sign.CONVOY)
            for signs, k in self._signs(j):
                if Sign.MOVE in signs or Sign.BY_CONVOY in signs:
                    for order in self._predicate(Sign.MOVE, target, k):
                        yield replace(order, sign=Sign.CONVOY, unit=unit, target=target, marker="")
        for start in (i, *self._steps(i)):
            for place, j in self.place(start):
                if j == self.end:
                    yield Sentence(Sign.CONVOY, unit, to=place, marker=self._quoted(i - 1, i))

    # units and places

    def unit(self, i: int) -> Units:
        """A unit from token i, and where it ends."""
        self._reach(i, "unit")
        i = self._skip(i)
        kind, j = self._kind(i)
        for place, k in self.place(j):
            yield from self._with_power_behind(UnitRef(place, kind), k)
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

    def _with_power_behind(self, unit: UnitRef, i: int) -> Units:
        yield unit, i
        power = self._power(i)
        if power:
            yield unit._replace(power=power[0], power_text=power[2]), power[1]

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
        joined = j < self.end and self.tokens[j].key == DASH and self.tokens[j].tight
        if j < self.end - 1 and len(self.tokens[i].key) > 1 and self.tokens[j].key in INTO:
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

    def place(self, i: int) -> Places:
        """A place from token i with its coast, the longest name first."""
        self._reach(i, "place")
        self.patience -= 1
        if self.patience < 0:
            return
        i = self._skip(i)
        for place, j in self._named(i):
            for form, k in self._coast(place.codes, j):
                yield place._replace(coast=form), k
            yield place, j
        for size in (2, 1):
            form = " ".join(token.key for token in self.tokens[i : i + size])
            if len(form) > 1 and form in self.index.coasts:
                for place, j in self._named(self._skip(i + size)):
                    yield place._replace(coast=form), j

    def _named(self, i: int) -> Places:
        """The longest listed name, and before it, if loose, the longer beginnings of names."""
        for form, j in self._spans(i):
            codes = self.index.meaning(" ".join(form), self._letters(i, j))
            if codes:
                yield PlaceRef(codes, self._quoted(i, j)), j
                return
            guessed = self.index.guesses(form) if self.loose else ()
            if guessed:
                yield PlaceRef(guessed, self._quoted(i, j), guessed=True), j

    def _spans(self, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        """The words from token i that may be one name, the most words first; a tight dash may join two."""
        found: list[tuple[tuple[str, ...], int]] = []
        form: tuple[str, ...] = ()
        while i < self.end and len(form) < self.index.longest:
            token = self.tokens[i]
            i += 1
            if token.key == DASH:
                if not (form and token.tight):
                    break
                continue
            if not token.key[0].isalnum():
                break
            form = (*form, token.key)
            found.append((form, i))
        return reversed(found)

    def _coast(self, codes: tuple[str, ...], i: int) -> Iterator[tuple[str, int]]:
        j = i
        if j < self.end and self.tokens[j].key == DASH and self.tokens[j].tight:
            j += 1
        for size in (2, 1):
            form = " ".join(token.key for token in self.tokens[j : j + size])
            fits = j + size <= self.end and (j == i or len(form) > 1)
            if (
                fits
                and any(self.index.coast(code, form) for code in codes)
                and not self._supports(form, j + size)
                and not any(k > j + size for _, k in self._signs(j))
            ):
                yield form, j + size

    def _supports(self, form: str, i: int) -> bool:
        """Whether a letter that may be a coast (Spain s) stands before a unit's letter: then it is a sign."""
        return form in SIGNS and i < self.end and self.tokens[i].text.casefold() in self.index.kinds

    # words

    def _signs(self, i: int) -> Iterator[tuple[tuple[Sign, ...], int]]:
        """The signs that begin at token i, the longest phrase first."""
        for size in range(min(LONGEST_SIGN, self.end - i), 0, -1):
            signs = SIGNS.get(" ".join(token.key for token in self.tokens[i : i + size]))
            if signs and (size > 1 or self.tokens[i].text != "A" or self.shouted):
                yield signs, i + size

    def _skip(self, i: int) -> int:
        while i < self.end - 1 and self._is_link(i):
            i += 1
        return i + (0 < i < self.end - 1 and self.tokens[i - 1].key in UNITS and self.tokens[i].key == "a")

    def _is_link(self, i: int) -> bool:
        """Whether a word changes nothing; one that is a place too ("mon") does, but before "army"."""
        key = self.tokens[i].key
        return key in LINKS or (key in OWNERS and (key not in self.index.places or self._is_kind_word(i + 1)))

    def _letters(self, i: int, j: int) -> str:
        return "".join(token.text for token in self.tokens[i:j])

    def _quoted(self, i: int, j: int) -> str:
        return self.text[self.tokens[i].start : self.tokens[j - 1].end] if i < j else ""

    def _reach(self, i: int, wanted: str) -> None:
        if i > self.failure.at:
            self.failure = replace(self.failure, at=i, wanted=wanted)

    def _fail(self, i: int, wanted: str, unit: UnitRef | None = None, sign: Sign | None = None) -> None:
        if i >= self.failure.at:
            self.failure = Failure(i, wanted, unit, sign)
