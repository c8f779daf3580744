"""The legal orders of a phase, arranged for menus: one subject a unit or home centre, with its choices.

A subject is known by its province: a phase never orders two units of one province.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from talleyrand import notation
from talleyrand.engine.adjustments import AdjustmentCount
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    PoliticalOrder,
    Retreat,
    Support,
    Waive,
)
from talleyrand.engine.position import Unit, UnitName
from talleyrand.formats import question_input
from talleyrand.variants import Variant

Ordered = Hold | Move | Support | Convoy | Retreat | Disband | Build
# Units for each centre: no game has more than one, and to list what more may do takes long.
MOST_UNITS_A_CENTRE = 1.5
LONGEST_LABEL = 36  # letters that a phone 390 pixels wide shows in a menu


@dataclass(frozen=True)
class MenuOrder:
    """One legal order. `first_place` is the place it names first after the unit, `second_place` the next; ""
    where none.

    `short` is the label without the unit, which stands beside it, where the whole is too long for a phone.
    `needs_convoy` marks the convoy of an army that has no way by land.
    """

    order: str
    kind: str
    first_place: str
    second_place: str
    label: str
    needs_convoy: bool = False
    short: str = ""


@dataclass(frozen=True)
class MenuUnit:
    """What is ordered: `unit` in normal form ("" for a centre that may build)."""

    power: str
    province: str
    unit: str
    label: str
    groups: tuple[tuple[str, tuple[MenuOrder, ...]], ...]

    @property
    def choices(self) -> Iterator[MenuOrder]:
        return (choice for _title, group in self.groups for choice in group)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of its orders."""
        return frozenset(choice.kind for choice in self.choices)

    def options_html(self, given: str) -> SafeString:
        """The options of a `select` by their kinds, with the order `given` selected."""
        value = f'value="{escape(given)}"'
        found = self._options.replace(value, f"{value} selected", 1) if given else self._options
        return mark_safe(found)  # noqa: S308 every word of it is escaped

    @cached_property
    def _options(self) -> str:
        return "".join(
            f'<optgroup label="{escape(title)}" data-kind="{group[0].kind}">'
            f"{''.join(map(_option, group))}</optgroup>"
            for title, group in self.groups
        )


def _option(one: MenuOrder) -> str:
    needed = ' data-needed="1"' if one.needs_convoy else ""
    short = f' label="{escape(one.short)}"' if one.short else ""
    return f'<option value="{escape(one.order)}"{short}{needed}>{escape(one.label)}</option>'


@dataclass(frozen=True)
class PowerMenu:
    """The choices of one power. `adjustments_due` is what a winter owes it, where the centres are known."""

    power: str
    subjects: tuple[MenuUnit, ...]
    waivable_builds: int = 0
    adjustments_due: AdjustmentCount | None = None


def order_menus(question: Mapping[str, Any], language: str, power: str = "") -> tuple[PowerMenu, ...]:
    """That of `power`, or of every power, that has something to decide; raises TalleyrandError.

    Computed once for a position under a book, whatever the game. Where more units stand than any game has,
    they are listed without their choices.
    """
    told = {name: value for name, value in question.items() if name not in ("seed", "orders")}
    asked = json.dumps(told, sort_keys=True)
    return tuple(_menu(asked, one, language) for one in _choosers(asked) if power in ("", one))


@lru_cache(maxsize=256)
def _read_question(question: str) -> question_input.Question:
    return question_input.read_question(json.loads(question))


@lru_cache(maxsize=256)
def _choosers(question: str) -> tuple[str, ...]:
    asked = _read_question(question)
    setting, position = asked.variant.definition, asked.position
    return tuple(
        setting.rules_for(position.phase).powers_with_choices(
            setting.board, position, asked.rulebook.adjudication_rules
        )
    )


