"""What became of orders is written once for all who read the same, and for nobody else."""

from __future__ import annotations

from typing import Any

from django.utils import translation

from talleyrand.web.boards import display_names
from talleyrand.web.boards.outcome_lines import outcome_lines

ENTRY: dict[str, Any] = {
    "failed": False,
    "quiet": False,
    "province": "PAR",
    "line": None,
    "order": "A Paris - <Bur>",
    "results": [{"sign": "✓", "words": "ok", "failure": False}],
    "why": "…",
    "error": "",
    "notes": [],
    "ask": "/why/",
}


def test_lines_are_written_for_their_reader() -> None:
    who = {"name": "France", "colour": "#123456", "own": True}
    alone, named = outcome_lines([ENTRY]), outcome_lines([ENTRY], who)
    assert "&lt;Bur&gt;" in alone
    assert "France" in named
    assert "France" not in alone
    assert "#654321" in outcome_lines([ENTRY], {**who, "colour": "#654321"})
    with translation.override("fr"):
        assert display_names.reader_language() == "fr"
        french = outcome_lines([ENTRY])
    with translation.override("en"):
        english = outcome_lines([ENTRY])
    assert "Pourquoi" in french
    assert "Why?" in english
    assert outcome_lines([dict(ENTRY)], dict(who)) is named  # not written again
    assert not outcome_lines([]).strip()
