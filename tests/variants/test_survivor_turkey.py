"""Turkey by its script, from the first season to its last unit."""

from collections.abc import Mapping, Sequence

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.orders import Hold, Order
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit, UnitName
from talleyrand.engine.scripted_rules import without_scripts
from talleyrand.formats import adjudication
from talleyrand.formats.game_record import read_game_record, replay
from talleyrand.variants.survivor_turkey import script

VARIANT = variants.load("survivor_turkey")
SETTING, BOARD = VARIANT.definition, VARIANT.board
BOOK = rulebooks.load("anjou_feu").adjudication_rules
TURKEY = "TURKEY"


def position(phase: str, *turkish: str, others: Mapping[str, Sequence[str]] | None = None) -> Position:
    units = [Unit(*UnitName.parse(one), TURKEY) for one in turkish]
    units += [Unit(*UnitName.parse(one), power) for power, held in (others or {}).items() for one in held]
    owned: dict[str, tuple[str, ...]] = dict.fromkeys(BOARD.powers, ())
    return Position(Phase.parse(phase), tuple(units), centres=owned | {TURKEY: ("ANK", "CON", "SMY")})


def written(phase: str, *turkish: str) -> list[str]:
    return [str(order) for order in script.orders(BOARD, position(phase, *turkish), BOOK)]


def answers(*phases: Mapping[str, object], **record: object) -> list[dict[str, object]]:
    given = {"variant": "survivor_turkey", "rulebook": "anjou_feu", "phases": list(phases), **record}
    return [played.answer() for played in replay(read_game_record(given))]


def turkish(answer: Mapping[str, object]) -> dict[str, list[str]]:
    listed = answer["orders"]
    assert isinstance(listed, list)
    return {one["order"] or f"({one['unit']})": one["results"] for one in listed if one["power"] == TURKEY}


def units(answer: Mapping[str, object]) -> list[str]:
    held = answer["units"]
    assert isinstance(held, dict)
    return sorted(held[TURKEY])


def test_six_powers_have_players() -> None:
    assert SETTING.players == ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA")
    assert VARIANT.map_svg == variants.load("classic").map_svg
    assert without_scripts(SETTING).players == BOARD.powers


@pytest.mark.parametrize(
    ("phase", "standing", "expected"),
    [
        ("S1901M", ("F ANK", "A CON", "A SMY"), ["F ANK - CON", "A CON - BUL", "A SMY - ANK"]),
        ("F1901M", ("F CON", "A BUL", "A ANK"), ["F CON S A BUL", "A BUL H", "A ANK H"]),
        ("F1901M", ("F ANK", "A CON", "A SMY"), ["F ANK H", "A CON H", "A SMY H"]),
        ("F1901M", ("F CON", "A ANK"), ["F CON H", "A ANK H"]),
        (
            "S1902M",
            ("F CON", "A BUL", "A ANK", "A SMY"),
            ["F CON S A BUL", "A BUL S F CON", "A ANK S A SMY", "A SMY S A ANK"],
        ),
        ("F1905M", ("F CON", "A ANK"), ["F CON H", "A ANK H"]),
        ("F1905M", ("A BUL", "A SMY"), ["A BUL H", "A SMY H"]),
        ("F1905M", ("A CON", "F BUL/SC", "F ANK", "A SMY"), ["A CON H", "F BUL/SC H", "F ANK H", "A SMY H"]),
        ("S1906M", (), []),
    ],
)
def test_what_it_orders(phase: str, standing: tuple[str, ...], expected: list[str]) -> None:
    assert written(phase, *standing) == expected


def test_from_1901_to_the_wall() -> None:
    spring, autumn, after = answers(
        {"phase": "S1901M"}, {"phase": "F1901M"}, {"phase": "S1902M", "orders": {"FRANCE": ["A Par - Bou"]}}
    )
    assert units(spring) == ["A ANK", "A BUL", "F CON"]
    assert autumn["next"] == "S1902M"
    assert turkish(autumn)["F CON S A BUL"] == ["support_given"]
    assert units(after) == ["A ANK", "A BUL", "A SMY", "F CON"]
    assert set(turkish(after)) == {"F CON S A BUL", "A BUL S F CON", "A ANK S A SMY", "A SMY S A ANK"}


