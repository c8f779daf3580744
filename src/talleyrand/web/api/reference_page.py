"""The reference: the schema as a page that people read."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe

from .api_errors import COMMON_ERRORS, translated
from .scopes import SENTENCES, Scope

Json = dict[str, Any]
HEADINGS = {
    "account": _("Your account"),
    "players": _("People’s pages"),
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
    "leagues": _("Leagues"),
    "tournament_boards": _("Tournament boards"),
    "tournament_desk": _("Tournament desk"),
    "files": _("Downloads"),
    "calendar": _("Deadlines"),
    "news": _("Notifications"),
    "webhooks": _("Webhooks"),
    "judge": _("Adjudicator"),
    "books": _("Variants and rulebooks"),
}


@require_safe
def reference_page(request: HttpRequest) -> HttpResponse:
    """Every address with what it takes and gives, from the schema that programs read."""
    from . import openapi_document

    schema = openapi_document.openapi_schema()
    parts: dict[str, list[Json]] = {}
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


def _action(schema: Json, path: str, method: str, operation: Json) -> Json:
    """One method of one address, as the page shows it."""
    done = next(status for status in operation["responses"] if status.startswith("2"))
    return {
        "method": method.upper(),
        "path": f"/api{path}",
        "about": translated(operation.get("description", "")),
        "scope": operation["x-scope"],
        "asked": [_field(one["name"], one["schema"], one["required"]) for one in operation["parameters"]],
        "body": _rows(schema, operation.get("requestBody", {})),
        "answer": done,
        "answered": _rows(schema, operation["responses"][done]),
        "refusals": [status for status in operation["responses"] if status >= "4"],
        "public": operation["x-public"],
    }


def _field(name: str, schema: Json, needed: bool) -> Json:
    about = translated(schema.get("description", ""))
    return {"name": name, "kind": _kind(schema), "needed": needed, "about": about}


def _rows(schema: Json, part: Json) -> list[Json]:
    """The fields of an object that is sent or answered, or of what a list holds."""
    inner = _resolved(schema, part.get("content", {}).get("application/json", {}).get("schema", {}))
    if inner.get("type") == "array":
        inner = _resolved(schema, inner["items"])
    needed = inner.get("required", [])
    return [_field(name, one, name in needed) for name, one in inner.get("properties", {}).items()]


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
