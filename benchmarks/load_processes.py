"""The processes of a site that is measured, in one of its two shapes."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SERVE = (
    "import sys; from talleyrand.web.server.site_server import serve_site; "
    "serve_site('127.0.0.1', int(sys.argv[2]), sys.argv[1])"
)
PROGRAM = ("-m", "talleyrand")
CLOCKS, PROCESSES = 2, 2  # of the large shape
LONGEST = 120.0  # seconds until a storm is given up
LOOK = 0.05
HERE = "127.0.0.1"
ANSWERING = (b"; serve_site(", b"run_web_process(", b"\0pages\0")  # in command lines
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Site:
    """Where a site answers, where it tells news, and its processes."""

    pages: list[tuple[str, int]]
    events: tuple[str, int]
    roots: list[int]
    telling: int  # the process that holds the streams, with those that it has started


def command(*words: str) -> list[str]:
    return [sys.executable, *words]


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A part of the site, ended as its owner would end it."""
    with subprocess.Popen(command(*words), stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def site(data: Path, *, large: bool) -> Iterator[Site]:
    """A site in one of its shapes."""
    with ExitStack() as stack:

        def begun(*words: str) -> int:
            return stack.enter_context(running(*words)).pid

        page, event = free_port(), free_port()
        told = ("--data", str(data))
        if large:
            many = ("--processes", str(PROCESSES))
            telling = begun(*PROGRAM, "events", *told, "--port", str(event))
            roots = [telling, begun(*PROGRAM, "pages", *told, "--port", str(page), *many)]
            roots += [begun(*PROGRAM, "clock", *told) for _ in range(CLOCKS)]
        else:
            event = page
            os.environ["TALLEYRAND_PROCESSES"] = str(PROCESSES)
            telling = begun("-c", SERVE, str(data), str(page))
            roots = [telling]
        for port in (page, event):
            wait_for(port)
        yield Site([(HERE, page)], (HERE, event), roots, telling)


def free_port() -> int:
    """A port that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def wait_for(port: int) -> None:
    """Wait until something listens there; raises TimeoutError."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(LOOK)
    raise TimeoutError("the site does not answer")


def processor(roots: list[int]) -> float:
    """Processor seconds that processes and those they have started have used so far."""
    return used_by(family(roots))


def used_by(pids: list[int]) -> float:
    """Processor seconds that these processes have used so far, with those of theirs that have ended."""
    used = {pid: sum(map(int, words[11:15])) / TICKS for pid, words in _processes().items()}
    return sum(used.get(pid, 0.0) for pid in pids)


def answering(roots: list[int]) -> list[int]:
    """Those among the processes of a site that answer pages: not its clocks, nor what prepares bots."""
    found = []
    for pid in family(roots):
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
            found += [pid] if any(word in words for word in ANSWERING) else []
    return found


def family(roots: list[int]) -> list[int]:
    """Processes, and those that they have started, and so on."""
    children: dict[int, list[int]] = {}
    for pid, words in _processes().items():
        children.setdefault(int(words[1]), []).append(pid)
    found, waiting = [], list(roots)
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


def _processes() -> dict[int, list[str]]:
    """What the machine tells of each process, from its state on."""
    found: dict[int, list[str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            found[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
    return found


def prepare() -> None:
    """A folder as a site that starts makes it."""
    from talleyrand.web.server import site_server

    site_server.with_django(site_server.prepare_data_folder).release()


def tried_apart(
    module: str, words: Sequence[str], variables: Mapping[str, str] | None = None
) -> dict[str, Any] | None:
    """What `benchmarks.MODULE --trial WORDS` prints last, as JSON, in a process and a data folder of its own
    whose site has no settings but `variables`; None where it broke off.
    """
    with tempfile.TemporaryDirectory() as folder:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("TALLEYRAND_")}
        environment = {
            **kept,
            "TALLEYRAND_DATA": f"{folder}/data",
            "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings",
            **(variables or {}),
        }
        Path(folder, "data").mkdir()
        ran = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{module}", "--trial", *words],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    if ran.returncode:
        return None
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found
