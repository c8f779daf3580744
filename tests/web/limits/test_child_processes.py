"""Processes that the site starts beside itself: once one has ended, nothing of it is left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from talleyrand.web.limits import child_processes
from tests.ports import free_port
from tests.waiting import wait_until

REHEARSED = """
import sys
from talleyrand.cli import main, site_commands
site_commands.WARM_UP_ARGUMENTS = ("-c", "open(%r, 'w').close()")
sys.exit(main(sys.argv[1:]))
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who began whom")


def children(parent: int) -> set[int]:
    """Those that run, and those that have ended and that nobody has waited for."""
    found = Path(f"/proc/{parent}/task/").glob("*/children")
    return {int(word) for path in found for word in path.read_text().split()}


def defunct(parent: int) -> list[int]:
    """The children that have ended and that nobody has waited for."""
    return [child for child in children(parent) if _state(child) == "Z"]


def _state(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""


@linux
def test_what_a_site_compiles_beforehand_leaves_nothing_behind(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    done = tmp_path / "done"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    command = [sys.executable, "-c", REHEARSED % str(done), "serve", "--port", str(free_port())]
    with subprocess.Popen(
        [*command, "--data", str(tmp_path / "site")], env=kept, stdout=subprocess.DEVNULL
    ) as site:
        try:
            wait_until(done.exists)
            wait_until(lambda: not defunct(site.pid))
        finally:
            site.terminate()


@linux
def test_one_that_dies_leaves_nothing_behind_before_anybody_looks(tmp_path: Path) -> None:
    done, before = tmp_path / "done", children(os.getpid())
    others = child_processes.ChildProcesses(1, (sys.executable, "-c", f"open({str(done)!r}, 'w').close()"))
    others.start_missing()
    wait_until(done.exists)
    wait_until(lambda: children(os.getpid()) <= before)
    assert others.running_count == 0
    others.stop_all()
