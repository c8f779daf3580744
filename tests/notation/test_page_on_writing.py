"""The examples of the page on writing orders are read as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from talleyrand import rulebooks, variants
from talleyrand.notation import OrderLine, ReadingContext, read_lines

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "fr/reference/ecrire-les-ordres.md", DOCS / "en/reference/writing-orders.md"]
CLASSIC = variants.load("classic")
FRANCE = ReadingContext(CLASSIC, CLASSIC.definition.start, "FRANCE", rulebooks.load("anjou_feu"))
CODE = re.compile(r"`([^`]+)`")


def examples(page: Path, section: int) -> list[tuple[str, str]]:
    """The two cells of each row of a section's table."""
    text = page.read_text("utf-8").split("\n## ")[section]
    rows = [row.split("|")[1:3] for row in text.splitlines() if row.startswith("| `")]
    return [(CODE.findall(line)[0], told) for line, told in rows]


def read(text: str) -> tuple[OrderLine, ...]:
    return read_lines([text], FRANCE)


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_what_is_read(page: Path) -> None:
    shown = examples(page, 1)
    assert len(shown) == 15
    for text, told in shown:
        assert [str(line.order) for line in read(text) if line.refusal is None] == CODE.findall(told), text


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_what_is_not(page: Path) -> None:
    shown = examples(page, 2)
    assert len(shown) == 9
    for text, _ in shown:
        assert all(line.refusal is not None for line in read(text)), text


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_what_is_no_order(page: Path) -> None:
    shown = examples(page, 3)
    assert len(shown) == 8
    kinds = {"titre": "heading", "heading": "heading", "commentaire": "remark", "comment": "remark"}
    for text, told in shown:
        (line,) = read(text)
        notes = [note.kind for note in line.notes]
        assert (line.order, line.refusal) == (None, None), text
        assert notes == [kinds[word] for word in re.findall(r"\w+", told) if word in kinds], text


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_what_is_copied_from_elsewhere(page: Path) -> None:
    shown = examples(page, 6)
    assert len(shown) >= 9
    for text, told in shown:
        assert [str(line.order) for line in read(text) if line.refusal is None] == CODE.findall(told), text
