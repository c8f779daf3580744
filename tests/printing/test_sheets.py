"""Forms and maps on paper: what stands on them, for every variant, in both languages."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from talleyrand import drawing, rulebooks, variants
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit
from talleyrand.printing import map_sheets, order_sheets, pdf
from talleyrand.printing.order_sheets import OrderSheet

makes = pytest.mark.skipif(not pdf.is_available(), reason="the extra “pdf” or its system library is missing")
says = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is missing")
CLASSIC = variants.load("classic")
RULES = rulebooks.load("anjou_feu").adjudication_rules
FLEET = Unit("F", "STP/SC", "RUSSIA")


def lines(position: Position, power: str, language: str = "fr", naming: str = "anjou_feu") -> tuple[str, ...]:
    return order_sheets.sheet_lines(CLASSIC, position, power, RULES, language, naming)


def in_phase(phase: str, **changes: Any) -> Position:
    return replace(CLASSIC.definition.start, phase=Phase.parse(phase), **changes)


def fetch(url: str) -> tuple[bytes, str]:
    return pdf.font_file(url.removeprefix("font:"))


def words(content: bytes, tmp_path: Path) -> list[str]:
    file = tmp_path / "paper.pdf"
    file.write_bytes(content)
    told = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, check=True).stdout
    return told.decode().split("\f")[:-1]


class TestLines:
    def test_a_line_for_each_unit_in_the_abbreviations_in_use(self) -> None:
        start = CLASSIC.definition.start
        assert lines(start, "RUSSIA") == ("A Mos", "F Sev", "F StP (cs)", "A War", "", "")
        assert lines(start, "RUSSIA", naming="classic_fr")[3] == "A Var"
        assert lines(start, "RUSSIA", "en", "judge")[2] == "F STP (sc)"

    def test_dislodged_units_alone_in_retreats(self) -> None:
        fallen = DislodgedUnit(FLEET, "LVN", retreats=("FIN",))
        assert lines(in_phase("S1901R", dislodged=(fallen,)), "RUSSIA") == ("F StP (cs)", "", "")

    def test_as_many_lines_as_builds_or_removals(self) -> None:
        units = tuple(unit for unit in CLASSIC.definition.start.units if unit.power != "FRANCE")
        assert lines(in_phase("W1901A", units=units), "FRANCE") == ("",) * 5
        more = (*CLASSIC.definition.start.units, Unit("A", "BEL", "FRANCE"))
        assert lines(in_phase("W1901A", units=more), "FRANCE") == ("",) * 3

    def test_who_has_nothing_to_decide_has_a_blank_form(self) -> None:
        assert lines(in_phase("W1901A"), "FRANCE") == ("",) * order_sheets.BLANK_LINES


@pytest.mark.parametrize("language", variants.LANGUAGES)
@pytest.mark.parametrize("name", variants.playable_names())
def test_every_place_has_its_abbreviation(name: str, language: str) -> None:
    variant = variants.load(name)
    naming = variant.naming[language]
    listed = order_sheets.list_abbreviations(variant, language, naming)
    shorts = [one.short for one in listed]
    assert len(set(shorts)) == len(shorts) == len(variant.board.provinces.keys() | variant.board.locations)
    assert sum(one.is_centre for one in listed) == len(variant.board.centres)


@makes
@says
def test_a_page_for_each_sheet(tmp_path: Path) -> None:
    begun = lines(CLASSIC.definition.start, "RUSSIA")
    sheets = [
        OrderSheet("Russie", "#aaaaff", "Une partie <&>", "printemps 1901", begun),
        OrderSheet("France", "#3333ff", "", "", ("",) * 4),
    ]
    listed = order_sheets.list_abbreviations(CLASSIC, "fr", "anjou_feu")
    html = order_sheets.order_sheets_html(sheets, listed, "A armée, F flotte", "Feuilles", "fr")
    first, second = words(pdf.html_to_pdf(html, fetch), tmp_path)
    for said in ("Russie", "Une partie <&>", "Printemps 1901", "F StP (cs)", "Saint-Pétersbourg", "A armée"):
        assert said in first
    assert "Printemps" in second
    assert "Automne" in second


@makes
@pytest.mark.parametrize("paper", map_sheets.PAPER_SIZES)
def test_a_map_fills_its_sheet(paper: str, tmp_path: Path) -> None:
    file = tmp_path / "map.pdf"
    svg = drawing.draw_empty_board(variants.load("trio"), "en")
    html = map_sheets.map_sheet_html(svg, paper, "Trio", "en")
    file.write_bytes(
        pdf.html_to_pdf(
            html, lambda url: pdf.board_vector(svg) if url == "board:" else pdf.font_file(url[5:])
        )
    )
    told = subprocess.run(["pdfinfo", file], capture_output=True, check=True).stdout.decode()
    facts = dict(line.split(":", 1) for line in told.splitlines() if ":" in line)
    sizes = {round(float(one) / 72 * 25.4) for one in facts["Page size"].split() if one[0].isdigit()}
    assert sizes == set(map_sheets.PAPER_SIZES[paper])
    assert facts["Pages"].strip() == "1"
    assert b"/Subtype /Image" not in file.read_bytes()  # lines, as large as one likes


def test_names_stand_above_their_rims() -> None:
    """What paints a rim over its letters would paint them out."""
    drawn = pdf.board_vector(drawing.draw_empty_board(CLASSIC, "fr"))[0].decode()
    assert drawn.count(">PARIS</text>") == 2
    assert drawn.index('class="bare"') < drawn.rindex(">PARIS</text>")


def test_a_board_on_paper_is_for_any_printer() -> None:
    drawn = drawing.apply_style(drawing.draw_empty_board(CLASSIC, "fr"), map_sheets.BLANK_STYLE)
    assert 'data-names="off"' in drawn
    assert "#ffffff" in drawn
