"""What people call the zones: "heure de Paris", "Paris time"."""

from __future__ import annotations

# After "heure" in French, before "time" in English; the first ones are those that most readers look for.
ZONE_NAMES: dict[str, tuple[str, str]] = {
    "Europe/Paris": ("de Paris", "Paris"),
    "Europe/Brussels": ("de Bruxelles", "Brussels"),
    "Europe/Zurich": ("de Zurich", "Zurich"),
    "Europe/Luxembourg": ("de Luxembourg", "Luxembourg"),
    "America/Toronto": ("de Toronto et de Montréal", "Toronto and Montreal"),
    "Europe/London": ("de Londres", "London"),
    "America/New_York": ("de New York", "New York"),
    "Africa/Algiers": ("d’Alger", "Algiers"),
    "Europe/Amsterdam": ("d’Amsterdam", "Amsterdam"),
    "Europe/Athens": ("d’Athènes", "Athens"),
    "Pacific/Auckland": ("d’Auckland", "Auckland"),
    "Europe/Berlin": ("de Berlin", "Berlin"),
    "Europe/Bucharest": ("de Bucarest", "Bucharest"),
    "Africa/Cairo": ("du Caire", "Cairo"),
    "Africa/Casablanca": ("de Casablanca", "Casablanca"),
    "America/Cayenne": ("de Cayenne", "Cayenne"),
    "America/Chicago": ("de Chicago", "Chicago"),
    "Europe/Copenhagen": ("de Copenhague", "Copenhagen"),
    "Africa/Dakar": ("de Dakar", "Dakar"),
    "America/Denver": ("de Denver", "Denver"),
    "Europe/Dublin": ("de Dublin", "Dublin"),
    "America/Guadeloupe": ("de la Guadeloupe", "Guadeloupe"),
    "America/Halifax": ("d’Halifax", "Halifax"),
    "Europe/Helsinki": ("d’Helsinki", "Helsinki"),
    "Europe/Istanbul": ("d’Istanbul", "Istanbul"),
    "Asia/Jerusalem": ("de Jérusalem", "Jerusalem"),
    "Europe/Kyiv": ("de Kiev", "Kyiv"),
    "Africa/Kinshasa": ("de Kinshasa", "Kinshasa"),
    "Europe/Lisbon": ("de Lisbonne", "Lisbon"),
    "America/Los_Angeles": ("de Los Angeles", "Los Angeles"),
    "Europe/Madrid": ("de Madrid", "Madrid"),
    "America/Martinique": ("de la Martinique", "Martinique"),
    "Indian/Mauritius": ("de l’île Maurice", "Mauritius"),
    "America/Mexico_City": ("de Mexico", "Mexico City"),
    "Europe/Moscow": ("de Moscou", "Moscow"),
    "Pacific/Noumea": ("de Nouméa", "Nouméa"),
    "Europe/Oslo": ("d’Oslo", "Oslo"),
    "Europe/Prague": ("de Prague", "Prague"),
    "Indian/Reunion": ("de La Réunion", "Réunion"),
    "Europe/Rome": ("de Rome", "Rome"),
    "America/Sao_Paulo": ("de São Paulo", "São Paulo"),
    "Asia/Shanghai": ("de Pékin", "Beijing"),
    "Asia/Singapore": ("de Singapour", "Singapore"),
    "America/St_Johns": ("de Saint-Jean de Terre-Neuve", "St John’s"),
    "Europe/Stockholm": ("de Stockholm", "Stockholm"),
    "Australia/Sydney": ("de Sydney", "Sydney"),
    "Pacific/Tahiti": ("de Tahiti", "Tahiti"),
    "Asia/Tokyo": ("de Tokyo", "Tokyo"),
    "Africa/Tunis": ("de Tunis", "Tunis"),
    "America/Vancouver": ("de Vancouver", "Vancouver"),
    "Europe/Vienna": ("de Vienne", "Vienna"),
    "Europe/Warsaw": ("de Varsovie", "Warsaw"),
}
UNIVERSAL_TIME = {"fr": "temps universel", "en": "universal time"}


def zone_text(name: str, language: str) -> str:
    """ "heure de Paris", "Paris time"; by the city in the zone’s name where it has none of its own here."""
    if name in ("UTC", "Etc/UTC"):
        return UNIVERSAL_TIME[language]
    if name in ZONE_NAMES:
        french, english = ZONE_NAMES[name]
    else:
        city = name.rpartition("/")[2].replace("_", " ")
        french, english = f"d’{city}" if city[:1] in "AEIOU" else f"de {city}", city
    return f"heure {french}" if language == "fr" else f"{english} time"
