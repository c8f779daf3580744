"""Archives that are none, and whole ones that lie: refused, or a tournament whose every page answers."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import reverse
from django.utils.translation import override

from talleyrand.tournament import codec
from talleyrand.tournament.exports import event_archive
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.security import hostile_values
from tests.web.tournaments.visibility import places, secrets

pytestmark = pytest.mark.django_db
MANY, MANY_FULL = 12, 1500
FORGED = ("__proto__", "0", "-1", "01", "²", "a/b", "9" * 30, "\0", "\ud800", "")


def packed(event: Any, journal: Any = (), **more: bytes) -> bytes:
    """An archive that is whole, of whatever event and journal."""
    files = {event_archive.DOCUMENT: _json(event), event_archive.JOURNAL: _json(list(journal))}
    digests = {name: event_archive.sha256_hex(content) for name, content in files.items()}
    told = event_archive.EventManifest(event_archive.FORMAT, event_archive.VERSION, "", "", "x", digests)
    return event_archive.pack_zip(
        {event_archive.MANIFEST: event_archive.json_bytes(codec.write_value(told)), **files, **more}
    )


def _json(told: Any) -> bytes:
    return told if isinstance(told, bytes) else json.dumps(told).encode()


def send(content: bytes, client: Any = None) -> Any:
    """What the form answers to such a file."""
    one = client or cast.client_of(cast.MASTER)
    return one.post(reverse("tournaments:restore"), {"file": SimpleUploadedFile("a.zip", content)})


def made(answer: Any, client: Any) -> Tournament | None:
    """The tournament that somebody makes of what he was shown."""
    if answer.status_code != 200 or not answer.context["waiting"]:
        return None
    asked = client.post(reverse("tournaments:restore"), {"waiting": answer.context["waiting"]})
    assert asked.status_code in (302, 409)
    return Tournament.objects.order_by("-pk").first() if asked.status_code == 302 else None


# files that are no archives


def zipped(names: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", method) as file:
        for name, content in names.items():
            file.writestr(name, content)
    return kept.getvalue()


def linked() -> bytes:
    """A name that is a link to another file."""
    kept, info = io.BytesIO(), zipfile.ZipInfo(event_archive.DOCUMENT)
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(kept, "w") as file:
        file.writestr(info, "/etc/passwd")
    return kept.getvalue()


def overlapping() -> bytes:
    """All its names are one file of a hundred megabytes."""
    whole = bytearray(
        zipped({f"{at}{event_archive.DOCUMENT}": b"" for at in range(9)} | {"a": bytes(100 << 20)})
    )
    begin = whole.rindex(b"PK\x03\x04", 0, whole.index(b"PK\x01\x02"))
    at = whole.index(b"PK\x01\x02")
    while (at := whole.find(b"PK\x01\x02", at + 1)) > 0:
        whole[at + 42 : at + 46] = struct.pack("<I", begin)
    return bytes(whole)


def liar(size: int) -> bytes:
    """A file that says that it is smaller, or larger, than it is."""
    whole = bytearray(
        zipped(
            {
                event_archive.MANIFEST: b"{}",
                event_archive.JOURNAL: b"[]",
                event_archive.DOCUMENT: bytes(30 << 20),
            }
        )
    )
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = whole.rindex(mark)
        whole[at + place : at + place + 4] = struct.pack("<I", size)
    return bytes(whole)


def encrypted() -> bytes:
    whole = bytearray(packed({}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := whole.find(mark, at + 1)) >= 0:
            whole[at + place] |= 1
    return bytes(whole)


def of_method(number: int) -> bytes:
    whole = bytearray(packed({}))
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = -1
        while (at := whole.find(mark, at + 1)) >= 0:
            whole[at + place : at + place + 2] = struct.pack("<H", number)
    return bytes(whole)


ZIPS = {
    "a name that leads out": zipped({"../../secret_key": b"x", **dict.fromkeys(event_archive.LIMITS, b"{}")}),
    "a name from the root": zipped({"/etc/passwd": b"x"}),
    "a name of Windows": zipped({"..\\..\\secret_key": b"x", "C:\\a": b"x"}),
    "a name with NUL": zipped({"event.json\0.zip": b"{}"}),
    "the same name twice": packed({})[:-22].replace(event_archive.JOURNAL.encode(), b"event.json\0\0"),
    "a link": linked(),
    "a zip of zips": zipped({f"{at}.zip": zipped({"a": bytes(1 << 20)}) for at in range(50)}),
    "a zip of itself": zipped(
        {event_archive.DOCUMENT: packed({}), event_archive.MANIFEST: b"{}", event_archive.JOURNAL: b"[]"}
    ),
    "one file under many names": overlapping(),
    "smaller than it says": liar(1 << 31),
    "larger than it says": liar(100),
    "encrypted": encrypted(),
    "packed by an unknown method": of_method(97),
    "packed by bzip2": zipped({"a": bytes(30 << 20)}, zipfile.ZIP_BZIP2),
    "packed by LZMA": zipped({event_archive.DOCUMENT: bytes(30 << 20)}, zipfile.ZIP_LZMA),
    "said to be of another disk": packed({})[:-18] + b"\xff\xff" * 9,
    "with a remark of 64 kB": packed({})[:-2] + b"\xff\xff" + b"x" * 65_535,
    "behind a program": b"MZ" + bytes(4000) + packed({}),
    "gzip": zlib.compress(bytes(10 << 20)),
    "nothing in it": zipped({}),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ZIPS)
def test_a_file_that_is_no_archive(name: str) -> None:
    assert send(ZIPS[name]).status_code == 409
    assert not Tournament.objects.exists()
    assert not GeneratedDocument.objects.exists()


# whole ones that lie


@pytest.fixture(scope="module")
def event() -> Any:
    return json.loads(json.dumps(codec.write_value(secrets.event())))


TEXTS: dict[str, bytes] = {
    "deep": b"[" * 300_000,
    "deep and whole": b'{"name":' + b"[" * 900 + b"]" * 900 + b"}",
    "a number of a million digits": b'{"name":"a","draws":' + b"9" * 1_000_000 + b"}",
    "not a number": b'{"name":"a","seed":NaN,"stake":Infinity}',
    "a power of ten": b'{"name":"a","version":1e999}',
    "half a sign": b'{"name":"\\ud800"}',
    "NUL": b'{"name":"a\\u0000b"}',
    "bytes that are no text": b'{"name":"\xff\xfe"}',
    "marked": "\ufeff{}".encode(),
    "of two octets": '{"name":"a"}'.encode("utf-16"),
    "a key twice": b'{"name":"a","name":"b"}',
    "a list": b"[]",
    "nothing": b"",
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", TEXTS)
def test_an_event_that_is_none(name: str) -> None:
    client = cast.client_of(cast.MASTER)
    with transaction.atomic():
        assert made(send(packed(TEXTS[name]), client), client) is None or name == "a key twice"


LIES: dict[str, dict[str, Any]] = {
    "another made it": {"number": 1, "at": "2026-01-01T00:00:00+00:00", "once": "a", "person": 9999},
    "an administrator": {
        "number": 1,
        "at": "2026-01-01T00:00:00+00:00",
        "once": "a",
        "hand": "administrator 1",
    },
    "a number of the past": {"number": -1, "at": "2026-01-01T00:00:00+00:00", "once": "a"},
    "it takes itself back": {"number": 1, "at": "2026-01-01T00:00:00+00:00", "once": "a", "undoes": 1},
    "an hour that is none": {"number": 1, "at": "yesterday", "once": "a"},
    "an hour with NUL": {"number": 1, "at": "2026-01-01T00:00:00+00:00\0", "once": "a"},
    "once with NUL": {"number": 1, "at": "2026-01-01T00:00:00+00:00", "once": "\0"},
    "once of half a sign": {"number": 1, "at": "2026-01-01T00:00:00+00:00", "once": "\ud800"},
    "an hour before all": {"number": 1, "at": "0001-01-01T00:00:00+14:00", "once": "a"},
    "an unknown act": {"number": 1, "at": "2026-01-01T00:00:00+00:00", "once": "a", "acts": [{"kind": "rm"}]},
    "a change of what is not there": {
        "number": 1,
        "at": "2026-01-01T00:00:00+00:00",
        "once": "a",
        "changes": [{"at": ["__class__", "x"], "before": [], "after": [1]}],
    },
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", LIES)
def test_a_journal_that_lies(name: str, event: Any) -> None:
    client = cast.client_of(cast.MASTER)
    with transaction.atomic():
        found = made(send(packed(event, [LIES[name]]), client), client)
    if found is not None:
        assert list(_faults(found)) == []


def test_an_archive_gives_nobody_else_s_rights(event: Any) -> None:
    """Keys of links that are another tournament's, accounts in it, a desk in it: none is of this site."""
    theirs = secrets.tournament()
    key = theirs.passes.get(person_number=1).token
    links = [{"person": 1, "key": key, "claimed": "", "follows": 0}]
    files = {
        event_archive.DOCUMENT: _json(event),
        event_archive.JOURNAL: b"[]",
        event_archive.LINKS: _json(links),
    }
    digests = {name: event_archive.sha256_hex(content) for name, content in files.items()}
    told = event_archive.EventManifest(event_archive.FORMAT, event_archive.VERSION, "", "", "x", digests)
    content = event_archive.pack_zip(
        {event_archive.MANIFEST: event_archive.json_bytes(codec.write_value(told)), **files}
    )
    client = cast.client_of(cast.STRANGER)
    found = made(send(content, client), client)
    assert found is not None
    assert [one.account.name for one in found.memberships.all()] == [cast.STRANGER]
    assert theirs.passes.get(person_number=1).token == key
    assert not found.passes.filter(token=key).exists()
    assert client.get(reverse("tournaments:desk", args=[theirs.key])).status_code in (403, 404)


