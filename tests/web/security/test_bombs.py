"""Small things that would become huge, and deep ones, at every door that takes a text or a file."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from talleyrand.formats.custom_toml import read_custom_rulebook
from talleyrand.formats.json_checks import InvalidQuestion
from tests.each import each
from tests.web import cast
from tests.web.conftest import begin

pytestmark = pytest.mark.django_db
DEEP, DIGITS = 100_000, "9" * 100_000
DEAREST = 60  # pages
UNDERSTOOD = (200, 302, 400, 409, 413)

JSON = {
    "deep lists": "[" * DEEP,
    "deep tables": '{"a":' * DEEP,
    "deep and whole": '{"units":' + "[" * 900 + "]" * 900 + "}",
    "a number without end": f'{{"variant":"classic","phase":{DIGITS}}}',
    "a power of ten": '{"phases":[{"year":1e999}],"units":1E+308}',
    "half a sign": '{"variant":"\\ud800","phase":"\\udfff","units":{"\\ud800":["A \\ud800"]},'
    '"orders":{"PAR":"\\ud83d"}}',
    "NUL": '{"variant":"classic\\u0000","orders":{"PAR":"A\\u0000"},'
    '"sheet":"\\u0000","lines":{"FRANCE":["\\u0000"]}}',
    "the same key a thousand times": "{" + ",".join(['"units":{}'] * 1000) + "}",
    "many keys that meet": json.dumps({str(number): number for number in range(40_000)}),
    "not a number": '{"phase":NaN,"units":-Infinity}',
    "sheets without end": json.dumps({"sheet": "A Par H\n" * 60_000}),
    "lines without end": json.dumps({"lines": {"FRANCE": ["A Par H"] * 40_000}}),
}
TOML = {
    "deep lists": "x = " + "[" * 39_000,
    "deep tables": "x = " + "{a = " * 7_000,
    "deep names": "a." * 19_000 + "b = 1",
    "a number without end": f"convoy_paradox = {DIGITS[:39_000]}",
    "a number to sixteen": f"x = 0x{'f' * 39_000}",
    "infinity": "convoy_paradox = inf\nx = nan\nextends = 1e999",
    "many names": "\n".join(f"k{number} = 1" for number in range(4_000)),
    "itself": 'extends = "own"\nname = "own"',
    "a file": 'extends = "../../../../etc/passwd"\nname = "/etc/passwd"',
    "NUL": 'name = "a\\u0000b"\ntitle = "\\u0000"',
    "a date that is none": "x = 9999-99-99",
}
TEXT = {
    "a million lines": "\n" * 1_000_000,
    "a million orders": "A Par - Bur\n" * 300_000,
    "one line": "A Par - Bur " * 300_000,
    "entities": '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;&c;&c;</a>',
    "brackets": "(" * 200_000,
    "blanks": " " * 3_000_000,
    "stars": "*-" * 150_000 + "A Par",
}


def sent_to(door: str, text: str) -> Any:
    """What a door answers to a text, and to the same as a file."""
    client = cast.client_of("Flora")
    if door == "game":
        filled = {"name": "Essai", "variant": "classic", "rulebook": "own"}
        return client.post("/parties/nouvelle/", {**filled, "own": text})
    field = {"import": "text", "position": "text", "compare": "text", "own": "own", "two": "own"}[door]
    path = {
        "import": "/p/import/",
        "position": "/p/position/",
        "compare": "/reglements/comparer/",
        "own": "/reglements/comparer/",
        "two": "/reglements/deux/",
    }[door]
    more = {"two": {"a": "own", "b": "datc"}, "own": {"book": "own", "case": "1"}}.get(door, {})
    return client.post(path, {field: text, **more})


@pytest.mark.long
@each("kind", JSON)
@each("door", ["import", "compare", "position"])
def test_json(door: str, kind: str) -> None:
    assert sent_to(door, JSON[kind]).status_code in UNDERSTOOD


@pytest.mark.long
@each("kind", TOML)
@each("door", ["own", "two", "game"])
def test_a_rulebook_of_one_s_own(door: str, kind: str) -> None:
    assert sent_to(door, TOML[kind]).status_code in UNDERSTOOD


@pytest.mark.parametrize("kind", ["deep lists", "deep tables", "deep names"])
def test_depth_is_refused_before_it_costs(kind: str) -> None:
    with pytest.raises(InvalidQuestion) as refused:
        read_custom_rulebook(TOML[kind], "mine")
    assert refused.value.code in ("too_deep", "not_toml")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", TEXT)
@pytest.mark.parametrize("door", ["import", "compare"])
def test_texts(door: str, kind: str) -> None:
    assert sent_to(door, TEXT[kind]).status_code in UNDERSTOOD


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", JSON)
def test_drafts(kind: str) -> None:
    """What scripts send: it is understood or refused, and the draft before it stays."""
    game, practice = cast.table(), begin()
    flora = cast.client_of("Flora")
    doors = {
        f"/parties/{game.key}/1/orders/FRANCE/draft/": flora,
        f"/p/{practice.key}/1/draft/": Client(),
        "/p/position/look/": Client(),
        "/apprendre/1/brouillon/": Client(),
        "/apprendre/demi-heure/brouillon/": Client(),
    }
    for path, client in doors.items():
        answer = client.post(path, JSON[kind].encode(), content_type="application/json")
        assert answer.status_code in (400, 413), path
    assert flora.get(f"/parties/{game.key}/").status_code == 200


FILES = {
    "an archive": b"PK\x03\x04" + bytes(1000),
    "two bytes a sign": "A Par - Bur".encode("utf-16"),
    "nothing": b"",
    "an image": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "NUL": b"A Par - Bur\0",
    "huge": b"A Par H\n" * 400_000,
}
NAMES = ("../../secret_key", "a\0b.toml", "x" * 5000, "\r\nSet-Cookie: a=b", ".", "\\\\host\\share")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize(
    ("path", "field"),
    [("/p/import/", "file"), ("/reglements/comparer/", "file"), ("/reglements/deux/", "own_file")],
)
def test_files(path: str, field: str, kind: str) -> None:
    sent = {field: SimpleUploadedFile("a.txt", FILES[kind]), "a": "own", "b": "datc"}
    assert Client().post(path, sent).status_code in UNDERSTOOD


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_are_nobody_s(name: str) -> None:
    """A file is read and let go: its name becomes nothing."""
    boundary = "zz"
    head = f'Content-Disposition: form-data; name="file"; filename="{name}"'
    body = f"--{boundary}\r\n{head}\r\nContent-Type: text/plain\r\n\r\nA Par - Bur\r\n--{boundary}--\r\n"
    kind = f"multipart/form-data; boundary={boundary}"
    answer = Client().generic("POST", "/p/import/", body.encode(), content_type=kind)
    assert answer.status_code in UNDERSTOOD
    assert "a" not in answer.cookies


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=" + "x" * 5000,
        "application/x-www-form-urlencoded; charset=utf-7",
        "application/x-www-form-urlencoded; charset=nothing",
        "text/xml",
        "",
        "application/json; charset=utf-16",
        "\x00",
    ],
)
def test_kinds_that_a_body_says_it_is(kind: str) -> None:
    for path in ("/p/import/", "/p/new/", "/reglements/comparer/", "/compte/connexion/", "/p/position/look/"):
        client = Client()
        assert (
            client.generic("POST", path, b"--zz\r\na=b&\xff=%", content_type=kind).status_code in UNDERSTOOD
        )


def test_too_many_fields_are_not_read() -> None:
    many = {f"order-{number}": "x" for number in range(501)}
    assert Client().post(f"/p/{begin().key}/1/sheet/", many).status_code == 400


@pytest.mark.long
def test_nothing_takes_long(record_property: Any) -> None:
    """The dearest of these costs as much as some pages."""
    took = {}
    for kind, text in TEXT.items():
        begun = time.process_time()
        sent_to("import", text)
        took[kind] = time.process_time() - begun
    begun = time.process_time()
    Client().get("/reglements/regles/")
    page = time.process_time() - begun
    dearest = max(took, key=lambda kind: took[kind])
    assert took[dearest] < DEAREST * page
    record_property("dearest", f"security: “{dearest}” cost {took[dearest] / page:.1f} pages")
