"""A process that dies anywhere in a publication: whoever goes on afterwards comes to the same bytes, once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .dying import DEAD, POINTS

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def dead(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What became of each site whose clock died at a point; "" is the one whose clock did not."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.web.games.dying", str(tmp_path_factory.mktemp("sites"))],
        env={**kept, "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_undisturbed(dead: Any) -> None:
    found = dead[""]
    assert (found["status"], found["later"]) == (0, 0)
    assert found["told"]["game"][:2] == [2, "F1901M"]
    assert [sheet[4] for sheet in found["told"]["sheets"]] == ["text"] * 5 + ["draft"] * 2


@pytest.mark.parametrize("point", POINTS)
def test_killed_there_and_begun_again(point: str, dead: Any) -> None:
    assert dead[point]["status"] == DEAD, "it did not die there"
    assert dead[point]["later"] == 0
    assert dead[point]["told"] == dead[""]["told"]
