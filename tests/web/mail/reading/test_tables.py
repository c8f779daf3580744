"""Orders in the cells of a table, as mail programs write them."""

from __future__ import annotations

import time

import pytest

from talleyrand.web.mail.parsing import parse_email

HEAD = b"From: f@exemple.fr\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"


def own(page: str) -> str:
    return parse_email(HEAD + page.encode()).text


WORD = '<table class="MsoTableGrid"><tr>{}</tr><tr>{}</tr></table>'


def paragraphs(*cells: str) -> str:
    return "".join(f'<td width="94"><p class="MsoNormal">{cell}<o:p></o:p></p></td>' for cell in cells)


@pytest.mark.parametrize(
    "page",
    [
        WORD.format(paragraphs("A Par", "- Bou"), paragraphs("A Mar", "S A Par - Bou")),
        WORD.format("<td>A Par<td>- Bou", "<td>A Mar<td>S A Par - Bou"),
        WORD.format("<td>A Par</td><td><div>- Bou</div></td>", "<td>A Mar</td><td><p>S A Par - Bou</p></td>"),
        "<table><tr><td><div>A Par</div><td><div>- Bou</div><tr><td><p>A Mar</p><td>S A Par - Bou</table>",
    ],
)
def test_the_cells_of_a_row_are_one_line(page: str) -> None:
    assert own(page) == "A Par - Bou\nA Mar S A Par - Bou"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<table><tr><td><p>A Par - Bou</p><p>F Bre H</p></td></tr></table>", "A Par - Bou\n\nF Bre H"),
        ("<table><tr><td></td><td>A Par - Bou<br>F Bre H</td></tr></table>", "A Par - Bou\nF Bre H"),
        (
            f"<table><td><table><tr>{paragraphs('A Par', '- Bou')}</tr></table><p>F Bre H</td>",
            "A Par - Bou\n\nF Bre H",
        ),
        ("<td>A Par</td></tr></table><td>- Bou</td></table>", "A Par\n\n- Bou"),
    ],
)
def test_a_table_that_only_lays_a_page_out_keeps_its_lines(page: str, expected: str) -> None:
    assert own(page) == expected


def test_what_is_quoted_joins_no_cell_of_the_writers() -> None:
    page = "<table><tr><td>A Par - Bou</td><td><blockquote>A Mar - Gas</blockquote></td></tr></table>"
    assert own(page) == "A Par - Bou"


@pytest.mark.parametrize(
    "page", ["<table><tr><td>a" * 9000, "<tr><td><p>a" * 20000, "<tr>" + "<td><p>a" * 20000]
)
def test_tables_without_an_end_are_read_at_once(page: str) -> None:
    begun = time.process_time()
    own(page)
    assert time.process_time() - begun < 5