def test_a_stand_off_in_the_autumn_of_1901_leaves_turkey_as_it_is() -> None:
    beginning = position(
        "F1901M", "F CON", "A BUL", "A ANK", others={"RUSSIA": ["F BLA", "A RUM"], "ITALY": ["F AEG"]}
    )
    orders = {
        "RUSSIA": ["F Noi - Con", "A Rou - Bul"],
        "ITALY": ["F Egé S F Noi - Con"],
    }
    [answer] = answers({"phase": "F1901M", "orders": orders}, start=_start(beginning))
    assert turkish(answer)["F CON S A BUL"] == ["support_cut", "dislodged"]
    assert turkish(answer)["A BUL H"] == ["holds"]


def _start(beginning: Position) -> dict[str, object]:
    held: dict[str, list[str]] = {}
    for unit in beginning.units:
        held.setdefault(unit.power, []).append(str(unit))
    centres = {power: list(owned) for power, owned in (beginning.centres or {}).items()}
    return {"phase": str(beginning.phase), "units": held, "centers": centres}


def test_a_dislodged_unit_is_disbanded_though_it_could_retreat() -> None:
    beginning = position(
        "S1903M",
        "F CON",
        "A BUL",
        "A ANK",
        "A SMY",
        others={"RUSSIA": ["A ARM", "F BLA"], "ITALY": ["A SYR"]},
    )
    orders = {"RUSSIA": ["A Arm - Ank", "F Noi S A Arm - Ank"], "ITALY": ["A Syr - Smy"]}
    [answer] = answers({"phase": "S1903M", "orders": orders}, start=_start(beginning))
    assert answer["next"] == "F1903M"
    results = [one["results"] for one in answer["orders"] if one["order"] == "A ANK D"]  # type: ignore[attr-defined]
    assert results == [["disbanded"]]
    assert units(answer) == ["A BUL", "A SMY", "F CON"]


def test_an_army_landed_by_convoy_meets_the_supports() -> None:
    beginning = position(
        "S1904M", "F CON", "A BUL", "A ANK", "A SMY", others={"ITALY": ["A GRE", "F AEG", "F EAS"]}
    )
    orders = {"ITALY": ["A Gre - Smy", "F Egé C A Gre - Smy"]}
    [answer] = answers({"phase": "S1904M", "orders": orders}, start=_start(beginning))
    assert turkish(answer)["A ANK S A SMY"] == ["support_given"]
    assert turkish(answer)["A SMY S A ANK"] == ["support_cut"]
    assert units(answer) == ["A ANK", "A BUL", "A SMY", "F CON"]


@pytest.mark.parametrize(
    ("year", "centres", "standing", "built"),
    [
        (1901, "ANK BUL CON SMY", "F CON A.BUL A.ANK", True),
        (1901, "ANK CON SMY", "F CON A.BUL A.ANK", False),
        (1901, "ANK BUL CON SMY", "F CON A.BUL A.SMY", False),
        (1901, "ANK BUL CON GRE", "F CON A.BUL A.ANK", False),
        (1902, "ANK BUL CON SMY", "F CON A.BUL A.ANK", False),
    ],
)
def test_it_builds_once_and_only_where_it_may(year: int, centres: str, standing: str, built: bool) -> None:
    held = standing.replace("F ", "F.").split()
    there = tuple(Unit(one[0], one[2:], TURKEY) for one in held)
    winter = Position(Phase("W", year, "A"), there, centres={TURKEY: tuple(centres.split())})
    turn = game.play_phase(SETTING, winter, {}, BOOK)
    assert turn.next_position is not None
    assert (
        "SMY" in {unit.province for unit in turn.next_position.units} - {u.province for u in there}
    ) == built


