"""A geometry's stamp: a hash of what it was made from and of itself, so that a change of either shows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

BLANK = '"stamp":""'
STAMP = re.compile(r'"stamp":"([0-9a-f]{64})"')


def stamped(text: str, sources: Iterable[Path]) -> str:
    """The text of a geometry with its stamp where it has a blank."""
    return text.replace(BLANK, f'"stamp":"{_mark(text, sources)}"', 1)


def carries(geometry: Path, sources: Iterable[Path]) -> bool:
    """Whether a geometry is as it was made, and made from these sources."""
    text = geometry.read_text("utf-8") if geometry.is_file() else ""
    found = STAMP.search(text)
    return found is not None and found[1] == _mark(STAMP.sub(BLANK, text, count=1), sources)


def _mark(text: str, sources: Iterable[Path]) -> str:
    mixed = hashlib.sha256(text.encode())
    for path in sources:
        mixed.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return mixed.hexdigest()
