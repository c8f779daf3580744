"""Diplomatie 2000 by the judge: the worked cases, the words of its sheets, a few years of random play."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from talleyrand import variants
from talleyrand.formats import adjudication
from talleyrand.formats.position_json import write_position
from talleyrand.variants import LANGUAGES, load

Json = Any
CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "diplomatie_2000.jsonl")
    .read_text("utf-8")
    .splitlines()
]
WORLD = load("diplomatie_2000")
ANY_ORDER = {"units", "results", "retreats", "subversion", "winner", "eliminated", "tied"}
WHOLE = {"tally", "cast", "open"}


def plain(value: Json) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def differences(want: Json, got: Json, where: str) -> Iterator[str]:
    """Where an answer is not what is expected; a table may have more than the keys expected."""
    key = where.rpartition(".")[2]
    if isinstance(want, dict) and {"$has", "$lacks"} & want.keys():
        have = set(map(plain, got if isinstance(got, list) else ()))
        yield from (f"{where}: no {one}" for one in want.get("$has", ()) if plain(one) not in have)
        yield from (f"{where}: has {one}" for one in want.get("$lacks", ()) if plain(one) in have)
    elif want == {"$absent": True}:
        yield from [f"{where}: is {got}"] * bool(got)
    elif key == "error" and isinstance(want, str):
        yield from differences(want, got["kind"] if isinstance(got, dict) else got, where + "_kind")
    elif isinstance(want, dict) and key not in WHOLE and want:
        table = got if isinstance(got, dict) else {}
        for name, value in want.items():
            yield from differences(value, table.get(name), f"{where}.{name}")
    elif isinstance(want, list) and ({*where.split(".")} & ANY_ORDER):
        listed = got if isinstance(got, list) else []
        yield from [f"{where}: {want} is {got}"] * (sorted(map(plain, want)) != sorted(map(plain, listed)))
    elif (want or got) and plain(want) != plain(got):
        yield f"{where}: {want} is {got}"


def lines(want: Sequence[Mapping[str, Json]], got: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    """The entries expected are looked for by power, line and unit."""
    for one in want:
        found = [
            entry
            for entry in got
            if all(one[key] == entry[key] for key in ("power", "line", "unit") if key in one)
        ]
        told = [list(differences(one, entry, "line")) for entry in found]
        yield from min(told, key=len, default=[f"no line {one}"])


def by_unit(fallen: Mapping[str, Json]) -> Json:
    return {power: {one["unit"]: one for one in some} for power, some in fallen.items()}


def judged(question: Mapping[str, Json]) -> dict[str, Any]:
    return adjudication.adjudicate_question(question)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_worked_cases(case: dict[str, dict[str, Json]]) -> None:
    answer = judged(case["question"])
    wanted = dict(case["expected"])
    told = [*lines(wanted.pop("orders", []), answer.get("orders", []))]
    for field, value in wanted.items():
        if field == "dislodged":
            told += differences(by_unit(value), by_unit(answer[field]), field)
        else:
            told += differences(value, answer.get(field), field)
    assert told == []


def test_games_begin_on_it() -> None:
    assert "diplomatie_2000" in variants.playable_names()
    assert variants.load("diplomatie_2000").definition.seats == (*WORLD.board.powers, "ONU")


def test_its_own_sentences_are_complete_in_both_languages() -> None:
    french, english = (WORLD.sentences[language] for language in LANGUAGES)
    assert {family: set(told) for family, told in french.items()} == {
        family: set(told) for family, told in english.items()
    }


def asked(phase: str, power: str, *written: str, **fields: Json) -> dict[str, Json]:
    """The first entry of a sheet in a phase of the world's start."""
    question = {
        **write_position(WORLD.definition.start, WORLD.board),
        "variant": "diplomatie_2000",
        "phase": phase,
        **fields,
    }
    answer = judged({**question, "orders": {power: list(written)}})
    assert "error" not in answer, answer
    entries = answer["orders"]
    assert isinstance(entries, list)
    return next(entry for entry in entries if entry["line"] == written[-1])


MADE: Mapping[str, Json] = {
    "proposals": {"UMAR": ["1A RUSS 20"], "CHIN": ["2 M MOR H"], "ONU": ["1D UEUR 1"]}
}


