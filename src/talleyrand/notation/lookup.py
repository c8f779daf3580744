"""What a variant's own words may ask of the reader: names, and orders to units (`engine.protocols`)."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.engine.board import province_of
from talleyrand.engine.errors import Refusal
from talleyrand.engine.game import Movement
from talleyrand.engine.position import Position
from talleyrand.engine.protocols import Understood

from .context import Context, Line
from .lexer import MAX_LINE, clean, fold, squeezed, words
from .named import places_named
from .reader import Reader


def own_line(text: str, number: int, context: Context) -> Line | None:
    """A line in the words of the variant's own rules, held against them; None where it is in none."""
    setting = context.variant.setting
    if setting.politics is None or len(squeezed(text)) > MAX_LINE:
        return None
    found = setting.politics.line(setting.board, context.position, context.power, text, _Names(context))
    if found is None:
        return None
    order, refusal, notes = found
    if order is not None and refusal is None and context.power is not None:
        judge = context.book.judge
        checked = context.rules.check(setting.board, context.position, context.power, order, judge)
        if isinstance(checked, Refusal):
            refusal = checked
        else:
            order = checked
    return Line(text, number, order, order.unit if order else None, refusal, notes)


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
        return self.context.index.powers.get(" ".join(words(text)))

    def province(self, text: str) -> str | None:
        places = places_named(text, self.context.variant, self.context.naming)
        codes = set(map(province_of, places))
        return codes.pop() if len(codes) == 1 else None

    def order(self, text: str, position: Position, power: str) -> Understood:
        asked = replace(self.context, position=position, power=power, rules_asked=Movement())
        line = Reader(asked, text, 0, suggest=False).line()
        return Understood(line.order, line.refusal, line.notes)
