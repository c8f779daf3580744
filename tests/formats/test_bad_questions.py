"""Whatever a question contains, the answer is a sentence in two languages, never an exception."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from talleyrand.formats.adjudication import adjudicate_question, legal_orders, read_question_orders
from talleyrand.formats.question_input import QUESTION_FIELDS
from talleyrand.notation.lexer import tokenize
from talleyrand.notation.vocabulary import ELSE_WORDS

GOOD: dict[str, Any] = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A Par H"]}}
RETREAT: dict[str, Any] = {"phase": "S1901R", "units": {"RUSSIA": ["A BUL"]}}
FALLEN = {"unit": "A BUL", "by": "RUM"}

BAD = [
    ({"variant": "nowhere"}, "unknown_variant"),
    ({"variant": 3}, "bad_question"),
    ({"rulebook": "nobody"}, "unknown_rulebook"),
    ({"rulebook": {"extends": "nobody"}}, "unknown_rulebook"),
    ({"rulebook": {"options": {"no_such_point": "yes"}}}, "unknown_option"),
    ({"rulebook": {"options": {"convoy_paradox": "toss_a_coin"}}}, "unknown_option"),
    ({"rulebook": {"options": {"convoy_paradox": ["szykman"]}}}, "bad_question"),
    ({"rulebook": {"extends": ["datc"]}}, "bad_question"),
    ({"rulebook": {"option": {}}}, "bad_question"),
    (
        {"rulebook": {"options": {"route_fallback": "to_sea", "land_or_sea_route": "own_chain_or_marker"}}},
        "impossible_combination",
    ),
    ({"phase": None}, "bad_question"),
    ({"phase": "X1901M"}, "unknown_phase"),
    ({"phase": "spring"}, "unknown_phase"),
    ({"phase": "S1901D"}, "unknown_phase"),
    ({"phase": "S" + "1" * 4000 + "M"}, "unknown_phase"),
    ({"phase": 1901}, "bad_question"),
    ({"units": {"FRANCE": ["A XYZ"]}}, "bad_position"),
    ({"units": {"FRANCE": ["A NTH"]}}, "bad_position"),
    ({"units": {"FRANCE": ["F STP"]}}, "bad_position"),
    ({"units": {"FRANCE": ["A STP/SC"]}}, "bad_position"),
    ({"units": {"FRANCE": ["Q PAR"]}}, "bad_position"),
    ({"units": {"FRANCE": ["A PAR", "A PAR"]}}, "bad_position"),
    ({"units": {"FRANCE": ["A SPA"], "ITALY": ["F SPA/SC"]}}, "bad_position"),
    ({"units": {"FRANCE": ["APAR"]}}, "bad_question"),
    ({"units": {"FRANCE": "A PAR"}}, "bad_question"),
    ({"units": {"NARNIA": []}}, "bad_question"),
    ({"units": ["A PAR"]}, "bad_question"),
    ({"dislodged": {"FRANCE": [{"unit": "A BUR", "by": "MUN"}]}}, "bad_position"),
    (RETREAT | {"dislodged": {"TURKEY": [FALLEN, FALLEN]}}, "bad_position"),
    (RETREAT | {"dislodged": {"TURKEY": [FALLEN | {"by": "STP/SC"}]}}, "bad_position"),
    (RETREAT | {"dislodged": {"TURKEY": [FALLEN | {"by": None}]}}, "bad_question"),
    (RETREAT | {"dislodged": {"TURKEY": [FALLEN | {"convoyed": "yes"}]}}, "bad_question"),
    (RETREAT | {"dislodged": {"TURKEY": [FALLEN | {"retreats": ["NTH"]}]}}, "bad_position"),
    (RETREAT | {"dislodged": {"TURKEY": [FALLEN | {"retreats": "GRE"}]}}, "bad_question"),
    (RETREAT | {"dislodged": {"TURKEY": ["A BUL"]}}, "bad_question"),
    ({"contested": ["STP/SC"]}, "bad_position"),
    ({"contested": "BUR"}, "bad_question"),
    ({"centers": {"FRANCE": ["BUR"]}}, "bad_position"),
    ({"centers": {"FRANCE": ["PAR"], "ITALY": ["PAR"]}}, "bad_position"),
    ({"homes": {"FRANCE": ["BUR"]}}, "bad_position"),
    ({"phase": "W1901A"}, "bad_question"),
    ({"orders": {"FRANCE": [12]}}, "bad_question"),
    ({"orders": {"FRANCE": "A Par H"}}, "bad_question"),
    ({"orders": {"ATLANTIS": []}}, "bad_question"),
    ({"sheets": {"FRANCE": []}}, "bad_question"),
    ({"orders": None, "sheets": {"FRANCE": ["A Par H"]}}, "bad_question"),
    ({"absent": ["NOBODY"]}, "bad_question"),
    ({"torn": "FRANCE"}, "bad_question"),
    ({"passive": [[]]}, "bad_question"),
    ({"naming": "klingon"}, "bad_question"),
    ({"seed": 4}, "bad_question"),
]


@pytest.mark.parametrize(("fields", "kind"), BAD, ids=[json.dumps(fields)[:60] for fields, _ in BAD])
def test_a_bad_question_has_its_kind_and_its_sentences(fields: dict[str, Any], kind: str) -> None:
    given_back: Any = adjudicate_question({**GOOD, "id": "q", **fields})
    assert set(given_back) == {"id", "error"}
    assert given_back["id"] == "q"
    assert given_back["error"]["kind"] == kind
    for language in ("fr", "en"):
        sentence = given_back["error"]["message"][language]
        assert sentence.endswith(".")
        assert len(sentence) < 400
        assert "{" not in sentence


@pytest.mark.parametrize("value", [None, True, 3, "x", [], [{}]])
def test_what_is_not_an_object_is_not_a_question(value: object) -> None:
    error: Any = adjudicate_question(value)["error"]
    assert error["kind"] == "bad_question"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["FRANCE", "RUSSIA", "x"])
PARTS = st.sampled_from(
    ["A PAR", "F STP/SC", "A NTH", "PAR", "STP/NC", "A Par - Bou", "datc", "trio", "S1901R", "W1901A", "?"]
)
NEARLY = st.dictionaries(NAMES, st.lists(PARTS, max_size=3) | PARTS, max_size=2) | PARTS | JSON


@pytest.mark.long
@given(
    st.dictionaries(st.sampled_from(sorted(QUESTION_FIELDS)), NEARLY, max_size=6),
    st.sampled_from([adjudicate_question, read_question_orders, legal_orders]),
)
def test_no_question_raises(question: dict[str, Any], ask: Any) -> None:
    reply = ask({**GOOD, **question})
    json.dumps(reply)


@given(st.sampled_from(sorted(QUESTION_FIELDS)), JSON)
def test_any_value_in_any_field_is_answered(name: str, value: object) -> None:
    reply = adjudicate_question({**GOOD, name: value})
    assert ("error" in reply) != ("orders" in reply)


@given(st.lists(st.text(max_size=40), max_size=5))
@example(["A", "A/ELSE", "B"])
def test_any_lines_are_answered_one_by_one(lines: list[str]) -> None:
    """Whole, and in their order; only what stands before "else" is answered apart from what follows."""
    reply: Any = adjudicate_question({**GOOD, "orders": {"FRANCE": lines}})
    numbered = [*enumerate(lines, 1)]
    told = [(entry["line_no"], entry["line"]) for entry in reply["orders"] if entry["line"] is not None]
    assert [*dict(told)] == [*dict(numbered)]
    apart = {number for number, line in numbered if any(word.key in ELSE_WORDS for word in tokenize(line))}
    assert [each for each in told if each[0] not in apart] == [
        each for each in numbered if each[0] not in apart
    ]


def test_a_sheet_of_a_megabyte_is_answered() -> None:
    lines = ["A Par - Bou" + " " * 90] * 5000 + ["x" * 500_000]
    reply: Any = adjudicate_question({**GOOD, "orders": {"FRANCE": lines}})
    written = [entry for entry in reply["orders"] if entry["line"] is not None]
    assert len(written) == len(lines)
    assert written[0]["results"] == ["moves"]
    assert written[-1]["error"]["kind"] == "not_understood"
