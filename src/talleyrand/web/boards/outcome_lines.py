"""The template tag that writes what became of a power's orders: once for all who read the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from . import display_names

register = template.Library()
MOST_KEPT = 1000


@dataclass(frozen=True)
class _Lines:
    """What is written, and all that it depends on."""

    told: str
    language: str
    context: Mapping[str, Any] = field(compare=False)


@register.simple_tag
def outcome_lines(entries: Sequence[Mapping[str, Any]], who: Mapping[str, Any] | None = None) -> SafeString:
    """Entries of `result_rows`, of `who` where that is to be said."""
    named = {name: who[name] for name in ("name", "colour")} if who else None
    told = {"entries": entries, "who": named}
    return _lines_html(_Lines(repr(told), display_names.reader_language(), told))


@lru_cache(maxsize=MOST_KEPT)
def _lines_html(lines: _Lines) -> SafeString:
    return render_to_string("boards/outcome_lines.html", dict(lines.context))
