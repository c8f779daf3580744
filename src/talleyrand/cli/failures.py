"""Why a command cannot go on."""

from __future__ import annotations

DONE, FAULT, USAGE, INTERRUPTED = 0, 1, 2, 130


class CommandError(Exception):
    """A code of the catalogue with its facts; `status` is the exit code."""

    def __init__(self, code: str, status: int = FAULT, **facts: str) -> None:
        super().__init__(code)
        self.code, self.status, self.facts = code, status, facts
