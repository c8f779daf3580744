"""The tokens of a person, for his copy of what the site keeps."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from . import api_tokens

Json = dict[str, Any]


def export_tokens(person: Person) -> list[Json]:
    """What each token was for; the secrets are not kept."""
    return [
        {
            "name": one.name,
            "scopes": one.scopes,
            "made": one.created_at,
            "ends": one.expires_at,
            "used": one.last_used_at,
        }
        for one in api_tokens.tokens_of(person)
    ]


PERSONAL_DATA = PersonalData("tokens", export_tokens)
