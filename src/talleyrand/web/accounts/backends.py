"""Who answers for a password: by a name Django's own backend, by an address this one."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest

from .models import Person


class EmailBackend(AuthenticationBackend):
    """Asked for an address alone: tried by both, a wrong password would cost twice what it has to."""

    def authenticate(self, request: HttpRequest | None, email: str, password: str) -> Person | None:
        """Who has this address and password, if anybody. Django asks nobody whom its facts do not fit."""
        found: Person | None = super().authenticate(request, email=email, password=password)
        return found
