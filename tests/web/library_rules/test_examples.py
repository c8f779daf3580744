"""Every board of the rule pages, judged under every book it is shown for."""

from __future__ import annotations

import re
from typing import Any

import pytest

from talleyrand import notation, rulebooks, variants
from talleyrand.drawing.png import png
from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.library import rules_boards, rules_frames, rules_pages, rules_texts
from talleyrand.web.library.rules_texts import Example
from tests.cases.files import Case, cases
from tests.playthroughs import replays

EXAMPLES = rules_texts.examples()
SHOWN = [(name, book) for name in EXAMPLES for book in rules_pages.names() if EXAMPLES[name].holds(book)]
CASES = {case.id: case for case in cases()}
CLASSIC = variants.load("classic")


@pytest.mark.parametrize(("name", "book"), SHOWN)
def test_the_judge_says_what_is_recorded(name: str, book: str) -> None:
    """In both languages, whose lines are not the same."""
    for language in rules_texts.LANGUAGES:
        board = rules_boards.example(name, book, language)
        assert tuple(rules_boards.results(board)) == EXAMPLES[name].outcome(book).results


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
    for book in set(case.books) & set(rules_pages.names()):
        if example.holds(book) and not case.options:
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
        assert set(named) <= set(rules_pages.names())
        assert len(named) == len(set(named))
        assert [outcome.books for outcome in example.outcomes].count(()) == 1


def test_an_example_differs_between_books_where_their_choices_do() -> None:
    other = {name for name, example in EXAMPLES.items() if len(example.outcomes) > 1}
    assert {"EX12", "AF-A", "AF-B", "AF-D-wales", "AF-BEL-LON", "AF-ROM-VEN-1c", "CDR-OWNED"} <= other


@pytest.mark.parametrize("book", rules_pages.names())
def test_the_demonstration_game_goes_as_recorded(book: str) -> None:
    answers: list[Any] = [board.answer for board in rules_boards.game(book)]
    told = replays.results(answers).splitlines()
    assert sorted(told) == sorted(replays.told("demonstration").splitlines())
    assert [answer["phase"] for answer in answers] == [stage.phase for stage in rules_texts.stages()]
    assert answers[-1]["next"] == "S1903M"


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_unit_is_inside_its_picture(name: str) -> None:
    board = rules_boards.example(name, "datc" if EXAMPLES[name].holds("datc") else "anjou_feu", "en")
    svg = board.svg("en", solved=True)
    box = [float(size) for size in re.findall(r'viewBox="([^"]+)"', svg)[0].split()]
    for unit in board.judged.question.position.units:
        anchors = board.variant.anchors
        x, y = anchors.get(unit.location, anchors[unit.province])["unit"][:2]
        assert box[0] < x < box[0] + box[2]
        assert box[1] < y < box[1] + box[3]


def test_a_cut_picture_shows_what_the_whole_one_shows_there() -> None:
    board = rules_boards.example("EX07", "datc", "en")
    cut, whole = board.svg("en", solved=True), board.svg("en", solved=True, whole=True)
    frame = re.findall(r'viewBox="[^"]+"', cut)[0]
    assert len(cut) < 0.7 * len(whole)
    assert png(cut, 300) == png(re.sub(r'viewBox="[^"]+"', frame, whole, count=1), 300)


def test_a_frame_that_would_be_nearly_everything_is_the_whole_board() -> None:
    assert rules_frames.frame(CLASSIC, ("NAO", "SYR")) is None
    assert rules_frames.frame(CLASSIC, ()) is None
    left, top, wide, tall = rules_frames.frame(CLASSIC, ("BEL",)) or (0, 0, 0, 0)
    assert wide == 430
    assert tall == pytest.approx(wide / 1.2, abs=0.1)
    assert left >= 0
    assert top >= 0


def test_a_bad_board_is_refused() -> None:
    with pytest.raises(TalleyrandError):
        rules_boards.judge("bad", {"rulebook": "datc", "phase": "S1901M", "units": {"FRANCE": ["A XXX"]}})
    assert rules_boards.named("nothing", "datc", "fr") is None
    assert rules_boards.named("stage-0", "datc", "fr") is None
    assert rules_boards.named("stage-8", "datc", "fr") is None
    assert rules_boards.named("ST-1", "datc", "fr") is None


def test_lines_that_no_one_wrote_in_normal_form_stay_as_they_are() -> None:
    assert rules_boards.line("A LON - BEL", CLASSIC, "fr") == "A Lon - Bel"
    assert rules_boards.line("A Espagne C Toscane", CLASSIC, "fr") == "A Espagne C Toscane"


def test_books_that_want_the_sea_way_asked_for_are_asked() -> None:
    wanting = [
        name
        for name in rules_pages.names()
        if rulebooks.load(name).value("land_or_sea_route") == "marker_required"
    ]
    assert "conspiracy" in wanting
    example: Example = EXAMPLES["TX-SWAP-2"]
    assert "A ROM - NAP VIA" in example.lines("fr", marked=True)["ITALY"]
    assert "A ROM - NAP" in example.lines("fr", marked=False)["ITALY"]
