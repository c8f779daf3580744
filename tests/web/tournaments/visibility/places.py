"""Every address of a tournament, found among those of the site; a new argument fails here."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from django.urls import reverse

from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.papers import data_files
from talleyrand.web.tournaments.screens import screen_rotation
from tests import draws
from tests.web.addresses import named_addresses

MADE = (".pdf",)  # takes a second each; what is printed is looked at apart


def every(made: Tournament) -> list[str]:
    """The addresses of all pages and files of one tournament, whoever may open them."""
    values: dict[str, list[object]] = {
        "key": [made.key],
        "number": list(range(1, 5)),
        "person": [1, 2],
        "board": [1],
        "vote": [1],
        "entry": [1],
        "held": ["zz-nobodys-pass"],
        "sign": ["1:zz-nobodys-sign"],
        "name": list(screen_rotation.SCREENS),
        "photo": ["zz-nobodys-photo"],
        "part": [1],
        "what": list(data_files.DATA_FILES),
    }
    asked = [reverse("tournaments:screen", args=[made.key, name]) for name in screen_rotation.SCREENS]
    rounds = [f"{path}?round={number}" for path in asked for number in (2, 3)]
    found = [
        _paths(name, arguments, values)
        for name, arguments in named_addresses()
        if name.startswith("tournaments:") and "key" in arguments
        if "season" not in name and "league" not in name
    ]
    return [path for paths in (*found, rounds) for path in paths if not path.endswith(MADE)]


def drawn(paths: list[str], draw: str, reader: int) -> list[str]:
    """Every other address: of two readers with numbers that follow each other, each looks at one half."""
    return paths[(draws.lot(draw, "first half") + reader) % 2 :: 2]


def _paths(name: str, arguments: tuple[str, ...], values: dict[str, list[object]]) -> Iterator[str]:
    for several in itertools.product(*(values[argument] for argument in arguments)):
        yield reverse(name, kwargs=dict(zip(arguments, several, strict=True)))
