"""Every board of the rule pages, judged under every book it is shown for."""

from __future__ import annotations

import re
from typing import Any

import pytest

from talleyrand import notation, rulebooks, variants
from talleyrand.drawing.png import render_png
from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.library import example_boards, map_crops, rules_context, rules_texts
from talleyrand.web.library.example_boards import ExampleBoard
from talleyrand.web.library.rules_texts import RulesExample
from tests.cases.files import Case, cases
from tests.playthroughs import replays

EXAMPLES = rules_texts.rules_examples()
SHOWN = [
    (name, book)
    for name in EXAMPLES
    for book in rules_context.rulebooks_with_pages()
    if EXAMPLES[name].applies_to(book)
]
CASES = {case.id: case for case in cases()}
CLASSIC = variants.load("classic")


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("name", "book"), SHOWN)
def test_the_judge_says_what_is_recorded(name: str, book: str) -> None:
    """In both languages, whose lines are not the same."""
    for language in rules_texts.LANGUAGES:
        board = example_boards.example_board(name, book, language)
        assert tuple(_recorded(board)) == EXAMPLES[name].outcome(book).results


def _recorded(board: ExampleBoard) -> list[str]:
    """What became of each unit, of the centres and of the game, one a line, as the examples record it."""
    found: dict[str, list[str]] = {}
    for entry in board.answer["orders"]:
        named = found.setdefault(entry["unit"] or entry["line"], [])
        named += [result for result in entry["results"] if result not in named]
    lines = [" ".join((unit, *words)) for unit, words in found.items()]
    lines += [f"{code} owned by {power}" for code, power in example_boards.captured_centres(board)]
    lines += [f"{power} wins" for power in board.answer.get("winner") or ()]
    return lines + [f"{power} eliminated" for power in example_boards.eliminated_in_example(board)]


def _told(results: tuple[str, ...]) -> dict[tuple[str, str], set[str]]:
    """Results by kind and province, as the cases name them."""
    found = {}
    for line in results:
        kind, place, *words = line.split()
        if kind in ("A", "F"):
            found[kind, place.partition("/")[0]] = set(words)
    return found


def _expected(case: Case, book: str) -> dict[tuple[str, str], set[str]]:
    units = case.units(book)
    named = {tuple(name.partition("/")[0].split()): set(one["results"]) for name, one in units.items()}
    return {(name[0], name[1]): results for name, results in named.items()}


@pytest.mark.parametrize("name", [name for name in EXAMPLES if EXAMPLES[name].case])
def test_an_example_is_its_case(name: str) -> None:
    """The cases were worked out by hand from the texts: an example that stands for one agrees with it."""
    example, case = EXAMPLES[name], CASES[EXAMPLES[name].case]
    assert example.position == {key: case.position[key] for key in example.position}
    assert set(case.position) <= set(example.position)
    lines = {power: [row[0] for row in rows] for power, rows in case.orders.items()}
    assert example.lines("fr", marked=False) == lines
    for book in set(case.books) & set(rules_context.rulebooks_with_pages()):
        if example.applies_to(book) and not case.options:
            told = _told(example.outcome(book).results)
            for unit, results in _expected(case, book).items():
                assert told[unit] == results, (book, unit)


def test_every_written_line_is_an_order() -> None:
    for example in EXAMPLES.values():
        for line in (line for lines in example.orders.values() for line in lines):
            if isinstance(line, str):
                assert str(notation.parse_normal(line)) == line


def test_recorded_books_are_known_and_each_has_one_outcome() -> None:
    for example in EXAMPLES.values():
        named = [book for outcome in example.outcomes for book in outcome.books]
        assert set(named) <= set(rules_context.rulebooks_with_pages())
        assert len(named) == len(set(named))
        assert [outcome.books for outcome in example.outcomes].count(()) == 1


