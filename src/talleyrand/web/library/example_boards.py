"""Boards of the rule pages: examples and the demonstration game, judged and drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from talleyrand import drawing, notation, rulebooks, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.orders import Convoy, Move, Order, Retreat, Support
from talleyrand.formats import adjudication, position_json, question_input
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.variants import Variant
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.phase_maps import PhaseMap

from . import map_crops
from .rules_texts import demonstration_phases, rules_examples

Question = dict[str, Any]
Answer = dict[str, Any]


@dataclass(frozen=True)
class ExampleBoard:
    """A position with orders, under a book."""

    name: str
    question: Question
    adjudicated: AdjudicatedQuestion
    answer: Answer

    @property
    def variant(self) -> Variant:
        return self.adjudicated.question.variant

    def svg(self, language: str, *, solved: bool, whole: bool = False) -> str:
        """The part of the board that matters, with the orders or with what became of them."""
        outcome = self.adjudicated.turn.outcome
        drawn = drawing.draw_board(
            self.variant,
            self.adjudicated.question.position,
            verdicts=outcome.verdicts if solved else (),
            orders=_drawable(self.adjudicated.reading.orders()),
            contested=outcome.position_after.contested if solved else (),
            language=language,
            caption=False,
        )
        return drawn if whole else map_crops.crop_svg(drawn, map_crops.crop_box(self.variant, self._places()))

    def phase_map(self) -> PhaseMap:
        """The phase with what became of it, for a page."""
        outcome = self.adjudicated.turn.outcome
        orders = _drawable(self.adjudicated.reading.orders())
        position = self.adjudicated.question.position
        return PhaseMap(self.variant, position, orders, outcome.verdicts, outcome.position_after.contested)

    def _places(self) -> Iterator[str]:
        """Every location that the position, the orders and what became of them name."""
        position = self.adjudicated.question.position
        yield from (unit.location for unit in position.units)
        for fallen in position.dislodged:
            yield from (fallen.unit.location, fallen.by, *fallen.retreats)
        for orders in self.adjudicated.reading.orders().values():
            yield from (place for order in orders for place in _goals(order, self.variant))


def _drawable(orders: Mapping[str, Any]) -> dict[str, list[Order]]:
    return {power: [order for order in given if order.unit] for power, given in orders.items()}


def _goals(order: Order, variant: Variant) -> Iterator[str]:
    goal = order.to if isinstance(order, Move | Support | Convoy | Retreat) else None
    for place in (goal, order.unit.location if order.unit else None):
        if place in variant.board.locations:
            yield place


def adjudicate_example(name: str, question: Question) -> ExampleBoard:
    """Judge a question of ours; raises TalleyrandError for one that cannot be answered."""
    judged = adjudication.resolve_question(question_input.read_question(question))
    return ExampleBoard(name, question, judged, judged.answer())


@lru_cache(maxsize=512)
def example_board(name: str, book: str, language: str) -> ExampleBoard:
    """An example under a book, its lines as a player of this language writes them."""
    shown = rules_examples()[name]
    marked = rulebooks.load(book).value("land_or_sea_route") == "marker_required"
    return adjudicate_example(
        name, {"rulebook": book, **shown.position, "orders": shown.lines(language, marked=marked)}
    )


def captured_centres(board: ExampleBoard) -> list[tuple[str, str]]:
    """The centres that changed hands, each with its new owner."""
    before = _owners(board.question.get("centers"))
    after = _owners(board.answer.get("centers"))
    return [(code, power) for code, power in sorted(after.items()) if before and before.get(code) != power]


def eliminated_in_example(board: ExampleBoard) -> list[str]:
    """The powers that the phase put out of the game: those that had something before it."""
    held = [board.question.get(name) or {} for name in ("units", "dislodged", "centers")]
    return [power for power in board.answer.get("eliminated") or () if any(one.get(power) for one in held)]


def _owners(centres: Mapping[str, list[str]] | None) -> dict[str, str]:
    return {code: power for power, codes in (centres or {}).items() for code in codes}


@lru_cache(maxsize=16)
def demonstration_boards(book: str) -> tuple[ExampleBoard, ...]:
    """The demonstration game under a book, phase by phase."""
    variant = variants.load("classic")
    situation: Question | None = dict(position_json.write_position(variant.definition.start, variant.board))
    played: list[ExampleBoard] = []
    for number, stage in enumerate(demonstration_phases(), 1):
        assert situation is not None
        asked = adjudicator.make_question(variant.name, book, "", situation)
        orders = {power: list(lines) for power, lines in stage.orders.items()}
        board = adjudicate_example(f"stage-{number}", {**asked, "orders": orders})
        played.append(board)
        situation = adjudicator.situation_after(board.question, board.answer)
    return tuple(played)


def order_as_written(text: str, variant: Variant, language: str) -> str:
    """An order in normal form as it is written in a language; what a player wrote stays as it is."""
    try:
        return notation.write_order(notation.parse_normal(text), variant, language, "short")
    except TalleyrandError:
        return text


def board_by_name(name: str, book: str, language: str) -> ExampleBoard | None:
    """A board by its name: an example's, or `stage-1` for a phase of the demonstration game."""
    kind, _, number = name.partition("-")
    if kind == "stage" and number.isdecimal() and 1 <= int(number) <= len(demonstration_phases()):
        return demonstration_boards(book)[int(number) - 1]
    if name in rules_examples() and rules_examples()[name].applies_to(book):
        return example_board(name, book, language)
    return None
