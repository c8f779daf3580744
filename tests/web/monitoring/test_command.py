"""`talleyrand health`, beside a site and without one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

pytestmark = pytest.mark.long

PREPARE = (
    "import django; django.setup(); from django.utils import timezone; "
    "from talleyrand.web.games import deadline_clock; deadline_clock.record_heartbeat(timezone.now())"
)
STOP = (
    "import django; django.setup(); from talleyrand.web.games.models import Heartbeat; "
    "Heartbeat.objects.all().delete()"
)


def called(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    settings = {"TALLEYRAND_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings"}
    environment = {**kept, **settings, "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def health(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return called(folder, "-m", "talleyrand", "health", *options)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, prepare_site: Callable[[Path], Path]) -> Path:
    folder = prepare_site(tmp_path_factory.mktemp("site"))
    assert called(folder, "-c", PREPARE).returncode == 0
    return folder


def test_a_site_that_is_well_and_one_whose_clock_has_stopped(site: Path) -> None:
    well = health(site, "--lang", "fr")
    assert (well.returncode, well.stderr) == (0, "")
    assert well.stdout.splitlines()[-1] == "Tout va bien."
    assert "database: ok" in well.stdout
    assert "overdue: 0" in well.stdout
    assert health(site, "--quiet").stdout == ""
    assert called(site, "-c", STOP).returncode == 0
    ill = health(site, "--quiet", "--lang", "en")
    assert (ill.returncode, ill.stdout.splitlines()[-1]) == (1, "Something is wrong.")
    assert "clock: failing" in ill.stdout


def test_where_there_is_no_site(tmp_path: Path) -> None:
    answer = health(tmp_path / "nowhere")
    assert (answer.returncode, answer.stdout) == (1, "")
    assert "There is no site in" in answer.stderr
    assert not (tmp_path / "nowhere").exists()


def test_what_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "talleyrand.sqlite3").write_bytes(b"zz" * 4096)
    answer = health(tmp_path, "--lang", "en")
    assert answer.returncode == 1
    assert "database: failing" in answer.stdout
    assert "Traceback" not in answer.stderr