@pytest.mark.parametrize(
    ("phase", "power", "line", "order"),
    [
        ("F2001P", "UMAR", "1a: russie", "1A RUSS 20"),
        ("F2001P", "UMAR", "1A – Russia".replace("–", ":"), "1A RUSS 20"),
        ("F2001P", "ONU", "1B : 30 VP for États-Unis d’Amérique", "1B ETUN 30"),
        ("F2001P", "ONU", "1D UEUR 3", "1D UEUR 3"),
        ("F2001P", "UMAR", "3a) none", "3A NONE"),
        ("F2001P", "UMAR", "2 : M MOR - MOC / M WAS ×××", "2 M MOR - MOC / M WAS H"),
        ("F2001P", "ONU", "pInt : Pyongyang", "AS PYO"),
        ("F2001M", "CHIN", "Politique : UMAR / Missions : None", "1 UMAR / 2 NONE"),
        ("F2001M", "CHIN", "1 UMAR / 2 CHIN", "1 UMAR / 2 CHIN"),
        ("F2001M", "CHIN", "Aid: 1: UCEN; 3: nobody", "AID 1 UCEN / 3 NONE"),
        ("F2001M", "MCCA", "SA: Pyongyang", "AS PYO"),
        ("F2001M", "ONU", "Ranking 1: UN, UMAR", "RANK 1 ONU UMAR"),
        ("F2001M", "ETUN", "– M WAS", "M WAS D"),
        ("W2001A", "CAOR", "M (all)", "HOST ALL"),
        ("W2001A", "CAOR", "M (UN)", "HOST ONU"),
        ("W2001A", "CAOR", "M (MCSU) BOG, M (CEAO)", "HOST MCSU BOG / HOST CEAO"),
        ("W2001A", "ETUN", "M WAS", "M WAS D"),
        ("W2001A", "ETUN", "+ M WAS", "M WAS B"),
    ],
)
def test_a_line_is_read_in_french_and_english(phase: str, power: str, line: str, order: str) -> None:
    politics = MADE if phase.endswith("M") else {}
    assert asked(phase, power, line, politics=politics)["order"] == order


@pytest.mark.parametrize(
    ("phase", "power", "line", "kind"),
    [
        ("F2001P", "UMAR", "1A : RUSSI", "not_understood"),
        ("F2001P", "UMAR", "AS : PYO", "illegal"),
        ("F2001P", "UMAR", "1B : ONU", "illegal"),
        ("F2001P", "ONU", "INDE 1A : 10 pV pour RUSS", "illegal"),
        ("F2001P", "UMAR", "A ALG - TUN", "illegal"),
        ("F2001M", "ONU", "1) UMAR", "illegal"),
        ("S2001M", "CHIN", "3) UMAR", "illegal"),
        ("F2001M", "CHIN", "Aide : 1 : CHIN", "illegal"),
        ("F2001M", "ETUN", "M WAS - NYO", "illegal"),
        ("F2001M", "ETUN", "- M BRU", "foreign_unit"),
        ("F2001M", "ETUN", "- M PAR", "no_such_unit"),
        ("F2001M", "MCCA", "AS : MOR", "illegal"),
        ("F2001M", "ETUN", "AS : PYO", "illegal"),
        ("W2001A", "ONU", "M (MCSU) BOG", "illegal"),
    ],
)
def test_what_may_not_be_is_told(phase: str, power: str, line: str, kind: str) -> None:
    entry = asked(phase, power, line, politics=MADE if phase == "F2001M" else {})
    error = entry["error"]
    assert isinstance(error, dict)
    assert (error["kind"], entry["results"]) == (kind, [] if kind == "not_understood" else ["illegal"])
    assert "cannot be" not in error["message"]["en"] or kind != "illegal"


def test_a_second_proposal_of_a_type_is_one_too_many() -> None:
    entry = asked("F2001P", "UMAR", "1A : RUSS", "1C : RUSS")
    assert isinstance(entry["error"], dict)
    assert entry["error"]["kind"] == "surplus"
    assert isinstance(entry["cause"], dict)
    assert (entry["cause"]["code"], entry["cause"]["source"]) == ("done_this_turn", None)


def test_a_void_ballot_and_a_later_line() -> None:
    assert asked("F2001M", "CHIN", "1) INDE", politics=MADE)["results"] == ["ballot_void"]
    assert asked("F2001M", "CHIN", "1) UMAR, UMAR", politics=MADE)["results"] == ["votes", "ballot_void"]
    first = judged(
        {
            "variant": "diplomatie_2000",
            "phase": "F2001M",
            "politics": MADE,
            "orders": {"CHIN": ["1) UMAR", "1) ONU"]},
        }
    )
    assert first["politics"]["ballots"]["1"]["cast"] == {"CHIN": ["ONU"]}
    assert first["orders"][0]["error"]["kind"] == "superseded"


