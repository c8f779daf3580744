"""Recorded games to columns: the same rows, whoever has played them, and a file that others can read."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from errno import EFBIG
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import numpy as np
import pytest

from talleyrand import rulebooks, variants
from talleyrand.formats.game_record import ReplayedPhase, replay
from talleyrand.formats.json_checks import MAX_JSON_BYTES
from talleyrand.formats.received_orders import read_received_orders
from talleyrand.simulation.array_layout import unknown_options
from talleyrand.simulation.columns import game_columns
from talleyrand.simulation.columns.engine_columns import engine_rows
from talleyrand.simulation.columns.game_columns import GameColumns, GamesPlayed
from talleyrand.simulation.columns.line_batches import (
    BATCH_LINES,
    ColumnMaker,
    NumberedLine,
    columns_in_order,
    numbered_batches,
)
from talleyrand.simulation.columns.outcome_rows import FIELDS, FILE_COLUMNS, Rows, RowTexts, blank_rows
from talleyrand.simulation.columns.parquet import ParquetFile, file_part
from talleyrand.simulation.columns.recorded_games import RecordedGame, RecordedGameReader
from tests.each import each
from tests.simulation.columns.recorded import drawn_game, saved_games
from tests.variants.plain import PLAIN

BOOKS = ("datc", "renegade_2023", "anjou_feu", "classic_1976", "play_by_mail_001")
UNITS = {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN", "A BUR"], "ENGLAND": ["F NTH", "A LON"]}
Value = dict[str, Any]


def rows_of(number: int, played: ReplayedPhase, texts: RowTexts) -> Rows:
    """The rows of a phase that was replayed."""
    return engine_rows(number, played.position.phase, played.judged.turn.outcome, texts)


def both_ways(values: Sequence[Value], rulebook: str | None = None) -> GamesPlayed:
    """What is played of games of one setting, after the readable engine has come to the same."""
    reader = RecordedGameReader(rulebook)
    games = [reader.read(number, value) for number, value in enumerate(values, 1)]
    texts = RowTexts(games[0].setting.variant.board)
    played = GameColumns(games[0].setting).play(games, texts)
    assert not played.faults
    replayed = [(number, phase) for number, game in enumerate(games) for phase in replay(game.record)]
    expected = np.concatenate([rows_of(number, phase, texts) for number, phase in replayed], axis=1)
    assert played.phases == len(replayed)
    assert expected.shape == played.rows.shape
    different = np.flatnonzero((expected != played.rows).any(axis=0))[:3]
    assert not len(different), [
        [dict(zip(FIELDS, rows[:, at].tolist(), strict=True)) for rows in (expected, played.rows)]
        for at in different.tolist()
    ]
    return played


# the same rows ------------------------------------------------------------------------------------


@pytest.mark.long
def test_recorded_games_are_played_by_compiled_code_alone_and_come_out_the_same() -> None:
    played = both_ways(list(saved_games()))
    assert (played.phases, played.by_engine) == (159, 0)


def test_what_a_record_says_beside_its_orders_keeps_no_game_from_compiled_code() -> None:
    lots = [Random(f"beside {number}") for number in range(2)]
    games = [drawn_game("classic", "datc", lot, 3) | {"seed": str(lot.random()), "id": 7} for lot in lots]
    for game in games:
        game["phases"] = [one | {"bots": {"FRANCE": "values"}, "loose": ["Hello"]} for one in game["phases"]]
    assert both_ways(games).by_engine == 0
    reader = RecordedGameReader()
    assert reader.read(1, games[0]).setting is reader.read(2, games[1]).setting


@pytest.mark.one_in(6)
@pytest.mark.parametrize("book", BOOKS)
def test_games_as_usual(book: str, seed: int, full: bool) -> None:
    games = [
        drawn_game("classic", book, Random(f"{seed} {book} {one}"), 6) for one in range(40 if full else 2)
    ]
    played = both_ways(games)
    assert played.by_engine < played.phases / 4


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", PLAIN)
def test_games_with_unusual_orders(variant: str, seed: int, full: bool) -> None:
    lot = Random(f"{seed} {variant}")
    by_arrays = 0
    for book in BOOKS if full else lot.sample(BOOKS, 2):
        for unusual in (0.02, 0.2):
            played = both_ways([drawn_game(variant, book, lot, 4, unusual) for _ in range(5 if full else 1)])
            by_arrays += played.phases - played.by_engine
    assert bool(by_arrays) is variants.load(variant).definition.has_standard_phases


UNUSUAL = {
    "left out": [],
    "doubled": ["A PAR - BUR", "A PAR H"],
    "twice the same": ["A PAR - BUR", "A PAR - BUR"],
    "impossible": ["A PAR - MOS"],
    "in other words": ["a paris - bourgogne"],
    "no unit": ["A PAR - BUR", "A GAS - BUR"],
    "another's unit": ["A PAR - BUR", "A MUN - BUR"],
    "the wrong letter": ["F PAR - BUR"],
    "no order": ["Hello", "A PAR - BUR"],
    "completed from": ["A MAR S A PAR - BUR"],
    "many that are none": ["A PAR - BUR", *["A MUN S A BER - KIE"] * 60, "A MAR S A PAR - BUR", "F BRE"],
}


@pytest.mark.parametrize("book", rulebooks.names())
def test_one_unusual_order_leaves_its_phase_to_compiled_code(book: str) -> None:
    others = {"GERMANY": ["A MUN - BUR", "A BER - MUN"], "ITALY": ["A VEN - TRI"], "TURKEY": []}
    phases = [{"phase": "S1901M", "orders": others | {"FRANCE": lines}} for lines in UNUSUAL.values()]
    played = both_ways([{"rulebook": book, "phases": [phase]} for phase in phases])
    unknown = unknown_options(rulebooks.load(book).adjudication_rules)
    assert (played.phases, played.by_engine) == (len(UNUSUAL), len(UNUSUAL) if unknown else 0)


@pytest.mark.long
def test_where_lines_exhaust_the_effort_they_are_read_as_anywhere() -> None:
    lines = ["A PAR - BUR", *["A MUN S A BER - KIE"] * 300, "A MAR S A PAR - BUR", "F BRE - ENG"]
    orders = dict.fromkeys(("FRANCE", "GERMANY", "ITALY"), lines)
    value = {"rulebook": "datc", "phases": [{"phase": "S1901M", "orders": orders}]}
    question = next(replay(RecordedGameReader().read(1, value).record)).judged.question
    assert read_received_orders(question).cut_short
    both_ways([value])


def test_a_retreat_and_a_winter_with_unusual_orders() -> None:
    start = {"phase": "S1905M", "units": UNITS, "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]}}
    moves = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H", "A MUN - RUH"]}
    for retreats in (["a bur r mun"], ["A BUR R MUN", "A BUR D"], ["A BUR R PAR"], ["A GAS D"], []):
        for winter in (["A MUN D", "A MUN D"], ["A BER B"], ["WAIVE"], []):
            phases = [
                {"phase": "S1905M", "orders": moves},
                {"phase": "S1905R", "orders": {"GERMANY": retreats}},
                {"phase": "W1905A", "orders": {"GERMANY": winter}},
            ]
            for book in ("datc", "anjou_feu", "conspiracy"):
                both_ways([{"rulebook": book, "start": start, "phases": phases}])


def test_another_book_stands_in_for_that_of_the_games() -> None:
    both_ways(list(saved_games())[:1], "classic_1976")


def test_games_of_the_engine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a variant has politics, and where there is no compiler."""
    start = {"variant": "diplomatie_2000", "phases": []}
    setting = RecordedGameReader().read(1, start).setting.variant.definition
    value = start | {"phases": [{"phase": str(setting.start.phase), "orders": {}}]}
    assert both_ways([value]).by_engine
    monkeypatch.setattr("talleyrand.simulation.numba_compiler.NUMBA_AVAILABLE", False)
    record = drawn_game("trio", "datc", Random(1), 2)
    with pytest.warns(RuntimeWarning, match="Numba"):
        played = both_ways([record])
    assert played.by_engine == played.phases


