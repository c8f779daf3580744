"""What stands in which column: by its heading in French or English, or by the look of its cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from talleyrand.tournament.name_matching import fold_name

# What a column may hold, with its heading in files of ours and other ways to call it, without accents.
COLUMN_HEADINGS: Mapping[str, tuple[str, str]] = {
    "name": ("Nom et prénom", "Name"),
    "first": ("Prénom", "First name"),
    "last": ("Nom", "Last name"),
    "club": ("Club", "Club"),
    "town": ("Ville", "Town"),
    "country": ("Pays", "Country"),
    "team": ("Équipe", "Team"),
    "office": ("Fonction", "Office"),
    "beginner": ("Premier tournoi", "First tournament"),
    "youth": ("Jeune", "Young"),
    "recorder": ("Secrétaire de table", "Recorder"),
    "born": ("Naissance", "Born"),
    "minutes": ("Minutes de route", "Minutes by car"),
    "rounds": ("Rondes", "Rounds"),
    "mail": ("Adresse électronique", "E-mail"),
    "phone": ("Téléphone", "Phone"),
    "note": ("Note", "Note"),
    "due": ("Dû", "Due"),
    "paid": ("Payé", "Paid"),
    "accepted": ("Règlement accepté", "Regulations accepted"),
    "prefers": ("Préférences de puissances", "Power preferences"),
}
# Other ways to call a column, without accents.
COLUMN_ALIASES = {
    "name": "joueur|player|full name|nom complet|prenom nom|nom prenom|prenom et nom",
    "first": "firstname|given name|prenoms",
    "last": "lastname|surname|family name|nom de famille",
    "club": "association|cercle",
    "town": "city|localite|commune",
    "country": "nationalite|nationality|nation",
    "team": "nom dequipe|team name",
    "office": "role|organisation|statut|status",
    "beginner": "debutant|beginner|novice|newcomer",
    "youth": "youth|horticole|junior",
    "recorder": "secretaire|greffier|tient la feuille|record keeper|keeps the record|scribe",
    "born": "date de naissance|annee de naissance|ne le|annee|birth|birthday|date of birth|year of birth",
    "minutes": "minutes|trajet|journey|duree du trajet",
    "rounds": "parties|games|manches",
    "mail": "mail|email|courriel|adresse mail|adresse e mail|mel",
    "phone": "tel|portable|mobile|phone number",
    "note": "remarque|remarques|comment|comments|commentaire|notes",
    "due": "a payer|montant|fee|frais|inscription|to pay|amount",
    "paid": "regle|verse",
    "accepted": "accepte le reglement|accepted",
    "prefers": "voeux|vux|souhaits|preferences|puissances|puissances souhaitees|wishes|powers|powers liked"
    "|preferred powers",
}
PRIVATE_COLUMNS = ("born", "mail", "phone", "note", "due", "paid", "prefers")
ROUND = re.compile(r"(?:r|ronde|round|manche|partie|game|tour) ?([1-9]\d?)")
MAIL, PHONE = re.compile(r"[^@\s]+@[^@\s]+"), re.compile(r"\+?[\d .()/-]{8,20}")
DATE = re.compile(r"(19|20)\d\d|\d{1,2}[/.-]\d{1,2}[/.-](19|20)\d\d|(19|20)\d\d-\d\d-\d\d")
IGNORED = ""


def round_column(number: int) -> str:
    """The column in which a cross means that somebody plays a round."""
    return f"round:{number}"


def columns_from_headings(cells: Sequence[str]) -> tuple[str, ...] | None:
    """The columns by their headings; None where the row is none of headings."""
    found = tuple(map(_named, cells))
    held = [one for one in found if one]
    if not {"name", "last", "first"} & set(held):
        return None
    return _once(_whole(found))


def _named(cell: str) -> str:
    told = fold_name(cell)
    for field, ours in COLUMN_HEADINGS.items():
        if told in (*map(fold_name, ours), *COLUMN_ALIASES[field].split("|")):
            return field
    numbered = ROUND.fullmatch(told)
    return round_column(int(numbered[1])) if numbered else IGNORED


def _whole(found: tuple[str, ...]) -> tuple[str, ...]:
    """“Nom” alone is the whole name."""
    if "last" in found and "first" not in found and "name" not in found:
        return tuple("name" if one == "last" else one for one in found)
    return found


def _once(found: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(IGNORED if one in found[:at] else one for at, one in enumerate(found))


def guess_columns(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The columns of a list without headings: the name first, then what mails, dates and telephones are."""
    width = max(map(len, rows))
    found = ["name"] + [_guessed([row[at] for row in rows if at < len(row)]) for at in range(1, width)]
    return _once(tuple(found))


def _guessed(cells: Sequence[str]) -> str:
    told = [cell for cell in cells if cell]
    for field, look in (("mail", MAIL), ("born", DATE), ("phone", PHONE)):
        if told and all(look.fullmatch(cell) for cell in told):
            return field
    return "club" if told and all(re.search(r"[^\W\d]{2}", cell) for cell in told) else IGNORED


def chosen_columns(wanted: Sequence[str], width: int, rounds: Sequence[int]) -> tuple[str, ...]:
    """The columns that somebody has chosen, as far as there are such."""
    known = {*COLUMN_HEADINGS, *map(round_column, rounds)}
    chosen = [one if one in known else IGNORED for one in wanted[:width]]
    return _once(tuple(chosen + [IGNORED] * (width - len(chosen))))
