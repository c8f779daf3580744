"""Looking at JSON that anybody may have written: each value is what its field says, or refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from talleyrand.engine.errors import TalleyrandError

Json = object
JsonObject = Mapping[str, Json]
MAX_JSON_BYTES = 8 << 20  # of one question
_SHOWN = 60


class InvalidQuestion(TalleyrandError):
    """A question that has not the form of one; `code` names the fault, `facts` the field."""


def clip_json(value: Json) -> str:
    """A value as a sentence may quote it: one line, never long, always encodable."""
    text = value if isinstance(value, str) else _dumped(value)
    text = " ".join(text.split()).encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _dumped(value: Json) -> str:
    try:
        return json.dumps(value, ensure_ascii=True, default=str)
    except ValueError:  # TOML has whole numbers of more digits than Python writes
        return "…"


def json_object(value: Json, field: str) -> JsonObject:
    """A JSON object; absent is empty."""
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    raise _wrong("not_a_table", field, value)


def json_list(value: Json, field: str) -> list[Json]:
    """A JSON list; absent is empty."""
    if value is None:
        return []
    if isinstance(value, list):
        return value
    raise _wrong("not_a_list", field, value)


def json_text(value: Json, field: str) -> str:
    """A JSON string."""
    if isinstance(value, str):
        return value
    raise _wrong("not_a_text", field, value)


def optional_json_text(value: Json, field: str) -> str | None:
    """A JSON string or nothing."""
    return None if value is None else json_text(value, field)


def json_flag(value: Json, field: str) -> bool:
    """True or false; absent is false."""
    if value is None or isinstance(value, bool):
        return bool(value)
    raise _wrong("not_a_flag", field, value)


def json_count(value: Json, field: str, below: int = 1000) -> int:
    """A whole number from 0 on, `below` another."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below:
        return value
    raise InvalidQuestion("not_a_count", field=field, value=clip_json(value), most=str(below - 1))


def json_texts(value: Json, field: str) -> tuple[str, ...]:
    """A JSON list of strings; absent is empty."""
    entries = json_list(value, field)
    return tuple([one if type(one) is str else json_text(one, field) for one in entries])


def json_by_power(value: Json, field: str, powers: Iterable[str]) -> dict[str, Json]:
    """A JSON object whose keys are powers of the variant."""
    known = tuple(powers)
    entries = json_object(value, field)
    for name in entries:
        json_power(name, field, known)
    return dict(entries)


def json_power(value: Json, field: str, known: Iterable[str]) -> str:
    """The name of a power."""
    name = json_text(value, field)
    if name in known:
        return name
    raise InvalidQuestion("power_unknown", field=field, power=clip_json(name), known=", ".join(known))


def _wrong(code: str, field: str, value: Json) -> InvalidQuestion:
    return InvalidQuestion(code, field=field, value=clip_json(value))
