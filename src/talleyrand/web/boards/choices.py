"""The legal orders of a phase, arranged for menus: one subject a unit or home centre, with its choices.

A subject is known by its province: a phase never orders two units of one province.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import notation
from talleyrand.engine.balances import Balance
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Measure,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from talleyrand.engine.position import Unit, UnitName
from talleyrand.formats import asking
from talleyrand.variants import Variant

Ordered = Hold | Move | Support | Convoy | Retreat | Disband | Build
# Units for each centre: no game has more than one, and to list what more may do takes long.
CROWDED = 1.5


@dataclass(frozen=True)
class Choice:
    """One legal order. `at` is the place it names first after the unit, `to` the next; "" where none.

    `needed` marks the convoy of an army that has no way by land.
    """

    order: str
    kind: str
    at: str
    to: str
    label: str
    needed: bool = False


@dataclass(frozen=True)
class Subject:
    """What is ordered: `unit` in normal form ("" for a centre that may build)."""

    power: str
    province: str
    unit: str
    label: str
    groups: tuple[tuple[str, tuple[Choice, ...]], ...]

    @property
    def choices(self) -> Iterator[Choice]:
        return (choice for _title, group in self.groups for choice in group)


@dataclass(frozen=True)
class Menu:
    """The choices of one power. `due` is what a winter owes it, where the centres are known."""

    power: str
    subjects: tuple[Subject, ...]
    waives: int = 0
    due: Balance | None = None


def menus(question: Mapping[str, Any], language: str, power: str = "") -> tuple[Menu, ...]:
    """That of `power`, or of every power, that has something to decide; raises TalleyrandError.

    Computed once for a position under a book, whatever the game. Where more units stand than any game has,
    they are listed without their choices.
    """
    told = {name: value for name, value in question.items() if name not in ("seed", "orders")}
    asked = json.dumps(told, sort_keys=True)
    return tuple(_menu(asked, one, language) for one in _choosers(asked) if power in ("", one))


@lru_cache(maxsize=256)
def _read(question: str) -> asking.Question:
    return asking.read_question(json.loads(question))


@lru_cache(maxsize=256)
def _choosers(question: str) -> tuple[str, ...]:
    asked = _read(question)
    setting, position = asked.variant.setting, asked.position
    return tuple(setting.rules(position.phase).choosers(setting.board, position, asked.book.judge))


@lru_cache(maxsize=1792)  # of some 256 positions
def _menu(question: str, power: str, language: str) -> Menu:
    asked = _read(question)
    setting, position = asked.variant.setting, asked.position
    if len(position.units) > CROWDED * len(setting.board.centres):
        return _unlisted(asked, power, language)
    orders = setting.rules(position.phase).options(setting.board, position, power, asked.book.judge)
    return _arranged(asked, power, orders, language)


def _unlisted(asked: asking.Question, power: str, language: str) -> Menu:
    own = (unit for unit in _units(asked) if unit.power == power)
    subjects = (
        Subject(power, unit.province, str(unit.name), unit_label(asked.variant, unit, language), ())
        for unit in own
    )
    return Menu(power, tuple(subjects), due=_due(asked, power))


def _arranged(asked: asking.Question, power: str, orders: Iterable[Order], language: str) -> Menu:
    found: dict[str, list[Ordered]] = {}
    waives = 0
    for order in orders:
        if isinstance(order, Waive):
            waives += 1
        elif not isinstance(order, Measure):
            found.setdefault(order.unit.province, []).append(order)
    standing = {unit.province: unit for unit in _units(asked) if unit.power == power}
    subjects = (
        _subject(asked.variant, power, province, standing.get(province), several, language)
        for province, several in found.items()
    )
    return Menu(power, tuple(subjects), waives, _due(asked, power))


def _due(asked: asking.Question, power: str) -> Balance | None:
    position = asked.position
    if position.phase.kind != "A" or position.centres is None:
        return None
    return asked.variant.setting.balances(position, asked.book.judge).get(power)


def _units(asked: asking.Question) -> Iterator[Unit]:
    yield from asked.position.units
    yield from (fallen.unit for fallen in asked.position.dislodged)


def _subject(
    variant: Variant, power: str, province: str, unit: Unit | None, orders: list[Ordered], language: str
) -> Subject:
    built = all(isinstance(order, Build) for order in orders)
    names = variant.names(language)
    label = names.provinces[province].name if built or unit is None else unit_label(variant, unit, language)
    return Subject(
        power, province, "" if built else str(orders[0].unit), label, _groups(variant, orders, language)
    )


def unit_label(variant: Variant, unit: Any, language: str) -> str:
    """ "Armée Paris": a unit by its kind and place."""
    names = variant.names(language)
    kind = names.units[unit.kind].name
    return f"{kind[:1].upper()}{kind[1:]} {names.location(unit.location)}"


def _groups(
    variant: Variant, orders: list[Ordered], language: str
) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    titles = _titles()
    found: dict[str, list[Choice]] = {}
    for order in orders:
        choice = _choice(variant, order, language)
        found.setdefault(choice.kind, []).append(choice)
    return tuple((titles[kind], tuple(found[kind])) for kind in titles if kind in found)


def _choice(variant: Variant, order: Ordered, language: str) -> Choice:
    if isinstance(order, Build):
        label = unit_label(variant, order.unit, language)
    else:
        label = notation.write(order, variant, language, "full")
    needed = isinstance(order, Convoy) and not _by_land(variant, order.target, order.to)
    return Choice(str(order), *_parts(variant, order), label, needed)


def _by_land(variant: Variant, unit: UnitName, to: str) -> bool:
    return province_of(to) in variant.board.reach[unit.kind].get(unit.location, frozenset())


def _parts(variant: Variant, order: Ordered) -> tuple[str, str, str]:
    """The kind of an order and the places it names after the unit."""
    if isinstance(order, Move):
        return ("move" if _by_land(variant, order.unit, order.to) and not order.via else "via"), order.to, ""
    if isinstance(order, Support):
        return ("support" if order.to else "guard"), order.target.location, order.to or ""
    if isinstance(order, Convoy):
        return "convoy", order.target.location, order.to
    place = (
        order.to if isinstance(order, Retreat) else order.unit.location if isinstance(order, Build) else ""
    )
    return type(order).__name__.lower(), place, ""


def _titles() -> dict[str, str]:
    return {
        "hold": _("Hold"),
        "move": _("Move"),
        "via": _("Move by convoy"),
        "guard": _("Support in place"),
        "support": _("Support an attack"),
        "convoy": _("Convoy"),
        "retreat": _("Retreat"),
        "disband": _("Disband"),
        "build": _("Build"),
    }
