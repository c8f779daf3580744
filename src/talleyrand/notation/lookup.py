"""What a variant's own words may ask of the reader: names, and orders to units (`engine.protocols`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from talleyrand.engine.board import province_of
from talleyrand.engine.errors import NotUnderstood, Refusal
from talleyrand.engine.game import Movement
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position
from talleyrand.engine.protocols import Understood

from .context import Context, Line
from .lexer import MAX_LINE, clean, fold, squeezed, words
from .named import places_named
from .reader import Reader
from .suggestions import unlikeness
from .vocabulary import unled

FARTHEST_NAME = 0.4
"""How much of a name may differ, letter by letter, where it is told what it may have been."""

LONGEST_OWN = 8 * MAX_LINE
"""Letters of a line in a variant's own words, which may hold an order for each of many units."""

NAME_STEPS, NEAR_STEPS, ORDER_STEPS = 5, 3, 10  # of effort: to find a name, to measure one, to read an order


def own_line(text: str, number: int, context: Context) -> Line | None:
    """A line in the words of the variant's own rules, held against them; None where it is in none."""
    setting = context.variant.setting
    if setting.politics is None or len(squeezed(text)) > LONGEST_OWN:
        return None
    found = setting.politics.line(setting.board, context.position, context.power, text, _Names(context))
    return None if found is None else _held(found, text, number, context)


def own_slip(text: str, number: int, context: Context) -> Line | None:
    """Why a line that nobody could read is none in the words of the variant's own rules."""
    setting = context.variant.setting
    if setting.politics is None or len(squeezed(text)) > MAX_LINE:
        return None
    found = setting.politics.slip(setting.board, context.position, context.power, text, _Names(context))
    return None if found is None else _held(found, text, number, context)


def _held(found: Understood, text: str, number: int, context: Context) -> Line:
    """A line held against the rules; of one not understood the nearest is told, if it is lawful."""
    order, refusal, notes = found
    if isinstance(refusal, NotUnderstood):
        lawful = order is not None and not isinstance(_checked(order, context), Refusal)
        refusal = replace(refusal, nearest=str(order)) if lawful else refusal
        return Line(text, number, refusal=refusal, notes=notes)
    if order is not None and refusal is None:
        checked = _checked(order, context)
        refusal = checked if isinstance(checked, Refusal) else None
        order = order if isinstance(checked, Refusal) else checked
    return Line(text, number, order, order.unit if order else None, refusal, notes)


def _checked(order: Order, context: Context) -> Order | Refusal:
    if context.power is None:
        return order
    board, judge = context.variant.setting.board, context.book.judge
    return context.rules.check(board, context.position, context.power, order, judge)


def read_line(text: str, context: Context, *, suggest: bool = True) -> Line:
    """One order, in the variant's own words too; for one that is refused the nearest legal order, if
    `suggest`.

    Raises UnknownName (`unknown_naming`) and BadPosition (`unknown_phase`), nothing else.
    """
    return own_line(text, 1, context) or Reader(context, text, 1, suggest=suggest).line()


class _Names:
    """The names of one context."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def plain(self, text: str) -> str:
        return fold(clean(text)).upper()

    def power(self, text: str) -> str | None:
        powers = self.context.index.powers
        return powers.get(" ".join(words(text))) or powers.get(" ".join(unled(text)))

    def province(self, text: str) -> str | None:
        if not self._may(NAME_STEPS):
            return None
        places = places_named(text, self.context.variant, self.context.naming, exact=True)
        codes = set(map(province_of, places))
        return codes.pop() if len(codes) == 1 else None

    def nearest(self, text: str, among: Iterable[str]) -> str | None:
        key, index, wanted = " ".join(words(text)), self.context.index, set(among)
        if not key or not self._may(NAME_STEPS * len(wanted) // 8):
            return None
        places = wanted & index.board.provinces.keys()
        forms = [(form, code) for form, code in index.powers.items() if code in wanted]
        forms += [(form, code) for code in places for form in index.forms(code)]
        like = [(form, code) for form, code in forms if _may_be(key, form)]
        near = sorted({(unlikeness(key, form), code) for form, code in like if self._may(NEAR_STEPS)})
        if not near or near[0][0] > FARTHEST_NAME:
            return None
        tied = {code for price, code in near if price == near[0][0]}
        return near[0][1] if len(tied) == 1 else None

    def order(self, text: str, position: Position, power: str) -> Understood:
        if not self._may(ORDER_STEPS + min(len(text), MAX_LINE) // 2):
            return Understood(None)
        asked = replace(self.context, position=position, power=power, rules_asked=Movement())
        line = Reader(asked, text, 0, suggest=False).line()
        return Understood(line.order, line.refusal, line.notes)

    def _may(self, steps: int) -> bool:
        """Whether so much may still be done; where it may not, no more of the question is read."""
        allowed = self.context.effort.allows(steps)
        if not allowed:
            self.context.effort.left = 0
        return allowed


def _may_be(written: str, form: str) -> bool:
    """Whether two words have enough letters in common to be like each other."""
    longer = max(len(written), len(form))
    return len(set(written) & set(form)) * 2 >= min(len(set(written)), len(set(form))) and (
        abs(len(written) - len(form)) <= FARTHEST_NAME * longer
    )
