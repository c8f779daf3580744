"""The reference: the schema as a page that people read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from .api_errors import COMMON_ERRORS
from .marked_texts import _, translated
from .scopes import SENTENCES, Scope

Json = dict[str, Any]
HEADINGS = {
    "account": _("Your account"),
    "games": _("Games"),
    "phases": _("Phases"),
    "orders": _("Your orders"),
    "letters": _("Messages"),
    "tables": _("Creating and joining games"),
    "agreements": _("Absences, pauses and votes"),
    "desk": _("Game master’s desk"),
    "people": _("Seats and roles"),
    "corrections": _("Corrections"),
    "tournaments": _("Tournaments"),
    "tournament_desk": _("Tournament desk"),
    "files": _("Downloads"),
    "calendar": _("Deadlines"),
    "news": _("Notifications"),
    "webhooks": _("Webhooks"),
    "judge": _("Adjudicator"),
    "books": _("Variants and rulebooks"),
}


@dataclass(frozen=True)
class ReferenceField:
    """One field or argument."""

    name: str
    kind: str
    needed: bool
    about: str


@dataclass(frozen=True)
class ReferenceOperation:
    """One method of one address."""

    method: str
    path: str
    about: str
    scope: str
    asked: list[ReferenceField]
    body: list[ReferenceField]
    answer: str
    answered: list[ReferenceField]
    refusals: list[str]
    public: bool


@require_safe
def reference_page(request: HttpRequest) -> HttpResponse:
    """Every address with what it takes and gives, from the schema that programs read."""
    from . import openapi_document

    schema = openapi_document.openapi_schema()
    parts: dict[str, list[ReferenceOperation]] = {}
    for path, method, operation in openapi_document.operations(schema):
        parts.setdefault(operation["tags"][0], []).append(_action(schema, path, method, operation))
    context = {
        "parts": [(translated(HEADINGS[name]), name, actions) for name, actions in parts.items()],
        "scopes": [(str(one), translated(SENTENCES[one])) for one in Scope],
        "problems": [
            (status, code, translated(sentence)) for status, (code, sentence) in COMMON_ERRORS.items()
        ],
    }
    return render(request, "api/reference.html", context)


def _action(schema: Json, path: str, method: str, operation: Json) -> ReferenceOperation:
    done = next(status for status in operation["responses"] if status.startswith("2"))
    answer = _content(operation["responses"][done])
    return ReferenceOperation(
        method.upper(),
        f"/api{path}",
        translated(operation.get("description", "")),
        operation["x-scope"],
        [_argument(one) for one in operation["parameters"]],
        _rows(schema, _content(operation.get("requestBody", {}))),
        done,
        _rows(schema, answer),
        [status for status in operation["responses"] if status >= "4"],
        operation["x-public"],
    )


def _content(part: Json) -> Json:
    found: Json = part.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _argument(one: Json) -> ReferenceField:
    return ReferenceField(
        one["name"], _kind(one["schema"]), one["required"], translated(one["schema"].get("description", ""))
    )


def _rows(schema: Json, found: Json) -> list[ReferenceField]:
    """The fields of an object, or of what a list holds."""
    inner = _resolved(schema, found)
    if inner.get("type") == "array":
        inner = _resolved(schema, inner["items"])
    needed = inner.get("required", [])
    return [
        ReferenceField(name, _kind(one), name in needed, translated(one.get("description", "")))
        for name, one in inner.get("properties", {}).items()
    ]


def _resolved(schema: Json, found: Json) -> Json:
    if "$ref" not in found:
        return found
    resolved: Json = schema["components"]["schemas"][found["$ref"].rsplit("/", 1)[-1]]
    return resolved


def _kind(one: Json) -> str:
    """The type in short: `string`, `[Seat]`, `string or null`, or the values there are."""
    if "$ref" in one:
        return str(one["$ref"].rsplit("/", 1)[-1])
    if "anyOf" in one:
        return " | ".join(_kind(inner) for inner in one["anyOf"])
    if "enum" in one:
        return " | ".join(f"“{value}”" for value in one["enum"])
    if one.get("type") == "array":
        return f"[{_kind(one.get('items', {}))}]"
    return str(one.get("format") or one.get("type", "…"))