def test_it_never_keeps_a_right_to_build() -> None:
    for name in rulebooks.names():
        book = rulebooks.load(name).adjudication_rules
        winter = Position(
            Phase("W", 1903, "A"), (Unit("A", "BUL", TURKEY),), centres={TURKEY: ("ANK", "BUL", "CON")}
        )
        turn = game.play_phase(SETTING, winter, {}, book)
        assert turn.next_position is not None, name
        assert TURKEY not in turn.next_position.kept_builds, name
        assert not turn.outcome.notes, name


def test_it_removes_by_the_book_what_it_cannot_keep() -> None:
    there = tuple(Unit(one[0], one[2:], TURKEY) for one in ("F CON", "A BUL", "A ANK"))
    winter = Position(Phase("W", 1903, "A"), there, centres={TURKEY: ("ANK", "CON")})
    assert SETTING.rules_for(winter.phase).powers_with_choices(BOARD, winter, BOOK) == ()
    scripted, led = (
        game.play_phase(one, winter, {}, BOOK) for one in (SETTING, variants.load("classic").definition)
    )
    assert scripted.outcome.position_after.units == led.outcome.position_after.units
    assert len(scripted.outcome.position_after.units) == 2


@pytest.mark.parametrize("book", rulebooks.names())
def test_under_every_book_it_stands_and_is_never_in_disorder(book: str) -> None:
    judge = rulebooks.load(book).adjudication_rules
    absent = SETTING.start.phase
    start = Position(
        absent, SETTING.start.units, centres=SETTING.start.centres, powers_in_disorder=frozenset(BOARD.powers)
    )
    turn = game.play_phase(SETTING, start, {}, judge)
    assert {str(one.order) for one in turn.outcome.verdicts if one.power == TURKEY} == {
        "F ANK - CON",
        "A CON - BUL",
        "A SMY - ANK",
    }


def test_nobody_orders_it() -> None:
    order: Order = Hold(UnitName("A", "CON"))
    rules = SETTING.rules_for(SETTING.start.phase)
    assert isinstance(rules.check_order(BOARD, SETTING.start, TURKEY, order, BOOK), OrderRefusal)
    assert rules.legal_orders(BOARD, SETTING.start, TURKEY, BOOK) == ()
    assert TURKEY not in rules.powers_with_choices(BOARD, SETTING.start, BOOK)
    asked = {"variant": "survivor_turkey", "orders": {"TURKEY": ["A Con - Smy"]}}
    answer = adjudication.adjudicate_question(asked | _start(SETTING.start))
    listed = answer["orders"]
    assert isinstance(listed, list)
    [refused] = [one for one in listed if one["line"]]
    assert "suivent un script" in refused["error"]["message"]["fr"]
    assert "follow a script" in refused["error"]["message"]["en"]
    assert units(answer) == ["A ANK", "A BUL", "F CON"]
    turn = game.play_phase(SETTING, SETTING.start, {TURKEY: [order]}, BOOK)
    assert [(one.power, one.number) for one in turn.outcome.refused] == [(TURKEY, 0)]
    assert {one.number for one in turn.outcome.verdicts if one.power == TURKEY} == {None}


def test_a_retreat_of_another_power_does_not_wait_for_it() -> None:
    fallen = DislodgedUnit(Unit("A", "BUL", TURKEY), "SER", retreats=("GRE",))
    other = DislodgedUnit(Unit("A", "VIE", "AUSTRIA"), "BOH", retreats=("TYR",))
    retreat = Position(Phase.parse("S1903R"), (), dislodged=(fallen, other), centres={})
    rules = SETTING.rules_for(retreat.phase)
    assert rules.powers_with_choices(BOARD, retreat, BOOK) == ("AUSTRIA",)
    turn = game.play_phase(SETTING, retreat, {}, BOOK)
    assert turn.outcome.position_after.units == ()
