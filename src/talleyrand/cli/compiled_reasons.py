"""A long stream of questions has its reasons judged by compiled code, as soon as that is at hand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TypeVar

from talleyrand.formats.adjudication_answer import AdjudicatedQuestion

Answer = TypeVar("Answer")
# To load the compiler takes as long as so many answers; a single question never waits for it.
LONG_STREAM = 50
_LOADER = (sys.executable, "-m", "talleyrand.simulation.removals_batch")


class CompiledReasons:
    """Has the reasons of a stream of answers judged by compiled code once LONG_STREAM of them have passed, if
    it is installed.

    It is compiled by a process of its own, unless it is kept from before, and the stream goes on meanwhile.
    """

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._passed = 0

    def watch(self, answers: Iterable[Answer]) -> Iterator[Answer]:
        """The same answers."""
        for answer in answers:
            yield answer
            self._passed += 1
            if self._passed == LONG_STREAM and AdjudicatedQuestion.compiled_removals is None:
                self._start()
            elif self.process is not None and self.process.poll() is not None:
                self._hand_in()

    def _start(self) -> None:
        if find_spec("numba") is not None:
            quiet = subprocess.DEVNULL
            self.process = subprocess.Popen(  # noqa: S603 our own program
                _LOADER, stdin=quiet, stdout=quiet, stderr=quiet
            )

    def _hand_in(self) -> None:
        if self.process is not None and self.process.returncode == 0:
            removals_batch = import_module("talleyrand.simulation.removals_batch")
            removals_batch.load_kernel()
            AdjudicatedQuestion.compiled_removals = removals_batch.compiled_removals
        self.process = None

    def close(self) -> None:
        """End the process, if it still runs."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
