"""An event as text for a wiki: the ranking and each board as tables of MediaWiki."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import Standings

from . import csv_tables, export_labels, played_seats
from .export_labels import export_word, localised_decimal, person_name

SIGNS = str.maketrans({"|": "&#124;", "[": "&#91;", "]": "&#93;", "{": "&#123;", "}": "&#125;", "<": "&lt;",
                       ">": "&gt;", "'": "&#39;", "=": "&#61;", "~": "&#126;", "_": "&#95;", "&": "&amp;",
                       "*": "&#42;", "#": "&#35;", ":": "&#58;", "\n": " "})  # fmt: skip


def wiki_text(event: Event, held: Standings, language: str) -> str:
    """The text of a page. What somebody typed stands in it as it is, whatever signs it is made of."""
    parts = [f"== {_plain(event.name)} ==", *_setting(event)]
    ranked = csv_tables.standings_table(event, held, language)
    parts += [
        f"=== {export_word(language, 'ranking')} ===",
        *_table(ranked.headings[:-1], _without(ranked.rows)),
    ]
    for number, sat in groupby(played_seats.played_seats(event, held), key=lambda one: one.round):
        parts += [f"=== {export_word(language, 'round')} {number} ==="]
        for at, seats in groupby(sat, key=lambda one: one.number):
            parts += _board(event, at, list(seats), language)
    return "\n".join(parts) + "\n"


def _setting(event: Event) -> Iterator[str]:
    days = dict.fromkeys(filter(None, (event.announcement.opens, event.announcement.ends)))
    told = (event.announcement.place, " – ".join(days))
    if any(told):
        yield _plain(", ".join(filter(None, told)))


def _without(rows: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """A wiki’s readers need no exact fraction."""
    return [row[:-1] for row in rows]


def _board(event: Event, at: int, seats: Sequence[played_seats.PlayedSeat], language: str) -> list[str]:
    codes = ("power", "player", "centres", "eliminated", "score")
    rows = [
        (
            export_labels.power_title(sat.power, sat.board.variant, language),
            person_name(event, sat.owner),
            "" if sat.centres is None else str(sat.centres),
            str(played_seats.elimination_year(event, sat) or ""),
            "" if sat.raw is None else localised_decimal(language, sat.raw),
        )
        for sat in seats
    ]
    board = seats[0].board
    final = f" ({export_word(language, 'final_table')})" if board.final else ""
    variant = (
        "" if board.variant == "classic" else f" – {export_labels.variant_title(board.variant, language)}"
    )
    head = f"==== {export_word(language, 'board')} {at}{final}{variant} ===="
    return [head, *_table([export_word(language, code) for code in codes], rows)]


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ['{| class="wikitable sortable"', "! " + " !! ".join(map(_plain, headings))]
    for row in rows:
        lines += ["|-", "| " + " || ".join(map(_plain, row))]
    return [*lines, "|}"]


def _plain(text: str) -> str:
    return text.translate(SIGNS)
