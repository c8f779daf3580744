"""Who at a table sees what, and when; each column a reader of `table_scene`, each row a secret.

"x": seen somewhere; "?": may be seen, as everybody at the table may know it; ".": nowhere at all. Nowhere are
the keys of phones, whatever the moment is.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.web.api.asking import Program, program
from tests.web.visibility import calls, places, table_scene
from tests.web.visibility.table_scene import MARKS, MOMENTS, READERS, TableScene

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
# Whoever has the address of a seat, which is as good as the table’s key, reads there whose it is.
WAITING = """
                 F E G g R T a s x A
code             x x x . x . x x . .
pin              . . . . x . x x . .
seat_of_phone    . . . . x . x . . .
free_seat        . . . . x . x . . .
name             x x x x x x x x x x
"""
WRITING = """
                 F E G g R T a s x A
published        x x x . x x x ? . .
open_sheet       x . . . . . . . . .
replaced_sheet   ? . . . . . . . . .
open_draft       . . x . . . . . . .
referees_sheet   . . . . x . . . . .
remote_sheet     . . . . . x . . . .
late_for_spring  x x x . x . x x . .
pin              . . . . x . x x . .
code             ? ? ? . x . x x . .
seat_of_phone    . . . . x . x . . .
free_seat        . . . . x . x . . .
name             x x x x x x x x x x
"""
READING = """
                 F E G g R T a s x A
published        x x x . x x x ? . .
open_sheet       x x x . x x x ? . .
replaced_sheet   x x x . x ? x ? . .
open_draft       x x x . x x x ? . .
referees_sheet   x x x . x x x ? . .
remote_sheet     x x x . x x x ? . .
late_for_spring  x x x . x . x ? . .
late_for_fall    x x x . x . x ? . .
pin              . . . . x . x x . .
code             ? ? ? . x . x x . .
seat_of_phone    . . . . x . x . . .
free_seat        . . . . x . x . . .
name             x x x x x x x x x x
"""
AT = {
    "waiting": WAITING,
    "writing": WRITING,
    "after_the_bell": WRITING,  # what came late is not told before the phase is over
    "reading": READING,
    "read_together": READING,
    "ended": READING,
}
ANSWERS_NO_GET = ("/late/", "/act/", "/reading/")


def expected(moment: str, who: str, *signs: str) -> set[str]:
    """The secrets that have one of these signs in a reader’s column."""
    head, *rows = (line.split() for line in AT[moment].strip().splitlines())
    column = head.index(who) + 1
    return {row[0] for row in rows if row[column] in signs}


def read(client: Client, path: str) -> str:
    """All that an address answers, head included, whatever its status is."""
    answer: Any = client.get(path)
    assert answer.status_code < 500 or path.startswith("/health"), path
    body: bytes = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return "\n".join([*map(str, answer.headers.items()), body.decode("utf-8", "replace")])


def told(scene: TableScene, who: str, due: set[str], draw: str | None) -> dict[str, str]:
    """What a reader finds at the table’s addresses and at the game’s: in a sample at a part of these, and at
    more until all that is due has been found.
    """
    of_table = table_scene.table_addresses(scene.table.game.key)
    first = [path for path in of_table if not any(one in path for one in ANSWERS_NO_GET)]
    every = table_scene.game_addresses(scene)
    drawn = every if draw is None else places.drawn(every, draw, who)
    texts = {path: read(scene.clients[who], path) for path in (*first, *drawn)}
    for path in every:
        if all(where(texts, MARKS[name]) for name in due):
            break
        if path not in texts:
            texts[path] = read(scene.clients[who], path)
    return texts


def where(texts: dict[str, str], mark: str) -> list[str]:
    return [path for path, text in texts.items() if mark in text][:4]


@pytest.mark.long
@pytest.mark.one_in(3)
@pytest.mark.parametrize("moment", MOMENTS)
def test_who_at_a_table_sees_what(moment: str, full: bool, draw: str, record_property: Any) -> None:
    scene, asked, wrong = MOMENTS[moment](), 0, {}
    for who in READERS:
        due, allowed = expected(moment, who, "x"), expected(moment, who, "x", "?")
        texts = told(scene, who, due, None if full else draw)
        asked += len(texts)
        found = {name: where(texts, mark) for name, mark in MARKS.items()}
        leaks = {name: paths for name, paths in found.items() if paths and name not in allowed}
        leaks |= {key: paths for key in scene.phone_keys() if (paths := where(texts, key))}
        missing = sorted(name for name in due if not found[name])
        if leaks or missing:
            wrong[who] = (leaks, missing)
    assert wrong == {}
    record_property(
        "asked", f"visibility of a table, {moment}: {asked} pages asked by {len(READERS)} readers"
    )


@pytest.mark.long
@pytest.mark.parametrize("moment", ["after_the_bell"])
def test_what_programs_are_told_of_a_table(moment: str, settings: Any) -> None:
    """The account that plays from afar reads with a token what it reads on pages; others, nothing."""
    settings.API_RATES = dict.fromkeys(settings.API_RATES, (10**9, 60))
    scene = MOMENTS[moment]()
    people = {"T": table_scene.REMOTE, "x": table_scene.STRANGER, "A": table_scene.ADMINISTRATOR}
    wrong = {}
    for who, asking in {**{who: program(name) for who, name in people.items()}, "": Program()}.items():
        texts = {
            f"{line.name} {path}": asking.ask("GET", path).content.decode("utf-8", "replace")
            for line in calls.lines()
            if line.method == "GET" and "{key}" in line.path
            for path in calls.addresses(line, scene.game)
        }
        allowed = expected(moment, who, "x", "?") if who == "T" else set()
        found = {name: where(texts, mark) for name, mark in MARKS.items()}
        if leaks := {name: paths for name, paths in found.items() if paths and name not in allowed}:
            wrong[who] = leaks
    assert wrong == {}
