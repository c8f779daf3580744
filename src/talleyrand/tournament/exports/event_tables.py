"""Tables of an event in a language: people, draws, results, standings with every coefficient.

For spreadsheets as CSV; for a wiki the ranking and each board as tables of MediaWiki.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from talleyrand import variants
from talleyrand.formats import score_json
from talleyrand.messages.tournament_sentences import TOURNAMENT_SENTENCES, working_sentences
from talleyrand.tournament.board_rules import CLASSIC, board_variant
from talleyrand.tournament.model import Event, EventBoard, EventPerson, Office
from talleyrand.tournament.people_list.list_rows import COLUMN_HEADINGS, PRIVATE_COLUMNS
from talleyrand.tournament.standings import PersonStanding, StandingEntry, Standings, WorkingStep

from . import played_seats

DECIMAL = {"fr": ",", "en": "."}


def export_word(language: str, code: str) -> str:
    """A heading or a word of a file."""
    return TOURNAMENT_SENTENCES.say(language, f"export.{code}")


def person_name(event: Event, number: int | None) -> str:
    """Somebody by his name; "" for nobody."""
    known = event.people.get(number) if number is not None else None
    return known.name if known else ""


def power_title(code: str, variant: str, language: str) -> str:
    """A power by its name."""
    named = board_variant(variant).names(language).powers.get(code)
    return named.name if named else code


def province_title(code: str, variant: str, language: str) -> str:
    """A province by its name; what nobody knows as it was typed."""
    named = board_variant(variant).names(language).provinces.get(code)
    return named.name if named else code


def variant_title(name: str, language: str) -> str:
    """What is played."""
    if name in variants.all_names():
        return variants.load_board(name).title[language]
    return (
        export_word(language, f"variant_{name}")
        if TOURNAMENT_SENTENCES.has_sentence(f"export.variant_{name}")
        else name
    )


def localised_decimal(language: str, value: Fraction) -> str:
    """Points with three decimals, as spreadsheets of the language read them."""
    return score_json.decimal_points(value).replace(".", DECIMAL[language])


def yes_word(language: str, held: bool) -> str:
    """Yes, or nothing."""
    return export_word(language, "yes") if held else ""


SEPARATOR = {"fr": ";", "en": ","}
NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
OPEN = tuple(
    field
    for field in COLUMN_HEADINGS
    if field not in (*PRIVATE_COLUMNS, "first", "last", "recorder", "minutes")
)
ALL = tuple(field for field in COLUMN_HEADINGS if field not in ("first", "last"))


@dataclass(frozen=True)
class ExportTable:
    """Headings and rows of texts."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def csv_bytes(table: ExportTable, language: str) -> bytes:
    """The table as CSV that spreadsheets of the language open by themselves: UTF-8 with its mark.

    What somebody typed is never a formula: an apostrophe stands before what would be one.
    """
    made = io.StringIO()
    writer = csv.writer(made, delimiter=SEPARATOR[language], lineterminator="\r\n")
    writer.writerows([map(csv_safe, row) for row in (table.headings, *table.rows)])
    return made.getvalue().encode("utf-8-sig", "replace")


def csv_safe(text: str) -> str:
    """A cell that no spreadsheet reckons with."""
    return f"'{text}" if text.startswith(FORMULA) and not NUMBER.fullmatch(text) else text


def _table(language: str, codes: Iterable[str], rows: Iterable[Sequence[str]]) -> ExportTable:
    return ExportTable(tuple(export_word(language, code) for code in codes), tuple(map(tuple, rows)))


# people


def people_table(event: Event, language: str, *, private: bool = False) -> ExportTable:
    """Everybody, under headings that lists are read by; `private`: with what the desk alone knows."""
    fields = ALL if private else OPEN
    at = 0 if language == "fr" else 1
    teams = {who: team.name for team in event.teams.values() for who in team.members}
    rows = [
        tuple(_fact(known, field, teams.get(number, ""), language) for field in fields)
        for number, known in event.people.items()
    ]
    return ExportTable(tuple(COLUMN_HEADINGS[field][at] for field in fields), tuple(rows))