@lru_cache(maxsize=1792)  # of some 256 positions
def _menu(question: str, power: str, language: str) -> PowerMenu:
    asked = _read_question(question)
    setting, position = asked.variant.definition, asked.position
    if len(position.units) > MOST_UNITS_A_CENTRE * len(setting.board.centres):
        return _unlisted(asked, power, language)
    orders = setting.rules_for(position.phase).legal_orders(
        setting.board, position, power, asked.rulebook.adjudication_rules
    )
    return _arranged(asked, power, orders, language)


def _unlisted(asked: question_input.Question, power: str, language: str) -> PowerMenu:
    own = (unit for unit in _units(asked) if unit.power == power)
    subjects = (
        MenuUnit(power, unit.province, str(unit.name), unit_label(asked.variant, unit, language), ())
        for unit in own
    )
    return PowerMenu(power, tuple(subjects), adjustments_due=_due(asked, power))


def _arranged(
    asked: question_input.Question, power: str, orders: Iterable[Order], language: str
) -> PowerMenu:
    found: dict[str, list[Ordered]] = {}
    waives = 0
    for order in orders:
        if isinstance(order, Waive):
            waives += 1
        elif not isinstance(order, PoliticalOrder):
            found.setdefault(order.unit.province, []).append(order)
    standing = {unit.province: unit for unit in _units(asked) if unit.power == power}
    subjects = (
        _subject(asked.variant, power, province, standing.get(province), several, language)
        for province, several in found.items()
    )
    return PowerMenu(power, tuple(subjects), waives, _due(asked, power))


def _due(asked: question_input.Question, power: str) -> AdjustmentCount | None:
    position = asked.position
    if position.phase.kind != "A" or position.centres is None:
        return None
    return asked.variant.definition.adjustment_counts(position, asked.rulebook.adjudication_rules).get(power)


def _units(asked: question_input.Question) -> Iterator[Unit]:
    """The units under those who may order them."""
    led = asked.variant.definition.led_position(asked.position)
    yield from led.units
    yield from (fallen.unit for fallen in led.dislodged)


def _subject(
    variant: Variant, power: str, province: str, unit: Unit | None, orders: list[Ordered], language: str
) -> MenuUnit:
    built = all(isinstance(order, Build) for order in orders)
    names = variant.names(language)
    label = names.provinces[province].name if built or unit is None else unit_label(variant, unit, language)
    return MenuUnit(
        power, province, "" if built else str(orders[0].unit), label, _groups(variant, orders, language)
    )


def unit_label(variant: Variant, unit: Any, language: str) -> str:
    """ "Armée Paris": a unit by its kind and place."""
    names = variant.names(language)
    kind = names.units[unit.kind].name
    return f"{kind[:1].upper()}{kind[1:]} {names.location(unit.location)}"


def _groups(
    variant: Variant, orders: list[Ordered], language: str
) -> tuple[tuple[str, tuple[MenuOrder, ...]], ...]:
    titles = _titles()
    found: dict[str, list[MenuOrder]] = {}
    for order in orders:
        choice = _choice(variant, order, language)
        found.setdefault(choice.kind, []).append(choice)
    return tuple((titles[kind], tuple(found[kind])) for kind in titles if kind in found)


def _choice(variant: Variant, order: Ordered, language: str) -> MenuOrder:
    short = ""
    if isinstance(order, Build):
        label = unit_label(variant, order.unit, language)
    else:
        label = notation.write_order(order, variant, language, "full")
        if len(label) > LONGEST_LABEL:
            unit = f"{order.unit.kind} {variant.names(language).location(order.unit.location)} "
            short = label.removeprefix(unit) if label.startswith(unit) else ""
    needed = isinstance(order, Convoy) and not _by_land(variant, order.target, order.to)
    return MenuOrder(str(order), *_parts(variant, order), label, needed, short)


def _by_land(variant: Variant, unit: UnitName, to: str) -> bool:
    return province_of(to) in variant.board.adjacent_provinces[unit.kind].get(unit.location, frozenset())


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
        "guard": _("Support to hold"),
        "support": _("Support a move"),
        "convoy": _("Convoy"),
        "retreat": _("Retreat"),
        "disband": _("Disband"),
        "build": _("Build"),
    }
