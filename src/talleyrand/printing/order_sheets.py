"""Forms for orders on paper: sheets that name a power's units, slips that serve for any phase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from string import Template

from talleyrand import notation
from talleyrand.drawing.png import BOARD_FONTS, FALLBACK_FAMILY
from talleyrand.drawing.svg_markup import element, escape_text
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.variants import Variant
from talleyrand.variants.variant_loader import french_sort_key

from . import pdf
from .history_pdf import printing_sentence

PAPER_FONTS = (*BOARD_FONTS, "DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
SPARE_LINES = 2  # below those of the units, for corrections
BLANK_LINES = 11  # of a form that names no unit
LATER_LINES = 2  # of a slip, for the retreats and adjustments that follow
COLUMNS, DENSE_COLUMNS, MANY = 5, 6, 120  # of the list of abbreviations, and of one as long as that


@dataclass(frozen=True)
class OrderSheet:
    """What a form names: the power, who plays it where, and the phase, "" for any; `lines` begin with a unit,
    or are blank."""

    power: str
    colour: str
    about: str
    phase: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Abbreviation:
    """A province or coast of the list: what is written for it, its name, whether it is a centre."""

    short: str
    name: str
    is_centre: bool


def sheet_lines(
    variant: Variant, position: Position, power: str, rules: Rulebook, language: str, naming: str
) -> tuple[str, ...]:
    """The beginnings of the lines that a power has to write in a phase, and some blank ones."""
    if position.phase.kind == "M":
        units = [unit.name for unit in position.units if unit.power == power]
    elif position.phase.kind == "R":
        units = [fallen.unit.name for fallen in position.dislodged if fallen.unit.power == power]
    else:
        units = []
    named = [notation.write_unit(unit, variant, language, naming) for unit in units]
    if position.phase.kind == "A":
        count = variant.definition.adjustment_counts(position, rules).get(power)
        named = [""] * max(count.possible, count.removals) if count else []
    return (*named, *[""] * SPARE_LINES) if named else ("",) * BLANK_LINES


def list_abbreviations(variant: Variant, language: str, naming: str) -> tuple[Abbreviation, ...]:
    """The abbreviations of a profile of names, in the order of the names in a language."""
    names, board = variant.names(language), variant.board
    places = [
        place
        for code, one in board.provinces.items()
        for place in (code, *(f"{code}/{c}" for c in one.coasts))
    ]
    found = (
        Abbreviation(
            notation.write_place(place, variant, language, naming),
            names.location(place),
            "/" not in place and board.provinces[place].centre,
        )
        for place in places
    )
    return tuple(sorted(found, key=lambda one: french_sort_key(one.name)))


def order_sheets_html(
    sheets: Sequence[OrderSheet], listed: Sequence[Abbreviation], kinds: str, title: str, language: str
) -> str:
    """A page of A4 for each sheet, the abbreviations below its lines; `kinds` explains the unit letters."""
    say = partial(printing_sentence, language)
    key = _abbreviations(listed, kinds, say("abbreviations")) if listed else ""
    pages = (
        element(
            "section", _head(sheet), _phase(sheet, language), *map(_line, sheet.lines), key, class_="leaf"
        )
        for sheet in sheets
    )
    return _page(pages, title, language, "@page { size: A4; margin: 13mm 14mm 10mm }")


def order_slips_html(sheets: Iterable[OrderSheet], title: str, language: str) -> str:
    """Slips that serve for any phase, for `html_to_pdf` with `filled_forms`: the form, then each head."""
    say = partial(printing_sentence, language)
    lines = [_line("")] * BLANK_LINES
    then = element("p", escape_text(say("then")), class_="then") + _line("") * LATER_LINES
    blank = OrderSheet("", "", "")
    form = element("section", _phase(blank, language), *lines, then, class_="slip form")
    heads = (element("section", _head(sheet), class_="slip") for sheet in sheets)
    return _page((form, *heads), title, language, "@page { size: 105mm 148mm; margin: 0 }")


def _page(parts: Iterable[str], title: str, language: str, size: str) -> str:
    style = f"<style>\n{pdf.font_faces(PAPER_FONTS)}\n{SHEET_CSS}\n{size}\n</style>"
    head = element("meta", charset="utf-8") + element("title", escape_text(title)) + style
    whole = element("head", head) + element("body", *parts)
    return f"<!doctype html>\n{element('html', whole, lang=language)}\n"


def _head(sheet: OrderSheet) -> str:
    swatch = element("span", "", class_="swatch", style=f"background: {sheet.colour}")
    name = element("h2", swatch, escape_text(sheet.power))
    return name + element("p", escape_text(sheet.about), class_="who")


def _phase(sheet: OrderSheet, language: str) -> str:
    if sheet.phase:
        return element(
            "p", element("strong", escape_text(sheet.phase[:1].upper() + sheet.phase[1:])), class_="season"
        )
    say, box = partial(printing_sentence, language), element("span", "", class_="box")
    year = element("span", "\u00a0", class_="year")
    seasons = (box, escape_text(say("spring")), " ", box, escape_text(say("autumn")), year)
    return element("p", *seasons, class_="season")


def _line(begun: str) -> str:
    return element("div", element("b", escape_text(begun)) if begun else "", class_="line")


def _abbreviations(listed: Sequence[Abbreviation], kinds: str, told: str) -> str:
    columns = COLUMNS if len(listed) < MANY else DENSE_COLUMNS
    rows = -(-len(listed) // columns)
    cells = (
        element("td", "<br>".join(map(_abbreviation, listed[at : at + rows])))
        for at in range(0, len(listed), rows)
    )
    note = element("p", escape_text(told), " ", escape_text(kinds), class_="note")
    size = "key dense" if len(listed) >= MANY else "key"
    return element("div", note, element("table", element("tr", *cells)), class_=size)


def _abbreviation(one: Abbreviation) -> str:
    return element("b", escape_text(one.short)) + escape_text(f" {one.name}{' •' if one.is_centre else ''}")


SHEET_CSS = Template(resources.files(__package__).joinpath("order_sheets.css").read_text("utf-8")).substitute(
    family=FALLBACK_FAMILY
)