def test_a_later_sheet_takes_no_proposal_back() -> None:
    sheets = {"UMAR": [["1A : RUSS"], ["1B : ETUN", "3A : OPTO"]], "ONU": [["pInt : PYO"], []]}
    answer = judged({"variant": "diplomatie_2000", "phase": "F2001P", "sheets": sheets})
    assert answer["politics"]["proposals"] == {"UMAR": ["1A RUSS 20", "3A OPTO"]}
    assert answer["politics"]["intervention"]["target"] == "PYO"
    assert [(one["error"] or {}).get("kind") for one in answer["orders"]] == [None, "surplus", None, None]


SHAPES: Sequence[tuple[Json, str]] = (
    ({"imf": "RUSS", "embargo": "RUSS"}, "bad_position"),
    ({"adjustment": {"RUSS": 1.5}}, "bad_question"),
    ({"control": {"MOR": "ETUN"}}, "bad_position"),
    ({"intervention": {"last": ["MOR", None]}}, "bad_position"),
    ({"proposals": {"UMAR": ["1D RUSS 6"]}}, "bad_position"),
    ({"proposals": {"UMAR": ["1A RUSS 0"]}}, "bad_position"),
    ([], "bad_question"),
    ({"grace": []}, "bad_question"),
    ({"grace": {"UEUR": "W2001"}}, "unknown_phase"),
    ({"grace": {"FRANCE": "F2001"}}, "bad_question"),
    ({"adjustment": {"RUSS": 126}}, "bad_position"),
    ({"aid": {"ETUN": ["MEXI"]}}, "bad_question"),
    ({"control": {"PAR": "ETUN"}}, "bad_position"),
    ({"intervention": {"target": "XXX"}}, "bad_position"),
    ({"intervention": {"target": "MOR"}}, "bad_position"),
    ({"options": {"nine_proposals": "4"}}, "unknown_option"),
    ({"options": {"nine": "3"}}, "unknown_option"),
    ({"proposals": {"UMAR": ["1A RUSS 20", "1C RUSS"]}}, "bad_position"),
)


@pytest.mark.parametrize(("politics", "kind"), SHAPES, ids=lambda value: str(value)[:30])
def test_affairs_that_cannot_be(politics: Json, kind: str) -> None:
    answer = judged({"variant": "diplomatie_2000", "phase": "F2001M", "politics": politics})
    assert answer["error"]["kind"] == kind


@pytest.mark.parametrize(
    ("politics", "said"),
    [
        ({"adjustment": {"RUSS": 1.5}}, "a whole number from −125 to +125"),
        ({"game": "long", "adjustment": {"RUSS": 1.5}}, "a whole number from −144 to +144"),
        ({"control": {"MOR": "ETUN"}}, "MOR is at sea"),
        ({"control": {"PAR": "ETUN"}}, "PAR is a centre"),
        ({"imf": "RUSS", "embargo": "RUSS"}, "both the IMF point and the embargo"),
        ({"leaving": {"ETUN": ["A WAS"]}}, "A WAS"),
        ({"leaving": {"ETUN": ["M XXX"]}}, "XXX is not a place on this board"),
        ({"leaving": {"ETUN": ["M"]}}, "is not a place on this board"),
    ],
)
def test_what_cannot_be_in_affairs_is_named(politics: Json, said: str) -> None:
    answer = judged({"variant": "diplomatie_2000", "phase": "F2001R", "politics": politics})
    assert said in answer["error"]["message"]["en"]


def sheet(
    question: Mapping[str, Json], power: str, some: Mapping[str, Json], dice: random.Random
) -> list[str]:
    """Random lines of a power: legal orders, and now and then one in a variant's own words."""
    units = [dice.choice(orders) for orders in some.values() if orders]
    states = list(WORLD.board.powers)
    state, other = dice.choice(states), dice.choice(states)
    own = {
        "P": [f"1A : {state}", f"1B : {state}", f"1D : {state}", f"3A : {state}", f"3B : {other}"],
        "M": [f"1) {state} / 2) ONU / 3) {other}", f"Aide : 1 : {state} / 2 : {other}", "1) ONU"],
        "A": ["M (tous)", f"M ({state})", "M (ONU)", f"M {dice.choice(WORLD.board.centres)}"],
    }.get(str(question["phase"])[-1], [])
    return [*units[:40], *dice.sample(own, min(2, len(own)))]


