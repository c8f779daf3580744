"""Time zones: which there are, in an order in which a reader finds his own; pages show times in it."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from .models import Person

USUAL = (
    "Europe/Paris",
    "Europe/Brussels",
    "Europe/Luxembourg",
    "Europe/Zurich",
    "Europe/London",
    "America/Toronto",
    "Indian/Reunion",
    "America/Martinique",
)
Groups = list[tuple[str, list[tuple[str, str]]]]


@cache
def zone_names() -> frozenset[str]:
    """Every name that stands for a zone, old ones too."""
    return frozenset(available_timezones() - {"Factory", "localtime", "posixrules"})


def zone_named(name: str) -> ZoneInfo:
    """The zone of that name; Paris where there is none (one may be dropped from the database)."""
    return ZoneInfo(name if name in zone_names() else USUAL[0])


def zone_choices(chosen: str) -> Groups:
    """The zones to choose from: the usual ones, then by region; `chosen` is always among them."""
    listed = _listed()
    usual = USUAL if chosen in (*USUAL, *listed) or chosen not in zone_names() else (*USUAL, chosen)
    found = [(_("Common time zones"), _labelled(usual))]
    found += [(title, _in_order(_zones_of_region(region, listed))) for region, title in _regions().items()]
    return [*found, (_("Other time zones"), [("UTC", "UTC")])]


def _regions() -> dict[str, str]:
    """What readers call the parts of the world that names of zones begin with."""
    return {
        "Europe": _("Europe"),
        "Africa": _("Africa"),
        "America": _("America"),
        "Asia": _("Asia"),
        "Atlantic": _("Atlantic Ocean"),
        "Australia": _("Australia"),
        "Indian": _("Indian Ocean"),
        "Pacific": _("Pacific Ocean"),
        "Antarctica": _("Antarctica"),
    }


def zone_label(name: str) -> str:
    """As a reader wants it: London, Londres in French; `America/Argentina/Cordoba` is Cordoba (Argentina)."""
    if (get_language() or "").startswith("fr") and name in french_names():
        return french_names()[name]
    *around, place = name.replace("_", " ").split("/")
    return f"{place} ({around[-1]})" if len(around) > 1 else place


@cache
def french_names() -> dict[str, str]:
    """Of the cities that have one of their own in French."""
    return tomllib.loads(Path(__file__).with_name("french_zones.toml").read_text("utf-8"))


def _labelled(names: tuple[str, ...] | list[str]) -> list[tuple[str, str]]:
    return [(name, zone_label(name)) for name in names]


def _in_order(names: list[str]) -> list[tuple[str, str]]:
    """By the names that a reader sees."""
    return sorted(_labelled(names), key=lambda one: _plain(one[1]))


def _plain(text: str) -> str:
    """Without accents: Île de Man stands beside Istanbul."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter)
    )


def _zones_of_region(region: str, listed: tuple[str, ...]) -> list[str]:
    return [name for name in listed if name.startswith(f"{region}/")]


@cache
def _listed() -> tuple[str, ...]:
    """One zone for each place that the database lists; former names are left out."""
    table = files("tzdata.zoneinfo").joinpath("zone.tab").read_text("utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    return tuple(row[2] for row in rows if row[2] in zone_names())


class TimeZoneMiddleware:
    """Activates the zone of the person signed in while a page is made."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()

    def process_view(self, request: HttpRequest, *_arguments: object) -> None:
        if isinstance(request.user, Person):
            timezone.activate(zone_named(request.user.time_zone))
