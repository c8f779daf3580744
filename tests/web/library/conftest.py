"""For the pages that tell: what a template does not find is a fault."""

from __future__ import annotations

import pytest
from django.conf import LazySettings


@pytest.fixture
def strict_templates(settings: LazySettings) -> None:
    """A name that a template does not find stands on the page as MISSING, not as an empty place."""
    first, *others = settings.TEMPLATES
    options = {**first["OPTIONS"], "string_if_invalid": "MISSING %s"}
    settings.TEMPLATES = [{**first, "OPTIONS": options}, *others]  # which makes the engine anew, and back
