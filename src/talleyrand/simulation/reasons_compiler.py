"""Compiled code for the reasons of answers, handed in to a process that gives very many.

What the compiler makes is kept on disk. Where it is not kept yet, one process compiles it for all who ask, at
low priority, and goes on when they end: the next has it from its beginning.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from talleyrand.formats.adjudication_answer import AdjudicatedQuestion

from . import numba_compiler

_COMPILER = (sys.executable, "-P", "-m", "talleyrand.simulation.reasons_compiler")
_LEAST_PRIORITY = 19


def start_compiling() -> subprocess.Popen[bytes]:
    """Begin a process that compiles what is not kept, and goes on when this one ends."""
    quiet = subprocess.DEVNULL
    return subprocess.Popen(  # noqa: S603 our own program
        _COMPILER, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
    )


def load_compiled_reasons() -> None:
    """Have compiled code judge reasons in this process, and in those that it forks: no thread of NumPy's has
    anything to do."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    removals_batch = import_module("talleyrand.simulation.removals_batch")
    removals_batch.load_kernel()
    AdjudicatedQuestion.compiled_removals = removals_batch.compiled_removals


def load_if_kept() -> bool:
    """The same where all of it is kept already; whether it is."""
    is_kept = kept_mark().exists()
    if is_kept:
        load_compiled_reasons()
    return is_kept


@cache
def kept_mark() -> Path:
    """The file that says that what these sources and this compiler make is kept."""
    folder = Path(numba_compiler.__file__).parent / "__pycache__"
    if not os.access(folder, os.W_OK):
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "talleyrand"
    python = f"{sys.implementation.cache_tag}-{version('numba')}"
    return folder / f"reasons-{python}-{numba_compiler.sources_checksum():08x}.kept"


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
