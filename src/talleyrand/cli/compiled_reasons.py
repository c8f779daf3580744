"""A long stream of questions has its reasons judged by compiled code, as soon as that is at hand."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

from talleyrand.formats.adjudication import AnswerJson
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.formats.json_checks import Json
from talleyrand.formats.json_lines import AnswerFunction

# To load the compiler takes as long as so many answers; a single question never waits for it.
LONG_STREAM = 50
_LOADER = (sys.executable, "-m", "talleyrand.simulation.removals_batch")


class CompiledReasons:
    """Gives the answers of `reply`; after LONG_STREAM of them compiled code judges their reasons, if it is
    installed.

    It is compiled by a process of its own, unless it is kept from before, and the stream goes on meanwhile.
    """

    def __init__(self, reply: AnswerFunction) -> None:
        self._reply, self._given = reply, 0
        self.process: subprocess.Popen[bytes] | None = None

    def reply(self, question: Json) -> AnswerJson:
        """The answer to a question."""
        if self._given == LONG_STREAM and AdjudicatedQuestion.compiled_removals is None:
            self._start()
        elif self.process is not None and self.process.poll() is not None:
            self._hand_in()
        self._given += 1
        return self._reply(question)

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
