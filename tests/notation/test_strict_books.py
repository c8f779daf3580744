"""What a book that wants orders properly written refuses."""

from __future__ import annotations

import pytest

from talleyrand import variants
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.notation import ReadingContext, read_line
from talleyrand.rulebooks import rulebook_loader

CLASSIC = variants.load("classic")
POSITION = Position(
    Phase("S", 1901, "M"),
    (
        Unit("A", "PAR", "FRANCE"),
        Unit("A", "BUR", "FRANCE"),
        Unit("A", "MUN", "GERMANY"),
        Unit("F", "STP/SC", "RUSSIA"),
    ),
)


@pytest.mark.parametrize(
    ("option", "value", "power", "text", "reason"),
    [
        ("unit_type_missing", "illegal", "FRANCE", "Par - Pic", "unit_type_missing"),
        ("unit_type_missing", "illegal", "FRANCE", "A Par S Bou", "unit_type_missing"),
        ("unit_type_wrong", "illegal", "FRANCE", "F Par - Pic", "unit_type_wrong"),
        ("unit_type_wrong", "illegal", "FRANCE", "A Par S F Bou", "unit_type_wrong"),
        ("nationality_missing", "illegal", "FRANCE", "A Bou S A Mun", "nationality_missing"),
        ("nationality_wrong", "illegal", "FRANCE", "A Bou S Russie A Mun", "nationality_wrong"),
        ("poorly_written", "illegal", "FRANCE", "A Par - Picar", "badly_written"),
        ("ordered_unit_coast", "fails", "RUSSIA", "F StP (cn) - Bot", "wrong_coast"),
        ("irrelevant_coast", "fails", "FRANCE", "A Par - Bre cs", "coast_needless"),
    ],
)
def test_refused_only_where_the_book_wants_it(
    option: str, value: str, power: str, text: str, reason: str
) -> None:
    lenient = ReadingContext(CLASSIC, POSITION, power, rulebook_loader.load("anjou_feu"))
    assert read_line(text, lenient).refusal is None
    strict = ReadingContext(CLASSIC, POSITION, power, rulebook_loader.customise("anjou_feu", {option: value}))
    refusal = read_line(text, strict).refusal
    assert refusal is not None
    assert refusal.code == reason


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("unit_type_missing", "illegal", "A Par - Pic"),
        ("nationality_missing", "illegal", "A Bou S Allemagne A Mun"),
        ("nationality_missing", "illegal", "A Par S A Bou"),
        ("nationality_wrong", "illegal", "A Bou S A allemande Mun"),
        ("poorly_written", "illegal", "A Paris - Picardie"),
    ],
)
def test_what_is_well_written_stands(option: str, value: str, text: str) -> None:
    strict = ReadingContext(
        CLASSIC, POSITION, "FRANCE", rulebook_loader.customise("anjou_feu", {option: value})
    )
    assert read_line(text, strict).refusal is None


@pytest.mark.parametrize(
    "text",
    [
        "A Par - Picar",
        "A Paris - Pikardie",
        "A Par Pic",
        "A Paris moovs to Picardy",
        "Pa - Pic",
        "A Par - Tokyo",
        "A Par - Pic ou Bre",
    ],
)
def test_the_master_of_games_by_mail_follows_nothing_badly_written(text: str) -> None:
    """Row M61: his own rules come before those he prints."""
    book = rulebook_loader.load("play_by_mail_001")
    assert read_line(text, ReadingContext(CLASSIC, POSITION, "FRANCE", book)).refusal is not None
    assert "maître de jeu, 4" in book.sources["poorly_written"]


@pytest.mark.parametrize(
    "text",
    [
        "A Par - Pic",
        "Par (H)",
        "Par - Pic",
        "F Par - Pic",
        "A Paris - Picardie",
        "A Par S Russie A Mun - Bur",
        "A Par - Bre cs",
        "A Par - Pic; sinon A Par H",
        "A Mun S A Par - Bur",
    ],
)
def test_what_rows_of_their_own_allow_is_not_badly_written(text: str) -> None:
    """Letters and nationalities left out or wrong, what follows "else": he prints such orders himself."""
    power = "GERMANY" if text.startswith("A Mun") else "FRANCE"
    line = read_line(text, ReadingContext(CLASSIC, POSITION, power, rulebook_loader.load("play_by_mail_001")))
    assert line.refusal is None


@pytest.mark.parametrize(
    ("value", "text", "result"),
    [
        ("fails", "Mos", "! build_type_missing"),
        ("fails_if_coastal", "Mos", "A MOS B"),
        ("fails_if_coastal", "StP", "! build_type_missing"),
        ("fails_if_coastal", "StP cn", "! build_type_missing"),
        ("coast_implies_fleet", "StP cn", "F STP/NC B"),
        ("coast_implies_fleet", "StP", "! build_type_missing"),
    ],
)
def test_builds_without_letter(value: str, text: str, result: str) -> None:
    book = rulebook_loader.customise("anjou_feu", {"build_type_missing": value})
    winter = Position(Phase("W", 1901, "A"), centres={"RUSSIA": ("MOS", "STP")})
    line = read_line(text, ReadingContext(CLASSIC, winter, "RUSSIA", book))
    assert (f"! {line.refusal.code}" if line.refusal else str(line.order)) == result
