"""Style sheets and scripts: compressed, kept for good under their edition, named in the page at once."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from talleyrand.web.common import static_files
from tests.web.conftest import Response

pytestmark = pytest.mark.django_db
ZIPPED = {"accept-encoding": "gzip"}


@pytest.fixture
def home(client: Client) -> str:
    return client.get("/").text


def body(response: Response) -> bytes:
    content = b"".join(response)
    response.close()
    return content


def test_a_page_names_its_files_by_their_edition(home: str) -> None:
    named = re.findall(r'(?:href|src)="(/static/[^"]+)"', home)
    assert named
    assert all(address.startswith(f"/static/{static_files.static_version()}/") for address in named)


@pytest.mark.parametrize("name", ["css/site.css", "js/board.js", "library/rules.css", "icon.svg"])
def test_what_has_an_edition_is_compressed_and_kept_for_good(client: Client, name: str) -> None:
    response = client.get(f"/static/{static_files.static_version()}/{name}", headers=ZIPPED)
    assert "immutable" in response["Cache-Control"]
    assert "Accept-Encoding" in response["Vary"]
    plain = dict(static_files._files())[name].read_bytes()
    sent = body(response)
    if response.get("Content-Encoding") == "gzip":
        assert len(sent) < len(plain)
        sent = gzip.decompress(sent)
    assert sent == plain


def test_plain_names_are_asked_for_again_each_time(client: Client) -> None:
    response = client.get("/static/css/site.css")
    assert body(response)
    assert "max-age=0" in response["Cache-Control"]


@pytest.mark.parametrize(
    "path", ["/static/000000000000/js/board.js", "/static/../secret_key", "/static/nothing.js"]
)
def test_nothing_else_is_served(client: Client, path: str) -> None:
    assert client.get(f"/static/{path}").status_code == 404


def test_the_edition_is_that_of_the_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "a.js"
    monkeypatch.setattr(static_files, "_files", lambda: [("js/a.js", file)])
    editions = set()
    for text in ("one", "two", "one"):
        file.write_text(text)
        editions.add(static_files.static_version.__wrapped__())
    assert len(editions) == 2


def test_the_scripts_of_a_page_are_all_named() -> None:
    """As the browser would find them: following the imports of each."""
    folder, seen = Path(settings.WEB) / "static", set()

    def follow(file: Path) -> None:
        if file in seen:
            return
        seen.add(file)
        for path in re.findall(r'^import .*"(\./[^"]+)";$', file.read_text(), re.MULTILINE):
            follow((file.parent / path).resolve())

    follow(folder / "js/board.js")
    assert {folder / name for name in static_files.script_with_imports("js/board.js")} == seen
    assert len(seen) > 10
