"""A long stream of questions has its reasons judged by compiled code, as soon as that is at hand."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import BinaryIO

from talleyrand.formats.adjudication import AnswerJson
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.formats.json_checks import Json
from talleyrand.formats.json_lines import AnswerFunction

COMPILER = "talleyrand.simulation.reasons_compiler"
# To load the compiler takes as long as so many answers; a single question never waits for it.
LONG_STREAM = 50
LOOKED_AT = 1 << 18


class CompiledReasons:
    """Gives the answers of `reply`; after LONG_STREAM of them compiled code judges their reasons, if it is
    installed.

    It is compiled by a process of its own, unless it is kept from before, and the stream goes on meanwhile.
    Where it cannot be had, whatever the reason, the stream goes on without: the answers are the same.
    """

    def __init__(self, reply: AnswerFunction) -> None:
        self._reply, self._given, self._may_come = reply, 0, True
        self.process: subprocess.Popen[bytes] | None = None

    def reply(self, question: Json) -> AnswerJson:
        """The answer to a question."""
        if self._may_come and self._given >= LONG_STREAM and AdjudicatedQuestion.compiled_removals is None:
            self._may_come = is_installed()
            try:
                if self._may_come:
                    self._hand_in()
            except Exception:  # noqa: BLE001 no folder of one's own, a broken compiler, no process left
                self._may_come = False
        self._given += 1
        return self._reply(question)

    def _hand_in(self) -> None:
        compiler = import_module(COMPILER)
        if not compiler.load_if_kept() and self.process is None:
            self.process = compiler.start_compiling()


@cache
def is_installed() -> bool:
    """Whether there is a compiler."""
    return find_spec("numba") is not None


def load_for_long_stream(source: BinaryIO) -> None:
    """The same where what is compiled is kept and a stream, which can be looked at beforehand, is long."""
    if AdjudicatedQuestion.compiled_removals is not None or not source.seekable():
        return
    start = source.tell()
    lines = source.read(LOOKED_AT).count(b"\n")
    source.seek(start)
    if lines >= LONG_STREAM and is_installed():
        with suppress(Exception):
            import_module(COMPILER).load_if_kept()
