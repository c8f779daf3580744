"""Printing."""

from __future__ import annotations

import json
import sys


def json_line(value: object) -> bytes:
    """One line of JSON in UTF-8; what UTF-8 cannot hold is escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(", ", ": ")).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, separators=(", ", ": ")).encode() + b"\n"


def print_json(value: object) -> None:
    """One line of JSON on standard output, at once."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json_line(value))
    sys.stdout.buffer.flush()
