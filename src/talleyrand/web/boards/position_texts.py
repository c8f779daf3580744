"""A position and its orders as a person writes them, in the form that `formats.plain` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from talleyrand import variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.phase_heading_parser import read_phase_heading
from talleyrand.formats.plain_text import read_game_text
from talleyrand.variants import Variant

from . import display_names
from .adjudicator import Answer, Lines, Question

# Words of the form, which is read in both languages; no sentences, so not in the catalogue.
POSITION_WORDS: Mapping[str, Mapping[str, str]] = {
    "fr": {
        "variant": "variante",
        "rulebook": "livre",
        "seed": "graine",
        "phase": "phase",
        "contested": "contestées",
        "absent": "absents",
        "torn": "arrachées",
        "passive": "éliminées",
        "first_year": "première année",
        "centres_to_win": "centres pour gagner",
        "units": "Positions",
        "centers": "Centres",
        "dislodged": "Délogées",
        "by": "par",
        "convoy": "par convoi",
    },
    "en": {
        "variant": "variant",
        "rulebook": "rulebook",
        "seed": "seed",
        "phase": "phase",
        "contested": "contested",
        "absent": "absent",
        "torn": "torn",
        "passive": "eliminated",
        "first_year": "first year",
        "centres_to_win": "centres to win",
        "units": "Positions",
        "centers": "Centres",
        "dislodged": "Dislodged",
        "by": "by",
        "convoy": "by convoy",
    },
}


def position_text(fields: Mapping[str, Any]) -> str:
    """A position, with its variant and rulebook."""
    variant = variants.load(str(fields["variant"]))
    settings = {name: str(fields[name]) for name in ("variant", "rulebook")}
    return "\n".join([*setting_lines(settings), *position_lines(fields, variant)]) + "\n"


def question_text(question: Question, orders: Lines) -> str:
    """A phase with its orders: a text, or JSON where no text would be read as the same question."""
    text = _as_text(question, orders)
    asked = {**question, "orders": {power: list(lines) for power, lines in orders.items() if power}}
    if _says(text, asked):
        return text
    return json.dumps(asked, ensure_ascii=False, indent=1) + "\n"


def _as_text(question: Question, orders: Lines) -> str:
    variant = variants.load(str(question["variant"]))
    settings = {name: str(question[name]) for name in ("variant", "rulebook", "seed") if question.get(name)}
    settings |= _power_lists(variant, question, "absent", "torn")
    lines = [
        *setting_lines(settings),
        *position_lines(question, variant),
        "",
        phase_heading_text(variant, question["phase"]),
    ]
    for power, sheet in orders.items():
        if power and sheet:
            lines += [display_names.power_name(variant, power).upper(), *sheet]
    return "\n".join(lines) + "\n"


def _power_lists(variant: Variant, fields: Mapping[str, Any], *names: str) -> dict[str, str]:
    """The powers of some fields in words, of those that have any."""
    return {
        name: ", ".join(display_names.power_name(variant, power) for power in fields[name])
        for name in names
        if fields.get(name)
    }


def _says(text: str, asked: Mapping[str, Any]) -> bool:
    """Whether a text is read as a question; the retreats of dislodged units follow from the rest."""
    try:
        read = read_game_text(text)
        found = read.question()
    except TalleyrandError:
        return False
    return not read.lines_without_power and _essence(found) == _essence(asked)


def _essence(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in asked.items() if _plain(value)}


def _plain(value: Any) -> Any:
    """A value without what is empty, and in no order but that of orders."""
    if isinstance(value, Mapping):
        kept = {name: _plain(part) for name, part in value.items() if name != "retreats"}
        return {name: part for name, part in kept.items() if part}
    return list(map(_plain, value)) if isinstance(value, list) else value


def setting_lines(values: Mapping[str, str]) -> Iterator[str]:
    words = POSITION_WORDS[display_names.reader_language()]
    return (f"{words[name]} : {value}" for name, value in values.items())


def position_lines(fields: Mapping[str, Any], variant: Variant) -> Iterator[str]:
    words = POSITION_WORDS[display_names.reader_language()]
    yield from setting_lines(_power_lists(variant, fields, "passive"))
    numbers = ("first_year", "centres_to_win")
    yield from setting_lines({name: str(fields[name]) for name in numbers if fields.get(name)})
    yield f"{words['phase']} : {fields['phase']}"
    if fields.get("contested"):
        yield f"{words['contested']} : {', '.join(_place(variant, code) for code in fields['contested'])}"
    yield from _section(variant, words["units"], _units_json(variant, fields.get("units"), _unit))
    yield from _section(variant, words["centers"], _units_json(variant, fields.get("centers"), _place))
    if any((fields.get("dislodged") or {}).values()):
        yield from _section(variant, words["dislodged"], _units_json(variant, fields["dislodged"], _fallen))


def _units_json(variant: Variant, held: Any, name: Any) -> dict[str, list[str]] | None:
    """Places and units in words; None where the position does not tell them."""
    if held is None:
        return None
    return {power: [name(variant, one) for one in several] for power, several in held.items() if several}


def _section(variant: Variant, title: str, held: Mapping[str, list[str]] | None) -> Iterator[str]:
    if held is not None:
        yield from ("", title)
        yield from (
            f"{display_names.power_name(variant, power)} : {', '.join(names)}"
            for power, names in held.items()
        )


def _place(variant: Variant, location: str) -> str:
    """The full name: abbreviations mean different places in different lists."""
    return variant.names(display_names.reader_language()).location(location).replace(",", "")


def _unit(variant: Variant, unit: str) -> str:
    kind, _, location = unit.partition(" ")
    return f"{kind} {_place(variant, location)}"


def _fallen(variant: Variant, one: Mapping[str, Any]) -> str:
    words = POSITION_WORDS[display_names.reader_language()]
    convoyed = f" ({words['convoy']})" if one.get("convoyed") else ""
    return f"{_unit(variant, one['unit'])} {words['by']} {_place(variant, one['by'])}{convoyed}"


def resolved_orders_text(
    variant: Variant, power: str, lines: Sequence[str], answer: Answer, remarks: Sequence[str] = ()
) -> Iterator[str]:
    """A power’s sheet of a phase under its name, with what became of it as remarks; nothing without any."""
    entries = [entry for entry in answer["orders"] if entry["power"] == power]
    if not entries and not lines:
        return
    yield display_names.power_name(variant, power).upper()
    yield from (f"// {remark}" for remark in remarks)
    yield from lines
    yield from (
        f"// {_became(entry, variant)}" for entry in entries if entry.get("results") or entry.get("error")
    )


def _became(entry: Mapping[str, Any], variant: Variant) -> str:
    tongue = display_names.reader_language()
    what = entry.get("order") or entry.get("line") or entry.get("unit") or ""
    came = ", ".join(display_names.result_name(code, variant) for code in entry.get("results") or ())
    said = entry["error"]["message"] if entry.get("error") else entry.get("why") or {}
    return " ".join(f"{what} : {came}. {said.get(tongue, '')}".split())


def phase_heading_text(variant: Variant, phase: str) -> str:
    written = display_names.phase_name(variant, phase)
    return written if str(read_phase_heading(written, variant)) == phase else phase
