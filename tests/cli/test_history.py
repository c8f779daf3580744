"""`talleyrand history`: a PDF, or a sentence that says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from talleyrand.printing import pdf
from tests.cli.run import Run

GAME = b"Printemps 1901\nFrance : A Par - Bou; F Bre - AtM\n"
makes = pytest.mark.skipif(not pdf.is_available(), reason="the extra “pdf” or its system library is missing")


@pytest.mark.long
@makes
def test_a_game_becomes_a_document(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "game.pdf"
    ran = run("history", "-", "--out", str(out), "--title", "Lyon", stdin=GAME)
    assert ran.status == 0, ran.err
    assert out.read_bytes().startswith(b"%PDF")


def test_another_ending_is_refused(run: Run, tmp_path: Path) -> None:
    ran = run("history", "-", "--out", str(tmp_path / "game.doc"), stdin=GAME)
    assert ran.status == 1
    assert ".pdf" in ran.err
    assert ran.err.count("\n") == 1


def test_two_games_are_refused(run: Run, tmp_path: Path) -> None:
    two = b'{"phases": []}\n{"phases": []}\n'
    ran = run("history", "-", "--out", str(tmp_path / "game.pdf"), "--lang", "en", stdin=two)
    assert ran.status == 1
    assert "2 games" in ran.err


@pytest.mark.parametrize(("there", "advice"), [(False, "pip install"), (True, "libpango")])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_without_the_extra_it_says_what_to_do(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool, advice: str, language: str
) -> None:
    monkeypatch.setattr(pdf, "_maker", lambda: None)
    monkeypatch.setattr("talleyrand.cli.picture_commands.is_installed", lambda: there)
    ran = run("history", "-", "--out", str(tmp_path / "game.pdf"), "--lang", language, stdin=GAME)
    assert ran.status == 1
    assert advice in ran.err
    assert not (tmp_path / "game.pdf").exists()
