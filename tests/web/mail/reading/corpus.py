"""The raw mails beside this file, and what each of them should come to."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "raw"


@dataclass(frozen=True)
class Case:
    """A raw mail. `expected`: nature, text, pieces ("quote", "picture:name"), what else is worth a look.

    `canaries` must not survive, whatever case they are written in.
    """

    name: str
    raw: bytes
    expected: dict[str, Any]
    canaries: tuple[str, ...]


def _case(path: Path) -> Case:
    told = tomllib.loads(path.with_suffix(".toml").read_text("utf-8"))
    return Case(path.stem, path.read_bytes(), told, tuple(told.pop("canaries", ())))


CASES = [_case(path) for path in sorted(FOLDER.glob("*.eml"))]
