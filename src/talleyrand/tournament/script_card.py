"""The orders of a power that plays by a script, in words: the card beside the board, and what it does now.

The script itself is the variant's; here it is only asked and written down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from talleyrand import notation, rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.orders import Disband, Order
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.engine.scripted_rules import ScriptedRules
from talleyrand.formats.json_checks import InvalidQuestion
from talleyrand.formats.plain_text import read_game_text
from talleyrand.formats.question_input import Question, read_question
from talleyrand.messages.tournament_sentences import TOURNAMENT_SENTENCES
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.variants import Variant

BOOK = "anjou_feu"
SHORT, FULL = "short", "full"


@dataclass(frozen=True)
class CardSection:
    """A part of the card: when, and the orders; or remarks, under no title."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ScriptOrder:
    """An order: as a sheet has it, and in full."""

    short: str
    full: str


def powers(variant: str) -> tuple[str, ...]:
    """The powers of a variant that play by a script; none for what the judge does not know."""
    known = variant in variants.playable_names()
    return variants.load(variant).definition.scripted_powers if known else ()


def script_card(variant: str, language: str) -> tuple[CardSection, ...]:
    """The whole script as a card: the first year season by season, every later one, and what else to know.

    Raises ActRefused (`act_no_script`) for a variant that has none.
    """
    loaded = _scripted(variant)
    return (*_first_year(loaded, language), _ever_after(loaded, language), _remarks(language))


def script_orders(
    variant: str, phase: str, units: str, language: str, centres: str = "", rulebook: str = BOOK
) -> tuple[ScriptOrder, ...]:
    """What the power does in a phase, from its units as somebody types them: "F Con, A Bul, A Ank".

    `centres` are those it owns, for winters. In a retreat phase the units typed are the dislodged ones. No
    order: nothing to do. Raises TalleyrandError for what is not understood.
    """
    loaded = _scripted(variant)
    if phase.endswith("A") and not centres.strip():
        raise InvalidQuestion(
            "field_missing", field="centers"
        )  # without them every unit would be one too many
    asked = _question(loaded, phase, units, centres, rulebook)
    return tuple(_script_order(loaded, order, language) for order in _orders(asked))


def _scripted(variant: str) -> Variant:
    loaded = variants.load(variant)
    if not loaded.definition.scripted_powers:
        raise ActRefused("act_no_script", variant=variant)
    return loaded


def _question(loaded: Variant, phase: str, units: str, centres: str, rulebook: str) -> Question:
    power = loaded.names("en").powers[loaded.definition.scripted_powers[0]].name
    lines = ["Units", f"{power}:", *_lines(units), "Centres", f"{power}:", *_lines(centres)]
    told = read_game_text("\n".join(lines), loaded).question()
    return read_question(told | {"variant": loaded.name, "phase": phase, "rulebook": rulebook})


def _lines(typed: str) -> list[str]:
    """What somebody types, without line ends that would begin another section."""
    return [" ".join(typed.split())] if typed.strip() else []


def _orders(asked: Question) -> Iterator[Order]:
    position, book = asked.position, asked.rulebook.adjudication_rules
    power, board = asked.variant.definition.scripted_powers[0], asked.variant.board
    rules = _rules(asked.variant, position.phase)
    if position.phase.kind == "R":
        yield from (Disband(unit.name) for unit in position.units if unit.power == power)
        return
    yield from rules.script(board, position, book)
    if position.phase.kind == "A":
        verdicts = rules.adjudicate(board, position, {}, book).verdicts
        gone = (one for one in verdicts if one.power == power and OrderResult.REMOVED in one.results)
        yield from (Disband(one.unit) for one in gone)


def _rules(loaded: Variant, phase: Phase) -> ScriptedRules:
    rules = loaded.definition.rules_for(phase)
    assert isinstance(rules, ScriptedRules)
    return rules


def _script_order(loaded: Variant, order: Order, language: str) -> ScriptOrder:
    short, full = (notation.write_order(order, loaded, language, style) for style in (SHORT, FULL))
    return ScriptOrder(short, full)


# the card


def _first_year(loaded: Variant, language: str) -> Iterator[CardSection]:
    for position in _alone(loaded):
        orders = _script(loaded, position)
        lines = tuple(notation.write_order(one, loaded, language, SHORT) for one in orders)
        season, year = loaded.season(position.phase, language), position.phase.year
        yield CardSection(f"{season[:1].upper()}{season[1:]} {year}", lines)


def _ever_after(loaded: Variant, language: str) -> CardSection:
    last = _alone(loaded)[-1]
    phase = Phase(loaded.definition.start.phase.season, last.phase.year + 1, "M")
    built = [Unit(*order.unit, _power(loaded)) for order in _script(loaded, last) if order.unit]
    wall = replace(last, phase=phase, units=(*last.units, *built))
    lines = tuple(_line(loaded, wall, unit, language) for unit in wall.units)
    return CardSection(TOURNAMENT_SENTENCES.say(language, "script.after"), lines)


def _line(loaded: Variant, wall: Position, unit: Unit, language: str) -> str:
    """A unit's order among all, and the one it has instead once the others are gone."""
    both = [
        notation.write_order(order, loaded, language, SHORT)
        for units in (wall.units, (unit,))
        for order in _script(loaded, replace(wall, units=units))
        if order.unit == unit.name
    ]
    first, alone = both
    return (
        first if first == alone else TOURNAMENT_SENTENCES.say(language, "script.or", order=first, other=alone)
    )


def _remarks(language: str) -> CardSection:
    codes = ("dislodged", "elsewhere", "builds", "removals")
    return CardSection("", tuple(TOURNAMENT_SENTENCES.say(language, f"script.{code}") for code in codes))


def _script(loaded: Variant, position: Position) -> Sequence[Order]:
    rules = _rules(loaded, position.phase)
    return tuple(rules.script(loaded.board, position, rulebooks.load(BOOK).adjudication_rules))


def _power(loaded: Variant) -> str:
    return loaded.definition.scripted_powers[0]


@cache
def _alone(loaded: Variant) -> tuple[Position, ...]:
    """The power's first year by itself, nobody standing in its way: spring, autumn, winter."""
    power, book = _power(loaded), rulebooks.load(BOOK).adjudication_rules
    start = loaded.definition.start
    position = replace(start, units=tuple(unit for unit in start.units if unit.power == power))
    found = []
    while position.phase.kind == "M" and position.phase.year == start.phase.year:
        found.append(position)
        outcome = _rules(loaded, position.phase).adjudicate(loaded.board, position, {}, book)
        position = replace(outcome.position_after, phase=_next(loaded, position.phase))
    owned = game.capture_centres(loaded.board, position, book)
    return (*found, replace(owned, phase=Phase("W", start.phase.year, "A")))


def _next(loaded: Variant, phase: Phase) -> Phase:
    """The movement phase that follows."""
    following = loaded.definition.calendar.next_phase(phase)
    while following.kind != "M":
        following = loaded.definition.calendar.next_phase(following)
    return following
