"""Requests made to cost a site as much as can be, each with what it may cost."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from tests.formats import crowds

from .costly_request_site import PHASES, Scene, long_record

FORM, JSON, BOUNDARY = "application/x-www-form-urlencoded", "application/json", "a-boundary-of-ours"
SUBMISSION = "a-submission-of-ours"
STRANGER, PLAYER, DIRECTOR, PROGRAM = "", "Flora", "Maëlle", "program"
LIMITS = {STRANGER: 1.0}  # seconds of processor; of who has signed in the double
SIGNED_IN = 2.0
SLOW = crowds.SLOW_LINES[0]


@dataclass(frozen=True)
class Request:
    """One request of somebody: what it sends where. `beside`: its work is done behind the queue."""

    name: str
    path: str
    body: bytes = b""
    kind: str = FORM
    who: str = STRANGER
    method: str = "POST"
    beside: bool = False

    @property
    def limit(self) -> float:
        """Seconds of processor that it may cost."""
        return LIMITS.get(self.who, SIGNED_IN)


def at(name: str, *parts: object) -> str:
    """The address of a page, in French."""
    from django.urls import reverse

    return reverse(name, args=parts)


def get(name: str, path: str, who: str = STRANGER, *, beside: bool = False) -> Request:
    return Request(name, path, who=who, method="GET", beside=beside)


def form(name: str, path: str, fields: Mapping[str, Any], who: str = STRANGER, **more: Any) -> Request:
    return Request(name, path, urlencode(fields, doseq=True).encode(), FORM, who, **more)


def sent(name: str, path: str, value: Any, who: str = STRANGER) -> Request:
    """As scripts and programs send."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Request(name, path, body, JSON, who)


def file(name: str, path: str, field: str, content: bytes, who: str, **fields: str) -> Request:
    """A form with a file."""
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    ]
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="f"\r\n\r\n'
    body = b"".join([*parts, head.encode(), content, f"\r\n--{BOUNDARY}--\r\n".encode()])
    return Request(name, path, body, f"multipart/form-data; boundary={BOUNDARY}", who)


def requests(scene: Scene) -> list[Request]:
    """All of them, in the order in which they are sent."""
    return [
        *_imports(),
        *_boards(scene),
        *_books(scene),
        *_pages(scene),
        *_signing(),
        *_programs(),
        *_players(scene),
        *_directors(scene),
    ]


def _imports() -> Iterator[Request]:
    """Files and texts that are games to continue."""
    full = {"units": crowds.full_board(1)["units"], "centers": {}}
    phases = [
        {"phase": phase, "position": full, "orders": crowds.full_board(number)["orders"]}
        for number, phase in enumerate(("S1901M", "F1901M", "S1902M", "F1902M"))
    ]
    crowded = {"variant": "classic", "rulebook": "datc", "phases": phases}
    several = [
        {"phase": phase, "position": {"units": asked["units"], "centers": {}}, "orders": asked["orders"]}
        for number, phase in enumerate(f"{season}{year}M" for year in range(1901, 1931) for season in "SF")
        for asked in [crowds.contradictions(number, 384)]
    ]
    refused = [{**one, "orders": {"FRANCE": [SLOW] * 300}} for one in long_record(300)["phases"]]
    for name, value in {
        "four full boards": crowded,
        "sixty boards of 34 units, contradictory": {**crowded, "phases": several},
        "three hundred phases": long_record(300),
        "ten thousand phases": {**crowded, "phases": [{"phase": f"S{year}M"} for year in range(1901, 9999)]},
        "ninety thousand slow lines": {**crowded, "phases": refused},
        "many keys": {str(number): number for number in range(300_000)},
        "deep lists": "[" * 100_000,
    }.items():
        text = value if isinstance(value, str) else json.dumps(value)
        yield form(f"import: {name}", at("practice:import"), {"text": text, "submission": ""})
    yield form("import: a million lines", at("practice:import"), {"text": "\n" * 3_000_000})
    text = "France\n" + "A Par - Bur\n" * 29_000
    yield form("import: a text of 29,000 orders", at("practice:import"), {"text": f"Spring 1901\n{text}"})


