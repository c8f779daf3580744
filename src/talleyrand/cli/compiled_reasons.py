"""A long stream of questions has its reasons judged by compiled code, as soon as that is at hand.

What the compiler makes is kept on disk. Where it is not kept yet, one process compiles it for all who ask, at
low priority, and goes on when they end: the next stream has it from its beginning.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

from talleyrand.formats.adjudication import AnswerJson
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.formats.json_checks import Json
from talleyrand.formats.json_lines import AnswerFunction

# To load the compiler takes as long as so many answers; a single question never waits for it.
LONG_STREAM = 50
LOOKED_AT = 1 << 18
_LOADER = (sys.executable, "-P", "-m", "talleyrand.cli.compiled_reasons")
_LEAST_PRIORITY = 19


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
        if kept_mark().exists():
            load_compiled_reasons()
        elif self.process is None:
            quiet = subprocess.DEVNULL
            self.process = subprocess.Popen(  # noqa: S603 our own program
                _LOADER, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
            )


@cache
def is_installed() -> bool:
    """Whether there is a compiler."""
    return find_spec("numba") is not None


def load_compiled_reasons() -> None:
    """Have compiled code judge reasons in this process, and in those that it forks: no thread of NumPy's has
    anything to do."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    removals_batch = import_module("talleyrand.simulation.removals_batch")
    removals_batch.load_kernel()
    AdjudicatedQuestion.compiled_removals = removals_batch.compiled_removals


def load_for_long_stream(source: BinaryIO) -> None:
    """The same where what is compiled is kept and a stream, which can be looked at beforehand, is long."""
    if AdjudicatedQuestion.compiled_removals is not None or not source.seekable():
        return
    start = source.tell()
    lines = source.read(LOOKED_AT).count(b"\n")
    source.seek(start)
    if lines >= LONG_STREAM and is_installed():
        with suppress(Exception):
            if kept_mark().exists():
                load_compiled_reasons()


@cache
def kept_mark() -> Path:
    """The file that says that what these sources and this compiler make is kept."""
    compiler = import_module("talleyrand.simulation.numba_compiler")
    folder = Path(str(compiler.__file__)).parent / "__pycache__"
    if not os.access(folder, os.W_OK):
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "talleyrand"
    python = f"{sys.implementation.cache_tag}-{version('numba')}"
    return folder / f"reasons-{python}-{compiler.sources_checksum():08x}.kept"


def compile_for_all() -> None:
    """Compile what is not kept, and say that it is; another process that does so already is enough."""
    os.nice(_LEAST_PRIORITY)
    mark = kept_mark()
    mark.parent.mkdir(parents=True, exist_ok=True)
    with _alone(mark.with_suffix(".lock")) as alone:
        if alone and not mark.exists():
            import_module("talleyrand.simulation.removals_batch").load_kernel()
            mark.touch()


@contextmanager
def _alone(lock: Path) -> Iterator[bool]:
    """Whether this process alone holds a lock, until it ends."""
    import fcntl

    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


if __name__ == "__main__":
    compile_for_all()
