"""A game is its list of inputs: written, read and replayed to the same bytes."""

import json
from pathlib import Path
from typing import Any

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.game_record import GameRecord, read_game_record, replay, write_game_record
from talleyrand.formats.plain_text import read_game_text
from talleyrand.formats.sheet_folder import read_game_folder, record_from_text

OPENING = """
Printemps 1901
Angleterre
A Lpl-Yor; F Lon-Nrd; F Edi-Nvn
Autriche-Hongrie
A Vie-Tri; A Bud-Gal; F Tri-Alb
Russie
A Var-Gal; F StP (cs)-Bot

Automne 1901
Angleterre
A Yor-Nge; F Nrd C A Yor-Nge; F Nvn-Bar
Autriche-Hongrie
F Alb-Gre

Hiver 1901
Angleterre : F Edi
Autriche : A Vie
"""


def answers(record: GameRecord) -> list[dict[str, Any]]:
    return [played.answer() for played in replay(record)]


def as_bytes(record: GameRecord) -> str:
    return json.dumps(answers(record))


def opening() -> GameRecord:
    return record_from_text(read_game_text(OPENING))


def test_a_text_is_played_phase_by_phase() -> None:
    played = answers(opening())
    assert [(a["phase"], a["next"]) for a in played] == [
        ("S1901M", "F1901M"),
        ("F1901M", "W1901A"),
        ("W1901A", "S1902M"),
    ]
    assert [a["id"] for a in played] == ["S1901M", "F1901M", "W1901A"]
    assert played[1]["centers"]["ENGLAND"] == ["EDI", "LON", "LVP", "NWY"]
    assert played[2]["units"]["ENGLAND"] == ["F BAR", "F EDI", "F NTH", "A NWY"]
    assert played[2]["units"]["AUSTRIA"] == ["A BUD", "F GRE", "A TRI", "A VIE"]
    assert not any(a["notes"] for a in played)


def test_a_record_written_and_read_is_the_same_game() -> None:
    written = json.loads(json.dumps(write_game_record(opening())))
    again = read_game_record(written)
    assert write_game_record(again) == written
    assert as_bytes(again) == as_bytes(opening())


def test_two_replays_give_the_same_bytes() -> None:
    assert as_bytes(opening()) == as_bytes(opening())


def test_phases_without_orders_are_played_on_the_way() -> None:
    record = read_game_record({"phases": [{"phase": "S1902M", "orders": {"FRANCE": ["A Par - Bou"]}}]})
    assert [a["phase"] for a in answers(record)] == ["S1901M", "F1901M", "S1902M"]


def test_orders_for_a_phase_nobody_plays_are_noted() -> None:
    phases = [{"phase": "S1901R", "orders": {"FRANCE": ["A Par - Bou"]}}, {"phase": "F1901M"}]
    notes = answers(read_game_record({"phases": phases}))[1]["notes"]
    assert [note["kind"] for note in notes] == ["phase_not_played"]
    assert "S1901R" in notes[0]["fr"]


def test_the_game_master_may_set_the_position() -> None:
    board = {"phase": "F1901M", "units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR"]}}
    phases: list[dict[str, Any]] = [{"phase": "S1901M"}, {"phase": "F1901M", "position": board}]
    played = answers(read_game_record({"phases": phases}))
    assert played[1]["units"] == {"FRANCE": ["A BUR"]}
    assert [note["kind"] for note in played[1]["notes"]] == ["position_set"]


@pytest.mark.parametrize(
    ("named", "kept"),
    [({}, {"FRANCE": 1}), ({"kept_builds": {"FRANCE": 2}}, {"FRANCE": 2}), ({"kept_builds": None}, {})],
)
@pytest.mark.parametrize("units", [["A BUR"], ["A GAS"]])
def test_what_a_set_position_does_not_name_stays(
    units: list[str], named: dict[str, Any], kept: dict[str, int]
) -> None:
    start = {"phase": "S1902M", "units": {"FRANCE": ["A BUR"]}, "kept_builds": {"FRANCE": 1}}
    position = {"phase": "F1902M", "units": {"FRANCE": units}, **named}
    phases: list[dict[str, Any]] = [{"phase": "S1902M"}, {"phase": "F1902M", "position": position}]
    _, played = replay(read_game_record({"start": start, "phases": phases}))
    assert played.position.kept_builds == kept
    changed = units != ["A BUR"] or kept != {"FRANCE": 1}
    assert [note["kind"] for note in played.notes] == ["position_set"] * changed


