"""What a variant's own words may ask of the reader: names, and orders to units
(`engine.politics_protocol`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from talleyrand.engine.board import province_of
from talleyrand.engine.errors import OrderNotUnderstood, OrderRefusal
from talleyrand.engine.game import MovementRules
from talleyrand.engine.orders import Order
from talleyrand.engine.politics_protocol import UnderstoodLine
from talleyrand.engine.position import Position

from .lexer import MAX_LINE, clean_line, fold_accents, folded_words, squeeze_blanks
from .line_diagnosis import letter_difference
from .name_lookup import find_places
from .order_reader import OrderReader
from .reading_context import OrderLine, ReadingContext
from .vocabulary import without_article

MAX_NAME_DIFFERENCE = 0.4
"""How much of a name may differ, letter by letter, where it is told what it may have been."""

MAX_VARIANT_LINE = 8 * MAX_LINE
"""Letters of a line in a variant's own words, which may hold an order for each of many units."""

NAME_STEPS, NEAREST_STEPS, ORDER_STEPS = (
    5,
    3,
    10,
)  # of effort: to find a name, to measure one, to read an order


def read_variant_line(text: str, number: int, context: ReadingContext) -> OrderLine | None:
    """A line in the words of the variant's own rules, held against them; None where it is in none."""
    setting = context.variant.definition
    if setting.politics is None or len(squeeze_blanks(text)) > MAX_VARIANT_LINE:
        return None
    found = setting.politics.read_line(
        setting.board, context.position, context.power, text, _VariantNameLookup(context)
    )
    return None if found is None else _held(found, text, number, context)


def variant_line_problem(text: str, number: int, context: ReadingContext) -> OrderLine | None:
    """Why a line that nobody could read is none in the words of the variant's own rules."""
    setting = context.variant.definition
    if setting.politics is None or len(squeeze_blanks(text)) > MAX_LINE:
        return None
    found = setting.politics.explain_unread_line(
        setting.board, context.position, context.power, text, _VariantNameLookup(context)
    )
    return None if found is None else _held(found, text, number, context)


def _held(found: UnderstoodLine, text: str, number: int, context: ReadingContext) -> OrderLine:
    """A line held against the rules; of one not understood the nearest is told, if it is lawful."""
    order, refusal, notes = found
    if isinstance(refusal, OrderNotUnderstood):
        lawful = order is not None and not isinstance(_checked(order, context), OrderRefusal)
        refusal = replace(refusal, nearest_order=str(order)) if lawful else refusal
        return OrderLine(text, number, refusal=refusal, notes=notes)
    if order is not None and refusal is None:
        checked = _checked(order, context)
        refusal = checked if isinstance(checked, OrderRefusal) else None
        order = order if isinstance(checked, OrderRefusal) else checked
    return OrderLine(text, number, order, order.unit if order else None, refusal, notes)


def _checked(order: Order, context: ReadingContext) -> Order | OrderRefusal:
    if context.power is None:
        return order
    board, judge = context.variant.definition.board, context.rulebook.adjudication_rules
    return context.rules.check_order(board, context.position, context.power, order, judge)


def read_line(text: str, context: ReadingContext, *, suggest: bool = True) -> OrderLine:
    """One order, in the variant's own words too; for one that is refused the nearest legal order, if
    `suggest`.

    Raises UnknownName (`unknown_naming`) and InvalidPosition (`unknown_phase`), nothing else.
    """
    return read_variant_line(text, 1, context) or OrderReader(context, text, 1, suggest=suggest).line()


class _VariantNameLookup:
    """The names of one context."""

    def __init__(self, context: ReadingContext) -> None:
        self.context = context

    def plain(self, text: str) -> str:
        return fold_accents(clean_line(text)).upper()

    def power(self, text: str) -> str | None:
        powers = self.context.index.powers
        return powers.get(" ".join(folded_words(text))) or powers.get(" ".join(without_article(text)))

    def province(self, text: str) -> str | None:
        if not self._may(NAME_STEPS):
            return None
        places = find_places(text, self.context.variant, self.context.naming, exact=True)
        codes = set(map(province_of, places))
        return codes.pop() if len(codes) == 1 else None

    def nearest(self, text: str, among: Iterable[str]) -> str | None:
        key, index, wanted = " ".join(folded_words(text)), self.context.index, set(among)
        if not key or not self._may(NAME_STEPS * len(wanted) // 8):
            return None
        places = wanted & index.board.provinces.keys()
        forms = [(form, code) for form, code in index.powers.items() if code in wanted]
        forms += [(form, code) for code in places for form in index.forms_of_province(code)]
        like = [(form, code) for form, code in forms if _may_be(key, form)]
        near = sorted(
            {(letter_difference(key, form), code) for form, code in like if self._may(NEAREST_STEPS)}
        )
        if not near or near[0][0] > MAX_NAME_DIFFERENCE:
            return None
        tied = {code for price, code in near if price == near[0][0]}
        return near[0][1] if len(tied) == 1 else None

    def order(self, text: str, position: Position, power: str) -> UnderstoodLine:
        if not self._may(ORDER_STEPS + min(len(text), MAX_LINE) // 2):
            return UnderstoodLine(None)
        asked = replace(self.context, position=position, power=power, rules_override=MovementRules())
        line = OrderReader(asked, text, 0, suggest=False).line()
        return UnderstoodLine(line.order, line.refusal, line.notes)

    def _may(self, steps: int) -> bool:
        """Whether so much may still be done; where it may not, no more of the question is read."""
        allowed = self.context.effort.try_spend(steps)
        if not allowed:
            self.context.effort.remaining = 0
        return allowed


def _may_be(written: str, form: str) -> bool:
    """Whether two words have enough letters in common to be like each other."""
    longer = max(len(written), len(form))
    return len(set(written) & set(form)) * 2 >= min(len(set(written)), len(set(form))) and (
        abs(len(written) - len(form)) <= MAX_NAME_DIFFERENCE * longer
    )
