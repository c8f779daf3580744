"""The doors of games in arrays: what goes in and out, what is refused, and who plays."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.orders import Build, Disband, Hold, Move, Order, Retreat, Waive
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook
from talleyrand.notation import parse_normal
from talleyrand.simulation import array_layout, numba_compiler
from talleyrand.simulation.array_layout import NONE
from talleyrand.simulation.batch_adjudicator import FallbackReason, NumbaMissingWarning
from talleyrand.simulation.game_runner import GameBatch, GameRunner
from tests.simulation.games import by_lot, compare, plain, played
from tests.simulation.positions import many_seas
from tests.variants.plain import PLAIN

SETTING = variants.load("classic").definition
BOARD, START = SETTING.board, SETTING.start
DATC = rulebooks.load("datc").adjudication_rules
AUTUMN, WINTER = Phase("F", 1903, "M"), Phase("W", 1903, "A")


def situation(phase: Phase, units: Sequence[str], centres: dict[str, tuple[str, ...]]) -> Position:
    """Units as `FRANCE A PAR`; the centres of some powers."""
    named = (line.split(" ", 1) for line in units)
    standing = tuple(Unit(*UnitName.parse(name), power) for power, name in named)
    return Position(phase, standing, centres=centres)


def moved(position: Position, book: Rulebook, **orders: Sequence[str | Order]) -> tuple[Position, GameBatch]:
    """Where a position comes to with these orders, which must be where the engine comes to."""
    referee = GameRunner(SETTING, book)
    games = GameBatch.blank(BOARD, 1)
    referee.write(position, games, 0)
    given = {
        power: [parse_normal(one) if isinstance(one, str) else one for one in listed]
        for power, listed in orders.items()
    }
    sheets = games.blank_orders()
    referee.write_orders(given, games, 0, sheets)
    assert referee.step(games, sheets).illegal == 0
    turn = game.play_phase(SETTING, position, given, book)
    after = plain(referee.read(games, 0), SETTING)
    if turn.next_position is not None:
        assert after == plain(turn.next_position, SETTING)
    return after, games


# in and out ---------------------------------------------------------------------------------------


def test_the_start_is_read_as_it_was_written() -> None:
    referee = GameRunner(SETTING, DATC)
    games = referee.start(3)
    assert {str(plain(referee.read(games, at), SETTING)) for at in range(3)} == {str(plain(START, SETTING))}
    assert games.centres()[0].tolist() == [3, 3, 3, 3, 3, 4, 3]


def test_everything_of_a_position_is_read_as_it_was_written() -> None:
    fallen = DislodgedUnit(Unit("F", "STP/SC", "RUSSIA"), "BAR", convoyed=True, retreats=("BOT", "LVN"))
    position = Position(
        Phase("F", 1905, "R"),
        (Unit("F", "STP/NC", "ENGLAND"), Unit("A", "PAR", "FRANCE")),
        (fallen,),
        frozenset({"BUR"}),
        {"ENGLAND": ("LON", "STP"), "FRANCE": ("PAR",)},
        centres_before={"RUSSIA": ("STP",)},
        kept_builds={"FRANCE": 2},
        seed="a lot",
    )
    referee, games = GameRunner(SETTING, DATC), GameBatch.blank(BOARD, 2)
    referee.write(START, games, 1)
    referee.write(position, games, 1)
    assert plain(referee.read(games, 1), SETTING) == plain(position, SETTING)


def test_orders_are_read_as_they_were_written() -> None:
    referee = GameRunner(SETTING, DATC)
    games = referee.start(2)
    sheets = games.blank_orders()
    lines = ("F LON - NTH", "A LVP S F EDI - YOR", "F EDI H")
    orders = [parse_normal(line) for line in lines]
    referee.write_orders({"ENGLAND": orders}, games, 1, sheets)
    assert set(referee.orders_of(games, 1, sheets)["ENGLAND"]) == set(orders)
    assert referee.orders_of(games, 0, sheets) == {}


def test_a_waived_build_is_no_order() -> None:
    referee = GameRunner(SETTING, DATC)
    games = referee.start(1)
    sheets = games.blank_orders()
    referee.write_orders({"ENGLAND": [Waive()]}, games, 0, sheets)
    assert (sheets == NONE).all()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"centres": None}, "unknown centres"),
        ({"homes": {"FRANCE": ("PAR",)}}, "homes of their own"),
        ({"powers_in_disorder": frozenset({"FRANCE"})}, "civil disorder"),
        ({"passive": frozenset({"FRANCE"})}, "eliminated powers"),
        ({"phase": Phase("S", 10**30, "M")}, "beyond a thousand million"),
        ({"kept_builds": {"FRANCE": 1 << 63}}, "beyond a thousand million"),
        ({"dislodged": (DislodgedUnit(Unit("A", "BUR", "FRANCE"), "PAR", retreats=("MOS",)),)}, "no steps"),
    ],
)
def test_what_arrays_cannot_hold_is_refused(change: dict[str, Any], why: str) -> None:
    referee = GameRunner(SETTING, DATC)
    games = referee.start(1)
    with pytest.raises(ValueError, match=why):
        referee.write(replace(START, **change), games, 0)


def test_a_position_that_cannot_stand_is_refused() -> None:
    referee = GameRunner(SETTING, DATC)
    games = referee.start(1)
    for wrong in (
        replace(START, units=(Unit("F", "PAR", "FRANCE"),)),
        replace(START, phase=Phase("X", 1901, "M")),
    ):
        with pytest.raises(InvalidPosition):
            referee.write(wrong, games, 0)


@pytest.mark.parametrize(
    "order",
    [
        Move(UnitName("A", "PAR"), "OZ"),
        Hold(UnitName("A", "OZ")),
        Build(UnitName("Z", "PAR")),
        Move(UnitName("A", "LVP"), "NWY", path=("NWG",)),
    ],
)
def test_an_order_that_arrays_cannot_hold_is_refused(order: Order) -> None:
    referee = GameRunner(SETTING, DATC)
    games = referee.start(1)
    with pytest.raises(ValueError, match="order"):
        referee.write_orders({"FRANCE": [order]}, games, 0, games.blank_orders())


def test_arrays_of_another_shape_or_kind_are_refused() -> None:
    referee = GameRunner(SETTING, DATC)
    games = referee.start(2)
    sheets = games.blank_orders()
    strange: list[Any] = [sheets[:1], sheets.astype(np.int64), sheets[:, :, ::2], np.asfortranarray(sheets)]
    for wrong in strange:
        with pytest.raises(ValueError, match="do not fit"):
            referee.step(games, wrong)
    with pytest.raises(ValueError, match="do not fit"):
        referee.legal_orders(GameRunner(variants.load("trio").definition, DATC).start(2))


def test_nothing_is_played_where_there_is_nothing() -> None:
    referee = GameRunner(SETTING, DATC)
    games = referee.start(0)
    assert referee.step(games, games.blank_orders()).left_to_engine == {}
    assert len(referee.legal_orders(games).orders) == 0


# retreats -----------------------------------------------------------------------------------------

FALLEN = Position(
    Phase("S", 1903, "R"),
    units=(Unit("A", "MUN", "GERMANY"), Unit("A", "BUR", "GERMANY")),
    dislodged=(
        DislodgedUnit(Unit("A", "TYR", "AUSTRIA"), "MUN", retreats=("BOH", "VIE")),
        DislodgedUnit(Unit("A", "GAL", "RUSSIA"), "BUR", retreats=("VIE",)),
    ),
    centres={"GERMANY": ("MUN",), "AUSTRIA": ("BUD",), "RUSSIA": ("MOS",)},
)


def test_two_retreats_to_one_place_destroy_both() -> None:
    after, _ = moved(FALLEN, DATC, AUSTRIA=["A TYR R VIE"], RUSSIA=["A GAL R VIE"])
    assert {unit.province for unit in after.units} == {"MUN", "BUR"}


def test_a_unit_without_order_gives_way_unless_the_book_says_otherwise() -> None:
    only = FALLEN.dislodged[0]._replace(retreats=("VIE",))
    position = replace(FALLEN, dislodged=(only, FALLEN.dislodged[1]))
    after, _ = moved(position, DATC, RUSSIA=["A GAL R VIE"])
    assert Unit("A", "VIE", "RUSSIA") in after.units
    literal = DATC.with_options({"single_retreat_space": "explicit_disband_of_other"})
    after, _ = moved(position, literal, RUSSIA=["A GAL R VIE"])
    assert len(after.units) == 2
    after, _ = moved(position, literal, RUSSIA=["A GAL R VIE"], AUSTRIA=["A TYR D"])
    assert Unit("A", "VIE", "RUSSIA") in after.units


def test_a_phase_without_choice_is_skipped() -> None:
    trapped = FALLEN.dislodged[1]._replace(retreats=())
    attack = situation(Phase("S", 1903, "M"), ["GERMANY A MUN", "FRANCE A PAR"], {"GERMANY": ("MUN",)})
    after, _ = moved(attack, DATC, GERMANY=["A MUN - BUR"])
    assert after.phase == AUTUMN
    after, _ = moved(replace(FALLEN, dislodged=(FALLEN.dislodged[0], trapped)), DATC, AUSTRIA=["A TYR D"])
    assert after.phase == AUTUMN


# winters ------------------------------------------------------------------------------------------

BUILDING = situation(
    WINTER,
    ["FRANCE A BEL", "ITALY A ROM", "ITALY F TUN"],
    {"FRANCE": ("BRE", "PAR", "BEL"), "ITALY": ("ROM",)},
)


def test_builds_with_coasts_and_missing_removals() -> None:
    russia = situation(WINTER, ["ITALY A ROM", "ITALY F TUN"], {"RUSSIA": ("STP",), "ITALY": ("ROM",)})
    after, _ = moved(russia, DATC, RUSSIA=["F STP/NC B"])
    assert set(after.units) == {Unit("F", "STP/NC", "RUSSIA"), Unit("A", "ROM", "ITALY")}
    assert after.phase == Phase("S", 1904, "M")


@pytest.mark.parametrize("choice", ["first_legal", "last_legal", "none"])
def test_more_builds_than_are_due(choice: str) -> None:
    position = replace(BUILDING, units=(*BUILDING.units, Unit("A", "GAS", "FRANCE")))
    book = DATC.with_options({"too_many_builds": choice})
    after, _ = moved(position, book, FRANCE=["F BRE B", "A PAR B"])
    built = {unit.province for unit in after.units} & {"BRE", "PAR"}
    assert built == {"first_legal": {"BRE"}, "last_legal": {"PAR"}, "none": set()}[choice]


@pytest.mark.parametrize("choice", ["first_legal", "last_legal", "complete_by_civil_disorder"])
def test_more_removals_than_are_due(choice: str) -> None:
    name = {"complete_by_civil_disorder": "civil_disorder"}.get(choice, choice)
    book = DATC.with_options({"too_many_removals": name})
    after, _ = moved(BUILDING, book, ITALY=["A ROM D", "F TUN D"])
    left = {unit.province for unit in after.units if unit.power == "ITALY"}
    assert left == ({"TUN"} if choice == "first_legal" else {"ROM"})


def test_rights_to_build_are_kept_where_the_book_says_so() -> None:
    after, games = moved(BUILDING, DATC.with_options({"unused_builds": "kept"}), FRANCE=["F BRE B"])
    assert after.kept_builds == {"FRANCE": 1}
    assert games.build_rights.sum() == 1
    after, _ = moved(BUILDING, DATC, FRANCE=["F BRE B"])
    assert after.kept_builds == {}


def test_gains_and_losses_are_counted_apart_where_the_book_says_so() -> None:
    book = DATC.with_options({"adjust_balance": "gross"})
    position = situation(
        AUTUMN,
        ["FRANCE A MUN", "FRANCE A RUH", "GERMANY A BUR"],
        {"FRANCE": ("PAR", "BRE"), "GERMANY": ("MUN",)},
    )
    after, _ = moved(position, book, GERMANY=["A BUR - PAR"])
    assert after.phase == WINTER
    assert after.centres_before
    options = GameRunner(SETTING, book).legal_orders(_at(after, book))
    assert options.builds[0].any()
    assert options.removals[0].any()
    moved(after, book, FRANCE=["F BRE B", "A RUH D"])


def _at(position: Position, book: Rulebook) -> GameBatch:
    games = GameBatch.blank(BOARD, 1)
    GameRunner(SETTING, book).write(position, games, 0)
    return games


def test_a_removal_by_lot_is_drawn_by_the_engine() -> None:
    book = DATC.with_options({"missing_removals": "random"})
    referee, games = GameRunner(SETTING, book), _at(replace(BUILDING, seed="a lot"), book)
    step = referee.step(games, games.blank_orders())
    assert step.left_to_engine == {FallbackReason.LOT: 1}
    turn = game.play_phase(SETTING, replace(BUILDING, seed="a lot"), {}, book)
    assert turn.outcome.random_draws
    assert turn.next_position is not None
    assert plain(referee.read(games, 0), SETTING) == plain(turn.next_position, SETTING)


# the end ------------------------------------------------------------------------------------------


def test_a_power_wins_when_it_captures_the_last_centre() -> None:
    most = tuple(code for code in BOARD.centres if code != "PAR")[:17]
    position = situation(AUTUMN, ["GERMANY A BUR", "FRANCE A PIC"], {"GERMANY": most, "FRANCE": ("PAR",)})
    _, games = moved(position, DATC, GERMANY=["A BUR - PAR"])
    assert games.over.tolist() == [True]
    assert games.clock[0, array_layout.WINNER] == BOARD.powers.index("GERMANY")
    before = games.copy_games([0])
    referee = GameRunner(SETTING, DATC)
    assert referee.step(games, games.blank_orders()).left_to_engine == {}
    assert np.array_equal(games.places, before.places)
    assert len(referee.legal_orders(games).orders) == 0


def test_games_end_with_their_last_year() -> None:
    referee = GameRunner(SETTING, DATC, until=1902)
    games = referee.start(2)
    phases = 0
    while not games.over.all():
        referee.step(games, games.blank_orders())
        phases += 1
    assert phases == 4
    assert referee.read(games, 0).phase == Phase("S", 1903, "M")
    assert games.clock[:, array_layout.WINNER].tolist() == [array_layout.NOBODY] * 2


# who plays ----------------------------------------------------------------------------------------


def test_a_phase_of_the_variants_own_is_played_by_the_engine() -> None:
    trio = GameRunner(variants.load("trio").definition, DATC, until=1)
    steps = [counted for *_, counted in played(trio, 3, by_lot("trio", spoilt=0))]
    assert steps[0] == {"own_phase": 3, "illegal": 0}
    assert steps[1] == {"illegal": 0}


def test_a_paradox_is_left_to_the_engine_and_counted() -> None:
    book = DATC.with_options({"convoy_paradox": "all_hold"})
    position = situation(
        Phase("S", 1903, "M"), ["ENGLAND F LON", "ENGLAND F WAL", "FRANCE A BRE", "FRANCE F ENG"], {}
    )
    referee, games = GameRunner(SETTING, book), _at(position, book)
    sheets = games.blank_orders()
    lines = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }
    orders = {power: [parse_normal(line) for line in listed] for power, listed in lines.items()}
    referee.write_orders(orders, games, 0, sheets)
    assert referee.step(games, sheets).left_to_engine == {FallbackReason.PARADOX: 1}
    turn = game.play_phase(SETTING, position, orders, book)
    assert turn.next_position is not None
    assert plain(referee.read(games, 0), SETTING) == plain(turn.next_position, SETTING)


def test_more_fleets_than_compiled_code_counts_are_left_to_the_engine() -> None:
    board = many_seas()
    standing = (Unit("A", "LA", "FRANCE"), *(Unit("F", f"S{number}", "ITALY") for number in range(62)))
    setting = replace(SETTING, board=board, start=replace(START, units=standing, centres={}))
    referee = GameRunner(setting, DATC)
    games = referee.start(2)
    games.replace_game(1, _empty(referee))
    options = referee.legal_orders(games)
    at = referee.names.provinces.index("LA")
    assert options.first[0, at + 1] - options.first[0, at] == 2
    assert options.first[1, -1] == options.first[1, 0] == len(options.orders)
    sheets = options.choose(np.ones((2, 64)))
    assert referee.step(games, sheets).left_to_engine == {FallbackReason.TOO_LARGE: 1}


def _empty(referee: GameRunner) -> GameBatch:
    games = GameBatch.blank(referee.board, 1)
    referee.write(replace(referee.setting.start, units=()), games, 0)
    return games


def test_orders_that_are_not_legal_count_for_none_and_are_counted() -> None:
    referee = GameRunner(SETTING, DATC)
    games = referee.start(1)
    sheets = games.blank_orders()
    place = {code: number for number, code in enumerate(referee.names.provinces)}
    sheets[0, :, place["PAR"]] = array_layout.MOVE, NONE, referee.names.locations.index("MOS"), 0
    sheets[0, :, place["LON"]] = array_layout.SUPPORT_MOVE, 60000, 60000, 7
    sheets[0, :, place["SPA"]] = array_layout.HOLD, NONE, NONE, 0
    sheets[0, :, place["MUN"]] = 999, 999, 999, 999
    assert referee.step(games, sheets).illegal == 4
    assert set(referee.read(games, 0).units) == set(START.units)


def test_without_numba_the_engine_plays_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = [variants.load(variant).definition for variant in PLAIN]
    for setting in [one for one in loaded if one.has_standard_phases]:  # others are the engine's anyhow
        monkeypatch.setattr(numba_compiler, "NUMBA_AVAILABLE", True)
        until = setting.calendar.first.year + 1
        expected = [
            games for *_, games, _ in played(GameRunner(setting, DATC, until), 2, by_lot("no numba"))
        ][-1]
        monkeypatch.setattr(numba_compiler, "NUMBA_AVAILABLE", False)
        with pytest.warns(NumbaMissingWarning, match="Numba"):
            slow = GameRunner(setting, DATC, until)
        steps = list(played(slow, 2, by_lot("no numba")))
        assert all(counted.get(FallbackReason.NO_NUMBA, 0) >= 1 for *_, counted in steps)
        assert np.array_equal(steps[-1][2].places, expected.places)
        assert np.array_equal(steps[-1][2].clock, expected.clock)
        assert compare(slow, 1, by_lot("slow"))["M"] > 0


PLAYED = """
import warnings, zlib
import numpy as np
warnings.simplefilter("ignore", RuntimeWarning)
from talleyrand.simulation import numba_compiler
from talleyrand.simulation.arena import Arena
arena, lot = Arena("classic", "datc", games=1, until=1901), np.random.default_rng(1)
while not arena.games.over.all():
    arena.step(arena.legal().choose(lot.random(arena.shape)))
