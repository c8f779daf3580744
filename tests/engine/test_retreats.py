"""Retreats: where a unit may go, what happens to it there, and the orders that are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.engine import retreats
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.position import DislodgedUnit, Position
from talleyrand.notation import parse_normal
from tests.engine.scenes import BOARD, CLASSIC, DATC, causes, fallen, fates, judged, orders, position, reasons

VIENNA = fallen("AUSTRIA", "A VIE", "TRI", "BOH TYR")
BUDAPEST = fallen("AUSTRIA", "A BUD", "SER", "GAL")
MUNICH = fallen("GERMANY", "A MUN", "BUR", "BOH TYR")
SPAIN = fallen("FRANCE", "F SPA/SC", "GAS", "LYO MAR")
LOST = fallen("GERMANY", "A BER", "SIL")


def _after(*dislodged: DislodgedUnit) -> Position:
    before = position("S1901R", ITALY="A VIE, A SPA", TURKEY="A BUD", FRANCE="A MUN", RUSSIA="A BER")
    return replace(before, dislodged=dislodged)


@pytest.mark.parametrize(
    ("order", "power", "found"),
    [
        ("A VIE R BOH", "AUSTRIA", "A VIE R BOH"),
        ("A VIE D", "AUSTRIA", "A VIE D"),
        ("A VIE R TRI", "AUSTRIA", "retreat_closed"),
        ("A VIE R LON", "AUSTRIA", "retreat_closed"),
        ("A VIE R XXX", "AUSTRIA", "unknown_place"),
        ("F VIE R BOH", "AUSTRIA", "not_dislodged"),
        ("A GAL R BOH", "AUSTRIA", "not_dislodged"),
        ("A VIE R BOH", "ITALY", "foreign_unit"),
        ("A VIE D", "ITALY", "foreign_unit"),
        ("A VIE - BOH", "AUSTRIA", "wrong_phase"),
        ("A VIE H", "AUSTRIA", "wrong_phase"),
        ("A VIE B", "AUSTRIA", "wrong_phase"),
        ("F SPA R MAR", "FRANCE", "F SPA/SC R MAR"),
        ("F SPA/NC R LYO", "FRANCE", "F SPA/SC R LYO"),
    ],
)
def test_an_order(order: str, power: str, found: str) -> None:
    result = retreats.check_retreat(BOARD, _after(VIENNA, SPAIN), power, parse_normal(order), DATC)
    assert (result.code if isinstance(result, OrderRefusal) else str(result)) == found


@pytest.mark.parametrize(
    ("to", "options", "found"),
    [
        ("SPA", {}, "F MAR R SPA/SC"),
        ("SPA", {"coast_missing_one_possible": "fails"}, "coast_missing"),
        ("SPA/NC", {}, "coast_unreachable"),
        ("SPA/NC", {"coast_impossible": "ignored"}, "F MAR R SPA/SC"),
    ],
)
def test_the_coast_of_a_retreat_follows_the_book(to: str, options: dict[str, str], found: str) -> None:
    before = replace(position("S1901R"), dislodged=(fallen("FRANCE", "F MAR", "PIE", "LYO SPA/SC"),))
    order, book = parse_normal(f"F MAR R {to}"), DATC.with_options(options)
    result = retreats.check_retreat(BOARD, before, "FRANCE", order, book)
    assert (result.code if isinstance(result, OrderRefusal) else str(result)) == found


@pytest.mark.parametrize(
    ("lines", "results", "why"),
    [
        ("A VIE R BOH", "retreats", "retreat_free"),
        ("A VIE D", "disbanded", "chosen"),
        ("", "destroyed", "retreat_missing"),
        ("A VIE R TRI", "destroyed", "retreat_missing"),
    ],
)
def test_one_unit(lines: str, results: str, why: str) -> None:
    outcome = judged(_after(VIENNA), orders(AUSTRIA=lines))
    assert (fates(outcome), causes(outcome)) == ({"A VIE": results}, {"A VIE": why})
    assert (parse_normal("A BOH H").unit in {unit.name for unit in outcome.units}) == (results == "retreats")
    assert not outcome.dislodged


def test_a_unit_without_a_way_out_is_destroyed_for_that() -> None:
    assert causes(judged(_after(LOST), {})) == {"A BER": "no_retreat"}


def test_a_fleet_retreats_to_its_coast() -> None:
    before = _after(fallen("ENGLAND", "F GAS", "BRE", "SPA/NC"))
    outcome = judged(replace(before, units=()), orders(ENGLAND="F GAS R SPA"))
    assert [str(unit) for unit in outcome.units] == ["F SPA/NC"]


def test_units_that_want_the_same_space_are_destroyed() -> None:
    outcome = judged(_after(VIENNA, MUNICH), orders(AUSTRIA="A VIE R BOH", GERMANY="A MUN R BOH"))
    assert fates(outcome) == {"A VIE": "destroyed", "A MUN": "destroyed"}
    assert [verdict.by for verdict in outcome.verdicts] == [(MUNICH.unit,), (VIENNA.unit,)]


def test_two_coasts_are_one_space() -> None:
    fleets = (fallen("FRANCE", "F GAS", "BRE", "SPA/NC"), fallen("ITALY", "F LYO", "TYS", "SPA/SC"))
    before = replace(position("S1901R"), dislodged=fleets)
    outcome = judged(before, orders(FRANCE="F GAS R SPA/NC", ITALY="F LYO R SPA/SC"))
    assert fates(outcome) == {"F GAS": "destroyed", "F LYO": "destroyed"}


GALICIA = fallen("RUSSIA", "A UKR", "RUM", "GAL")


@pytest.mark.parametrize(
    ("option", "russian", "fate"),
    [
        ("ordered_one_goes", "", "retreats"),
        ("explicit_disband_of_other", "", "destroyed"),
        ("explicit_disband_of_other", "A UKR D", "retreats"),
        ("ordered_one_goes", "A UKR R GAL", "destroyed"),
    ],
)
def test_one_space_for_two_units(option: str, russian: str, fate: str) -> None:
    book = DATC.with_options({"single_retreat_space": option})
    given = orders(AUSTRIA="A BUD R GAL", RUSSIA=russian)
    outcome = judged(_after(BUDAPEST, GALICIA), given, book)
    assert fates(outcome)["A BUD"] == fate
    assert outcome.verdicts[0].cause.option == (
        "single_retreat_space" if not russian and fate != "retreats" else None
    )


def test_the_old_rule_is_for_units_that_have_one_space_alone() -> None:
    book = DATC.with_options({"single_retreat_space": "explicit_disband_of_other"})
    wide = fallen("RUSSIA", "A UKR", "RUM", "GAL MOS")
    outcome = judged(_after(BUDAPEST, wide), orders(AUSTRIA="A BUD R GAL"), book)
    assert fates(outcome) == {"A BUD": "retreats", "A UKR": "destroyed"}


@pytest.mark.parametrize(
    ("russian", "options", "reason"),
    [
        ("A UKR R WAR", {}, "retreat_closed"),
        ("A UKR - GAL", {}, "wrong_phase"),
        ("A UKR R GAL, A UKR D", {"multiple_retreats": "disband"}, "multiple_orders"),
    ],
)
@pytest.mark.parametrize("single", ["ordered_one_goes", "explicit_disband_of_other"])
def test_an_order_that_does_not_count_disbands_nobody(
    single: str, russian: str, options: dict[str, str], reason: str
) -> None:
    book = DATC.with_options({"single_retreat_space": single, **options})
    outcome = judged(_after(BUDAPEST, GALICIA), orders(AUSTRIA="A BUD R GAL", RUSSIA=russian), book)
    assert set(reasons(outcome).values()) == {reason}
    assert fates(outcome)["A BUD"] == ("retreats" if single == "ordered_one_goes" else "destroyed")
    assert fates(outcome)["A UKR"] in ("destroyed", "disbanded")


@pytest.mark.parametrize("single", ["ordered_one_goes", "explicit_disband_of_other"])
def test_a_unit_that_has_no_retreat_wants_nobodys_space(single: str) -> None:
    book = DATC.with_options({"single_retreat_space": single})
    outcome = judged(_after(BUDAPEST, LOST), orders(AUSTRIA="A BUD R GAL"), book)
    assert fates(outcome) == {"A BUD": "retreats", "A BER": "destroyed"}


@pytest.mark.parametrize("single", ["ordered_one_goes", "explicit_disband_of_other"])
def test_two_units_with_one_space_and_no_order_are_lost(single: str) -> None:
    outcome = judged(_after(BUDAPEST, GALICIA), {}, DATC.with_options({"single_retreat_space": single}))
    assert fates(outcome) == {"A BUD": "destroyed", "A UKR": "destroyed"}
    assert set(causes(outcome).values()) == {"retreat_missing"}


@pytest.mark.parametrize(
    ("option", "fate", "refused"),
    [
        ("first", "retreats", {"A VIE R TYR": "multiple_orders"}),
        ("last", "retreats", {"A VIE R BOH": "multiple_orders"}),
        ("disband", "disbanded", {"A VIE R BOH": "multiple_orders", "A VIE R TYR": "multiple_orders"}),
    ],
)
def test_two_retreats_for_one_unit(option: str, fate: str, refused: dict[str, str]) -> None:
    book = DATC.with_options({"multiple_retreats": option})
    outcome = judged(_after(VIENNA), orders(AUSTRIA="A VIE R BOH, A VIE R TYR"), book)
    assert (fates(outcome), reasons(outcome)) == ({"A VIE": fate}, refused)
    assert outcome.verdicts[0].to == {"first": "BOH", "last": "TYR", "disband": None}[option]


@pytest.mark.parametrize(("option", "retreats_to"), [("may_retreat", ("GAL", "TYR")), ("destroyed", ())])
def test_a_unit_of_a_power_in_disorder(option: str, retreats_to: tuple[str, ...]) -> None:
    before = replace(
        position(AUSTRIA="A VIE, A BOH", ITALY="A TRI, A BUD"), powers_in_disorder=frozenset({"AUSTRIA"})
    )
    book = DATC.with_options({"civil_disorder_retreat": option})
    outcome = judged(before, orders(ITALY="A TRI - VIE, A BUD S A TRI - VIE"), book)
    assert [fallen.retreats for fallen in outcome.dislodged] == [retreats_to]
    assert ("destroyed" in fates(outcome)["A VIE"]) == (option == "destroyed")


def test_who_has_something_to_decide() -> None:
    rules = CLASSIC.rules_for(_after().phase)
    before = _after(VIENNA, MUNICH, LOST)
    assert rules.powers_with_choices(BOARD, before, DATC) == ("AUSTRIA", "GERMANY")
    offered = rules.legal_orders(BOARD, before, "GERMANY", DATC)
    assert [str(order) for order in offered] == ["A MUN R BOH", "A MUN R TYR", "A MUN D", "A BER D"]
