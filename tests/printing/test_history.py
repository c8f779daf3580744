"""The history of a game on paper: every year its page, every order its result, both languages, any size."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from talleyrand import variants
from talleyrand.formats.game_record import read_game_record
from talleyrand.printing import history_pdf, pdf
from talleyrand.printing.game_by_year import PrintedHistory, build_printed_history

makes = pytest.mark.skipif(not pdf.is_available(), reason="the extra “pdf” or its system library is missing")
says = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is missing")

OPENING = [
    (
        "S1901M",
        {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "GERMANY": ["A MUN - BUR"], "ITALY": ["A Xyz"]},
    ),
    ("F1901M", {"FRANCE": ["A MAR - SPA", "F MAO - POR"]}),
    ("W1901A", {"FRANCE": ["A MAR B", "F BRE B"]}),
]


def told(
    phases: list[tuple[str, Any]], variant: str = "classic", title: str = "", **more: Any
) -> PrintedHistory:
    listed = [{"phase": phase, "orders": orders} for phase, orders in phases]
    return build_printed_history(read_game_record({"variant": variant, "phases": listed, **more}), title)


def years(count: int) -> PrintedHistory:
    """A game in which nobody moves."""
    last = f"F{1900 + count}M"
    return told([(last, {"FRANCE": ["A PAR H"]})])


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_the_years_and_their_phases() -> None:
    game = told(OPENING)
    assert [year.number for year in game.years] == [1901]
    (year,) = game.years
    assert [str(stage.phase) for stage in year.stages] == ["S1901M", "F1901M", "W1901A"]
    assert [str(stage.phase) for stage in year.shown] == ["S1901M", "F1901M"]
    assert game.counts[0][1]["FRANCE"] == 3
    assert game.counts[1][0] == "1901"
    assert game.counts[1][1]["FRANCE"] == 5
    assert str(game.reached.phase) == "S1902M"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "fr",
            ["Année 1901", "A Par - Bou ✕ rebond", "France 5 (+2)", "A Xyz", "Partie en cours"],
        ),
        ("en", ["Year 1901", "A Par - Bur ✕ bounced", "France 5 (+2)", "A Xyz", "Game in progress"]),
    ],
)
def test_a_page_says_orders_results_and_centres(language: str, words: list[str]) -> None:
    page = history_pdf.render_history_html(told(OPENING), language)
    assert f'<html lang="{language}">' in page
    for word in words:
        assert word in plain(page), word


def test_owners_are_told_apart_without_colours() -> None:
    game = told(OPENING)
    for svg in (game.years[0].shown[0].svg("fr"), game.last_svg("fr")):
        assert 'data-patterns="on"' in svg
        assert "var(--" not in svg


def test_what_was_typed_is_only_text() -> None:
    line = {"FRANCE": ["<script>alert(1)</script> A Par - Bur"]}
    page = history_pdf.render_history_html(told([("S1901M", line)], title="<b>&"), "fr")
    assert "<script>" not in page
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page


def test_no_phase_played_has_a_sentence_and_the_position() -> None:
    for language, sentence in (
        ("fr", "Aucune phase jouée pour l’instant."),
        ("en", "No phase played yet."),
    ):
        page = history_pdf.render_history_html(told([]), language)
        assert sentence in page
        assert page.count("<img") == 1


def test_letters_and_maps_shrink_before_a_second_page() -> None:
    few, many, endless = (
        history_pdf.fit_page(["A Par - Bou →"] * count, 2, 0.83) for count in (40, 190, 900)
    )
    assert few.type == max(history_pdf.FONT_SIZES)
    assert many.type < few.type
    assert many.map <= few.map
    assert endless.type == min(history_pdf.FONT_SIZES)
    assert endless.map > 40


@pytest.mark.one_in(6)
@makes
@pytest.mark.parametrize("variant", variants.playable_names())
def test_every_variant_is_printed(variant: str, tmp_path: Path, full: bool) -> None:
    if variant == "diplomatie_2000" and not full:
        pytest.skip("the world takes half a minute to draw: with --full")
    written = history_pdf.render_history_pdf(told([], variant), "fr")
    assert written.startswith(b"%PDF")


@pytest.mark.long
@makes
@says
def test_a_page_a_year(tmp_path: Path, full: bool) -> None:
    count = 21 if full else 3
    file = tmp_path / "game.pdf"
    file.write_bytes(history_pdf.render_history_pdf(years(count), "fr"))
    pages = (
        subprocess.run(["pdftotext", file, "-"], capture_output=True, check=True).stdout.decode().split("\f")
    )
    assert (
        len(pages) == 1 + count + 1 + 1
    )  # the title, the years, where it stands, what follows the last feed
    for number, page in enumerate(pages[1:-2], 1901):
        assert f"Année {number}" in page


def test_without_its_maker_nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "_maker", lambda: None)
    assert not pdf.is_available()
    with pytest.raises(pdf.PdfUnavailable):
        history_pdf.render_history_pdf(told([]), "fr")


@pytest.mark.parametrize("address", ["https://example.org/x.png", "file:///etc/passwd", "font:other.ttf"])
def test_nothing_is_fetched_from_elsewhere(address: str) -> None:
    with pytest.raises(ValueError):
        history_pdf._fetched(told([]), "fr", address)


def test_the_votes_of_a_variant_with_politics_are_told_in_its_own_words() -> None:
    phases: list[tuple[str, Any]] = [
        ("S2001P", {"UMAR": ["2 : M MOR - ROU"], "ONU": ["pInt : PYO"]}),
        ("S2001M", {"INDE": ["2) UMAR"], "MCCA": ["AS : BOG"], "ETUN": ["Aide : 1 : MEXI"]}),
        ("W2001A", {"MEXI": ["V MEX"]}),
    ]
    game = told(phases, "diplomatie_2000")
    (year,) = game.years
    assert [str(stage.phase) for stage in year.shown] == ["S2001M", "F2001M"]
    for language, words in (
        ("fr", ("vote sur les missions : Union du Maghreb arabe", "AS : Pyongyang", "aide 1 : Mexique")),
        ("en", ("vote on missions: Arab Maghreb Union", "SA: Pyongyang", "aid 1: Mexico")),
    ):
        page = plain(history_pdf.render_history_html(game, language))
        for one in words:
            assert one in page, (one, page[:3000])
