"""Processes of a pool that is given up: nobody waits for them, whatever they were doing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

HALF_AN_ANSWER = """
import multiprocessing, pathlib, struct, sys, threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection
from talleyrand.parent_process import end_pool

def half(pipe, answer):
    pipe._send(struct.pack("!i", len(answer)) + bytes(answer)[: len(answer) // 2])
    pathlib.Path(sys.argv[1]).touch()
    threading.Event().wait()

def begin():
    Connection._send_bytes = half

pool = ProcessPoolExecutor(1, multiprocessing.get_context("fork"), begin)
pool.submit(bytes, 1000)
while not pathlib.Path(sys.argv[1]).exists():
    pass
end_pool(pool, [])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")
def test_a_pool_given_up_in_the_middle_of_an_answer_lets_the_program_end(tmp_path: Path) -> None:
    command = (sys.executable, "-c", HALF_AN_ANSWER, str(tmp_path / "written"))
    assert subprocess.run(command, timeout=PATIENCE, check=False).returncode == 0
