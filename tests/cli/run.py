"""Running a command in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from talleyrand.cli import main


class Ran(NamedTuple):
    """What a command left: its exit code and its two outputs."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("variants", "--json")`; `stdin` in bytes; `environment` replaces the languages' variables."""

    def command(*arguments: str, stdin: bytes = b"", environment: dict[str, str] | None = None) -> Ran:
        for name in ("TALLEYRAND_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
            monkeypatch.delenv(name, raising=False)
        for name, value in (environment or {}).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        status = main(list(arguments))
        out, err = capfdbinary.readouterr()
        return Ran(status, out.decode(), err.decode())

    return command
