"""What every page is given."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

from talleyrand.web.common.language_choice import choice_url


def site_languages(request: HttpRequest) -> dict[str, Any]:
    """The same page in each other language; the first page where this one only takes forms."""
    here = request.get_full_path() if request.method in ("GET", "HEAD") else "/"
    return {
        "site_languages": [
            {"code": code, "name": name, "url": choice_url(here, code)}
            for code, name in settings.LANGUAGES
            if code != get_language()
        ]
    }