def test_games_that_begin_elsewhere_skip_phases_and_have_their_position_set() -> None:
    start = {"phase": "S1905M", "units": UNITS, "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]}}
    bounce = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H"]}
    held = {
        "phase": "S1906M",
        "orders": {"FRANCE": ["A MAR H"]},
        "position": {"units": {"FRANCE": ["A MAR"]}},
    }
    unowned = start | {"centers": None}
    phases: list[Value] = [{"phase": "S1905M", "orders": bounce}, {"phase": "F1904M", "orders": bounce}, held]
    for begun, listed in ((start, phases), (start, phases[:1]), (start, phases[2:]), (unowned, phases[:1])):
        both_ways([{"rulebook": "datc", "start": begun, "phases": listed}])


# what the rows say --------------------------------------------------------------------------------


def read_file(values: Sequence[Value], path: Path, jobs: int = 1) -> list[dict[str, Any]]:
    """The rows of the file that is made of games."""
    lines: list[NumberedLine] = [
        (number, json.dumps(value).encode()) for number, value in enumerate(values, 1)
    ]
    with ParquetFile(path) as file:
        for made in columns_in_order([lines], None, "en", jobs):
            assert not made.faults
            for part in made.parts:
                file.add(part)
    return table(path)


def table(path: Path) -> list[dict[str, Any]]:
    """The rows of a file."""
    with duckdb.connect() as database:
        found = database.execute("FROM read_parquet($path)", {"path": str(path)})
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def test_every_column_says_what_happened(tmp_path: Path) -> None:
    start = {"phase": "F1905M", "units": UNITS | {"ENGLAND": ["F NTH", "A LON"], "ITALY": ["A TUS"]}}
    start |= {"centers": {"FRANCE": ["PAR", "MAR", "BRE", "SPA"], "GERMANY": ["MUN"], "ENGLAND": ["LON"]}}
    moves = {
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
        "GERMANY": ["A BUR - GAS", "A MUN S A BUR"],
        "ENGLAND": ["A LON - NWY VIA", "F NTH C A LON - NWY"],
    }
    phases = [
        {"phase": "F1905M", "orders": moves | {"GERMANY": ["A BUR H", "A MUN S A BUR"]}},
        {"phase": "F1905R", "orders": {}},
        {
            "phase": "W1905A",
            "orders": {"FRANCE": ["F BRE B", "WAIVE"], "ENGLAND": [], "GERMANY": ["A MUN D"]},
        },
    ]
    rows = read_file(
        [{"id": "g", "rulebook": "datc", "start": start, "phases": phases}], tmp_path / "x.parquet"
    )
    blank = dict.fromkeys((column.name for column in FILE_COLUMNS), None)
    blank |= {"game": 1, "id": "g", "year": 1905, "via": False, "by_sea": False}
    moved = blank | {"phase": "F1905M", "season": "F", "phase_kind": "M"}
    told = {(row["phase"], row["power"], row["location"], row["order_kind"]): row for row in rows}
    assert told["F1905M", "FRANCE", "PAR", "move"] == moved | {
        "power": "FRANCE",
        "unit": "A",
        "location": "PAR",
        "order_kind": "move",
        "destination": "BUR",
        "result": "bounces",
    }
    assert told["F1905M", "FRANCE", "MAR", "support"] == moved | {
        "power": "FRANCE",
        "unit": "A",
        "location": "MAR",
        "order_kind": "support",
        "target_unit": "A",
        "target": "PAR",
        "destination": "BUR",
        "result": "support_given",
    }
    assert told["F1905M", "ENGLAND", "LON", "move"] == moved | {
        "power": "ENGLAND",
        "unit": "A",
        "location": "LON",
        "order_kind": "move",
        "destination": "NWY",
        "result": "moves",
        "by_sea": True,
    }
    assert told["F1905M", "GERMANY", "MUN", "support"]["destination"] is None
    assert told["F1905M", "ITALY", "TUS", None]["result"] == "holds"
    built = {key[1:]: row["result"] for key, row in told.items() if key[0] == "W1905A"}
    assert built[("FRANCE", "BRE", "build")] == "builds"
    assert built[("FRANCE", None, "waive")] == "waived"
    assert built[("GERMANY", "MUN", "disband")] == "removed"


def test_a_dislodged_unit_says_by_whom_and_where_it_may_go(tmp_path: Path) -> None:
    start = {"phase": "S1905M", "units": UNITS, "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]}}
    moves = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H", "A MUN - RUH"]}
    phases = [
        {"phase": "S1905M", "orders": moves},
        {"phase": "S1905R", "orders": {"GERMANY": ["A BUR R MUN"]}},
    ]
    rows = read_file([{"rulebook": "datc", "start": start, "phases": phases}], tmp_path / "x.parquet")
    fallen = next(row for row in rows if row["dislodged_by"])
    assert (fallen["location"], fallen["dislodged_by"]) == ("BUR", "PAR")
    assert fallen["retreats"] == "BEL GAS MUN PIC"
    assert fallen["id"] is None
    gone = next(row for row in rows if row["phase_kind"] == "R")
    assert (gone["order_kind"], gone["destination"], gone["result"]) == ("retreat", "MUN", "retreats")


@pytest.mark.long
def test_the_file_holds_every_row_of_many_games(tmp_path: Path) -> None:
    values = [*saved_games(), drawn_game("trio", "datc", Random(3), 3), *saved_games()]
    rows = read_file(values, tmp_path / "x.parquet")
    reader, expected = RecordedGameReader(), list[dict[str, Any]]()
    for number, value in enumerate(values, 1):
        game = reader.read(number, value)
        expected += engine_table(game)
    assert rows == expected
    several = tmp_path / "several.parquet"
    read_file(values, several, jobs=2)
    assert several.read_bytes() == (tmp_path / "x.parquet").read_bytes()


def engine_table(game: RecordedGame) -> list[dict[str, Any]]:
    """The rows of a game as the file should have them, from the engine's."""
    texts, found = RowTexts(game.setting.variant.board), list[dict[str, Any]]()
    for phase in replay(game.record):
        rows = rows_of(0, phase, texts)
        values = texts.values([game.line], [game.identity])
        for numbers in rows.T.tolist():
            row = dict(zip(FIELDS, numbers, strict=True))
            found.append(
                {
                    column.name: bool(row[column.field])
                    if column.type_ == "flag"
                    else None
                    if row[column.field] < 0
                    else values[column.name][row[column.field]]
                    for column in FILE_COLUMNS
                }
            )
    return found


def test_more_different_values_than_a_byte_counts(tmp_path: Path) -> None:
    record = drawn_game("trio", "datc", Random(4), 1)
    values = [record | {"id": f"game {number}"} for number in range(300)]
    rows = read_file(values, tmp_path / "x.parquet")
    assert len({row["id"] for row in rows}) == len({row["game"] for row in rows}) == 300


# lines at fault -----------------------------------------------------------------------------------

MOVE = {"phase": "S1901M", "orders": {"FRANCE": ["A PAR - BUR"]}}
GOOD: Value = {"rulebook": "datc", "phases": [MOVE]}
PHASE = {"phase": "S1901M", "orders": {}}
BAD_VALUES: list[Value] = [
    {},
    {"phases": {}},
    {"talleyrand": 2, "phases": []},
    {"variant": "nowhere", "phases": [PHASE]},
    {"rulebook": "nobody", "phases": [PHASE]},
    {"naming": "strange", "phases": [PHASE]},
    {"seed": 5, "phases": [PHASE]},
    {"phases": [5]},
    {"phases": [PHASE, PHASE]},
    {"phases": [PHASE | {"phase": "S1901Q"}]},
    {"phases": [PHASE | {"phase": []}]},
    {"phases": [PHASE | {"orders": []}]},
    {"phases": [PHASE | {"orders": {"FRANCE": "A PAR H"}}]},
    {"phases": [PHASE | {"orders": {"FRANCE": [5]}}]},
    {"phases": [PHASE | {"orders": {"NOBODY": []}}]},
    {"phases": [PHASE | {"absent": 5}]},
    {"phases": [PHASE | {"bots": {"NOBODY": "values"}}]},
    {"phases": [PHASE | {"bots": {"FRANCE": 5}}]},
    {"phases": [PHASE | {"loose": [5]}]},
    {"phases": [PHASE | {"loose": "Hello"}]},
    {"phases": [PHASE | {"loose": {}}]},
    {"phases": [PHASE | {"bots": []}]},
    {"start": {"phase": "S1901M", "units": {"FRANCE": ["A NOWHERE"]}}, "phases": [PHASE]},
    {"map": "modern", "phases": []},
    {"map": "standard", "phases": []},
    {"map": "standard", "phases": [{"name": "S1901M", "state": {"units": 5}}]},
    {
        "map": "standard",
        "phases": [{"name": "S1901M", "state": {"units": {"FRANCE": ["A PAR", "F PAR"]}}}],
    },
    {"map": "standard", "phases": [{"name": "S1901M", "state": {"units": {"FRANCE": [""]}}}]},
]
BAD: list[bytes | None] = [b"{", b"\xff", b'{"a": 1, "a": 2}', b"3", None]
BAD += (json.dumps({"rulebook": "datc"} | value).encode() for value in BAD_VALUES)
# as deep as JSON is read, and deeper than it can be looked at
BAD += (b'{"start": ' + b"[" * depth + b"]" * depth + b', "phases": []}' for depth in range(930, 1000))


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
@pytest.mark.parametrize("room", [0, 100, 2000])
def test_a_full_disk_is_called_so_with_the_file(tmp_path: Path, room: int) -> None:
    """Whether it is full at the beginning, in a part or at the end."""
    import resource

    part = file_part(blank_rows(20), {column.name: () for column in FILE_COLUMNS})
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, usual[1]))
    try:
        with pytest.raises(OSError, match=str(tmp_path)) as told, ParquetFile(tmp_path / "x") as file:
            file.add(part)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert told.value.errno == EFBIG
    assert not list(tmp_path.iterdir())