print(zlib.crc32(arena.games.places.tobytes()), numba_compiler.NUMBA_AVAILABLE)
"""


@pytest.mark.long
def test_where_numba_is_not_installed_the_same_games_are_played() -> None:
    (said, compiled), (same, not_compiled) = (
        subprocess.run(
            [sys.executable, "-c", start + PLAYED], capture_output=True, text=True, check=True
        ).stdout.split()
        for start in ("", "import sys; sys.modules['numba'] = None")
    )
    assert said == same
    assert (compiled, not_compiled) == ("True", "False")


def test_one_at_a_time_and_all_at_once_give_the_same() -> None:
    referee = GameRunner(SETTING, DATC, until=1902)
    for before, sheets, after, _ in played(referee, 6, by_lot("alone", spoilt=0)):
        for at in range(6):
            alone = before.copy_games([at])
            referee.step(alone, np.ascontiguousarray(sheets[at : at + 1]))
            assert np.array_equal(alone.places[0], after.places[at])
            assert np.array_equal(alone.clock[0], after.clock[at])


def test_disbanding_is_not_removing() -> None:
    """The two are one order to the engine, and two numbers on a sheet."""
    referee, games = GameRunner(SETTING, DATC), _at(FALLEN, DATC)
    sheets = games.blank_orders()
    referee.write_orders({"AUSTRIA": [Disband(UnitName("A", "TYR"))]}, games, 0, sheets)
    assert sheets[0, array_layout.ORDER_KIND].min() == array_layout.DISBAND
    referee.write_orders({"RUSSIA": [Retreat(UnitName("A", "GAL"), "VIE")]}, games, 0, sheets)
    assert len(referee.orders_of(games, 0, sheets)) == 2
    winter = _at(BUILDING, DATC)
    sheets = winter.blank_orders()
    referee.write_orders({"ITALY": [Disband(UnitName("A", "ROM"))]}, winter, 0, sheets)
    assert sheets[0, array_layout.ORDER_KIND].min() == array_layout.REMOVE
