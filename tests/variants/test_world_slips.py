"""What cannot be in the world's own lines is told with what can: the refusal, and the nearest line."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from talleyrand import messages
from talleyrand.formats.position_json import write_position
from talleyrand.variants import LANGUAGES, load
from tests.variants.test_diplomatie_2000 import judged

Json = Any
WORLD = load("diplomatie_2000")
POSITION: Mapping[str, Any] = write_position(WORLD.definition.start, WORLD.board)
START: Mapping[str, Any] = {**POSITION, "variant": "diplomatie_2000"}
MADE = {
    "proposals": {"UMAR": ["1A RUSS 20"], "CHIN": ["2 M MOR H"], "ONU": ["1D UEUR 1"], "OPTO": ["3A OPTO"]}
}


def entry(phase: str, power: str, line: str, politics: Mapping[str, Json]) -> dict[str, Any]:
    """What becomes of one line at the world's start."""
    made = MADE if phase == "F2001M" else {}
    asked = {"phase": phase, "politics": {**made, **politics}, "orders": {power: [line]}}
    answer = judged({**START, **asked})
    assert "error" not in answer, answer
    return next(one for one in answer["orders"] if one["line"] == line)


# phase, power, line, kind of error, what the sentence says in English, the nearest line in it
TOLD: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("F2001P", "UMAR", "1A : RUSSI", "not_understood", "is not a state", "1A RUSS 20"),
    ("F2001P", "UMAR", "3B: CHINN", "not_understood", "is not a state", "3B CHIN"),
    ("F2001P", "UMAR", "1A : 10 pV pour RUSZ", "not_understood", "is not a state", "1A RUSS 20"),
    ("F2001P", "UMAR", "1E : RUSS", "not_understood", "use 1A, 1B", ""),
    ("F2001P", "UMAR", "1) UMAR", "not_understood", "use 1A, 1B", ""),
    ("F2001P", "UMAR", "1A", "not_understood", "write “1A: RUSS”", ""),
    ("F2001P", "UMAR", "1A : RUSS / 1B : ETUN", "not_understood", "line of its own", ""),
    ("F2001P", "UMAR", "2 : M MOX – MOC", "not_understood", "M Eastern Mediterranean", "2 M MOR - MOC"),
    ("F2001P", "UMAR", "2 : A PAR – BRU", "not_understood", "only orders M", ""),
    ("F2001P", "UMAR", "AS : PYO", "illegal", "with the orders", ""),
    ("F2001P", "UMAR", "1B : ONU", "illegal", "name one of the states", ""),
    ("F2001P", "ONU", "pInt : PYX", "not_understood", "not a place", "AS PYO"),
    ("F2001P", "ONU", "pInt :", "not_understood", "names no sector", ""),
    ("F2001P", "ONU", "INDE 1A : 10 pV pour RUSS", "illegal", "no such proposal", ""),
    ("S2001P", "UMAR", "1A : RUSS", "illegal", "missions (2) always are", ""),
    ("F2001M", "CHIN", "1) UMARR", "not_understood", "is not a state", "1 UMAR"),
    ("F2001M", "CHIN", "1)", "not_understood", "1) None", ""),
    ("F2001M", "CHIN", "4) UMAR", "not_understood", "1, 2 or 3", ""),
    ("F2001M", "CHIN", "1A : RUSS", "illegal", "now vote on them", ""),
    ("F2001M", "CHIN", "Aide : 1 : CHIN", "illegal", "name another state", ""),
    ("F2001M", "CHIN", "Aide : 4 : INDE", "not_understood", "which has three", ""),
    ("F2001M", "CHIN", "Aide : 1 : INDX / 2 : UCEN", "", "", ""),
    ("F2001M", "CHIN", "Aide : 1 : INDX", "not_understood", "is not a state", "AID 1 INDE"),
    ("F2001M", "CHIN", "Aide", "not_understood", "names nobody", ""),
    ("F2001M", "MCCA", "AS : BOGG", "not_understood", "not a place", "AS BOG"),
    ("F2001M", "MCCA", "SA: MOR", "illegal", "land sector", ""),
    ("F2001M", "CHIN", "AS : PYO", "illegal", "no subversion point", ""),
    ("F2001M", "ONU", "AS : PYO", "illegal", "with the proposals", ""),
    ("F2001M", "ONU", "Classement 1 : UMARR", "not_understood", "then the proposers", "RANK 1 UMAR"),
    ("F2001P", "UMAR", "3B : aucun", "not_understood", "only a 3A", ""),
    ("F2001P", "UMAR", "1C : Aucun", "not_understood", "only a 3A", ""),
    ("F2001P", "UMAR", "AS : PYX", "illegal", "with the orders", ""),
    ("F2001P", "UMAR", "2 : M Bruxeles - PAR", "not_understood", "only orders M", "2 M BRU - PAR"),
    ("F2001P", "ONU", "pInt : Pyongyangue", "not_understood", "not a place", "AS PYO"),
    ("F2001P", "ONU", "pInt", "not_understood", "names no sector", ""),
    ("F2001P", "ONU", "UMAR 1C : 3 pour RUSS", "illegal", "has no amount", ""),
    ("F2001M", "MCCA", "AS Bogoto", "not_understood", "not a place", "AS BOG"),
    ("F2001M", "MCCA", "AS", "not_understood", "names no sector", ""),
    ("F2001M", "MCCA", "AS : PYO / AS : BEI", "not_understood", "only one sector", "AS PYO"),
    ("F2001M", "UMAR", "AS : BOGG", "illegal", "no subversion point", ""),
    ("F2001M", "ONU", "Classement : UMAR", "not_understood", "then the proposers", "RANK 1 UMAR"),
    ("F2001M", "ONU", "Classement 4 : OPTO", "not_understood", "then the proposers", "RANK 3 OPTO"),
    ("F2001M", "ONU", "Classement : INDE", "not_understood", "then the proposers", ""),
    ("F2001M", "ONU", "RANK None UMAR", "not_understood", "then the proposers", "RANK 1 UMAR"),
    ("F2001M", "ONU", "RANK 1 None", "not_understood", "then the proposers", ""),
    ("F2001P", "UMAR", "1 : aucun", "not_understood", "use 1A, 1B", ""),
    ("F2001P", "UMAR", "2 : aucun", "not_understood", "only orders M", ""),
    ("F2001P", "UMAR", "1A : Abstention", "not_understood", "is not a state", ""),
    ("F2001P", "UMAR", "1A : tous", "not_understood", "is not a state", ""),
    ("F2001P", "UMAR", "1A : moi", "not_understood", "is not a state", "1A UMAR 20"),
    ("F2001P", "ONU", "pInt : none", "not_understood", "names no sector", ""),
    ("F2001P", "ONU", "UMAR 1A : aucun", "not_understood", "only a 3A", ""),
    (
        "F2001P",
        "ONU",
        "UMAR 1A : 10 pV pour RUSZ",
        "not_understood",
        "is not a state",
        "SET UMAR 1A RUSS 10",
    ),
    ("F2001M", "MCCA", "SA: none", "not_understood", "names no sector", ""),
    ("F2001M", "CHIN", "1) tous", "not_understood", "is not a state", ""),
    ("F2001M", "CHIN", "1) moi / UMAR", "not_understood", "is not a state", "1 CHIN UMAR"),
    ("F2001M", "CHIN", "1) UMARR / ONUU", "not_understood", "is not a state", "1 UMAR"),
    ("F2001M", "CHIN", "Aide : 1 : moi", "illegal", "name another state", ""),
    ("W2001A", "CAOR", "M (aucun) BOG", "not_understood", "say whom you allow", ""),
    ("W2001A", "CAOR", "M (moi) BOG", "not_understood", "is not a state", ""),
    ("F2001M", "CHIN", "vote UMAR", "not_understood", "in which vote", "1 UMAR"),
    ("F2001M", "CHIN", "vote : INDE", "not_understood", "in which vote", ""),
    ("F2001M", "CHIN", "1) moi", "not_understood", "is not a state", "1 CHIN"),
    ("W2001A", "CAOR", "M (UMAR) Bogotta", "not_understood", "not a place", "HOST UMAR BOG"),
    ("F2001M", "ETUN", "M WAS – NYO", "illegal", "can only be dismantled", "M WAS D"),
    ("F2001M", "RUSS", "F MOU - BAR", "illegal", "far north", ""),
    ("W2001A", "CAOR", "M (MCS) BOG", "not_understood", "is not a state", "HOST MCSU BOG"),
    ("W2001A", "CAOR", "M (MCSU) BOGQ", "not_understood", "not a place", "HOST MCSU BOG"),
    ("W2001A", "CAOR", "M (tous) BOG", "illegal", "covers all centres of the host", "HOST ALL"),
    ("W2001A", "CAOR", "M ()", "not_understood", "say whom you allow", ""),
    ("W2001A", "CAOR", "M YEM", "illegal", "no centre", ""),
    ("W2001A", "ONU", "M YEM", "illegal", "has not allowed", ""),
)


