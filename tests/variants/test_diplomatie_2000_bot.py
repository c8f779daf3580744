"""What a bot makes of the politics of Diplomatie 2000: what it proposes, votes, grants and builds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from talleyrand import rulebooks
from talleyrand.engine.orders import Order, PoliticalOrder
from talleyrand.engine.position import Phase, Position, Unit, UnitName
from talleyrand.variants import load

WORLD = load("diplomatie_2000").definition
BOARD, BOOK = WORLD.board, rulebooks.load("datc").adjudication_rules


class Calm:
    """A view without whims, in which every place is worth the same."""

    def __init__(self, heard: Mapping[str, Sequence[Order]] | None = None) -> None:
        self.public_orders: Mapping[str, Sequence[Order]] = heard or {}

    def unit_value(self, unit: UnitName) -> float:  # noqa: ARG002 (BotView)
        return 1.0

    def random_below(self, count: int) -> int:
        return count // 2


def stands(phase: str, units: Mapping[str, Sequence[str]] | None = None, **politics: Any) -> Position:
    """A position with these units, those of the start where none are named, and the centres of the start."""
    assert WORLD.politics
    affairs, strange = WORLD.politics.read_state(BOARD, Phase.parse(phase), politics)
    assert not strange
    position = replace(WORLD.start, phase=Phase.parse(phase), political_state=affairs)
    if units is None:
        return position
    listed = [Unit(*UnitName.parse(text), power) for power, some in units.items() for text in some]
    return replace(position, units=tuple(listed))


def written(position: Position, seat: str, view: Calm | None = None) -> list[str]:
    assert WORLD.politics
    orders = WORLD.politics.bot_orders(BOARD, position, seat, BOOK, view or Calm())
    assert orders is not None
    rules = WORLD.rules_for(position.phase)
    assert [rules.check_order(BOARD, position, seat, order, BOOK) for order in orders] == list(orders)
    return [str(order) for order in orders]


def owned(position: Position, **extra: str) -> Position:
    """The position with some centres in other hands: `RIO="MEXI"`."""
    assert position.centres
    owner = {code: power for power, codes in position.centres.items() for code in codes} | extra
    centres = {power: tuple(c for c, who in owner.items() if who == power) for power in BOARD.powers}
    return replace(position, centres=centres)


def test_whoever_holds_a_home_is_proposed_for_punishment() -> None:
    position = owned(stands("F2003P", {"MCSU": ["A SAO"]}), RIO="CHIN", BEL="CHIN")
    assert [line for line in written(position, "MCSU") if line[0] in "13"] == ["1B CHIN 20", "3B CHIN"]


def test_nobody_lets_a_leader_win() -> None:
    rich = dict.fromkeys(("HOU", "LOS", "SLC", "ATL", "CHG", "WAS"), "MEXI")
    position = owned(stands("S2005P", {"OPTO": ["A TOK"], "UAFA": ["A PRE"]}), **rich)
    for state in ("OPTO", "UAFA", "ONU"):
        (line,) = [line for line in written(position, state) if line[0] == "1"]
        assert line.split()[:2] in (["1B", "MEXI"], ["1D", "MEXI"]), state


def test_ballots_go_to_what_helps_and_to_none_where_all_harms() -> None:
    made = {"RUSS": ["1A OPTO 20"], "CHIN": ["1B OPTO 20"]}
    for proposals, ballot in ((made, "1 RUSS"), ({"CHIN": ["1B OPTO 20"]}, "1 NONE")):
        position = stands("S2002M", {"OPTO": ["A TOK"]}, proposals=proposals)
        assert ballot in written(position, "OPTO")
    shunned = stands("S2002M", {"OPTO": ["A TOK"]}, proposals=made, grace={"OPTO": "F2002"})
    assert not [line for line in written(shunned, "OPTO") if line[0] == "1"]


def test_several_ballots_name_several_proposals() -> None:
    many = {state: [f"1A {state} 20"] for state in ("CHIN", "INDE", "RUSS", "UMAR")}
    position = stands("S2002M", {}, proposals={**many, "OPTO": ["1A OPTO 20"], "ONU": ["1C CHIN"]})
    assert "1 OPTO" in written(position, "OPTO")  # nothing else concerns it
    position = stands("S2002M", {}, proposals={**many, "OPTO": ["1B OPTO 20"], "ONU": ["1C CHIN"]})
    assert written(position, "OPTO")[0] == "1 NONE NONE"


def test_aid_is_returned() -> None:
    position = stands("F2002M", {}, aid={"UNIA": ["CAOR", "CAOR", "CAOR"], "ASEA": ["CAOR", None, None]})
    (programme,) = [line for line in written(position, "CAOR") if line.startswith("AID")]
    assert programme == "AID 1 UNIA / 2 ASEA / 3 UNIA"


def test_subversion_stops_the_unit_that_threatens_most() -> None:
    units = {"MCCA": ["A SAL"], "MEXI": ["A MEX", "A GDL"], "CAOR": ["A LIM"]}
    position = stands("F2002M", units)
    assert "AS MEX" in written(position, "MCCA")
    spent = stands("F2002M", units, subversion=["MCCA"])
    assert not [line for line in written(spent, "MCCA") if line.startswith("AS")]


def test_a_programme_helps_those_in_need() -> None:
    units = {"UMAR": ["A TRI", "M MOR"], "UNIA": ["A CAI", "A KHA"]}
    (programme,) = [line for line in written(stands("S2002P", units), "UMAR") if line[0] == "2"]
    assert programme == "2 M MOR S A TRI"


def test_friends_are_received_in_winter() -> None:
    units = {"CAOR": ["A LIM", "A PAZ", "A BOG", "F STG"]}
    position = stands("W2002A", units, aid={"UNIA": ["CAOR", "CAOR", "CAOR"]})
    assert "HOST UNIA" in written(position, "CAOR")
    assert not [line for line in written(stands("W2002A", units), "CAOR") if line.startswith("HOST")]


def test_under_pressure_the_mandates_go_first() -> None:
    pressing = {"RUSS": ["A KIE", "A VAR"], "UEUR": ["A VIE", "A BER", "A ROM"], "USLA": ["A MIN"]}
    position = stands("W2002A", {"ORBA": ["A BUD", "A PRA", "A TIR", "A BUC", "M MOR"], **pressing})
    assert [line for line in written(position, "ORBA") if line.endswith(" D")] == ["M MOR D"]


def test_a_state_without_a_centre_keeps_what_keeps_it_alive() -> None:
    units = {"UMAR": ["M LUA", "A TUN"]}
    position = owned(stands("W2010A", units, imf="UMAR"), ALG="UEUR", RAB="UEUR", TRI="UNIA")
    assert [line for line in written(position, "UMAR") if line.endswith(" D")] == ["M LUA D"]


def test_in_peace_points_are_worth_a_mandate() -> None:
    position = stands("W2002A", {"OPTO": ["A TOK", "A KYO", "A SAP", "F KIT", "F SEO"]})
    assert [line for line in written(position, "OPTO") if line.endswith(" B")] == ["M TAI B"]


def test_the_secretary_general_acts_for_the_weak() -> None:
    position = owned(stands("F2003P", {"CHIN": ["A PYO"]}), KIT="CHIN", TOK="CHIN", SAP="CHIN", KYO="CHIN")
    heard = {
        "OPTO": [PoliticalOrder("1A OPTO 20", irrevocable=True)],
        "CHIN": [PoliticalOrder("1A CHIN 20", irrevocable=True)],
    }
    lines = written(position, "ONU", Calm(heard))
    assert {"SET OPTO 1A OPTO 30", "SET CHIN 1A CHIN 10", "AS PYO"} <= set(lines)
    rankings = stands("F2003M", {}, proposals={"OPTO": ["1A OPTO 20"], "CHIN": ["1A CHIN 20"]})
    ranked = written(replace(rankings, centres=position.centres), "ONU")
    assert ranked == ["RANK 1 OPTO CHIN"]
    (built,) = written(replace(position, phase=Phase("W", 2003, "A")), "ONU")
    assert built.startswith("M ")
    assert BOARD.is_sea(built.split()[1])


@pytest.mark.parametrize("seat", ["RUSS", "ONU"])
def test_the_same_view_gives_the_same_orders(seat: str) -> None:
    for phase in ("F2001P", "F2001M", "W2001A"):
        assert written(stands(phase), seat) == written(stands(phase), seat)
