"""Several processes that answer at one socket, and end with the first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.usefixtures("interruptible")
BESIDE = b"site_server.run_web_process"


@pytest.fixture
def site(new_site: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A site of two processes, and its address."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    place = ["--port", str(free_port()), "--data", str(new_site)]
    command = [sys.executable, "-m", "talleyrand", "serve", *place]
    with subprocess.Popen(
        command, env={**kept, "TALLEYRAND_PROCESSES": "2"}, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().rpartition(" ")[2].strip()
        process.kill()


def beside(process: subprocess.Popen[str]) -> list[int]:
    """The processes that this one has begun to answer beside it."""
    found = Path(f"/proc/{process.pid}/task/").glob("*/children")
    children = {int(word) for path in found for word in path.read_text().split()}
    return [child for child in children if BESIDE in Path(f"/proc/{child}/cmdline").read_bytes()]


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as page:
            return bool(page.status == 200)
    except OSError:
        return False


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who began whom")
def test_another_process_answers_and_ends_with_the_site(site: tuple[subprocess.Popen[str], str]) -> None:
    process, address = site
    wait_until(lambda: beside(process) and answers(address))
    (first,) = beside(process)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: (now := beside(process)) and now != [first])
    assert all(answers(address) for _ in range(5))
    (other,) = beside(process)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    wait_until(lambda: not Path(f"/proc/{other}").exists())


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who began whom")
def test_it_ends_when_the_site_is_killed(site: tuple[subprocess.Popen[str], str]) -> None:
    process, _address = site
    wait_until(lambda: beside(process))
    (other,) = beside(process)
    process.kill()
    wait_until(lambda: not Path(f"/proc/{other}").exists())
