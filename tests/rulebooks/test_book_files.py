"""A book of one's own in a file: what it may say, and what is said to one who writes it wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import Run

OWN = """\
extends = "datc"

[title]
fr = "Règles du cercle"
en = "Rules of the club"

[options]
kidnapping = { value = "possible", source = "assemblée de 2024" }
convoy_paradox = "all_hold"
convoy_marker = "unspecified"
"""
ORDERS = """\
Positions
Angleterre : A Nwy
Russie : F Swe, F Ska
Ordres
Angleterre : A Nwy - Swe
Russie : F Swe - Nwy ; F Ska C A Nwy - Swe
"""

WRONG = [
    ("", "Le règlement «\u00a0own\u00a0» est vide"),
    ("# rien\n", "Le règlement «\u00a0own\u00a0» est vide"),
    ("[[", "n’est pas du TOML valide\u00a0: vérifiez la ligne 1"),
    ("[options]\nkidnapping = possible\n", "n’est pas du TOML valide\u00a0: vérifiez la ligne 2"),
    (b"\xff\xfe[\x00", "n’est pas un texte en UTF-8"),
    (b"#" * (1 << 20) + b"#", "Trop long\u00a0: la limite est de 1\u00a0Mio"),
    ("a = " + "[" * 9000, "Trop de niveaux imbriqués"),
    ('extends = "own"\n', "se complète lui-même"),
    ('extends = "nobody"\n', "Règlement inconnu\u00a0: nobody. Disponibles\u00a0: anjou_feu"),
    ('extends = ["datc"]\n', "Champ rulebook.extends"),
    ('extend = "datc"\n', "Champ inconnu\u00a0: rulebook.extend."),
    ("options = 3\n", "Champ rulebook.options"),
    ('[options]\nkidnaping = "possible"\n', "La plus proche\u00a0: kidnapping."),
    ('[options]\nzzz = "possible"\n', "Option inconnue\u00a0: zzz."),
    ('[options]\nkidnapping = "maybe"\n', "Valeurs possibles\u00a0: possible, impossible"),
    ('[options]\nkidnapping = ""\n', "ne peut pas valoir «\u00a0\u00a0»"),
    ("[options]\nkidnapping = true\n", "Champ rulebook.options.kidnapping"),
    ("[options]\nkidnapping = {}\n", "Champ rulebook.options.kidnapping"),
    (
        '[options]\nkidnapping = { valeur = "possible" }\n',
        "Champ inconnu\u00a0: rulebook.options.kidnapping.valeur.",
    ),
    ('[options]\nkidnapping = { value = "possible", source = 3 }\n', "rulebook.options.kidnapping.source"),
    ('[title]\nde = "Unsere Regeln"\n', "Champ inconnu\u00a0: rulebook.title.de."),
    (
        '[options]\nland_or_sea_route = "marker_required"\nkidnapping = "possible"\n',
        "une armée convoyée seulement sur demande ne peut pas l’être malgré elle",
    ),
]


@pytest.mark.parametrize(("content", "said"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_book_is_told_what_is_wrong(
    run: Run, tmp_path: Path, content: str | bytes, said: str
) -> None:
    book = tmp_path / "own.toml"
    book.write_bytes(content if isinstance(content, bytes) else content.encode())
    orders = _file(tmp_path / "orders.txt", ORDERS)
    for command in (("rulebooks", str(book)), ("adjudicate", orders, "--rulebook", str(book))):
        ran = run(*command)
        assert (ran.status, ran.out) == (1, "")
        assert said in ran.err
        assert ran.err.count("\n") == 1


def test_a_book_that_is_not_there(run: Run, tmp_path: Path) -> None:
    ran = run("rulebooks", str(tmp_path / "none.toml"))
    assert ran.status == 1
    assert "fichier introuvable" in ran.err


def test_a_book_of_ones_own_is_judged_by(run: Run, tmp_path: Path) -> None:
    book, orders = _file(tmp_path / "own.toml", OWN), _file(tmp_path / "orders.txt", ORDERS)
    assert "Angleterre\u00a0: A Suède" in run("adjudicate", orders, "--rulebook", book).out
    assert "Angleterre\u00a0: A Norvège" in run("adjudicate", orders, "--rulebook", "datc").out


def test_a_book_of_ones_own_beside_another(run: Run, tmp_path: Path) -> None:
    book = _file(tmp_path / "own.toml", OWN)
    shown = run("rulebooks", "datc", book).out
    assert "own: kidnapping = possible [assemblée de 2024] – il a lieu" in shown
    assert "own: convoy_paradox = all_hold – tous ses déplacements échouent" in shown
    assert "own: convoy_marker = par_convoi_or_C (notre lecture" in shown
    assert "multi_route_disruption" not in shown
    (listed,) = map(json.loads, run("rulebooks", "--json", book).out.splitlines())
    assert listed[0]["title"] == {"fr": "Règles du cercle", "en": "Rules of the club"}
    assert listed[0]["options"]["kidnapping"]["source"] == "assemblée de 2024"


@pytest.mark.parametrize("title", ["", 'title = ""', 'title = { en = "" }'])
def test_a_book_without_a_title_is_called_by_its_name(run: Run, tmp_path: Path, title: str) -> None:
    book = _file(tmp_path / "own.toml", f'extends = "datc"\n{title}\n')
    (listed,) = map(json.loads, run("rulebooks", "--json", book).out.splitlines())
    assert listed[0]["title"] == {"fr": "own", "en": "own"}


def test_the_same_book_in_a_question(run: Run) -> None:
    question = {
        "rulebook": {"extends": "datc", "options": {"kidnapping": {"value": "possible", "source": "us"}}},
        "phase": "S1901M",
        "units": {"ENGLAND": ["A NWY"], "RUSSIA": ["F SWE", "F SKA"]},
        "orders": {"ENGLAND": ["A NWY - SWE"], "RUSSIA": ["F SWE - NWY", "F SKA C A NWY - SWE"]},
    }
    ran = run("adjudicate", "--jsonl", "-", stdin=json.dumps(question).encode())
    assert json.loads(ran.out)["units"]["ENGLAND"] == ["A SWE"]


def _file(path: Path, content: str) -> str:
    path.write_text(content, "utf-8")
    return str(path)
