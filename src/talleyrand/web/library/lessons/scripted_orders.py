"""Powers played by lists of wishes: the first wish that is legal for each unit, and nothing clever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from talleyrand.engine.board import province_of
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Question

ScriptedPreferences = Mapping[str, tuple[str, ...]]


def scripted_orders(question: Question, wishes: ScriptedPreferences, without: str) -> dict[str, list[str]]:
    """The orders of every power but one. A unit that has no legal wish holds; a dislodged one retreats."""
    return {
        power: _chosen(question, power, legal, wishes.get(power, ()))
        for power, legal in adjudicator.legal_orders(question).items()
        if power != without
    }


def _chosen(question: Question, power: str, legal: list[str], wishes: Iterable[str]) -> list[str]:
    phase = question["phase"]
    wished = _first_for_each([wish for wish in wishes if wish in legal])
    if phase.endswith("A"):
        return list(wished.values())[: max(_balance(question, power), 0)]
    if phase.endswith("R"):
        return list(_retreats(legal, wished).values())
    return list(wished.values())


def _first_for_each(orders: Iterable[str]) -> dict[str, str]:
    """The first of several orders for each province."""
    found: dict[str, str] = {}
    for order in orders:
        found.setdefault(_province(order), order)
    return found


def _province(order: str) -> str:
    return province_of(order.split()[1])


def _retreats(legal: Iterable[str], wished: Mapping[str, str]) -> dict[str, str]:
    """Each dislodged unit to the first place that no other one takes."""
    found = dict(wished)
    for order in legal:
        taken = {province_of(one.split()[-1]) for one in found.values()}
        if " R " in order and _province(order) not in found and province_of(order.split()[-1]) not in taken:
            found[_province(order)] = order
    return found


def _balance(question: Question, power: str) -> int:
    """Centres above units; missing removals are left to the judge."""
    return len(question["centers"].get(power, ())) - len(question["units"].get(power, ()))
