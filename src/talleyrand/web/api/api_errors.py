"""What is refused, in one form: a code for the program, a sentence for whoever reads its log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse

from talleyrand.web.common import error_pages

from .marked_texts import _, translated

# What every resource may answer: its code, and what it says.
COMMON_ERRORS: dict[int, tuple[str, str]] = {
    400: ("not_understood", _("This is not JSON. Nothing has been changed.")),
    401: ("no_token", _("A valid token is needed: “Authorization: Bearer …”.")),
    403: ("no_scope", _("This token was not made for this.")),
    404: ("not_found", _("Nothing is at this address, or it is not open to you.")),
    405: ("no_such_action", _("This cannot be done with what is at this address.")),
    412: ("act_overtaken", _("Something has changed since the version of “If-Match”. Read it again.")),
    413: ("too_large", _("What was sent is too large: one megabyte at most.")),
    415: ("not_json", _("Only JSON is read here: “Content-Type: application/json”.")),
    422: ("wrong_value", _("Some of what was sent is not as it should be: see “fields”.")),
    429: ("too_many", _("Too many requests. Wait as long as “Retry-After” says.")),
    501: ("not_here", _("This site cannot make such a file.")),
    503: ("busy", _("The site is busy. Try again in a minute.")),
}
FIELD_ERRORS: dict[str, str] = {
    "missing": _("This is needed."),
    "extra_forbidden": _("Nothing of this name is read here."),
    "string_too_long": _("This is too long."),
    "string_too_short": _("This is too short."),
    "too_long": _("These are too many."),
    "too_short": _("These are too few."),
    "string_pattern_mismatch": _("This does not have the form it should have."),
    "greater_than_equal": _("This is too little."),
    "less_than_equal": _("This is too much."),
    "enum": _("This is none of the values there are."),
    "literal_error": _("This is none of the values there are."),
}


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field, by its place in what was sent."""

    location: str
    sentence: str


class ApiError(Exception):
    """What is not done, and nothing has changed; `fields` says which parts of what was sent are wrong."""

    def __init__(
        self,
        status: int,
        code: str = "",
        sentence: str = "",
        fields: Sequence[FieldError] = (),
        wait: int | None = None,
    ) -> None:
        super().__init__(status, code)
        known = COMMON_ERRORS.get(status, ("refused", ""))
        self.status = status
        self.code = code or known[0]
        self.sentence = sentence or known[1]
        self.fields = fields
        self.wait = wait


def error_response(refusal: ApiError) -> HttpResponse:
    """A refusal as it is sent."""
    fields = [{"where": one.location, "sentence": translated(one.sentence)} for one in refusal.fields]
    response = error_pages.error_json(refusal.status, refusal.code, translated(refusal.sentence), fields)
    if refusal.status == 401:
        response["WWW-Authenticate"] = "Bearer"
    if refusal.wait is not None:
        response["Retry-After"] = str(refusal.wait)
    return response


def validation_error(found: Sequence[dict[str, Any]]) -> ApiError:
    """What pydantic found, in our words."""
    return ApiError(422, fields=[FieldError(_place(one["loc"]), _sentence(one["type"])) for one in found])


def _place(path: Sequence[str | int]) -> str:
    """`body.lines.0`, without the name of the function’s argument, which is ours."""
    source, *rest = path
    inner = rest[1:] if source == "body" else rest
    return ".".join(map(str, (source, *inner)))[:200]


def _sentence(kind: str) -> str:
    return FIELD_ERRORS.get(kind) or _("This is not a value that can stand here.")