def _fact(known: EventPerson, field: str, team: str, language: str) -> str:
    if field == "team":
        return team
    if field == "prefers":
        return ", ".join(power_title(power, CLASSIC, language) for power in known.private.prefers)
    value = getattr(known.private if field in PRIVATE_COLUMNS else known, field)
    if isinstance(value, Office):
        return "" if value is Office.NONE else export_word(language, f"office_{value}")
    if isinstance(value, bool):
        return yes_word(language, value)
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "–"
    return "" if value is None else str(value)


# draws


def draws_table(event: Event, language: str) -> ExportTable:
    """Who sits where, and who stands down, in every round that has boards."""
    codes = ("round", "board", "final", "variant", "place", "power", "player", "late", "reliefs", "rests")
    return _table(language, codes, _draws(event, language))


def _draws(event: Event, language: str) -> Iterator[Sequence[str]]:
    for number, one in sorted(event.rounds.items()):
        for at, board in sorted(one.boards.items()):
            yield from (_seat(event, (number, at), board, power, language) for power in board.seats)
        for who, rest in one.resting.items() if one.boards else ():
            why = export_word(language, f"rested_{rest.why}")
            yield (str(number), "", "", "", "", "", person_name(event, who), "", "", why)


def _seat(
    event: Event, where: tuple[int, int], board: EventBoard, power: str, language: str
) -> Sequence[str]:
    seat = board.seats[power]
    return (
        *map(str, where),
        yes_word(language, board.final),
        variant_title(board.variant, language),
        board.place,
        power_title(power, board.variant, language),
        person_name(event, seat.person),
        str(seat.missed or ""),
        ", ".join(f"{person_name(event, one.person)} ({one.seasons})" for one in seat.reliefs),
        "",
    )


# results


def results_table(event: Event, held: Standings, language: str) -> ExportTable:
    """What every game ended with, power by power."""
    codes = (
        "round", "board", "variant", "power", "player", "centres", "eliminated", "reached", "ended", "year",
        "score",
    )  # fmt: skip
    return _table(
        language, codes, [_result(event, sat, language) for sat in played_seats.played_seats(event, held)]
    )


def _result(event: Event, sat: played_seats.PlayedSeat, language: str) -> Sequence[str]:
    result, variant = sat.result, sat.board.variant
    out = played_seats.elimination_year(event, sat)
    reached = result.reached.get(sat.power, "") if result else ""
    return (
        str(sat.round),
        str(sat.number),
        variant_title(variant, language),
        power_title(sat.power, variant, language),
        person_name(event, sat.owner),
        "" if sat.centres is None else str(sat.centres),
        str(out or ""),
        province_title(reached, variant, language),
        export_word(language, f"ended_{result.ended}") if result else "",
        str(played_seats.last_year_played(event, sat)) if result else "",
        "" if sat.raw is None else localised_decimal(language, sat.raw),
    )


# standings


def standings_table(event: Event, held: Standings, language: str) -> ExportTable:
    """A line for each person: the points of each round as they count, and the total, exact beside it."""
    rounds = sorted({entry.round for line in held.lines for entry in line.entries})
    headings = (
        *(export_word(language, code) for code in ("rank", "player", "club")),
        *(f"{export_word(language, 'round')} {number}" for number in rounds),
        *(export_word(language, code) for code in ("total", "exact")),
    )
    return ExportTable(headings, tuple(_standing(event, line, rounds, language) for line in held.lines))


def _standing(event: Event, line: PersonStanding, rounds: Iterable[int], language: str) -> tuple[str, ...]:
    known = event.people[line.person]
    points = (_of_round(line, number) for number in rounds)
    told = ("" if one is None else localised_decimal(language, one) for one in points)
    return (
        str(line.place),
        known.name,
        known.club,
        *told,
        localised_decimal(language, line.total),
        str(line.total),
    )


def _of_round(line: PersonStanding, number: int) -> Fraction | None:
    counted = [entry.points for entry in line.entries if entry.round == number and entry.counted]
    return sum(counted, Fraction(0)) if counted else None


def figures_table(event: Event, held: Standings, language: str) -> ExportTable:
    """A line for each game of each person, with every coefficient and every step in a sentence."""
    codes = (
        "rank", "player", "round", "board", "power", "score", "coefficient", "weighted", "weight", "points",
        "counted", "working",
    )  # fmt: skip
    return _table(language, codes, _figures(event, held, language))


