"""A site that dies anywhere between the end of a mail and its answer: nothing is lost, nothing is doubled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.web.games.dying import DEAD

from .dying import COMING, POINTS, UNCERTAIN

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def dead(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What became of each site that died at a point; "" is the one that did not."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.web.mail.dying", str(tmp_path_factory.mktemp("sites"))],
        env={**kept, "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_orders_undisturbed(dead: Any) -> None:
    found = dead["orders "]
    assert (found["status"], found["taken"], found["later"]) == (0, True, 0)
    told = found["told"]
    assert told["outcomes"] == ["taken"]
    assert [(power, receipt, len(lines), origin) for power, receipt, lines, origin in told["sheets"]] == [
        ("FRANCE", 1, 3, "mail")
    ]
    assert (told["unsent"], told["unread"]) == (0, 0)
    assert [to for to, _number in found["items"]] == [["flora.kerbrat@exemple-flora.fr"]]


def test_a_letter_undisturbed(dead: Any) -> None:
    found = dead["letter "]
    assert (found["status"], found["taken"], found["later"]) == (0, True, 0)
    assert found["told"]["outcomes"] == ["sent"]
    assert len(found["told"]["letters"]) == 1
    assert sorted(to for to, _number in found["items"]) == [
        ["flora.kerbrat@exemple-flora.fr"],
        ["irene.colonna@exemple-irene.fr"],
    ]


@pytest.mark.parametrize(("door", "point"), [(door, point) for door in POINTS for point in POINTS[door]])
def test_killed_there_and_begun_again(door: str, point: str, dead: Any) -> None:
    found, undisturbed = dead[f"{door} {point}"], dead[f"{door} "]
    assert found["status"] == DEAD, "it did not die there"
    assert found["later"] == 0
    assert found["told"] == undisturbed["told"]
    assert found["taken"] == (point not in COMING[:4])
    brought = Counter(map(str, found["items"]))
    assert Counter(to for (to,), _number in {str(one): one for one in found["items"]}.values()) == Counter(
        to for (to,), _number in undisturbed["items"]
    )
    again = {number for number, times in brought.items() if times > 1}
    assert len(again) == (point == UNCERTAIN), "handed over twice under one Message-ID, or not at all"
    assert max(brought.values()) <= 2
