"""What the log says and in which form; what opens an account, or is somebody's, is kept out of it."""

from __future__ import annotations

import json
import logging
import re
import secrets
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

# Parts of a path that are as good as a password: of a link to an account or a seat, of a calendar, of a
# practice game; and whatever else looks as our secrets do: long, with a figure or many capitals in it.
SECRET = re.compile(
    r"(/(?:lien|link|invitation|calendrier|calendar|p|s)/)(?!new/|import/|position/)[^/\s'\"?]+"
)
LONG = re.compile(r"(?<![\w-])(?=[\w-]*\d|(?:[\w-]*?[A-Z]){4})[A-Za-z0-9_-]{20,}(?![\w-])")
ADDRESS = re.compile(r"[^\s<>\"'(),;:]+@[^\s<>\"'(),;:]+")
# What the request was is told beside the sentence, by these names alone.
REQUEST_FIELDS = ("method", "route", "status", "milliseconds")
NO_REQUEST = ""

_request: ContextVar[str] = ContextVar("request", default=NO_REQUEST)
Fault = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


@contextmanager
def request_id() -> Iterator[str]:
    """Whatever is logged meanwhile, in this thread, belongs to one request: gives its number."""
    number = secrets.token_hex(8)
    token = _request.set(number)
    try:
        yield number
    finally:
        _request.reset(token)


def redact(text: str) -> str:
    """The same without what opens something, and without addresses of mail."""
    return ADDRESS.sub("…@…", LONG.sub("…", SECRET.sub(r"\1…", text)))


class RedactSecrets(logging.Filter):
    """Blots out the part of a path that is as good as a password."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redact(record.getMessage()), ()
        return True


class LineFormatter(logging.Formatter):
    """One line a record, and the whole of a fault below it."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 the library's name
        return redact(super().formatException(ei))


class JsonFormatter(logging.Formatter):
    """One line of JSON a record. Of a fault, its kind and where it was: what it says may be somebody's."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record),
            "request": _request.get() or None,
            **{name: record.__dict__[name] for name in REQUEST_FIELDS if name in record.__dict__},
        }
        if record.exc_info:
            told |= _fault(record.exc_info)
        kept = {name: value for name, value in told.items() if value is not None}
        return json.dumps(kept, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """The sentence; of what Django says of a request, without the address that was asked."""
    text = record.getMessage()
    if "request" not in record.__dict__:
        return text
    match = getattr(record.__dict__["request"], "resolver_match", None)
    return f"{text.partition(':')[0]}: /{match.route if match else '…'}"


def _fault(found: Fault) -> dict[str, Any]:
    kind, problem, _trace = found
    if kind is None or problem is None:
        return {}
    return {"fault": " < ".join(_kinds(problem)), "where": _where(problem)}


def _kinds(problem: BaseException) -> Iterator[str]:
    """A fault, and what it came from."""
    found: BaseException | None = problem
    while found is not None:
        yield type(found).__qualname__
        found = found.__cause__ or found.__context__


def _where(problem: BaseException) -> list[str]:
    """The steps that led to it, the innermost last: file, line and function, no value."""
    steps = traceback.extract_tb(problem.__traceback__)
    return [f"{step.filename}:{step.lineno} {step.name}" for step in steps]