def _boards(scene: Scene) -> Iterator[Request]:
    crowded, contradictory = scene.crowded, scene.contradictory
    slow = {"sheet": "\n".join([SLOW[:240]] * 390)}
    yield get("board: a full one is shown", at("practice:board", crowded))
    yield get("board: its scene", at("practice:scene", crowded, 1))
    yield sent("board: a sheet of 390 slow lines", at("practice:draft", crowded, 1), slow)
    menu = {
        place.partition(" ")[2]: "" for units in crowds.full_board(1)["units"].values() for place in units
    }
    yield sent("board: 75 orders of menus at once", at("practice:draft", crowded, 1), {"orders": menu})
    orders = crowds.full_board(1)["orders"]
    yield sent("board: a full sheet", at("practice:draft", crowded, 1), {"lines": orders})
    resolved = {"submission": SUBMISSION, "scripted": "1"}
    yield form("board: a full one is resolved", at("practice:resolve", crowded, 1), resolved)
    yield get("board: what came of it", at("practice:phase", crowded, 1))
    yield get("board: why, step by step", at("practice:why", crowded, 1, "MUN"))
    yield get("board: 384 contradictory lines are shown", at("practice:board", contradictory))
    yield form("board: they are resolved", at("practice:resolve", contradictory, 1), resolved)
    yield get("board: the picture", at("practice:picture", crowded, 1, "png"), beside=True)
    yield get("board: the drawing", at("practice:picture", crowded, 1, "svg"))
    yield get("board: the history as PDF", at("practice:record", scene.long, "pdf"), beside=True)
    yield get("board: the history as text", at("practice:record", scene.long, "txt"))
    yield get("board: the history for programs", at("practice:record", scene.long, "json"))
    yield get("board: the picture of a link", at("practice:preview", scene.shared, 1), beside=True)
    yield form(
        "board: a copy of sixty phases",
        at("practice:shared_copy", scene.shared, PHASES),
        {"submission": SUBMISSION},
    )
    bots = dict.fromkeys(crowds.full_board(1)["units"], "search:hard")
    onward = {"until": "1910", "submission": SUBMISSION}
    chosen = {f"bot-{power}": bot for power, bot in bots.items()}
    yield form("board: seven computers", at("practice:players", scene.composed), chosen)
    yield form("board: they think", at("practice:onward", scene.composed, 1), onward, beside=True)
    yield form("board: they stop", at("practice:computer_stop", scene.composed), {"action": "stop"})
    text = json.dumps({name: told for name, told in crowds.full_board(1).items() if name != "orders"})
    yield sent("position: looked at", at("practice:look"), {"text": text})
    game = json.dumps(
        {"variant": "classic", "phases": [{"phase": f"S{year}M"} for year in range(1901, 2600)]}
    )
    yield sent("position: a game of 699 phases", at("practice:look"), {"text": game[:20_000]})
    few = json.dumps({"variant": "classic", "rulebook": "datc", "phases": long_record(290)["phases"]})
    yield sent("position: a game of 290 phases", at("practice:look"), {"text": few})
    yield form("position: such a game, played from", at("practice:position"), {"text": few})
    yield sent("position: 19,000 letters", at("practice:look"), {"text": "A Par\n" * 3_200})
    yield form("position: played from", at("practice:position"), {"text": text, "submission": ""})
    first = {"sheet": "", "from": {"sheet": "", "menus": {}}}
    yield sent(
        "lesson: a slow sheet", at("library:lesson_draft", 1), {**first, "sheet": "\n".join([SLOW] * 16)}
    )
    yield get(
        "lesson: many phases", at("library:half_hour") + "?" + urlencode({"played": [SLOW] * 60}, doseq=True)
    )


def compared(question: Mapping[str, Any], name: str) -> Request:
    """A question that is put to all rulebooks."""
    return form(f"compare: {name}, all books", at("library:compare"), {"text": json.dumps(question)})


