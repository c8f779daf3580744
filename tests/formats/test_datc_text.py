"""The shorthand of the DATC's cases."""

import pytest

from talleyrand.formats.datc_cases import alternative_verdicts, is_datc, read_datc_cases
from talleyrand.formats.json_checks import InvalidQuestion

TEXT = """// a comment
# 6.A.6 ORDERING A UNIT OF ANOTHER COUNTRY
ENG owns F LON
GER F LON - NTH = illegal
# 6.F.7 DISLODGED CONVOY
ENG F NTH C A LON - HOL = disrupted, dislodged
? 4.A.1=a,4.A.2=b ENG F NTH C A LON - HOL = available
@retreat
ENG F NTH R HOL = succeeds
# 6.J.2 REMOVING THE SAME UNIT TWICE
@adjustment
FRA owns SC PAR
FRA owns A PAR
FRA F NTH D = succeeds
AUTO FRA F ENG
"""


def test_cases_are_read() -> None:
    first, second, third = read_datc_cases(TEXT)
    assert (first.number, first.title) == ("6.A.6", "ORDERING A UNIT OF ANOTHER COUNTRY")
    assert first.steps[0].units_by_power() == {"ENGLAND": ["F LON"]}
    assert first.steps[0].orders_by_power() == {"GERMANY": ["F LON - NTH"]}
    assert [step.kind for step in second.steps] == ["movement", "retreat"]
    assert second.steps[0].orders[0].verdicts == ("disrupted", "dislodged")
    assert third.steps[0].removals == [("FRANCE", "F ENG")]


def test_alternatives_name_their_issues() -> None:
    (alternative,) = alternative_verdicts(read_datc_cases(TEXT)[1])
    assert alternative.issues == (("4.A.1", "a"), ("4.A.2", "b"))
    assert alternative.expected.verdicts == ("available",)


def test_a_case_is_a_question() -> None:
    assert read_datc_cases(TEXT)[2].question() == {
        "id": "6.J.2",
        "rulebook": "datc",
        "phase": "W1901A",
        "units": {"FRANCE": ["A PAR"]},
        "orders": {"FRANCE": ["F NTH D"]},
        "centers": {"FRANCE": ["PAR"]},
    }


@pytest.mark.parametrize("line", ["ENG F LON - NTH", "XXX F LON - NTH = fails", "? ENG F LON - NTH = fails"])
def test_another_line_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(InvalidQuestion) as caught:
        read_datc_cases(f"# 6.A.1 A TITLE\n{line}\n")
    assert (caught.value.code, caught.value.facts["line"]) == ("datc_line", "2")


def test_a_file_of_cases_is_told_from_other_texts() -> None:
    assert is_datc(TEXT)
    assert not is_datc("# France\nA Par - Bou\n")