def named(order: str, language: str) -> str:
    """A normal form as a sentence has it: its places by name."""
    names = WORLD.names(language)
    return " ".join(names.provinces[word].name if word in names.provinces else word for word in order.split())


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("phase", "power", "line", "kind", "said", "nearest"), TOLD)
def test_what_is_wrong_is_told_with_what_is_possible(
    phase: str, power: str, line: str, kind: str, said: str, nearest: str
) -> None:
    found = entry(phase, power, line, {})
    assert (found["error"] or {}).get("kind", "") == kind
    if not kind:
        return
    told = found["error"]["message"]
    assert said in told["en"]
    assert ("Closest legal order" in told["en"]) == bool(nearest)
    for language in LANGUAGES:
        assert named(nearest, language) in told[language]
        assert "_" not in told[language]
    assert kind != "not_understood" or (found["order"], found["results"]) == (None, [])


@pytest.mark.parametrize(
    ("phase", "power", "line", "politics", "said"),
    [
        ("F2001P", "UMAR", "3A : RUSS", {"embargo": "RUSS"}, "3A: None"),
        ("F2001P", "UMAR", "3B : RUSS", {"imf": "RUSS"}, "name another state"),
        ("F2001P", "UMAR", "1A : RUSS", {"grace": {"UMAR": "F2002"}}, "an adopted 1C ends the disgrace"),
        ("F2001P", "UMAR", "1A : INDE", {"eliminated": ["INDE"]}, "out of the game (the Indian Union)"),
        ("F2001M", "INDE", "1) UMAR", {"eliminated": ["INDE"]}, "can no longer give orders"),
        ("F2001M", "MCCA", "AS : BOG", {"subversion": ["MCCA"]}, "next year"),
    ],
)
def test_what_the_affairs_forbid_is_told(
    phase: str, power: str, line: str, politics: Mapping[str, Json], said: str
) -> None:
    found = entry(phase, power, line, politics)
    assert found["error"]["kind"] == "illegal"
    assert said in found["error"]["message"]["en"]