def _figures(event: Event, held: Standings, language: str) -> Iterator[Sequence[str]]:
    names = {str(number): known.name for number, known in event.people.items()}
    for line in held.lines:
        head = (str(line.place), event.people[line.person].name)
        for entry in line.entries:
            yield (*head, *_figure(event, entry, language), working_text(entry.steps, language, names))
        blank = ("", "", "", "", "", "", "", localised_decimal(language, line.total), "")
        yield (*head, *blank, working_text(line.steps, language, names))


def _figure(event: Event, entry: StandingEntry, language: str) -> Sequence[str]:
    board = event.rounds[entry.round].boards.get(entry.board) if entry.round in event.rounds else None
    return (
        str(entry.round),
        str(entry.board or ""),
        power_title(entry.power, board.variant, language) if board else "",
        localised_decimal(language, entry.raw),
        str(entry.coefficient),
        localised_decimal(language, entry.weighted),
        str(entry.weight),
        localised_decimal(language, entry.points if entry.counted else Fraction(0)),
        yes_word(language, entry.counted),
    )


def working_text(held: Iterable[WorkingStep], language: str, names: dict[str, str]) -> str:
    """The lines of a working, one after the other."""
    return " ".join(working_sentences(step, names)[language] for step in held)


# The same for a wiki: the ranking and each board as tables of MediaWiki.

SIGNS = str.maketrans({"|": "&#124;", "[": "&#91;", "]": "&#93;", "{": "&#123;", "}": "&#125;", "<": "&lt;",
                       ">": "&gt;", "'": "&#39;", "=": "&#61;", "~": "&#126;", "_": "&#95;", "&": "&amp;",
                       "*": "&#42;", "#": "&#35;", ":": "&#58;", "\n": " "})  # fmt: skip


def wiki_text(event: Event, held: Standings, language: str) -> str:
    """The text of a page. What somebody typed stands in it as it is, whatever signs it is made of."""
    parts = [f"== {_plain(event.name)} ==", *_setting(event)]
    # A wiki’s readers need no exact fraction.
    ranked = standings_table(event, held, language)
    parts += [
        f"=== {export_word(language, 'ranking')} ===",
        *_wiki_table(ranked.headings[:-1], [row[:-1] for row in ranked.rows]),
    ]
    for number, sat in groupby(played_seats.played_seats(event, held), key=lambda one: one.round):
        parts += [f"=== {export_word(language, 'round')} {number} ==="]
        for at, seats in groupby(sat, key=lambda one: one.number):
            parts += _wiki_board(event, at, list(seats), language)
    return "\n".join(parts) + "\n"


def _setting(event: Event) -> Iterator[str]:
    days = dict.fromkeys(filter(None, (event.announcement.opens, event.announcement.ends)))
    told = (event.announcement.place, " – ".join(days))
    if any(told):
        yield _plain(", ".join(filter(None, told)))


def _wiki_board(event: Event, at: int, seats: Sequence[played_seats.PlayedSeat], language: str) -> list[str]:
    codes = ("power", "player", "centres", "eliminated", "score")
    rows = [
        (
            power_title(sat.power, sat.board.variant, language),
            person_name(event, sat.owner),
            "" if sat.centres is None else str(sat.centres),
            str(played_seats.elimination_year(event, sat) or ""),
            "" if sat.raw is None else localised_decimal(language, sat.raw),
        )
        for sat in seats
    ]
    board = seats[0].board
    final = f" ({export_word(language, 'final_table')})" if board.final else ""
    variant = "" if board.variant == "classic" else f" – {variant_title(board.variant, language)}"
    head = f"==== {export_word(language, 'board')} {at}{final}{variant} ===="
    return [head, *_wiki_table([export_word(language, code) for code in codes], rows)]


def _wiki_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ['{| class="wikitable sortable"', "! " + " !! ".join(map(_plain, headings))]
    for row in rows:
        lines += ["|-", "| " + " || ".join(map(_plain, row))]
    return [*lines, "|}"]


def _plain(text: str) -> str:
    return text.translate(SIGNS)
