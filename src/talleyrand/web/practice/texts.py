"""A game or a position as a person writes it, in the form that `formats.plain` reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from talleyrand import variants
from talleyrand.formats.headings import read_heading
from talleyrand.variants import Variant
from talleyrand.web.boards import wording
from talleyrand.web.boards.drafts import NOBODY

from .models import PracticeGame, PracticeTurn
from .records import first_position

# Words of the form, which is read in both languages; no sentences, so not in the catalogue.
WORDS: Mapping[str, Mapping[str, str]] = {
    "fr": {
        "variant": "variante",
        "rulebook": "livre",
        "seed": "graine",
        "phase": "phase",
        "contested": "contestées",
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
        "units": "Positions",
        "centers": "Centres",
        "dislodged": "Dislodged",
        "by": "by",
        "convoy": "by convoy",
    },
}


def as_text(game: PracticeGame) -> str:
    """The sheets of a game under their headings, with the results as remarks."""
    variant = variants.load(game.variant)
    begun = game.start != first_position(variant)
    lines = list(_settings({"variant": game.variant, "rulebook": game.rulebook, "seed": game.seed}))
    lines += _position(game.start, variant) if begun else []
    for turn in game.turns.all():
        lines += ["", _heading(variant, turn.phase), *turn.orders.get(NOBODY, [])]
        for power in variant.board.powers:
            lines += _sheet(variant, turn, power)
    return "\n".join(lines) + "\n"


def position_text(fields: Mapping[str, Any]) -> str:
    """A position, with its variant and rulebook."""
    variant = variants.load(str(fields["variant"]))
    settings = {name: str(fields[name]) for name in ("variant", "rulebook")}
    return "\n".join([*_settings(settings), *_position(fields, variant)]) + "\n"


def _settings(values: Mapping[str, str]) -> Iterator[str]:
    words = WORDS[wording.language()]
    return (f"{words[name]} : {value}" for name, value in values.items())


def _position(fields: Mapping[str, Any], variant: Variant) -> Iterator[str]:
    words = WORDS[wording.language()]
    yield f"{words['phase']} : {fields['phase']}"
    if fields.get("contested"):
        yield f"{words['contested']} : {', '.join(_place(variant, code) for code in fields['contested'])}"
    yield from _section(variant, words["units"], _named(variant, fields.get("units"), _unit))
    yield from _section(variant, words["centers"], _named(variant, fields.get("centers"), _place))
    if any((fields.get("dislodged") or {}).values()):
        yield from _section(variant, words["dislodged"], _named(variant, fields["dislodged"], _fallen))


def _named(variant: Variant, held: Any, name: Any) -> dict[str, list[str]] | None:
    """Places and units in words; None where the position does not tell them."""
    if held is None:
        return None
    return {power: [name(variant, one) for one in several] for power, several in held.items() if several}


def _section(variant: Variant, title: str, held: Mapping[str, list[str]] | None) -> Iterator[str]:
    if held is not None:
        yield from ("", title)
        yield from (f"{wording.power(variant, power)} : {', '.join(names)}" for power, names in held.items())


def _place(variant: Variant, location: str) -> str:
    """The full name: abbreviations mean different places in different lists."""
    return variant.names(wording.language()).location(location)


def _unit(variant: Variant, unit: str) -> str:
    kind, _, location = unit.partition(" ")
    return f"{kind} {_place(variant, location)}"


def _fallen(variant: Variant, one: Mapping[str, Any]) -> str:
    words = WORDS[wording.language()]
    convoyed = f" ({words['convoy']})" if one.get("convoyed") else ""
    return f"{_unit(variant, one['unit'])} {words['by']} {_place(variant, one['by'])}{convoyed}"


def _heading(variant: Variant, phase: str) -> str:
    written = wording.phase(variant, phase)
    return written if str(read_heading(written, variant)) == phase else phase


def _sheet(variant: Variant, turn: PracticeTurn, power: str) -> Iterator[str]:
    entries = [entry for entry in turn.answer["orders"] if entry["power"] == power]
    if not entries and not turn.orders.get(power):
        return
    yield wording.power(variant, power).upper()
    yield from turn.orders.get(power, [])
    yield from (f"// {_remark(entry)}" for entry in entries if entry.get("results") or entry.get("error"))


def _remark(entry: Mapping[str, Any]) -> str:
    tongue = wording.language()
    what = entry.get("order") or entry.get("line") or entry.get("unit") or ""
    came = ", ".join(wording.result(code) for code in entry.get("results") or ())
    said = entry["error"]["message"] if entry.get("error") else entry.get("why") or {}
    return " ".join(f"{what} : {came}. {said.get(tongue, '')}".split())
