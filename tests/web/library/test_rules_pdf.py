"""Books as PDF: right size, right text, made once; a plain sentence where none can be made."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from talleyrand.drawing.png import FALLBACK_FONTS
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.library import rules_pdf

pytestmark = pytest.mark.django_db

makes = pytest.mark.skipif(
    not rules_pdf.is_available(), reason="the extra “pdf” or its system library is missing"
)
A4 = (595, 842)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, settings: Any) -> Path:
    settings.DATA = tmp_path
    return tmp_path


def _sizes(pdf: bytes) -> set[tuple[int, int]]:
    """The page sizes: those written plainly, and those inside compressed objects."""
    found = set()
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    for text in (pdf, *map(_inflated, streams)):
        for box in re.findall(rb"/MediaBox \[\s*0 0 ([0-9.]+) ([0-9.]+)\s*\]", text):
            found.add((round(float(box[0])), round(float(box[1]))))
    return found


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


@pytest.mark.long
@makes
def test_the_map_is_landscape_a4_and_made_once(client: Client) -> None:
    response = client.get("/en/rulebooks/rules/map.pdf")
    assert response["Content-Type"] == "application/pdf"
    assert response.content.startswith(b"%PDF-")
    assert _sizes(response.content) == {A4, (A4[1], A4[0])}
    assert [bytes(one.content or b"") for one in GeneratedDocument.objects.all()] == [response.content]
    GeneratedDocument.objects.update(content=b"%PDF-kept")
    assert client.get("/en/rulebooks/rules/map.pdf").content == b"%PDF-kept"


@pytest.mark.long
@makes
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is missing")
def test_the_map_says_its_abbreviations(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "map.pdf"
    file.write_bytes(client.get("/reglements/regles/carte.pdf").content)
    said = subprocess.run(
        ["pdftotext", "-layout", file, "-"], capture_output=True, check=True
    ).stdout.decode()
    assert "Bourgogne" in said
    assert "Bou" in said


@makes
def test_a_whole_book(client: Client, full: bool) -> None:
    if not full:
        pytest.skip("a minute of work: --full")
    response = client.get("/reglements/regles/simplified.pdf")
    assert _sizes(response.content) == {A4, (A4[1], A4[0])}
    assert response.content.count(b"/DejaVu") or b"DejaVu" in b"".join(
        map(_inflated, re.findall(rb"stream\r?\n(.*?)\r?\nendstream", response.content, re.DOTALL))
    )
    assert len(response.content) < 15_000_000


@pytest.mark.long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_book_to_print_holds_every_chapter_and_board(language: str) -> None:
    with override(language):
        document = rules_pdf.rulebook_document("anjou_feu")
    marks = re.findall(r'src="board:([^"]+)"', document.html)
    assert len(marks) > 120
    assert len(re.findall(r'<section class="chapter">', document.html)) == 14
    targets = set(re.findall(r' id="([^"]+)"', document.html))
    assert set(re.findall(r'href="#([^"]+)"', document.html)) <= targets
    assert "csrf" not in document.html
    for mark in marks[::20]:
        assert document.picture(mark).startswith("<svg")


@pytest.mark.long
def test_a_book_to_print_is_the_same_each_time() -> None:
    with override("fr"):
        assert rules_pdf.rulebook_document("datc").html == rules_pdf.rulebook_document("datc").html


def test_a_page_to_print_fetches_nothing_from_elsewhere() -> None:
    with override("fr"):
        document = rules_pdf.conference_map_document()
    assert not re.search(r"https?:|file:|url\((?!font:)", document.html)
    for font in FALLBACK_FONTS:
        assert rules_pdf._fetched(document, f"font:{font}")[1] == "font/ttf"
    for address in ("https://example.org/a.png", "file:///etc/passwd", "font:../../secret", "font:x.ttf"):
        with pytest.raises(ValueError, match=re.escape(address.removeprefix("font:"))):
            rules_pdf._fetched(document, address)


@pytest.mark.parametrize("address", ["/reglements/regles/carte.pdf", "/reglements/regles/datc.pdf"])
def test_without_the_extra_the_page_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr("talleyrand.printing.pdf._maker", lambda: None)
    response = client.get(address)
    assert response.status_code == 501
    assert "Pas de PDF ici" in response.text


def test_nothing_is_offered_that_cannot_be_made(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = ("/reglements/regles/", "/reglements/regles/datc/", "/reglements/regles/carte/")
    for there in (True, False):
        monkeypatch.setattr(rules_pdf, "is_installed", lambda there=there: there)
        assert [(".pdf" in client.get(page).text) for page in pages] == [there] * 3
        assert ("Pango" in client.get(pages[1]).text) == (not there)


def test_a_making_that_fails_has_a_sentence(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_document: object) -> bytes:
        raise RuntimeError

    monkeypatch.setattr(rules_pdf, "_pdf_bytes", broken)
    response = client.get("/reglements/regles/carte.pdf")
    assert response.status_code == 500
    assert "L’erreur vient de nous et est enregistrée" in response.text
    assert "RuntimeError" in caplog.text