@pytest.mark.parametrize(
    ("phase", "power", "line", "note", "said"),
    [
        (
            "F2001M",
            "CHIN",
            "1) INDE",
            "proposed_nothing",
            "by the United Nations and the Arab",
        ),
        ("S2002M", "CHIN", "1) INDE", "nothing_proposed", "vote 1"),
        (
            "F2001M",
            "ONU",
            "Classement 1 : INDE",
            "proposed_nothing",
            "by the United Nations and the Arab",
        ),
        ("W2001A", "CAOR", "M (MCSU) PAR", "not_yours_to_open", "Paris"),
    ],
)
def test_what_will_serve_nobody_is_noted(phase: str, power: str, line: str, note: str, said: str) -> None:
    notes = {one["kind"]: one["en"] for one in entry(phase, power, line, {})["notes"]}
    assert said in notes[note]


@pytest.mark.parametrize(
    ("line", "phase", "english", "french"),
    [
        ("1) UMAR, UMAR", "F2001M", "a name appears twice", "deux fois"),
        ("1) UMAR, ONU", "F2001M", "names too many proposals", "trop de propositions"),
        ("1) UMAR, INDE", "F2001M", "in part: it names someone", "en partie : il nomme quelqu’un"),
        ("1) INDE", "F2001M", "Void ballot: it names nobody", "nul : il ne nomme aucun auteur"),
        ("1) INDE", "S2002M", "Void ballot: nothing is proposed", "nul : rien n’est proposé"),
        ("1) UMAR, UMARR", "F2001M", "a name is not understood", "n’est pas compris"),
    ],
)
def test_a_ballot_that_does_not_count_says_why(line: str, phase: str, english: str, french: str) -> None:
    why = entry(phase, "CHIN", line, {})["why"]
    assert english in why["en"]
    assert french in why["fr"].replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("name", "state"), [("Chine", "CHIN"), ("les États-Unis", "ETUN"), ("Maghreb", "UMAR"), ("India", "INDE")]
)
def test_a_state_is_known_by_its_short_name(name: str, state: str) -> None:
    assert entry("F2001P", "UMAR", f"1A : {name}", {})["order"] == f"1A {state} 20"
    ballot = entry("F2001M", "RUSS", f"1) {name}, Aucune / 2) {name}", {})
    assert ballot["order"] == f"1 {state} NONE / 2 {state}"


