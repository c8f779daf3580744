"""The map of a phase: inline for the page, or a file to keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString, mark_safe

from talleyrand import drawing, notation
from talleyrand.engine import game as engine_game
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import Verdict
from talleyrand.engine.position import Position
from talleyrand.formats import asking
from talleyrand.variants import Variant

from . import wording
from .referee import Question

if TYPE_CHECKING:
    from .board import Desk


@dataclass(frozen=True)
class Sketch:
    """What is drawn."""

    variant: Variant
    position: Position
    orders: Mapping[str, list[Order]]
    verdicts: tuple[Verdict, ...] = ()
    contested: frozenset[str] = frozenset()

    def svg(self, *, caption: bool) -> str:
        return drawing.draw(
            self.variant,
            self.position,
            verdicts=self.verdicts,
            orders=self.orders,
            contested=self.contested,
            language=wording.language(),
            caption=caption,
        )


def sketch(desk: Desk) -> Sketch:
    """A phase played with its results, an open one with the orders given, or the end of a game."""
    if desk.turn and desk.question:
        return _played(desk.question, desk.turn.answer)
    if desk.question:
        return Sketch(desk.variant, _position(desk.question), _given(desk))
    return Sketch(desk.variant, _position(_end(desk)), {})


def _position(question: Question) -> Position:
    return asking.read_question(dict(question)).position


def _played(question: Question, answer: Mapping[str, Any]) -> Sketch:
    """The phase judged once more, for its verdicts as values: by the orders that counted, even supplied."""
    asked = asking.read_question(dict(question))
    orders: dict[str, list[Order]] = {}
    for entry in answer["orders"]:
        if entry.get("order") and not entry.get("error"):
            orders.setdefault(entry["power"], []).append(notation.parse_normal(entry["order"]))
    outcome = engine_game.play(asked.variant.setting, asked.position, orders, asked.book.judge).outcome
    return Sketch(asked.variant, asked.position, orders, outcome.verdicts, outcome.after.contested)


def _given(desk: Desk) -> dict[str, list[Order]]:
    orders: dict[str, dict[str, Order]] = {}
    for reading in desk.readings:
        if reading.given and reading.order != "WAIVE":
            orders.setdefault(reading.power, {})[reading.province] = notation.parse_normal(reading.order)
    return {power: list(given.values()) for power, given in orders.items()}


def _end(desk: Desk) -> Question:
    last = desk.game.turns.last()
    answer: Mapping[str, Any] = last.answer if last else {}
    phase = answer.get("phase") or desk.game.start["phase"]
    kept = {name: answer[name] for name in ("units", "centers") if answer.get(name) is not None}
    return {"variant": desk.game.variant, "rulebook": desk.game.rulebook, "phase": phase, **kept}


def inline(desk: Desk, nonce: str) -> SafeString:
    """The map as part of a page, its style sheet let through the content policy by the nonce."""
    svg = sketch(desk).svg(caption=False)
    # Drawn by `drawing`, which escapes every word; nothing else of the visitor's is in it.
    return mark_safe(for_page(svg, nonce))  # noqa: S308


def for_page(svg: str, nonce: str) -> str:
    """The drawing for eyes only: what it shows is said beside it in words."""
    return svg.replace("<style>", f'<style nonce="{nonce}">', 1).replace(
        "<svg ", '<svg aria-hidden="true" ', 1
    )


def changing_layers(desk: Desk) -> dict[str, str]:
    """The layers that orders in preparation change."""
    drawn = sketch(desk)
    layers = drawing.layers(drawn.variant, drawn.position, orders=drawn.orders, language=wording.language())
    return {"layer-orders": layers.orders, "layer-marks": layers.marks}


def order_label(variant: Variant, order: str | None, unit: str) -> str:
    """An order in full words."""
    if not order:
        return unit_words(variant, unit)
    return notation.write(notation.parse_normal(order), variant, wording.language(), "full")


def unit_words(variant: Variant, unit: str) -> str:
    """ "Armée Paris"; what is no unit of the variant stays as it is."""
    kind, _, place = unit.partition(" ")
    names = variant.names(wording.language())
    if kind not in names.units or place not in variant.board.locations:
        return unit
    name = names.units[kind].name
    return f"{name[:1].upper()}{name[1:]} {names.location(place)}"
