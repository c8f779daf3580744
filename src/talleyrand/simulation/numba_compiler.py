"""Machine code where Numba is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast
from zlib import crc32

Function = TypeVar("Function", bound=Callable[..., object])
NUMBA_AVAILABLE = importlib.util.find_spec("numba") is not None
# Without the counting of references, which takes half of the time: no array is made or kept in there.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
PIPELINE_TRIED_WITH = "0.68."
# Without a door for Python, which takes a third of the compiler's time.
INNER: dict[str, Any] = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function: Function) -> Function:
    """The function as machine code for other compiled functions, the only ones that can call it; the function
    itself without Numba."""
    if not NUMBA_AVAILABLE:
        return function
    import numba

    return cast(Function, numba.njit(**_pipeline("InnerCompiler"), **INNER)(function))


def compiled_and_cached(function: Function) -> Function:
    """The same with a door for Python, and kept on disk between runs: beside the function's file, or else in
    the folder of the user's caches.

    Numba looks at the function's own code and at the values it encloses: one that calls others has to
    enclose the `sources_checksum`. Where no folder can be written to, nothing is kept.
    """
    if not NUMBA_AVAILABLE:
        return function
    import numba

    options = {**_pipeline("EntryCompiler"), **OPTIONS}
    try:
        entry = numba.njit(cache=True, **options)(function)
    except RuntimeError:
        return cast(Function, numba.njit(**options)(function))
    if numba.__version__.startswith(PIPELINE_TRIED_WITH):
        _load_alone(entry._cache)
    return cast(Function, entry)


def _load_alone(kept: Any) -> None:
    """Have what is kept loaded by itself: Numba first makes the whole compiler ready, which takes several
    times as long. Where nothing is kept, the compiler does so anyway."""
    from numba.core.runtime.nrt import rtsys

    def load_overload(signature: object, target: object) -> object:
        rtsys.initialize(target)
        with kept._guard_against_spurious_io_errors():
            return kept._load_overload(signature, target)

    kept.load_overload = load_overload


def _pipeline(name: str) -> dict[str, Any]:
    """The option that chooses a compiler of ours; none with a Numba it was not tried with, whose own way
    takes twice the time."""
    import numba

    if not numba.__version__.startswith(PIPELINE_TRIED_WITH):
        return {}
    return {"pipeline_class": getattr(import_module("talleyrand.simulation.numba_pipeline"), name)}


def sources_checksum(*folders: Path) -> int:
    """A number that changes with the sources of this package, and of folders of its own that take part."""
    sources = sorted(source for folder in (Path(__file__).parent, *folders) for source in folder.glob("*.py"))
    return crc32(b"".join(source.read_bytes() for source in sources))