@pytest.mark.parametrize("line", ["Ordres :", "Bonjour à tous", "2) Ordres", "Printemps 2001"])
def test_titles_and_greetings_stay_what_they_are(line: str) -> None:
    assert entry("S2001M", "UMAR", line, {})["error"] is None


@pytest.mark.parametrize("line", ["1) A ALG - TUN", "4. A RAB - MAU", "2: A TRI - ALG"])
def test_numbered_orders_stay_orders(line: str) -> None:
    assert entry("S2001M", "UMAR", line, {})["order"] is not None


@pytest.mark.parametrize(
    "line",
    [
        "1) UMAR, 2) Aucune, 3) Abstention",
        "1)UMAR 2)Aucune 3)Abstention",
        "1 : UMAR 2 : None 3 : Abstain",
        "Politique : UMAR, Missions : Aucune, Économique : Abstention",
    ],
)
def test_ballots_on_one_line_are_read_whole_without_a_slash(line: str) -> None:
    found = entry("F2001M", "CHIN", line, {})
    assert (found["order"], found["notes"]) == ("1 UMAR / 2 NONE / 3 ABSTAIN", [])


def test_a_ballot_for_several_stays_one_of_one_vote() -> None:
    assert entry("F2001M", "CHIN", "1) UMAR, ONU", {})["order"] == "1 UMAR ONU"


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("1) INDE / CASO", "1 INDE CASO"),
        ("1) INDE / CASO / 2) CHIN", "1 INDE CASO / 2 CHIN"),
        ("1) INDE / 2) CHIN", "1 INDE / 2 CHIN"),
        ("1) INDE / Aucune", "1 INDE NONE"),
    ],
)
def test_a_stroke_parts_two_ballots_of_one_vote_too(line: str, order: str) -> None:
    """Five proposals of type 1 give each elector two ballots."""
    made = {state: ["1A RUSS 20"] for state in ("CASO", "INDE", "RUSS", "UCEN", "UMAR")}
    proposals = {"proposals": {**made, "CHIN": ["2 M MOR H"]}}
    found = entry("F2001M", "CHIN", line, proposals)
    assert (found["order"], found["results"], found["notes"]) == (order, ["votes"], [])


def test_a_ballot_too_many_is_told_however_it_is_written() -> None:
    stroke, comma = (entry("F2001M", "CHIN", line, {}) for line in ("1) UMAR / ONU", "1) UMAR, ONU"))
    assert stroke["why"] == comma["why"]
    assert "names too many proposals" in stroke["why"]["en"]
    stroke, comma = (entry("F2001M", "CHIN", line, {}) for line in ("1) UMAR / ONUU", "1) UMAR, ONUU"))
    assert (stroke["order"], stroke["results"]) == (comma["order"], comma["results"])
    assert stroke["results"] == ["votes", "ballot_void"]


@pytest.mark.parametrize(
    ("phase", "power", "line", "order", "written"),
    [
        ("F2001P", "UMAR", "2 : M MOR – MOC / A PAR H / bah", "2 M MOR - MOC", "“A PAR H, BAH”"),
        ("F2001M", "CHIN", "1) UMAR / 4) CHIN", "1 UMAR", "“4) CHIN”"),
        ("S2002M", "CHIN", "2) UMAR / 3) ONU, Aucune", "2 UMAR", "“3) ONU, NONE”"),
        ("F2001M", "CHIN", "1) UMAR, UMARR", "1 UMAR", "“UMARR”"),
        ("F2001M", "CHIN", "Aide : 1 INDE / 2 CHIN / 3 XXX", "AID 1 INDE", "“2 CHIN, 3 XXX”"),
        ("F2001M", "ONU", "Classement 1 : UMAR, Aucune, ONU", "RANK 1 UMAR ONU", "“AUCUNE”"),
        ("W2001A", "CAOR", "M (MCSU) BOG / M (UMARR) BOG", "HOST MCSU BOG", "“M (UMARR) BOG”"),
    ],
)
def test_what_is_left_aside_of_a_line_is_named(
    phase: str, power: str, line: str, order: str, written: str
) -> None:
    found = entry(phase, power, line, {})
    assert found["order"] == order
    told = next(one for one in found["notes"] if one["kind"] == "part_ignored")
    assert written in told["en"]
    assert written[1:-1] in told["fr"]


