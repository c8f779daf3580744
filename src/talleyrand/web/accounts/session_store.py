"""Sessions as Django keeps them in the database; whose is open is asked for at each request, by a prepared
query.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from talleyrand.web.common.prepared_queries import Given, PreparedQuery

_OPEN = PreparedQuery(
    lambda: Session.objects.filter(
        session_key=Given(Session, "session_key"), expire_date__gt=Given(Session, "expire_date")
    )
)


class SessionStore(db.SessionStore):
    """Named as Django's own is, which seals what stands in a session with the name."""

    def _validate_session_key(self, key: str) -> bool:
        """Of letters and digits, as ours are: a cookie may hold a zero, which PostgreSQL takes in no text."""
        usual = super()._validate_session_key(key)  # type: ignore[misc]  # which its stubs leave out
        return bool(usual) and key.isascii() and key.isalnum()

    def _get_session_from_db(self) -> Any:
        """One that is not open is Django's affair."""
        found = _OPEN.first(session_key=self.session_key, expire_date=timezone.now())
        return found or super()._get_session_from_db()  # type: ignore[misc]  # which its stubs leave out
