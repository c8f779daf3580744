"""Tournaments whose processes are killed before every statement: nothing half done, nothing done twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_document_journal_and_doors_agree(
    database: str, tmp_path: Path, full: bool, record_property: Any
) -> None:
    if not full:
        pytest.skip("a minute on each database")
    words = [sys.executable, "-m", "tests.faults.tournament", str(tmp_path)]
    beside = [sys.executable, "-m", "tests.postgresql"] if database == "PostgreSQL" else []
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    done = subprocess.run(
        [*beside, *words], env=kept, cwd=ROOT, capture_output=True, text=True, check=False, timeout=1800
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    record_property("crashes", f"{database}, tournaments: {found['killed']} killed, {found['deeds']}")
    assert found["broken"] == []
    assert found["killed"] == sum(found["deeds"].values()) > 50