def _leaves(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, inner in items:
        yield from _leaves(inner, (*path, key))


def mutated(event: Any, lot: Random) -> Any:
    """The same with some of it replaced, doubled, renamed or left out."""
    told = json.loads(json.dumps(event))
    for _ in range(lot.choice((1, 1, 2, 4))):
        *above, last = lot.choice([path for path in _leaves(told) if path])
        inside = told
        for key in above:
            inside = inside[key]
        before = inside.pop(last)
        fate = lot.random()
        if fate < 0.6:
            value: Any = lot.choice(_alike(before) if lot.random() < 0.8 else hostile_values.JSON)
            _put(inside, last, value)
        elif fate < 0.75 and isinstance(inside, dict):
            inside[lot.choice((*FORGED, "1", "2", "99", "FRANCE"))] = before
        elif fate < 0.9:
            _put(inside, last, before)
            if isinstance(inside, dict):
                inside[lot.choice((*FORGED, "77"))] = before
    return told


def _put(inside: Any, key: Any, value: Any) -> None:
    if isinstance(inside, list):
        inside.insert(key, value)
    else:
        inside[key] = value


def _alike(before: Any) -> list[Any]:
    """Values of the kind that stood there."""
    found = [one for one in hostile_values.JSON if type(one) is type(before)]
    return found or list(hostile_values.JSON)


def _faults(found: Tournament) -> Iterator[str]:
    """Pages that cannot be shown, to the desk and to a visitor."""
    for client in (cast.client_of(cast.MASTER), cast.client_of(cast.STRANGER)):
        client.raise_request_exception = False
        with override("fr"):
            paths = places.every(found)
        for path in paths:
            answer = client.get(path)
            if answer.status_code >= 500:
                yield f"{path.replace(found.key, 'KEY')} {answer.status_code}"


@pytest.mark.long
def test_whole_archives_changed_at_random(event: Any, seed: int, full: bool, record_property: Any) -> None:
    """What is taken can be shown: each of its pages, by the seed."""
    lot, sent, taken, wrong = Random(seed), 0, 0, {}
    client = cast.client_of(cast.MASTER)
    client.raise_request_exception = False
    many = MANY_FULL if full else MANY
    while sent < many or (not taken and sent < MANY_FULL):
        sent += 1
        told = mutated(event, lot)
        with transaction.atomic():
            answer = send(packed(told), client)
            if answer.status_code not in (200, 409):
                wrong[f"sent {answer.status_code}"] = str(told)
                transaction.set_rollback(True)
                continue
            found = made(answer, client)
            if found is not None:
                taken += 1
                if faults := list(_faults(found)):
                    wrong[" ".join(faults)] = _differs(event, told)
            transaction.set_rollback(True)
    assert wrong == {}
    assert taken
    record_property("asked", f"security: {taken} archives that lie were taken, each page of theirs answers")


def _differs(event: Any, told: Any) -> str:
    kept = {str(path): _at(event, path) for path in _leaves(event)}
    return str(
        {path: one for path, one in ((str(p), _at(told, p)) for p in _leaves(told)) if kept.get(path) != one}
    )[:1500]


def _at(told: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        told = told[key]
    return told