def programme(question: Mapping[str, Json], dice: random.Random) -> str:
    standing = [unit for units in question["units"].values() for unit in units if unit[0] == "M"]
    steps = WORLD.board.adjacent_locations["M"]
    goals = [(unit, dice.choice(sorted(steps[unit[2:]]))) for unit in standing]
    return "2 : " + " / ".join(f"{unit} - {goal}" for unit, goal in goals)


@pytest.mark.long
def test_years_of_random_play_hold_together(seed: int) -> None:
    """Every answer is a question again; units keep within what is allowed, one to a sector."""
    dice = random.Random(f"{seed} world")
    question: dict[str, Json] = {
        **write_position(WORLD.definition.start, WORLD.board),
        "variant": "diplomatie_2000",
    }
    allowed: dict[str, Json] = {}
    while question["phase"] != "S2003P":
        menus: dict[str, Any] = adjudication.legal_orders(question)
        orders = {power: sheet(question, power, some, dice) for power, some in menus.items()}
        if str(question["phase"])[-1] == "P":
            orders.setdefault("ONU", []).append(programme(question, dice))
        answer = judged({**question, "orders": orders})
        assert "error" not in answer, (answer, question)
        sectors = [unit[2:5] for units in answer["units"].values() for unit in units]
        assert len(sectors) == len(set(sectors))
        politics = answer["politics"]
        assert not (politics.get("imf") and politics["imf"] == politics.get("embargo"))
        assert answer["next"]
        question = {
            "variant": "diplomatie_2000",
            "phase": answer["next"],
            **{name: answer[name] for name in ("units", "centers", "contested", "politics")},
            "dislodged": answer["dislodged"] if str(answer["next"])[-1] == "R" else {},
        }
        allowed = politics.get("allowance", allowed)
        if answer["phase"][-1] == "A":
            grown = {state: len(units) for state, units in answer["units"].items() if state != "ONU"}
            assert {state for state, count in grown.items() if count > allowed[state]["allowed"]} == set()


def play(
    phase: str, units: Mapping[str, Json], orders: Mapping[str, Json], **politics: Json
) -> dict[str, Any]:
    """The answer to a question with few units, and the centres of the start."""
    question = {
        "variant": "diplomatie_2000",
        "phase": phase,
        "units": units,
        "orders": orders,
        "politics": politics,
    }
    centres = write_position(WORLD.definition.start, WORLD.board)["centers"]
    answer = judged({**question, "centers": centres})
    assert "error" not in answer, answer
    return answer


def results(answer: Mapping[str, Any], line: str | None, power: str) -> list[str]:
    return next(one["results"] for one in answer["orders"] if (one["line"], one["power"]) == (line, power))


@pytest.mark.parametrize("reading", ["yes", "no"])
def test_a_fleet_in_a_canal_convoys_where_that_is_the_reading(reading: str) -> None:
    seas = ("OPE", "PAN", "ANT")
    units = {"CAOR": ["A EQU"], "MCCA": [f"F {sea}" for sea in seas]}
    orders = {"CAOR": ["A EQU - VEN"], "MCCA": [f"F {sea} C A EQU - VEN" for sea in seas]}
    answer = play("S2002M", units, orders, options={"canal_convoy": reading})
    assert results(answer, "F PAN C A EQU - VEN", "MCCA") == ["convoys" if reading == "yes" else "illegal"]
    assert answer["units"]["CAOR"] == ["A VEN" if reading == "yes" else "A EQU"]


def test_a_verdict_says_without_whom_it_would_be_another() -> None:
    missions = {"CHIN": ["2 M ABE - ATE / M MAU S M ABE - ATE"]}
    units = {"ETUN": ["M ABE"], "UEUR": ["M MAU"], "CMWL": ["F ATE"]}
    answer = play("S2002M", units, {"CHIN": ["2) CHIN"]}, proposals=missions)
    moved, fallen = (
        next(one["cause"] for one in answer["orders"] if one["unit"] == unit) for unit in ("M ABE", "F ATE")
    )
    assert (moved["units"], moved["change"]) == (["M MAU"], "fails")
    assert (fallen["units"], fallen["any_of"], fallen["change"]) == (["M ABE"], [["M MAU"]], "stays")