def _books(scene: Scene) -> Iterator[Request]:
    compare = at("library:compare")
    asked = crowds.full_board(1)
    hundred = crowds.contradictions(1, 100)
    slow = {**crowds.contradictions(1, 0), "orders": {"FRANCE": [SLOW] * 99}}
    for name, question in {"a full board": asked, "100 orders": hundred, "99 slow lines": slow}.items():
        yield compared(question, name)
    own = 'extends = "datc"\n[options]\n' + "\n".join(f'k{number} = "v"' for number in range(2_500))
    yield form(
        "compare: an own rulebook of 40 kB", compare, {"text": json.dumps(hundred), "own": own[:40_000]}
    )
    dotted = f"{'a.' * 19_000}b = 1"
    yield form(
        "two books: names of 19,000 parts", at("library:two_books"), {"a": "own", "b": "datc", "own": dotted}
    )
    yield get("rules: a long search", at("library:rules_search", "datc") + "?q=" + quote("a e i o u " * 600))
    yield get("rules: a search for one letter", at("library:rules_search", "datc") + "?q=e")
    yield get("rules: a whole book as PDF", at("library:rules_pdf", "datc"), beside=True)
    yield get("rules: the map as PDF", at("library:conference_pdf"), beside=True)
    yield get("variant: the world", at("library:variant", "diplomatie_2000"))
    dates = {
        "dates-kind": "weekly",
        "dates-days": list("0123456"),
        "dates-holidays": ["FR", "US", "DE", "GB"],
        "dates-closed": "\n".join(f"2026-{month:02}-01/2026-{month:02}-28" for month in range(1, 13)),
    }
    yield form("calendar: a rule with hardly a day left", at("games:dates"), dates)
    yield get("calendar: of a player", at("games:feed", scene.calendar))


def _pages(scene: Scene) -> Iterator[Request]:
    yield get("home", "/")
    yield get("games", at("games:all"))
    yield get("tournament: standings of 210", at("tournaments:standings", scene.tournament))
    yield get("tournament: people", at("tournaments:people", scene.tournament))
    topics = {"topics": ["x" * 200] * 400}
    yield get("events: many topics", at("notices:versions") + "?" + urlencode(topics, doseq=True)[:60_000])
    fields = {f"field{number}": "x" for number in range(499)}
    yield form("a form of 499 fields", at("practice:new"), fields)
    yield Request("a form of 200,000 fields", at("practice:new"), b"a&" * 200_000)
    yield Request(
        "six megabytes of parts",
        at("practice:import"),
        b"--b\r\n" * 1_200_000,
        "multipart/form-data; boundary=b",
    )
    cookie = get("an address of 60,000 letters", "/" + "a/" * 30_000)
    yield cookie


def _signing() -> Iterator[Request]:
    long = "x" * 100_000
    yield form(
        "sign in: a password of 100,000 letters", at("account_login"), {"login": "Flora", "password": long}
    )
    yield form(
        "sign in: a wrong password", at("account_login"), {"login": "Flora", "password": "not that one"}
    )
    taken = {"username": "Zoé" + "́" * 3_000, "password1": long, "password2": long}
    yield form("sign up: 100,000 letters", at("account_signup"), taken)
    yield form(
        "a code for nobody", at("account_request_login_code"), {"email": f"{'a' * 60_000}@example.org"}
    )


def _programs() -> Iterator[Request]:
    full = crowds.full_board(1)
    for path in ("judge", "judge/read", "judge/options"):
        yield sent(f"api {path}: a full board", f"/api/{path}", full, PROGRAM)
    hundred = crowds.contradictions(3, 100)
    yield sent("api judge: 100 contradictory orders", "/api/judge", hundred, PROGRAM)
    slow = {**hundred, "orders": {"FRANCE": [SLOW] * 99}}
    yield sent("api judge: 99 slow lines", "/api/judge", slow, PROGRAM)
    yield sent("api judge: deep", "/api/judge", b"[" * 99_000, PROGRAM)
    own = {"extends": "datc", "options": {f"k{number}": "v" for number in range(5_000)}}
    yield sent("api judge: an own rulebook", "/api/judge", {**hundred, "rulebook": own}, PROGRAM)
    yield sent("api judge: a stranger", "/api/judge", full)
    yield sent("api judge: many keys", "/api/judge", {str(at): at for at in range(9_000)}, PROGRAM)


