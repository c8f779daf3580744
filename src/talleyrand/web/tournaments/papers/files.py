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
from talleyrand.tournament.exports import games, tables, wdd, wiki
from talleyrand.tournament.exports.tables import Table
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import Standings
from talleyrand.web import errors
from talleyrand.web.boards import files, wording
from talleyrand.web.tournaments import frame

from . import looking, words

CSV, JSON, TEXT, ZIP = (
    "text/csv; charset=utf-8",
    "application/json",
    "text/plain; charset=utf-8",
    "application/zip",
)


@dataclass(frozen=True)
class File:
    """A file: its kind, what it is called, who may have it, and what makes it."""

    kind: str
    name: str
    ending: str
    make: Callable[[Event, Standings, str], bytes]
    desk: bool = False


def _csv(make: Callable[[Event, Standings, str], Table]) -> Callable[[Event, Standings, str], bytes]:
    return lambda event, held, language: tables.written(make(event, held, language), language)


def _people(event: Event, _held: Standings, language: str) -> Table:
    return tables.people(event, language, private=True)


def _names(event: Event, _held: Standings, language: str) -> Table:
    return tables.people(event, language)


def _draws(event: Event, _held: Standings, language: str) -> Table:
    return tables.draws(event, language)


def _event(event: Event, _held: Standings, _language: str) -> bytes:
    return _json(codec.write(event))


def _json(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"


def _database(event: Event, held: Standings, _language: str) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as file:
        file.writestr("classification.csv", wdd.classification(event, held).encode("utf-8-sig"))
        file.writestr("boards.csv", wdd.boards(event, held).encode("utf-8-sig"))
    return made.getvalue()


FILES = {
    "people": File(CSV, gettext_noop("people-private"), "csv", _csv(_people), desk=True),
    "names": File(CSV, gettext_noop("people"), "csv", _csv(_names), desk=True),
    "draws": File(CSV, gettext_noop("draws"), "csv", _csv(_draws)),
    "results": File(CSV, gettext_noop("results"), "csv", _csv(tables.results)),
    "standings": File(CSV, gettext_noop("standings"), "csv", _csv(tables.standings)),
    "figures": File(CSV, gettext_noop("standings-explained"), "csv", _csv(tables.figures)),
    "wiki": File(
        TEXT, gettext_noop("wiki"), "txt", lambda event, held, way: wiki.written(event, held, way).encode()
    ),
    "games": File(
        JSON, gettext_noop("games"), "json", lambda event, held, _way: _json(games.written(event, held))
    ),
    "wdd": File(ZIP, gettext_noop("wdd"), "zip", _database, desk=True),
    "event": File(JSON, gettext_noop("event-private"), "json", _event, desk=True),
}


@never_cache
@require_safe
def file(request: HttpRequest, key: str, what: str) -> HttpResponse:
    """A file by what it holds; those of the desk exist for nobody else."""
    sight = frame.entered(request, key)
    wanted = FILES.get(what)
    if wanted is None or (wanted.desk and not sight.at_desk):
        raise Http404
    try:
        content = wanted.make(looking.event_of(sight), looking.standings_of(sight), wording.language())
    except TalleyrandError as problem:
        return errors.page(request, 409, _("No file"), words.refusal(problem))
    name = f"{slugify(sight.tournament.name) or 'tournament'}-{_(wanted.name)}.{wanted.ending}"
    return files.file(content, wanted.kind, name)