@pytest.mark.parametrize(("reading", "units"), [("before_winter", []), ("after_winter", ["M BRU"])])
def test_when_the_mandates_of_a_state_in_disgrace_leave(reading: str, units: list[str]) -> None:
    asked_of = {"options": {"disgraced_mandates": reading}, "grace": {"UEUR": "F2003"}}
    answer = play("F2002M", {"UEUR": ["M BRU"]}, {}, **asked_of)
    assert answer["units"].get("UEUR", []) == units
    assert answer["politics"]["scores"]["UEUR"]["contribution"] == 0
    assert results(answer, None, "UEUR") == ["holds"] + ["disbanded"] * (not units)
    winter = play("W2002A", {"UEUR": ["M BRU", "A PAR"]}, {}, **asked_of)
    assert winter["units"]["UEUR"] == ["A PAR"]


@pytest.mark.parametrize(
    ("chosen", "ranking", "adopted", "by"),
    [
        ({}, [], [], "no_ranking"),
        ({"unranked_tie": "first_code"}, [], ["CHIN"], "first_code"),
        ({}, ["Classement 1 : INDE"], ["INDE"], "ranking"),
        ({"type1_adopted": "as_ballots"}, [], ["CHIN", "INDE"], "most"),
    ],
)
def test_level_proposals(chosen: Json, ranking: list[str], adopted: list[str], by: str) -> None:
    five = {state: ["1A RUSS 20"] for state in ("ASEA", "CAOR", "CASO", "CHIN", "INDE")}
    orders = {state: ["1) CHIN, INDE"] for state in ("UMAR", "UEUR")} | {"ONU": ranking}
    answer = play("S2002M", {}, orders, proposals=five, options=chosen)
    poll = answer["politics"]["ballots"]["1"]
    assert (poll["adopted"], poll["by"]) == (adopted, by)
    assert poll["tied"] == ([] if by == "most" else ["CHIN", "INDE"])


def test_ballots_by_the_number_of_proposals() -> None:
    made = [f"1A : {state}" for state in WORLD.board.powers]
    for count, ballots in ((4, 1), (5, 2), (8, 2), (9, 3), (10, 3)):
        orders = {state: [line] for state, line in zip(WORLD.board.powers[:count], made, strict=False)}
        assert play("S2002P", {}, orders)["politics"]["open"] == {"1": ballots}
    orders = {state: [line] for state, line in zip(WORLD.board.powers[:9], made, strict=False)}
    assert play("S2002P", {}, orders, options={"nine_proposals": "2"})["politics"]["open"] == {"1": 2}


def test_a_mandate_dislodged_as_it_leaves_does_not_retreat() -> None:
    units = {"ETUN": ["M ABE"], "CMWL": ["F ATE", "F AEQ"]}
    orders = {"ETUN": ["- M ABE"], "CMWL": ["F ATE - ABE", "F AEQ S F ATE - ABE"]}
    answer = play("S2002M", units, orders)
    assert answer["dislodged"] == {}
    assert results(answer, None, "ETUN") == ["holds", "dislodged", "disbanded"]
    assert answer["next"] == "F2002P"


def test_leavers_wait_for_the_retreats_of_others() -> None:
    units = {"ETUN": ["M WAS"], "CHIN": ["A MOU"], "RUSS": ["A FIN", "A STP"]}
    orders = {"ETUN": ["- M WAS"], "RUSS": ["A FIN - MOU", "A STP S A FIN - MOU"]}
    moved = play("S2002M", units, orders)
    assert moved["politics"]["leaving"] == {"ETUN": ["M WAS"]}
    assert moved["units"]["ETUN"] == ["M WAS"]
    question = {name: moved[name] for name in ("units", "dislodged", "centers", "politics")}
    over = judged({**question, "variant": "diplomatie_2000", "phase": moved["next"]})
    assert "ETUN" not in over["units"]
    assert "leaving" not in over["politics"]
    assert results(over, None, "ETUN") == ["disbanded"]


@pytest.mark.parametrize("line", ["F OSL S V BAR", "F OSL S V BAR - MNN", "F OSL S V MNN - BAR"])
def test_in_autumn_no_fleet_supports_a_unit_to_the_far_north_or_from_it(line: str) -> None:
    units = {"UEUR": ["F OSL"], "RUSS": ["V BAR" if "V BAR" in line else "V MNN"]}
    seasons = {"S2002M": [], "F2002M": ["illegal"]}
    for phase, wrong in seasons.items():
        asked = {"variant": "diplomatie_2000", "phase": phase, "units": units, "orders": {"UEUR": [line]}}
        found = next(one for one in judged(asked)["orders"] if one["line"] == line)
        assert [word for word in found["results"] if word == "illegal"] == wrong


