"""Time zones: which there are, in an order in which a reader finds his own."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import gettext as _

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
def known() -> frozenset[str]:
    """Every name that stands for a zone, old ones too."""
    return frozenset(available_timezones() - {"Factory", "localtime", "posixrules"})


def zone(name: str) -> ZoneInfo:
    """The zone of that name; Paris where there is none (one may be dropped from the database)."""
    return ZoneInfo(name if name in known() else USUAL[0])


def groups(chosen: str) -> Groups:
    """The zones to choose from: the usual ones, then by region; `chosen` is always among them."""
    listed = _listed()
    usual = USUAL if chosen in (*USUAL, *listed) or chosen not in known() else (*USUAL, chosen)
    found = [(_("Usual zones"), _labelled(usual))]
    found += [(title, _labelled(sorted(_within(region, listed)))) for region, title in _regions().items()]
    return [*found, (_("Other zones"), [("UTC", "UTC")])]


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


def label(name: str) -> str:
    """`America/Argentina/Buenos_Aires` as a reader wants it: Buenos Aires (Argentina)."""
    *around, place = name.replace("_", " ").split("/")
    return f"{place} ({around[-1]})" if len(around) > 1 else place


def _labelled(names: tuple[str, ...] | list[str]) -> list[tuple[str, str]]:
    return [(name, label(name)) for name in names]


def _within(region: str, listed: tuple[str, ...]) -> list[str]:
    return [name for name in listed if name.startswith(f"{region}/")]


@cache
def _listed() -> tuple[str, ...]:
    """One zone for each place that the database lists; former names are left out."""
    table = files("tzdata.zoneinfo").joinpath("zone.tab").read_text("utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    return tuple(row[2] for row in rows if row[2] in known())