def test_a_name_that_utf8_cannot_hold_is_escaped(tmp_path: Path) -> None:
    named: list[Any] = ["\ud800 \0 é", "'; DROP TABLE numbers", [1, "\ud800"]]
    rows = read_file(
        [{"rulebook": "datc", "phases": [MOVE], "id": one} for one in named], tmp_path / "x.parquet"
    )
    told = list(dict.fromkeys(row["id"] for row in rows))
    assert told == ["\\ud800 \0 é", "'; DROP TABLE numbers", "[1, '\\ud800']"]


@pytest.mark.long
@each("line", BAD)
def test_a_line_at_fault_is_told_and_the_others_go_on(line: bytes | None) -> None:
    good = json.dumps(GOOD).encode()
    made = ColumnMaker(None, "en").columns([(1, good), (7, line), (8, good)])
    assert [fault.line for fault in made.faults] == [7]
    assert made.faults[0].sentence
    assert made.games == 2
    assert sum(part.num_rows for part in made.parts) == 44


def test_lines_keep_their_numbers_whatever_stands_between() -> None:
    long = b"x" * (2 * MAX_JSON_BYTES + 5)
    source = io.BytesIO(b"\n{}\n" + long + b"\n  \n" + b"[]\n" * BATCH_LINES + long)
    first, second = numbered_batches(source)
    assert first[:3] == [(2, b"{}\n"), (3, None), (5, b"[]\n")]
    assert (len(first), second[-1]) == (BATCH_LINES, (BATCH_LINES + 5, None))


def test_what_is_wrong_with_a_game_on_its_way_takes_all_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = {"units": {"FRANCE": ["A PAR", "F PAR"]}}
    value: Value = GOOD | {"phases": [MOVE, {"phase": "F1901M", "position": twice}]}
    made = ColumnMaker(None, "en").columns([(1, json.dumps(value).encode()), (2, json.dumps(GOOD).encode())])
    assert [fault.line for fault in made.faults] == [1]
    assert sum(part.num_rows for part in made.parts) == 22

    def broken(*_: object) -> None:
        raise KeyError("a fault of ours")

    monkeypatch.setattr(game_columns, "engine_rows", broken)
    made = ColumnMaker(None, "en").columns(
        [(1, json.dumps(GOOD | {"phases": [PHASE | {"absent": []}]}).encode())]
    )
    assert "KeyError" in made.faults[0].sentence