def test_a_record_gives_the_same_bytes_however_the_units_were_listed() -> None:
    units = {"FRANCE": ["F BRE", "A PAR", "A BUR"], "ENGLAND": ["F EDI", "A LVP"]}
    start = {"phase": "S1902M", "units": units}
    record = read_game_record({"start": start, "phases": [{"phase": "S1902M"}, {"phase": "F1902M"}]})
    assert json.dumps(answers(read_game_record(write_game_record(record)))) == json.dumps(answers(record))


def test_a_game_may_start_anywhere() -> None:
    start = {"phase": "W1903A", "units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR", "BRE"]}}
    record = read_game_record(
        {"start": start, "phases": [{"phase": "W1903A", "orders": {"FRANCE": ["F Bre"]}}]}
    )
    assert answers(record)[0]["units"] == {"FRANCE": ["F BRE", "A BUR"]}
    assert json.loads(json.dumps(write_game_record(record)))["start"]["phase"] == "W1903A"


def test_sheets_and_absences_are_kept() -> None:
    phase = {
        "phase": "S1901M",
        "sheets": {"FRANCE": [["A Par - Pic"], ["A Par - Bou"]]},
        "absent": ["ITALY"],
        "torn": ["RUSSIA"],
    }
    record = read_game_record({"rulebook": "datc", "naming": "classic_fr", "seed": "7", "phases": [phase]})
    written = write_game_record(record)
    assert written["phases"] == [phase]
    assert (written["rulebook"], written["naming"], written["seed"]) == ("datc", "classic_fr", "7")


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"phases": {}},
        {"phases": [3]},
        {"phases": [{"phase": "S1901M"}, {"phase": "S1901M"}]},
        {"phases": [{"phase": "S1901M", "orders": []}]},
        {"phases": [], "start": {"phase": "S1901M", "units": {"FRANCE": ["A NTH"]}}},
        {"phases": [{}]},
    ],
)
def test_what_is_no_game_is_refused(value: object) -> None:
    with pytest.raises(TalleyrandError):
        read_game_record(value)


def test_lines_under_no_power_are_noted() -> None:
    record = record_from_text(read_game_text("Printemps 1901\nA Par - Bou\nFrance\nA Par - Pic\n"))
    played = answers(record)[0]
    assert [note["kind"] for note in played["notes"]] == ["line_without_power"]
    assert "A PIC" in played["units"]["FRANCE"]


def test_retreats_written_under_winter_are_played_as_retreats() -> None:
    text = """Positions
France : A Bou
Allemagne : A Mun, A Ruh
Centres
France : Par, Mar
Allemagne : Mun, Ber
Automne 1902
Allemagne : A Mun - Bou; A Ruh S A Mun - Bou
France : A Bou H
Hiver 1902
France : A Bou - Gas; A Par
"""
    played = answers(record_from_text(read_game_text(text)))
    assert [a["phase"] for a in played] == ["F1902M", "F1902R", "W1902A"]
    assert played[-1]["units"]["FRANCE"] == ["A GAS", "A PAR"]


# folders


