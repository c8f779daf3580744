"""The tokens of a person, for his copy of what the site keeps."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.belongings import Belongings
from talleyrand.web.accounts.models import Person

from . import tokens

Json = dict[str, Any]
TOLD = ("name", "scopes", "made", "ends", "used")


def export(person: Person) -> list[Json]:
    """What each token was for; the secrets are not kept."""
    return [{name: getattr(one, name) for name in TOLD} for one in tokens.of(person)]


BELONGINGS = Belongings("tokens", export)