def test_a_part_that_is_guessed_is_none_where_nothing_can_be_taken_back() -> None:
    found = entry("F2001P", "UMAR", "2 : M Bruxeles - PAR / M MOR - MOC", {})
    assert found["order"] == "2 M MOR - MOC"
    assert [note["kind"] for note in found["notes"]] == ["part_ignored"]
    told = {
        line: [note["kind"] for note in entry("F2001P", "UMAR", f"2 : {line}", {})["notes"]]
        for line in ("M WAS S BOS", "M WAS S A NYO")
    }
    assert told == {"M WAS S BOS": [], "M WAS S A NYO": ["letter_corrected"]}


NEW_RESULTS = (
    "proposed, amount_set, announced, votes, ballot_void, aid_set, ranked, subverts, subversion_empty, "
    "subverted, hosts, host_unused"
)


@pytest.mark.parametrize("word", NEW_RESULTS.split(", "))
def test_every_result_has_its_word_in_both_languages(word: str) -> None:
    french, english = (messages.result_word(word, language, WORLD) for language in ("fr", "en"))
    assert french not in (word, english, "")
    assert english
    assert "_" not in english + french


@pytest.mark.parametrize(
    ("line", "possible"), [("+ A PAR", "A Algiers"), ("M PAR", "M Algiers"), ("+ F TUN", "F Algiers")]
)
def test_a_build_that_is_void_is_told_with_what_could_be_built(line: str, possible: str) -> None:
    """By what the winter owes under these rules: a centre lost, a point of aid given."""
    owned: dict[str, Any] = dict(POSITION["centers"])
    centers = {**owned, "UMAR": ["ALG", "RAB"], "UNIA": [*owned["UNIA"], "TRI"]}
    politics = {"aid": {"UNIA": ["UMAR", None, None]}}
    units = {"UMAR": ["A RAB", "A TRI"], "UEUR": ["A PAR"]}
    asked = {**START, "phase": "W2001A", "units": units, "centers": centers, "politics": politics}
    answer = judged({**asked, "orders": {"UMAR": [line]}})
    found = next(one for one in answer["orders"] if one["line"] == line)
    assert found["results"] == ["build_void"]
    assert possible in found["error"]["message"]["en"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("phase", "line"),
    [
        ("F2001P", "1A : {}"),
        ("F2001P", "2 : M {} - {} / M {} H / M {} S {}"),
        ("F2001M", "AS : {}"),
        ("F2001M", "Aide : 1 : {} / 2 : {} / 3 : {}"),
        ("F2001M", "1) {}, {}, {} / 2) {}"),
        ("W2001A", "M ({}) {}, M ({}) {}"),
    ],
)
def test_noise_in_the_rules_words_is_read_only_so_far(phase: str, line: str) -> None:
    """Counted, not timed: to tell what a name may have been is paid from the effort of the question."""
    dice = random.Random(line)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    noise = iter(lambda: "".join(dice.choices(letters, k=dice.randint(4, 14))), None)
    lines = [line.format(*(next(noise) for _ in range(9))) for _ in range(400)]
    answer = judged({**START, "phase": phase, "orders": dict.fromkeys(WORLD.board.powers[:5], lines)})
    codes = [one["cause"]["code"] for one in answer["orders"] if one["cause"]]
    assert codes.count("too_many_lines") > 100


def test_the_longest_debate_is_read_to_its_end() -> None:
    """Everybody has a programme for thirty-five M, and a line of each kind beside it."""
    places = list(WORLD.board.provinces)[:35]
    steps = WORLD.board.adjacent_locations["M"]
    programme = " / ".join(f"M {at} – {min(steps[at])}" for at in places)
    sheet = [f"2 : {programme}", "1A : RUSS", "3B : CHIN"]
    orders = dict.fromkeys(WORLD.board.powers, sheet)
    orders["ONU"] = [f"{state} 1A : 7 pV pour RUSS" for state in WORLD.board.powers]
    units = {"ONU": [f"M {at}" for at in places]}
    answer = judged({**START, "phase": "F2002P", "units": units, "orders": orders})
    assert {one["results"][0] for one in answer["orders"]} == {"proposed", "amount_set"}
    assert all(made[-2].count("/") == 34 for made in answer["politics"]["proposals"].values())
