"""The schema: what ninja finds in the resources, with their scopes and headers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.http import HttpResponse

from .ninja_api import ninja_api

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
ABOUT = (
    "Everything the pages do, for programs. Make a token on your account's page, with the scopes that the "
    "program needs, and send it with each request: `Authorization: Bearer …`. Where the schema says so, what "
    "everybody may read is answered without one. Times are UTC, in ISO 8601. "
    "What does not exist and what you may not see are answered alike, with 404."
)
TAGGED = {
    "ETag": {"schema": {"type": "string"}, "description": "Send it as If-None-Match: 304 if unchanged."}
}
WAITS = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}}


@cache
def openapi_schema() -> Json:
    """The OpenAPI document, as JSON."""
    found: Json = json.loads(json.dumps(ninja_api.get_openapi_schema(path_prefix="")))
    found["info"]["description"] = ABOUT
    found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for _path, _method, operation in operations(found):
        nobody: list[Json] = [{}] if operation["x-public"] else []
        operation["security"] = [*nobody, {"token": [operation["x-scope"]]}]
        _head(operation["responses"])
        _kinds(operation)
    return found


def operations(found: Json) -> Iterator[tuple[str, str, Json]]:
    """Every address with each of its methods."""
    for path, item in found["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def _head(responses: Json) -> None:
    for status, response in responses.items():
        if status == "200":
            response["headers"] = TAGGED
        if status in ("429", "503"):
            response["headers"] = WAITS


def _kinds(operation: Json) -> None:
    """A file is sent as what it is."""
    if kinds := operation.pop("x-kinds"):
        operation["responses"]["200"]["content"] = {kind: {} for kind in kinds}
    if kinds := operation.pop("x-sends"):
        file = {"schema": {"type": "string", "format": "binary"}}
        operation["requestBody"] = {"required": True, "content": dict.fromkeys(kinds, file)}


@cache
def openapi_bytes() -> bytes:
    return json.dumps(openapi_schema(), ensure_ascii=False, indent=1).encode()


def openapi_response() -> HttpResponse:
    """The document as it is sent."""
    return HttpResponse(openapi_bytes(), content_type="application/json")
