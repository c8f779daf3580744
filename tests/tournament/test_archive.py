"""The archive gives back what it was given; whatever else is put before it is refused with a reason."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from talleyrand.tournament import acts, codec, event_changes
from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.acts.round_acts import CheckIn
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.exports import event_archive
from talleyrand.tournament.exports.event_archive import ArchivedEntry, ArchivedLink, EventArchive
from talleyrand.tournament.model import Event, EventPerson, EventRound, PrivateFacts, RoundState

HOUR = "2026-07-03T19:00:00+00:00"
DONE = (
    AddPerson(
        EventPerson("Théo", club="Les Chouettes", private=PrivateFacts(born="1987", mail="theo@example.org"))
    ),
    AddPerson(EventPerson("Ursule")),
    CheckIn(1, 2, HOUR),
)


HANDS = ("director 1", "", "assistant 2")


def kept(links: bool = True) -> EventArchive:
    """An event with three entries in its journal."""
    event = Event("Angers", rounds={1: EventRound(RoundState.OPEN), 2: EventRound()}, seed="x")
    entries = []
    for number, act in enumerate(DONE, 1):
        after = acts.perform_act(event, act)
        changed = event_changes.diff_documents(codec.write_value(event), codec.write_value(after))
        told = ArchivedEntry(
            number,
            HOUR,
            f"form {number}",
            hand=HANDS[number - 1],
            acts=(acts.write_act(act),),
            changes=tuple(changed),
        )
        entries.append(told)
        event = after
    doors = (ArchivedLink(1, "a" * 22), ArchivedLink(2, "b-_" * 8, HOUR)) if links else ()
    return EventArchive(codec.write_value(event), tuple(entries), doors, HOUR, "1.0", event)


WHOLE = event_archive.write_archive(kept())


@pytest.mark.parametrize("links", [True, False])
def test_what_is_written_is_read(links: bool) -> None:
    held = kept(links)
    assert event_archive.read_archive(event_archive.write_archive(held)) == held
    assert event_archive.write_archive(
        event_archive.read_archive(event_archive.write_archive(held))
    ) == event_archive.write_archive(held)


def files(content: bytes = WHOLE) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(content)) as file:
        return {one: file.read(one) for one in file.namelist()}


def packed(held: Mapping[str, bytes]) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in held.items():
            file.writestr(name, content)
    return made.getvalue()


def sealed(name: str, change: Callable[[Any], Any]) -> bytes:
    """The archive with one file changed by somebody who knows how to seal it again."""
    held = files()
    told = change(json.loads(held[name]))
    held[name] = told if isinstance(told, bytes) else json.dumps(told).encode()
    manifest = json.loads(held["manifest.json"])
    if name != "manifest.json":
        manifest["files"][name] = event_archive.sha256_hex(held[name])
        held["manifest.json"] = json.dumps(manifest).encode()
    return packed(held)


def entry(number: int, **fields: Any) -> Callable[[Any], Any]:
    return lambda told: [{**one, **(fields if at == number else {})} for at, one in enumerate(told)]


def bomb() -> bytes:
    """A file that says it is small and unpacks to much."""
    content = packed({**files(), "event.json": b" " * (event_archive.LIMITS["event.json"] + 10)})
    size = (event_archive.LIMITS["event.json"] + 10).to_bytes(4, "little")
    assert content.count(size) == 2
    return content.replace(size, (40).to_bytes(4, "little"))


def twice() -> bytes:
    made = BytesIO(WHOLE)
    with zipfile.ZipFile(made, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("event.json", "{}")
    return made.getvalue()


def encrypted() -> bytes:
    content = bytearray(WHOLE)
    for at in range(len(content) - 4):
        if content[at : at + 4] == b"PK\x01\x02":
            content[at + 8] |= 1
        if content[at : at + 4] == b"PK\x03\x04":
            content[at + 6] |= 1
    return bytes(content)


WRONG: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "archive_not_one"),
    "a letter": (lambda: b"Dear director", "archive_not_one"),
    "a half": (lambda: WHOLE[: len(WHOLE) // 2], "archive_damaged"),
    "without its end": (lambda: WHOLE[:-30], "archive_damaged"),
    "a changed byte": (lambda: WHOLE[:200] + bytes([WHOLE[200] ^ 255]) + WHOLE[201:], "archive_damaged"),
    "too large": (lambda: WHOLE + bytes(event_archive.MAX_FILE_BYTES), "archive_too_large"),
    "a bomb": (bomb, "archive_damaged"),
    "told to be large": (lambda: packed({**files(), "manifest.json": b" " * 70_000}), "archive_damaged"),
    "another zip": (lambda: packed({"letter.txt": b"hello"}), "archive_not_one"),
    "a file too many": (lambda: packed({**files(), "../evil.json": b"{}"}), "archive_not_one"),
    "a file less": (lambda: packed({"manifest.json": files()["manifest.json"]}), "archive_not_one"),
    "a file twice": (twice, "archive_not_one"),
    "locked": (encrypted, "archive_damaged"),
    "changed by hand": (
        lambda: packed({**files(), "event.json": files()["event.json"].replace(b"Ursule", b"Arsule")}),
        "archive_damaged",
    ),
    "newer": (lambda: sealed("manifest.json", lambda told: {**told, "version": 2}), "archive_newer"),
    "older than all": (
        lambda: sealed("manifest.json", lambda told: {**told, "version": 0}),
        "archive_damaged",
    ),
    "of something else": (
        lambda: sealed("manifest.json", lambda told: {**told, "format": "photos"}),
        "archive_not_one",
    ),
    "no name": (lambda: sealed("event.json", lambda told: {**told, "name": " "}), "archive_damaged"),
    "a long name": (
        lambda: sealed("event.json", lambda told: {**told, "name": "x" * 121}),
        "archive_damaged",
    ),
    "undone before": (lambda: sealed("journal.json", entry(2, undone=1)), "archive_damaged"),
    "undoes itself": (lambda: sealed("journal.json", entry(1, undoes=2)), "archive_damaged"),
    "undone by itself": (lambda: sealed("journal.json", entry(1, undone=2)), "archive_damaged"),
    "undoes what follows": (lambda: sealed("journal.json", entry(1, undoes=3)), "archive_damaged"),
    "a list": (lambda: sealed("event.json", lambda told: [told]), "archive_damaged"),
    "no JSON": (lambda: sealed("event.json", lambda _: b"{"), "archive_damaged"),
    "Latin-1": (lambda: sealed("event.json", lambda _: "Théo".encode("cp1252")), "archive_damaged"),
    "deep": (lambda: sealed("event.json", lambda _: b"[" * 200_000), "archive_damaged"),
    "a field unknown": (lambda: sealed("event.json", lambda told: {**told, "x": 1}), "event_unknown_key"),
    "unsound": (
        lambda: sealed("event.json", lambda told: {**told, "apart": [[1, 99]]}),
        "sound_apart",
    ),
    "rules unknown": (
        lambda: sealed("event.json", lambda told: {**told, "regulations": "chess"}),
        "event_unknown_regulations",
    ),
    "another event": (
        lambda: sealed(
            "event.json", lambda told: {**told, "people": {**told["people"], "2": {"name": "Zoé"}}}
        ),
        "archive_damaged",
    ),
    "an entry missing": (lambda: sealed("journal.json", lambda told: told[1:]), "archive_damaged"),
    "entries in disorder": (lambda: sealed("journal.json", lambda told: told[::-1]), "archive_damaged"),
    "an entry twice": (lambda: sealed("journal.json", entry(1, once="form 1")), "archive_damaged"),
    "an entry without hour": (lambda: sealed("journal.json", entry(1, at="noon")), "archive_damaged"),
    "an entry of nobody": (lambda: sealed("journal.json", entry(1, person=-1)), "archive_damaged"),
    "an entry of a name": (lambda: sealed("journal.json", entry(1, hand="Maëlle")), "archive_damaged"),
    "an act unknown": (lambda: sealed("journal.json", entry(1, acts=[{"kind": "x"}])), "event_not_a_word"),
    "no act": (lambda: sealed("journal.json", entry(1, acts=["x"])), "archive_damaged"),
    "no change": (lambda: sealed("journal.json", entry(1, changes=[{"at": []}])), "archive_damaged"),
    "a change of elsewhere": (
        lambda: sealed("journal.json", entry(1, changes=[{"at": ["x"], "before": [], "after": [1]}])),
        "archive_damaged",
    ),
    "no journal": (lambda: sealed("journal.json", lambda _: {}), "archive_damaged"),
    "a link of nobody": (
        lambda: sealed("links.json", lambda told: [{**told[0], "person": 9}]),
        "archive_damaged",
    ),
    "a link twice": (lambda: sealed("links.json", lambda told: [told[0], told[0]]), "archive_damaged"),
    "a link of two": (
        lambda: sealed("links.json", lambda told: [told[0], {**told[1], "key": told[0]["key"]}]),
        "archive_damaged",
    ),
    "a link of less than nobody": (
        lambda: sealed("links.json", lambda told: [{**told[0], "person": -1, "follows": 1}]),
        "archive_damaged",
    ),
    "a link that follows less than nobody": (
        lambda: sealed("links.json", lambda told: [{**told[0], "person": -1, "follows": -1}]),
        "archive_damaged",
    ),
    "a link to guess": (
        lambda: sealed("links.json", lambda told: [{**told[0], "key": "1"}]),
        "archive_damaged",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_archive_is_refused(name: str) -> None:
    content, code = WRONG[name]
    with pytest.raises((InvalidEvent, ActRefused)) as refused:
        event_archive.read_archive(content())
    assert refused.value.code == code


def test_it_is_the_same_file_again() -> None:
    assert event_archive.write_archive(kept()) == WHOLE
    assert event_archive.write_archive(replace(kept(), made="2027-01-01T00:00:00Z")) != WHOLE
