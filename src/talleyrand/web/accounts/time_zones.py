"""Time zones: which there are, in an order in which a reader finds his own."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import get_language
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
# The cities that have a name of their own in French.
FRENCH = {
    "Africa/Addis_Ababa": "Addis-Abeba",
    "Africa/Algiers": "Alger",
    "Africa/Cairo": "Le Caire",
    "Africa/El_Aaiun": "Laâyoune",
    "Africa/Lome": "Lomé",
    "Africa/Mogadishu": "Mogadiscio",
    "Africa/Ndjamena": "N’Djaména",
    "Africa/Sao_Tome": "São Tomé",
    "America/Barbados": "Barbade",
    "America/Bogota": "Bogota",
    "America/Havana": "La Havane",
    "America/Jamaica": "Jamaïque",
    "America/Panama": "Panamá",
    "America/Puerto_Rico": "Porto Rico",
    "America/Sao_Paulo": "São Paulo",
    "America/St_Johns": "Saint-Jean de Terre-Neuve",
    "America/Toronto": "Toronto et Montréal",
    "Asia/Baghdad": "Bagdad",
    "Asia/Bahrain": "Bahreïn",
    "Asia/Beirut": "Beyrouth",
    "Asia/Damascus": "Damas",
    "Asia/Dubai": "Dubaï",
    "Asia/Ho_Chi_Minh": "Hô Chi Minh-Ville",
    "Asia/Jerusalem": "Jérusalem",
    "Asia/Kabul": "Kaboul",
    "Asia/Kathmandu": "Katmandou",
    "Asia/Kuwait": "Koweït",
    "Asia/Manila": "Manille",
    "Asia/Nicosia": "Nicosie",
    "Asia/Riyadh": "Riyad",
    "Asia/Seoul": "Séoul",
    "Asia/Shanghai": "Pékin",
    "Asia/Singapore": "Singapour",
    "Asia/Tashkent": "Tachkent",
    "Asia/Tbilisi": "Tbilissi",
    "Asia/Tehran": "Téhéran",
    "Asia/Yerevan": "Erevan",
    "Atlantic/Azores": "Açores",
    "Atlantic/Bermuda": "Bermudes",
    "Atlantic/Canary": "Canaries",
    "Atlantic/Cape_Verde": "Cap-Vert",
    "Atlantic/Faroe": "Féroé",
    "Atlantic/Madeira": "Madère",
    "Europe/Andorra": "Andorre",
    "Europe/Athens": "Athènes",
    "Europe/Brussels": "Bruxelles",
    "Europe/Bucharest": "Bucarest",
    "Europe/Copenhagen": "Copenhague",
    "Europe/Guernsey": "Guernesey",
    "Europe/Isle_of_Man": "Île de Man",
    "Europe/Kyiv": "Kiev",
    "Europe/Lisbon": "Lisbonne",
    "Europe/London": "Londres",
    "Europe/Malta": "Malte",
    "Europe/Moscow": "Moscou",
    "Europe/San_Marino": "Saint-Marin",
    "Europe/Tirane": "Tirana",
    "Europe/Vienna": "Vienne",
    "Europe/Warsaw": "Varsovie",
    "Indian/Comoro": "Comores",
    "Indian/Mauritius": "Île Maurice",
    "Indian/Reunion": "La Réunion",
    "Pacific/Noumea": "Nouméa",
}
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
    found += [(title, _in_order(_within(region, listed))) for region, title in _regions().items()]
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
    if name in FRENCH and (get_language() or "").startswith("fr"):
        return FRENCH[name]
    *around, place = name.replace("_", " ").split("/")
    return f"{place} ({around[-1]})" if len(around) > 1 else place


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


def _within(region: str, listed: tuple[str, ...]) -> list[str]:
    return [name for name in listed if name.startswith(f"{region}/")]


@cache
def _listed() -> tuple[str, ...]:
    """One zone for each place that the database lists; former names are left out."""
    table = files("tzdata.zoneinfo").joinpath("zone.tab").read_text("utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    return tuple(row[2] for row in rows if row[2] in zone_names())
