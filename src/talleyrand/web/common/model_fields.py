"""What models share."""

from __future__ import annotations

import json
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import JSONField, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast


class OrderedJSONField(JSONField):
    """JSON that comes back as it went in.

    PostgreSQL sorts the names of what it keeps as `jsonb`; the order of a sheet may count.
    """

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        if connection.vendor != "postgresql" or value is None:
            return super().get_db_prep_value(value, connection, prepared)
        return json.dumps(value, ensure_ascii=False)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        if connection.vendor == "postgresql":
            return value  # read by psycopg already, which leaves only `jsonb` to Django
        return super().from_db_value(value, expression, connection)


def json_text(path: str) -> Cast:
    """A value in a JSON field, by its path as lookups have it ("facts__person"), as a text to compare.

    JSON itself is compared in another way by each database, and by PostgreSQL not at all where it is `json`.
    """
    return Cast(KT(path), TextField())