def _players(scene: Scene) -> Iterator[Request]:
    game = scene.table
    sheet = "\n".join([SLOW[:240]] * 390)
    yield sent(
        "game: a draft of 180 lines of noise", at("games:draft", game, 1, "FRANCE"), {"sheet": sheet}, PLAYER
    )
    yield get("game: the page with it", at("games:game", game), PLAYER)
    yield form(
        "game: it is submitted",
        at("games:orders", game, 1, "FRANCE"),
        {"sheet": sheet, "submission": SUBMISSION},
        PLAYER,
    )
    yield get("game: the desk with it", at("games:desk", game), DIRECTOR)
    yield get("game: a preview", at("games:desk_preview", game), DIRECTOR)
    yield get("letters: a search", at("press:rooms", game) + "?q=" + quote("e" * 5_000), PLAYER)
    letter = {"text": "e\u0301 " * 6_600, "writer": "FRANCE", "submission": SUBMISSION}
    yield form("letters: one of accents", at("press:new", game) + "?to=GERMANY", letter, PLAYER)
    own = {"name": "x", "variant": "classic", "rulebook": "own", "own": "x = " + "[" * 39_000}
    yield form("a game with a deep rulebook", at("games:new"), own, PLAYER)
    yield get("everything of an account", at("accounts:export"), PLAYER)


def _directors(scene: Scene) -> Iterator[Request]:
    here = scene.tournament
    names = Random(5)
    listed = at("tournaments:paper_people", here)
    lines = [f"{''.join(names.choices('abcdefghijk ', k=60))}; Club; x@y.org" for _ in range(390)]
    people = {"list": "\n".join(["Name; Club; E-mail", *lines]), "submission": SUBMISSION}
    yield form("people: 390 are pasted", listed, people, DIRECTOR)
    cells = "\t".join("x" * 60) + "\n"
    yield form("people: a megabyte of cells", listed, {"list": cells * 8_000}, DIRECTOR)
    regulated = {"press": "regulated", "preset": "own", "look": "1", "submission": SUBMISSION}
    nested = f"{regulations_of_many_parts()}"
    yield form(
        "regulations: own, as large as can be",
        at("tournaments:desk_settings", here),
        {**regulated, "table": nested},
        DIRECTOR,
    )
    yield form(
        "regulations: deep",
        at("tournaments:desk_settings", here),
        {**regulated, "table": "x=" + "[" * 19_000},
        DIRECTOR,
    )
    yield get("the desk of 210", at("tournaments:desk", here), DIRECTOR)
    yield get("the draw of 210", at("tournaments:desk_draw", here, 5), DIRECTOR)
    yield get("standings with every line", at("tournaments:standings", here), DIRECTOR)
    yield get("badges of 210 as PDF", at("tournaments:paper_badges", here), DIRECTOR, beside=True)
    yield get("the archive", at("tournaments:paper_archive", here), DIRECTOR)
    for name, content in {
        "zip of a gigabyte of zeros": zip_bomb(1 << 30),
        "zip of 60,000 files": zip_of_many(60_000),
        "noise": bytes(Random(1).randbytes(5_000_000)),
        "deep JSON": archived(b"[" * 3_000_000),
        "a megabyte of numbers": archived(json.dumps(list(range(150_000))).encode()),
    }.items():
        yield file(f"archive: {name}", at("tournaments:restore"), "file", content, DIRECTOR)
    album = at("tournaments:take_album", here)
    yield file("album: zip of a gigabyte", album, "file", zip_bomb(1 << 30), DIRECTOR)
    photos = at("tournaments:send_photo", here, 4, 1)
    for name, content in {
        "900 megapixels": png_bomb(30_000, 30_000),
        "a megapixel of noise, 5 MB": png_of_noise(1_300),
        "a thousand pieces": png_of_pieces(200_000),
        "noise": bytes(Random(2).randbytes(5_000_000)),
    }.items():
        yield file(f"photograph: {name}", photos, "photo", content, DIRECTOR)


