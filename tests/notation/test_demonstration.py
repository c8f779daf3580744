"""The demonstration game of the classic rules, read as printed and with what was meant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from talleyrand import rulebooks, variants
from talleyrand.engine.game import play_phase
from talleyrand.engine.position import Position
from talleyrand.notation import OrderLine, ReadingContext, read_lines, split_sheet

CLASSIC = variants.load("classic")
BOOK = rulebooks.load("anjou_feu")
PAGE = (Path(__file__).parent / "sheets" / "demonstration.txt").read_text("utf-8")

END = """
    AUSTRIA A BUD, A SER, A TRI, A VIE, F GRE   ENGLAND A STP, F BAR, F LON, F NTH, F NWY
    FRANCE A GAS, A PAR, A SPA, F MAR, F PIC    GERMANY A BEL, A BUR, A KIE, A MUN, F DEN, F HOL
    ITALY A PIE, A VEN, F LYO, F MAO            RUSSIA A MOS, A SEV, A UKR, F SWE
    TURKEY A ARM, A BUL, A RUM, F BLA, F SMY
"""


def test_with_what_was_meant_the_game_ends_as_told() -> None:
    lines, last = _game(meant=True)
    units = sorted(f"{unit.power} {unit}" for unit in last.units)
    assert units == sorted(_units(END))
    refused = {line.text: str(line.refusal.code) for line in lines if line.refusal}
    assert refused == {
        "F Pie-Bel": "foreign_unit",
        "F Pie S A Bou-Bel": "foreign_unit",
        "A Seb-Nge": "no_chain",
    }


def test_each_misprint_is_told() -> None:
    lines, _ = _game(meant=True)
    told = {line.text: line for line in lines if line.refusal or line.notes}
    assert set(told) == {"F Edi-Nrv", "F Pie-Bel", "A Seb-Nge", "A Hol S A Bel", "F Pie S A Bou-Bel"}
    assert str(told["F Edi-Nrv"].order) == "F EDI - NWG"
    assert str(told["A Hol S A Bel"].order) == "F HOL S A BEL"
    assert [note.kind for note in told["A Hol S A Bel"].notes] == ["letter_corrected"]
    assert _nearest(told["F Pie-Bel"]) == "F PIC - BEL"
    assert _nearest(told["F Pie S A Bou-Bel"]) == "F PIC S A BUR - BEL"


def test_as_printed_what_follows_from_a_misprint_is_refused_too() -> None:
    lines, last = _game(meant=False)
    assert last.phase.year == 1903
    refused = [f"{line.text} {line.refusal.code}" for line in lines if line.refusal]
    assert "A Bul-Ser no_such_unit" in refused
    assert all(line.refusal is None or line.order is not None for line in lines)


def _game(*, meant: bool) -> tuple[list[OrderLine], Position]:
    position = CLASSIC.definition.start
    read: list[OrderLine] = []
    for phase, sheet in _sheets(meant=meant):
        if str(position.phase) != phase:
            assert not meant
            continue
        orders = {}
        for power, texts in split_sheet(sheet, CLASSIC).items():
            assert power is not None
            lines = read_lines(texts, ReadingContext(CLASSIC, position, power, BOOK))
            orders[power] = [line.order for line in lines if line.order]
            read += lines
        following = play_phase(CLASSIC.definition, position, orders, BOOK.adjudication_rules).next_position
        assert following is not None
        position = following
    return read, position


def _sheets(*, meant: bool) -> Iterator[tuple[str, str]]:
    for page in PAGE.split("== ")[1:]:
        phase, _, body = page.partition("\n")
        lines = [line.removeprefix("+ ") for line in body.splitlines() if meant or not line.startswith("+ ")]
        yield phase, "\n".join(lines)


def _units(text: str) -> list[str]:
    power, units = "", []
    for part in text.replace(",", " ").split():
        if part in CLASSIC.board.powers:
            power = part
        elif part in CLASSIC.board.kinds:
            kind = part
        else:
            units.append(f"{power} {kind} {part}")
    return units


def _nearest(line: OrderLine) -> str:
    return line.refusal.nearest_order if line.refusal else ""
