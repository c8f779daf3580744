"""A list of people from elsewhere: pasted or sent as a file, shown as it is understood, then taken in."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament.model import Event, RoundState
from talleyrand.tournament.people_list import list_rows, parsed_list
from talleyrand.tournament.people_list.list_rows import InvalidList
from talleyrand.tournament.people_list.parsed_list import ListLine, PeopleList
from talleyrand.web.boards import display_names
from talleyrand.web.tournaments import event_journal, tournament_context, tournament_names
from talleyrand.web.tournaments.models import random_token
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import paper_texts


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people_import_page(request: HttpRequest, key: str) -> HttpResponse:
    """Paste or send, look, correct what each column holds, then take in."""
    sight = tournament_context.tournament_viewer_at_desk(request, key)
    if request.method != "POST":
        return _page(request, sight, {"submission": random_token(), "rounds": "all"})
    typed: dict[str, Any] = request.POST.dict()
    try:
        sent = _posted_text(request)
        found = parsed_list.read_people_list(
            sent, sight.event, _columns(request), _everyone(sight.event, typed)
        )
    except InvalidList as problem:
        return _page(request, sight, typed, refusal=paper_texts.refusal_text(problem))
    typed |= {"list": sent, "first": _first_line(sent)}
    if typed.get("do") != "take":
        return _page(request, sight, typed, found)
    return _take(request, sight, typed, found)


def _posted_text(request: HttpRequest) -> str:
    """The list: a file, or what was pasted. Raises InvalidList."""
    file = request.FILES.get("file")
    if isinstance(file, UploadedFile) and file.size:
        return list_rows.decode_file(file.read(list_rows.MAX_FILE_BYTES + 1))
    return request.POST.get("list", "")


def _columns(request: HttpRequest) -> list[str]:
    """What each column holds, where the page has asked for it and the list begins as it did then."""
    first = _first_line(request.POST.get("list", ""))
    if (
        request.FILES.get("file")
        or "column0" not in request.POST
        or request.POST.get("first", first) != first
    ):
        return []
    return [request.POST.get(f"column{at}", "") for at in range(list_rows.MAX_CELLS)]


def _first_line(text: str) -> str:
    return " ".join(text.lstrip().partition("\n")[0].split())


def _everyone(event: Event, typed: dict[str, Any]) -> tuple[int, ...]:
    if typed.get("rounds") != "all":
        return ()
    return tuple(at for at, one in event.rounds.items() if one.state is not RoundState.CLOSED)


def _take(
    request: HttpRequest, sight: TournamentViewer, typed: dict[str, Any], found: PeopleList
) -> HttpResponse:
    """All of it in one piece, which is taken back in one piece."""
    once = event_journal.form_idempotency_key(
        str(typed.get("submission", "")), request.path, dict(request.POST.lists())
    )
    if once and sight.tournament.entries.filter(idempotency_key=once).exists():
        return redirect("tournaments:desk_people", sight.tournament.key)
    choices = {line.number: str(typed.get(f"line{line.number}", line.choice)) for line in found.lines}
    done = parsed_list.import_acts(sight.event, found, choices)
    if not done:
        return _page(request, sight, typed, found, _("Nothing to import."))
    if not all(map(sight.may_do, done)):
        raise Http404
    try:
        entry = event_journal.perform_acts(
            sight.tournament, done, sight.journal_actor, version=sight.tournament.version, once=once
        )
    except TalleyrandError as problem:
        return _page(request, sight, typed, found, paper_texts.refusal_text(problem))
    if entry is not None:
        way = reverse("tournaments:desk_entry", args=[sight.tournament.key, entry.number])
        messages.success(request, format_html('{} <a href="{}">{}</a>', _("List imported."), way, _("Undo")))
    return redirect("tournaments:desk_people", sight.tournament.key)


def _page(
    request: HttpRequest,
    sight: TournamentViewer,
    typed: dict[str, Any],
    found: PeopleList | None = None,
    refusal: str = "",
) -> HttpResponse:
    shown = _preview_context(sight.event, found, typed) if found else {}
    context = {
        **tournament_context.tournament_page_context(sight, "desk"),
        "section": "people",
        **shown,
        "typed": typed,
        "refusal": refusal,
        "fields": _fields(sight.event),
        "most": list_rows.MAX_LINES,
    }
    return render(request, "tournaments/papers/people.html", context, status=409 if refusal else 200)


def _fields(event: Event) -> list[tuple[str, str]]:
    """What a column may hold, by its name."""
    at = 0 if display_names.reader_language() == "fr" else 1
    usual = [(field, names[at]) for field, names in list_rows.COLUMN_HEADINGS.items()]
    rounds = [(list_rows.round_column(one), tournament_names.round_name(one)) for one in event.rounds]
    return [("", _("not used")), *usual, *rounds]


def _preview_context(event: Event, found: PeopleList, typed: dict[str, Any]) -> dict[str, Any]:
    held = [
        {"at": at, "field": field, "heading": found.headings[at] if at < len(found.headings) else ""}
        for at, field in enumerate(found.columns)
    ]
    lines = [_line(event, line, typed) for line in found.lines]
    choices = [one["choice"] for one in lines]
    skipped = choices.count(parsed_list.SKIP)
    told = ngettext("%(count)s line is skipped.", "%(count)s lines are skipped.", skipped) % {
        "count": skipped
    }
    return {
        "columns": held,
        "lines": lines,
        "count": len(lines),
        "sum": _sum(found, choices),
        "skipped": told if skipped else "",
    }


def _sum(found: PeopleList, choices: list[str]) -> str:
    new = choices.count(parsed_list.ADD)
    known = sum(choice.startswith(parsed_list.CHANGE) for choice in choices)
    wrong = sum(bool(line.troubles) for line in found.lines)
    told = [ngettext("%(count)s new person", "%(count)s new people", new) % {"count": new}]
    if known:
        told.append(ngettext("%(count)s already known", "%(count)s already known", known) % {"count": known})
    if wrong:
        told.append(
            ngettext("%(count)s not understood", "%(count)s not understood", wrong) % {"count": wrong}
        )
    return ", ".join(told)


def _line(event: Event, line: ListLine, typed: dict[str, Any]) -> dict[str, Any]:
    chosen = str(typed.get(f"line{line.number}", ""))
    return {
        "number": line.number,
        "cells": line.cells,
        "person": line.person,
        "rounds": ", ".join(map(str, _rounds(line))),
        "team": line.team,
        "troubles": [
            {"column": one.column, "sentence": paper_texts.refusal_text(one.error)} for one in line.troubles
        ],
        "before": line.before,
        "is_before": line.is_before,
        "alike": [] if line.is_known else [paper_texts.name_of(event, who) for who in line.known],
        "choices": [(one, _choice(event, one)) for one in line.choices],
        "choice": chosen if chosen in line.choices else line.choice,
        "asks": len(line.choices) > 2 or bool(line.before),
    }


def _rounds(line: ListLine) -> tuple[int, ...]:
    """Those that will be written: of somebody known only what the list says."""
    told = line.person is not None and (line.choice == parsed_list.ADD or "rounds" in line.given)
    return line.person.rounds if told and line.person else ()


def _choice(event: Event, choice: str) -> str:
    if choice == parsed_list.ADD:
        return _("add as a new person")
    if choice == parsed_list.SKIP:
        return _("skip")
    return _("complete %(name)s") % {
        "name": paper_texts.name_of(event, int(choice.removeprefix(parsed_list.CHANGE)))
    }
