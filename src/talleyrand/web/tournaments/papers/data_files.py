"""An event as files: for spreadsheets, wikis and other programs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from zipfile import ZIP_DEFLATED, ZipFile

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import codec
from talleyrand.tournament.exports import dipvis, event_tables, wdd
from talleyrand.tournament.exports.event_tables import ExportTable
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import Standings
from talleyrand.web.boards import display_names, file_downloads
from talleyrand.web.common import error_pages
from talleyrand.web.tournaments import tournament_context

from . import paper_texts, visible_event

CSV, JSON, TEXT, ZIP = (
    "text/csv; charset=utf-8",
    "application/json",
    "text/plain; charset=utf-8",
    "application/zip",
)


@dataclass(frozen=True)
class DataFile:
    """A file: its kind, what it is called, who may have it, and what makes it."""

    kind: str
    name: str
    ending: str
    make: Callable[[Event, Standings, str], bytes]
    is_for_desk: bool = False


def _csv(make: Callable[[Event, Standings, str], ExportTable]) -> Callable[[Event, Standings, str], bytes]:
    return lambda event, held, language: event_tables.csv_bytes(make(event, held, language), language)


def _people(event: Event, _held: Standings, language: str) -> ExportTable:
    return event_tables.people_table(event, language, private=True)


def _names(event: Event, _held: Standings, language: str) -> ExportTable:
    return event_tables.people_table(event, language)


def _draws(event: Event, _held: Standings, language: str) -> ExportTable:
    return event_tables.draws_table(event, language)


def _event(event: Event, _held: Standings, _language: str) -> bytes:
    return _json(codec.write_value(event))


def _json(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"


def _database(event: Event, held: Standings, _language: str) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as file:
        file.writestr("classification.csv", wdd.wdd_classification(event, held).encode("utf-8-sig"))
        file.writestr("boards.csv", wdd.wdd_boards(event, held).encode("utf-8-sig"))
    return made.getvalue()


DATA_FILES = {
    "people": DataFile(CSV, gettext_noop("people-private"), "csv", _csv(_people), is_for_desk=True),
    "names": DataFile(CSV, gettext_noop("people"), "csv", _csv(_names), is_for_desk=True),
    "draws": DataFile(CSV, gettext_noop("draws"), "csv", _csv(_draws)),
    "results": DataFile(CSV, gettext_noop("results"), "csv", _csv(event_tables.results_table)),
    "standings": DataFile(CSV, gettext_noop("standings"), "csv", _csv(event_tables.standings_table)),
    "figures": DataFile(CSV, gettext_noop("standings-explained"), "csv", _csv(event_tables.figures_table)),
    "wiki": DataFile(
        TEXT,
        gettext_noop("wiki"),
        "txt",
        lambda event, held, way: event_tables.wiki_text(event, held, way).encode(),
    ),
    "games": DataFile(
        JSON, gettext_noop("games"), "json", lambda event, held, _way: _json(dipvis.dipvis_json(event, held))
    ),
    "wdd": DataFile(ZIP, gettext_noop("wdd"), "zip", _database, is_for_desk=True),
    "event": DataFile(JSON, gettext_noop("event-private"), "json", _event, is_for_desk=True),
}


@never_cache
@require_safe
def data_file(request: HttpRequest, key: str, what: str) -> HttpResponse:
    """A file by what it holds; those of the desk exist for nobody else."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    wanted = DATA_FILES.get(what)
    if wanted is None or (wanted.is_for_desk and not sight.is_at_desk):
        raise Http404
    try:
        content = wanted.make(
            visible_event.visible_event(sight),
            visible_event.visible_standings_of(sight),
            display_names.reader_language(),
        )
    except TalleyrandError as problem:
        return error_pages.error_page(request, 409, _("No file"), paper_texts.refusal_text(problem))
    name = f"{slugify(sight.tournament.name) or 'tournament'}-{_(wanted.name)}.{wanted.ending}"
    return file_downloads.download_response(content, wanted.kind, name)
