"""The tables of this package, in TOML; each is kept as JSON beside the compiled code, to be read sooner.

What is kept begins with the text that it was read from, and counts as long as that is the text: it cannot be
out of date. It is data, which nothing runs; whoever may write there may write the table itself.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Toml = dict[str, Any]
_END = b"\0"  # which no TOML contains


def read_table(file: Traversable) -> Toml:
    """What a file of this package says, without dates; raises OSError, and ValueError if it is no TOML."""
    text = file.read_bytes() + _END
    kept = Path(cache_from_source(str(file))).with_suffix(".json")
    with suppress(OSError, ValueError):
        known = kept.read_bytes()
        if known.startswith(text):
            table: Toml = json.loads(known[len(text) :])
            return table
    import tomllib  # the only one to need it, and mostly nobody does

    table = tomllib.loads(text[:-1].decode().replace("\r\n", "\n"))
    if not sys.dont_write_bytecode:
        _keep(kept, text + json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode())
    return table


def _keep(file: Path, data: bytes) -> None:
    """Write a file whole or not at all, where this process may; others may read it meanwhile, or write it."""
    part = file.with_name(f"{file.name}.{os.getpid()}-{get_ident()}")
    with suppress(OSError):
        file.parent.mkdir(exist_ok=True)
        try:
            part.write_bytes(data)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
