"""Why nothing was copied or put back, in words. Whatever stands in a data folder is still there then."""

from __future__ import annotations

SENTENCES: dict[str, tuple[str, str]] = {
    "no_data": (
        "il n’y a pas de site dans «\u00a0{folder}\u00a0». Donnez son dossier de données avec --data.",
        "there is no site in “{folder}”. Name its data folder by --data.",
    ),
    "exists": (
        "«\u00a0{file}\u00a0» existe déjà. Donnez un autre nom\u00a0: rien n’est écrasé.",
        "“{file}” exists already. Give another name: nothing is overwritten.",
    ),
    "not_whole": (
        "la base de «\u00a0{place}\u00a0» est abîmée ({reason}). La copie n’a pas été faite.",
        "the database of “{place}” is damaged ({reason}). No copy was made.",
    ),
    "full": (
        "il n’y a pas assez de place sur le disque de «\u00a0{folder}\u00a0».",
        "there is not enough room on the disk of “{folder}”.",
    ),
    "foreign": (
        "«\u00a0{file}\u00a0» n’est pas une sauvegarde de Talleyrand.",
        "“{file}” is not a backup of Talleyrand.",
    ),
    "damaged": (
        (
            "«\u00a0{file}\u00a0» est abîmé\u00a0: il n’est pas entier, ou il a été changé. "
            "Rien n’a été restauré."
        ),
        "“{file}” is damaged: it is not whole, or it was changed. Nothing was restored.",
    ),
    "newer": (
        (
            "«\u00a0{file}\u00a0» vient d’une version plus récente de Talleyrand ({version}, ici {here}). "
            "Mettez Talleyrand à jour, puis recommencez."
        ),
        (
            "“{file}” comes from a later version of Talleyrand ({version}, here {here}). "
            "Update Talleyrand, then try again."
        ),
    ),
    "other_database": (
        (
            "«\u00a0{file}\u00a0» vient d’une base {theirs}\u202f; ce site est réglé pour "
            "{ours} (TALLEYRAND_DATABASE)."
        ),
        "“{file}” comes from a {theirs} database; this site is set for {ours} (TALLEYRAND_DATABASE).",
    ),
    "served": (
        (
            "un site sert «\u00a0{folder}\u00a0». Arrêtez-le d’abord, ou restaurez dans un "
            "autre dossier avec --data."
        ),
        "a site is serving “{folder}”. Stop it first, or restore into another folder by --data.",
    ),
    "move_served": (
        "un site sert «\u00a0{folder}\u00a0». Arrêtez-le d’abord, avec ses horloges et son courrier.",
        "a site is serving “{folder}”. Stop it first, with its clocks and its mail.",
    ),
    "connected": (
        (
            "d’autres programmes sont connectés à la base «\u00a0{database}\u00a0» ({others}). "
            "Arrêtez-les d’abord\u00a0: sites, horloges, courrier, psql."
        ),
        (
            "other programs are connected to the database “{database}” ({others}). Stop them first: "
            "sites, clocks, mail, psql."
        ),
    ),
    "move_older": (
        (
            "une des deux bases vient d’une version plus ancienne de Talleyrand. Démarrez une fois le site "
            "avec cette version-ci, qui mettra les données à jour, puis arrêtez-le et recommencez."
        ),
        (
            "one of the two databases comes from an older version of Talleyrand. Start the site once with "
            "this version, so that it brings its data up to date; then stop it and try again."
        ),
    ),
    "move_taken": (
        (
            "il y a déjà quelque chose dans «\u00a0{place}\u00a0»\u00a0: {name}. Donnez une base vide ou "
            "un autre dossier\u00a0: rien n’est écrasé."
        ),
        (
            "there is something in “{place}” already: {name}. Give an empty database or another folder: "
            "nothing is overwritten."
        ),
    ),
    "move_failed": (
        "la base a refusé\u00a0: {reason}. Rien n’a été déménagé, les données d’avant sont intactes.",
        "the database refused: {reason}. Nothing was moved, the data from before are as they were.",
    ),
    "move_unequal": (
        (
            "la table {table}, relue, n’est pas celle d’avant. Rien n’a été déménagé, les données d’avant "
            "sont intactes."
        ),
        (
            "the table {table}, read back, is not the one from before. Nothing was moved, the data from "
            "before are as they were."
        ),
    ),
    "row_refused": (
        (
            "la nouvelle base ne veut pas de la ligne {key} de {table} ({reason}). Rien n’a été "
            "déménagé\u202f; corrigez cette ligne, puis recommencez."
        ),
        (
            "the new database does not take row {key} of {table} ({reason}). Nothing was moved; mend that "
            "row, then try again."
        ),
    ),
    "unreachable": (
        "la base ne répond pas ({reason}).",
        "the database does not answer ({reason}).",
    ),
    "no_tool": (
        "il faut {tool}, des outils de PostgreSQL (sudo apt install postgresql-client).",
        "{tool} of PostgreSQL's tools is needed (sudo apt install postgresql-client).",
    ),
    "tool_failed": ("{tool} a échoué\u00a0: {reason}", "{tool} failed: {reason}"),
    "database_newer": (
        (
            "les données viennent d’une version plus récente de Talleyrand (il y manque ici {migration}). "
            "Remettez cette version, ou restaurez une sauvegarde plus ancienne."
        ),
        (
            "the data come from a later version of Talleyrand ({migration} is missing here). "
            "Go back to that version, or restore an older backup."
        ),
    ),
    "upgrade_served": (
        "un autre site sert «\u00a0{folder}\u00a0» avec une version plus ancienne. Arrêtez-le d’abord.",
        "another site is serving “{folder}” with an older version. Stop it first.",
    ),
    "no_copy": (
        "les données sont à mettre à jour, et leur copie n’a pas pu être faite ({reason}). Rien n’a changé.",
        "the data have to be brought up to date, and no copy could be made ({reason}). Nothing has changed.",
    ),
    "upgrade_failed": (
        (
            "la mise à jour des données a échoué ({reason}). Les données d’avant ont été remises\u202f; "
            "leur copie\u00a0: «\u00a0{copy}\u00a0»."
        ),
        (
            "the data could not be brought up to date ({reason}). The data from before are back; "
            "their copy: “{copy}”."
        ),
    ),
}


class BackupError(Exception):
    """A code of the sentences with its facts."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code, self.facts = code, {name: str(value) for name, value in facts.items()}

    def sentence(self, language: str) -> str:
        """The reason in French ("fr") or English."""
        french, english = SENTENCES[self.code]
        return (french if language == "fr" else english).format(**self.facts)

    def __str__(self) -> str:
        first, second = (self.sentence(one) for one in ("fr", "en"))
        return f"{first[:1].upper()}{first[1:]} / {second[:1].upper()}{second[1:]}"