def test_no_fleet_retreats_to_the_far_north_in_autumn() -> None:
    units = {"RUSS": ["F MOU"], "UEUR": ["A FIN", "A STP"]}
    orders = {"UEUR": ["A FIN - MOU", "A STP S A FIN - MOU"]}
    spring, autumn = (play(f"{season}2002M", units, orders) for season in "SF")
    assert "BAR" in spring["dislodged"]["RUSS"][0]["retreats"]
    assert "BAR" not in autumn["dislodged"]["RUSS"][0]["retreats"]


def test_an_impossible_order_of_a_stopped_unit_is_illegal_all_the_same() -> None:
    answer = play("S2002M", {"CHIN": ["A PYO"]}, {"MCCA": ["AS : PYO"], "CHIN": ["A PYO - BRA"]})
    assert results(answer, "A PYO - BRA", "CHIN") == ["illegal"]
    assert results(answer, None, "CHIN") == ["subverted"]


def test_of_two_guests_on_one_centre_neither_builds() -> None:
    units = {"CAOR": ["A LIM", "A PAZ", "F STG"]}
    orders = {"CAOR": ["M (tous)"], "MCSU": ["M BOG"], "MEXI": ["M BOG"], "ONU": ["M BOG"]}
    answer = play("W2002A", units, orders)
    assert [results(answer, "M BOG", seat) for seat in ("MCSU", "MEXI", "ONU")] == [
        ["build_void"],
        ["build_void"],
        ["builds"],
    ]
    alone = play("W2002A", units, orders, options={"host_all": "states_only"})
    assert results(alone, "M BOG", "ONU") == ["build_void"]


@pytest.mark.parametrize(("reading", "result"), [("any", "builds"), ("m_only", "build_void")])
def test_what_is_built_in_the_room_of_a_mandate(reading: str, result: str) -> None:
    own = ["A ALG", "A RAB", "M TRI"]
    answer = play("W2002A", {"UMAR": own}, {"UMAR": ["- M TRI", "A TRI"]}, options={"mixed_builds": reading})
    assert results(answer, "A TRI", "UMAR") == [result]


def test_the_farthest_mandate_goes_first_and_nothing_else_without_need() -> None:
    units = {"UMAR": ["A ALG", "A RAB", "M TRI", "M MOR", "M ROU"]}
    answer = play("W2002A", units, {})
    assert answer["units"]["UMAR"] == ["A ALG", "A RAB", "M TRI"]
    spared = play("W2002A", {"UMAR": ["A ALG", "A RAB", "M TRI"]}, {"UMAR": ["- A ALG", "- M TRI"]})
    assert results(spared, "- A ALG", "UMAR") == ["removal_ignored"]
    assert spared["units"]["UMAR"] == ["A ALG", "A RAB"]


def test_a_misspelt_name_among_ballots_is_void() -> None:
    entry = asked("F2001M", "CHIN", "1) UMARR, UMAR", politics=MADE)
    assert entry["results"] == ["votes", "ballot_void"]
    assert [note["kind"] for note in entry["notes"]] == ["part_ignored"]


WORDS = "1A 1D 2 3A : / ; , ) ( RUSS UMAR ONU NONE M F MOR WAS PYO - S D SET RANK AID AS tous 10 -3 é \0 '"


@pytest.mark.long
def test_nothing_written_makes_a_fault(seed: int) -> None:
    dice = random.Random(f"{seed} words")
    bits = WORDS.split(" ")
    start = write_position(WORLD.definition.start, WORLD.board)
    for phase in ("S2001P", "F2001P", "S2001M", "F2001M", "F2001R", "W2001A") * 5:
        orders = {
            seat: [" ".join(dice.choices(bits, k=dice.randint(1, 9))) for _ in range(5)]
            for seat in dice.sample(WORLD.board.seats, 4)
        }
        politics = MADE if phase == "F2001M" else {}
        answer = judged(
            {**start, "variant": "diplomatie_2000", "phase": phase, "orders": orders, "politics": politics}
        )
        assert "error" not in answer
        assert json.dumps(answer)
