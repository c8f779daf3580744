"""Whatever the judge finds on a random board can be said, whole, in both languages."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from talleyrand import messages, rulebooks, variants
from talleyrand.engine.orders import Build, Disband, Move, Order, Support
from talleyrand.engine.outcome import PhaseOutcome
from talleyrand.engine.position import Phase, Position, Unit, UnitName
from talleyrand.notation import ReadingContext, read_lines
from talleyrand.variants.variant_loader import Variant

SAMPLE, ALL = 5, 300


class Table:
    """A random game of one year on a variant, its powers few and its orders often related."""

    def __init__(self, variant: Variant, book: rulebooks.LoadedRulebook, chance: random.Random) -> None:
        self.variant, self.book, self.chance = variant, book, chance
        self.board = variant.board
        self.codes = variant.definition.calendar.cycle

    def year(self) -> Iterator[PhaseOutcome]:
        position = Position(self._phase("M"), self._units())
        for kind in "MRA":
            position = replace(position, phase=self._phase(kind))
            if kind == "A":
                position = self._thinned(position)
            rules = self.variant.definition.rules_for(position.phase)
            orders = {power: self._orders(position, power) for power in self.board.powers}
            outcome = rules.adjudicate(self.board, position, orders, self.book.adjudication_rules)
            yield outcome
            position = outcome.position_after

    def _phase(self, kind: str) -> Phase:
        season = next(code[0] for code in reversed(self.codes) if code[1] == kind)
        return Phase(season, 1901, kind)

    def _units(self) -> tuple[Unit, ...]:
        units: dict[str, Unit] = {}
        places = sorted(self.board.locations)
        for _ in range(len(places)):
            kind, place = self.chance.choice(sorted(self.board.kinds)), self.chance.choice(places)
            if self.board.can_stand(kind, place):
                power = self.chance.choice(self.board.powers[:4])
                units.setdefault(place.partition("/")[0], Unit(kind, place, power))
        return tuple(units.values())

    def _thinned(self, position: Position) -> Position:
        units = tuple(unit for unit in position.units if self.chance.random() < 0.5)
        centres: dict[str, list[str]] = {}
        for code in self.board.centres:
            centres.setdefault(self.chance.choice(self.board.powers), []).append(code)
        return replace(
            position, units=units, centres={power: tuple(codes) for power, codes in centres.items()}
        )

    def _orders(self, position: Position, power: str) -> list[Order]:
        rules = self.variant.definition.rules_for(position.phase)
        legal = list(rules.legal_orders(self.board, position, power, self.book.adjudication_rules))
        if position.phase.kind == "A":
            return [*self.chance.sample(legal, min(3, len(legal))), *self._wild(position)]
        by_unit: dict[object, list[Order]] = {}
        for order in legal:
            by_unit.setdefault(order.unit, []).append(order)
        chosen = [self.chance.choice(self._telling(orders)) for orders in by_unit.values()]
        return [*(order for order in chosen if self.chance.random() < 0.9), *self._wild(position)]

    def _telling(self, orders: list[Order]) -> list[Order]:
        """Attacks and their supports more often than not."""
        telling: list[Order] = [order for order in orders if isinstance(order, Move | Support)]
        return telling if telling and self.chance.random() < 0.8 else orders

    def _wild(self, position: Position) -> list[Order]:
        """Orders that nothing says to be possible."""
        kinds, places = sorted(self.board.kinds), sorted(self.board.locations)
        unit = UnitName(self.chance.choice(kinds), self.chance.choice(places))
        other = self.chance.choice(position.units).name if position.units else unit
        place = self.chance.choice(places)
        wild: list[Order] = [Build(unit), Disband(other), Move(other, place), Support(other, unit, place)]
        return self.chance.sample(wild, 2)


def check(text: str, variant: Variant, language: str) -> None:
    assert text[0].isupper()
    assert text.endswith((".", ")."))
    assert not re.search(r"[{}]|  | [,.]|\(\)|«\u00a0\u00a0»|“”", text), text
    codes = {place for place in variant.board.locations if len(place) > 2}
    assert not codes & set(re.findall(r"[A-Z]{3}(?:/[A-Z]{2})?", text)), text
    if language == "fr":
        assert not re.search(r"[^\u00a0][:;!?]", text), text


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("book", rulebooks.names())
@pytest.mark.parametrize("name", ["classic", "trio"])
def test_everything_is_said(name: str, book: str, language: str, seed: int, full: bool) -> None:
    variant, rules = variants.load(name), rulebooks.load(book)
    chance = random.Random(f"{seed} {name} {book}")
    for _ in range(ALL if full else SAMPLE):
        for outcome in Table(variant, rules, chance).year():
            for verdict in outcome.verdicts:
                check(messages.cause_sentence(verdict, variant, language, rules), variant, language)
            for refused in outcome.refused:
                check(messages.refusal_sentence(refused.refusal, variant, language), variant, language)


WORDS = (
    "A F flotte armée Par Paris Bou Liv Mar MAR Esp Spa Tyr Man Pic Bre StP cn /SC (cs) - > H S C T xxx via"
    " par convoi si puis et ; , ? construire retire D R B anglaise France Bourgone \x00 ’ é 1. disband"
)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("book", rulebooks.names())
def test_whatever_is_written_is_answered(book: str, language: str, seed: int, full: bool) -> None:
    variant, chance = variants.load("classic"), random.Random(f"{seed} {book}")
    context = ReadingContext(variant, variant.definition.start, "FRANCE", rulebooks.load(book), None)
    lines = [
        " ".join(chance.choices(WORDS.split(" "), k=chance.randint(0, 8)))
        for _ in range((ALL if full else SAMPLE) * 20)
    ]
    for line in read_lines(lines, context):
        for remark in line.notes:
            check_plain(messages.note_sentence(remark, variant, language))
        if line.refusal:
            check_plain(messages.refusal_sentence(line.refusal, variant, language))


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_blank_line_beyond_the_last_one_read_is_answered(language: str) -> None:
    variant = variants.load("classic")
    context = ReadingContext(variant, variant.definition.start, "FRANCE", rulebooks.load("anjou_feu"), None)
    last = read_lines(["A Par - Bou"] * 2000 + [""], context)[-1]
    assert last.refusal
    check_plain(messages.refusal_sentence(last.refusal, variant, language))


def check_plain(text: str) -> None:
    assert text[0].isupper() or text[0] in "«“"
    assert text.endswith(".")
    assert not re.search(r"[{}]|  |\(\)|«\u00a0\u00a0»|“”", text), text
    assert text.replace("\u00a0", " ").isprintable()