def regulations_of_many_parts() -> str:
    """A scoring system of its own, of as many parts as fit."""
    part = '[[system.parts]]\nkind = "places"\npoints = ["100/3", 7, 5, 3, 2, 1, "1/7"]\n'
    head = "[system.title]\nfr = 'x'\nen = 'x'\n"
    return head + part * 20


def archived(event: bytes) -> bytes:
    """An archive of a tournament, whole but that these bytes are its event."""
    from talleyrand.tournament import codec
    from talleyrand.tournament.exports import event_archive

    files = {event_archive.DOCUMENT: event, event_archive.JOURNAL: b"[]"}
    digests = {name: event_archive.sha256_hex(content) for name, content in files.items()}
    told = event_archive.EventManifest(event_archive.FORMAT, event_archive.VERSION, "", "", "x", digests)
    return event_archive.pack_zip(
        {event_archive.MANIFEST: event_archive.json_bytes(codec.write_value(told)), **files}
    )


def zip_bomb(size: int) -> bytes:
    """An archive whose event is so many zeros."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", b"{}")
        archive.writestr("journal.json", b"[]")
        with archive.open("event.json", "w") as inside:
            for _ in range(size >> 20):
                inside.write(bytes(1 << 20))
    return kept.getvalue()


def zip_of_many(count: int) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        for number in range(count):
            archive.writestr(f"{number}", b"")
    return kept.getvalue()


def png_bomb(width: int, height: int) -> bytes:
    """A picture that says it is so large."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compressobj(9)
    data = b"".join(rows.compress(bytes(1 << 20)) for _ in range(200)) + rows.flush()
    return _png(head, data)


def png_of_noise(side: int) -> bytes:
    """A picture that nothing makes smaller."""
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    lot = Random(3)
    rows = b"".join(b"\0" + lot.randbytes(3 * side) for _ in range(side))
    return _png(head, zlib.compress(rows, 0))


def png_of_pieces(count: int) -> bytes:
    """A small picture with so many remarks in it."""
    head = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    remarks = _chunk(b"tEXt", b"a\0b") * count
    data = zlib.compress(bytes(64 * 193))
    return _png(head, data, remarks)


def _png(head: bytes, data: bytes, more: bytes = b"") -> bytes:
    pieces = _chunk(b"IHDR", head), more, _chunk(b"IDAT", data), _chunk(b"IEND", b"")
    return b"".join((b"\x89PNG\r\n\x1a\n", *pieces))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def mails() -> dict[str, bytes]:
    """Mails to an address for orders, without their heads."""
    slow = "\n".join([SLOW[:240]] * 390)
    page = "<div>" * 60_000 + "A Par - Bur" + "</div>" * 60_000
    parts = "\r\n".join(["--b", "Content-Type: text/plain", "", "A Par - Bur"] * 5_000)
    quoted = "\r\n".join(">" * depth + " A Par - Bur" for depth in range(1, 2_000))
    return {
        "390 slow lines": _mail("text/plain", slow),
        "a page of 60,000 boxes": _mail("text/html", page),
        "5,000 parts": _mail("multipart/mixed; boundary=b", parts),
        "quoted two thousand deep": _mail("text/plain", quoted),
        "four megabytes of letters": _mail("text/plain", "A" * 4_000_000),
    }


def _mail(kind: str, text: str) -> bytes:
    head = f"Subject: S1901M\r\nMIME-Version: 1.0\r\nContent-Type: {kind}; charset=utf-8"
    return f"{head}\r\n\r\n{text}\r\n".encode()
