"""Sessions as Django keeps them in the database; whose is open is asked for at each request, by a prepared
query.
"""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from talleyrand.web.common.prepared_queries import Given, PreparedQuery

_OPEN = PreparedQuery(
    lambda: Session.objects.filter(
        session_key=Given(Session, "session_key"), expire_date__gt=Given(Session, "expire_date")
    ).values_list("session_data")
)


class SessionStore(db.SessionStore):
    """Named as Django's own is, which seals what stands in a session with the name."""

    def _validate_session_key(self, key: str) -> bool:
        """Of letters and digits, as ours are: a cookie may hold a zero, which PostgreSQL takes in no text."""
        usual = super()._validate_session_key(key)  # type: ignore[misc]  # which its stubs leave out
        return bool(usual) and key.isascii() and key.isalnum()

    def load(self) -> dict[str, Any]:
        """One that is not open is Django's affair. What is sealed is read once while it stays the same."""
        for (sealed,) in _OPEN.rows(session_key=self.session_key, expire_date=timezone.now()):
            return deepcopy(_opened(sealed))
        return super().load()


@lru_cache(maxsize=2000)
def _opened(sealed: str) -> dict[str, Any]:
    return SessionStore().decode(sealed)
