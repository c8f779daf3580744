"""What is refused, in one form: a code for the program, a sentence for whoever reads its log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from talleyrand.web.common import error_pages

# What every resource may answer: its code, and what it says.
COMMON_ERRORS: dict[int, tuple[str, str]] = {
    400: ("not_understood", _("This is not valid JSON. Nothing was changed.")),
    401: ("no_token", _("A valid token is required: “Authorization: Bearer …”.")),
    403: ("no_scope", _("This token does not have the required scope.")),
    404: ("not_found", _("Nothing at this address, or you don’t have access.")),
    405: ("no_such_action", _("This action is not possible at this address.")),
    412: ("act_overtaken", _("Something has changed since the “If-Match” version. Read it again.")),
    413: ("too_large", _("Request too large: one megabyte at most.")),
    415: ("not_json", _("Only JSON is accepted: “Content-Type: application/json”.")),
    422: ("wrong_value", _("Part of the request is not valid: see “fields”.")),
    429: ("too_many", _("Too many requests. Wait as long as “Retry-After” says.")),
    501: ("not_here", _("This site cannot produce this kind of file.")),
    503: ("busy", _("The site is busy. Try again in a minute.")),
}
FIELD_ERRORS: dict[str, str] = {
    "missing": _("Required."),
    "extra_forbidden": _("Unknown field."),
    "string_too_long": _("Too long."),
    "string_too_short": _("Too short."),
    "too_long": _("Too many."),
    "too_short": _("Too few."),
    "string_pattern_mismatch": _("Wrong format."),
    "greater_than_equal": _("Too small."),
    "less_than_equal": _("Too large."),
    "enum": _("Not one of the allowed values."),
    "literal_error": _("Not one of the allowed values."),
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


def translated(sentence: str) -> str:
    """A sentence that is marked for the catalogue, in the language of the moment."""
    return gettext(sentence) if sentence else ""


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
    return ApiError(
        422,
        fields=[
            FieldError(_place(one["loc"]), FIELD_ERRORS.get(one["type"]) or _("Value not allowed here."))
            for one in found
        ],
    )


def _place(path: Sequence[str | int]) -> str:
    """`body.lines.0`, without the name of the function’s argument, which is ours."""
    source, *rest = path
    inner = rest[1:] if source == "body" else rest
    return ".".join(map(str, (source, *inner)))[:200]
