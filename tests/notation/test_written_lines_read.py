"""Every line written by hand is read as its author says, through the door that games use.

A line is asked as a sheet of one line. Its accepted orders are compared, and the kind of its refusal.
Beside an order the refusal of what depends on something is allowed: "A Mun - Ber; sinon A Mun H" is
A MUN - BER. That two orders for one unit annul each other is settled after reading.
"""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.formats import adjudication
from tests.notation.written_lines import THEMES, Written, scenes, written_lines

LANGUAGES = [language for language in ("fr", "en") if any(scenes(language))]
SETTLED_LATER = ("multiple_orders", "surplus")


def entries(line: Written) -> list[dict[str, Any]]:
    """What `talleyrand read` says of the line."""
    answer: Any = adjudication.read_question_orders(question(line))
    assert "error" not in answer, answer
    return [entry for entry in answer["orders"] if entry["line_no"] is not None]


def question(line: Written) -> dict[str, Any]:
    """The line as the whole sheet of its power."""
    context = line.context
    position = context.position
    units: dict[str, list[str]] = {}
    dislodged: dict[str, list[dict[str, Any]]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    for fallen in position.dislodged:
        entry = {"unit": str(fallen.unit), "by": fallen.by, "retreats": list(fallen.retreats)}
        dislodged.setdefault(fallen.unit.power, []).append(entry)
    asked: dict[str, Any] = {
        "phase": str(position.phase),
        "units": units,
        "dislodged": dislodged,
        "naming": context.naming,
    }
    asked |= {"contested": sorted(position.contested), "rulebook": context.rulebook.name}
    if position.centres is not None:
        asked["centers"] = {power: list(codes) for power, codes in position.centres.items()}
    return {**asked, "orders": {context.power: [line.text]}}


def outcome(line: Written) -> tuple[tuple[str, ...], set[str]]:
    """The orders accepted, and the kinds of the refusals."""
    found = entries(line)
    kinds = {id(entry): (entry["error"] or {}).get("kind") for entry in found}
    accepted = [entry for entry in found if entry["order"] and kinds[id(entry)] in (None, *SETTLED_LATER)]
    refused = {kind for kind in kinds.values() if kind not in (None, *SETTLED_LATER)}
    return tuple(str(entry["order"]) for entry in accepted), refused


def passes(line: Written) -> bool:
    """Whether the line is read as expected."""
    orders, refused = outcome(line)
    if line.refused is not None:
        return not orders and refused == {line.refused}
    return orders == line.orders and refused <= ({"conditional"} if line.orders else set())


@pytest.mark.one_in(4)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_read(language: str, theme: str) -> None:
    lines = [line for line in written_lines(language) if line.theme == theme]
    assert lines
    for line in lines:
        orders, refused = outcome(line)
        assert passes(line), f"{line}: read as {orders or refused}, not {line.orders or line.refused}"
