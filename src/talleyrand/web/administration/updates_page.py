"""What the last update changed, for administrators: entries of the changelog, and steps of the database."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import __version__
from talleyrand.web.accounts.administration_views import administrators_only
from talleyrand.web.boards import display_names

from . import version_changes

MOST_STEPS = 20


@never_cache
@administrators_only
@require_safe
def updates_page(request: HttpRequest) -> HttpResponse:
    language, last = display_names.reader_language(), version_changes.last_update(settings.DATA)
    every = version_changes.changelog_entries()
    fresh = [one for one in every if last and one.digest in last.entries]
    context = {
        "version": __version__,
        "last": last,
        "at": datetime.fromisoformat(last.at) if last else None,
        "fresh": _update_sections(version_changes.grouped(fresh, language)),
        "whole": _update_sections(version_changes.grouped(every, language)),
        "steps": MigrationRecorder.Migration.objects.order_by("-applied", "-id")[:MOST_STEPS],
    }
    return render(request, "administration/updates.html", context)


def _update_sections(titles: Mapping[str, list[str]]) -> list[tuple[str, list[SafeString]]]:
    return [(title, [_in_html(text) for text in texts]) for title, texts in titles.items()]


def _in_html(text: str) -> SafeString:
    """An entry with its bold words and its code; our own file, escaped all the same."""
    shown: str = escape(text)
    for mark, tag in (("**", "strong"), ("`", "code")):
        parts = shown.split(mark)
        if len(parts) % 2:
            shown = "".join(f"<{tag}>{part}</{tag}>" if at % 2 else part for at, part in enumerate(parts))
    return mark_safe(shown)  # noqa: S308 escaped above
