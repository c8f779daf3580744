"""The sentences that players are told, held against the facts of an oracle that knows nothing of causes.

Each phase is answered as players get it: the sentence of each order, and the steps of its chain of causes, in
both languages. A sample in the everyday run, 20,000 phases and more with `--full`; `--seed` draws others.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from random import Random
from time import perf_counter

import pytest
from benchmarks.sample_positions import played
from benchmarks.sample_positions import recorded as recorded_phases

from talleyrand import rulebooks, variants
from talleyrand.engine import movement
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.orders import Convoy, Disband, Move, Order, Retreat, Support
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.formats.adjudication import resolve_question
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.formats.question_input import Question
from talleyrand.notation import parse_normal
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import Variant
from tests.oracle.crowds import draw
from tests.oracle.resolutions import TooMany
from tests.oracle.rules import MIXED, book_of
from tests.oracle.scenes import Crowd
from tests.oracle.telling import Several, hear
from tests.oracle.winter_scenes import draw_book, draw_position, draw_sheet
from tests.peers import positions
from tests.peers.positions import Drawn

CLASSIC, ROOT = variants.load("classic"), Path(__file__).parents[2]
FULL, SAMPLE = 20_000, 80
SHARES = {"crowds": 0.6, "crowded": 0.05, "games": 0.05, "recorded": 0.05, "retreats": 0.1, "winters": 0.15}
ABSENT, LEAVING, NONSENSE = 0.15, 0.1, 0.06
VARIANTS = ("classic", "classic", "classic", "sandad")
Questions = Iterator[Question]


def books(random: Random) -> Iterator[LoadedRulebook]:
    """Each shipped book in turn, and as many that nobody wrote."""
    while True:
        for name in rulebooks.names():
            yield rulebooks.load(name)
            mixed = vars(book_of(MIXED, random))
            yield rulebooks.customise("datc", {name: str(value) for name, value in mixed.items()})


def crowds(random: Random) -> Questions:
    """Convoys and supports knotted together, here and there without the orders of a power."""
    for book in books(random):
        variant = variants.load(random.choice(VARIANTS))
        crowd = draw(random, variant.board)
        powers = sorted({unit.power for unit in crowd.position.units})
        if not powers:
            continue
        silent = random.choice(powers) if random.random() < ABSENT else ""
        crowd = spoilt(random, variant.board, crowd)
        sheets = {power: lines for power, lines in crowd.by_power().items() if power != silent}
        position = replace(crowd.position, powers_in_disorder=frozenset({silent} - {""}))
        yield asked(variant, book, position, sheets)


def spoilt(random: Random, board: Board, crowd: Crowd) -> Crowd:
    """The same crowd; here and there somebody orders what comes to mind."""
    orders = dict(crowd.orders)
    for key in crowd.orders:
        if random.random() < NONSENSE:
            unit, other = crowd.position.units_by_province[key[1]], random.choice(crowd.position.units)
            taken = random.choices(list(crowd.position.units_by_province), k=len(board.locations))
            places = [*sorted(board.locations), *taken]
            orders[key] = random.choice(
                (
                    Move(unit.name, random.choice(places)),
                    Support(unit.name, other.name, random.choice((*places, key[1], None))),
                    Support(unit.name, other.name, key[1]),
                    Convoy(unit.name, other.name, province_of(random.choice(places))),
                )
            )
    return Crowd(crowd.position, orders)


def asked(
    variant: Variant, book: LoadedRulebook, position: Position, orders: Mapping[str, Iterable[Order]]
) -> Question:
    """The question that consists of these orders, as they are written."""
    sheets = {power: (tuple(map(str, lines)),) for power, lines in orders.items()}
    return Question(variant, book, position, sheets)


def crowded(random: Random) -> Questions:
    """Boards full of units."""
    for number, book in enumerate(books(random)):
        yield _drawn(positions.draw(CLASSIC.board, random.randrange(1 << 30), number), book)


def games(random: Random) -> Questions:
    """Games in which all powers want centres."""
    phases = (phase for _ in count() for phase in played(1, random.randrange(1 << 30)))
    yield from map(_drawn, phases, books(random))


def recorded(random: Random) -> Questions:
    """The games that people played, as far as the tests have them at hand, by one book after the other."""
    phases = list(recorded_phases())
    yield from (_drawn(random.choice(phases), book) for book in books(random))


def _drawn(drawn: Drawn, book: LoadedRulebook) -> Question:
    sheets: dict[str, list[Order]] = {}
    for (power, _), order in drawn.orders.items():
        sheets.setdefault(power, []).append(order)
    return asked(CLASSIC, book, replace(drawn.position, centres=None), sheets)


def retreats(random: Random) -> Questions:
    """What is dislodged in crowds: orders to go there, to go elsewhere, to leave, two at once, or none."""
    for question, book in zip(crowds(random), books(random), strict=True):
        judged = resolve_question(question)
        board, orders = question.variant.board, judged.reading.orders()
        after = movement.adjudicate(
            board, question.position, orders, question.rulebook.adjudication_rules
        ).position_after
        if after.dislodged:
            position = replace(after, phase=Phase("S", 1901, "R"))
            yield asked(question.variant, book, position, _retreating(random, position))


def _retreating(random: Random, position: Position) -> dict[str, list[Order]]:
    sheets: dict[str, list[Order]] = {}
    wanted = [place for fallen in position.dislodged for place in fallen.retreats]
    for fallen in position.dislodged:
        goals = [*fallen.retreats, *fallen.retreats, *random.sample(wanted, min(len(wanted), 1))]
        for goal in random.sample(goals, min(len(goals), random.choice((0, 1, 1, 1, 1, 2)))):
            sheets.setdefault(fallen.unit.power, []).append(Retreat(fallen.unit.name, goal))
        if random.random() < LEAVING:
            sheets.setdefault(fallen.unit.power, []).append(Disband(fallen.unit.name))
    return sheets


def winters(random: Random) -> Questions:
    """Winters in which little fits, under every choice of a book."""
    while True:
        variant = variants.load(random.choice(VARIANTS))
        board, chosen = variant.board, vars(draw_book(random))
        position = draw_position(random, board)
        sheets = {power: draw_sheet(random, board, position, power) for power in board.powers}
        book = rulebooks.customise("datc", {name: str(value) for name, value in chosen.items()})
        yield asked(variant, book, position, sheets)


SOURCES = {
    "crowds": crowds,
    "crowded": crowded,
    "games": games,
    "recorded": recorded,
    "retreats": retreats,
    "winters": winters,
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("source", SOURCES)
def test_what_is_told_is_true(
    source: str, seed: int, full: bool, record_property: Callable[[str, object], None]
) -> None:
    """In both languages, for every order and for every step that led to its result."""
    if source == "recorded":
        pytest.importorskip("diplomacy")
    begun, whole = perf_counter(), round(FULL * SHARES[source])
    wanted = whole if full else round(SAMPLE * SHARES[source])
    random, seen, kinds = Random(f"{seed} telling {source}"), Counter[str](), set[str]()
    for question in islice(SOURCES[source](random), wanted):
        try:
            heard = hear(resolve_question(question))
        except (TooMany, Several) as left:
            seen[type(left).__name__] += 1
            continue
        assert not heard.faults, _report(question, heard.faults)
        seen.update(sentences=heard.sentences, steps=heard.steps)
        kinds |= heard.kinds
    record_property(
        "sampled",
        f"telling, {source}: {wanted} of {whole} phases, seed {seed}: {seen['sentences']} sentences in each "
        f"language, {seen['steps']} steps, {len(kinds)} kinds of sentence, none false; "
        f"{seen['TooMany']} too large, {seen['Several']} with two orders for a unit, "
        f"{perf_counter() - begun:.0f} s",
    )
    assert seen["TooMany"] + seen["Several"] < wanted // 100 + 1
    assert seen["sentences"] > wanted


def _report(question: Question, found: list[str]) -> str:
    """What is wrong, and the smallest crowd of units and orders for which something is."""
    lines = {power: sheets[-1] for power, sheets in question.sheets.items()}
    return f"{found}\n{question.rulebook.name} {question.position}\n{lines}"


# the oracle itself --------------------------------------------------------------------------------

RIVALS = {"FRANCE": "A PAR - BUR", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"}
EVEN = {"FRANCE": "A PAR - BUR", "GERMANY": "A BUR H"}
LOST = {
    "FRANCE": "A PAR - BUR, A MAR S A PAR - BUR",
    "GERMANY": "A BUR S A MUN, A MUN H",
    "ITALY": "A PIC - BUR",
}
SEA = {"ENGLAND": "A LON - BEL, F NTH C A LON - BEL", "GERMANY": "F HEL - NTH, F HOL S F HEL - NTH"}
FREED = {**SEA, "FRANCE": "A PIC - BEL"}
CUT = {"FRANCE": "A MAR S A PAR - BUR, A PAR - BUR", "ITALY": "A PIE - MAR, A BUR - MAR, A GAS S A BUR - MAR"}
ROUND = {"AUSTRIA": "A SER - BUD, A BUD - RUM, A RUM - SER"}
LIES = (
    (RIVALS, "A PAR", "Bounced: A Munich attacks Burgundy too, stronger.", "untrue nobody_enters"),
    (RIVALS, "A PAR", "Bounced: A Ruhr takes Burgundy, stronger.", "untrue takes"),
    (RIVALS, "A PAR", "Bounced: A Munich takes Burgundy, equally strong.", "untrue even"),
    (RIVALS, "A PAR", "Bounced: A Munich takes Picardy, stronger.", "untrue takes"),
    (RIVALS, "A MUN", "A Munich moves to Burgundy unopposed.", "untrue unopposed"),
    (RIVALS, "A RUH", "Support given: A Munich is not attacked.", "untrue gives_support"),
    (EVEN, "A PAR", "Bounced: A Burgundy stays, stronger.", "untrue stronger"),
    (EVEN, "A PAR", "Bounced: A Burgundy comes the other way, equally strong.", "untrue head_on"),
    (EVEN, "A PAR", "Bounced: A Burgundy stays, and a power cannot dislodge its own units.", "untrue same"),
    (EVEN, "A PAR", "A Paris moves to Burgundy unopposed.", "untrue moves_to"),
    (EVEN, "A PAR", "Bounced: A Munich stays, equally strong.", "untrue attacks_unit"),
    (EVEN, "A PAR", "Bounced by A Burgundy.", "not understood"),
    (LOST, "A PIC", "Bounced: A Burgundy stays, equally strong.", "untrue stay"),
    (LOST, "A BUR", "Support given: A Burgundy is not attacked.", "untold ('dislodges'"),
    (LOST, "A BUR", "Dislodged by A Picardy.", "untrue dislodges"),
    (LOST, "A PAR", "A Paris moves to Burgundy, stronger than A Burgundy.", "untrue all_beaten"),
    (FREED, "A PIC", "A Picardy moves to Belgium unopposed.", "untrue unopposed"),
    (
        FREED,
        "A PIC",
        "A Picardy moves to Belgium: A London was dislodged by an attack from there and has no effect on it.",
        "untrue beaten_from_there",
    ),
    (
        SEA,
        "A LON",
        "No convoy: there is no complete chain of fleets for this attack.",
        "untrue without_chain",
    ),
    (SEA, "A LON", "Attack stopped by the convoy paradox rule.", "untrue paradox"),
    (
        SEA,
        "F NTH",
        "F North Sea convoys A London to Belgium; dislodged by F Helgoland Bight.",
        "untrue convoys",
    ),
    (CUT, "A MAR", "Support cut: A Gascony attacks Marseilles; dislodged by A Burgundy.", "untrue cut_by"),
    (
        CUT,
        "A MAR",
        "Support cut: A Piedmont attacks Marseilles; dislodged by A Piedmont.",
        "untrue dislodges",
    ),
    (
        CUT,
        "A MAR",
        (
            "Support cut: A Piedmont attacks Marseilles; dislodged by A Burgundy; the "
            "order would have succeeded without A Gascony."
        ),
        "untrue well_without",
    ),
    (ROUND, "A SER", "Rotation: A Serbia, A Rumania and A Budapest move in a circle.", "untrue circle"),
    (ROUND, "A SER", "Swap: A Serbia and A Budapest trade places by convoy.", "untrue swap"),
)
COASTS = (
    {"FRANCE": "F MAR - SPA/SC, F LYO S F MAR - SPA/NC"},
    {"FRANCE": "F MAR - SPA/SC, F LYO S F MAR - SPA", "ITALY": "F WES S F MAR - SPA"},
    {"FRANCE": "A MAR - SPA, F LYO S A MAR - SPA/NC", "ITALY": "A GAS S A MAR - SPA/SC"},
    {"FRANCE": "F MAR H, F LYO S F MAR - SPA/NC", "ITALY": "F TUS - LYO, F TYS S F TUS - LYO"},
)


def _judged(scene: Mapping[str, str]) -> AdjudicatedQuestion:
    """Orders as they are read, each power's in one text, answered by the DATC's rules."""
    orders = {
        power: [parse_normal(line.strip()) for line in text.split(",")] for power, text in scene.items()
    }
    units = [Unit(*one.unit, power) for power, given in orders.items() for one in given if one.unit]
    position = Position(Phase("S", 1901, "M"), tuple(units))
    return resolve_question(asked(CLASSIC, rulebooks.load("datc"), position, orders))


@pytest.mark.parametrize("scene", COASTS)
def test_a_support_to_a_coast_is_told_as_it_is_judged(scene: Mapping[str, str]) -> None:
    """A coast out of a fleet’s reach makes the support illegal; of an army it means nothing."""
    assert not hear(_judged(scene)).faults


@pytest.mark.parametrize(("scene", "unit", "lie", "found"), LIES)
def test_a_lie_is_heard(scene: Mapping[str, str], unit: str, lie: str, found: str) -> None:
    """A sentence that says something else than what happened, or leaves out who dislodged, is a fault."""
    judged = _judged(scene)
    assert not hear(judged).faults
    told = [
        {**entry, "why": {"fr": "", "en": lie}} if entry["unit"] == unit else entry
        for entry in judged.entries()
    ]
    assert any(fault.startswith(f"en: {found}") for fault in hear(judged, told).faults)


KNOWING = ("reasons", "verdicts", "movement", "outcome", "retreats", "adjustments", "game")


@pytest.mark.parametrize("name", ["facts", "later_facts", "limits", "tongues"])
def test_the_facts_are_found_without_the_judge(name: str) -> None:
    """Nothing that they rest on knows causes, reasons or the making of sentences."""
    seen, edge = set[str](), {f"tests.oracle.{name}"}
    while edge:
        seen |= edge
        ours = [one for one in edge if (ROOT / Path(*one.split("."))).with_suffix(".py").exists()]
        edge = {other for one in ours for other in _imported(one)} - seen
    assert not seen & {f"talleyrand.engine.{module}" for module in KNOWING}
    assert not {one for one in seen if one.startswith(("talleyrand.messages", "talleyrand.formats"))}


def _imported(module: str) -> Iterator[str]:
    """The modules that a module of the tests imports."""
    path = Path(*module.split(".")).with_suffix(".py")
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
