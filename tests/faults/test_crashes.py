"""Processes that end anywhere, by the hundred and by the thousand: nothing acknowledged is lost, nothing is
judged twice, no person is sent two mails of one thing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from . import accounts
from .points import IN_DOUBT, declared
from .sink import HALF, Item

ROOT = Path(__file__).parents[2]
MANY, SAMPLE = 2_000, 1
Record = Callable[[str, object], None]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Both databases at full size; a sample on SQLite."""
    if "database" in metafunc.fixturenames:
        databases = ["SQLite", "PostgreSQL"] if metafunc.config.getoption("--full") else ["SQLite"]
        metafunc.parametrize("database", databases)


@pytest.fixture
def found(tmp_path: Path, database: str, full: bool, seed: int) -> Any:
    """What became of the sites whose processes ended; of one test, since it takes a minute or hours."""
    count = MANY if full else SAMPLE
    words = [sys.executable, "-m", "tests.faults.lives", str(tmp_path)]
    beside = [sys.executable, "-m", "tests.postgresql"] if database == "PostgreSQL" else []
    done = subprocess.run(
        [*beside, *words, str(count), str(seed)],
        env={name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=7200,
    )
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "count": count, "database": database}


def test_nothing_lost_nothing_twice(found: Any, record_property: Record, seed: int) -> None:
    for line in told(found, seed):
        record_property("crashes", line)
    assert found["broken"] == []
    assert found["crashes"] >= found["count"]
    assert found["sheets"] > 0
    assert all(found["arrived"][channel] > found["twice"].get(channel, 0) for channel in IN_DOUBT)
    assert never_fired(found) == {}, "no deed of tests/faults ends there"


def never_fired(found: Any) -> dict[str, str]:
    """The points at which nobody has ended, each with the module that it stands in."""
    points = {**declared(), HALF: "the world"}
    return {name: where for name, where in points.items() if not found["fired"].get(name)}


def told(found: Any, seed: int) -> list[str]:
    """Counts, in all and for each point."""
    sums = "{database}: {crashes} crashes, {lives} lives, {deeds} deeds, {sheets} sheets taken, seed {seed}"
    met = (
        "{meetings} times three processes worked at once on what one has to do, one by a slow clock; "
        "{stood} times the first stood still until the others had done it; on a full disk: {starved}"
    )
    twice = [
        f"{channel}: {count} arrived, {found['twice'].get(channel, 0)} twice under one number, of "
        f"{found['doubts'][channel]} in doubt (ended between the answer and our note of it)"
        for channel, count in found["arrived"].items()
    ]
    by_point = [f"{times:5} {name}" for name, times in sorted(found["fired"].items())]
    return [sums.format(**found, seed=seed), met.format(**found), *twice, *by_point]


# that the laws see what breaks them

SHEET = [1, "FRANCE", 1, "0123456789abcdef", "map", ["A PAR-BUR"], False]
FACT = {"sheet": [1, "FRANCE", 1, "01234567", ["A PAR-BUR"]]}
CALM: dict[str, Any] = {
    "sheets": [SHEET],
    "revisions": [[1, 1, "adjudication"]],
    "sent": {"mail": 1},
    "news": [],
}
MAIL = Item("mail", "flora@exemple.fr", "<1@x>", "Bonjour")
OTHER, NEXT = replace(MAIL, data="Bonsoir"), replace(MAIL, number="<2@x>")
CALL = replace(MAIL, channel="hook")


def test_the_laws_hold() -> None:
    assert accounts.broken(CALM, CALM, [FACT], [MAIL, CALL, CALL], {}) == []
    assert accounts.broken(CALM, CALM, [FACT], [MAIL, MAIL], {"mail": 1}) == []


@pytest.mark.parametrize(
    ("change", "items", "law"),
    [
        ({"sheets": []}, [MAIL], "lost"),
        ({"sheets": [[*SHEET[:5], ["A PAR H"], False]]}, [MAIL], "lost"),
        ({"sheets": [SHEET, [1, "FRANCE", 3, *SHEET[3:]]]}, [MAIL], "receipts of FRANCE"),
        ({"revisions": [*CALM["revisions"], [1, 2, "adjudication"]]}, [MAIL], "judged 2 times"),
        ({"news": [["Flora", "published", "1"]]}, [MAIL], "news"),
        ({}, [CALL], "mail: 0 arrived of 1"),
        ({}, [MAIL, MAIL], "mail: 1 arrived twice, 0 in doubt"),
        ({}, [MAIL, OTHER], "mail: two under <1@x>"),
        ({}, [MAIL, NEXT], "mail: 2 arrived of 1"),
    ],
)
def test_the_laws_are_broken(change: dict[str, Any], items: list[Item], law: str) -> None:
    laws = accounts.broken({**CALM, **change}, CALM, [FACT], items, {"hook": 1})
    assert any(one.startswith(law) for one in laws), laws
