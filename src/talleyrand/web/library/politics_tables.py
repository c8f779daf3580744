"""What a variant's own rules tell of a phase (`Politics.minutes`), as tables in the reader's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from talleyrand import notation
from talleyrand.engine.protocols import Minutes, Phrase
from talleyrand.variants import Variant
from talleyrand.web.boards import picture, wording

Shown = dict[str, Any]
Asked = Mapping[str, Any]


def of_phase(variant: Variant, question: Asked, answer: Asked) -> list[Shown]:
    """What a phase that was judged did in politics; nothing in a variant without any."""
    return _tables(variant, question.get("politics") or {}, answer.get("politics") or {})


def of_situation(variant: Variant, situation: Asked) -> list[Shown]:
    """What is known of politics before a phase."""
    return _tables(variant, {}, situation.get("politics") or {})


def _tables(variant: Variant, before: Asked, told: Asked) -> list[Shown]:
    politics = variant.setting.politics
    return [_table(variant, one) for one in politics.minutes(before, told)] if politics else []


def told_by_line(answer: Asked) -> Shown:
    """An answer whose orders to no unit are called by the line as it was written."""
    orders: Iterable[Asked] = answer["orders"]
    named = [one if one.get("unit") else {**one, "order": None, "unit": one["line"]} for one in orders]
    return {**answer, "orders": named}


def _table(variant: Variant, table: Minutes) -> Shown:
    return {
        "code": table.code,
        "title": _word(variant, table.code),
        "folded": table.folded,
        "columns": [_word(variant, column) for column in table.columns],
        "rows": [[_cell(variant, cell) for cell in row] for row in table.rows],
    }


def _word(variant: Variant, code: str) -> str:
    return variant.sentence(wording.language(), "minutes", code)


def _cell(variant: Variant, cell: Phrase | str | int) -> Shown:
    """A cell: its text, and whether that is a number."""
    if isinstance(cell, Phrase):
        blanks = {name: _blank(variant, name, said) for name, said in cell.blanks.items()}
        return {"text": _word(variant, cell.code).format_map(blanks)}
    if isinstance(cell, int):
        return {"text": str(cell).replace("-", "−"), "number": True}
    return {"text": wording.power(variant, cell), "code": cell} if cell else {"text": ""}


def _blank(variant: Variant, name: str, value: Any) -> str:
    names = variant.names(wording.language())
    if name == "state" and value in names.powers:
        return f"{names.powers[value].article}{names.powers[value].name}"
    if name == "place":
        return names.location(value)
    if name == "unit" and value:
        return picture.unit_words(variant, value)
    if name == "orders":
        return " / ".join(_order(variant, order) for order in value)
    if name == "names":
        return ", ".join(_word(variant, code.lower()) or code for code in value)
    return str(value)


def _order(variant: Variant, order: str) -> str:
    return notation.write(notation.parse_normal(order), variant, wording.language(), "short")
