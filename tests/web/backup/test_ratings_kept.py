"""A site that was restored from its backup comes to the same ratings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FILL = """
from talleyrand.web.server import site_server
hold = site_server.with_django(site_server.prepare_data_folder)
from tests.web.games.test_rating_history import year
year(12)
hold.release()
"""


def told(site: Path, *command: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    own = {**kept, "TALLEYRAND_DATA": str(site), "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings"}
    root = Path(__file__).parents[3]
    run = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=True, env=own, cwd=root
    )
    return run.stdout


@pytest.mark.long
def test_from_an_archive_too(tmp_path: Path) -> None:
    site, other, archive = tmp_path / "site", tmp_path / "other", str(tmp_path / "a.zip")
    told(site, "-c", FILL)
    first = told(site, "-m", "talleyrand", "ratings")
    assert f"{12 * 7} " in first
    told(site, "-m", "talleyrand", "backup", archive)
    told(other, "-m", "talleyrand", "restore", archive)
    assert told(other, "-m", "talleyrand", "ratings") == first
