"""A site as it is served: its monitor, its figures and its log, by HTTP."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.web.server.test_serve import RUN, ask, environment

pytestmark = pytest.mark.long

TOKEN = "a-token-of-twenty-four-or-more"
VARIABLES = {
    "TALLEYRAND_LOG": "INFO",
    "TALLEYRAND_LOG_FORMAT": "json",
    "TALLEYRAND_METRICS": TOKEN,
    "TALLEYRAND_HOSTS": "jeu.exemple.org",
}


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, prepare_site: Callable[[Path], Path]
) -> Iterator[tuple[int, Path]]:
    """The port of a site that goes by another name than the machine, and what it logs."""
    folder = tmp_path_factory.mktemp("served")
    log = folder / "log"
    command = [sys.executable, "-c", RUN, "0", str(prepare_site(folder / "data"))]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment(**VARIABLES)
        ) as server,
    ):
        assert server.stdout is not None
        yield int(server.stdout.readline().strip().rstrip("/").rpartition(":")[2]), log
        server.terminate()


def well(port: int) -> tuple[int, str]:
    """What the monitor hears once the clock has begun."""
    wait_until(lambda: ask(port, "GET", "/health/")[0] == 200)
    return ask(port, "GET", "/health/")


def test_the_monitor_of_the_machine_itself(served: tuple[int, Path]) -> None:
    """It does not know by what name the world calls the site; others by that name alone."""
    port, _log = served
    status, text = well(port)
    assert (status, json.loads(text)["status"]) == (200, "ok")
    assert ask(port, "HEAD", "/health/") == (200, "")
    assert ask(port, "GET", "/health.txt") == (200, "ok\n")
    assert ask(port, "GET", "/parties/")[0] == 400
    assert ask(port, "GET", "/parties/", Host="jeu.exemple.org")[0] == 200


def test_figures_of_the_process_that_answers(served: tuple[int, Path]) -> None:
    port, _log = served
    well(port)
    ask(port, "GET", "/parties/", Host="jeu.exemple.org")
    assert ask(port, "GET", "/metrics/", Host="jeu.exemple.org")[0] == 404
    status, text = ask(port, "GET", "/metrics/", Host="jeu.exemple.org", Authorization=f"Bearer {TOKEN}")
    assert status == 200
    assert 'talleyrand_request_seconds_count{part="games",method="GET",status="200"}' in text
    assert "talleyrand_clocks 1\n" in text
    assert "talleyrand_sweep_seconds " in text


def test_all_that_is_logged_is_json(served: tuple[int, Path]) -> None:
    """What is no HTTP at all too, which the server itself complains of."""
    port, log = served
    ask(port, "GET", "/p/a-key-nobody-may-know/", Host="jeu.exemple.org")
    with socket.create_connection(("127.0.0.1", port)) as strange:
        strange.sendall(b"\x16\x03\x01 nothing like HTTP\r\n\r\n")
        strange.recv(1000)
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert "p/<str:key>/" in {one.get("route") for one in records}
    assert [one for one in records if one["logger"].startswith("uvicorn")] != []
    assert "a-key-nobody" not in log.read_text()