def test_an_example_differs_between_books_where_their_choices_do() -> None:
    other = {name for name, example in EXAMPLES.items() if len(example.outcomes) > 1}
    assert {"EX12", "AF-A", "AF-B", "AF-D-wales", "AF-BEL-LON", "AF-ROM-VEN-1c", "CDR-OWNED"} <= other


@pytest.mark.one_in(3)
@pytest.mark.parametrize("book", rules_context.rulebooks_with_pages())
def test_the_demonstration_game_goes_as_recorded(book: str) -> None:
    answers: list[Any] = [board.answer for board in example_boards.demonstration_boards(book)]
    told = replays.results(answers).splitlines()
    assert sorted(told) == sorted(replays.told("demonstration").splitlines())
    assert [answer["phase"] for answer in answers] == [
        stage.phase for stage in rules_texts.demonstration_phases()
    ]
    assert answers[-1]["next"] == "S1903M"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_unit_is_inside_its_picture(name: str) -> None:
    board = example_boards.example_board(
        name, "datc" if EXAMPLES[name].applies_to("datc") else "anjou_feu", "en"
    )
    svg = board.svg("en", solved=True)
    box = [float(size) for size in re.findall(r'viewBox="([^"]+)"', svg)[0].split()]
    for unit in board.adjudicated.question.position.units:
        anchors = board.variant.anchors
        x, y = anchors.get(unit.location, anchors[unit.province])["unit"][:2]
        assert box[0] < x < box[0] + box[2]
        assert box[1] < y < box[1] + box[3]


def test_a_cut_picture_shows_what_the_whole_one_shows_there() -> None:
    board = example_boards.example_board("EX07", "datc", "en")
    cut, whole = board.svg("en", solved=True), board.svg("en", solved=True, whole=True)
    frame = re.findall(r'viewBox="[^"]+"', cut)[0]
    assert len(cut) < 0.7 * len(whole)
    assert render_png(cut, 300) == render_png(re.sub(r'viewBox="[^"]+"', frame, whole, count=1), 300)


def test_a_frame_that_would_be_nearly_everything_is_the_whole_board() -> None:
    assert map_crops.crop_box(CLASSIC, ("NAO", "SYR")) is None
    assert map_crops.crop_box(CLASSIC, ()) is None
    left, top, wide, tall = map_crops.crop_box(CLASSIC, ("BEL",)) or (0, 0, 0, 0)
    assert wide == 430
    assert tall == pytest.approx(wide * 0.696, abs=0.1)
    assert left >= 0
    assert top >= 0


def test_a_bad_board_is_refused() -> None:
    with pytest.raises(TalleyrandError):
        example_boards.adjudicate_example(
            "bad", {"rulebook": "datc", "phase": "S1901M", "units": {"FRANCE": ["A XXX"]}}
        )
    assert example_boards.board_by_name("nothing", "datc", "fr") is None
    assert example_boards.board_by_name("stage-0", "datc", "fr") is None
    assert example_boards.board_by_name("stage-8", "datc", "fr") is None
    assert example_boards.board_by_name("ST-1", "datc", "fr") is None


def test_lines_that_no_one_wrote_in_normal_form_stay_as_they_are() -> None:
    assert example_boards.order_as_written("A LON - BEL", CLASSIC, "fr") == "A Lon - Bel"
    assert example_boards.order_as_written("A Espagne C Toscane", CLASSIC, "fr") == "A Espagne C Toscane"


def test_books_that_want_the_sea_way_asked_for_are_asked() -> None:
    wanting = [
        name
        for name in rules_context.rulebooks_with_pages()
        if rulebooks.load(name).value("land_or_sea_route") == "marker_required"
    ]
    assert "conspiracy" in wanting
    example: RulesExample = EXAMPLES["TX-SWAP-2"]
    assert "A ROM - NAP VIA" in example.lines("fr", marked=True)["ITALY"]
    assert "A ROM - NAP" in example.lines("fr", marked=False)["ITALY"]