def folder(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


SHEETS = {
    "S1901M.txt": "France\nA Par - Bou\nAngleterre\nF Lon - Man\n",
    "F1901M.txt": "France : A Bou - Bel\n",
}
BY_POWER = {
    "Printemps 1901/France.txt": "A Par - Bou\n",
    "Printemps 1901/ENGLAND.txt": "F Lon - Man\n",
    "F1901M-FRANCE.txt": "A Bou - Bel\n",
}
SUCCESSIVE = {
    "S1901M-FRANCE-1.txt": "A Par - Pic",
    "S1901M-FRANCE-2.txt": "A Par - Bou",
    "S1901M_Angleterre.txt": "F Lon - Man",
    "automne 1901.txt": "France : A Bou - Bel\n",
}


@pytest.mark.parametrize("files", [SHEETS, BY_POWER, SUCCESSIVE])
def test_a_folder_of_sheets_is_a_game(tmp_path: Path, files: dict[str, str]) -> None:
    played = answers(read_game_folder(folder(tmp_path, files)))
    assert [a["phase"] for a in played] == ["S1901M", "F1901M"]
    assert "F ENG" in played[0]["units"]["ENGLAND"]
    assert "A BEL" in played[1]["units"]["FRANCE"]


def test_a_folder_may_hold_settings_and_a_position(tmp_path: Path) -> None:
    settings = "variante : trio\nlivre : datc\nPositions\nBorée : P Aig, F Giv\n"
    played = answers(
        read_game_folder(folder(tmp_path, {"partie.txt": settings, "Y1M.txt": "Borée : P Aig - Giv"}))
    )
    assert played[0]["units"] == {"BOREA": ["F FRO", "P NEE"]}
    assert played[0]["orders"][0]["results"] == ["bounces"]


@pytest.mark.parametrize("files", [{}, {"notes.txt": "rien"}, {"S1901M.txt": "\udcff"}])
def test_a_folder_that_is_no_game_is_refused(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(TalleyrandError):
        read_game_folder(tmp_path)


def corrected(**more: Any) -> dict[str, Any]:
    """The first phase of a game, in which the game master lets France into Burgundy beside Germany's army."""
    first = {"phase": "S1901M", "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}}
    judged = read_game_record({"variant": "classic", "phases": [first]})
    answer = next(replay(judged)).answer()
    units: dict[str, Any] = dict(answer["units"]) | {"FRANCE": ["A BUR", "A MAR", "F BRE"]}  # type: ignore[call-overload]
    told = {
        "results": [{"power": "FRANCE", "unit": "A PAR", "order": "A PAR - BUR", "results": ["moves"]}],
        "next": {"phase": "F1901M", "units": units, "centers": answer["centers"]},
        "reason": "Misread.",
    }
    return {"variant": "classic", "phases": [{**first, "corrected": told | more}]}


def test_a_correction_counts_and_is_kept() -> None:
    record = read_game_record(corrected())
    (played,) = replay(record)
    answer: Any = played.answer()
    paris = next(one for one in answer["orders"] if one["unit"] == "A PAR")
    assert (paris["results"], paris["why"]["en"]) == (["moves"], "Misread.")
    assert next(one["results"] for one in answer["orders"] if one["unit"] == "A MUN") == ["bounces"]
    assert "A BUR" in answer["units"]["FRANCE"]
    assert answer["notes"][0]["kind"] == "corrected"
    again = read_game_record(json.loads(json.dumps(write_game_record(record))))
    assert as_bytes(again) == as_bytes(record)


def test_a_correction_can_end_the_game() -> None:
    (played,) = replay(read_game_record(corrected(winner=["FRANCE"])))
    assert (played.answer()["next"], played.answer()["winner"]) == (None, ["FRANCE"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"results": {}},
        {"results": [{"power": "MARS"}]},
        {"results": [{"power": "FRANCE", "results": [3]}]},
        {"results": [{"power": "FRANCE", "results": ["flies"]}]},
        {"winner": ["MARS"]},
        {"next": {}},
        {"next": {"phase": "S1901M", "units": {"MARS": ["A PAR"]}}},
        {"reason": 7},
    ],
)
def test_half_a_correction_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(TalleyrandError):
        read_game_record(corrected(**wrong))


def test_a_reason_for_a_correction_can_be_shown_whatever_wrote_it() -> None:
    for reason, shown in (("a\0b", "ab"), ("a\ud800b", "a?b"), ("x" * 400_000, "x" * 999 + "…")):
        (played,) = replay(read_game_record(corrected(reason=reason)))
        told: Any = played.answer()
        why = next(one["why"] for one in told["orders"] if one["unit"] == "A PAR")
        assert why == {"fr": shown, "en": shown}
